//! Loans and requests that are written as records, without a decision.

use octavo_testkit::reference::CIRC_DESK;
use octavo_testkit::{Desk, Library, fresh_id};
use serde_json::{Value, json};

use super::requests::request_item;

#[tokio::test]
async fn a_loan_as_a_record_is_open_unless_it_says_otherwise() {
    let library = Library::open().await;
    let path = "/loan-storage/loans";
    let loan = |date: &str| json!({"itemId": fresh_id(), "loanDate": date, "action": "checkedout"});
    let mut of_somebody = loan("2026-11-01T10:00:00Z");
    of_somebody["userId"] = json!(fresh_id());
    let stored = library.post(path, &of_somebody).await.expect(201).json();
    assert_eq!(stored["status"], json!({"name": "Open"}));
    let one = format!("{path}/{}", stored["id"].as_str().unwrap());
    let of_nobody = loan("2026-11-01T10:00:00Z");
    library.post(path, &of_nobody).await.refused("Open loan must have a user ID");
    library.put(&one, &of_nobody).await.refused("Open loan must have a user ID");
    let mut closed = of_nobody;
    closed["status"] = json!({"name": "Closed"});
    library.put(&one, &closed).await.expect(204);
    closed["returnDate"] = json!("yesterday");
    closed["loanDate"] = json!("today");
    let said = "loan date must be a date time (in RFC3339 format)\n\
                return date must be a date time (in RFC3339 format)";
    library.put(&one, &closed).await.says(400, said);
    library.post(path, &closed).await.says(400, said);
}

#[tokio::test]
async fn a_request_as_a_record_names_its_item_with_the_holdings() {
    let library = Library::open().await;
    let path = "/request-storage/requests";
    let request = |level: &str, holdings: Option<&str>| {
        json!({"requestLevel": level, "requestType": "Hold", "requestDate": "2026-11-01T10:00:00Z",
            "requesterId": fresh_id(), "instanceId": fresh_id(), "status": "Open - Not yet filled",
            "fulfillmentPreference": "Hold Shelf", "itemId": fresh_id(), "holdingsRecordId": holdings})
    };
    let holdings = fresh_id().to_string();
    let stored = library.post(path, &request("Item", Some(&holdings))).await.expect(201).json();
    let one = format!("{path}/{}", stored["id"].as_str().unwrap());
    for (level, said) in [
        ("Item", "Holdings record ID in item level request should not be absent"),
        ("Title", "Title level request must have both itemId and holdingsRecordId or neither"),
    ] {
        library.post(path, &request(level, None)).await.refused(said);
        library.put(&one, &request(level, None)).await.refused(said);
    }
    library.put(&one, &request("Title", Some(&holdings))).await.expect(204);
}

async fn read(desk: &Desk, path: &str, record: &Value) -> Value {
    desk.get(&format!("{path}/{}", record["id"].as_str().unwrap_or_default())).await.expect(200).json()
}

#[tokio::test]
async fn requests_are_found_by_the_call_number_and_the_pickup_location_of_today() {
    let desk = Desk::open().await;
    let (items, borrower) = (desk.items(2).await, desk.patron().await);
    let mut requests = Vec::new();
    for item in &items {
        desk.check_out(item, &borrower).await.expect(201);
        requests.push(request_item(&desk, item, &desk.patron().await, "Hold").await.expect(201).json());
    }
    let indexes = async || {
        let mut indexes = Vec::new();
        for request in &requests {
            indexes.push(read(&desk, "/request-storage/requests", request).await["searchIndex"].take());
        }
        indexes
    };
    assert_eq!(indexes().await[0]["pickupServicePointName"], "Circ Desk 1");

    // A call number of the first item, then one of the holdings, which the second item inherits.
    let mut item = read(&desk, "/item-storage/items", &items[0]).await;
    item["itemLevelCallNumber"] = json!("QA 76");
    item["itemLevelCallNumberSuffix"] = json!("oversize");
    desk.put(&format!("/item-storage/items/{}", item["id"].as_str().unwrap()), &item).await.expect(204);
    let path = format!("/holdings-storage/holdings/{}", item["holdingsRecordId"].as_str().unwrap());
    let mut holdings = desk.get(&path).await.expect(200).json();
    holdings["callNumber"] = json!("PS 3563");
    desk.put(&path, &holdings).await.expect(204);
    let found = indexes().await;
    let components = json!({"callNumber": "QA 76", "suffix": "oversize"});
    assert_eq!(found[0]["callNumberComponents"], components);
    assert_eq!(found[1]["callNumberComponents"], json!({"callNumber": "PS 3563"}));
    for (index, item) in found.iter().zip(&items) {
        let item = read(&desk, "/item-storage/items", item).await;
        assert_eq!(index["shelvingOrder"], item["effectiveShelvingOrder"], "{item}");
    }
    let by_call_number = desk.find("/request-storage/requests", "fullCallNumberIndex==\"qa 76*\"").await;
    assert_eq!(by_call_number.expect(200).total(), 1);

    let path = format!("/service-points/{CIRC_DESK}");
    let mut point = desk.get(&path).await.expect(200).json();
    point["name"] = json!("Front desk");
    desk.put(&path, &point).await.expect(204);
    for index in indexes().await {
        assert_eq!(index["pickupServicePointName"], "Front desk", "{index}");
    }
}

#[tokio::test]
async fn idle_visits_are_asked_for_by_a_type_of_action_that_there_is() {
    let library = Library::open().await;
    let path = "/patron-action-session-storage/expired-session-patron-ids";
    let since = "session_inactivity_time_limit=2026-11-01T10:00:00Z";
    for action in ["", "&action_type=", "&action_type=Check-in", "&action_type=Check-out"] {
        library.get(&format!("{path}?{since}{action}")).await.expect(200);
    }
    let refused = library.get(&format!("{path}?{since}&action_type=x")).await;
    assert_eq!(refused.refused_keys(), ["action_type"]);
    refused.refused("Invalid action type value");
}

#[tokio::test]
async fn requests_are_deleted_by_a_query_and_not_without_one() {
    let desk = Desk::open().await;
    let (one, other) = (desk.patron().await, desk.patron().await);
    for patron in [&one, &other] {
        request_item(&desk, &desk.item().await, patron, "Page").await.expect(201);
    }
    let path = "/circulation/requests";
    desk.delete(path).await.says(400, "query with CQL expression is required");
    let of_one = format!("{path}?query=requesterId=={}", one["id"].as_str().unwrap());
    desk.delete(&of_one).await.says(204, "");
    let left = desk.get(path).await.expect(200).json();
    assert_eq!(
        (&left["totalRecords"], &left["requests"][0]["requesterId"]),
        (&json!(1), &other["id"]),
        "{left}"
    );
}
