//! A request after the gateway has found its route and checked its permission.

use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_record::{Reading, Schema};
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use crate::interface::Request;
use crate::security::{SecurityEvent, SecurityEventKind, cut_request_id};
use crate::typed;

impl Request {
    /// The value of a query parameter; of several, the first.
    pub fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// A copy of the request, to be processed again; `None` if its body is read while it arrives.
    pub fn duplicate(&self) -> Option<Request> {
        Some(Request {
            context: self.context.clone(),
            path: self.path.clone(),
            parameters: self.parameters.clone(),
            query: self.query.clone(),
            headers: self.headers.clone(),
            body: self.body.duplicate()?,
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
    pub fn server_url(&self) -> String {
        let scheme = self.header("x-forwarded-proto").unwrap_or("http");
        match self.header("host") {
            Some(host) => format!("{scheme}://{host}"),
            None => self.context.platform.settings.url.clone(),
        }
    }

    pub fn path_parameter(&self, at: usize) -> &str {
        self.parameters.get(at).map(String::as_str).unwrap_or_default()
    }

    /// Notes an event that this request is, or leads to. It waits in memory until it is stored in the security log.
    pub fn note_security_event(&self, event: SecurityEventKind, user: Option<Uuid>, description: &str) {
        let context = &self.context;
        let event = SecurityEvent {
            at: context.now,
            kind: event,
            user,
            address: self.client.clone(),
            request_id: self.header("x-okapi-request-id").map(cut_request_id),
            description: description.to_owned(),
            is_last_of_minute: false,
        };
        context.platform.security_events.note(&context.tenant.id, event);
    }

    pub fn path_id(&self, at: usize) -> Outcome<Uuid> {
        let id = self.path_parameter(at);
        Uuid::parse_str(id).map_err(|_| self.dialect.bad_id(id))
    }

    /// The body as JSON, or 400 with the place of the mistake.
    pub fn json(&self) -> Outcome<Value> {
        self.body.json(self.notation)
    }

    /// The body as a Rust type; a body of another form is refused with status 422.
    pub fn body<T: DeserializeOwned>(&self) -> Outcome<T> {
        as_type(self.json()?)
    }

    /// The body as JSON, validated against the schema of a table of the program.
    pub fn checked_json(&self, table: &'static str) -> Outcome<Value> {
        let checked = Schema::parse_cached(table).check(self.json()?, Reading::FromClient);
        checked.map(|checked| checked.0).map_err(Fault::refused)
    }

    /// The body, validated against the schema of a table of the program, as a Rust type.
    pub fn checked_body<T: DeserializeOwned>(&self, table: &'static str) -> Outcome<T> {
        as_type(self.checked_json(table)?)
    }

    /// A number in the query string, within bounds; `default` where it is left out.
    pub fn query_number(
        &self,
        name: &str,
        default: i64,
        range: std::ops::RangeInclusive<i64>,
    ) -> Outcome<i64> {
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

    pub fn query_flag(&self, name: &str) -> bool {
        self.query(name) == Some("true")
    }
}

fn as_type<T: DeserializeOwned>(body: Value) -> Outcome<T> {
    typed::from_json(body).map_err(|error| Refusal::new(error.to_string()).kind("1").code("-1").into())
}
