//! Requests that are edited, posted closed, or left over from when titles had queues; and which copy a title-level request takes.

use octavo_testkit::reference::{BOOK, CAN_CIRCULATE, CIRC_DESK, SOURCE_FOLIO};
use octavo_testkit::{Desk, fresh_id};
use serde_json::{Value, json};

use super::requests::{enable_title_requests, instance_of, queue_of_item, request_body, request_item};

const ONLINE: &str = "7c5abc9f-f3d7-4856-b8d7-6712462ca007";

fn path(request: &Value) -> String {
    format!("/circulation/requests/{}", request["id"].as_str().unwrap_or_default())
}

fn title_request(item: &Value, instance: &Value, patron: &Value, kind: &str) -> Value {
    let mut body = request_body(item, instance, patron, kind);
    body["requestLevel"] = json!("Title");
    for key in ["itemId", "holdingsRecordId"] {
        body.as_object_mut().unwrap().remove(key);
    }
    body
}

async fn disable_title_requests(desk: &Desk) {
    let found = desk.find("/configurations/entries", "configName==TLR").await.expect(200).json();
    let mut entry = found["configs"][0].clone();
    entry["value"] = json!(json!({"titleLevelRequestsFeatureEnabled": false}).to_string());
    let path = format!("/configurations/entries/{}", entry["id"].as_str().unwrap());
    desk.put(&path, &entry).await.expect(204);
}

#[tokio::test]
async fn an_edit_is_checked_as_a_new_request_is() {
    let desk = Desk::open().await;
    let (item, patron, proxy) = (desk.item().await, desk.patron().await, desk.patron().await);
    desk.check_out(&item, &desk.patron().await).await.expect(201);
    let request = request_item(&desk, &item, &patron, "Hold").await.expect(201).json();
    let edited = async |key: &str, value: Value| {
        let mut body = desk.get(&path(&request)).await.expect(200).json();
        match value {
            Value::Null => drop(body.as_object_mut().unwrap().remove(key)),
            value => body[key] = value,
        }
        desk.put(&path(&request), &body).await
    };
    let nowhere = json!(fresh_id());
    edited("pickupServicePointId", nowhere).await.refused("Pickup service point does not exist");
    edited("pickupServicePointId", Value::Null)
        .await
        .refused("Hold shelf fulfillment requests require a Pickup service point");
    edited("pickupServicePointId", json!(ONLINE)).await.refused("Service point is not a pickup location");
    edited("proxyUserId", patron["id"].clone()).await.refused("User cannot be proxy for themselves");
    edited("proxyUserId", proxy["id"].clone()).await.refused("proxyUserId is not valid");
    let relation = json!({"id": fresh_id(), "userId": patron["id"], "proxyUserId": proxy["id"],
        "status": "Active", "requestForSponsor": "Yes", "notificationsTo": "Sponsor", "accrueTo": "Sponsor"});
    desk.post("/proxiesfor", &relation).await.expect(201);
    edited("proxyUserId", proxy["id"].clone()).await.expect(204);
    let shown = desk.get(&path(&request)).await.expect(200).json();
    assert_eq!(shown["proxy"]["barcode"], proxy["barcode"]);

    let stored = format!("/request-storage/requests/{}", request["id"].as_str().unwrap());
    let stored = desk.get(&stored).await.expect(200).json();
    for person in ["requester", "proxy"] {
        assert!(stored[person]["lastName"].is_string(), "{stored}");
        assert!(stored[person].get("patronGroup").is_none(), "{stored}");
    }
}

#[tokio::test]
async fn a_put_request_that_is_not_stored_is_made_or_told_its_first_mistake() {
    let desk = Desk::open().await;
    let (item, patron) = (desk.item().await, desk.patron().await);
    let body = request_body(&item, &instance_of(&desk, &item).await, &patron, "Page");
    let mut wrong = body.clone();
    for member in ["holdingsRecordId", "requestDate"] {
        wrong.as_object_mut().unwrap().remove(member);
    }
    let all = desk.post("/circulation/requests", &wrong).await.expect(422).refusals();
    let first = "Cannot create a request with item ID but no holdings record ID";
    assert!(all.len() > 1 && all[0] == first, "{all:?}");
    desk.put(&path(&body), &wrong).await.refused(first);
    desk.put(&path(&body), &body).await.expect(204);
    assert_eq!(desk.get(&path(&body)).await.expect(200).json()["position"], 1);
}

#[tokio::test]
async fn a_hold_for_a_title_may_be_picked_up_where_its_copies_may() {
    let desk = Desk::open().await;
    enable_title_requests(&desk).await;
    let (item, patron) = (desk.item().await, desk.patron().await);
    desk.check_out(&item, &desk.patron().await).await.expect(201);
    let instance = instance_of(&desk, &item).await;
    let body = title_request(&item, &instance, &patron, "Hold");
    let request = desk.post("/circulation/requests", &body).await.expect(201).json();
    assert!(request.get("itemId").is_none(), "{request}");
    let id = request["id"].as_str().unwrap();
    let points = format!("/circulation/requests/allowed-service-points?operation=replace&requestId={id}");
    let allowed = desk.get(&points).await.expect(200).json();
    for kind in ["Page", "Hold", "Recall"] {
        let ids: Vec<&Value> = allowed[kind].as_array().unwrap().iter().map(|point| &point["id"]).collect();
        assert!(ids.contains(&&json!(CIRC_DESK)), "{allowed}");
    }
}

#[tokio::test]
async fn a_request_that_is_posted_closed_stays_closed() {
    let desk = Desk::open().await;
    let (item, patron) = (desk.item().await, desk.patron().await);
    let instance = instance_of(&desk, &item).await;
    let mut body = request_body(&item, &instance, &patron, "Page");
    body["status"] = json!("Closed - Cancelled");
    let made = desk.post("/circulation/requests", &body).await.expect(201).json();
    assert_eq!(made["status"], "Closed - Cancelled");
    assert_eq!(desk.status(&item).await, "Available");
    assert_eq!(queue_of_item(&desk, &item).await.len(), 0);
    desk.check_out(&item, &desk.patron().await).await.expect(201);
    desk.check_in(&item).await.expect(200);
    let shown = desk.get(&path(&made)).await.expect(200).json();
    assert_eq!(shown["status"], "Closed - Cancelled");
    assert!(shown.get("position").is_none(), "{shown}");
}

#[tokio::test]
async fn requests_for_titles_do_not_count_while_the_library_has_none() {
    let desk = Desk::open().await;
    enable_title_requests(&desk).await;
    let (item, patron, other) = (desk.item().await, desk.patron().await, desk.patron().await);
    let instance = instance_of(&desk, &item).await;
    let body = title_request(&item, &instance, &patron, "Page");
    let page = desk.post("/circulation/requests", &body).await.expect(201).json();
    assert_eq!(page["itemId"], item["id"]);
    desk.check_out(&item, &other).await.expect(422);

    disable_title_requests(&desk).await;
    assert_eq!(queue_of_item(&desk, &item).await.len(), 0);
    desk.check_out(&item, &other).await.expect(201);
    // Neither as a request of the same patron.
    let hold = request_item(&desk, &item, &patron, "Hold").await.expect(201).json();
    desk.check_in(&item).await.expect(200);
    assert_eq!(desk.get(&path(&hold)).await.expect(200).json()["status"], "Open - Awaiting pickup");
    assert_eq!(desk.get(&path(&page)).await.expect(200).json()["status"], "Open - Not yet filled");
}

/// A location of the branch's library, or of a library elsewhere, with its primary service point.
async fn location(desk: &Desk, library: Option<&Value>, point: &str) -> Value {
    let own = desk.get(&format!("/locations/{}", desk.location)).await.expect(200).json();
    let mut location = own.clone();
    let id = fresh_id();
    location["id"] = json!(id);
    for key in ["name", "code", "discoveryDisplayName"] {
        location[key] = json!(id.to_string());
    }
    location["primaryServicePoint"] = json!(point);
    location["servicePointIds"] = json!([point]);
    location.as_object_mut().unwrap().remove("metadata");
    if let Some(library) = library {
        location["libraryId"] = library["id"].clone();
    }
    desk.post("/locations", &location).await.expect(201).json()
}

#[tokio::test]
async fn a_page_for_a_title_takes_the_copy_closest_to_the_pickup_point() {
    let desk = Desk::open().await;
    enable_title_requests(&desk).await;
    let own = desk.get(&format!("/locations/{}", desk.location)).await.expect(200).json();
    let branch = json!({"id": fresh_id(), "name": "Annexe", "code": "AX", "campusId": own["campusId"]});
    let branch = desk.post("/location-units/libraries", &branch).await.expect(201).json();
    let pickup = json!({"id": fresh_id(), "name": "Annexe desk", "code": "axd", "discoveryDisplayName": "Annexe",
        "pickupLocation": true, "holdShelfExpiryPeriod": {"duration": 3, "intervalId": "Days"}});
    let pickup = desk.post("/service-points", &pickup).await.expect(201).json();
    let point = pickup["id"].as_str().unwrap();
    // The annexe's own shelf has no copy; another shelf of its library has one.
    location(&desk, Some(&branch), point).await;
    let near = location(&desk, Some(&branch), CIRC_DESK).await;

    let first = desk.item().await;
    let instance = instance_of(&desk, &first).await;
    let holdings = json!({"id": fresh_id(), "instanceId": instance, "permanentLocationId": near["id"],
        "sourceId": SOURCE_FOLIO});
    desk.post("/holdings-storage/holdings", &holdings).await.expect(201);
    for at in 0..2 {
        // Whatever the order of the ids is.
        let copy = |holdings: &Value| {
            json!({"id": fresh_id(), "holdingsRecordId": holdings, "status": {"name": "Available"},
                "materialTypeId": BOOK, "permanentLoanTypeId": CAN_CIRCULATE})
        };
        let far = copy(&first["holdingsRecordId"]);
        desk.post("/item-storage/items", &far).await.expect(201);
        let close = copy(&holdings["id"]);
        desk.post("/item-storage/items", &close).await.expect(201);
        let mut body = title_request(&first, &instance, &desk.patron().await, "Page");
        body["pickupServicePointId"] = json!(point);
        let page = desk.post("/circulation/requests", &body).await.expect(201).json();
        assert_eq!(page["itemId"], close["id"], "{at}: {page}");
    }
}
