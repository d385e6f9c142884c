//! One connection that is kept, and requests that are ready as bytes. A client library would take as much of the processor
//! as what is measured; pgbench, on the other side, is lean too.

use std::net::SocketAddr;

use anyhow::{Context, Result, anyhow, bail};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

pub(crate) struct Connection {
    stream: TcpStream,
    answer: Vec<u8>,
}

/// Of the answer that was read last.
#[derive(Debug)]
pub(crate) struct Answer<'a> {
    pub(crate) status: u16,
    pub(crate) head: &'a str,
    pub(crate) body: &'a [u8],
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> Result<Connection> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream, answer: Vec::with_capacity(16 * 1024) })
    }

    pub(crate) async fn exchange(&mut self, request: &[u8]) -> Result<Answer<'_>> {
        self.stream.write_all(request).await?;
        self.answer.clear();
        let mut searched = 0;
        let head = loop {
            self.more().await?;
            if let Some(at) = end_of_head(&self.answer[searched..]) {
                break searched + at;
            }
            searched = self.answer.len().saturating_sub(3);
        };
        let told = std::str::from_utf8(&self.answer[..head])?;
        let status = told.get(9..12).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| anyhow!("no HTTP answer: {told}"))?;
        let length = match header(told, "content-length") {
            Some(length) => length.parse::<usize>()?,
            None if header(told, "transfer-encoding").is_some() => bail!("an answer in chunks: {told}"),
            None => 0,
        };
        while self.answer.len() < head + length {
            self.more().await?;
        }
        let (head, body) = self.answer.split_at(head);
        Ok(Answer { status, head: std::str::from_utf8(head)?, body: &body[..length] })
    }

    async fn more(&mut self) -> Result<()> {
        if self.stream.read_buf(&mut self.answer).await? == 0 {
            bail!("the server closed the connection");
        }
        Ok(())
    }
}

impl Answer<'_> {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(self.head, name)
    }

    pub(crate) fn json(&self) -> Result<Value> {
        serde_json::from_slice(self.body).with_context(|| self.text())
    }

    pub(crate) fn text(&self) -> String {
        format!("{} {}", self.status, String::from_utf8_lossy(self.body))
    }

    pub(crate) fn expect(&self, status: u16, told: &str) -> Result<()> {
        if self.status != status {
            bail!("{told}: expected {status}, got {}", self.text());
        }
        Ok(())
    }
}

/// The bytes of a request. `headers` are whole lines, each with its line break.
pub(crate) fn request(into: &mut Vec<u8>, method: &str, path: &str, headers: &str, body: &str) {
    into.clear();
    for part in [method, " ", path, " HTTP/1.1\r\nHost: localhost\r\n", headers] {
        into.extend_from_slice(part.as_bytes());
    }
    if !body.is_empty() {
        into.extend_from_slice(b"Content-Type: application/json\r\nContent-Length: ");
        into.extend_from_slice(body.len().to_string().as_bytes());
        into.extend_from_slice(b"\r\n");
    }
    into.extend_from_slice(b"\r\n");
    into.extend_from_slice(body.as_bytes());
}

fn end_of_head(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|window| window == b"\r\n\r\n").map(|at| at + 4)
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().skip(1).find_map(|line| {
        let (known, value) = line.split_once(':')?;
        known.eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_says_how_long_its_body_is() {
        let mut bytes = Vec::new();
        request(&mut bytes, "POST", "/x", "X-Okapi-Tenant: t\r\n", "{}");
        let expected = "POST /x HTTP/1.1\r\nHost: localhost\r\nX-Okapi-Tenant: t\r\n\
                        Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
        assert_eq!(String::from_utf8(bytes).unwrap(), expected);
    }

    #[test]
    fn headers_are_found_in_any_case() {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 12\r\nX-Octavo-Trace: a=1, b:2\r\n\r\n";
        assert_eq!(header(head, "content-length"), Some("12"));
        assert_eq!(header(head, "x-octavo-trace"), Some("a=1, b:2"));
        assert_eq!(header(head, "location"), None);
    }
}
