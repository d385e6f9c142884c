//! Sends what waits in the queue to the collector, many requests in one call. A call that fails in a way that may pass is made anew after a
//! pause; then what it had is dropped.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use hyper::Request;
use hyper::body::Bytes;
use octavo_remote::{Address, Failure, Progress, Remote, whole};
use tokio::sync::mpsc::Receiver;
use tokio::time::{sleep, timeout};

use super::{Trace, otlp};
use crate::Server;

/// How many requests are told of in one call at most.
const TOGETHER: usize = 128;
/// How long more requests are waited for.
const GATHER: Duration = Duration::from_millis(500);
/// How long the collector may take.
const TIME: Duration = Duration::from_secs(10);
/// The pauses before further attempts.
const AGAIN: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(4)];
/// How long what waits is still sent for, when the server stops.
const FAREWELL: Duration = Duration::from_secs(2);
/// The most bytes of a collector's answer.
const ANSWER: usize = 64 << 10;

impl Server {
    /// Sends traces until `stop` is ready. Ends at once where there is no collector.
    pub async fn run_traces(self, stop: impl Future<Output = ()>) {
        let traces = &self.inner.traces;
        let (Some((collector, _)), Some(mut queue)) = (&traces.to, traces.queue()) else { return };
        let instance = (self.inner.platform.entropy.id)().to_string();
        let (to, remote) = ([collector.address.clone()], Remote::default());
        let mut sending = Sending { server: &self, to, instance, remote, batch: Vec::new(), failed: false };
        tokio::pin!(stop);
        loop {
            tokio::select! {
                () = &mut stop => break,
                () = sending.round(&mut queue, GATHER) => {}
            }
        }
        queue.close();
        let rest = async {
            while !queue.is_empty() || !sending.batch.is_empty() {
                sending.round(&mut queue, Duration::ZERO).await;
            }
        };
        let _ = timeout(FAREWELL, rest).await;
    }
}

struct Sending<'a> {
    server: &'a Server,
    to: [Address; 1],
    /// Tells this process from others.
    instance: String,
    remote: Remote,
    /// What goes with the next call.
    batch: Vec<Trace>,
    /// Whether the last call failed, which the log was told.
    failed: bool,
}

impl Sending<'_> {
    async fn round(&mut self, queue: &mut Receiver<Trace>, gather: Duration) {
        let batch = &mut self.batch;
        if batch.is_empty() {
            queue.recv_many(batch, TOGETHER).await;
        }
        let more = async { while batch.len() < TOGETHER && queue.recv_many(batch, 1).await > 0 {} };
        let _ = timeout(gather, more).await;
        let batch = std::mem::take(&mut self.batch);
        if !batch.is_empty() {
            self.send(&batch).await;
        }
    }

    async fn send(&mut self, batch: &[Trace]) {
        let traces = &self.server.inner.traces;
        let spans: u64 = batch.iter().map(Trace::spans).sum();
        // Counts as dropped unless it gets through, also if this is broken off.
        let mut left = Left { spans, dropped: &traces.dropped };
        let body = Bytes::from(otlp::body(batch, &self.instance).to_string());
        let mut pauses = AGAIN.iter();
        let why = loop {
            match self.attempt(body.clone()).await {
                Ok(rejected) => {
                    left.spans = rejected.min(spans);
                    traces.sent.fetch_add(spans - left.spans, Relaxed);
                    self.failed = false;
                    return;
                }
                Err((why, may_pass)) => match pauses.next().filter(|_| may_pass) {
                    Some(pause) => sleep(*pause).await,
                    None => break why,
                },
            }
        };
        if !std::mem::replace(&mut self.failed, true) {
            tracing::warn!(why, "the collector takes no traces: they are dropped until it does");
        }
    }

    /// How many spans were rejected; or why the call failed, and whether that may pass.
    async fn attempt(&self, body: Bytes) -> Result<u64, (String, bool)> {
        let request =
            Request::post("/v1/traces").header("content-type", "application/json").body(whole(body));
        let request = request.map_err(|error| (error.to_string(), false))?;
        let unsent = |failure: Failure| (failure.to_string(), true);
        let (answer, _) =
            self.remote.send(&self.to, request, TIME, &Progress::default()).await.map_err(unsent)?;
        let answered = answer.whole(ANSWER).await.map_err(unsent)?;
        match answered.status {
            200..300 => Ok(otlp::rejected(&answered.body)),
            status => Err((format!("it answered {status}"), matches!(status, 429 | 502..=504))),
        }
    }
}

/// Spans that are counted as dropped when this is.
struct Left<'a> {
    spans: u64,
    dropped: &'a std::sync::atomic::AtomicU64,
}

impl Drop for Left<'_> {
    fn drop(&mut self) {
        self.dropped.fetch_add(self.spans, Relaxed);
    }
}
