//! Small questions to documents.

use serde_json::{Map, Value};
use uuid::Uuid;

use super::stop::{Done, fail};

pub(super) fn id_of(document: &Value) -> Option<Uuid> {
    document["id"].as_str().and_then(|id| Uuid::parse_str(id).ok())
}

pub(super) fn id_in(document: &Value) -> Done<Uuid> {
    id_of(document).map_or_else(|| fail("A stored record has no id"), Ok)
}

pub(super) fn object(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

/// The members that are required and not there, as FOLIO says it.
pub(super) fn missing(document: &Map<String, Value>, required: &[&str]) -> Vec<String> {
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

/// Members that hold ids and hold something else: a name that no type of the tenant has.
pub(super) fn no_ids(document: &Map<String, Value>, members: &[&str]) -> Vec<String> {
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

/// `[a, b]`
pub(super) fn listed(errors: &[String]) -> String {
    format!("[{}]", errors.join(", "))
}
