//! Loans and requests that are written as records, without a decision.

use octavo_testkit::{Library, fresh_id};
use serde_json::json;

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
    let mut closed = of_nobody.clone();
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
