//! For tests: a server that answers every path with the same document, some of them late.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

/// How long a path takes; the first that the asked one begins with.
pub(crate) type Delays = &'static [(&'static str, u64)];

/// Its address. It answers until the test process ends.
pub(crate) fn serve(delays: Delays) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(stream, delays));
        }
    });
    url
}

fn answer(stream: TcpStream, delays: Delays) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut writer = stream;
    loop {
        let mut first = String::new();
        if reader.read_line(&mut first).ok()? == 0 {
            return None;
        }
        let path = first.split(' ').nth(1)?.to_owned();
        let (mut length, mut traced) = (0, false);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            let line = line.trim().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
            traced |= line.starts_with("x-octavo-trace:");
        }
        reader.read_exact(&mut vec![0; length]).ok()?;
        let delay = delays.iter().find(|(start, _)| path.starts_with(start)).map_or(0, |(_, millis)| *millis);
        std::thread::sleep(Duration::from_millis(delay));
        let trace = "x-octavo-trace: round-trips=2, statements=9, rows=4, unindexed=0, database-us=200, total-us=400\r\n";
        let trace = if traced { trace } else { "" };
        let body = "{\"id\": \"1\", \"token\": \"a=b\"}";
        write!(writer, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n{trace}\r\n{body}", body.len()).ok()?;
    }
}
