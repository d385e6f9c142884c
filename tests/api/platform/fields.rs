//! Every field of every record type, with values that are plausible but for one: whatever gets past the schema must not
//! become an accident further down, in a hook or in a column of the table.

use octavo_record::{Node, RecordType, Shape};
use octavo_testkit::{Library, Reply, Serve, fresh_id, routes};
use serde_json::{Value, json};

/// Our own words for what should not happen.
const SERVER_ERROR: &str = "Internal Server Error";

fn nasty_values() -> Vec<Value> {
    vec![
        json!(""),
        json!("\u{0}"),
        json!("\u{ff3c}'\"%_\\{}[]<>&|!:*()"),
        json!("x".repeat(20_000)),
        json!("urn:uuid:00000000-0000-4000-8000-000000000000"),
        json!("-9999-01-01T00:00:00Z"),
        json!(-1),
        json!(1e300),
        json!(u64::MAX),
        json!([]),
        json!({}),
    ]
}

#[tokio::test]
async fn nonsense_in_any_field_is_the_clients_fault() {
    let library = Library::open().await;
    for record in creatable_record_types() {
        let whole = plausible_value(&record.schema().root).unwrap_or(json!({}));
        assert_no_server_error(&create_and_replace(&library, record, whole.clone()).await);
        for path in json_pointers(&whole) {
            for value in nasty_values() {
                let mut body = plausible_value(&record.schema().root).unwrap_or(json!({}));
                let Some(place) = body.pointer_mut(&path) else { continue };
                *place = value;
                assert_no_server_error(&create_and_replace(&library, record, body).await);
            }
        }
    }
}

/// Record types that clients may create.
fn creatable_record_types() -> impl Iterator<Item = &'static RecordType> {
    routes().filter_map(|entry| match entry.serve {
        Serve::Create(record) => Some(record),
        _ => None,
    })
}

/// Creates it; if that works, it can be read and replaced too.
async fn create_and_replace(library: &Library, record: &RecordType, body: Value) -> Reply {
    let reply = library.post(record.path, &body).await;
    if reply.status != 201 {
        return reply;
    }
    let stored = reply.json();
    let path = format!("{}/{}", record.path, stored["id"].as_str().unwrap_or_default());
    assert_no_server_error(&library.get(&path).await);
    library.put(&path, &stored).await
}

#[track_caller]
fn assert_no_server_error(reply: &Reply) {
    assert!(!reply.text().starts_with(SERVER_ERROR), "{reply}");
}

/// A value that fits; strings are new each time, so that no unique key stands in the way.
fn plausible_value(node: &Node) -> Option<Value> {
    if node.read_only {
        return None;
    }
    Some(match &node.shape {
        Shape::Any | Shape::Record(_) => json!({"any": "thing"}),
        Shape::String => plausible_text(node),
        Shape::Integer | Shape::Number => json!(node.minimum.unwrap_or(1.0).max(1.0) as i64),
        Shape::Boolean => json!(true),
        Shape::Array(element) => json!([plausible_value(element)?]),
        Shape::Object { members, .. } => members
            .iter()
            .filter_map(|(name, member)| Some((name.clone(), plausible_value(member)?)))
            .collect(),
    })
}

fn plausible_text(node: &Node) -> Value {
    if let Some(choice) = node.choices.first() {
        return json!(choice);
    }
    if node.date_time {
        return json!("2026-11-21T09:00:00Z");
    }
    let id = fresh_id().to_string();
    let fits = |text: &&str| node.pattern.as_ref().is_none_or(|pattern| pattern.regex.is_match(text));
    let found = [id.as_str(), "1", "a", "A", "1.00", "2026-11-21", "12:00", "a@example.org", "#123456"];
    json!(found.iter().find(|text| fits(text)).copied().unwrap_or("x"))
}

/// JSON pointers to everything inside, objects and arrays themselves included.
fn json_pointers(value: &Value) -> Vec<String> {
    let mut paths = Vec::new();
    let mut add = |step: String, inner: &Value| {
        paths.push(format!("/{step}"));
        paths.extend(json_pointers(inner).into_iter().map(|path| format!("/{step}{path}")));
    };
    match value {
        Value::Object(members) => members.iter().for_each(|(name, inner)| add(name.clone(), inner)),
        Value::Array(values) => values.iter().enumerate().for_each(|(at, inner)| add(at.to_string(), inner)),
        _ => {}
    }
    paths
}
