//! `GET /marc-specifications/{recordType}/{fieldTag}`: the items of a fixed field, by kind of material, with their allowed values.

use std::collections::HashMap;
use std::sync::LazyLock;

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use serde_json::{Map, Value, json};

use super::refused::{malformed, not_found};

/// The specifications by kind of record and tag.
static SPECIFICATIONS: LazyLock<HashMap<(&str, &str), Value>> = LazyLock::new(read);

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let (asked, tag) = (request.path_parameter(0), request.path_parameter(1));
    let kinds = ["bibliographic", "holdings", "authority"];
    let kind = kinds.into_iter().find(|kind| kind.eq_ignore_ascii_case(asked));
    let kind = kind.ok_or_else(|| Fault::from(malformed(format!("Unexpected value '{asked}'"))))?;
    match SPECIFICATIONS.get(&(kind, tag)) {
        Some(specification) => Ok(Response::json(200, specification)),
        None => {
            let message =
                format!("Marc specification for [{kind}] record type and [{tag}] field tag not found");
            Err(not_found("-1", message).into())
        }
    }
}

fn read() -> HashMap<(&'static str, &'static str), Value> {
    let mut values: HashMap<&str, Vec<Value>> = HashMap::new();
    let mut found: HashMap<(&str, &str), Value> = HashMap::new();
    let mut current = None;
    for line in include_str!("specifications.tsv").lines() {
        let columns: Vec<&'static str> = line.split('\t').collect();
        match columns.as_slice() {
            ["value", list, code, name] => {
                values.entry(*list).or_default().push(json!({"code": code, "name": name}));
            }
            ["field", kind, tag, label, url] => {
                current = Some((*kind, *tag));
                let specification = json!({
                    "tag": tag, "format": kind.to_uppercase(), "label": label, "url": url, "repeatable": false,
                    "required": true, "spec": {"types": []},
                });
                found.insert((kind, tag), specification);
            }
            ["type", code, positions] => {
                let conditions: Vec<Value> = positions.split(';').map(condition).collect();
                let kind = json!({"code": code, "identifiedBy": {"or": conditions}, "items": []});
                push(
                    current.and_then(|key| found.get_mut(&key)).map(|field| &mut field["spec"]["types"]),
                    kind,
                );
            }
            ["item", code, name, order, position, length, list, readonly, allowed] => {
                let number = |text: &str| text.parse::<i64>().unwrap_or_default();
                let mut item = json!({
                    "code": code, "name": name, "order": number(order), "position": number(position),
                    "length": number(length), "isArray": *list == "list", "readOnly": *readonly == "readonly",
                });
                if let Some(allowed) = values.get(allowed) {
                    item["allowedValues"] = json!(allowed);
                }
                let types = current.and_then(|key| found.get_mut(&key)).and_then(|field| {
                    field["spec"]["types"].as_array_mut()?.last_mut().map(|kind| &mut kind["items"])
                });
                push(types, item);
            }
            _ => {}
        }
    }
    found
}

fn push(list: Option<&mut Value>, value: Value) {
    if let Some(list) = list.and_then(Value::as_array_mut) {
        list.push(value);
    }
}

/// Parses `6=ac+7=m`: characters that are allowed at positions of the leader.
fn condition(text: &str) -> Value {
    let positions = text.split('+').filter_map(|part| {
        let (position, allowed) = part.split_once('=')?;
        Some((position.to_owned(), json!(allowed.chars().map(String::from).collect::<Vec<String>>())))
    });
    json!({"tag": "LDR", "positions": positions.collect::<Map<String, Value>>()})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_record_has_its_specification() {
        for (kind, types, items) in [("bibliographic", 8, 19), ("holdings", 1, 13), ("authority", 1, 23)] {
            let found = &SPECIFICATIONS[&(kind, "008")]["spec"]["types"];
            assert_eq!(found.as_array().map(Vec::len), Some(types), "{kind}");
            assert_eq!(found[0]["items"].as_array().map(Vec::len), Some(items), "{kind}");
        }
        let books = &SPECIFICATIONS[&("bibliographic", "008")]["spec"]["types"][0];
        let positions = json!({"6": ["a"], "7": ["a", "c", "d", "m"]});
        assert_eq!(books["identifiedBy"]["or"][0], json!({"tag": "LDR", "positions": positions}));
        let audience = books["items"].as_array().unwrap().iter().find(|item| item["code"] == "Audn").unwrap();
        assert!(audience["allowedValues"].as_array().is_some_and(|values| values.len() > 5), "{audience}");
    }
}
