//! The error with which a request is answered. A `Fault` has the status and the body that the client gets and, separately, the cause
//! for the operator, which is written to the log once and never sent to the client.
//!
//! The shapes are FOLIO's: `text/plain` from Okapi and for 400, 404, 409 and 500 of modules;
//! `{"errors": [{message, type?, code?, parameters}]}` for 422.

use std::error::Error;
use std::fmt;

use serde_json::{Value, json};

#[derive(Debug)]
pub struct Fault {
    pub status: u16,
    pub body: Body,
    cause: Option<Box<dyn Error + Send + Sync>>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    Text(String),
    /// `{"errors": [...], "total_records": n}`
    Refusals(Vec<Refusal>),
    /// A body of another shape, as a few FOLIO endpoints have it.
    Json(Value),
}

/// The kind of an error, for code that does not deal with HTTP; [`Kind::status`] is its HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// 400: the request cannot be parsed, or FOLIO refuses it with this status.
    BadRequest,
    Forbidden,
    NotFound,
    /// 409: the request contradicts a stored record.
    Conflict,
    /// 422: the request can be parsed, but is not allowed.
    Refused,
    /// 500: an internal error, stored records that are inconsistent, or a refusal for which FOLIO has this status.
    Failed,
    /// 503: a service that the answer needs is temporarily unavailable.
    Unavailable,
}

impl Kind {
    pub const fn status(self) -> u16 {
        match self {
            Kind::BadRequest => 400,
            Kind::Forbidden => 403,
            Kind::NotFound => 404,
            Kind::Conflict => 409,
            Kind::Refused => 422,
            Kind::Failed => 500,
            Kind::Unavailable => 503,
        }
    }
}

/// One reason why a request was refused: an element of FOLIO's `errors` array.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Refusal {
    pub message: String,
    /// `"1"` from storage modules; left out by mod-circulation.
    pub kind: Option<String>,
    pub code: Option<String>,
    /// Keys with their values; `None` is written as `null` and means that the client gave no value.
    pub parameters: Vec<(String, Option<String>)>,
    pub overridable: Option<OverridableBlock>,
}

/// What can stand as the value of a refusal's parameter.
pub trait ParameterValue {
    fn text(self) -> Option<String>;
}

impl ParameterValue for String {
    fn text(self) -> Option<String> {
        Some(self)
    }
}

impl ParameterValue for &str {
    fn text(self) -> Option<String> {
        Some(self.to_owned())
    }
}

impl ParameterValue for &String {
    fn text(self) -> Option<String> {
        Some(self.clone())
    }
}

impl<T: ParameterValue> ParameterValue for Option<T> {
    fn text(self) -> Option<String> {
        self.and_then(ParameterValue::text)
    }
}

/// Names the block that a caller with the missing permissions may override (mod-circulation).
#[derive(Debug, Clone, PartialEq)]
pub struct OverridableBlock {
    pub name: &'static str,
    pub missing_permissions: Vec<String>,
}

impl Refusal {
    pub fn new(message: impl Into<String>) -> Self {
        Refusal { message: message.into(), ..Refusal::default() }
    }

    /// With the type and code that RAML Module Builder gives its errors.
    pub fn rmb(message: impl Into<String>) -> Self {
        Refusal::new(message).kind("1").code("-1")
    }

    /// `value` is a text, or an `Option` of one.
    pub fn about(mut self, key: impl Into<String>, value: impl ParameterValue) -> Self {
        self.parameters.push((key.into(), value.text()));
        self
    }

    pub fn code(mut self, code: impl Into<String>) -> Self {
        self.code = Some(code.into());
        self
    }

    /// The `type` that RAML Module Builder puts on its errors.
    pub fn kind(mut self, kind: impl Into<String>) -> Self {
        self.kind = Some(kind.into());
        self
    }

    pub fn overridable(mut self, name: &'static str, missing_permissions: Vec<String>) -> Self {
        self.overridable = Some(OverridableBlock { name, missing_permissions });
        self
    }

    pub fn to_json(&self) -> Value {
        let parameters: Vec<Value> =
            self.parameters.iter().map(|(key, value)| json!({"key": key, "value": value})).collect();
        let mut error = json!({"message": self.message, "parameters": parameters});
        if let Some(kind) = &self.kind {
            error["type"] = json!(kind);
        }
        if let Some(code) = &self.code {
            error["code"] = json!(code);
        }
        if let Some(block) = &self.overridable {
            error["overridableBlock"] =
                json!({"name": block.name, "missingPermissions": block.missing_permissions});
        }
        error
    }
}

impl Fault {
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Fault::text(kind.status(), message)
    }

    pub fn text(status: u16, message: impl Into<String>) -> Self {
        Fault { status, body: Body::Text(message.into()), cause: None }
    }

    /// 400, `text/plain`.
    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(Kind::BadRequest, message)
    }

    /// 404 as RAML Module Builder words it.
    pub fn not_found() -> Self {
        Self::new(Kind::NotFound, "Not found")
    }

    /// 404 with a message of the module's own.
    pub fn not_found_with(message: impl Into<String>) -> Self {
        Self::new(Kind::NotFound, message)
    }

    pub fn refused(refusals: Vec<Refusal>) -> Self {
        Fault { status: Kind::Refused.status(), body: Body::Refusals(refusals), cause: None }
    }

    pub fn json(status: u16, body: Value) -> Self {
        Fault { status, body: Body::Json(body), cause: None }
    }

    /// 500 with a general message for the client. The cause is written to the log.
    pub fn internal(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        let message = "Internal Server Error, Please contact System Administrator or try again";
        Fault::new(Kind::Failed, message).because(cause)
    }

    /// 503: a service that the answer needs is temporarily unavailable. The cause is written to the log.
    pub fn unavailable(message: impl Into<String>, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Fault::new(Kind::Unavailable, message).because(cause)
    }

    /// The same fault with a cause, which is written to the log and never sent to the client.
    pub fn because(self, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Fault { cause: Some(cause.into()), ..self }
    }

    pub fn cause(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        self.cause.as_deref()
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        Fault::refused(vec![refusal])
    }
}

impl Body {
    pub fn content_type(&self) -> &'static str {
        match self {
            Body::Text(_) => "text/plain",
            Body::Refusals(_) | Body::Json(_) => "application/json",
        }
    }

    pub fn render(&self) -> String {
        match self {
            Body::Text(text) => text.clone(),
            Body::Json(value) => value.to_string(),
            Body::Refusals(refusals) => {
                let errors: Vec<Value> = refusals.iter().map(Refusal::to_json).collect();
                json!({"total_records": errors.len(), "errors": errors}).to_string()
            }
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.status, self.body.render())?;
        match &self.cause {
            Some(cause) => write!(f, " ({cause})"),
            None => Ok(()),
        }
    }
}

impl Error for Fault {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_render_as_folio_errors() {
        let fault = Fault::refused(vec![
            Refusal::new("No item with barcode 7 could be found").about("itemBarcode", "7"),
            Refusal::new("limit")
                .about("itemId", None::<&str>)
                .code("ITEM_LIMIT_LOAN_TYPE")
                .overridable("itemLimitBlock", vec!["p".into()]),
        ]);
        assert_eq!(
            serde_json::from_str::<Value>(&fault.body.render()).unwrap(),
            json!({"total_records": 2, "errors": [
                {"message": "No item with barcode 7 could be found", "parameters": [{"key": "itemBarcode", "value": "7"}]},
                {"message": "limit", "code": "ITEM_LIMIT_LOAN_TYPE", "parameters": [{"key": "itemId", "value": null}],
                 "overridableBlock": {"name": "itemLimitBlock", "missingPermissions": ["p"]}},
            ]})
        );
    }

    #[test]
    fn an_internal_fault_keeps_its_cause_from_the_client() {
        let fault = Fault::internal("password of the database is wrong");
        assert!(!fault.body.render().contains("password"));
        assert!(fault.to_string().contains("password"));
    }
}
