//! Requests through the interface: positions without gaps however many ask at once, and what a request costs.

use octavo_testkit::reference::CIRC_DESK;
use octavo_testkit::{Desk, Octavo, Reply, fresh_id};
use serde_json::{Value, json};
use tokio::task::JoinSet;

pub(super) fn request_body(item: &Value, instance: &Value, patron: &Value, kind: &str) -> Value {
    json!({
        "id": fresh_id(), "requestType": kind, "requestLevel": "Item", "fulfillmentPreference": "Hold Shelf",
        "itemId": item["id"], "holdingsRecordId": item["holdingsRecordId"], "instanceId": instance,
        "requesterId": patron["id"], "pickupServicePointId": CIRC_DESK, "requestDate": "2026-11-01T10:00:00Z",
    })
}

pub(crate) async fn request_item(desk: &Desk, item: &Value, patron: &Value, kind: &str) -> Reply {
    let instance = instance_of(desk, item).await;
    desk.post("/circulation/requests", &request_body(item, &instance, patron, kind)).await
}

pub(super) async fn instance_of(desk: &Desk, item: &Value) -> Value {
    let holdings = item["holdingsRecordId"].as_str().unwrap_or_default();
    desk.get(&format!("/holdings-storage/holdings/{holdings}")).await.expect(200).json()["instanceId"].take()
}

pub(super) async fn queue_of_item(desk: &Desk, item: &Value) -> Vec<Value> {
    let id = item["id"].as_str().unwrap_or_default();
    let body = desk.get(&format!("/circulation/requests/queue/item/{id}")).await.expect(200).json();
    body["requests"].as_array().cloned().unwrap_or_default()
}

pub(super) fn positions(queue: &[Value]) -> Vec<i64> {
    queue.iter().filter_map(|request| request["position"].as_i64()).collect()
}

pub(super) async fn enable_title_requests(desk: &Desk) {
    let value = json!({"titleLevelRequestsFeatureEnabled": true}).to_string();
    let entry = json!({"module": "SETTINGS", "configName": "TLR", "value": value});
    desk.post("/configurations/entries", &entry).await.expect(201);
}

/// Fifty patrons ask, through two servers, for an item that comes and goes meanwhile.
async fn fifty_patrons_request(desk: &Desk) {
    let other = desk.through(&Octavo::start_another().await);
    let (item, borrower) = (desk.item().await, desk.patron().await);
    let instance = instance_of(desk, &item).await;
    desk.check_out(&item, &borrower).await.expect(201);
    let mut tasks: JoinSet<Reply> = JoinSet::new();
    for at in 0..50 {
        let body = request_body(&item, &instance, &desk.patron().await, "Hold");
        let desk = if at % 2 == 0 { desk.clone() } else { other.clone() };
        tasks.spawn(async move { desk.post("/circulation/requests", &body).await });
        if at % 5 == 0 {
            let (desk, item, borrower) = (other.clone(), item.clone(), borrower.clone());
            tasks.spawn(async move {
                match at % 10 {
                    0 => desk.check_in(&item).await,
                    _ => desk.check_out(&item, &borrower).await,
                }
            });
        }
    }
    let replies = tasks.join_all().await;
    assert!(replies.iter().all(|reply| [200, 201, 422].contains(&reply.status)), "{replies:#?}");
    let mut asked: Vec<String> = replies
        .iter()
        .filter(|reply| reply.status == 201)
        .map(Reply::json)
        .filter(|body| body.get("requestType").is_some())
        .map(|body| body["id"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert!(!asked.is_empty());
    let queue = queue_of_item(desk, &item).await;
    assert_eq!(positions(&queue), (1..=asked.len() as i64).collect::<Vec<_>>());
    let mut known: Vec<String> =
        queue.iter().map(|request| request["id"].as_str().unwrap_or_default().to_owned()).collect();
    asked.sort_unstable();
    known.sort_unstable();
    assert_eq!(known, asked, "nobody is lost");
}

#[tokio::test]
async fn positions_stay_without_gaps_while_the_item_comes_and_goes() {
    fifty_patrons_request(&Desk::open().await).await;
}

#[tokio::test]
async fn the_queue_of_a_title_has_no_gaps_either() {
    let desk = Desk::open().await;
    enable_title_requests(&desk).await;
    fifty_patrons_request(&desk).await;
}

#[tokio::test]
async fn who_cancels_at_once_leaves_a_queue_without_gaps() {
    let desk = Desk::open().await;
    let (item, borrower) = (desk.item().await, desk.patron().await);
    desk.check_out(&item, &borrower).await.expect(201);
    let mut requests = Vec::new();
    for _ in 0..10 {
        requests.push(request_item(&desk, &item, &desk.patron().await, "Hold").await.expect(201).json());
    }
    let mut tasks: JoinSet<Reply> = JoinSet::new();
    for mut request in requests.into_iter().step_by(2) {
        request["status"] = json!("Closed - Cancelled");
        let desk = desk.clone();
        tasks.spawn(async move {
            desk.put(
                &format!("/circulation/requests/{}", request["id"].as_str().unwrap_or_default()),
                &request,
            )
            .await
        });
    }
    for reply in tasks.join_all().await {
        reply.expect(204);
    }
    assert_eq!(positions(&queue_of_item(&desk, &item).await), [1, 2, 3, 4, 5]);
}

#[tokio::test]
async fn a_page_goes_from_the_shelf_to_its_patron() {
    let desk = Desk::open().await;
    let (item, patron) = (desk.item().await, desk.patron().await);
    let request = request_item(&desk, &item, &patron, "Page").await.expect(201).json();
    assert_eq!(request["position"], 1);
    assert_eq!(desk.status(&item).await, "Paged");
    let slips = desk.get(&format!("/circulation/pick-slips/{CIRC_DESK}")).await.expect(200).json();
    assert_eq!(slips["pickSlips"][0]["request"]["requestID"], request["id"]);
    desk.check_in(&item).await.expect(200);
    assert_eq!(desk.status(&item).await, "Awaiting pickup");
    desk.check_out(&item, &desk.patron().await).await.expect(422);
    desk.check_out(&item, &patron).await.expect(201);
    let path = format!("/circulation/requests/{}", request["id"].as_str().unwrap());
    let request = desk.get(&path).await.expect(200).json();
    assert_eq!(request["status"], "Closed - Filled");
    assert!(request.get("position").is_none(), "{request}");
    assert_eq!(request["requester"]["patronGroup"]["group"], "faculty");
}

#[tokio::test]
async fn a_page_that_is_cancelled_leaves_the_item_available() {
    let desk = Desk::open().await;
    let (item, patron) = (desk.item().await, desk.patron().await);
    for closing in ["cancelled", "deleted"] {
        let mut request = request_item(&desk, &item, &patron, "Page").await.expect(201).json();
        let path = format!("/circulation/requests/{}", request["id"].as_str().unwrap());
        request["status"] = json!("Closed - Cancelled");
        match closing {
            "cancelled" => desk.put(&path, &request).await.expect(204),
            _ => desk.delete(&path).await.expect(204),
        };
        assert_eq!(desk.status(&item).await, "Available", "{closing}");
    }
}

#[tokio::test]
async fn a_deleted_page_leaves_the_item_available_though_others_wait() {
    let desk = Desk::open().await;
    let item = desk.item().await;
    let page = request_item(&desk, &item, &desk.patron().await, "Page").await.expect(201).json();
    let hold = request_item(&desk, &item, &desk.patron().await, "Hold").await.expect(201).json();
    let path = |request: &Value| format!("/circulation/requests/{}", request["id"].as_str().unwrap());
    desk.delete(&path(&page)).await.expect(204);
    assert_eq!(desk.status(&item).await, "Available");
    assert_eq!(desk.get(&path(&hold)).await.expect(200).json()["position"], 1);
}

#[tokio::test]
async fn a_title_level_recall_is_filled_by_another_copy_that_its_patron_takes() {
    let desk = Desk::open().await;
    enable_title_requests(&desk).await;
    let item = desk.item().await;
    let [borrower, patron, other] = [desk.patron().await, desk.patron().await, desk.patron().await];
    desk.check_out(&item, &borrower).await.expect(201);
    let mut body = request_body(&item, &instance_of(&desk, &item).await, &patron, "Recall");
    body["requestLevel"] = json!("Title");
    for key in ["itemId", "holdingsRecordId"] {
        body.as_object_mut().unwrap().remove(key);
    }
    let recall = desk.post("/circulation/requests", &body).await.expect(201).json();
    assert_eq!(recall["itemId"], item["id"]);
    let path = format!("/circulation/requests/{}", recall["id"].as_str().unwrap());
    // The copies came after the recall.
    let mut copies = Vec::new();
    for _ in 0..2 {
        let mut copy =
            desk.get(&format!("/item-storage/items/{}", item["id"].as_str().unwrap())).await.json();
        for key in ["hrid", "_version", "metadata"] {
            copy.as_object_mut().unwrap().remove(key);
        }
        copy["id"] = json!(fresh_id());
        copy["barcode"] = copy["id"].clone();
        copy["status"] = json!({"name": "Available"});
        desk.post("/item-storage/items", &copy).await.expect(201);
        copies.push(copy);
    }
    desk.check_out(&copies[0], &other).await.expect(201);
    assert_eq!(desk.get(&path).await.expect(200).json()["status"], "Open - Not yet filled");
    desk.check_out(&copies[1], &patron).await.expect(201);
    assert_eq!(desk.get(&path).await.expect(200).json()["status"], "Closed - Filled");
}

#[tokio::test]
async fn a_title_level_hold_is_fulfilled_by_the_copy_that_comes_back() {
    let desk = Desk::open().await;
    enable_title_requests(&desk).await;
    let items = desk.items(2).await;
    let (borrower, patron) = (desk.patron().await, desk.patron().await);
    for item in &items {
        desk.check_out(item, &borrower).await.expect(201);
    }
    let instance = instance_of(&desk, &items[0]).await;
    let mut body = request_body(&items[0], &instance, &patron, "Hold");
    body["requestLevel"] = json!("Title");
    for key in ["itemId", "holdingsRecordId"] {
        body.as_object_mut().unwrap().remove(key);
    }
    let request = desk.post("/circulation/requests", &body).await.expect(201).json();
    assert!(request.get("itemId").is_none(), "{request}");
    desk.check_in(&items[1]).await.expect(200);
    let id = request["id"].as_str().unwrap();
    let request = desk.get(&format!("/circulation/requests/{id}")).await.expect(200).json();
    assert_eq!(request["itemId"], items[1]["id"]);
    assert_eq!(request["status"], "Open - Awaiting pickup");
}

#[tokio::test]
async fn a_request_takes_two_round_trips_and_so_does_a_page_of_them() {
    let desk = Desk::open().await;
    let (items, borrower) = (desk.items(3).await, desk.patron().await);
    for item in &items {
        desk.check_out(item, &borrower).await.expect(201);
    }
    // The first meets a connection that has not prepared its statements.
    request_item(&desk, &items[0], &desk.patron().await, "Recall").await.expect(201);
    let reply = request_item(&desk, &items[1], &desk.patron().await, "Recall").await.expect(201);
    assert_eq!(reply.round_trips(), 2, "{reply}");
    request_item(&desk, &items[2], &desk.patron().await, "Hold").await.expect(201);
    let reply = desk.get("/circulation/requests?limit=100").await.expect(200);
    assert_eq!((reply.round_trips(), reply.total()), (2, 3), "{reply}");
}

#[tokio::test]
async fn nonsense_is_the_client_s_mistake() {
    let desk = Desk::open().await;
    let (item, patron) = (desk.item().await, desk.patron().await);
    let instance = instance_of(&desk, &item).await;
    for (key, value) in [
        ("itemId", json!("no uuid")),
        ("instanceId", json!("no uuid")),
        ("requesterId", json!(7)),
        ("requestDate", json!("soon")),
        ("id", json!("no uuid")),
        ("proxyUserId", json!("no uuid")),
        ("pickupServicePointId", json!({})),
        ("unheardOf", json!(true)),
    ] {
        let mut body = request_body(&item, &instance, &patron, "Page");
        body[key] = value;
        desk.post("/circulation/requests", &body).await.expect(422);
    }
    desk.post("/circulation/requests", &json!([])).await.expect(400);
    let paths = ["/circulation/requests/none", "/circulation/requests/queue/item/none"];
    for path in paths {
        desk.get(path).await.expect(404);
    }
    let path = "/circulation/requests/allowed-service-points?operation=create&requesterId=none";
    desk.get(path).await.expect(400);
    assert_eq!(desk.status(&item).await, "Available");
}
