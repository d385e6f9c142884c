//! Traces in OpenTelemetry's form: for each request that is followed a span, and in it one for each step and each round trip to the
//! database. They wait in a queue of a limited length, from which a task sends them to a collector; what finds no room there, or what no
//! collector takes, is dropped and counted. Nothing of a library is in them but the tenant's id: routes as they are declared, no paths, no
//! values.

mod context;
mod otlp;
mod sending;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use hyper::header::{HeaderMap, HeaderValue};
use jiff::Timestamp;
use octavo_pg::Step;
use octavo_remote::Address;
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::headers::header_text;
use context::TraceParent;

/// Where traces go, and of how many requests. For a request with the header `traceparent`, that header decides.
#[derive(Debug, Clone)]
pub struct Collector {
    /// It takes OTLP by HTTP below this address, at `/v1/traces`.
    pub address: Address,
    /// How many of a hundred requests without the header `traceparent` are followed.
    pub percent: u8,
}

/// The most requests that wait in the queue to be sent.
const QUEUE_LENGTH: usize = 2048;

#[derive(Default)]
pub(crate) struct Traces {
    collector: Option<(Collector, mpsc::Sender<Trace>)>,
    queue: Mutex<Option<mpsc::Receiver<Trace>>>,
    pub(crate) sent: AtomicU64,
    pub(crate) dropped: AtomicU64,
}

/// The place of a request in a trace, and the time at which it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TracePosition {
    trace: u128,
    parent: Option<u64>,
    span: u64,
    at: Timestamp,
}

/// A request that was answered, with its steps.
#[derive(Debug, Clone)]
pub(crate) struct Trace {
    pub(crate) position: TracePosition,
    pub(crate) begun: Instant,
    pub(crate) took: Duration,
    pub(crate) method: String,
    /// As it is declared; none where no route was found.
    pub(crate) route: Option<&'static str>,
    pub(crate) module: Option<&'static str>,
    pub(crate) tenant: Option<String>,
    pub(crate) request_id: String,
    pub(crate) status: u16,
    pub(crate) steps: Vec<Step>,
    pub(crate) steps_left_out: u64,
}

impl Trace {
    fn span_count(&self) -> u64 {
        self.steps.len() as u64 + 1
    }
}

impl Traces {
    pub(crate) fn new(to: Option<Collector>) -> Traces {
        let Some(collector) = to else { return Traces::default() };
        let (sender, receiver) = mpsc::channel(QUEUE_LENGTH);
        Traces {
            collector: Some((collector, sender)),
            queue: Mutex::new(Some(receiver)),
            ..Traces::default()
        }
    }

    /// Decides whether a request is traced, and returns its place in the trace. The headers then name its span as the parent of later
    /// spans.
    pub(crate) fn start_trace(
        &self,
        headers: &mut HeaderMap,
        id: fn() -> Uuid,
        at: impl FnOnce() -> Timestamp,
    ) -> Option<TracePosition> {
        let (collector, _) = self.collector.as_ref()?;
        let told = header_text(headers, context::HEADER).and_then(TraceParent::parse);
        let (trace, parent) = match told {
            Some(told) if !told.is_sampled => return None,
            Some(told) => (told.trace, Some(told.span)),
            None => {
                let trace = id().as_u128();
                // The last bytes of an id are random.
                if trace % 100 >= u128::from(collector.percent) {
                    return None;
                }
                (trace, None)
            }
        };
        // Never zero: the bits that tell the kind of an id are set.
        let followed = TracePosition { trace, parent, span: id().as_u64_pair().1, at: at() };
        let onward = TraceParent { trace, span: followed.span, is_sampled: true }.to_string();
        if let Ok(onward) = HeaderValue::from_str(&onward) {
            headers.insert(context::HEADER, onward);
        }
        Some(followed)
    }

    /// Puts a request into the queue, or drops it if there is no room.
    pub(crate) fn enqueue(&self, trace: Trace) {
        let spans = trace.span_count();
        let taken = self.collector.as_ref().is_some_and(|(_, queue)| queue.try_send(trace).is_ok());
        if !taken {
            self.dropped.fetch_add(spans, Relaxed);
        }
    }

    fn take_queue(&self) -> Option<mpsc::Receiver<Trace>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traces(percent: u8) -> Traces {
        Traces::new(Some(Collector { address: Address::parse("http://localhost:4318").unwrap(), percent }))
    }

    fn id() -> Uuid {
        Uuid::from_u128(0x0193_6f2a_0000_4000_8000_0000_0000_0063)
    }

    fn follow(traces: &Traces, parent: Option<&'static str>) -> (Option<TracePosition>, HeaderMap) {
        let mut headers = HeaderMap::new();
        if let Some(parent) = parent {
            headers.insert(context::HEADER, HeaderValue::from_static(parent));
        }
        (traces.start_trace(&mut headers, id, || Timestamp::UNIX_EPOCH), headers)
    }

    #[test]
    fn traceparent_decides_and_without_it_the_share() {
        const FOLLOWED: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        const NOT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";
        for (percent, parent, expected) in [
            (100, None, true),
            (0, None, false),
            (0, Some(FOLLOWED), true),
            (100, Some(NOT), false),
            (100, Some("nonsense"), true),
        ] {
            let (followed, headers) = follow(&traces(percent), parent);
            assert_eq!(followed.is_some(), expected, "{percent} {parent:?}");
            if expected {
                let onward = headers[context::HEADER].to_str().unwrap();
                assert!(onward.ends_with("-8000000000000063-01") || parent.is_none(), "{onward}");
            }
        }
        assert_eq!(follow(&Traces::default(), Some(FOLLOWED)).0, None);
        assert_eq!(follow(&traces(0), Some(FOLLOWED)).0.unwrap().parent, Some(0x00f0_67aa_0ba9_02b7));
    }

    #[test]
    fn what_finds_no_room_is_dropped_and_counted() {
        let traces = traces(100);
        let followed = follow(&traces, None).0;
        let trace = Trace {
            position: followed.unwrap_or_else(|| follow(&traces, None).0.unwrap()),
            begun: crate::metrics::now(),
            took: Duration::ZERO,
            method: "GET".to_owned(),
            route: None,
            module: None,
            tenant: None,
            request_id: String::new(),
            status: 200,
            steps: Vec::new(),
            steps_left_out: 0,
        };
        for _ in 0..QUEUE_LENGTH + 3 {
            traces.enqueue(trace.clone());
        }
        assert_eq!(traces.dropped.load(Relaxed), 3);
    }
}
