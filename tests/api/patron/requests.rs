//! Renewals, holds on items and titles, their cancellation, and where a title may be picked up.

use octavo_testkit::{fresh_id, reference::CIRC_DESK};
use serde_json::{Value, json};

use super::{Reader, hold_body, id};

async fn enable_title_requests(reader: &Reader) {
    let value = json!({"titleLevelRequestsFeatureEnabled": true}).to_string();
    let entry = json!({"module": "SETTINGS", "configName": "TLR", "value": value});
    reader.desk.post("/configurations/entries", &entry).await.expect(201);
}

async fn cancellation_reason(reader: &Reader) -> Value {
    let reason = json!({"name": format!("Patron {}", fresh_id()), "description": "By the patron"});
    reader.desk.post("/cancellation-reason-storage/cancellation-reasons", &reason).await.expect(201).json()
}

async fn read_request(reader: &Reader, request: &Value) -> Value {
    let path = format!("/circulation/requests/{}", request["requestId"].as_str().unwrap());
    reader.desk.get(&path).await.expect(200).json()
}

#[tokio::test]
async fn a_loan_is_renewed_as_at_the_desk_and_refused_as_there() {
    let reader = Reader::open().await;
    let [beloved, emma] = &reader.copies;
    let loan = reader.desk.check_out(beloved, &reader.patron).await.expect(201).json();
    let renew = |item: &Value| reader.account_path(&format!("/item/{}/renew", id(item)));
    let renewed = reader.desk.send("POST", &renew(beloved), "").await.expect(201);
    assert_eq!(renewed.round_trips(), 2, "{renewed}");
    let renewed = renewed.json();
    assert_eq!(
        (&renewed["id"], &renewed["item"]["title"], &renewed["item"]["itemId"], &renewed["overdue"]),
        (&loan["id"], &json!("Beloved"), &beloved["id"], &json!(false))
    );
    assert!(renewed["dueDate"].as_str() > loan["dueDate"].as_str(), "{renewed}");
    reader.desk.send("POST", &renew(beloved), "").await.expect(201);
    reader.desk.send("POST", &renew(beloved), "").await.refused("loan at maximum renewal number");

    // Nobody has it; somebody else has it; there is none.
    reader.desk.send("POST", &renew(emma), "").await.expect(422);
    reader.desk.check_out(emma, &reader.desk.patron().await).await.expect(201);
    reader
        .desk
        .send("POST", &renew(emma), "")
        .await
        .refused("Cannot renew item checked out to different user");
    reader.desk.send("POST", &renew(&json!({"id": fresh_id()})), "").await.expect(422);
    reader.desk.send("POST", &reader.account_path("/item/x/renew"), "").await.expect(400);
}

#[tokio::test]
async fn a_hold_is_of_the_type_that_the_items_status_allows() {
    let reader = Reader::open().await;
    let [beloved, emma] = &reader.copies;
    let placed = reader.post_hold(&reader.desk, beloved).await.expect(201);
    assert_eq!(placed.round_trips(), 2, "{placed}");
    let placed = placed.json();
    assert_eq!(read_request(&reader, &placed).await["requestType"], "Page");
    assert_eq!(reader.desk.status(beloved).await, "Paged");
    for (key, expected) in [
        (
            "item",
            json!({
                "instanceId": reader.titles[0]["id"], "itemId": beloved["id"], "title": "Beloved",
                "author": "Morrison, Toni; Byatt, A. S.",
            }),
        ),
        ("requestDate", json!("2026-11-01T10:00:00.000+00:00")),
        ("status", json!("Open - Not yet filled")),
        ("pickupLocationId", json!(CIRC_DESK)),
        ("queuePosition", json!(1)),
    ] {
        assert_eq!(placed[key], expected, "{key}");
    }

    reader.desk.check_out(emma, &reader.desk.patron().await).await.expect(201);
    let mut wish = hold_body();
    wish["expirationDate"] = json!("2026-12-24T00:00:00.000+00:00");
    wish["patronComments"] = json!("Before Friday");
    let path = reader.account_path(&format!("/item/{}/hold", id(emma)));
    let placed = reader.desk.post(&path, &wish).await.expect(201).json();
    assert_eq!(placed["expirationDate"], "2026-12-24T23:59:59.000+00:00");
    assert_eq!(placed["patronComments"], "Before Friday");
    let request = read_request(&reader, &placed).await;
    assert_eq!((&request["requestType"], &request["requestLevel"]), (&json!("Hold"), &json!("Item")));
    // Twice is once too often, in mod-circulation's words.
    let again = reader.desk.post(&path, &wish).await.expect(422);
    assert_eq!(again.refusals(), ["This requester already has an open request for this item"]);
}

#[tokio::test]
async fn what_stands_against_a_hold() {
    let reader = Reader::open().await;
    let item = &reader.copies[0];
    let path = reader.account_path(&format!("/item/{}/hold", id(item)));
    for (without, key) in [("requestDate", "requestDate"), ("pickupLocationId", "pickupLocationId")] {
        let mut wish = hold_body();
        wish.as_object_mut().unwrap().remove(without);
        assert_eq!(reader.desk.post(&path, &wish).await.expect(422).refused_keys(), [key]);
    }
    let mut wish = hold_body();
    wish["requestDate"] = json!("yesterday");
    reader.desk.post(&path, &wish).await.expect(422);
    reader.desk.send("POST", &path, "{").await.expect(400);
    reader
        .desk
        .post(&reader.account_path(&format!("/item/{}/hold", fresh_id())), &hold_body())
        .await
        .expect(404);
    let nobody = format!("/patron/account/{}/item/{}/hold", fresh_id(), id(item));
    reader.desk.post(&nobody, &hold_body()).await.says(404, "User not found");

    // A policy without pages, for a copy on the shelf.
    let policy = json!({"id": fresh_id(), "name": "No pages", "requestTypes": ["Hold", "Recall"]});
    reader.desk.post("/request-policy-storage/request-policies", &policy).await.expect(201);
    let rules = reader.desk.get("/circulation/rules").await.expect(200).json();
    let rules =
        rules["rulesAsText"].as_str().unwrap().replace(octavo_testkit::reference::ALLOW_ALL, id(&policy));
    reader.desk.set_rules(&rules).await;
    let refused = reader.desk.post(&path, &hold_body()).await;
    let refused = refused.refused("Cannot find a valid request type for this item");
    assert_eq!(refused.json()["errors"][0]["parameters"][0], json!({"key": "itemId", "value": item["id"]}));

    // A manual block.
    let block = json!({
        "type": "Manual", "desc": "Owes a book", "patronMessage": "Talk to us", "borrowing": false, "renewals": false,
        "requests": true, "userId": reader.patron["id"],
    });
    reader.desk.set_rules(&rules.replace(id(&policy), octavo_testkit::reference::ALLOW_ALL)).await;
    reader.desk.post("/manualblocks", &block).await.expect(201);
    reader.desk.post(&path, &hold_body()).await.refused("Patron blocked from requesting");
}

#[tokio::test]
async fn a_hold_on_a_title_takes_a_copy_or_waits_for_one() {
    let reader = Reader::open().await;
    let path = |title: &Value| reader.account_path(&format!("/instance/{}/hold", id(title)));
    let placed = reader.desk.post(&path(&reader.titles[0]), &hold_body()).await.expect(201).json();
    assert_eq!(placed["item"]["itemId"], reader.copies[0]["id"]);
    assert_eq!(reader.desk.status(&reader.copies[0]).await, "Paged");
    enable_title_requests(&reader).await;
    reader.desk.check_out(&reader.copies[1], &reader.desk.patron().await).await.expect(201);
    let placed = reader.desk.post(&path(&reader.titles[1]), &hold_body()).await.expect(201).json();
    assert_eq!(placed["item"]["title"], "Emma");
    assert_eq!(read_request(&reader, &placed).await["requestLevel"], "Title");
    let empty = crate::inventory::shelf::instance(&reader.desk, json!({"title": "Empty"})).await;
    let seen = reader.account("?includeHolds=true").await;
    let titles = seen["holds"].as_array().unwrap().iter().map(|hold| &hold["item"]["title"]);
    assert_eq!(titles.collect::<Vec<_>>(), ["Beloved", "Emma"]);
    let mut wish = hold_body();
    wish["pickupLocationId"] = json!(fresh_id());
    let refused = reader.desk.post(&path(&empty), &wish).await;
    assert!(refused.status >= 422, "{refused}");
}

#[tokio::test]
async fn a_hold_is_cancelled_by_whose_it_is() {
    let reader = Reader::open().await;
    let reason = cancellation_reason(&reader).await;
    let mut wish = hold_body();
    wish["patronComments"] = json!("Before Friday");
    let path = reader.account_path(&format!("/item/{}/hold", id(&reader.copies[0])));
    let placed = reader.desk.post(&path, &wish).await.expect(201).json();
    let rest = format!("/hold/{}/cancel", placed["requestId"].as_str().unwrap());
    let mut said = hold_body();
    said["cancellationReasonId"] = reason["id"].clone();
    said["canceledByUserId"] = reader.patron["id"].clone();
    said["canceledDate"] = json!("2026-11-02T10:00:00.000+00:00");
    said["cancellationAdditionalInformation"] = json!("Found it");

    // Nobody cancels what is another patron's.
    let other = format!("/patron/account/{}{rest}", id(&reader.desk.patron().await));
    reader.desk.post(&other, &said).await.expect(404);
    let mut unknown = said.clone();
    unknown["cancellationReasonId"] = json!("why");
    reader.desk.post(&reader.account_path(&rest), &unknown).await.expect(422);

    let cancelled = reader.desk.post(&reader.account_path(&rest), &said).await.expect(200);
    assert_eq!(cancelled.round_trips(), 2, "{cancelled}");
    let cancelled = cancelled.json();
    for (key, expected) in [
        ("requestId", placed["requestId"].clone()),
        ("item", placed["item"].clone()),
        ("status", json!("Closed - Cancelled")),
        ("cancellationReasonId", reason["id"].clone()),
        ("canceledByUserId", reader.patron["id"].clone()),
        ("canceledDate", said["canceledDate"].clone()),
        ("cancellationAdditionalInformation", json!("Found it")),
        ("patronComments", json!("Before Friday")),
    ] {
        assert_eq!(cancelled[key], expected, "{key}");
    }
    let request = read_request(&reader, &placed).await;
    for (key, expected) in [
        ("status", json!("Closed - Cancelled")),
        ("cancelledByUserId", reader.patron["id"].clone()),
        ("cancelledDate", said["canceledDate"].clone()),
        ("cancellationReasonId", reason["id"].clone()),
        ("patronComments", json!("Before Friday")),
    ] {
        assert_eq!(request[key], expected, "{key}");
    }
    assert_eq!(reader.desk.status(&reader.copies[0]).await, "Available");
    reader.desk.post(&reader.account_path(&rest), &said).await.refused("The Request has already been closed");
    let none = reader.account_path(&format!("/hold/{}/cancel", fresh_id()));
    reader.desk.post(&none, &said).await.expect(404);
}

#[tokio::test]
async fn where_a_title_may_be_picked_up_is_told_once_for_all_types() {
    let reader = Reader::open().await;
    let path = reader.account_path(&format!("/instance/{}/allowed-service-points", id(&reader.titles[0])));
    let at_desk = format!(
        "/circulation/requests/allowed-service-points?operation=create&requesterId={}&instanceId={}",
        id(&reader.patron),
        id(&reader.titles[0])
    );
    let by_type = reader.desk.get(&at_desk).await.expect(200).json();
    let found = reader.desk.get(&path).await.expect(200).json();
    assert_eq!(found["allowedServicePoints"], by_type["Page"]);
    assert!(found["allowedServicePoints"].as_array().unwrap().iter().any(|point| point["id"] == CIRC_DESK));
    enable_title_requests(&reader).await;
    let unknown = reader.account_path(&format!("/instance/{}/allowed-service-points", fresh_id()));
    reader.desk.get(&unknown).await.expect(422);
}
