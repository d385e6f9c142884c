//! A request after the gateway has found its route and checked its permission.

use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_record::{Reading, Schema};
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use crate::interface::Request;
use crate::security::{Security, SecurityEvent, cut_request_id};
use crate::typed;

impl Request {
    /// The value of a query parameter; of several, the first.
    pub fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The same once more, to be begun anew; `None` if its body is read while it comes.
    pub fn again(&self) -> Option<Request> {
        Some(Request {
            context: self.context.clone(),
            path: self.path.clone(),
            parameters: self.parameters.clone(),
            query: self.query.clone(),
            headers: self.headers.clone(),
            body: self.body.again()?,
            client: self.client.clone(),
            ..*self
        })
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Whether the client wants to know how the answer came about.
    pub fn is_traced(&self) -> bool {
        self.header("x-octavo-trace").is_some()
    }

    /// This server's address as the client has it, such as `https://library.example.org`.
    pub fn server(&self) -> String {
        let scheme = self.header("x-forwarded-proto").unwrap_or("http");
        match self.header("host") {
            Some(host) => format!("{scheme}://{host}"),
            None => self.context.platform.settings.url.clone(),
        }
    }

    pub fn parameter(&self, at: usize) -> &str {
        self.parameters.get(at).map(String::as_str).unwrap_or_default()
    }

    /// Has an event of security noted that this request is, or leads to.
    pub fn notes_security(&self, event: Security, user: Option<Uuid>, description: &str) {
        let context = &self.context;
        let event = SecurityEvent {
            at: context.now,
            event,
            user,
            address: self.client.clone(),
            request_id: self.header("x-okapi-request-id").map(cut_request_id),
            description: description.to_owned(),
            is_last_of_minute: false,
        };
        context.platform.security.note(&context.tenant.id, event);
    }

    pub fn id(&self, at: usize) -> Outcome<Uuid> {
        let id = self.parameter(at);
        Uuid::parse_str(id).map_err(|_| self.dialect.bad_id(id))
    }

    /// The body as JSON, or 400 with the place of the mistake.
    pub fn json(&self) -> Outcome<Value> {
        self.body.json(self.notation)
    }

    /// The body as a type of our own; a wrong shape is 422.
    pub fn body<T: DeserializeOwned>(&self) -> Outcome<T> {
        as_type(self.json()?)
    }

    /// The body, held against the schema of a table of the program.
    pub fn checked(&self, table: &'static str) -> Outcome<Value> {
        let checked = Schema::of(table).check(self.json()?, Reading::FromClient);
        checked.map(|checked| checked.0).map_err(Fault::refused)
    }

    /// The body, held against the schema of a table of the program and read as a type of our own.
    pub fn checked_body<T: DeserializeOwned>(&self, table: &'static str) -> Outcome<T> {
        as_type(self.checked(table)?)
    }

    /// A number in the query string, within bounds; `default` where it is left out.
    pub fn number(&self, name: &str, default: i64, range: std::ops::RangeInclusive<i64>) -> Outcome<i64> {
        let Some(text) = self.query(name) else { return Ok(default) };
        if text.is_empty() {
            return Err(Fault::bad_request(format!(
                "{name} does not have a default value in the RAML and has been passed empty"
            )));
        }
        match text.parse::<i64>() {
            Ok(number) if range.contains(&number) => Ok(number),
            Ok(number) => Err(Fault::bad_request(format!(
                "'{name}' parameter is incorrect. parameter value {{{number}}} is not valid: must be between {} and {}",
                range.start(),
                range.end()
            ))),
            Err(_) => {
                Err(Fault::bad_request(format!("'{name}' parameter is incorrect. {text} is not a number")))
            }
        }
    }

    pub fn truth(&self, name: &str) -> bool {
        self.query(name) == Some("true")
    }
}

fn as_type<T: DeserializeOwned>(body: Value) -> Outcome<T> {
    typed::read(body).map_err(|error| Refusal::new(error.to_string()).kind("1").code("-1").into())
}
