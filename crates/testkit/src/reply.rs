//! What came back. Whatever is not as expected fails with the request and the whole reply.

use std::fmt;

use hyper::HeaderMap;
use hyper::body::Bytes;
use serde_json::Value;

pub struct Reply {
    /// The request as text, for messages of failed tests.
    pub(crate) request: String,
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Reply {
    /// Fails unless the status is this one.
    #[track_caller]
    pub fn expect(self, status: u16) -> Reply {
        assert!(self.status == status, "expected {status}\n{self}");
        self
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Every value of a header that may come several times.
    pub fn headers(&self, name: &str) -> Vec<&str> {
        self.headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect()
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("no JSON: {error}\n{self}"))
    }

    /// Fails unless the status is this one and the body, a text, is this text.
    #[track_caller]
    pub fn says(self, status: u16, text: &str) -> Reply {
        assert!(self.status == status && self.text() == text, "expected {status} {text}\n{self}");
        self
    }

    /// The messages of a refusal: `{"errors": [{"message": ...}]}`.
    #[track_caller]
    pub fn refusals(&self) -> Vec<String> {
        let body = self.json();
        let errors = body["errors"].as_array().unwrap_or_else(|| panic!("no errors\n{self}"));
        errors.iter().map(|error| error["message"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Fails unless the answer is a 422 with exactly this one message.
    #[track_caller]
    pub fn refused(self, message: &str) -> Reply {
        assert!(self.status == 422 && self.refusals() == [message], "expected 422 {message}\n{self}");
        self
    }

    /// The `key` of the parameters of all refusals: which fields were wrong.
    #[track_caller]
    pub fn refused_keys(&self) -> Vec<String> {
        let body = self.json();
        let errors = body["errors"].as_array().into_iter().flatten();
        let parameters = errors.filter_map(|error| error["parameters"].as_array()).flatten();
        parameters.filter_map(|parameter| parameter["key"].as_str()).map(str::to_owned).collect()
    }

    /// The values of a field of all records of a collection, in order.
    #[track_caller]
    pub fn field_values(&self, collection: &str, field: &str) -> Vec<String> {
        let body = self.json();
        let records = body[collection].as_array().unwrap_or_else(|| panic!("no {collection}\n{self}"));
        let text = |record: &Value| match &record[field] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        records.iter().map(text).collect()
    }

    #[track_caller]
    pub fn total(&self) -> i64 {
        self.json()["totalRecords"].as_i64().unwrap_or_else(|| panic!("no totalRecords\n{self}"))
    }

    /// How often the server asked the database for this answer.
    #[track_caller]
    pub fn round_trips(&self) -> u64 {
        self.trace_count("round-trips=")
    }

    /// How many statements it sent for this answer.
    #[track_caller]
    pub fn statements(&self) -> u64 {
        self.trace_count("statements=")
    }

    /// How often it allocated memory for this answer.
    #[track_caller]
    pub fn allocations(&self) -> u64 {
        self.trace_count("allocations=")
    }

    #[track_caller]
    fn trace_count(&self, what: &str) -> u64 {
        let trace = self.header("x-octavo-trace").unwrap_or_default();
        let count = trace.split(", ").find_map(|part| part.strip_prefix(what));
        count.and_then(|count| count.parse().ok()).unwrap_or_else(|| panic!("no trace\n{self}"))
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n-> {}", self.request, self.status)?;
        for (name, value) in &self.headers {
            writeln!(f, "   {name}: {}", String::from_utf8_lossy(value.as_bytes()))?;
        }
        f.write_str(&self.text())
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
