//! For tests: a server that answers every path with the same document, some of them late.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How many milliseconds an answer takes, by the beginning of the path. The first entry that fits counts.
pub(crate) type Delays = &'static [(&'static str, u64)];

/// Starts the server and returns its address. It answers until the test process ends.
pub(crate) fn serve(delays: Delays) -> String {
    serve_and_record(delays).0
}

/// The requests that the server received, each as `GET /path`.
pub(crate) type RecordedRequests = Arc<Mutex<Vec<String>>>;

/// Starts the server; returns its address and the list of its requests. Paths that begin with /refused are answered with status 500.
pub(crate) fn serve_and_record(delays: Delays) -> (String, RecordedRequests) {
    let asked = RecordedRequests::default();
    let noted = Arc::clone(&asked);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let noted = Arc::clone(&noted);
            std::thread::spawn(move || answer_requests(stream, delays, &noted));
        }
    });
    (url, asked)
}

fn answer_requests(stream: TcpStream, delays: Delays, asked: &RecordedRequests) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut writer = stream;
    loop {
        let mut first = String::new();
        if reader.read_line(&mut first).ok()? == 0 {
            return None;
        }
        let path = first.split(' ').nth(1)?.to_owned();
        asked.lock().ok()?.push(first.rsplit_once(' ')?.0.to_owned());
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
        let status = if path.starts_with("/refused") { "500 Internal Server Error" } else { "200 OK" };
        write!(writer, "HTTP/1.1 {status}\r\nContent-Length: {}\r\n{trace}\r\n{body}", body.len()).ok()?;
    }
}
