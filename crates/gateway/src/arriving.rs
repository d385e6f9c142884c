//! The body of a request on its way: read when it is known that somebody wants it, up to a limit, from a client that gets on.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use hyper::body::{Body, Bytes, Incoming};
use hyper::header::HeaderMap;
use octavo_kernel::{Fault, Outcome};
use tokio::time::timeout;

use crate::budget::{SMALL, Share};
use crate::limits::Limits;
use crate::line::Line;
use crate::pace::Pace;

pub(crate) struct Arriving {
    body: Incoming,
    line: Arc<Line>,
    pace: Pace,
    is_whole: bool,
    /// The client sends it only when it is asked to.
    is_held_back: bool,
}

/// How long the server reads the rest of a small body that is not needed, so that the connection can be used further.
const REST: Duration = Duration::from_secs(1);

impl Arriving {
    pub(crate) fn new(body: Incoming, headers: &HeaderMap, line: Arc<Line>, limits: &Limits) -> Arriving {
        let pace = Pace::new(limits.stall_time, limits.least_rate);
        let is_held_back = headers.contains_key("expect");
        let is_whole = body.is_end_stream();
        line.expect_body(!is_whole);
        Arriving { is_whole, body, line, pace, is_held_back }
    }

    pub(crate) async fn read(&mut self, most: usize, share: &mut Share) -> Outcome<Vec<u8>> {
        if self.is_whole {
            return Ok(Vec::new());
        }
        self.is_held_back = false;
        self.line.receive(true);
        let read = self.gather(most, share).await;
        self.line.receive(false);
        self.line.expect_body(read.is_err());
        read
    }

    async fn gather(&mut self, most: usize, share: &mut Share) -> Outcome<Vec<u8>> {
        let too_large = || Fault::text(413, format!("The body is larger than {most} bytes"));
        let announced = usize::try_from(self.body.size_hint().lower()).unwrap_or(usize::MAX);
        if announced > most {
            return Err(too_large());
        }
        share.hold(announced)?;
        let mut bytes = Vec::with_capacity(announced);
        while let Some(data) = self.data().await? {
            if bytes.len() + data.len() > most {
                return Err(too_large());
            }
            share.hold(bytes.len() + data.len())?;
            bytes.extend_from_slice(&data);
        }
        Ok(bytes)
    }

    async fn data(&mut self) -> Outcome<Option<Bytes>> {
        loop {
            let frame = poll_fn(|context| match Pin::new(&mut self.body).poll_frame(context) {
                Poll::Pending => self.pace.poll_wait(context).map(|()| Err(())),
                Poll::Ready(frame) => Poll::Ready(Ok(frame)),
            });
            match frame.await {
                Err(()) => return Err(Fault::text(408, "The body comes too slowly")),
                Ok(Some(Err(error))) => {
                    return Err(Fault::bad_request(format!("The body could not be read: {error}")));
                }
                Ok(None) => {
                    self.is_whole = true;
                    return Ok(None);
                }
                Ok(Some(Ok(frame))) => {
                    if let Ok(data) = frame.into_data() {
                        self.pace.moved(data.len());
                        self.is_whole = self.body.is_end_stream();
                        return Ok(Some(data));
                    }
                }
            }
        }
    }

    /// Whether the body was read to its end, so that the connection can go on with another request.
    pub(crate) async fn is_over(&mut self) -> bool {
        if self.is_whole {
            return true;
        }
        let small = self.body.size_hint().upper().is_some_and(|bytes| bytes <= SMALL as u64);
        if !small || self.is_held_back {
            return false;
        }
        let rest = async { while let Ok(Some(_)) = self.data().await {} };
        let _ = timeout(REST, rest).await;
        self.is_whole
    }
}
