//! Whole queues: requests expire, queues become one or many, batches of requests are stored, and what a long queue costs.

use octavo_modules::circulation_storage::REQUEST;
use octavo_testkit::reference::CIRC_DESK;
use octavo_testkit::{Desk, fresh_id};
use serde_json::{Value, json};

use super::requests::{
    enable_title_requests, instance_of, positions, queue_of_item, request_body, request_item,
};
use super::timers::{Branch, run_timer};

const EXPIRE: &str = "/scheduled-request-expiration";
const RENUMBER: &str = "/tlr-feature-toggle-job/start";
const JOBS: &str = "/tlr-feature-toggle-job-storage/tlr-feature-toggle-jobs";

fn id(record: &Value) -> &str {
    record["id"].as_str().unwrap_or_default()
}

async fn request(desk: &Desk, request: &Value) -> Value {
    desk.get(&format!("/circulation/requests/{}", id(request))).await.expect(200).json()
}

async fn queue_of_title(desk: &Desk, instance: &Value) -> Vec<Value> {
    let path = format!("/circulation/requests/queue/instance/{}", instance.as_str().unwrap_or_default());
    let body = desk.get(&path).await.expect(200).json();
    body["requests"].as_array().cloned().unwrap_or_default()
}

fn ids(queue: &[Value]) -> Vec<&str> {
    queue.iter().map(id).collect()
}

/// Checks an item out and places `count` holds on it; returns the requests, oldest first.
async fn lend_and_request(desk: &Desk, item: &Value, count: usize) -> Vec<Value> {
    desk.check_out(item, &desk.patron().await).await.expect(201);
    let mut requests = Vec::new();
    for _ in 0..count {
        requests.push(request_item(desk, item, &desk.patron().await, "Hold").await.expect(201).json());
    }
    requests
}

#[tokio::test]
async fn a_request_that_could_not_be_filled_in_time_is_closed() {
    let desk = Branch::open().await;
    let (item, borrower) = (desk.item().await, desk.patron().await);
    desk.check_out(&item, &borrower).await.expect(201);
    let instance = instance_of(&desk, &item).await;
    let mut requests = Vec::new();
    for until in [Value::Null, json!("2020-01-01T10:00:00Z"), json!("2999-01-01T10:00:00Z")] {
        let mut body = request_body(&item, &instance, &desk.patron().await, "Hold");
        if until.is_string() {
            body["requestExpirationDate"] = until;
        }
        requests.push(desk.post("/circulation/requests", &body).await.expect(201).json());
    }
    assert_eq!(run_timer(&desk, EXPIRE).await["lastOutcome"], "204");
    let expired = request(&desk, &requests[1]).await;
    assert_eq!(expired["status"], "Closed - Unfilled");
    assert!(expired.get("position").is_none(), "{expired}");
    let queue = queue_of_item(&desk, &item).await;
    assert_eq!(ids(&queue), [id(&requests[0]), id(&requests[2])]);
    assert_eq!(positions(&queue), [1, 2]);
    assert_eq!(desk.status(&item).await, "Checked out");
}

#[tokio::test]
async fn a_page_that_expires_leaves_the_item_available() {
    let desk = Branch::open().await;
    let item = desk.item().await;
    let instance = instance_of(&desk, &item).await;
    let mut body = request_body(&item, &instance, &desk.patron().await, "Page");
    body["requestExpirationDate"] = json!("2020-01-01T10:00:00Z");
    desk.post("/circulation/requests", &body).await.expect(201);
    assert_eq!(desk.status(&item).await, "Paged");
    run_timer(&desk, EXPIRE).await;
    assert_eq!(desk.status(&item).await, "Available");
}

#[tokio::test]
async fn what_nobody_fetches_is_cleared_from_the_hold_shelf() {
    let desk = Branch::open().await;
    let item = desk.item().await;
    let page = request_item(&desk, &item, &desk.patron().await, "Page").await.expect(201).json();
    desk.check_in(&item).await.expect(200);
    let path = format!("/request-storage/requests/{}", id(&page));
    let mut stored = desk.get(&path).await.expect(200).json();
    assert_eq!(stored["status"], "Open - Awaiting pickup");
    assert!(stored["holdShelfExpirationDate"].is_string(), "{stored}");
    run_timer(&desk, EXPIRE).await;
    assert_eq!(request(&desk, &page).await["status"], "Open - Awaiting pickup", "there is time");

    stored["holdShelfExpirationDate"] = json!("2020-01-01T22:59:59.000+00:00");
    desk.put(&path, &stored).await.expect(204);
    run_timer(&desk, EXPIRE).await;
    let expired = request(&desk, &page).await;
    assert_eq!(expired["status"], "Closed - Pickup expired");
    assert_eq!(desk.status(&item).await, "Awaiting pickup");
    let report = format!("/circulation/requests-reports/hold-shelf-clearance/{CIRC_DESK}");
    let reply = desk.get(&report).await.expect(200);
    assert_eq!(reply.field_values("requests", "id"), [id(&page)]);
    let closed = &expired["awaitingPickupRequestClosedDate"];
    assert!(closed.is_string(), "{expired}");
    assert_eq!(&reply.json()["requests"][0]["awaitingPickupRequestClosedDate"], closed);
    desk.check_in(&item).await.expect(200);
    assert_eq!(desk.status(&item).await, "Available");
    assert_eq!(desk.get(&report).await.expect(200).total(), 0);
}

#[tokio::test]
async fn the_hold_shelf_is_cleared_whoever_closes_the_request() {
    let desk = Desk::open().await;
    let item = desk.item().await;
    let page = request_item(&desk, &item, &desk.patron().await, "Page").await.expect(201).json();
    desk.check_in(&item).await.expect(200);
    let path = format!("/request-storage/requests/{}", id(&page));
    let mut stored = desk.get(&path).await.expect(200).json();
    stored["status"] = json!("Closed - Cancelled");
    stored.as_object_mut().map(|request| request.remove("position"));
    desk.put(&path, &stored).await.expect(204);
    let report = format!("/circulation/requests-reports/hold-shelf-clearance/{CIRC_DESK}");
    assert_eq!(desk.get(&report).await.expect(200).field_values("requests", "id"), [id(&page)]);
}

#[tokio::test]
async fn what_was_closed_last_comes_first_among_what_is_to_be_cleared() {
    let desk = Desk::open().await;
    let mut closed = Vec::new();
    for item in desk.items(3).await {
        let page = request_item(&desk, &item, &desk.patron().await, "Page").await.expect(201).json();
        desk.check_in(&item).await.expect(200);
        let path = format!("/request-storage/requests/{}", id(&page));
        let mut stored = desk.get(&path).await.expect(200).json();
        stored["status"] = json!("Closed - Cancelled");
        stored.as_object_mut().map(|request| request.remove("position"));
        desk.put(&path, &stored).await.expect(204);
        closed.insert(0, id(&page).to_owned());
    }
    let report = format!("/circulation/requests-reports/hold-shelf-clearance/{CIRC_DESK}");
    assert_eq!(desk.get(&report).await.expect(200).field_values("requests", "id"), closed);
}

#[tokio::test]
async fn requests_are_found_by_the_isbn_of_their_title() {
    let desk = Desk::open().await;
    let item = desk.item().await;
    let page = request_item(&desk, &item, &desk.patron().await, "Page").await.expect(201).json();
    let path = format!("/request-storage/requests/{}", id(&page));
    let mut stored = desk.get(&path).await.expect(200).json();
    stored["instance"]["identifiers"] = json!([
        {"identifierTypeId": "8261054f-be78-422d-bd51-4ed9f33c3422", "value": "978-0-452-26446-3 (pbk.)"},
        {"identifierTypeId": "913300b2-03ed-469a-8179-c1092c991227", "value": "1234-5679"},
    ]);
    desk.put(&path, &stored).await.expect(204);
    for (query, found) in [("9780452264463", 1), ("97804522*", 1), ("9780452264464", 0), ("12345679", 0)] {
        let reply = desk.find("/circulation/requests", &format!("itemIsbn=\"{query}\"")).await.expect(200);
        assert_eq!(reply.total(), found, "{query}");
    }
}

#[tokio::test]
async fn queues_follow_the_switch_for_titles() {
    let desk = Branch::open().await;
    let items = desk.items(2).await;
    let instance = instance_of(&desk, &items[0]).await;
    let mut requests = lend_and_request(&desk, &items[0], 2).await;
    requests.extend(lend_and_request(&desk, &items[1], 2).await);

    enable_title_requests(&desk).await;
    let job = desk.post(JOBS, &json!({"status": "open"})).await.expect(201).json();
    assert_eq!(run_timer(&desk, RENUMBER).await["lastOutcome"], "202");
    let done = desk.get(&format!("{JOBS}/{}", id(&job))).await.expect(200).json();
    assert_eq!((&done["status"], &done["numberOfUpdatedRequests"]), (&json!("done"), &json!(4)), "{done}");
    let one = queue_of_title(&desk, &instance).await;
    assert_eq!(positions(&one), [1, 2, 3, 4]);
    assert_eq!(ids(&one[..2]).len(), 2);
    let first: Vec<&str> = vec![id(&requests[0]), id(&requests[2])];
    assert!(first.contains(&id(&one[0])) && first.contains(&id(&one[1])), "who stood first still does");

    let query = "module==SETTINGS and configName==TLR";
    let entry = desk.find("/configurations/entries", query).await.expect(200).json()["configs"][0].take();
    let mut entry = entry;
    entry["value"] = json!(json!({"titleLevelRequestsFeatureEnabled": false}).to_string());
    desk.put(&format!("/configurations/entries/{}", id(&entry)), &entry).await.expect(204);
    run_timer(&desk, RENUMBER).await;
    for (item, requests) in items.iter().zip(requests.chunks(2)) {
        let queue = queue_of_item(&desk, item).await;
        assert_eq!(positions(&queue), [1, 2]);
        assert_eq!(ids(&queue), ids(requests));
    }
}

#[tokio::test]
async fn positions_are_exchanged_in_a_batch() {
    let desk = Desk::open().await;
    let item = desk.item().await;
    let requests = lend_and_request(&desk, &item, 2).await;
    let mut stored = Vec::new();
    for (request, position) in requests.iter().zip([2, 1]) {
        let mut record =
            desk.get(&format!("/request-storage/requests/{}", id(request))).await.expect(200).json();
        record["position"] = json!(position);
        stored.push(record);
    }
    let path = "/request-storage-batch/requests";
    desk.post(path, &json!({"requests": stored})).await.says(201, "");
    assert_eq!(ids(&queue_of_item(&desk, &item).await), [id(&requests[1]), id(&requests[0])]);
    stored[0]["position"] = json!(1);
    let message = "Cannot have more than one request with the same position in the queue";
    desk.post(path, &json!({"requests": stored})).await.refused(message);
    assert_eq!(positions(&queue_of_item(&desk, &item).await), [1, 2], "nothing was changed");
    stored[0]["status"] = json!("Open - Somehow");
    desk.post(path, &json!({"requests": stored})).await.expect(422);
    desk.post(path, &json!({"requests": []})).await.expect(201);
    stored[0]["status"] = json!("Open - Not yet filled");
    stored[0].as_object_mut().unwrap().remove("id");
    stored[1]["position"] = json!(7);
    let refused = desk.post(path, &json!({"requests": stored})).await;
    assert_eq!(refused.refused_keys(), ["id"]);
    refused.refused("must not be null");
    assert_eq!(positions(&queue_of_item(&desk, &item).await), [1, 2], "nothing was changed");
}

/// Puts `count` holds of patrons who are not known into the queue of a lent item.
async fn long_queue(branch: &Branch, count: usize) -> (Value, Vec<Value>) {
    let item = branch.item().await;
    branch.check_out(&item, &branch.patron().await).await.expect(201);
    let instance = instance_of(branch, &item).await;
    let holds: Vec<Value> = (1..=count)
        .map(|position| {
            let mut hold = request_body(&item, &instance, &json!({"id": fresh_id()}), "Hold");
            hold["status"] = json!("Open - Not yet filled");
            hold["position"] = json!(position);
            hold
        })
        .collect();
    branch.library.store_all(&REQUEST, holds.clone()).await;
    (item, holds)
}

/// Placing, filling, putting in order, lending to the first: so many statements, however long the queue.
#[tokio::test]
async fn a_queue_of_a_thousand_costs_no_more_statements_than_one_of_twenty() {
    let desk = Branch::open().await;
    let mut costs = Vec::new();
    // The first pass meets connections that have not prepared their statements.
    for length in [20, 20, 1_000] {
        let (item, holds) = long_queue(&desk, length).await;
        let placed = request_item(&desk, &item, &desk.patron().await, "Hold").await.expect(201);
        assert_eq!(placed.json()["position"], length + 1);
        let path = format!("/circulation/requests/queue/item/{}", id(&item));
        let mut order: Vec<Value> = holds
            .iter()
            .rev()
            .zip(1..)
            .map(|(hold, at)| json!({"id": hold["id"], "newPosition": at}))
            .collect();
        order.push(json!({"id": placed.json()["id"], "newPosition": length + 1}));
        let reordered =
            desk.post(&format!("{path}/reorder"), &json!({"reorderedQueue": order})).await.expect(200);
        assert_eq!(reordered.json()["requests"][0]["id"], holds[length - 1]["id"]);
        let filled = desk.check_in(&item).await.expect(200);
        assert_eq!(desk.status(&item).await, "Awaiting pickup");
        let first = request(&desk, &holds[length - 1]).await;
        assert_eq!((&first["status"], &first["position"]), (&json!("Open - Awaiting pickup"), &json!(1)));
        let mut closed =
            desk.get(&format!("/request-storage/requests/{}", id(&first))).await.expect(200).json();
        closed["status"] = json!("Closed - Cancelled");
        let cancelled = desk.put(&format!("/circulation/requests/{}", id(&first)), &closed).await.expect(204);
        let queue = queue_of_item(&desk, &item).await;
        assert_eq!(positions(&queue), (1..=length as i64).collect::<Vec<_>>());
        let replies = [placed, reordered, filled, cancelled];
        costs.push(replies.map(|reply| (reply.round_trips(), reply.statements())));
    }
    assert_eq!(costs[1], costs[2]);
    assert_eq!(costs[2].map(|(round_trips, _)| round_trips), [2, 4, 2, 2]);
}

#[tokio::test]
async fn slips_are_one_round_trip_however_many_they_are() {
    let desk = Desk::open().await;
    let path = format!("/circulation/pick-slips/{CIRC_DESK}");
    desk.get(&path).await.expect(200);
    for item in desk.items(25).await {
        request_item(&desk, &item, &desk.patron().await, "Page").await.expect(201);
    }
    let slips = desk.get(&path).await.expect(200);
    assert_eq!((slips.total(), slips.round_trips(), slips.statements()), (25, 1, 1), "{slips}");
}

#[tokio::test]
async fn what_is_tried_about_requests_leaves_no_trace() {
    let desk = Desk::open().await;
    let (trying, item) = (desk.with("x-octavo-dry-run", "true"), desk.item().await);
    let requests = lend_and_request(&desk, &item, 3).await;
    let before = queue_of_item(&desk, &item).await;
    let instance = instance_of(&desk, &item).await;
    let body = request_body(&item, &instance, &desk.patron().await, "Hold");
    let tried = trying.post("/circulation/requests", &body).await.expect(201);
    assert_eq!(
        (tried.json()["position"].clone(), tried.header("x-octavo-dry-run")),
        (json!(4), Some("true"))
    );
    assert!(tried.header("x-octavo-why").is_some_and(|why| why.contains("position 4")), "{tried}");
    trying.post("/circulation/requests", &body).await.expect(201);

    let path = format!("/circulation/requests/{}", id(&requests[0]));
    let stored =
        desk.get(&format!("/request-storage/requests/{}", id(&requests[0]))).await.expect(200).json();
    let mut closed = stored.clone();
    closed["status"] = json!("Closed - Cancelled");
    trying.put(&path, &closed).await.expect(204);
    trying.delete(&path).await.expect(204);
    let other = desk.items(2).await;
    let elsewhere = json!({"destinationItemId": other[0]["id"], "requestType": "Hold"});
    trying
        .post(&format!("{path}/move"), &elsewhere)
        .await
        .refused("Request can only be moved to an item with the same instance ID");
    let order: Vec<Value> = requests
        .iter()
        .rev()
        .zip(1..)
        .map(|(request, place)| json!({"id": request["id"], "newPosition": place}))
        .collect();
    let reorder = format!("/circulation/requests/queue/item/{}/reorder", id(&item));
    let tried = trying.post(&reorder, &json!({"reorderedQueue": order})).await.expect(200).json();
    assert_eq!(tried["requests"][0]["id"], requests[2]["id"]);
    assert_eq!(tried["requests"][0]["position"], 1);
    assert_eq!(queue_of_item(&desk, &item).await, before);
    desk.post("/circulation/requests", &body).await.expect(201);
    trying.post("/circulation/requests", &body).await.expect(422);
}

#[tokio::test]
async fn who_was_served_by_mistake_gets_the_place_back() {
    let desk = Desk::open().await;
    let item = desk.item().await;
    let patrons = [desk.patron().await, desk.patron().await, desk.patron().await];
    desk.check_out(&item, &desk.patron().await).await.expect(201);
    for patron in &patrons {
        request_item(&desk, &item, patron, "Hold").await.expect(201);
    }
    desk.check_in(&item).await.expect(200);
    let before = queue_of_item(&desk, &item).await;
    let loan = desk.check_out(&item, &patrons[0]).await.expect(201).json();
    assert_eq!(ids(&queue_of_item(&desk, &item).await), ids(&before[1..]));
    assert_eq!(positions(&queue_of_item(&desk, &item).await), [1, 2]);
    let late = request_item(&desk, &item, &desk.patron().await, "Hold").await.expect(201).json();
    desk.post(&format!("/octavo/loans/{}/undo", id(&loan)), &json!({})).await.expect(200);
    let after = queue_of_item(&desk, &item).await;
    assert_eq!(ids(&after[..3]), ids(&before), "{after:#?}");
    assert_eq!((id(&after[3]), positions(&after)), (id(&late), vec![1, 2, 3, 4]));
    assert_eq!(after[0]["status"], "Open - Awaiting pickup");
}

#[tokio::test]
async fn places_are_kept_apart_from_the_documents_and_shown_with_them() {
    let desk = Branch::open().await;
    let item = desk.item().await;
    let requests = lend_and_request(&desk, &item, 3).await;
    let of_item = octavo_testkit::encode(&format!("itemId=={} sortBy position/sort.descending", id(&item)));
    let found = desk.get(&format!("/request-storage/requests?query={of_item}")).await.expect(200);
    assert_eq!(found.field_values("requests", "id"), ids(&requests).into_iter().rev().collect::<Vec<_>>());
    let third = desk.find("/circulation/requests", &format!("itemId=={} and position==3", id(&item))).await;
    assert_eq!(third.expect(200).field_values("requests", "id"), [id(&requests[2])]);

    let path = format!("/request-storage/requests/{}", id(&requests[0]));
    let mut stored = desk.get(&path).await.expect(200).json();
    assert_eq!(stored["position"], 1);
    stored["position"] = json!(2);
    desk.put(&path, &stored)
        .await
        .refused("Cannot have more than one request with the same position in the queue");
    stored["position"] = json!(7);
    desk.put(&path, &stored).await.expect(204);
    assert_eq!(positions(&queue_of_item(&desk, &item).await), [2, 3, 7]);
    desk.delete(&format!("/request-storage/requests/{}", id(&requests[1]))).await.expect(204);
    assert_eq!(positions(&queue_of_item(&desk, &item).await), [3, 7]);
    run_timer(&desk, RENUMBER).await;
    let queue = queue_of_item(&desk, &item).await;
    assert_eq!((ids(&queue), positions(&queue)), (vec![id(&requests[2]), id(&requests[0])], vec![1, 2]));
}
