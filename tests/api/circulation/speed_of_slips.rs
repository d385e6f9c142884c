//! How long staff wait for the slips of a morning. Prints a table:
//! `cargo test --package octavo-tests --test api -- --ignored --nocapture speed_of_slips`

use octavo_modules::circulation_storage::REQUEST;
use octavo_modules::users::USER;
use octavo_testkit::fresh_id;
use octavo_testkit::reference::{CIRC_DESK, FACULTY};
use serde_json::{Value, json};

use super::requests::{instance_of, request_body};
use super::timers::Branch;
use crate::measured::{CallTimes, print_table, store_items};

const SLIPS: usize = 2_500;
/// Other items of the location, and other requests that wait.
const OTHERS: usize = 10_000;

fn patron() -> Value {
    json!({"id": fresh_id(), "username": format!("p{}", fresh_id()), "barcode": fresh_id().to_string(),
        "active": true, "patronGroup": FACULTY,
        "personal": {"lastName": "Nielsen", "firstName": "Freya", "addresses": [
            {"addressLine1": "Harbour Street 1", "city": "Westhaven", "postalCode": "1000", "countryId": "DK",
             "addressTypeId": "93d3d88d-499b-45d0-9bc7-ac73c3a19880", "primaryAddress": true}]}})
}

#[tokio::test]
#[ignore = "measures"]
async fn speed_of_slips() {
    let branch = Branch::open().await;
    let item = branch.item().await;
    let instance = instance_of(&branch, &item).await;
    let path = format!("/item-storage/items/{}", item["id"].as_str().unwrap_or_default());
    let stored = branch.get(&path).await.expect(200).json();
    let copies: Vec<Value> = (0..SLIPS + OTHERS)
        .map(|at| {
            let mut copy = stored.clone();
            let status = if at < SLIPS { "Paged" } else { "Checked out" };
            copy["id"] = json!(fresh_id());
            copy["hrid"] = json!(format!("slip{at}"));
            copy["barcode"] = json!(fresh_id());
            copy["status"]["name"] = json!(status);
            copy
        })
        .collect();
    let patrons: Vec<Value> = (0..SLIPS).map(|_| patron()).collect();
    let requests = copies.iter().enumerate().map(|(at, copy)| {
        let kind = if at < SLIPS { "Page" } else { "Hold" };
        let mut request = request_body(copy, &instance, &patrons[at % SLIPS], kind);
        request["status"] = json!("Open - Not yet filled");
        request["position"] = json!(1);
        request
    });
    branch.library.store_all(&USER, patrons.clone()).await;
    branch.library.store_all(&REQUEST, requests.collect()).await;
    store_items(&branch, &copies).await;
    let path = format!("/circulation/pick-slips/{CIRC_DESK}");
    let mut times = CallTimes::default();
    for _ in 0..12 {
        assert_eq!(times.measure(branch.get(&path)).await.expect(200).total(), SLIPS as i64);
    }
    print_table("2,500 pages to fetch, among 10,000 other requests that wait", &[times.row("pick slips")]);
}
