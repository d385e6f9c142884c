//! The rest of an answer that is too long to be held: made piece by piece, each when the client has taken the one before.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use octavo_kernel::Outcome;

/// A piece, and those after it.
type Next = Outcome<Option<(Bytes, Pieces)>>;

pub struct Pieces(Pin<Box<dyn Future<Output = Next> + Send>>);

impl Pieces {
    /// Nothing is done before the first piece is asked for.
    pub fn new<P: Into<Bytes>>(
        next: impl Future<Output = Outcome<Option<(P, Pieces)>>> + Send + 'static,
    ) -> Pieces {
        Pieces(Box::pin(async move { Ok(next.await?.map(|(piece, rest)| (piece.into(), rest))) }))
    }

    /// Each changed on its way.
    pub(crate) fn map(mut self, mut change: impl FnMut(Bytes) -> Bytes + Send + 'static) -> Pieces {
        Pieces::new(async move {
            let piece = poll_fn(|context| self.poll_next(context)).await.transpose()?;
            Ok(piece.map(|piece| {
                let changed = change(piece);
                (changed, self.map(change))
            }))
        })
    }

    /// After an error, or the end, there is nothing to ask for.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Outcome<Bytes>>> {
        Poll::Ready(match ready!(self.0.as_mut().poll(context)) {
            Ok(Some((piece, rest))) => {
                *self = rest;
                Some(Ok(piece))
            }
            Ok(None) => None,
            Err(fault) => Some(Err(fault)),
        })
    }
}

impl fmt::Debug for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("more pieces")
    }
}
