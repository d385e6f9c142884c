//! Many patrons want one title of which there are a few copies, while these go out and come back.

use std::collections::BTreeSet;

use octavo_testkit::reference::CIRC_DESK;
use octavo_testkit::{Desk, Octavo, Reply, fresh_id};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::requests::{enable_title_requests, instance_of, positions};

const PATRONS: usize = 50;
const COPIES: usize = 3;

fn id(record: &Value) -> String {
    record["id"].as_str().unwrap_or_default().to_owned()
}

async fn request_title(desk: Desk, instance: Value, patron: Value) -> Reply {
    let body = json!({
        "id": fresh_id(), "requestType": "Hold", "requestLevel": "Title", "fulfillmentPreference": "Hold Shelf",
        "instanceId": instance, "requesterId": patron["id"], "pickupServicePointId": CIRC_DESK,
        "requestDate": "2026-11-01T10:00:00Z",
    });
    desk.post("/circulation/requests", &body).await
}

/// Checks a copy in and lends it to the patron for whom it is kept, a few times; returns how often it was lent.
async fn return_and_check_out(desk: Desk, item: Value) -> usize {
    let mut lent = 0;
    for _ in 0..4 {
        let returned = desk.check_in(&item).await.expect(200).json();
        let barcode = returned["staffSlipContext"]["requester"]["barcode"].clone();
        if barcode.is_string() {
            let reply = desk.check_out(&item, &json!({"barcode": barcode})).await;
            reply.expect(201);
            lent += 1;
        }
    }
    lent
}

#[tokio::test]
async fn fifty_patrons_three_copies() {
    let desk = Desk::open().await;
    enable_title_requests(&desk).await;
    let other = desk.through(&Octavo::start_another().await);
    let (items, borrower) = (desk.items(COPIES).await, desk.patron().await);
    for item in &items {
        desk.check_out(item, &borrower).await.expect(201);
    }
    let instance = instance_of(&desk, &items[0]).await;
    let mut patrons = Vec::new();
    for _ in 0..PATRONS {
        patrons.push(desk.patron().await);
    }
    let either = |at: usize| if at.is_multiple_of(2) { desk.clone() } else { other.clone() };
    let mut asking: JoinSet<Reply> = JoinSet::new();
    for (at, patron) in patrons.iter().enumerate() {
        asking.spawn(request_title(either(at), instance.clone(), patron.clone()));
    }
    let mut circulating: JoinSet<usize> = JoinSet::new();
    for (at, item) in items.iter().enumerate() {
        circulating.spawn(return_and_check_out(either(at), item.clone()));
    }
    let replies = asking.join_all().await;
    let lent: usize = circulating.join_all().await.into_iter().sum();

    // Whoever asked while a copy was on the shelf was told so.
    let shelf = "Hold/Recall title level request not allowed: pageable available item found for instance";
    let (placed, told): (Vec<&Reply>, Vec<&Reply>) = replies.iter().partition(|reply| reply.status == 201);
    told.iter().for_each(|reply| assert_eq!(reply.refusals(), [shelf], "{reply}"));
    let placed: BTreeSet<String> = placed.iter().map(|reply| id(&reply.json())).collect();

    let query = octavo_testkit::encode(&format!("instanceId=={}", instance.as_str().unwrap_or_default()));
    let path = format!("/request-storage/requests?limit={PATRONS}&query={query}");
    let all: Vec<Value> = serde_json::from_value(desk.get(&path).await.expect(200).json()["requests"].take())
        .expect("an array");
    let (open, closed): (Vec<Value>, Vec<Value>) = all
        .into_iter()
        .partition(|request| request["status"].as_str().unwrap_or_default().starts_with("Open"));
    let known: BTreeSet<String> = open.iter().chain(&closed).map(id).collect();
    assert_eq!(known, placed, "nobody is lost");
    assert!(closed.iter().all(|request| request["status"] == "Closed - Filled"), "{closed:#?}");
    assert_eq!(closed.len(), lent, "who got a copy waits no longer");
    let mut standing = positions(&open);
    standing.sort_unstable();
    assert_eq!(standing, (1..=open.len() as i64).collect::<Vec<_>>());

    let begun: Vec<&Value> =
        open.iter().filter(|request| request["status"] != "Open - Not yet filled").collect();
    let kept: BTreeSet<String> = begun.iter().map(|request| id_of_item(request)).collect();
    assert_eq!(kept.len(), begun.len(), "no copy is kept for two: {begun:#?}");
    for item in &items {
        let on_loan = desk.open_loans(&format!("itemId=={}", id(item))).await.len();
        match desk.status(item).await.as_str() {
            "Checked out" => assert_eq!((on_loan, kept.contains(&id(item))), (1, false)),
            "Awaiting pickup" => assert_eq!((on_loan, kept.contains(&id(item))), (0, true)),
            other => assert_eq!((on_loan, kept.contains(&id(item))), (0, false), "{other}"),
        }
    }
}

fn id_of_item(request: &Value) -> String {
    request["itemId"].as_str().unwrap_or_default().to_owned()
}
