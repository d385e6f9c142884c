//! `/rtac/{id}` and `/rtac-batch`.

use octavo_testkit::{Desk, Reply, fresh_id, reference};
use serde_json::{Value, json};

use crate::inventory::shelf::{holdings, instance, item};

async fn batch(desk: &Desk, ids: Value) -> Reply {
    desk.post("/rtac-batch", &json!({"instanceIds": ids})).await
}

/// The copies of the first title.
fn copies_of_first_title(reply: &Reply) -> Vec<Value> {
    reply.json()["holdings"][0]["holdings"].as_array().cloned().unwrap_or_default()
}

#[tokio::test]
async fn an_item_is_told_with_its_place_and_names() {
    let desk = Desk::open().await;
    let title = instance(&desk, json!({})).await;
    let copy =
        holdings(&desk, &title, json!({"copyNumber": "h1", "holdingsStatements": [{"statement": "v.1-2"}]}))
            .await;
    let more = json!({
        "barcode": "1", "itemLevelCallNumber": "QA 1", "itemLevelCallNumberPrefix": "REF", "enumeration": "v.1",
        "chronology": "1999", "copyNumber": "i1", "temporaryLoanTypeId": reference::CAN_CIRCULATE,
    });
    let stored = item(&desk, &copy, more).await;
    let reply = batch(&desk, json!([title["id"]])).await.expect(200);
    let body = reply.json();
    assert_eq!((&body["holdings"][0]["instanceId"], &body["errors"]), (&title["id"], &Value::Null));
    let location = desk.get(&format!("/locations/{}", desk.location)).await.expect(200).json();
    let expected = json!({
        "id": stored["id"], "barcode": "1", "location": location["name"], "locationCode": location["code"],
        "locationId": location["id"], "callNumber": "REF QA 1", "status": "Available", "volume": "(v.1 1999)",
        "permanentLoanType": "Can circulate", "temporaryLoanType": "Can circulate",
        "materialType": {"id": reference::BOOK, "name": "book"}, "library": {"name": "Harbour", "code": "H"},
        "suppressFromDiscovery": false, "totalHoldRequests": 0, "itemCopyNumber": "i1", "holdingsCopyNumber": "h1",
        "holdingsStatements": [{"statement": "v.1-2"}], "holdingsStatementsForIndexes": [],
        "holdingsStatementsForSupplements": [],
    });
    assert_eq!(copies_of_first_title(&reply), [expected], "{reply}");
}

#[tokio::test]
async fn a_lent_item_is_due_and_an_item_that_came_back_is_not() {
    let desk = Desk::open().await;
    let lent = desk.item().await;
    let patron = desk.patron().await;
    let loan = desk.check_out(&lent, &patron).await.expect(201).json();
    let copy = desk
        .get(&format!("/holdings-storage/holdings/{}", lent["holdingsRecordId"].as_str().unwrap()))
        .await
        .json();
    let told = |reply: Reply| copies_of_first_title(&reply).remove(0);
    let out = told(batch(&desk, json!([copy["instanceId"]])).await);
    let due = loan["dueDate"].as_str().unwrap();
    assert_eq!(
        (&out["status"], &out["dueDate"]),
        (&json!("Checked out"), &json!(format!("{}.000+00:00", &due[..19])))
    );
    desk.check_in(&lent).await.expect(200);
    let back = told(batch(&desk, json!([copy["instanceId"]])).await);
    assert_eq!((&back["status"], &back["dueDate"]), (&json!("Available"), &Value::Null));
}

#[tokio::test]
async fn copies_of_many_titles_come_in_one_round_trip() {
    let desk = Desk::open().await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        let title = instance(&desk, json!({})).await;
        for _ in 0..3 {
            let copy = holdings(&desk, &title, json!({})).await;
            item(&desk, &copy, json!({})).await;
        }
        ids.push(title["id"].clone());
    }
    batch(&desk, json!(ids)).await.expect(200);
    let reply = batch(&desk, json!(ids)).await.expect(200);
    assert_eq!(reply.round_trips(), 1, "{reply}");
    let titles = reply.json()["holdings"].as_array().cloned().unwrap();
    assert!(titles.iter().all(|title| title["holdings"].as_array().map(Vec::len) == Some(3)), "{reply}");
    assert_eq!(
        reply.field_values("holdings", "instanceId"),
        ids.iter().filter_map(Value::as_str).collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn holdings_stand_for_themselves_where_there_are_no_items() {
    let desk = Desk::open().await;
    let title = instance(&desk, json!({})).await;
    let stated = json!({"callNumber": "PER 7", "holdingsStatements": [{"statement": "1990-"}]});
    let stated = holdings(&desk, &title, stated).await;
    let silent = holdings(&desk, &title, json!({})).await;
    let told = copies_of_first_title(&batch(&desk, json!([title["id"]])).await.expect(200));
    let of =
        |record: &Value| told.iter().find(|copy| copy["id"] == record["id"]).cloned().unwrap_or_default();
    assert_eq!((&of(&stated)["status"], &of(&stated)["callNumber"]), (&json!("1990-"), &json!("PER 7")));
    assert_eq!(of(&silent)["status"], "Multi");
}

#[tokio::test]
async fn what_is_suppressed_is_not_told() {
    let desk = Desk::open().await;
    let title = instance(&desk, json!({})).await;
    let open = holdings(&desk, &title, json!({})).await;
    let hidden = holdings(&desk, &title, json!({"discoverySuppress": true})).await;
    let shown = item(&desk, &open, json!({})).await;
    item(&desk, &open, json!({"discoverySuppress": true})).await;
    item(&desk, &hidden, json!({})).await;
    let told = copies_of_first_title(&batch(&desk, json!([title["id"]])).await.expect(200));
    assert_eq!(told.iter().map(|copy| &copy["id"]).collect::<Vec<_>>(), [&shown["id"]]);
}

#[tokio::test]
async fn titles_that_are_not_there_or_have_no_holdings_are_errors_beside_the_others() {
    let desk = Desk::open().await;
    let (held, bare) = (instance(&desk, json!({})).await, instance(&desk, json!({})).await);
    holdings(&desk, &held, json!({})).await;
    let nobody = fresh_id();
    let reply = batch(&desk, json!([bare["id"], nobody, held["id"], "no id"])).await.expect(200);
    let bare = bare["id"].as_str().unwrap();
    assert_eq!(
        reply.json()["errors"],
        json!([
            {"message": format!("Instance {nobody} can not be retrieved"), "code": "404"},
            {"message": "Instance no id can not be retrieved", "code": "404"},
            {"message": format!("Holdings not found for instance {bare}"), "code": "404"},
        ])
    );
    assert_eq!(reply.field_values("holdings", "instanceId"), [held["id"].as_str().unwrap()]);
    batch(&desk, json!(["no id"])).await.says(404, "Could not find instances");
    let many: Vec<String> = (0..2001).map(|_| fresh_id().to_string()).collect();
    batch(&desk, json!(many)).await.says(400, "At most 2000 instances can be asked for at once");
    // An array that was not sent is an empty one.
    desk.post("/rtac-batch", &json!({})).await.says(404, "Could not find instances");
    let refused = desk.post("/rtac-batch", &json!({"instanceIds": null})).await.expect(422);
    assert_eq!(refused.refused_keys(), ["instanceIds"]);
}

#[tokio::test]
async fn the_older_form_tells_items_only() {
    let desk = Desk::open().await;
    let title = instance(&desk, json!({})).await;
    let copy = holdings(&desk, &title, json!({"callNumber": "A 1"})).await;
    let get = async |id: &str| desk.get(&format!("/rtac/{id}")).await;
    let id = title["id"].as_str().unwrap();
    assert_eq!(get(id).await.expect(200).json(), json!({"holdings": []}));
    let stored = item(&desk, &copy, json!({"volume": "2"})).await;
    let told = get(id).await.expect(200).json()["holdings"][0].clone();
    assert_eq!(told["id"], stored["id"]);
    assert_eq!(
        (&told["callNumber"], &told["volume"], &told["status"]),
        (&json!("A 1"), &json!("(2)"), &json!("Available"))
    );
    assert_eq!(told.get("library"), None, "{told}");
    get(&fresh_id().to_string()).await.says(404, "Not Found");
    get("no-id").await.says(404, "Could not find instance");
}
