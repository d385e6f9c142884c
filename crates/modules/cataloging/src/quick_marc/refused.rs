//! Errors of the MARC editor in mod-quick-marc's form: one object with `message`, `type` and `code`, or several in `errors`.

use octavo_engine::Response;
use octavo_kernel::{Body, Fault, Outcome};
use serde_json::{Value, json};

use crate::words::fault_message;

/// The reason why the editor refuses a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EditorRefusal {
    pub status: u16,
    pub code: Option<&'static str>,
    pub message: String,
    /// The part of the record that is wrong: a tag, or an item of the leader.
    pub about: Option<String>,
    /// FOLIO's error type: `-1` found by the editor, `-2` by a module that it called, `-3` by an event that it awaited, `-4` unknown.
    pub kind: &'static str,
}

impl EditorRefusal {
    fn new(status: u16, code: Option<&'static str>, message: impl Into<String>) -> EditorRefusal {
        EditorRefusal { status, code, message: message.into(), about: None, kind: "-1" }
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

impl From<EditorRefusal> for Fault {
    fn from(refused: EditorRefusal) -> Fault {
        Fault::json(refused.status, refused.body())
    }
}

/// The error for a member or parameter that cannot be parsed.
pub(super) fn malformed(message: impl Into<String>) -> EditorRefusal {
    EditorRefusal::new(400, Some("BAD_REQUEST"), message)
}

pub(super) fn not_found(kind: &'static str, message: impl Into<String>) -> EditorRefusal {
    EditorRefusal { kind, ..EditorRefusal::new(404, Some("NOT_FOUND"), message) }
}

/// The error for a record that cannot be written; in FOLIO an event reports it to the editor.
pub(super) fn write_failed(status: u16, message: impl Into<String>) -> EditorRefusal {
    EditorRefusal { kind: "-3", ..EditorRefusal::new(status, Some("INTERNAL_SERVER_ERROR"), message) }
}

/// Converts the errors of an answer to the editor's form.
pub(super) async fn with_editor_faults(answer: impl Future<Output = Outcome<Response>>) -> Outcome<Response> {
    answer.await.map_err(|mut fault| {
        let message = fault_message(&fault.body);
        let body = match (&fault.body, fault.status) {
            (Body::Json(_), _) => return fault,
            (_, 400) => malformed(message).body(),
            (_, 404) => not_found("-1", message).body(),
            (_, status) => write_failed(status, message).body(),
        };
        fault.body = Body::Json(body);
        fault
    })
}

pub(super) fn illegal_length(item: &str, length: usize) -> EditorRefusal {
    let message = format!("Invalid {item} field length, must be {length} characters");
    EditorRefusal::new(422, Some("ILLEGAL_FIXED_LENGTH_CONTROL_FIELD"), message)
}

/// The error for a MARC rule that a record breaks.
pub(super) fn invalid(about: impl Into<String>, message: impl Into<String>) -> EditorRefusal {
    EditorRefusal { about: Some(about.into()), ..EditorRefusal::new(422, None, message) }
}

/// An error if rules are broken: a single one as an object, several as a list.
pub(super) fn check_all_valid(found: Vec<EditorRefusal>) -> Result<(), Fault> {
    match found.len() {
        0 => Ok(()),
        1 => Err(found.into_iter().next().map_or_else(|| Fault::internal("no error"), Fault::from)),
        total => {
            let errors: Vec<Value> = found.iter().map(EditorRefusal::body).collect();
            Err(Fault::json(422, json!({"errors": errors, "totalRecords": total})))
        }
    }
}
