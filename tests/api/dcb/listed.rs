//! The list of changes, by which a hub learns what happened.

use octavo_testkit::encode;
use serde_json::{Value, json};

use super::Partner;

async fn list_changes(library: &Partner, more: &str) -> Value {
    let [from, to] = ["2020-01-01T00:00:00Z", "2199-01-01T00:00:00+01:00"].map(encode);
    let path = format!("/transactions/status?fromDate={from}&toDate={to}{more}");
    library.desk.get(&path).await.expect(200).json()
}

fn statuses(list: &Value) -> Vec<(&str, &str)> {
    let word = |change: &'_ Value, key: &str| change[key].as_str().unwrap().to_owned().leak() as &str;
    list["transactions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (word(one, "id"), word(one, "status")))
        .collect()
}

#[tokio::test]
async fn every_change_is_listed_once_in_order() {
    let library = Partner::open().await;
    assert_eq!(
        list_changes(&library, "").await,
        json!({
            "transactions": [], "totalRecords": 0, "currentPageNumber": 0, "currentPageSize": 1000,
            "maximumPageNumber": 0,
        })
    );
    let lender = library.create_transaction("LENDER").await;
    assert_eq!(list_changes(&library, "").await["totalRecords"], 0);
    library.desk.check_in(&lender.item).await.expect(200);
    let borrower = library.create_transaction("BORROWER").await;
    library.put_statuses(&borrower, &["ITEM_CHECKED_OUT", "CLOSED"]).await;
    let all = list_changes(&library, "").await;
    let (lender_id, id) = (lender.id.as_str(), borrower.id.as_str());
    let expected = [
        (lender_id, "OPEN"),
        (id, "OPEN"),
        (id, "AWAITING_PICKUP"),
        (id, "ITEM_CHECKED_OUT"),
        (id, "ITEM_CHECKED_IN"),
        (id, "CLOSED"),
    ];
    assert_eq!(statuses(&all), expected);
    assert_eq!((&all["totalRecords"], &all["maximumPageNumber"]), (&json!(6), &json!(0)));
    let first = &all["transactions"][0];
    assert_eq!((&first["role"], &first["item"]["id"]), (&json!("LENDER"), &lender.item["id"]));
    assert_eq!(first["patron"]["barcode"], lender.patron["barcode"]);
    assert_eq!(first["pickup"]["libraryCode"], "NORTH");

    let page = list_changes(&library, "&pageSize=4&pageNumber=1").await;
    assert_eq!(statuses(&page), expected[4..]);
    assert_eq!((&page["currentPageNumber"], &page["maximumPageNumber"]), (&json!(1), &json!(1)));
}

#[tokio::test]
async fn the_span_has_to_be_dates_and_the_page_a_number() {
    let library = Partner::open().await;
    let day = "2026-01-01T00:00:00Z";
    for query in [
        String::new(),
        format!("fromDate={day}"),
        format!("toDate={day}"),
        format!("fromDate=yesterday&toDate={day}"),
        format!("fromDate={day}&toDate={day}&pageNumber=-1"),
        format!("fromDate={day}&toDate={day}&pageSize=0"),
        format!("fromDate={day}&toDate={day}&pageSize=many"),
    ] {
        let reply = library.desk.get(&format!("/transactions/status?{query}")).await.expect(400);
        assert_eq!(reply.json()["errors"][0]["code"], "VALIDATION_ERROR", "{query}");
    }
    let huge =
        format!("/transactions/status?fromDate={day}&toDate={day}&pageSize=2147483647&pageNumber=2147483647");
    let reply = library.desk.get(&huge).await.expect(200).json();
    assert_eq!((&reply["currentPageSize"], &reply["totalRecords"]), (&json!(10_000), &json!(0)));
}
