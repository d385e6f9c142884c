//! The body of a request: read only once a handler needs it, up to a limit, from a client that keeps a minimum pace.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Poll, ready};
use std::time::Duration;

use http_body_util::BodyExt;
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::HeaderMap;
use octavo_engine::Incoming as Pieces;
use octavo_kernel::{Fault, Outcome};
use tokio::time::{Instant, timeout};

use crate::budget::{SMALL, Share};
use crate::limits::Limits;
use crate::line::ConnectionState;
use crate::outside::streamed::{self, StreamedBody};
use crate::pace::Pace;

pub(crate) struct RequestBody {
    /// `None` once the body was handed over to be streamed.
    body: Option<Incoming>,
    handed_over: Option<streamed::BodyStatus>,
    line: Arc<ConnectionState>,
    pace: Pace,
    is_complete: bool,
    /// Whether the client waits for `100 Continue` before it sends the body (header `Expect`).
    awaits_continue: bool,
}

/// What is known of a body that was handed over to be streamed.
#[derive(Default)]
pub(crate) struct HandedOver {
    pub(crate) progress: octavo_remote::Progress,
    outcome: streamed::BodyStatus,
    max_bytes: usize,
}

impl HandedOver {
    /// The error of the body itself, if streaming it failed because of the client.
    pub(crate) fn fault(&self) -> Option<Fault> {
        match self.outcome.load(Ordering::Relaxed) {
            413 => Some(Fault::text(413, format!("The body is larger than {} bytes", self.max_bytes))),
            408 => Some(Fault::text(408, "The body comes too slowly")),
            400 => Some(Fault::bad_request("The body could not be read")),
            _ => None,
        }
    }
}

/// How long the server reads the rest of a small body that is not needed, so that the connection can be used further.
const DISCARD_TIME: Duration = Duration::from_secs(1);

impl RequestBody {
    pub(crate) fn new(
        body: Incoming,
        headers: &HeaderMap,
        line: Arc<ConnectionState>,
        limits: &Limits,
    ) -> RequestBody {
        let pace = Pace::new(limits.stall_time, limits.least_rate);
        let is_held_back = headers.contains_key("expect");
        let is_whole = body.is_end_stream();
        line.set_has_body(!is_whole);
        RequestBody {
            is_complete: is_whole,
            body: Some(body),
            handed_over: None,
            line,
            pace,
            awaits_continue: is_held_back,
        }
    }

    pub(crate) async fn read(&mut self, most: usize, share: &mut Share) -> Outcome<Vec<u8>> {
        if self.is_complete {
            return Ok(Vec::new());
        }
        self.awaits_continue = false;
        self.line.set_receiving(true);
        let read = self.read_all(most, share).await;
        self.line.set_receiving(false);
        self.line.set_has_body(read.is_err());
        read
    }

    fn announced_bytes(&self) -> usize {
        let least = self.body.as_ref().map_or(0, |body| body.size_hint().lower());
        usize::try_from(least).unwrap_or(usize::MAX)
    }

    /// Hands the body over to be streamed to a module as it arrives, up to `most` bytes.
    pub(crate) fn hand_over(&mut self, most: usize) -> Outcome<(octavo_remote::Body, HandedOver)> {
        if self.announced_bytes() > most {
            return Err(Fault::text(413, format!("The body is larger than {most} bytes")));
        }
        let handed = HandedOver { max_bytes: most, ..HandedOver::default() };
        let Some(body) = self.body.take().filter(|_| !self.is_complete) else {
            return Ok((octavo_remote::full_body(""), handed));
        };
        self.awaits_continue = false;
        self.handed_over = Some(Arc::clone(&handed.outcome));
        let streamed = StreamedBody {
            body,
            line: Arc::clone(&self.line),
            pace: self.pace.restarted(),
            bytes_left: most,
            progress: Arc::clone(&handed.progress),
            outcome: Arc::clone(&handed.outcome),
            last_polled: Instant::now(),
        };
        Ok((streamed.boxed_unsync(), handed))
    }

    /// Hands the body over to a handler that reads it piece by piece, up to `most` bytes.
    pub(crate) fn stream(&mut self, most: usize) -> Outcome<Pieces> {
        let (mut body, handed) = self.hand_over(most)?;
        Ok(Pieces::new(move |context| {
            loop {
                return Poll::Ready(match ready!(Pin::new(&mut body).poll_frame(context)) {
                    None => None,
                    Some(Err(cause)) => Some(Err(handed.fault().unwrap_or_else(|| Fault::internal(cause)))),
                    Some(Ok(frame)) => match frame.into_data() {
                        Ok(data) => Some(Ok(data)),
                        // Trailers (headers after the body) are ignored: no handler reads them.
                        Err(_) => continue,
                    },
                });
            }
        }))
    }

    async fn read_all(&mut self, most: usize, share: &mut Share) -> Outcome<Vec<u8>> {
        let too_large = || Fault::text(413, format!("The body is larger than {most} bytes"));
        let announced = self.announced_bytes();
        if announced > most {
            return Err(too_large());
        }
        share.reserve(announced)?;
        let mut bytes = Vec::with_capacity(announced);
        while let Some(data) = self.next_data().await? {
            if bytes.len() + data.len() > most {
                return Err(too_large());
            }
            share.reserve(bytes.len() + data.len())?;
            bytes.extend_from_slice(&data);
        }
        Ok(bytes)
    }

    async fn next_data(&mut self) -> Outcome<Option<Bytes>> {
        loop {
            let Some(body) = &mut self.body else { return Ok(None) };
            let frame = poll_fn(|context| match Pin::new(&mut *body).poll_frame(context) {
                Poll::Pending => self.pace.poll_wait(context).map(|()| Err(())),
                Poll::Ready(frame) => Poll::Ready(Ok(frame)),
            });
            match frame.await {
                Err(()) => return Err(Fault::text(408, "The body comes too slowly")),
                Ok(Some(Err(error))) => {
                    return Err(Fault::bad_request(format!("The body could not be read: {error}")));
                }
                Ok(None) => {
                    self.is_complete = true;
                    return Ok(None);
                }
                Ok(Some(Ok(frame))) => {
                    if let Ok(data) = frame.into_data() {
                        self.pace.count_bytes(data.len());
                        self.is_complete = body.is_end_stream();
                        return Ok(Some(data));
                    }
                }
            }
        }
    }

    /// Whether the body was read to its end, so that the connection can go on with another request.
    pub(crate) async fn is_read_to_end(&mut self) -> bool {
        if self.is_complete {
            return true;
        }
        if let Some(outcome) = &self.handed_over {
            return outcome.load(Ordering::Relaxed) == 200;
        }
        let upper = self.body.as_ref().and_then(|body| body.size_hint().upper());
        let small = upper.is_some_and(|bytes| bytes <= SMALL as u64);
        if !small || self.awaits_continue {
            return false;
        }
        let rest = async { while let Ok(Some(_)) = self.next_data().await {} };
        let _ = timeout(DISCARD_TIME, rest).await;
        self.is_complete
    }
}
