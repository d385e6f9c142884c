//! Parses an HTTP answer while it is received, and finds out when it is complete.

use anyhow::{Context, Result, anyhow, bail};
use serde_json::Value;

const MOST_HEADERS: usize = 96;

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// The status line and the header lines, as they came: most are never looked at.
    head: Box<[u8]>,
    pub body: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum BodyEnd {
    Length(usize),
    Chunks,
    ConnectionClose,
}

pub(super) struct Head {
    pub(super) answer: Answer,
    pub(super) length: usize,
    pub(super) body_end: BodyEnd,
    pub(super) keeps_connection: bool,
}

/// Parses the status line and the headers; None while they are incomplete.
pub(super) fn parse_head(bytes: &[u8]) -> Result<Option<Head>> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut parsed = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(length) = parsed.parse(bytes).context("no HTTP answer")? else {
        return Ok(None);
    };
    let status = parsed.code.ok_or_else(|| anyhow!("an answer without a status"))?;
    let answer = Answer { status, head: bytes[..length].into(), body: Vec::new() };
    let (mut ends, mut keeps) = (BodyEnd::ConnectionClose, parsed.version == Some(1));
    for header in parsed.headers.iter() {
        let value = std::str::from_utf8(header.value).unwrap_or_default();
        if header.name.eq_ignore_ascii_case("content-length") && ends != BodyEnd::Chunks {
            ends = BodyEnd::Length(value.trim().parse().context("a content-length that is no number")?);
        } else if header.name.eq_ignore_ascii_case("transfer-encoding") {
            if !value.to_ascii_lowercase().contains("chunked") {
                bail!("transfer-encoding {value} is not understood");
            }
            ends = BodyEnd::Chunks;
        } else if header.name.eq_ignore_ascii_case("connection") {
            keeps = !value.eq_ignore_ascii_case("close");
        }
    }
    if status == 204 || status == 304 || status < 200 {
        ends = BodyEnd::Length(0);
    }
    keeps &= ends != BodyEnd::ConnectionClose;
    Ok(Some(Head { answer, length, body_end: ends, keeps_connection: keeps }))
}

/// Decodes a chunked body. Returns the body and the number of bytes that it took with its chunk sizes; None while it is incomplete.
pub(super) fn decode_chunks(bytes: &[u8]) -> Result<Option<(Vec<u8>, usize)>> {
    let (mut body, mut at) = (Vec::new(), 0);
    loop {
        let size = httparse::parse_chunk_size(&bytes[at..]).map_err(|_| anyhow!("no chunk's length"))?;
        let httparse::Status::Complete((line, size)) = size else { return Ok(None) };
        at += line;
        if size == 0 {
            let mut trailers = [httparse::EMPTY_HEADER; MOST_HEADERS];
            let trailers = httparse::parse_headers(&bytes[at..], &mut trailers).context("trailers")?;
            return Ok(if let httparse::Status::Complete((end, _)) = trailers {
                Some((body, at + end))
            } else {
                None
            });
        }
        let size = usize::try_from(size)?;
        let Some(chunk) = bytes[at..].get(..size) else { return Ok(None) };
        body.extend_from_slice(chunk);
        at += size + 2;
        if at > bytes.len() {
            return Ok(None);
        }
    }
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers(name).next()
    }

    /// The values of all headers of this name, in any case.
    fn headers<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        self.head.split(|byte| *byte == b'\n').skip(1).filter_map(move |line| {
            let (known, value) = std::str::from_utf8(line).ok()?.split_once(':')?;
            known.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    pub(crate) fn cookie(&self, name: &str) -> Option<&str> {
        let mut set = self.headers("set-cookie").filter_map(|value| value.split(';').next()?.split_once('='));
        set.find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    pub fn json(&self) -> Result<Value> {
        serde_json::from_slice(&self.body).with_context(|| format!("no JSON: {}", self.summary()))
    }

    /// Status and the beginning of the body.
    pub fn summary(&self) -> String {
        let text = String::from_utf8_lossy(&self.body);
        let text: String = text.chars().take(300).collect();
        format!("{} {}", self.status, text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_body_is_known_by_its_head() {
        for (text, ends, keeps) in [
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", BodyEnd::Length(5), true),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
                BodyEnd::Chunks,
                true,
            ),
            ("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n", BodyEnd::Length(0), false),
            ("HTTP/1.1 200 OK\r\n\r\n", BodyEnd::ConnectionClose, false),
            ("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\n", BodyEnd::Length(5), false),
        ] {
            let head = parse_head(text.as_bytes()).unwrap().unwrap();
            assert_eq!(
                (head.body_end, head.keeps_connection, head.length),
                (ends, keeps, text.len()),
                "{text}"
            );
        }
        assert!(parse_head(b"HTTP/1.1 200 OK\r\nContent-").unwrap().is_none());
        assert!(parse_head(b"SSH-2.0-x\r\n\r\n").is_err());
    }

    #[test]
    fn chunks_are_put_together_once_they_are_whole() {
        let whole = b"4\r\nWiki\r\n6;x=1\r\npedia \r\n0\r\nTrailer: 1\r\n\r\n";
        for end in 0..whole.len() {
            assert!(decode_chunks(&whole[..end]).unwrap().is_none(), "{end}");
        }
        assert_eq!(decode_chunks(whole).unwrap(), Some((b"Wikipedia ".to_vec(), whole.len())));
        assert!(decode_chunks(b"zz\r\n").is_err());
    }

    #[test]
    fn headers_are_found_in_any_case() {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 12\r\nX-Octavo-Trace: a=1, b:2\r\n\r\n";
        let answer = parse_head(text.as_bytes()).unwrap().unwrap().answer;
        assert_eq!(answer.header("content-length"), Some("12"));
        assert_eq!(answer.header("x-octavo-trace"), Some("a=1, b:2"));
        assert_eq!(answer.header("location"), None);
    }

    #[test]
    fn cookies_are_found() {
        let text =
            "HTTP/1.1 201 Created\r\nSet-Cookie: folioAccessToken=abc; Path=/\r\nContent-Length: 0\r\n\r\n";
        assert_eq!(
            parse_head(text.as_bytes()).unwrap().unwrap().answer.cookie("folioAccessToken"),
            Some("abc")
        );
    }
}
