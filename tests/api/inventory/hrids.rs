//! Human-readable ids.

use octavo_testkit::Desk;
use serde_json::json;

use super::shelf::{holdings, instance, item, item_body, put_record, with_members};

const SETTINGS: &str = "/hrid-settings-storage/hrid-settings";

#[tokio::test]
async fn records_are_numbered_as_the_settings_say() {
    let desk = Desk::open().await;
    let first = instance(&desk, json!({})).await;
    assert_eq!(first["hrid"], "in00000000001");
    let settings = desk.get(SETTINGS).await.expect(200).json();
    assert_eq!(settings["instances"]["currentNumber"], 1);
    let other = json!({
        "instances": {"prefix": "bib", "startNumber": 500}, "holdings": {"startNumber": 1}, "items": {"startNumber": 1},
        "commonRetainLeadingZeroes": false,
    });
    desk.put(SETTINGS, &with_members(settings, other)).await.expect(204);
    assert_eq!(instance(&desk, json!({})).await["hrid"], "bib500");
    assert_eq!(instance(&desk, json!({"hrid": "mine"})).await["hrid"], "mine");
    assert_eq!(desk.get(SETTINGS).await.expect(200).json()["instances"]["currentNumber"], 500);
}

#[tokio::test]
async fn an_hrid_is_given_once_and_stays() {
    let desk = Desk::open().await;
    let first = instance(&desk, json!({"hrid": "one"})).await;
    let body =
        json!({"hrid": "One", "title": "T", "source": "FOLIO", "instanceTypeId": first["instanceTypeId"]});
    let reply = desk.post("/instance-storage/instances", &body).await;
    reply.says(400, "HRID value already exists in table instance: one");
    let changed = put_record(
        &desk,
        "/instance-storage/instances",
        &with_members(first.clone(), json!({"hrid": "two"})),
    )
    .await;
    changed.says(400, "The hrid field cannot be changed: new=two, old=one");
}

#[tokio::test]
async fn a_changed_hrid_is_refused_before_an_older_version() {
    let desk = Desk::open().await;
    let title = instance(&desk, json!({})).await;
    let shelf = holdings(&desk, &title, json!({})).await;
    let copy = item(&desk, &shelf, json!({})).await;
    for (path, record) in [
        ("/instance-storage/instances", title),
        ("/holdings-storage/holdings", shelf),
        ("/item-storage/items", copy),
    ] {
        let old = record["hrid"].as_str().unwrap();
        let message = format!("The hrid field cannot be changed: new=x9, old={old}");
        let older = with_members(record.clone(), json!({"_version": 0}));
        let renumbered = with_members(older.clone(), json!({"hrid": "x9"}));
        put_record(&desk, path, &renumbered).await.says(400, &message);
        put_record(&desk, path, &older).await.expect(409);
    }
}

#[tokio::test]
async fn a_blank_hrid_is_none() {
    let desk = Desk::open().await;
    let first = instance(&desk, json!({"hrid": ""})).await;
    assert_eq!(first["hrid"], "in00000000001");
    let copy = holdings(&desk, &first, json!({"hrid": " "})).await;
    assert_eq!(copy["hrid"], "ho00000000001");
    let items = [with_members(item_body(&copy), json!({"hrid": "", "barcode": "b1"}))];
    desk.post("/item-storage/batch/synchronous", &json!({"items": items})).await.expect(201);
    let found = desk.find("/item-storage/items", "barcode==b1").await.expect(200);
    assert_eq!(found.field_values("items", "hrid"), ["it00000000001"]);
}
