//! What Octavo adds to requests, off until a library switches it on: limits, holidays, estimates.

use octavo_testkit::reference::FACULTY;
use octavo_testkit::{Desk, fresh_id};
use serde_json::{Value, json};

use super::requests::{instance_of, queue_of_item, request_body, request_item};

async fn set_options(desk: &Desk, options: Value) {
    let entry = json!({"module": "OCTAVO", "configName": "requests", "value": options.to_string()});
    desk.post("/configurations/entries", &entry).await.expect(201);
}

async fn lent_items(desk: &Desk, count: usize) -> Vec<Value> {
    let borrower = desk.patron().await;
    let mut items = Vec::new();
    for _ in 0..count {
        let item = desk.item().await;
        desk.check_out(&item, &borrower).await.expect(201);
        items.push(item);
    }
    items
}

#[tokio::test]
async fn a_patron_group_may_have_so_many_requests() {
    let desk = Desk::open().await;
    let (items, patron) = (lent_items(&desk, 4).await, desk.patron().await);
    request_item(&desk, &items[0], &patron, "Hold").await.expect(201);
    set_options(&desk, json!({"limits": {FACULTY: 2}})).await;
    let second = request_item(&desk, &items[1], &patron, "Hold").await.expect(201).json();
    let message = "Patron has reached the maximum of 2 open requests";
    request_item(&desk, &items[2], &patron, "Hold").await.refused(message);
    let mut body = request_body(&items[2], &instance_of(&desk, &items[2]).await, &patron, "Hold");
    body["requestProcessingParameters"] = json!({"overrideBlocks": {"patronBlock": {}, "comment": "Thesis"}});
    desk.post("/circulation/requests", &body).await.expect(201);
    for id in [&second["id"], &body["id"]] {
        desk.delete(&format!("/circulation/requests/{}", id.as_str().unwrap_or_default())).await.expect(204);
    }
    request_item(&desk, &items[3], &patron, "Hold").await.expect(201);
}

#[tokio::test]
async fn a_patron_who_is_away_is_passed_over_and_keeps_the_place() {
    let desk = Desk::open().await;
    let item = lent_items(&desk, 1).await.remove(0);
    let (ada, bob) = (desk.patron().await, desk.patron().await);
    let first = request_item(&desk, &item, &ada, "Hold").await.expect(201).json();
    let second = request_item(&desk, &item, &bob, "Hold").await.expect(201).json();
    let holiday = json!({"id": fresh_id(), "scope": "octavo.requests", "key": "holiday", "userId": ada["id"],
        "value": {"from": "2020-01-01", "until": "2999-12-31"}});
    desk.post("/settings/entries", &holiday).await.expect(204);
    set_options(&desk, json!({"holidays": true})).await;

    let returned = desk.check_in(&item).await.expect(200);
    assert_eq!(returned.round_trips(), 2, "{returned}");
    let slip = returned.json()["staffSlipContext"].take();
    assert_eq!(slip["request"]["requestID"], second["id"]);
    desk.check_out(&item, &bob).await.expect(201);
    let waiting = queue_of_item(&desk, &item).await;
    assert_eq!((&waiting[0]["id"], &waiting[0]["position"]), (&first["id"], &json!(1)));

    let path = format!("/settings/entries/{}", holiday["id"].as_str().unwrap_or_default());
    desk.delete(&path).await.expect(204);
    let slip = desk.check_in(&item).await.expect(200).json()["staffSlipContext"].take();
    assert_eq!(slip["request"]["requestID"], first["id"]);
}

#[tokio::test]
async fn who_waits_is_told_about_how_long() {
    let desk = Desk::open().await;
    let item = lent_items(&desk, 1).await.remove(0);
    for _ in 0..2 {
        request_item(&desk, &item, &desk.patron().await, "Hold").await.expect(201);
    }
    let told = queue_of_item(&desk, &item).await;
    assert!(told.iter().all(|request| request.get("queueEstimate").is_none()), "{told:#?}");
    set_options(&desk, json!({"daysPerLoan": 14})).await;
    let mut told = queue_of_item(&desk, &item).await;
    // Lent for three weeks, to the end of a day.
    let first = told[0]["queueEstimate"]["days"].as_i64().unwrap_or_default();
    assert!((21..=22).contains(&first), "{told:#?}");
    assert_eq!(told[1]["queueEstimate"]["days"], first + 14);
    let path = format!("/circulation/requests/{}", told[1]["id"].as_str().unwrap_or_default());
    desk.put(&path, &told.remove(1)).await.expect(204);
    assert!(desk.get(&path).await.expect(200).json().get("queueEstimate").is_none(), "it is not stored");
}

/// Of requests that are alike only the first few are read; who stands behind them is found all the same.
#[tokio::test]
async fn behind_many_who_are_away_somebody_is_found() {
    let desk = Desk::open().await;
    let item = lent_items(&desk, 1).await.remove(0);
    set_options(&desk, json!({"holidays": true})).await;
    for _ in 0..6 {
        let patron = desk.patron().await;
        request_item(&desk, &item, &patron, "Hold").await.expect(201);
        let holiday = json!({"id": fresh_id(), "scope": "octavo.requests", "key": "holiday",
            "userId": patron["id"], "value": {"from": "2020-01-01", "until": "2999-12-31"}});
        desk.post("/settings/entries", &holiday).await.expect(204);
    }
    let bob = desk.patron().await;
    let last = request_item(&desk, &item, &bob, "Hold").await.expect(201).json();
    let slip = desk.check_in(&item).await.expect(200).json()["staffSlipContext"].take();
    assert_eq!(slip["request"]["requestID"], last["id"]);
    let waiting = queue_of_item(&desk, &item).await;
    assert_eq!(super::requests::positions(&waiting), [1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(waiting[0]["id"], last["id"], "what is being filled stands first");
    desk.check_out(&item, &bob).await.expect(201);
    assert_eq!(super::requests::positions(&queue_of_item(&desk, &item).await), [1, 2, 3, 4, 5, 6]);
}
