//! Bodies that are not as the OpenAPI page declares them, sent to every call that takes one: nothing of it is carried out. What is
//! answered is held against the same page by the test kit, in every test.

use std::collections::BTreeMap;

use octavo_testkit::{Client, Library, Reply, fresh_id, openapi};
use serde_json::{Map, Value, json};

/// What FOLIO's modules carry out, or answer otherwise, although the body is not as declared: nor is it refused here. Each entry has
/// to be needed.
const LENIENT: &[(&str, &[&str])] = &[
    // An array that is left out is empty.
    ("POST /accounts-bulk/cancel", &["without accountIds"]),
    ("POST /holdings-storage/batch/synchronous", &["without holdingsRecords"]),
    ("POST /holdings-storage/batch/synchronous-unsafe", &["without holdingsRecords"]),
    ("POST /instance-storage/batch/synchronous", &["without instances"]),
    ("POST /instance-storage/batch/synchronous-unsafe", &["without instances"]),
    ("POST /inventory-hierarchy/items-and-holdings", &["without instanceIds"]),
    ("POST /item-storage/batch/synchronous", &["without items"]),
    ("POST /item-storage/batch/synchronous-unsafe", &["without items"]),
    ("POST /oai-pmh-view/enrichedInstances", &["without instanceIds"]),
    ("POST /request-storage-batch/requests", &["without requests"]),
    ("POST /pubsub/event-types/declare/publisher", &["without eventDescriptors"]),
    ("POST /pubsub/event-types/declare/subscriber", &["without subscriptionDefinitions"]),
    ("PUT /note-links/type/{type}/id/{id}", &["without notes"]),
    // They take lists of ids.
    ("POST /source-storage/batch/verified-records", &["a list"]),
    ("POST /source-storage/source-records", &["a list"]),
    // 500, if no instance of a batch could be created.
    ("POST /instance-storage/batch/instances", &["without instances"]),
    ("POST /inventory/instances/batch", &["without totalRecords", "another totalRecords"]),
    // Nobody looks at the number.
    ("POST /circulation/end-patron-action-session", &["without totalRecords", "another totalRecords"]),
    // They tell of events: nothing is left to do about a charge, and what nobody can read is nobody's loan.
    ("POST /circulation/handlers/fee-fine-balance-changed", &["a list", "a text"]),
    (
        "POST /circulation/handlers/loan-related-fee-fine-closed",
        &["a list", "without loanId", "another feeFineId"],
    ),
];

#[tokio::test]
async fn a_body_that_is_not_as_declared_is_refused() {
    let library = Library::open().await;
    let operator = library.operator().await;
    let page = openapi();
    let (mut tried, mut taken) = (0, BTreeMap::new());
    for (path, operations) in members(&page["paths"]) {
        for (method, operation) in members(operations) {
            let call = format!("{} {path}", method.to_uppercase());
            let client = if operation["tags"][0] == "okapi" { &operator } else { &*library };
            for (wrong, body) in
                wrong_bodies(&page, &operation["requestBody"]["content"]["application/json"]["schema"])
            {
                tried += 1;
                let reply = send_call(client, &call, body).await;
                if !(400..500).contains(&reply.status) || !says_why(&reply) {
                    taken.insert(format!("{call}, {wrong}"), format!("{} {}", reply.status, reply.text()));
                }
            }
        }
    }
    assert!(tried > 1000, "{tried}");
    let lenient =
        LENIENT.iter().flat_map(|(call, wrongs)| wrongs.iter().map(move |wrong| format!("{call}, {wrong}")));
    let not_taken: Vec<String> = lenient.filter(|lenient| taken.remove(lenient).is_none()).collect();
    assert!(taken.is_empty(), "{} of {tried} are taken: {taken:#?}", taken.len());
    assert!(not_taken.is_empty(), "these are refused, and have no place in LENIENT: {not_taken:#?}");
}

/// What is wrong, and the body with the mistake. Empty if the call takes no JSON.
fn wrong_bodies(page: &Value, schema: &Value) -> Vec<(String, String)> {
    let schema = resolve_reference(page, schema);
    if schema.is_null() {
        return Vec::new();
    }
    if schema["type"] == "array" {
        let wrong = wrong_bodies(page, &schema["items"]).into_iter();
        return wrong.map(|(wrong, body)| (wrong, format!("[{body}]"))).collect();
    }
    let whole: Map<String, Value> = required_members(schema)
        .map(|name| (name.into(), plausible_value(page, &schema["properties"][name])))
        .collect();
    let mut wrong = vec![
        ("unreadable".to_owned(), "{\"a\":".to_owned()),
        ("a list".to_owned(), "[]".to_owned()),
        ("a text".to_owned(), "\"text\"".to_owned()),
    ];
    let asked_for =
        |name: &&str| ["readOnly", "default"].iter().all(|word| schema["properties"][name][word].is_null());
    for name in required_members(schema).filter(asked_for) {
        let mut body = whole.clone();
        body.remove(name);
        wrong.push((format!("without {name}"), json!(body).to_string()));
    }
    for (name, member) in members(&schema["properties"]).filter(|(_, member)| member["readOnly"] != true) {
        let of_another_type = match resolve_reference(page, member)["type"].as_str() {
            Some("string" | "integer" | "number" | "boolean" | "array") => json!({"a": 1}),
            Some("object") => json!("text"),
            _ => continue,
        };
        let mut body = whole.clone();
        body.insert(name.to_owned(), of_another_type);
        wrong.push((format!("another {name}"), json!(body).to_string()));
    }
    wrong
}

fn plausible_value(page: &Value, schema: &Value) -> Value {
    let schema = resolve_reference(page, schema);
    let pattern = schema["pattern"].as_str().unwrap_or_default();
    match schema["type"].as_str() {
        Some("string") if schema["enum"].is_array() => schema["enum"][0].clone(),
        Some("string") if schema["format"] == "date-time" => json!("2026-11-21T09:00:00Z"),
        Some("string") if pattern.contains("a-f") => json!(fresh_id()),
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(true),
        Some("array") => json!([plausible_value(page, &schema["items"])]),
        Some("object") => required_members(schema)
            .map(|name| (name, plausible_value(page, &schema["properties"][name])))
            .collect(),
        _ => json!("1"),
    }
}

fn resolve_reference<'a>(page: &'a Value, schema: &'a Value) -> &'a Value {
    schema["$ref"].as_str().and_then(|reference| page.pointer(&reference[1..])).unwrap_or(schema)
}

fn required_members(schema: &Value) -> impl Iterator<Item = &str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn members(object: &Value) -> impl Iterator<Item = (&str, &Value)> {
    object.as_object().into_iter().flatten().map(|(name, member)| (name.as_str(), member))
}

async fn send_call(client: &Client, call: &str, body: String) -> Reply {
    let (method, path) = call.split_once(' ').expect("a method and a path");
    let id = fresh_id().to_string();
    let segments =
        path.split('/').map(|segment| if segment.starts_with('{') { id.as_str() } else { segment });
    let path = segments.collect::<Vec<_>>().join("/");
    client.with("content-type", "application/json").send(method, &path, body).await
}

/// A refusal says what is wrong: in a text, or in JSON with a message. A thing that is not there needs no words.
fn says_why(reply: &Reply) -> bool {
    let has_message = |value: &Value| {
        value
            .as_object()
            .is_some_and(|members| members.keys().any(|name| name.to_lowercase().contains("message")))
    };
    match serde_json::from_slice::<Value>(&reply.body) {
        Ok(body) => has_message(&body) || has_message(&body["errors"][0]),
        Err(_) => !reply.text().is_empty() || reply.status == 404,
    }
}
