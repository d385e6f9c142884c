//! Functions that create the instances, holdings and items of these tests.

use octavo_testkit::{Desk, Reply, reference};
use serde_json::{Value, json};

/// Adds to an object.
pub(crate) fn with_members(mut base: Value, more: Value) -> Value {
    if let (Some(base), Value::Object(more)) = (base.as_object_mut(), more) {
        base.extend(more);
    }
    base
}

pub(crate) async fn instance(desk: &Desk, more: Value) -> Value {
    let base = json!({"source": "FOLIO", "title": "Beloved", "instanceTypeId": reference::TEXT});
    desk.post("/instance-storage/instances", &with_members(base, more)).await.expect(201).json()
}

pub(crate) async fn holdings(desk: &Desk, instance: &Value, more: Value) -> Value {
    let base = json!({"instanceId": instance["id"], "permanentLocationId": desk.location});
    desk.post("/holdings-storage/holdings", &with_members(base, more)).await.expect(201).json()
}

pub(crate) fn item_body(holdings: &Value) -> Value {
    json!({
        "holdingsRecordId": holdings["id"], "status": {"name": "Available"},
        "materialTypeId": reference::BOOK, "permanentLoanTypeId": reference::CAN_CIRCULATE,
    })
}

pub(crate) async fn item(desk: &Desk, holdings: &Value, more: Value) -> Value {
    desk.post("/item-storage/items", &with_members(item_body(holdings), more)).await.expect(201).json()
}

/// The record now.
pub(crate) async fn read_record(desk: &Desk, path: &str, record: &Value) -> Value {
    desk.get(&record_path(path, record)).await.expect(200).json()
}

pub(crate) async fn put_record(desk: &Desk, path: &str, record: &Value) -> Reply {
    desk.put(&record_path(path, record), record).await
}

fn record_path(path: &str, record: &Value) -> String {
    format!("{path}/{}", record["id"].as_str().unwrap_or_default())
}

/// One more location of the branch.
pub(crate) async fn location(desk: &Desk, name: &str) -> Value {
    let known = read_record(desk, "/locations", &json!({"id": desk.location})).await;
    let mut other = with_members(known, json!({"name": name, "code": name}));
    other.as_object_mut().map(|other| other.remove("id"));
    desk.post("/locations", &other).await.expect(201).json()
}
