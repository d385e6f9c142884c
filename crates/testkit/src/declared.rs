//! Every answer that a test gets is held against the OpenAPI page: so what is declared is true. A member that is
//! `null` counts as left out, as FOLIO's modules send both.

use std::str::FromStr;
use std::sync::LazyLock;

use octavo_engine::Method;
use serde_json::Value;

use crate::Reply;
use crate::routes::{openapi, route};

static PAGE: LazyLock<Value> = LazyLock::new(openapi);

/// How an answer differs from the OpenAPI page, if its status is declared or should be.
pub(crate) fn departure_from_page(
    method: &str,
    path: &str,
    module_id: Option<&str>,
    reply: &Reply,
) -> Option<String> {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let entry = route(Method::from_str(method).ok()?, path, module_id)?;
    // The page tells of the path before the `*`, of lists that have their number, of JSON where a page can be asked for
    // instead, and of no calls with an API key.
    let is_below =
        entry.pattern.ends_with('*') && path.matches('/').count() > entry.pattern.matches('/').count();
    if is_below
        || query.contains("totalRecords=none")
        || query.contains("apikey=")
        || query.contains("format=html")
    {
        return None;
    }
    let operation = &PAGE["paths"][entry.pattern.trim_end_matches('*')][method.to_lowercase()];
    if operation["tags"][0] != entry.module {
        return None;
    }
    let declared = &operation["responses"][reply.status.to_string()];
    if declared.is_null() {
        let carried_out = (200..300).contains(&reply.status);
        return carried_out.then(|| "no such status is declared".to_owned());
    }
    let schema = &declared["content"]["application/json"]["schema"];
    match serde_json::from_slice::<Value>(&reply.body) {
        _ if schema.is_null() => None,
        Ok(body) => difference(schema, &body, "the body"),
        Err(error) => Some(format!("JSON is declared: {error}")),
    }
}

/// How a value differs from a schema of the page.
fn difference(schema: &Value, value: &Value, at: &str) -> Option<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let schema = PAGE.pointer(&reference[1..]).unwrap_or_else(|| panic!("{reference} leads nowhere"));
        return difference(schema, value, at);
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        kind => kind.as_str().into_iter().collect(),
    };
    if !kinds.is_empty() && !kinds.iter().any(|kind| is_a(kind, value)) {
        return Some(format!("{at} is {value}, declared is {}", kinds.join(" or ")));
    }
    let known = |choices: &Vec<Value>| choices.contains(value);
    if value.is_string() && !schema["enum"].as_array().is_none_or(known) {
        return Some(format!("{at} is {value}, declared is one of {}", schema["enum"]));
    }
    match value {
        Value::Array(values) => {
            let each = |(at_index, value)| difference(&schema["items"], value, &format!("{at}[{at_index}]"));
            values.iter().enumerate().find_map(each)
        }
        Value::Object(members) => {
            let lacking = |name: &&Value| {
                // The id of a user who was deleted is taken out of their records.
                name.as_str()
                    .is_some_and(|name| name != "userId" && members.get(name).is_none_or(Value::is_null))
            };
            if let Some(name) = schema["required"].as_array().into_iter().flatten().find(lacking) {
                return Some(format!("{at} lacks {name}"));
            }
            members.iter().filter(|(_, value)| !value.is_null()).find_map(|(name, value)| {
                let at = format!("{at}.{name}");
                match (&schema["properties"][name], &schema["additionalProperties"]) {
                    (Value::Null, Value::Bool(false)) => Some(format!("{at} is not declared")),
                    (Value::Null, others) => difference(others, value, &at),
                    (member, _) => difference(member, value, &at),
                }
            })
        }
        _ => None,
    }
}

fn is_a(kind: &str, value: &Value) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => value.is_null(),
    }
}
