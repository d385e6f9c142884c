//! The body of a request on its way: read when it is known that somebody wants it, up to a limit, from a client that gets on.

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
use crate::line::Line;
use crate::outside::streamed::{self, Streamed};
use crate::pace::Pace;

pub(crate) struct Arriving {
    /// `None` once it was handed over, to be passed on.
    body: Option<Incoming>,
    handed_over: Option<streamed::Outcome>,
    line: Arc<Line>,
    pace: Pace,
    is_whole: bool,
    /// The client sends it only when it is asked to.
    is_held_back: bool,
}

/// What is known of a body that was handed over.
#[derive(Default)]
pub(crate) struct Handed {
    pub(crate) progress: octavo_remote::Progress,
    outcome: streamed::Outcome,
    most: usize,
}

impl Handed {
    /// What was wrong with the body itself, if that is why passing it on failed.
    pub(crate) fn fault(&self) -> Option<Fault> {
        match self.outcome.load(Ordering::Relaxed) {
            413 => Some(Fault::text(413, format!("The body is larger than {} bytes", self.most))),
            408 => Some(Fault::text(408, "The body comes too slowly")),
            400 => Some(Fault::bad_request("The body could not be read")),
            _ => None,
        }
    }
}

/// How long the server reads the rest of a small body that is not needed, so that the connection can be used further.
const REST: Duration = Duration::from_secs(1);

impl Arriving {
    pub(crate) fn new(body: Incoming, headers: &HeaderMap, line: Arc<Line>, limits: &Limits) -> Arriving {
        let pace = Pace::new(limits.stall_time, limits.least_rate);
        let is_held_back = headers.contains_key("expect");
        let is_whole = body.is_end_stream();
        line.expect_body(!is_whole);
        Arriving { is_whole, body: Some(body), handed_over: None, line, pace, is_held_back }
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

    fn announced(&self) -> usize {
        let least = self.body.as_ref().map_or(0, |body| body.size_hint().lower());
        usize::try_from(least).unwrap_or(usize::MAX)
    }

    /// Hands the body over to be passed on as it comes, up to so many bytes.
    pub(crate) fn hand_over(&mut self, most: usize) -> Outcome<(octavo_remote::Body, Handed)> {
        if self.announced() > most {
            return Err(Fault::text(413, format!("The body is larger than {most} bytes")));
        }
        let handed = Handed { most, ..Handed::default() };
        let Some(body) = self.body.take().filter(|_| !self.is_whole) else {
            return Ok((octavo_remote::whole(""), handed));
        };
        self.is_held_back = false;
        self.handed_over = Some(Arc::clone(&handed.outcome));
        let streamed = Streamed {
            body,
            line: Arc::clone(&self.line),
            pace: self.pace.anew(),
            left: most,
            progress: Arc::clone(&handed.progress),
            outcome: Arc::clone(&handed.outcome),
            asked: Instant::now(),
        };
        Ok((streamed.boxed_unsync(), handed))
    }

    /// Hands the body over to be read piece by piece, up to so many bytes.
    pub(crate) fn stream(&mut self, most: usize) -> Outcome<Pieces> {
        let (mut body, handed) = self.hand_over(most)?;
        Ok(Pieces::new(move |context| {
            loop {
                return Poll::Ready(match ready!(Pin::new(&mut body).poll_frame(context)) {
                    None => None,
                    Some(Err(cause)) => Some(Err(handed.fault().unwrap_or_else(|| Fault::internal(cause)))),
                    Some(Ok(frame)) => match frame.into_data() {
                        Ok(data) => Some(Ok(data)),
                        // Headers behind the body say nothing that anybody asks for.
                        Err(_) => continue,
                    },
                });
            }
        }))
    }

    async fn gather(&mut self, most: usize, share: &mut Share) -> Outcome<Vec<u8>> {
        let too_large = || Fault::text(413, format!("The body is larger than {most} bytes"));
        let announced = self.announced();
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
                    self.is_whole = true;
                    return Ok(None);
                }
                Ok(Some(Ok(frame))) => {
                    if let Ok(data) = frame.into_data() {
                        self.pace.moved(data.len());
                        self.is_whole = body.is_end_stream();
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
        if let Some(outcome) = &self.handed_over {
            return outcome.load(Ordering::Relaxed) == 200;
        }
        let upper = self.body.as_ref().and_then(|body| body.size_hint().upper());
        let small = upper.is_some_and(|bytes| bytes <= SMALL as u64);
        if !small || self.is_held_back {
            return false;
        }
        let rest = async { while let Ok(Some(_)) = self.data().await {} };
        let _ = timeout(REST, rest).await;
        self.is_whole
    }
}
