//! A socket that asks for the replication protocol in the first message of the client library, which has no setting for it.

use std::io::{Error, ErrorKind, Result};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

pub(super) struct Replicating<S> {
    socket: S,
    first_message: FirstMessage,
}

enum FirstMessage {
    Unsent,
    /// What is left to be sent of the first message.
    Part(Vec<u8>),
    Sent,
}

const REPLICATION_PARAMETER: &[u8] = b"replication\0database\0";
/// The bytes of a message's length and of the protocol's version, which come before the parameters.
const HEAD_BYTES: usize = 8;

impl<S> Replicating<S> {
    pub(super) fn new(socket: S) -> Replicating<S> {
        Replicating { socket, first_message: FirstMessage::Unsent }
    }
}

/// The first message with one parameter more.
fn with_replication(message: &[u8]) -> Result<Vec<u8>> {
    let whole = || Error::new(ErrorKind::InvalidData, "the first message to PostgreSQL came in pieces");
    let length: [u8; 4] = message.first_chunk().copied().ok_or_else(whole)?;
    if u32::from_be_bytes(length) as usize != message.len() || message.len() <= HEAD_BYTES {
        return Err(whole());
    }
    let mut asking = message[..message.len() - 1].to_vec();
    asking.extend_from_slice(REPLICATION_PARAMETER);
    asking.push(0);
    let length = u32::try_from(asking.len()).map_err(Error::other)?;
    asking[..4].copy_from_slice(&length.to_be_bytes());
    Ok(asking)
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Replicating<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        message: &[u8],
    ) -> Poll<Result<usize>> {
        let Replicating { socket, first_message: said } = &mut *self;
        if let FirstMessage::Unsent = said {
            *said = FirstMessage::Part(with_replication(message)?);
        }
        let FirstMessage::Part(left) = said else { return Pin::new(socket).poll_write(context, message) };
        while !left.is_empty() {
            let written = ready!(Pin::new(&mut *socket).poll_write(context, left))?;
            left.drain(..written);
        }
        *said = FirstMessage::Sent;
        Poll::Ready(Ok(message.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Replicating<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        Pin::new(&mut self.socket).poll_read(context, into)
    }
}

#[cfg(test)]
mod tests {
    use super::with_replication;

    #[test]
    fn the_first_message_asks_for_the_replication_protocol() {
        let message = b"\0\0\0\x13\0\x03\0\0user\0octo\0\0";
        let asked = b"\0\0\0\x28\0\x03\0\0user\0octo\0replication\0database\0\0";
        assert_eq!(with_replication(message).unwrap(), asked);
        for bad in [&message[..10], b"", b"\0\0\0\x08\0\x03\0\0"] {
            assert!(with_replication(bad).is_err());
        }
    }
}
