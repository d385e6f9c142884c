//! Answers on their way to the client: made here, or passed on from a module outside of this process.

use std::sync::Arc;

use octavo_engine::Response;

use crate::budget::Share;
use crate::line::Line;
use crate::outgoing::Outgoing;
use crate::outside::{Passed, PassedBody};

/// An answer that was made here, or passed on.
pub(crate) enum Made {
    Here(Response),
    /// The share counts what is held of it.
    Passed(Box<Passed>, Share),
}

impl Made {
    pub(crate) fn status(&self) -> u16 {
        match self {
            Made::Here(response) => response.status,
            Made::Passed(passed, _) => passed.status,
        }
    }
}

/// The answer of a module as the client gets it.
pub(crate) fn passed_reply(passed: Passed, share: Share, line: &Arc<Line>) -> hyper::Response<Outgoing> {
    let body = match passed.body {
        PassedBody::Stream(answer) => Outgoing::passed(answer, line),
        PassedBody::Whole(bytes) => Outgoing::whole(bytes),
    };
    let mut reply = hyper::Response::new(body.held(share));
    *reply.status_mut() =
        hyper::StatusCode::from_u16(passed.status).unwrap_or(hyper::StatusCode::BAD_GATEWAY);
    *reply.headers_mut() = passed.headers;
    reply
}
