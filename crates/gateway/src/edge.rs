//! Calls with an API key instead of a tenant and a token: FOLIO's edge modules, as far as modules declare them.

use std::sync::Arc;

use hyper::http::request::Parts;
use jiff::Timestamp;
use octavo_engine::{Edge, EdgeRequest, Platform};
use octavo_pg::Usage;

/// The edge modules that all modules declare.
pub(crate) fn edges(platform: &Platform) -> impl Iterator<Item = &'static Edge> {
    platform.modules.iter().flat_map(|module| module.edges)
}

pub(crate) fn find(platform: &Platform, head: &Parts, query: &[(String, String)]) -> Option<&'static Edge> {
    let keyed = query.iter().any(|(name, _)| name == "apikey");
    let is_taken = |edge: &&Edge| (edge.takes)(path(head), keyed);
    edges(platform).find(is_taken).filter(|_| head.method == hyper::Method::GET)
}

pub(crate) fn request(
    platform: &Platform,
    head: &Parts,
    query: Vec<(String, String)>,
    now: Timestamp,
    usage: Arc<Usage>,
) -> EdgeRequest {
    let text = |name: &str| head.headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    EdgeRequest {
        platform: platform.clone(),
        now,
        usage,
        path: path(head).to_owned(),
        query,
        accept: text("accept").unwrap_or_default(),
        authorization: text("authorization"),
    }
}

fn path(head: &Parts) -> &str {
    head.uri.path().trim_end_matches('/')
}
