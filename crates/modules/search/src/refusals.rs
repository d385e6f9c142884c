//! Refusals in mod-search's form: one error with its type (a Java class there), its code and the parameter that is wrong.

use octavo_engine::Request;
use octavo_kernel::{Fault, Outcome};
use octavo_search::query;
use serde_json::{Map, Value, json};

/// The types of errors that are named in more than one place.
pub(crate) const SERVICE: (&str, &str) = ("SearchServiceException", "service_error");
const UNSUPPORTED: (&str, &str) = ("UnsupportedOperationException", "service_error");
const MISMATCH: (&str, &str) = ("MethodArgumentTypeMismatchException", "validation_error");
pub(crate) const VIOLATION: (&str, &str) = ("ConstraintViolationException", "validation_error");
pub(crate) const ARGUMENT: (&str, &str) = ("IllegalArgumentException", "validation_error");

/// One error with its type and code, and the parameter with its value that it is about.
pub(crate) fn error(
    (kind, code): (&str, &str),
    message: impl Into<String>,
    about: Option<(&str, &str)>,
) -> Value {
    let mut error = Map::new();
    error.insert("message".to_owned(), Value::String(message.into()));
    error.insert("type".to_owned(), kind.into());
    error.insert("code".to_owned(), code.into());
    if let Some((key, value)) = about {
        error.insert("parameters".to_owned(), json!([{"key": key, "value": value}]));
    }
    Value::Object(error)
}

pub(crate) fn refused(status: u16, errors: &[Value]) -> Fault {
    let count = errors.len();
    Fault::json(status, json!({"errors": errors, "total_records": count}))
}

/// 400 with one error that has no parameter.
pub(crate) fn bad(kind: (&str, &str), message: impl Into<String>) -> Fault {
    refused(400, &[error(kind, message, None)])
}

/// 400 because a parameter cannot be read as the Java type that it has in mod-search.
pub(crate) fn mismatch(class: &str, why: &str) -> Fault {
    let begin = "Failed to convert value of type 'java.lang.String' to required type";
    bad(MISMATCH, format!("{begin} '{class}'; {why}"))
}

/// 400 because a parameter is none of the values of an enumeration of mod-search's interface.
pub(crate) fn unexpected(enumeration: &str, given: &str) -> Fault {
    mismatch(&format!("org.folio.search.domain.dto.{enumeration}"), &format!("Unexpected value '{given}'"))
}

/// 400 because of the value of a parameter.
pub(crate) fn invalid(message: &str, key: &str, value: &str) -> Fault {
    refused(400, &[error(("RequestValidationException", "validation_error"), message, Some((key, value)))])
}

/// A query that cannot be read.
pub(crate) fn unreadable(query: &str, resource: &str) -> Fault {
    bad(SERVICE, format!("Failed to parse cql query [cql: '{query}', resource: {resource}]"))
}

/// A body that is not JSON.
pub(crate) fn unreadable_body(why: &Fault) -> Fault {
    let kind = ("HttpMessageNotReadableException", "validation_error");
    bad(kind, format!("JSON parse error: {}", why.body.render()))
}

/// The body, held against its schema.
pub(crate) fn checked(request: &Request, schema: &'static str) -> Outcome<Value> {
    request.checked(schema).map_err(|why| unreadable_body(&why))
}

/// What is wrong with a member of a body.
pub(crate) fn of_member(message: &str, member: &str, value: &str) -> Value {
    error(("MethodArgumentNotValidException", "validation_error"), message, Some((member, value)))
}

pub(crate) fn unsupported(message: impl Into<String>) -> Fault {
    bad(UNSUPPORTED, message)
}

/// A query that can be read and not be answered.
pub(crate) fn of_query(refusal: query::Refusal, query: &str, resource: &str) -> Fault {
    match refusal {
        query::Refusal::Invalid { message, key, value } => invalid(message, &key, &value),
        query::Refusal::Date { field, value } => {
            let kind = ("ValidationException", "validation_error");
            refused(422, &[error(kind, "Invalid date format", Some((&field, &value)))])
        }
        query::Refusal::Unsupported(message) => unsupported(message),
        query::Refusal::Malformed(_) => unreadable(query, resource),
    }
}
