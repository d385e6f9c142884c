//! Calls with an API key: what most edge modules do with a request and with an answer.

use octavo_kernel::{Fault, Outcome};
use serde_json::Value;

use crate::interface::{EdgeRequest, EdgeRouteRequest};
use crate::notation::Notation;

impl EdgeRequest {
    /// The value of a query parameter; of several, the first.
    pub fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub fn path_parameter(&self, at: usize) -> &str {
        self.parameters.get(at).map(String::as_str).unwrap_or_default()
    }

    /// The body as JSON, or 400 with the place of the mistake.
    pub fn json(&self) -> Outcome<Value> {
        self.body.json(Notation::COMPACT)
    }

    /// A request to a module's route with the same parameters, query and body.
    pub fn to_route_request(&self) -> EdgeRouteRequest {
        EdgeRouteRequest {
            parameters: self.parameters.clone(),
            query: self.query.clone(),
            body: self.body.to_vec(),
        }
    }
}

/// The response with status 401 for an API key that is missing or unknown, or whose user does not exist.
pub fn invalid_key_fault() -> Fault {
    Fault::text(401, "Access Denied")
}
