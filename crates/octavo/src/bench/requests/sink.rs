//! A mail server on this machine that accepts every e-mail and keeps none. It runs on a thread of its own, so that it and the desk do not
//! wait for each other.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::Result;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

pub(super) struct Sink {
    pub(super) address: SocketAddr,
    received: Arc<AtomicU32>,
}

impl Sink {
    pub(super) fn open() -> Result<Sink> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let sink = Sink { address: listener.local_addr()?, received: Arc::default() };
        let taken = Arc::clone(&sink.received);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        std::thread::spawn(move || runtime.block_on(serve(listener, taken)));
        Ok(sink)
    }

    /// The number of e-mails that were received so far.
    pub(super) fn received_mails(&self) -> u32 {
        self.received.load(Ordering::Relaxed)
    }
}

async fn serve(listener: TcpListener, taken: Arc<AtomicU32>) -> Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    loop {
        let (stream, _) = listener.accept().await?;
        tokio::spawn(serve_connection(stream, Arc::clone(&taken)));
    }
}

async fn serve_connection(mut stream: TcpStream, taken: Arc<AtomicU32>) -> Result<()> {
    stream.set_nodelay(true)?;
    let (read, mut write) = stream.split();
    let mut read = BufReader::new(read);
    let mut line = Vec::with_capacity(4096);
    write.write_all(b"220 sink\r\n").await?;
    while read_line(&mut read, &mut line).await? {
        let answer = match line.get(..4).unwrap_or(&line).to_ascii_uppercase().as_slice() {
            b"DATA" => {
                write.write_all(b"354 go on\r\n").await?;
                while read_line(&mut read, &mut line).await? && line != b".\r\n" {}
                taken.fetch_add(1, Ordering::Relaxed);
                b"250 taken\r\n".as_slice()
            }
            b"QUIT" => b"221 bye\r\n",
            _ => b"250 ok\r\n",
        };
        write.write_all(answer).await?;
    }
    Ok(())
}

/// Reads the next line; returns whether there was one.
async fn read_line(read: &mut (impl AsyncBufReadExt + Unpin), line: &mut Vec<u8>) -> Result<bool> {
    line.clear();
    Ok(read.read_until(b'\n', line).await? > 0)
}
