//! mod-calendar's form of errors: `{timestamp, status, errors: [{code, message, _parameters, data}]}`.

use jiff::Timestamp;
use octavo_calendar::{Code, Defect, MOST_DAYS};
use octavo_kernel::Fault;
use serde_json::{Value, json};
use uuid::Uuid;

/// A calendar with defects: 409 if it overlaps with another one, else 400.
pub(super) fn refused(now: Timestamp, defects: Vec<Defect>) -> Fault {
    let overlaps = defects.iter().any(|defect| defect.code == Code::DateOverlap);
    let errors = defects.into_iter().map(|defect| {
        let mut error = error(defect.code.as_str(), &defect.message, &defect.parameters);
        if let Some(data) = defect.data {
            error["data"] = data;
        }
        error
    });
    fault(now, if overlaps { 409 } else { 400 }, &errors.collect::<Vec<Value>>())
}

pub(super) fn not_found(now: Timestamp, asked: &[Uuid], missing: &[Uuid]) -> Fault {
    let message = "No calendar was found with the specified query";
    let mut error = error("calendarNotFound", message, &json!({"query": asked}));
    error["data"] = json!({"notFound": missing});
    fault(now, 404, &[error])
}

pub(super) fn invalid_parameter(now: Timestamp, why: &str) -> Fault {
    let message = format!("One of the parameters was the incorrect type: {why}");
    fault(now, 400, &[error("invalidParameter", &message, &json!({}))])
}

pub(super) fn too_long(now: Timestamp) -> Fault {
    let message = format!("At most {MOST_DAYS} days can be asked for at once");
    fault(now, 400, &[error("invalidRequest", &message, &json!({}))])
}

fn error(code: &str, message: &str, parameters: &Value) -> Value {
    json!({"code": code, "message": message, "_parameters": parameters})
}

fn fault(now: Timestamp, status: u16, errors: &[Value]) -> Fault {
    Fault::json(status, json!({"timestamp": now.to_string(), "status": status, "errors": errors}))
}
