//! Calls with an API key: what most edge modules do with a request and with an answer.

use octavo_kernel::{Fault, Outcome};
use serde_json::Value;

use crate::interface::{EdgeAsk, EdgeRequest};
use crate::notation::Notation;

impl EdgeRequest {
    /// The value of a query parameter; of several, the first.
    pub fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub fn parameter(&self, at: usize) -> &str {
        self.parameters.get(at).map(String::as_str).unwrap_or_default()
    }

    /// The body as JSON, or 400 with the place of the mistake.
    pub fn json(&self) -> Outcome<Value> {
        self.body.json(Notation::COMPACT)
    }

    /// The request as it came, for a route of the same parameters.
    pub fn passed_on(&self) -> EdgeAsk {
        EdgeAsk { parameters: self.parameters.clone(), query: self.query.clone(), body: self.body.to_vec() }
    }
}

/// 401 for a key that is missing, unknown, or names nobody.
pub fn no_such_key() -> Fault {
    Fault::text(401, "Access Denied")
}
