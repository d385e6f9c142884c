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
    /// What comes after the body, of an answer too long to be held.
    pub rest: Option<Pieces>,
}

impl Response {
    pub fn json(status: u16, body: &Value) -> Response {
        Response::json_text(status, octavo_kernel::json_text(body))
    }

    /// JSON that is text already: a stored document goes out as it stands.
    /// 201 with a record that was made, and its place.
    pub fn created(record: &RecordType, stored: &Value) -> Response {
        let location = format!("{}/{}", record.path, stored["id"].as_str().unwrap_or_default());
        Response::json(201, stored).with("location", location)
    }

    pub fn json_text(status: u16, body: impl Into<String>) -> Response {
        Response { content_type: "application/json", ..Response::text(status, body) }
    }

    pub fn text(status: u16, body: impl Into<String>) -> Response {
        let body = body.into().into_bytes();
        Response { status, content_type: "text/plain", headers: Vec::new(), body, rest: None }
    }

    pub fn no_content() -> Response {
        Response { content_type: "", ..Response::text(204, "") }
    }

    /// The body as JSON, null where there is none; the fault that the answer stands for, if it is a refusal.
    pub fn value(&self) -> Outcome<Value> {
        if self.rest.is_some() {
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

    /// Tells a client that asked for a trace why the answer is as it is: a JSON array of sentences.
    pub fn with_why(self, sentences: &str) -> Response {
        self.with("x-octavo-why", in_ascii(sentences))
    }

    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Response {
        self.headers.push((name, value.into()));
        self
    }
}

/// Escapes all characters outside ASCII, which headers cannot hold.
fn in_ascii(json: &str) -> String {
    let mut ascii = String::with_capacity(json.len());
    for unit in json.encode_utf16() {
        match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii() => ascii.push(char::from(byte)),
            _ => ascii.push_str(&format!("\\u{unit:04x}")),
        }
    }
    ascii
}
