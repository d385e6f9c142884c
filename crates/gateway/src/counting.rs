//! The state of a request while it is answered: its route, its tenant, its counters, and its id.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use hyper::header::{HeaderMap, HeaderValue};
use hyper::http::request::Parts;
use octavo_engine::{Tenant, cut_request_id};
use octavo_pg::Usage;

use crate::headers::header_text;
use crate::metrics::{Counts, Work};
use crate::routes::Entry;
use crate::traces::TracePosition;

/// What is known of a request while it is answered: the counters to which it is added, how long another task worked on it, its route, and
/// its place in a trace.
pub(crate) struct RequestState<'a> {
    pub(crate) counts: &'a Counts,
    pub(crate) work: Work,
    pub(crate) route: Option<MatchedRoute<'a>>,
    pub(crate) trace_position: Option<TracePosition>,
}

/// A request whose route was found: the route, the tenant, and the time.
pub(crate) struct MatchedRoute<'a> {
    pub(crate) tenant: Arc<Tenant>,
    pub(crate) entry: &'a Entry,
    pub(crate) at: jiff::Timestamp,
}

impl<'a> RequestState<'a> {
    pub(crate) fn new(counts: &'a Counts) -> RequestState<'a> {
        RequestState { counts, work: Work::default(), route: None, trace_position: None }
    }

    /// Sets the route of the request, once it was found.
    pub(crate) fn set_route(&mut self, tenant: Arc<Tenant>, entry: &'static Entry, at: jiff::Timestamp) {
        self.route = Some(MatchedRoute { tenant, entry, at });
    }
}

/// How a request was answered, for counters and traces: method, status, times, and what it asked of the database.
pub(crate) struct RequestOutcome<'a> {
    pub(crate) method: &'a hyper::Method,
    pub(crate) status: u16,
    pub(crate) started: Instant,
    pub(crate) time: Duration,
    pub(crate) busy: Duration,
    pub(crate) usage: &'a Usage,
}

/// The numbers of requests of this process, as Okapi has them: six digits, which begin anew after a million.
pub(crate) struct RequestNumbers(AtomicU64);

impl RequestNumbers {
    pub(crate) fn starting_at(first: u64) -> RequestNumbers {
        RequestNumbers(AtomicU64::new(first))
    }

    /// The id that the client gave its request, or one in Okapi's form.
    pub(crate) fn request_id(&self, head: &Parts) -> String {
        if let Some(id) =
            header_text(&head.headers, REQUEST_ID).map(cut_request_id).filter(|id| !id.is_empty())
        {
            return id;
        }
        let number = self.0.fetch_add(1, Relaxed) % 1_000_000;
        let segment = head.uri.path().trim_start_matches(['/', '_']).split('/').next().unwrap_or_default();
        let segment: String = segment.chars().take(MAX_ID_CHARS).collect();
        format!("{number:06}/{segment}")
    }
}

const REQUEST_ID: &str = "x-okapi-request-id";
/// The most characters of a path that a request id contains.
const MAX_ID_CHARS: usize = 40;

/// Puts the request id into the answer if the server failed (status 5xx), so that the operator finds the request in the log.
pub(crate) fn add_request_id(status: u16, id: &str, headers: &mut HeaderMap) {
    if status >= 500
        && let Ok(id) = HeaderValue::from_str(id)
    {
        headers.entry(REQUEST_ID).or_insert(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(path: &str, id: Option<&str>) -> Parts {
        let request = hyper::Request::get(path);
        let request = match id {
            Some(id) => request.header(REQUEST_ID, id),
            None => request,
        };
        request.body(()).unwrap().into_parts().0
    }

    #[test]
    fn a_request_has_its_clients_id_or_one_like_okapis() {
        let numbers = RequestNumbers::starting_at(999_999);
        for (path, id, expected) in [
            ("/users/1?query=x", None, "999999/users"),
            ("/_/proxy/tenants", None, "000000/proxy"),
            ("/users", Some("mine"), "mine"),
            ("/", Some(""), "000001/"),
        ] {
            assert_eq!(numbers.request_id(&head(path, id)), expected);
        }
        assert_eq!(numbers.request_id(&head(&format!("/{}", "x".repeat(500)), None)).len(), 7 + MAX_ID_CHARS);
    }
}
