//! Adds an answered request to the counters, to the slow requests and, if it is followed, to the traces.

use octavo_engine::SlowRequest;

use crate::Server;
use crate::counting::{Asked, Counting, Done};
use crate::metrics::Answered;
use crate::traces::Trace;

impl Server {
    pub(crate) fn settled(&self, counting: &Counting<'_>, done: &Done<'_>) {
        let Done { status, time, busy, usage, .. } = *done;
        counting.counts.add(Answered { status, time, busy, usage });
        if let Some(Asked { tenant, entry, at }) = &counting.asked {
            let (method, path) = (entry.method.as_str(), entry.pattern);
            self.inner.platform.slow.note(&tenant.id, SlowRequest { at: *at, method, path, took: time });
        }
        if let Some(followed) = counting.followed {
            let (steps, left_out) = usage.steps();
            self.inner.traces.tell(Trace {
                followed,
                begun: done.started,
                took: time,
                method: done.method.to_string(),
                route: counting.asked.as_ref().map(|asked| asked.entry.pattern),
                module: counting.asked.as_ref().map(|asked| asked.entry.module),
                tenant: counting.asked.as_ref().map(|asked| asked.tenant.id.to_string()),
                request_id: usage.id().to_owned(),
                status,
                steps,
                left_out,
            });
        }
    }
}
