//! The body of an answer on its way: in one piece, or piece by piece as it is made and taken.

use std::error::Error;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use hyper::body::{Body, Bytes, Frame, SizeHint};
use octavo_engine::Pieces;
use octavo_remote::Answer;

use crate::budget::Share;
use crate::line::{AnswerGuard, ConnectionState};

#[derive(Default)]
pub(crate) struct ResponseBody {
    first: Bytes,
    rest: Option<Rest>,
    /// The bytes that are counted for this answer; they are given back when it is written.
    _share: Option<Share>,
}

struct Rest {
    source: BodySource,
    line: Arc<ConnectionState>,
    _begun: AnswerGuard,
}

/// Where the rest comes from.
enum BodySource {
    Inside(Pieces),
    /// From a module outside of this process.
    Outside(Answer),
}

impl ResponseBody {
    pub(crate) fn from_bytes(bytes: impl Into<Bytes>) -> ResponseBody {
        ResponseBody { first: bytes.into(), ..ResponseBody::default() }
    }

    pub(crate) fn with_share(self, share: Share) -> ResponseBody {
        ResponseBody { _share: Some(share), ..self }
    }

    /// Adds the pieces that follow. Until the last one the request counts as being answered.
    pub(crate) fn with_pieces(self, pieces: Pieces, line: &Arc<ConnectionState>) -> ResponseBody {
        self.with_rest(BodySource::Inside(pieces), line)
    }

    /// The body of an outside module's answer. More of it is read from the module as the client takes it.
    pub(crate) fn from_outside(answer: Answer, line: &Arc<ConnectionState>) -> ResponseBody {
        ResponseBody::default().with_rest(BodySource::Outside(answer), line)
    }

    fn with_rest(self, from: BodySource, line: &Arc<ConnectionState>) -> ResponseBody {
        ResponseBody {
            rest: Some(Rest { source: from, line: Arc::clone(line), _begun: line.begin_answer() }),
            ..self
        }
    }
}

impl Body for ResponseBody {
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
        let (piece, why) = match &mut rest.source {
            BodySource::Inside(pieces) => match ready!(pieces.poll_next(context)) {
                Some(Err(fault)) => (None, fault.to_string()),
                piece => (Some(piece.and_then(Result::ok).map(Frame::data)), String::new()),
            },
            BodySource::Outside(answer) => match ready!(Pin::new(answer).poll_frame(context)) {
                Some(Err(cause)) => (None, cause.to_string()),
                frame => (Some(frame.and_then(Result::ok)), String::new()),
            },
        };
        Poll::Ready(match piece {
            Some(piece) => piece.map(Ok),
            None => {
                // The status was sent long ago: all that is left to say is that this is not the end.
                tracing::error!(why, "an answer was broken off");
                rest.line.mark_broken();
                Some(Err("the answer cannot be ended".into()))
            }
        })
    }

    fn is_end_stream(&self) -> bool {
        let outside_ended =
            |rest: &Rest| matches!(&rest.source, BodySource::Outside(answer) if answer.is_end_stream());
        self.first.is_empty() && self.rest.as_ref().is_none_or(outside_ended)
    }

    fn size_hint(&self) -> SizeHint {
        match &self.rest {
            None => SizeHint::with_exact(self.first.len() as u64),
            Some(Rest { source: BodySource::Outside(answer), .. }) => answer.size_hint(),
            Some(_) => SizeHint::default(),
        }
    }
}
