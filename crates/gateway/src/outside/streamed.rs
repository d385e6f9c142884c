//! The body of a request that is passed on to a module as it comes: no faster than the module takes it, within the limits for bodies that
//! are read here.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use octavo_remote::{Cause, Progress};
use tokio::time::Instant;

use crate::line::Line;
use crate::pace::Pace;

pub(crate) struct Streamed {
    pub(crate) body: Incoming,
    pub(crate) line: Arc<Line>,
    pub(crate) pace: Pace,
    pub(crate) left: usize,
    pub(crate) progress: Progress,
    pub(crate) outcome: Outcome,
    pub(crate) asked: Instant,
}

/// What became of a body: 0 while it comes, 200 when it has come to its end, otherwise the status that says what is wrong with it.
pub(crate) type Outcome = Arc<AtomicU16>;

/// When nobody asked for the body for so long, the module was slow and not the client.
const UNASKED: Duration = Duration::from_millis(100);

impl Body for Streamed {
    type Data = Bytes;
    type Error = Cause;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Cause>>> {
        let me = self.get_mut();
        if me.asked.elapsed() > UNASKED && me.pace.is_waiting() {
            me.pace.rest();
        }
        me.asked = Instant::now();
        let Poll::Ready(frame) = Pin::new(&mut me.body).poll_frame(context) else {
            me.line.receive(true);
            return me
                .pace
                .poll_wait(context)
                .map(|()| Some(Err(me.refused(408, "the body comes too slowly"))));
        };
        me.line.receive(false);
        match frame {
            Some(Ok(frame)) => {
                let bytes = frame.data_ref().map_or(0, Bytes::len);
                let Some(left) = me.left.checked_sub(bytes) else {
                    return Poll::Ready(Some(Err(me.refused(413, "the body is too large"))));
                };
                me.left = left;
                me.pace.moved(bytes);
                me.progress.fetch_add(1, Ordering::Relaxed);
                if me.body.is_end_stream() {
                    me.end();
                }
                Poll::Ready(Some(Ok(frame)))
            }
            Some(Err(_)) => Poll::Ready(Some(Err(me.refused(400, "the body cannot be read")))),
            None => {
                me.end();
                Poll::Ready(None)
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Streamed {
    fn end(&mut self) {
        self.outcome.store(200, Ordering::Relaxed);
        self.line.expect_body(false);
    }

    fn refused(&mut self, status: u16, why: &'static str) -> Cause {
        self.outcome.store(status, Ordering::Relaxed);
        why.into()
    }
}
