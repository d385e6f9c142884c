//! How long the server waits for a client: long between requests, briefly once the head of a request has begun, and while the client
//! takes an answer, as long as it keeps a minimum pace.
//!
//! hyper has one limit for the first two. It either ends kept connections while proxies and clients think that they can be used,
//! whose next request then fails, or lets a client send a head letter by letter for as long. For the third it has none.
//!
//! It also notices when clients hang up. A client that has closed its sending side may still read, so it counts as gone only when its
//! answer takes longer than [`HALF_CLOSED_TIME`] from then on. The work on its request ends with the connection.

use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use crate::limits::Limits;
use crate::line::ConnectionState;
use crate::pace::Pace;

/// How long a client whose request was refused may go on sending before the connection is cut. If it were cut at once, the operating
/// system would discard the answer as well.
const DISCARD_TIME: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waiting {
    /// The server waits for the first byte of a request.
    ForRequest,
    /// The server waits for the rest of the head.
    ForHead,
    /// The client waits for us, or sends a body, for which there are other limits.
    No,
}

/// A client's connection, which fails when the client takes too long.
pub(crate) struct PatientStream<S> {
    stream: S,
    /// Cuts the stream so that the other side sees it.
    cut: fn(&S),
    line: Arc<ConnectionState>,
    /// The connection's count of answer steps when it was last read.
    seen_answer_steps: usize,
    idle_time: Duration,
    header_time: Duration,
    waiting: Waiting,
    /// How long the server waits from now on, if `deadline` was not computed from it yet: mostly the client is quicker.
    wait_time: Option<Duration>,
    deadline: Instant,
    /// The timer for `deadline`. It may ring earlier: it is set anew when it rings, not for each request.
    alarm: Pin<Box<Sleep>>,
    write_pace: Pace,
    /// Runs while the server sends nothing more and discards what the client still sends, `leftover_bytes` at most.
    discard_timer: Option<Pin<Box<Sleep>>>,
    leftover_bytes: usize,
    /// Bytes that the client sent while it was being answered; they were read to see whether it is still there.
    read_ahead: Vec<u8>,
    gone_timer: Option<Pin<Box<Sleep>>>,
}

/// How long a client that has closed its sending side is still answered.
const HALF_CLOSED_TIME: Duration = Duration::from_secs(2);
/// How many bytes are read ahead.
const READ_AHEAD_BYTES: usize = 1024;

impl<S> PatientStream<S> {
    pub(crate) fn new(
        stream: S,
        cut: fn(&S),
        line: Arc<ConnectionState>,
        limits: &Limits,
    ) -> PatientStream<S> {
        let alarm = Box::pin(sleep(limits.idle_time));
        PatientStream {
            stream,
            cut,
            line,
            seen_answer_steps: 0,
            idle_time: limits.idle_time,
            header_time: limits.header_time,
            waiting: Waiting::ForRequest,
            wait_time: None,
            deadline: alarm.deadline(),
            alarm,
            write_pace: Pace::new(limits.stall_time, limits.least_rate),
            discard_timer: None,
            leftover_bytes: limits.body_bytes,
            read_ahead: Vec::new(),
            gone_timer: None,
        }
    }

    fn start_waiting(&mut self, waiting: Waiting, time: Duration) {
        self.waiting = waiting;
        self.wait_time = Some(time);
    }

    /// Whether the server has waited for the client's bytes longer than `deadline` allows.
    fn has_waited_too_long(&mut self, context: &mut Context<'_>) -> bool {
        if self.waiting == Waiting::No || self.write_pace.is_waiting() {
            return false;
        }
        if let Some(time) = self.wait_time.take() {
            self.deadline = Instant::now() + time;
        }
        if self.alarm.deadline() > self.deadline {
            self.alarm.as_mut().reset(self.deadline);
        }
        while self.alarm.as_mut().poll(context).is_ready() {
            if Instant::now() >= self.deadline {
                return true;
            }
            self.alarm.as_mut().reset(self.deadline);
        }
        false
    }

    /// The result of an attempt to write, or an error if the client takes its answer too slowly.
    fn check_write_pace(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<Result<usize>>,
    ) -> Poll<Result<usize>> {
        match written {
            Poll::Ready(Ok(bytes)) => {
                self.write_pace.count_bytes(bytes);
                self.line.note_activity();
            }
            Poll::Pending if self.write_pace.poll_wait(context).is_ready() => {
                return Poll::Ready(Err(Error::new(
                    ErrorKind::TimedOut,
                    "the client does not take its answer",
                )));
            }
            _ => {}
        }
        written
    }
}

impl<S> Drop for PatientStream<S> {
    fn drop(&mut self) {
        if self.line.is_broken() {
            (self.cut)(&self.stream);
        }
    }
}

impl<S: AsyncRead + Unpin> PatientStream<S> {
    /// Reads and discards what the client still sends, until it ends or the time is over.
    fn poll_leftover(&mut self, context: &mut Context<'_>) -> Poll<Result<()>> {
        let farewell = self.discard_timer.get_or_insert_with(|| Box::pin(sleep(DISCARD_TIME)));
        let mut room = [0; 8 << 10];
        while farewell.as_mut().poll(context).is_pending() {
            let mut buffer = ReadBuf::new(&mut room);
            ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer))?;
            let read = buffer.filled().len();
            self.leftover_bytes = self.leftover_bytes.saturating_sub(read);
            if read == 0 || self.leftover_bytes == 0 {
                break;
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + Unpin> PatientStream<S> {
    /// Whether the client has hung up while its request is being answered. Reads from the stream, which nothing else does at that time.
    fn has_client_gone(&mut self, context: &mut Context<'_>) -> bool {
        let answering = self.line.answer_steps() % 2 == 1;
        if !answering || self.line.has_body() || !self.read_ahead.is_empty() {
            return false;
        }
        if self.gone_timer.is_none() {
            let mut room = [0; READ_AHEAD_BYTES];
            let mut buffer = ReadBuf::new(&mut room);
            match Pin::new(&mut self.stream).poll_read(context, &mut buffer) {
                Poll::Ready(Ok(())) if buffer.filled().is_empty() => {
                    self.gone_timer = Some(Box::pin(sleep(HALF_CLOSED_TIME)));
                }
                Poll::Ready(Ok(())) => {
                    self.read_ahead.extend_from_slice(buffer.filled());
                    // Wakes the task that reads: it may have polled before these bytes arrived.
                    context.waker().wake_by_ref();
                }
                Poll::Ready(Err(_)) => return true,
                Poll::Pending => {}
            }
        }
        self.gone_timer.as_mut().is_some_and(|gone| gone.as_mut().poll(context).is_ready())
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PatientStream<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        let me = self.get_mut();
        let now = me.line.answer_steps();
        if now != me.seen_answer_steps {
            me.seen_answer_steps = now;
            match now % 2 {
                1 => me.waiting = Waiting::No,
                _ => me.start_waiting(Waiting::ForRequest, me.idle_time),
            }
        }
        if !me.read_ahead.is_empty() {
            let count = me.read_ahead.len().min(buffer.remaining());
            buffer.put_slice(&me.read_ahead[..count]);
            me.read_ahead.drain(..count);
            if me.waiting == Waiting::ForRequest {
                me.start_waiting(Waiting::ForHead, me.header_time);
            }
            return Poll::Ready(Ok(()));
        }
        let read = Pin::new(&mut me.stream).poll_read(context, buffer);
        if read.is_pending() {
            if me.has_waited_too_long(context) {
                return Poll::Ready(Err(Error::new(ErrorKind::TimedOut, "the client takes too long")));
            }
        } else {
            me.line.note_activity();
            if me.waiting == Waiting::ForRequest {
                me.start_waiting(Waiting::ForHead, me.header_time);
            }
        }
        read
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for PatientStream<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        let me = self.get_mut();
        let written = Pin::new(&mut me.stream).poll_write(context, bytes);
        me.check_write_pace(context, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let me = self.get_mut();
        let written = Pin::new(&mut me.stream).poll_write_vectored(context, slices);
        me.check_write_pace(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// hyper asks for this when everything is written.
    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        let me = self.get_mut();
        if me.has_client_gone(context) {
            return Poll::Ready(Err(Error::new(ErrorKind::ConnectionAborted, "the client has gone")));
        }
        if me.write_pace.is_waiting() {
            me.write_pace.stop_waiting();
            // If the answer is complete, the server waits for the next request from now on.
            me.wait_time = Some(me.idle_time);
            context.waker().wake_by_ref();
        }
        Pin::new(&mut me.stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        let me = self.get_mut();
        if me.discard_timer.is_none() {
            ready!(Pin::new(&mut me.stream).poll_shutdown(context))?;
        }
        if me.line.has_leftover() { me.poll_leftover(context) } else { Poll::Ready(Ok(())) }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    const BRIEFLY: Duration = Duration::from_millis(50);
    const LONG: Duration = Duration::from_secs(600);

    fn patient<S>(
        stream: S,
        line: Arc<ConnectionState>,
        idle_time: Duration,
        header_time: Duration,
    ) -> PatientStream<S> {
        let limits = Limits { idle_time, header_time, stall_time: BRIEFLY, ..Limits::generous() };
        PatientStream::new(stream, |_| {}, line, &limits)
    }

    #[tokio::test]
    async fn a_client_that_takes_nothing_of_its_answer_is_left() {
        let (mut client, server) = duplex(64);
        let mut server = patient(server, Arc::default(), LONG, LONG);
        server.write_all(&[1; 64]).await.unwrap();
        assert_eq!(server.write(&[1]).await.unwrap_err().kind(), ErrorKind::TimedOut);
        client.read_exact(&mut [0; 64]).await.unwrap();
    }

    #[tokio::test]
    async fn time_in_which_an_answer_is_taken_is_no_time_between_requests() {
        let (mut client, server) = duplex(64);
        let limits = Limits { idle_time: BRIEFLY, least_rate: 1, ..Limits::generous() };
        let mut server = PatientStream::new(server, |_| {}, Arc::default(), &limits);
        server.write_all(&[1; 64]).await.unwrap();
        assert!(tokio::time::timeout(BRIEFLY, server.write(&[1])).await.is_err());
        let idle = tokio::time::timeout(BRIEFLY * 3, server.read(&mut [0])).await;
        assert!(idle.is_err(), "{idle:?}");
        client.read_exact(&mut [0; 64]).await.unwrap();
        server.write_all(&[1]).await.unwrap();
        server.flush().await.unwrap();
        assert_eq!(server.read(&mut [0]).await.unwrap_err().kind(), ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn what_a_refused_client_still_sends_is_read_before_the_end() {
        let (mut client, server) = duplex(64);
        let line = Arc::<ConnectionState>::default();
        line.mark_leftover();
        let mut server = patient(server, line, LONG, LONG);
        let sent = tokio::spawn(async move {
            let sent = client.write_all(&[1; 1000]).await;
            client.shutdown().await.unwrap();
            sent
        });
        server.shutdown().await.unwrap();
        drop(server);
        sent.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn a_client_that_begins_a_head_has_to_end_it_soon() {
        let (mut client, server) = duplex(64);
        let mut server = patient(server, Arc::default(), LONG, BRIEFLY);
        tokio::time::sleep(BRIEFLY * 2).await;
        client.write_all(b"GET /").await.unwrap();
        let mut head = [0; 5];
        server.read_exact(&mut head).await.unwrap();
        assert_eq!(server.read(&mut head).await.unwrap_err().kind(), ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_client_that_says_nothing_is_left_after_the_longer_time() {
        let (_client, server) = duplex(64);
        let mut server = patient(server, Arc::default(), BRIEFLY, LONG);
        assert_eq!(server.read(&mut [0]).await.unwrap_err().kind(), ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn the_longer_time_counts_from_the_last_answer() {
        let (mut client, server) = duplex(64);
        let answering = Arc::<ConnectionState>::default();
        let mut server = patient(server, answering.clone(), BRIEFLY * 4, LONG);
        let begun = Instant::now();
        for _ in 0..3 {
            tokio::time::sleep(BRIEFLY * 2).await;
            client.write_all(b"x").await.unwrap();
            server.read_exact(&mut [0]).await.unwrap();
            drop(answering.begin_answer());
        }
        assert_eq!(server.read(&mut [0]).await.unwrap_err().kind(), ErrorKind::TimedOut);
        assert!(begun.elapsed() >= BRIEFLY * 10, "{:?}", begun.elapsed());
    }

    #[tokio::test]
    async fn an_answer_that_is_made_at_once_begins_the_longer_time_too() {
        let (mut client, server) = duplex(64);
        let answering = Arc::<ConnectionState>::default();
        let mut server = patient(server, answering.clone(), LONG, BRIEFLY);
        client.write_all(b"x").await.unwrap();
        server.read_exact(&mut [0]).await.unwrap();
        drop(answering.begin_answer());
        let late = tokio::time::timeout(BRIEFLY * 3, server.read(&mut [0])).await;
        assert!(late.is_err(), "{late:?}");
    }

    #[tokio::test]
    async fn while_an_answer_is_made_nobody_is_waited_for_and_then_the_longer_time_begins() {
        let (mut client, server) = duplex(64);
        let answering = Arc::<ConnectionState>::default();
        let mut server = patient(server, answering.clone(), LONG, BRIEFLY);
        for _ in 0..2 {
            client.write_all(b"x").await.unwrap();
            server.read_exact(&mut [0]).await.unwrap();
            let begun = answering.begin_answer();
            let late = tokio::time::timeout(BRIEFLY * 3, server.read(&mut [0])).await;
            assert!(late.is_err(), "{late:?}");
            drop(begun);
            let late = tokio::time::timeout(BRIEFLY * 3, server.read(&mut [0])).await;
            assert!(late.is_err(), "{late:?}");
        }
    }
}
