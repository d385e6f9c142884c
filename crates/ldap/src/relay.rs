//! Passes the messages of a directory on to the client. The client parses them by recursion and without bounds, so messages that are too
//! long, nested too deep or cut off are not passed on. Each message is read to its end and not a byte further, so that nothing that was
//! sent unencrypted after the answer to StartTLS counts as encrypted.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// The most bytes that a directory may send over one connection. Little is needed, because searches request no attributes.
const MAX_BYTES_FROM_DIRECTORY: usize = 64 << 10;
/// How many values may be nested in each other; answers to binds and searches need five.
const MAX_NESTING: usize = 12;

/// Carries messages both ways until one side ends, and returns why.
pub(crate) async fn relay_messages(
    directory: &mut (impl AsyncRead + AsyncWrite + Unpin),
    client: &mut (impl AsyncRead + AsyncWrite + Unpin),
) -> io::Error {
    let (mut from_directory, mut to_directory) = tokio::io::split(directory);
    let (mut from_client, mut to_client) = tokio::io::split(client);
    let answers = async {
        let mut left = MAX_BYTES_FROM_DIRECTORY;
        loop {
            let message = match read_message(&mut from_directory, left).await {
                Ok(message) => message,
                Err(error) => return error,
            };
            left -= message.len();
            if let Err(error) = to_client.write_all(&message).await {
                return error;
            }
        }
    };
    tokio::select! {
        ended = answers => ended,
        ended = tokio::io::copy(&mut from_client, &mut to_directory) => {
            ended.err().unwrap_or_else(|| io::ErrorKind::UnexpectedEof.into())
        }
    }
}

/// The next message, which is a sequence.
async fn read_message(reader: &mut (impl AsyncRead + Unpin), most: usize) -> io::Result<Vec<u8>> {
    let mut message = vec![reader.read_u8().await?, reader.read_u8().await?];
    for _ in 0..bytes_of_length(message[1]).ok_or_else(invalid_answer)? {
        message.push(reader.read_u8().await?);
    }
    let (head, length) = parse_head(&message).ok_or_else(invalid_answer)?;
    if message[0] != SEQUENCE || length > most.saturating_sub(head) {
        return Err(invalid_answer());
    }
    message.resize(head + length, 0);
    reader.read_exact(&mut message[head..]).await?;
    if is_nested_well(&message) { Ok(message) } else { Err(invalid_answer()) }
}

fn invalid_answer() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the directory sends what is no answer, or too much")
}

const SEQUENCE: u8 = 0x30;
const IS_NESTED: u8 = 0x20;

/// How many bytes of a length follow its first. Lengths without end, and those of more than four bytes, are not for LDAP (RFC 4511, 5.1).
fn bytes_of_length(first: u8) -> Option<usize> {
    match first {
        ..=0x7f => Some(0),
        0x81..=0x84 => Some(usize::from(first) - 0x80),
        _ => None,
    }
}

/// The number of bytes before a value, and of the value.
fn parse_head(bytes: &[u8]) -> Option<(usize, usize)> {
    let first = *bytes.get(1)?;
    let more = bytes.get(2..2 + bytes_of_length(first)?)?;
    let length = match more {
        [] => usize::from(first),
        more => more.iter().fold(0, |length, byte| length << 8 | usize::from(*byte)),
    };
    Some((2 + more.len(), length))
}

/// Whether every value ends within the one around it, and none is nested too deep.
fn is_nested_well(message: &[u8]) -> bool {
    let mut ends = vec![message.len()];
    let mut at = 0;
    while let Some(&end) = ends.last() {
        if at == end {
            ends.pop();
            continue;
        }
        let Some((head, length)) = parse_head(&message[at..end]) else { return false };
        let is_nested = message[at] & IS_NESTED != 0;
        at += head;
        if length > end - at {
            return false;
        }
        match is_nested {
            true if ends.len() > MAX_NESTING => return false,
            true => ends.push(at + length),
            false => at += length,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(tag: u8, content: &[u8]) -> Vec<u8> {
        let length = u16::try_from(content.len()).unwrap().to_be_bytes();
        [&[tag, 0x82][..], &length, content].concat()
    }

    async fn read(mut bytes: &[u8], most: usize) -> Option<Vec<u8>> {
        read_message(&mut bytes, most).await.ok()
    }

    #[tokio::test]
    async fn a_message_is_read_to_its_end_and_not_beyond() {
        let bind = b"\x30\x0c\x02\x01\x01\x61\x07\x0a\x01\x00\x04\x00\x04\x00";
        assert_eq!(read(bind, 14).await.as_deref(), Some(&bind[..]));
        assert_eq!(read(&[bind, &b"more"[..]].concat(), 100).await.as_deref(), Some(&bind[..]));
        assert_eq!(read(bind, 13).await, None, "longer than what may come");
        for cut in 0..bind.len() {
            assert_eq!(read(&bind[..cut], 100).await, None, "cut off after {cut} bytes");
        }
    }

    #[tokio::test]
    async fn what_is_no_message_goes_no_further() {
        for wrong in [
            &b"\x04\x02ab"[..],
            b"\x30\x80\x02\x01\x01\x00\x00",
            b"\x30\x85\x00\x00\x00\x00\x00",
            b"\x30\x84\xff\xff\xff\xff",
            b"\x30\x03\x02\x02\x01",
            b"\x30\x03\x02\x01",
            b"HTTP/1.1 400 Bad Request\r\n\r\n",
        ] {
            assert_eq!(read(wrong, MAX_BYTES_FROM_DIRECTORY).await, None, "{wrong:?}");
        }
    }

    #[tokio::test]
    async fn values_that_are_nested_too_deep_go_no_further() {
        let nested = |depth| (0..depth).fold(Vec::new(), |inner, _| value(SEQUENCE, &inner));
        assert!(read(&nested(MAX_NESTING), MAX_BYTES_FROM_DIRECTORY).await.is_some());
        for depth in [MAX_NESTING + 1, 10_000] {
            assert_eq!(read(&nested(depth), MAX_BYTES_FROM_DIRECTORY).await, None, "{depth}");
        }
    }
}
