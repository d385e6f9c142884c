//! The answer of another server, as a stream or whole.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::Response;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::HeaderMap;
use tokio::time::{Instant, Sleep, sleep};

use crate::{Cause, Failure};

/// How slowly an answer may come that is read whole, on the average and after the time limit for its first piece.
const FEWEST_BYTES_PER_SECOND: u64 = 1_024;

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

    /// Reads the whole body, up to `most` bytes. Each piece has to come within the time limit, and all of them not more slowly than
    /// 1 KiB in a second: otherwise a server that sends single bytes would keep its caller for days.
    pub async fn read_to_end(mut self, most: usize) -> Result<FullAnswer, Failure> {
        let (mut bytes, begun) = (Vec::new(), Instant::now());
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
            let longest = self.timeout + Duration::from_secs(bytes.len() as u64 / FEWEST_BYTES_PER_SECOND);
            if begun.elapsed() > longest {
                return Err(Failure::TimedOut);
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

#[cfg(test)]
mod tests {
    use hyper::Request;
    use tokio::io::AsyncWriteExt;
    use tokio::net::TcpListener;

    use super::*;
    use crate::{Address, Progress, RemoteClient, full_body};

    #[tokio::test]
    async fn an_answer_that_comes_byte_by_byte_is_given_up() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = Address::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n").await.unwrap();
            // Each byte comes within the time limit; all of them take 50 seconds.
            while stream.write_all(b"x").await.is_ok() {
                sleep(Duration::from_millis(50)).await;
            }
        });
        let request = Request::get("/").body(full_body("")).unwrap();
        let time = Duration::from_millis(500);
        let sent = RemoteClient::default().send(&[address], request, time, &Progress::default()).await;
        let (answer, _) = sent.unwrap();
        assert_eq!(answer.read_to_end(1_000).await.unwrap_err(), Failure::TimedOut);
    }
}
