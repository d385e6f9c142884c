//! Configuration entries that say which API keys the tenant accepts: of module `edge` and name `api-keys`. The value is the SHA-256 of the key
//! in hexadecimal digits, followed by the names of the edge modules that the key opens. An entry without names opens edge-rtac, which was
//! the only one when such entries were first written.

use octavo_engine::{EdgeModule, Module};
use octavo_kernel::{Outcome, Refusal};
use serde_json::Value;

use crate::facts::FACTS;

/// The edge module that a key opens if its configuration entry names none.
const DEFAULT_EDGE: &str = "edge-rtac";

pub fn is_api_key(entry: &Value) -> bool {
    entry["module"] == "edge" && entry["configName"] == "api-keys"
}

/// Whether a configuration entry with this value accepts the API key with this fingerprint (`key`) for calls of the edge module `edge`.
pub(crate) fn accepts_key(value: &str, key: &str, edge: &str) -> bool {
    let (fingerprint, mut edges) = parse_value(value);
    fingerprint.eq_ignore_ascii_case(key) && edges.any(|name| name == edge)
}

/// The fingerprint in an entry's value, and the names of the edge modules.
fn parse_value(value: &str) -> (&str, impl Iterator<Item = &str>) {
    let mut words = value.split_whitespace();
    let fingerprint = words.next().unwrap_or_default();
    let mut words = words.peekable();
    let unnamed = words.peek().is_none().then_some(DEFAULT_EDGE);
    (fingerprint, unnamed.into_iter().chain(words))
}

/// The permissions that a key with an entry of this value can give its bearer.
pub(crate) fn permissions_of_entry(modules: &[&'static Module], value: &str) -> Outcome<Vec<&'static str>> {
    let mut opened = Vec::new();
    for name in parse_value(value).1 {
        let edge = modules.iter().flat_map(|module| module.edges).find(|edge| edge.name == name);
        let refusal = || Refusal::new("An API key opens edge modules that there are").about("value", name);
        opened.extend(permissions(edge.ok_or_else(refusal)?));
    }
    Ok(opened)
}

/// The permissions of all routes that an edge module calls.
fn permissions(edge: &EdgeModule) -> impl Iterator<Item = &'static str> {
    let routes = edge.calls.iter().filter_map(|call| FACTS.route(call.route.0, call.route.1));
    routes.flat_map(|route| route.required.iter().copied())
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_entry_names_the_edge_modules_that_its_key_opens() {
        for (value, edge, opens) in [
            ("0A", "edge-rtac", true),
            (" 0a ", "edge-rtac", true),
            ("0a", "edge-patron", false),
            ("0a edge-patron", "edge-patron", true),
            ("0a edge-patron", "edge-rtac", false),
            ("0a  edge-rtac edge-patron", "edge-patron", true),
            ("0b edge-patron", "edge-patron", false),
            ("", "edge-rtac", false),
        ] {
            assert_eq!(super::accepts_key(value, "0a", edge), opens, "{value} {edge}");
        }
    }
}
