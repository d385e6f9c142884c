//! A request from its first day to its last, and how the next in the queue gets the book.

use octavo_testkit::Desk;
use octavo_testkit::reference::CIRC_DESK;
use serde_json::{Value, json};

use super::requests::{instance_of, positions, queue_of_item, request_body, request_item};

/// FOLIO's "Circ Desk 2".
const OTHER_DESK: &str = "c4c90014-c8c9-4ade-8f24-b5e313319f4b";

async fn request_status(desk: &Desk, request: &Value) -> Value {
    let path = format!("/circulation/requests/{}", request["id"].as_str().unwrap_or_default());
    desk.get(&path).await.expect(200).json()["status"].take()
}

async fn check_in_at(desk: &Desk, item: &Value, point: &str) -> Value {
    let body = json!({"itemBarcode": item["barcode"], "servicePointId": point, "checkInDate": "2026-11-22T10:00:00Z"});
    desk.post("/circulation/check-in-by-barcode", &body).await.expect(200).json()
}

async fn items_in_transit(desk: &Desk) -> Value {
    desk.get("/inventory-reports/items-in-transit").await.expect(200).json()
}

#[tokio::test]
async fn placed_in_transit_awaiting_pickup_picked_up_returned_and_the_next() {
    let desk = Desk::open().await;
    let item = desk.item().await;
    let [borrower, ada, bob] = [desk.patron().await, desk.patron().await, desk.patron().await];
    let loan = desk.check_out(&item, &borrower).await.expect(201).json();

    // Placed: Ada will fetch it at the other desk, Bob recalls it.
    let mut body = request_body(&item, &instance_of(&desk, &item).await, &ada, "Hold");
    body["pickupServicePointId"] = json!(OTHER_DESK);
    let first = desk.post("/circulation/requests", &body).await.expect(201).json();
    assert_eq!((&first["status"], &first["position"]), (&json!("Open - Not yet filled"), &json!(1)));
    let second = request_item(&desk, &item, &bob, "Recall").await.expect(201).json();
    assert_eq!(second["position"], 2);
    let recalled = desk.get(&format!("/circulation/loans/{}", loan["id"].as_str().unwrap())).await.json();
    assert_eq!(
        (&recalled["dueDateChangedByRecall"], &recalled["action"]),
        (&json!(true), &json!("recallrequested"))
    );
    assert!(recalled["dueDate"].as_str() < loan["dueDate"].as_str(), "{recalled}");
    desk.renew(&item, &borrower).await.expect(422);

    // In transit: returned here, wanted there.
    let returned = check_in_at(&desk, &item, CIRC_DESK).await;
    assert_eq!(returned["item"]["status"]["name"], "In transit");
    assert_eq!(returned["staffSlipContext"]["item"]["toServicePoint"], "Circ Desk 2");
    assert_eq!(returned["staffSlipContext"]["request"]["requestID"], first["id"]);
    assert_eq!(request_status(&desk, &first).await, "Open - In transit");
    let report = items_in_transit(&desk).await;
    assert_eq!(report["totalRecords"], 1);
    let entry = &report["items"][0];
    assert_eq!(entry["barcode"], item["barcode"]);
    assert_eq!(entry["inTransitDestinationServicePoint"]["name"], "Circ Desk 2");
    assert_eq!(entry["loan"]["checkInServicePoint"]["name"], "Circ Desk 1");
    assert_eq!(entry["request"]["requestPickupServicePointName"], "Circ Desk 2");
    assert_eq!(entry["request"]["requestPatronGroup"], "Faculty Member");
    assert_eq!(entry["lastCheckIn"]["servicePoint"]["id"], CIRC_DESK);

    // Awaiting pickup.
    let arrived = check_in_at(&desk, &item, OTHER_DESK).await;
    assert_eq!(arrived["item"]["status"]["name"], "Awaiting pickup");
    assert_eq!(request_status(&desk, &first).await, "Open - Awaiting pickup");
    assert!(arrived["staffSlipContext"]["request"]["holdShelfExpirationDate"].is_string(), "{arrived}");
    assert_eq!(items_in_transit(&desk).await["totalRecords"], 0);
    desk.check_out(&item, &bob).await.expect(422);

    // Picked up: Bob's recall still waits, so the loan is short.
    let lent = desk.check_out(&item, &ada).await.expect(201).json();
    assert_eq!(request_status(&desk, &first).await, "Closed - Filled");
    assert_eq!(lent["dueDateChangedByRecall"], true, "{lent}");
    assert!(lent["dueDate"].as_str() < loan["dueDate"].as_str(), "{lent}");
    let waiting = queue_of_item(&desk, &item).await;
    assert_eq!((positions(&waiting), &waiting[0]["id"]), (vec![1], &second["id"]));

    // Returned, and the next.
    let returned = check_in_at(&desk, &item, CIRC_DESK).await;
    assert_eq!(returned["item"]["status"]["name"], "Awaiting pickup");
    assert_eq!(returned["staffSlipContext"]["requester"]["barcode"], bob["barcode"]);
    assert_eq!(request_status(&desk, &second).await, "Open - Awaiting pickup");
    desk.check_out(&item, &bob).await.expect(201);
    assert_eq!(request_status(&desk, &second).await, "Closed - Filled");
    assert_eq!(queue_of_item(&desk, &item).await, Vec::<Value>::new());
    let home = check_in_at(&desk, &item, CIRC_DESK).await;
    assert_eq!(home["item"]["status"]["name"], "Available");
}
