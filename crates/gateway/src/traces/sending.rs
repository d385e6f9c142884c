//! Sends what waits in the queue to the collector, many requests in one call. A call that fails in a way that may pass is made anew after a
//! pause; then what it had is dropped.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use hyper::Request;
use hyper::body::Bytes;
use octavo_remote::{Address, Failure, Progress, RemoteClient, full_body};
use tokio::sync::mpsc::Receiver;
use tokio::time::{sleep, timeout};

use super::{Trace, otlp};
use crate::Server;

/// The most requests in one call.
const MAX_BATCH: usize = 128;
/// How long more requests are waited for.
const GATHER_TIME: Duration = Duration::from_millis(500);
/// How long the collector may take.
const CALL_TIMEOUT: Duration = Duration::from_secs(10);
/// The pauses before further attempts.
const RETRY_PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(4)];
/// How long the queue is still sent when the server stops.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);
/// The most bytes of a collector's answer.
const MAX_ANSWER_BYTES: usize = 64 << 10;

impl Server {
    /// Sends traces until `stop` is ready. Ends at once where there is no collector.
    pub async fn run_traces(self, stop: impl Future<Output = ()>) {
        let traces = &self.inner.traces;
        let (Some((collector, _)), Some(mut queue)) = (&traces.collector, traces.take_queue()) else {
            return;
        };
        let instance = (self.inner.platform.entropy.id)().to_string();
        let (to, remote) = ([collector.address.clone()], RemoteClient::default());
        let mut sending =
            BatchSender { server: &self, to, instance, remote, batch: Vec::new(), has_failed: false };
        tokio::pin!(stop);
        loop {
            tokio::select! {
                () = &mut stop => break,
                () = sending.send_batch(&mut queue, GATHER_TIME) => {}
            }
        }
        queue.close();
        let rest = async {
            while !queue.is_empty() || !sending.batch.is_empty() {
                sending.send_batch(&mut queue, Duration::ZERO).await;
            }
        };
        let _ = timeout(STOP_TIMEOUT, rest).await;
    }
}

struct BatchSender<'a> {
    server: &'a Server,
    to: [Address; 1],
    /// The id of this process, by which the collector tells it from others.
    instance: String,
    remote: RemoteClient,
    /// The requests that go with the next call.
    batch: Vec<Trace>,
    /// Whether the last call failed. A further failure is not logged again.
    has_failed: bool,
}

impl BatchSender<'_> {
    async fn send_batch(&mut self, queue: &mut Receiver<Trace>, gather: Duration) {
        let batch = &mut self.batch;
        if batch.is_empty() {
            queue.recv_many(batch, MAX_BATCH).await;
        }
        let more = async { while batch.len() < MAX_BATCH && queue.recv_many(batch, 1).await > 0 {} };
        let _ = timeout(gather, more).await;
        let batch = std::mem::take(&mut self.batch);
        if !batch.is_empty() {
            self.send(&batch).await;
        }
    }

    async fn send(&mut self, batch: &[Trace]) {
        let traces = &self.server.inner.traces;
        let spans: u64 = batch.iter().map(Trace::span_count).sum();
        // Counts as dropped unless it gets through, also if this is broken off.
        let mut left = UndeliveredSpans { spans, dropped: &traces.dropped };
        let body = Bytes::from(otlp::to_json(batch, &self.instance).to_string());
        let mut pauses = RETRY_PAUSES.iter();
        let why = loop {
            match self.attempt(body.clone()).await {
                Ok(rejected) => {
                    left.spans = rejected.min(spans);
                    traces.sent.fetch_add(spans - left.spans, Relaxed);
                    self.has_failed = false;
                    return;
                }
                Err((why, may_pass)) => match pauses.next().filter(|_| may_pass) {
                    Some(pause) => sleep(*pause).await,
                    None => break why,
                },
            }
        };
        if !std::mem::replace(&mut self.has_failed, true) {
            tracing::warn!(why, "the collector takes no traces: they are dropped until it does");
        }
    }

    /// How many spans were rejected; or why the call failed, and whether that may pass.
    async fn attempt(&self, body: Bytes) -> Result<u64, (String, bool)> {
        let request =
            Request::post("/v1/traces").header("content-type", "application/json").body(full_body(body));
        let request = request.map_err(|error| (error.to_string(), false))?;
        let unsent = |failure: Failure| (failure.to_string(), true);
        let (answer, _) =
            self.remote.send(&self.to, request, CALL_TIMEOUT, &Progress::default()).await.map_err(unsent)?;
        let answered = answer.read_to_end(MAX_ANSWER_BYTES).await.map_err(unsent)?;
        match answered.status {
            200..300 => Ok(otlp::rejected_spans(&answered.body)),
            status => Err((format!("it answered {status}"), matches!(status, 429 | 502..=504))),
        }
    }
}

/// Spans that are added to the counter of dropped spans when this is dropped.
struct UndeliveredSpans<'a> {
    spans: u64,
    dropped: &'a std::sync::atomic::AtomicU64,
}

impl Drop for UndeliveredSpans<'_> {
    fn drop(&mut self) {
        self.dropped.fetch_add(self.spans, Relaxed);
    }
}
