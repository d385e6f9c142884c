//! Answers on their way to the client: made here, or passed on from a module outside of this process.

use std::sync::Arc;

use octavo_engine::Response;

use crate::budget::Share;
use crate::line::ConnectionState;
use crate::outgoing::ResponseBody;
use crate::outside::{ForwardedAnswer, ForwardedBody};

/// An answer that was made here, or passed on.
pub(crate) enum ServerAnswer {
    Inside(Response),
    /// The share counts what is held of it.
    Forwarded(Box<ForwardedAnswer>, Share),
}

impl ServerAnswer {
    pub(crate) fn status(&self) -> u16 {
        match self {
            ServerAnswer::Inside(response) => response.status,
            ServerAnswer::Forwarded(passed, _) => passed.status,
        }
    }
}

/// The answer of a module as the client gets it.
pub(crate) fn forwarded_reply(
    passed: ForwardedAnswer,
    share: Share,
    line: &Arc<ConnectionState>,
) -> hyper::Response<ResponseBody> {
    let body = match passed.body {
        ForwardedBody::Stream(answer) => ResponseBody::from_outside(answer, line),
        ForwardedBody::Whole(bytes) => ResponseBody::from_bytes(bytes),
    };
    let mut reply = hyper::Response::new(body.with_share(share));
    *reply.status_mut() =
        hyper::StatusCode::from_u16(passed.status).unwrap_or(hyper::StatusCode::BAD_GATEWAY);
    *reply.headers_mut() = passed.headers;
    reply
}
