//! How long the server waits for a client: for long between requests, briefly once the head of one has begun.
//!
//! hyper has one limit for both. It either ends kept connections while proxies and clients think that they can be used, whose
//! next request then fails, or lets a client send a head letter by letter for as long.

use std::io::{Error, ErrorKind, Result};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// Whether a request is being answered, as the connection and the service see it: grows by one when an answer is begun, and
/// when it is made. Odd in between.
#[derive(Debug, Clone, Default)]
pub(crate) struct Answering(Arc<AtomicUsize>);

impl Answering {
    /// For as long as what this returns lives.
    pub(crate) fn begin(&self) -> Begun {
        self.0.fetch_add(1, Ordering::Relaxed);
        Begun(self.clone())
    }
}

pub(crate) struct Begun(Answering);

impl Drop for Begun {
    fn drop(&mut self) {
        self.0.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waiting {
    /// For the first letter of a request.
    ForOne,
    /// For the rest of its head.
    ForTheRest,
    /// The client waits for us, or sends a body, for which there are other limits.
    No,
}

/// A client's connection, of which reads fail when the client takes too long.
pub(crate) struct Patient<S> {
    stream: S,
    answering: Answering,
    /// What that was when it was last looked at.
    seen: usize,
    idle_time: Duration,
    header_time: Duration,
    waiting: Waiting,
    /// How long from now on, where that was not added up yet: mostly what is waited for is there at once.
    time: Option<Duration>,
    until: Instant,
    /// Rings then or earlier: it is set anew when it rings, not for each request.
    alarm: Pin<Box<Sleep>>,
}

impl<S> Patient<S> {
    pub(crate) fn new(
        stream: S,
        answering: Answering,
        idle_time: Duration,
        header_time: Duration,
    ) -> Patient<S> {
        let alarm = Box::pin(sleep(idle_time));
        Patient {
            stream,
            answering,
            seen: 0,
            idle_time,
            header_time,
            waiting: Waiting::ForOne,
            time: None,
            until: alarm.deadline(),
            alarm,
        }
    }

    fn wait(&mut self, waiting: Waiting, time: Duration) {
        self.waiting = waiting;
        self.time = Some(time);
    }

    /// Whether there is nothing to read since too long.
    fn is_too_long(&mut self, context: &mut Context<'_>) -> bool {
        if self.waiting == Waiting::No {
            return false;
        }
        if let Some(time) = self.time.take() {
            self.until = Instant::now() + time;
        }
        if self.alarm.deadline() > self.until {
            self.alarm.as_mut().reset(self.until);
        }
        while self.alarm.as_mut().poll(context).is_ready() {
            if Instant::now() >= self.until {
                return true;
            }
            self.alarm.as_mut().reset(self.until);
        }
        false
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        let me = self.get_mut();
        let now = me.answering.0.load(Ordering::Relaxed);
        if now != me.seen {
            me.seen = now;
            match now % 2 {
                1 => me.waiting = Waiting::No,
                _ => me.wait(Waiting::ForOne, me.idle_time),
            }
        }
        let read = Pin::new(&mut me.stream).poll_read(context, buffer);
        if read.is_pending() {
            if me.is_too_long(context) {
                return Poll::Ready(Err(Error::new(ErrorKind::TimedOut, "the client takes too long")));
            }
        } else if me.waiting == Waiting::ForOne {
            me.wait(Waiting::ForTheRest, me.header_time);
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[std::io::IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    const BRIEFLY: Duration = Duration::from_millis(50);
    const LONG: Duration = Duration::from_secs(600);

    #[tokio::test]
    async fn a_client_that_begins_a_head_has_to_end_it_soon() {
        let (mut client, server) = duplex(64);
        let mut server = Patient::new(server, Answering::default(), LONG, BRIEFLY);
        tokio::time::sleep(BRIEFLY * 2).await;
        client.write_all(b"GET /").await.unwrap();
        let mut head = [0; 5];
        server.read_exact(&mut head).await.unwrap();
        assert_eq!(server.read(&mut head).await.unwrap_err().kind(), ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_client_that_says_nothing_is_left_after_the_longer_time() {
        let (_client, server) = duplex(64);
        let mut server = Patient::new(server, Answering::default(), BRIEFLY, LONG);
        assert_eq!(server.read(&mut [0]).await.unwrap_err().kind(), ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn the_longer_time_counts_from_the_last_answer() {
        let (mut client, server) = duplex(64);
        let answering = Answering::default();
        let mut server = Patient::new(server, answering.clone(), BRIEFLY * 4, LONG);
        let begun = Instant::now();
        for _ in 0..3 {
            tokio::time::sleep(BRIEFLY * 2).await;
            client.write_all(b"x").await.unwrap();
            server.read_exact(&mut [0]).await.unwrap();
            drop(answering.begin());
        }
        assert_eq!(server.read(&mut [0]).await.unwrap_err().kind(), ErrorKind::TimedOut);
        assert!(begun.elapsed() >= BRIEFLY * 10, "{:?}", begun.elapsed());
    }

    #[tokio::test]
    async fn an_answer_that_is_made_at_once_begins_the_longer_time_too() {
        let (mut client, server) = duplex(64);
        let answering = Answering::default();
        let mut server = Patient::new(server, answering.clone(), LONG, BRIEFLY);
        client.write_all(b"x").await.unwrap();
        server.read_exact(&mut [0]).await.unwrap();
        drop(answering.begin());
        let late = tokio::time::timeout(BRIEFLY * 3, server.read(&mut [0])).await;
        assert!(late.is_err(), "{late:?}");
    }

    #[tokio::test]
    async fn while_an_answer_is_made_nobody_is_waited_for_and_then_the_longer_time_begins() {
        let (mut client, server) = duplex(64);
        let answering = Answering::default();
        let mut server = Patient::new(server, answering.clone(), LONG, BRIEFLY);
        for _ in 0..2 {
            client.write_all(b"x").await.unwrap();
            server.read_exact(&mut [0]).await.unwrap();
            let begun = answering.begin();
            let late = tokio::time::timeout(BRIEFLY * 3, server.read(&mut [0])).await;
            assert!(late.is_err(), "{late:?}");
            drop(begun);
            let late = tokio::time::timeout(BRIEFLY * 3, server.read(&mut [0])).await;
            assert!(late.is_err(), "{late:?}");
        }
    }
}
