//! What the tests of this folder put on the shelf.

use octavo_testkit::{Desk, Reply, reference};
use serde_json::{Value, json};

/// Adds to an object.
pub(crate) fn with(mut base: Value, more: Value) -> Value {
    if let (Some(base), Value::Object(more)) = (base.as_object_mut(), more) {
        base.extend(more);
    }
    base
}

pub(crate) async fn instance(desk: &Desk, more: Value) -> Value {
    let base = json!({"source": "FOLIO", "title": "Beloved", "instanceTypeId": reference::TEXT});
    desk.post("/instance-storage/instances", &with(base, more)).await.expect(201).json()
}

pub(crate) async fn holdings(desk: &Desk, instance: &Value, more: Value) -> Value {
    let base = json!({"instanceId": instance["id"], "permanentLocationId": desk.location});
    desk.post("/holdings-storage/holdings", &with(base, more)).await.expect(201).json()
}

pub(crate) fn item_body(holdings: &Value) -> Value {
    json!({
        "holdingsRecordId": holdings["id"], "status": {"name": "Available"},
        "materialTypeId": reference::BOOK, "permanentLoanTypeId": reference::CAN_CIRCULATE,
    })
}

pub(crate) async fn item(desk: &Desk, holdings: &Value, more: Value) -> Value {
    desk.post("/item-storage/items", &with(item_body(holdings), more)).await.expect(201).json()
}

/// The record now.
pub(crate) async fn now(desk: &Desk, path: &str, record: &Value) -> Value {
    desk.get(&at(path, record)).await.expect(200).json()
}

pub(crate) async fn put(desk: &Desk, path: &str, record: &Value) -> Reply {
    desk.put(&at(path, record), record).await
}

fn at(path: &str, record: &Value) -> String {
    format!("{path}/{}", record["id"].as_str().unwrap_or_default())
}

/// One more location of the branch.
pub(crate) async fn location(desk: &Desk, name: &str) -> Value {
    let known = now(desk, "/locations", &json!({"id": desk.location})).await;
    let mut other = with(known, json!({"name": name, "code": name}));
    other.as_object_mut().map(|other| other.remove("id"));
    desk.post("/locations", &other).await.expect(201).json()
}
