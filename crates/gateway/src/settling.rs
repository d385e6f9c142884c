//! Adds an answered request to the counters, to the slow requests and, if it is followed, to the traces.

use octavo_engine::SlowRequest;

use crate::Server;
use crate::counting::{MatchedRoute, RequestOutcome, RequestState};
use crate::metrics::Answered;
use crate::traces::Trace;

impl Server {
    pub(crate) fn record_answer(&self, counting: &RequestState<'_>, done: &RequestOutcome<'_>) {
        let RequestOutcome { status, time, busy, usage, .. } = *done;
        counting.counts.add(Answered { status, time, busy, usage });
        if let Some(MatchedRoute { tenant, entry, at }) = &counting.route {
            let (method, path) = (entry.method.as_str(), entry.pattern);
            self.inner
                .platform
                .slow_requests
                .note(&tenant.id, SlowRequest { at: *at, method, path, took: time });
        }
        if let Some(followed) = counting.trace_position {
            let (steps, left_out) = usage.take_steps();
            self.inner.traces.enqueue(Trace {
                position: followed,
                begun: done.started,
                took: time,
                method: done.method.to_string(),
                route: counting.route.as_ref().map(|asked| asked.entry.pattern),
                module: counting.route.as_ref().map(|asked| asked.entry.module),
                tenant: counting.route.as_ref().map(|asked| asked.tenant.id.to_string()),
                request_id: usage.request_id().to_owned(),
                status,
                steps,
                steps_left_out: left_out,
            });
        }
    }
}
