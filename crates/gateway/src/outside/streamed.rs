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

use crate::line::ConnectionState;
use crate::pace::Pace;

pub(crate) struct StreamedBody {
    pub(crate) body: Incoming,
    pub(crate) line: Arc<ConnectionState>,
    pub(crate) pace: Pace,
    pub(crate) bytes_left: usize,
    pub(crate) progress: Progress,
    pub(crate) outcome: BodyStatus,
    pub(crate) last_polled: Instant,
}

/// What became of a body: 0 while it comes, 200 when it has come to its end, otherwise the status that says what is wrong with it.
pub(crate) type BodyStatus = Arc<AtomicU16>;

/// If nobody has polled the body for this long, the module was slow and not the client.
const MODULE_PAUSE: Duration = Duration::from_millis(100);

impl Body for StreamedBody {
    type Data = Bytes;
    type Error = Cause;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Cause>>> {
        let me = self.get_mut();
        if me.last_polled.elapsed() > MODULE_PAUSE && me.pace.is_waiting() {
            me.pace.stop_waiting();
        }
        me.last_polled = Instant::now();
        let Poll::Ready(frame) = Pin::new(&mut me.body).poll_frame(context) else {
            me.line.set_receiving(true);
            return me
                .pace
                .poll_wait(context)
                .map(|()| Some(Err(me.refuse(408, "the body comes too slowly"))));
        };
        me.line.set_receiving(false);
        match frame {
            Some(Ok(frame)) => {
                let bytes = frame.data_ref().map_or(0, Bytes::len);
                let Some(left) = me.bytes_left.checked_sub(bytes) else {
                    return Poll::Ready(Some(Err(me.refuse(413, "the body is too large"))));
                };
                me.bytes_left = left;
                me.pace.count_bytes(bytes);
                me.progress.fetch_add(1, Ordering::Relaxed);
                if me.body.is_end_stream() {
                    me.finish();
                }
                Poll::Ready(Some(Ok(frame)))
            }
            Some(Err(_)) => Poll::Ready(Some(Err(me.refuse(400, "the body cannot be read")))),
            None => {
                me.finish();
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

impl StreamedBody {
    fn finish(&mut self) {
        self.outcome.store(200, Ordering::Relaxed);
        self.line.set_has_body(false);
    }

    fn refuse(&mut self, status: u16, why: &'static str) -> Cause {
        self.outcome.store(status, Ordering::Relaxed);
        why.into()
    }
}
