//! The answer of another server, as a stream or whole.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::Response;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::HeaderMap;
use tokio::time::{Sleep, sleep};

use crate::{Cause, Failure};

/// Status and headers of a response, and its body, which is received only as fast as the caller reads it.
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    body: Incoming,
    timeout: Duration,
    timer: Option<Pin<Box<Sleep>>>,
}

/// An answer that was read whole.
#[derive(Debug)]
pub struct FullAnswer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub(crate) fn new(response: Response<Incoming>, time: Duration) -> Answer {
        let (head, body) = response.into_parts();
        Answer { status: head.status.as_u16(), headers: head.headers, body, timeout: time, timer: None }
    }

    /// Reads the whole body, up to `most` bytes.
    pub async fn read_to_end(mut self, most: usize) -> Result<FullAnswer, Failure> {
        let mut bytes = Vec::new();
        while let Some(frame) = std::future::poll_fn(|context| Pin::new(&mut self).poll_frame(context)).await
        {
            let frame = frame.map_err(|cause| match cause.downcast_ref::<Failure>() {
                Some(failure) => failure.clone(),
                None => Failure::Broken(cause.to_string()),
            })?;
            if let Some(piece) = frame.data_ref() {
                if bytes.len() + piece.len() > most {
                    return Err(Failure::TooLarge);
                }
                bytes.extend_from_slice(piece);
            }
        }
        Ok(FullAnswer { status: self.status, headers: self.headers, body: bytes })
    }
}

impl std::error::Error for Failure {}

impl Body for Answer {
    type Data = Bytes;
    type Error = Cause;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Cause>>> {
        let me = self.get_mut();
        if let Poll::Ready(frame) = Pin::new(&mut me.body).poll_frame(context) {
            me.timer = None;
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let time = me.timeout;
        let waits = me.timer.get_or_insert_with(|| Box::pin(sleep(time)));
        match waits.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Some(Err(Failure::TimedOut.into()))),
            Poll::Pending => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
