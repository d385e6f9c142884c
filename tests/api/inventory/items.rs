//! `/inventory/items`: items with names.

use octavo_testkit::{Desk, fresh_id, reference};
use serde_json::{Value, json};

use super::shelf::{holdings, instance, item, put_record, with_members};

async fn create_holdings(desk: &Desk) -> Value {
    let contributors =
        json!([{"name": "Morrison, Toni", "contributorNameTypeId": "2b94c631-fca9-4892-a730-03ee529ffe2a"}]);
    let instance = instance(desk, json!({"contributors": contributors})).await;
    holdings(desk, &instance, json!({"callNumber": "PS 3563"})).await
}

fn item_body(holdings: &Value) -> Value {
    json!({
        "holdingsRecordId": holdings["id"], "status": {"name": "Available"}, "title": "ignored", "unknown": [1],
        "materialType": {"id": reference::BOOK}, "permanentLoanType": {"id": reference::CAN_CIRCULATE, "name": "ignored"},
        "effectiveCallNumberComponents": {"typeId": "#(undefined)"},
    })
}

#[tokio::test]
async fn an_item_is_shown_with_names_and_the_title_in_one_round_trip() {
    let desk = Desk::open().await;
    let copy = create_holdings(&desk).await;
    let created = desk
        .post("/inventory/items", &with_members(item_body(&copy), json!({"barcode": "1"})))
        .await
        .expect(201)
        .json();
    let path = format!("/inventory/items/{}", created["id"].as_str().unwrap());
    let reply = desk.get(&path).await.expect(200);
    assert_eq!(reply.round_trips(), 1, "{reply}");
    let shown = reply.json();
    assert_eq!(shown, created);
    assert_eq!(shown["title"], "Beloved");
    assert_eq!(shown["callNumber"], "PS 3563");
    assert_eq!(shown["contributorNames"], json!([{"name": "Morrison, Toni"}]));
    assert_eq!(shown["materialType"], json!({"id": reference::BOOK, "name": "book"}));
    assert_eq!(shown["permanentLoanType"]["name"], "Can circulate");
    assert_eq!(shown["effectiveLocation"]["id"], json!(desk.location));
    assert!(shown["effectiveLocation"]["name"].is_string(), "{shown}");
    assert_eq!((&shown["isBoundWith"], &shown["notes"]), (&json!(false), &json!([])));
}

#[tokio::test]
async fn a_page_of_items_is_one_round_trip() {
    let desk = Desk::open().await;
    let copy = create_holdings(&desk).await;
    for _ in 0..5 {
        item(&desk, &copy, json!({})).await;
    }
    let query = format!("holdingsRecordId=={} and status.name==Available", copy["id"].as_str().unwrap());
    let path = format!("/inventory/items?limit=100&query={}", octavo_testkit::encode(&query));
    desk.get(&path).await.expect(200);
    let page = desk.get(&path).await.expect(200);
    assert_eq!((page.total(), page.round_trips()), (5, 1), "{page}");
    assert_eq!(page.field_values("items", "title"), ["Beloved"; 5]);
    for wrong in ["limit=many", "limit=-1", "limit=", "offset=-1"] {
        let reply = desk.get(&format!("/inventory/items?{wrong}")).await;
        reply.says(400, "limit and offset must be numeric when supplied");
    }
}

#[tokio::test]
async fn a_barcode_belongs_to_one_item() {
    let desk = Desk::open().await;
    let copy = create_holdings(&desk).await;
    let taken = "Barcode must be unique, 12345678 is already assigned to another item";
    let first = with_members(item_body(&copy), json!({"barcode": "12345678"}));
    desk.post("/inventory/items", &first).await.expect(201);
    desk.post("/inventory/items", &first).await.says(400, taken);
    let other = desk.post("/inventory/items", &item_body(&copy)).await.expect(201).json();
    let path = format!("/inventory/items/{}", other["id"].as_str().unwrap());
    desk.put(&path, &with_members(other, json!({"barcode": "12345678"}))).await.says(400, taken);
}

#[tokio::test]
async fn what_was_read_can_be_written_back() {
    let desk = Desk::open().await;
    let copy = create_holdings(&desk).await;
    let created = desk.post("/inventory/items", &item_body(&copy)).await.expect(201).json();
    let path = format!("/inventory/items/{}", created["id"].as_str().unwrap());
    let note = json!([{"noteType": "Check in", "note": "look inside", "staffOnly": true}]);
    desk.put(&path, &with_members(created.clone(), json!({"volume": "2", "circulationNotes": note})))
        .await
        .expect(204);
    let shown = desk.get(&path).await.expect(200).json();
    assert_eq!((&shown["volume"], &shown["_version"]), (&json!("2"), &json!(2)));
    assert!(
        shown["circulationNotes"][0]["id"].is_string() && shown["circulationNotes"][0]["date"].is_string()
    );
    desk.put(&path, &with_members(created, json!({"volume": "3"}))).await.expect(409);
    desk.put(&path, &with_members(shown, json!({"hrid": "other"}))).await.refused("HRID can not be updated");
    desk.get(&format!("/inventory/items/{}", fresh_id())).await.says(404, "Not Found");
    desk.put(&format!("/inventory/items/{}", fresh_id()), &item_body(&copy)).await.says(404, "No item found");
}

#[tokio::test]
async fn staff_mark_items_where_that_makes_sense() {
    let desk = Desk::open().await;
    let copy = create_holdings(&desk).await;
    let item = item(&desk, &copy, json!({})).await;
    let path = format!("/inventory/items/{}", item["id"].as_str().unwrap());
    let marked = desk.send("POST", &format!("{path}/mark-restricted"), "").await.expect(200).json();
    assert_eq!((&marked["status"]["name"], &marked["title"]), (&json!("Restricted"), &json!("Beloved")));
    assert!(marked["status"]["date"].as_str().is_some_and(|date| date.ends_with("+00:00")), "{marked}");
    let refused = desk.send("POST", &format!("{path}/mark-restricted"), "").await;
    refused.refused("Item is not allowed to be marked as Restricted");
    desk.send("POST", &format!("{path}/mark-withdrawn"), "").await.expect(200);
    let nothing = format!("/inventory/items/{}/mark-missing", fresh_id());
    desk.send("POST", &nothing, "").await.says(404, "No item found");
}

#[tokio::test]
async fn an_item_is_shown_with_members_that_it_has_not() {
    let desk = Desk::open().await;
    let item = desk.item().await;
    let patron = desk.patron().await;
    desk.check_out(&item, &patron).await.expect(201);
    desk.check_in(&item).await.expect(200);
    let path = format!("/inventory/items/{}", item["id"].as_str().unwrap());
    let shown = desk.get(&path).await.expect(200).json();
    for member in ["discoverySuppress", "purchaseOrderLineIdentifier"] {
        assert_eq!(shown.get(member), Some(&Value::Null), "{shown}");
    }
    assert_eq!(
        shown["effectiveCallNumberComponents"].as_object().map(|parts| parts.len()),
        Some(4),
        "{shown}"
    );
    let last = &shown["lastCheckIn"];
    assert!(last["dateTime"].as_str().is_some_and(|at| at.ends_with('Z')), "{shown}");
    assert!(last.get("staffMemberId").is_some() && last["servicePointId"].is_string(), "{shown}");
    desk.put(&path, &shown).await.expect(204);
    let again = desk.get(&path).await.expect(200).json();
    assert_eq!(
        (&again["lastCheckIn"], &again["_version"]),
        (last, &json!(shown["_version"].as_i64().unwrap() + 1))
    );
}

#[tokio::test]
async fn an_item_has_a_status_and_names_what_is_there() {
    let desk = Desk::open().await;
    let copy = create_holdings(&desk).await;
    for status in [json!(null), json!({}), json!({"name": ""})] {
        let reply =
            desk.post("/inventory/items", &with_members(item_body(&copy), json!({"status": status}))).await;
        let reply = reply.refused("Status is a required field");
        assert_eq!(reply.json()["errors"][0]["parameters"], json!([{"key": "status", "value": null}]));
    }
    let stored = item(&desk, &copy, json!({})).await;
    let nowhere = fresh_id();
    let said = |dot: &str| {
        format!(
            "Cannot set item{dot}materialtypeid = {nowhere} because it does not exist in material_type.id."
        )
    };
    let changed = with_members(stored.clone(), json!({"materialTypeId": nowhere}));
    put_record(&desk, "/item-storage/items", &changed).await.says(400, &said(" "));
    let created = with_members(changed, json!({"id": fresh_id(), "hrid": null}));
    desk.post("/item-storage/items", &created).await.refused(&said("."));
    let path = format!("/inventory/items/{}", stored["id"].as_str().unwrap());
    let mut shown = desk.get(&path).await.expect(200).json();
    shown["materialType"] = json!({"id": nowhere});
    desk.put(&path, &shown).await.says(400, &said(" "));
    shown.as_object_mut().unwrap().remove("hrid");
    let reply = desk.put(&path, &shown).await.refused("HRID can not be updated");
    assert_eq!(reply.json()["errors"][0]["parameters"], json!([{"key": "hrid", "value": null}]));
    desk.delete("/inventory/items").await.says(400, "query parameter is required");
}
