//! The body of an answer on its way: in one piece, or piece by piece as it is made and taken.

use std::error::Error;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame, SizeHint};
use octavo_engine::Pieces;

use crate::budget::Share;
use crate::line::{Begun, Line};

#[derive(Default)]
pub(crate) struct Outgoing {
    first: Bytes,
    rest: Option<Rest>,
    /// The bytes that are counted for this answer; they are given back when it is written.
    _share: Option<Share>,
}

struct Rest {
    pieces: Pieces,
    line: Arc<Line>,
    _begun: Begun,
}

impl Outgoing {
    pub(crate) fn whole(bytes: impl Into<Bytes>) -> Outgoing {
        Outgoing { first: bytes.into(), ..Outgoing::default() }
    }

    pub(crate) fn held(self, share: Share) -> Outgoing {
        Outgoing { _share: Some(share), ..self }
    }

    /// Adds the pieces that follow. Until the last one the request counts as being answered.
    pub(crate) fn followed_by(self, pieces: Pieces, line: &Arc<Line>) -> Outgoing {
        Outgoing { rest: Some(Rest { pieces, line: Arc::clone(line), _begun: line.begin() }), ..self }
    }
}

impl Body for Outgoing {
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let me = self.get_mut();
        if !me.first.is_empty() {
            return Poll::Ready(Some(Ok(Frame::data(std::mem::take(&mut me.first)))));
        }
        let Some(rest) = &mut me.rest else { return Poll::Ready(None) };
        rest.pieces.poll_next(context).map(|piece| match piece? {
            Ok(piece) => Some(Ok(Frame::data(piece.into()))),
            Err(fault) => {
                // The status was sent long ago: all that is left to say is that this is not the end.
                tracing::error!(%fault, "an answer was broken off");
                rest.line.break_off();
                Some(Err("the answer cannot be ended".into()))
            }
        })
    }

    fn is_end_stream(&self) -> bool {
        self.first.is_empty() && self.rest.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        match self.rest {
            None => SizeHint::with_exact(self.first.len() as u64),
            Some(_) => SizeHint::default(),
        }
    }
}
