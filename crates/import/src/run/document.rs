//! Small helper functions for JSON documents.

use serde_json::{Map, Value};
use uuid::Uuid;

use super::stop::{StepResult, fail};

pub(super) fn id_of(document: &Value) -> Option<Uuid> {
    document["id"].as_str().and_then(|id| Uuid::parse_str(id).ok())
}

pub(super) fn required_id(document: &Value) -> StepResult<Uuid> {
    id_of(document).map_or_else(|| fail("A stored record has no id"), Ok)
}

pub(super) fn object(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

/// Errors for the required members that are missing, in FOLIO's words.
pub(super) fn missing_field_errors(document: &Map<String, Value>, required: &[&str]) -> Vec<String> {
    let has = |path: &&&str| {
        let mut names = path.split('.');
        let first = names.next().and_then(|name| document.get(name));
        let found = names.try_fold(first?, |value, name| value.get(name))?;
        let blank = found.is_null() || found.as_str().is_some_and(|text| text.trim().is_empty());
        (!blank).then_some(())
    };
    let absent = required.iter().filter(|path| has(path).is_none());
    absent.map(|path| format!("Field '{path}' is a required field and can not be null")).collect()
}

/// Errors for members that should have an id and have another text, such as a name that no type of the tenant has.
pub(super) fn invalid_id_errors(document: &Map<String, Value>, members: &[&str]) -> Vec<String> {
    let mut errors = Vec::new();
    for member in members {
        let values = match document.get(*member) {
            Some(Value::Array(values)) => values.as_slice(),
            Some(value) => std::slice::from_ref(value),
            None => &[],
        };
        let wrong = values.iter().filter_map(Value::as_str).filter(|text| Uuid::parse_str(text).is_err());
        errors.extend(wrong.map(|text| format!("Value '{text}' is not a UUID for {member} field")));
    }
    errors
}

pub(super) fn text<'a>(document: &'a Map<String, Value>, member: &str) -> Option<&'a str> {
    document.get(member).and_then(Value::as_str).filter(|text| !text.trim().is_empty())
}

/// The errors as one text: `[a, b]`.
pub(super) fn bracketed_list(errors: &[String]) -> String {
    format!("[{}]", errors.join(", "))
}
