//! Refusals in mod-search's form: one error with its type (a Java class there), its code and the parameter that is wrong.

use octavo_engine::Request;
use octavo_kernel::{Fault, Outcome};
use octavo_search::query;
use serde_json::{Map, Value, json};

/// The type and code of errors that occur in several places.
pub(crate) const SERVICE: (&str, &str) = ("SearchServiceException", "service_error");
const UNSUPPORTED: (&str, &str) = ("UnsupportedOperationException", "service_error");
const MISMATCH: (&str, &str) = ("MethodArgumentTypeMismatchException", "validation_error");
pub(crate) const VIOLATION: (&str, &str) = ("ConstraintViolationException", "validation_error");
pub(crate) const ARGUMENT: (&str, &str) = ("IllegalArgumentException", "validation_error");

/// The JSON of an error: its type and code, its message, and the parameter with the value that it is about.
pub(crate) fn error_json(
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

pub(crate) fn errors_fault(status: u16, errors: &[Value]) -> Fault {
    let count = errors.len();
    Fault::json(status, json!({"errors": errors, "total_records": count}))
}

/// 400 with one error that has no parameter.
pub(crate) fn bad_request(kind: (&str, &str), message: impl Into<String>) -> Fault {
    errors_fault(400, &[error_json(kind, message, None)])
}

/// 400 because a parameter cannot be converted to the Java type that mod-search expects.
pub(crate) fn type_mismatch(class: &str, why: &str) -> Fault {
    let begin = "Failed to convert value of type 'java.lang.String' to required type";
    bad_request(MISMATCH, format!("{begin} '{class}'; {why}"))
}

/// 400 because a parameter is none of the values of an enumeration of mod-search's interface.
pub(crate) fn unexpected_value(enumeration: &str, given: &str) -> Fault {
    type_mismatch(
        &format!("org.folio.search.domain.dto.{enumeration}"),
        &format!("Unexpected value '{given}'"),
    )
}

/// 400 because the value of a parameter is not allowed.
pub(crate) fn invalid_parameter(message: &str, key: &str, value: &str) -> Fault {
    errors_fault(
        400,
        &[error_json(("RequestValidationException", "validation_error"), message, Some((key, value)))],
    )
}

/// 400 because the query cannot be parsed.
pub(crate) fn unreadable_query(query: &str, resource: &str) -> Fault {
    bad_request(SERVICE, format!("Failed to parse cql query [cql: '{query}', resource: {resource}]"))
}

/// 400 because the body is not JSON.
pub(crate) fn unreadable_body(why: &Fault) -> Fault {
    let kind = ("HttpMessageNotReadableException", "validation_error");
    bad_request(kind, format!("JSON parse error: {}", why.body.render()))
}

/// The body, validated against its schema.
pub(crate) fn checked_body(request: &Request, schema: &'static str) -> Outcome<Value> {
    request.checked_json(schema).map_err(|why| unreadable_body(&why))
}

/// The JSON of an error about a member of the body.
pub(crate) fn member_error_json(message: &str, member: &str, value: &str) -> Value {
    error_json(("MethodArgumentNotValidException", "validation_error"), message, Some((member, value)))
}

pub(crate) fn unsupported_query(message: impl Into<String>) -> Fault {
    bad_request(UNSUPPORTED, message)
}

/// The error for a query that can be parsed and cannot be answered.
pub(crate) fn query_fault(refusal: query::Refusal, query: &str, resource: &str) -> Fault {
    match refusal {
        query::Refusal::Invalid { message, key, value } => invalid_parameter(message, &key, &value),
        query::Refusal::Date { field, value } => {
            let kind = ("ValidationException", "validation_error");
            errors_fault(422, &[error_json(kind, "Invalid date format", Some((&field, &value)))])
        }
        query::Refusal::Unsupported(message) => unsupported_query(message),
        query::Refusal::Malformed(_) => unreadable_query(query, resource),
    }
}
