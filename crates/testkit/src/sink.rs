//! A mail server for tests: takes what it is sent and keeps it, or refuses as a test wants.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use crate::postgres::on_runtime;

/// Listens on a free port of the loopback address, without TLS.
#[derive(Clone)]
pub struct MailSink {
    pub address: SocketAddr,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    mails: Vec<Mail>,
    /// Addresses that bounce.
    unknown: Vec<String>,
    busy: bool,
}

/// What arrived.
#[derive(Debug, Clone, Default)]
pub struct Mail {
    pub from: String,
    pub to: Vec<String>,
    /// Headers and text as they travelled.
    pub data: String,
}

impl MailSink {
    pub async fn open() -> MailSink {
        on_runtime(async {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
            let address = listener.local_addr().expect("the port");
            let sink = MailSink { address, state: Arc::default() };
            let serving = sink.clone();
            tokio::spawn(async move {
                while let Ok((stream, _)) = listener.accept().await {
                    let sink = serving.clone();
                    tokio::spawn(async move { drop(sink.talk(stream).await) });
                }
            });
            sink
        })
        .await
    }

    /// The record for `/smtp-configuration`.
    pub fn configuration(&self) -> Value {
        json!({
            "host": self.address.ip().to_string(), "port": self.address.port(), "username": "", "password": "",
            "ssl": false, "loginOption": "DISABLED", "startTlsOptions": "DISABLED",
            "from": "Circulation <desk@library.example>",
        })
    }

    pub fn mails(&self) -> Vec<Mail> {
        self.with(|state| state.mails.clone())
    }

    /// How many mails were taken.
    pub fn taken(&self) -> usize {
        self.with(|state| state.mails.len())
    }

    /// From now on nobody of this address is known here.
    pub fn bounce(&self, address: &str) {
        self.with(|state| state.unknown.push(address.to_owned()));
    }

    /// Whether mails are put off from now on.
    pub fn busy(&self, busy: bool) {
        self.with(|state| state.busy = busy);
    }

    fn with<T>(&self, look: impl FnOnce(&mut State) -> T) -> T {
        look(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn talk(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let (read, mut write) = stream.split();
        let mut lines = BufReader::new(read).lines();
        write.write_all(b"220 sink\r\n").await?;
        let mut mail = Mail::default();
        while let Some(line) = lines.next_line().await? {
            let word = line.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
            let address = || line.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
            let answer = match word.as_str() {
                "EHLO" | "HELO" => "250 sink",
                "MAIL" if self.with(|state| state.busy) => "451 try again later",
                "MAIL" => {
                    mail = Mail { from: address(), ..Mail::default() };
                    "250 ok"
                }
                "RCPT" if self.with(|state| state.unknown.contains(&address())) => "550 no such mailbox",
                "RCPT" => {
                    mail.to.push(address());
                    "250 ok"
                }
                "DATA" => {
                    write.write_all(b"354 go on\r\n").await?;
                    while let Some(line) = lines.next_line().await?.filter(|line| line != ".") {
                        mail.data.push_str(&line);
                        mail.data.push('\n');
                    }
                    let taken = std::mem::take(&mut mail);
                    self.with(|state| state.mails.push(taken));
                    "250 taken"
                }
                "QUIT" => "221 bye",
                _ => "250 ok",
            };
            write.write_all(format!("{answer}\r\n").as_bytes()).await?;
        }
        Ok(())
    }
}
