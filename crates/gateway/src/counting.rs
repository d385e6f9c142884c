//! The state of a request while it is answered: its route, its tenant, its counters, and its id.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use hyper::header::{HeaderMap, HeaderValue};
use hyper::http::request::Parts;
use octavo_engine::{Tenant, cut_request_id};
use octavo_pg::Usage;

use crate::headers::text;
use crate::metrics::{Counts, Work};
use crate::routes::Entry;
use crate::traces::Followed;

/// To whose counters a request is added, as far as that is known yet, and how long another task worked on it.
pub(crate) struct Counting<'a> {
    pub(crate) counts: &'a Counts,
    pub(crate) work: Work,
    pub(crate) asked: Option<Asked<'a>>,
    pub(crate) followed: Option<Followed>,
}

/// A request whose route was found: the route, the tenant, and the time.
pub(crate) struct Asked<'a> {
    pub(crate) tenant: Arc<Tenant>,
    pub(crate) entry: &'a Entry,
    pub(crate) at: jiff::Timestamp,
}

impl<'a> Counting<'a> {
    pub(crate) fn of(counts: &'a Counts) -> Counting<'a> {
        Counting { counts, work: Work::default(), asked: None, followed: None }
    }

    /// From now on it is known which route a request is for.
    pub(crate) fn asks(&mut self, tenant: Arc<Tenant>, entry: &'static Entry, at: jiff::Timestamp) {
        self.asked = Some(Asked { tenant, entry, at });
    }
}

/// How a request was answered.
pub(crate) struct Done<'a> {
    pub(crate) method: &'a hyper::Method,
    pub(crate) status: u16,
    pub(crate) started: Instant,
    pub(crate) time: Duration,
    pub(crate) busy: Duration,
    pub(crate) usage: &'a Usage,
}

/// The numbers of requests of this process, as Okapi has them: six digits, which begin anew after a million.
pub(crate) struct Numbers(AtomicU64);

impl Numbers {
    pub(crate) fn from(first: u64) -> Numbers {
        Numbers(AtomicU64::new(first))
    }

    /// The id that the client gave its request, or one in Okapi's form.
    pub(crate) fn request_id(&self, head: &Parts) -> String {
        if let Some(id) = text(&head.headers, REQUEST_ID).map(cut_request_id).filter(|id| !id.is_empty()) {
            return id;
        }
        let number = self.0.fetch_add(1, Relaxed) % 1_000_000;
        let segment = head.uri.path().trim_start_matches(['/', '_']).split('/').next().unwrap_or_default();
        let segment: String = segment.chars().take(MOST).collect();
        format!("{number:06}/{segment}")
    }
}

const REQUEST_ID: &str = "x-okapi-request-id";
/// The most signs of a path that an id has.
const MOST: usize = 40;

/// Puts the id of a request that failed by the server's fault into its answer: by it the client's operator finds the request in the log.
pub(crate) fn name_request(status: u16, id: &str, headers: &mut HeaderMap) {
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
        let numbers = Numbers::from(999_999);
        for (path, id, expected) in [
            ("/users/1?query=x", None, "999999/users"),
            ("/_/proxy/tenants", None, "000000/proxy"),
            ("/users", Some("mine"), "mine"),
            ("/", Some(""), "000001/"),
        ] {
            assert_eq!(numbers.request_id(&head(path, id)), expected);
        }
        assert_eq!(numbers.request_id(&head(&format!("/{}", "x".repeat(500)), None)).len(), 7 + MOST);
    }
}
