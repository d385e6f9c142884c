//! What the MARC editor refuses, in mod-quick-marc's form: one object with `message`, `type` and `code`, or several in `errors`.

use octavo_engine::Response;
use octavo_kernel::{Body, Fault, Outcome};
use serde_json::{Value, json};

use crate::words::said;

/// Why a record was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refused {
    pub status: u16,
    pub code: Option<&'static str>,
    pub message: String,
    /// What of the record is meant: a tag, an item of the leader.
    pub about: Option<String>,
    /// Who found it: `-1` the editor, `-2` a module that it asked, `-3` an event that it waited for, `-4` nobody knows.
    pub kind: &'static str,
}

impl Refused {
    fn new(status: u16, code: Option<&'static str>, message: impl Into<String>) -> Refused {
        Refused { status, code, message: message.into(), about: None, kind: "-1" }
    }

    fn body(&self) -> Value {
        let mut body = json!({"type": self.kind, "message": self.message});
        if let Some(code) = self.code {
            body["code"] = json!(code);
        }
        if let Some(about) = &self.about {
            body["parameters"] = json!([{"key": about}]);
        }
        body
    }
}

impl From<Refused> for Fault {
    fn from(refused: Refused) -> Fault {
        Fault::json(refused.status, refused.body())
    }
}

/// A member or a parameter that cannot be read.
pub(super) fn malformed(message: impl Into<String>) -> Refused {
    Refused::new(400, Some("BAD_REQUEST"), message)
}

pub(super) fn missing(kind: &'static str, message: impl Into<String>) -> Refused {
    Refused { kind, ..Refused::new(404, Some("NOT_FOUND"), message) }
}

/// What FOLIO's modules tell the editor by an event, when a record cannot be written.
pub(super) fn failed(status: u16, message: impl Into<String>) -> Refused {
    Refused { kind: "-3", ..Refused::new(status, Some("INTERNAL_SERVER_ERROR"), message) }
}

/// An answer whose faults have the editor's form.
pub(super) async fn formed(answer: impl Future<Output = Outcome<Response>>) -> Outcome<Response> {
    answer.await.map_err(|mut fault| {
        let message = said(&fault.body);
        let body = match (&fault.body, fault.status) {
            (Body::Json(_), _) => return fault,
            (_, 400) => malformed(message).body(),
            (_, 404) => missing("-1", message).body(),
            (_, status) => failed(status, message).body(),
        };
        fault.body = Body::Json(body);
        fault
    })
}

pub(super) fn illegal_length(item: &str, length: usize) -> Refused {
    let message = format!("Invalid {item} field length, must be {length} characters");
    Refused::new(422, Some("ILLEGAL_FIXED_LENGTH_CONTROL_FIELD"), message)
}

/// A rule of MARC that a record does not keep.
pub(super) fn invalid(about: impl Into<String>, message: impl Into<String>) -> Refused {
    Refused { about: Some(about.into()), ..Refused::new(422, None, message) }
}

/// One rule that is not kept is told by itself, several together.
pub(super) fn all_invalid(found: Vec<Refused>) -> Result<(), Fault> {
    match found.len() {
        0 => Ok(()),
        1 => Err(found.into_iter().next().map_or_else(|| Fault::internal("no error"), Fault::from)),
        total => {
            let errors: Vec<Value> = found.iter().map(Refused::body).collect();
            Err(Fault::json(422, json!({"errors": errors, "totalRecords": total})))
        }
    }
}
