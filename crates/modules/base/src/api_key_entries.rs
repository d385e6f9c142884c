//! Configuration entries that say which API keys the tenant accepts: of module `edge` and name `api-keys`. The value is the SHA-256 of the key
//! in hexadecimal digits, followed by the names of the edge modules that the key opens. An entry without names opens edge-rtac, which was
//! the only one when such entries were first written.

use octavo_engine::{Edge, Module};
use octavo_kernel::{Outcome, Refusal};
use serde_json::Value;

use crate::facts::FACTS;

/// What an entry opens that names no edge module.
const UNNAMED: &str = "edge-rtac";

pub fn is_api_key(entry: &Value) -> bool {
    entry["module"] == "edge" && entry["configName"] == "api-keys"
}

/// Whether an entry of this value is the key's, and for the edge module.
pub(crate) fn opens(value: &str, key: &str, edge: &str) -> bool {
    let (fingerprint, mut edges) = parts(value);
    fingerprint.eq_ignore_ascii_case(key) && edges.any(|name| name == edge)
}

/// The fingerprint in an entry's value, and the names of the edge modules.
fn parts(value: &str) -> (&str, impl Iterator<Item = &str>) {
    let mut words = value.split_whitespace();
    let fingerprint = words.next().unwrap_or_default();
    let mut words = words.peekable();
    let unnamed = words.peek().is_none().then_some(UNNAMED);
    (fingerprint, unnamed.into_iter().chain(words))
}

/// The permissions that a key with an entry of this value can give its bearer.
pub(crate) fn opened(modules: &[&'static Module], value: &str) -> Outcome<Vec<&'static str>> {
    let mut opened = Vec::new();
    for name in parts(value).1 {
        let edge = modules.iter().flat_map(|module| module.edges).find(|edge| edge.name == name);
        let refusal = || Refusal::new("An API key opens edge modules that there are").about("value", name);
        opened.extend(permissions(edge.ok_or_else(refusal)?));
    }
    Ok(opened)
}

/// The permissions of all routes that an edge module calls.
fn permissions(edge: &Edge) -> impl Iterator<Item = &'static str> {
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
            assert_eq!(super::opens(value, "0a", edge), opens, "{value} {edge}");
        }
    }
}
