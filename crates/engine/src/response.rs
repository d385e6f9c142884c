//! The answer to a request.

use octavo_kernel::{Fault, Outcome};
use octavo_record::RecordType;
use serde_json::Value;

use crate::Pieces;

#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub content_type: &'static str,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
    /// The part of a long response that is made piece by piece, and sent after the body.
    pub streamed_rest: Option<Pieces>,
}

impl Response {
    pub fn json(status: u16, body: &Value) -> Response {
        Response::json_text(status, octavo_kernel::json_text(body))
    }

    /// A response with status 201, the record that was created, and its path in the header `location`.
    pub fn created(record: &RecordType, stored: &Value) -> Response {
        let location = format!("{}/{}", record.path, stored["id"].as_str().unwrap_or_default());
        Response::json(201, stored).with_header("location", location)
    }

    pub fn json_text(status: u16, body: impl Into<String>) -> Response {
        Response { content_type: "application/json", ..Response::text(status, body) }
    }

    pub fn text(status: u16, body: impl Into<String>) -> Response {
        let body = body.into().into_bytes();
        Response { status, content_type: "text/plain", headers: Vec::new(), body, streamed_rest: None }
    }

    pub fn no_content() -> Response {
        Response { content_type: "", ..Response::text(204, "") }
    }

    /// The body as JSON, null if there is none; an error if the status is 400 or higher.
    pub fn json_value(&self) -> Outcome<Value> {
        if self.streamed_rest.is_some() {
            return Err(Fault::internal("an answer that is too long to be held"));
        }
        if self.status >= 400 {
            let text = String::from_utf8_lossy(&self.body);
            return Err(match serde_json::from_str(&text) {
                Ok(body) => Fault::json(self.status, body),
                Err(_) => Fault::text(self.status, text),
            });
        }
        match self.body.is_empty() {
            true => Ok(Value::Null),
            false => serde_json::from_slice(&self.body).map_err(Fault::internal),
        }
    }

    /// Adds the header `x-octavo-why` for a client that asked for a trace: a JSON array of sentences that explain the response.
    pub fn with_trace(self, sentences: &str) -> Response {
        self.with_header("x-octavo-why", escape_non_ascii(sentences))
    }

    pub fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Response {
        self.headers.push((name, value.into()));
        self
    }
}

/// Escapes all characters outside ASCII, which headers cannot hold.
fn escape_non_ascii(json: &str) -> String {
    let mut ascii = String::with_capacity(json.len());
    for unit in json.encode_utf16() {
        match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii() => ascii.push(char::from(byte)),
            _ => ascii.push_str(&format!("\\u{unit:04x}")),
        }
    }
    ascii
}
