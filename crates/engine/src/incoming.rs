//! A body that is read piece by piece while it comes, so that no more of it is held than a piece.

use std::fmt;
use std::future::poll_fn;
use std::task::{Context, Poll};

use bytes::Bytes;
use octavo_kernel::Outcome;

type Next = dyn FnMut(&mut Context<'_>) -> Poll<Option<Outcome<Bytes>>> + Send;

pub struct Incoming(Box<Next>);

impl Incoming {
    pub fn new(
        next: impl FnMut(&mut Context<'_>) -> Poll<Option<Outcome<Bytes>>> + Send + 'static,
    ) -> Incoming {
        Incoming(Box::new(next))
    }

    /// A body whose bytes are all in memory.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Incoming {
        let mut bytes = Some(bytes.into()).filter(|bytes: &Bytes| !bytes.is_empty());
        Incoming::new(move |_| Poll::Ready(bytes.take().map(Ok)))
    }

    /// The next piece, or `None` at the end. The client is slowed down to the pace at which pieces are asked for. After an error
    /// there is nothing to ask for.
    pub async fn next(&mut self) -> Outcome<Option<Bytes>> {
        poll_fn(|context| (self.0)(context)).await.transpose()
    }
}

impl fmt::Debug for Incoming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a body on its way")
    }
}

#[cfg(test)]
mod tests {
    use crate::Body;

    #[tokio::test]
    async fn a_body_that_is_here_is_one_piece() {
        let mut pieces = Body::from(b"abc".to_vec()).take_pieces();
        assert_eq!(pieces.next().await.unwrap().as_deref(), Some(b"abc".as_slice()));
        assert!(pieces.next().await.unwrap().is_none());
        assert!(Body::default().take_pieces().next().await.unwrap().is_none());
    }
}
