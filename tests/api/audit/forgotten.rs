//! Patrons in the log are forgotten, and old records go.

use octavo_testkit::Desk;
use serde_json::json;

use super::{find_log_records, log_lines, query_by_item};

#[tokio::test]
async fn records_of_an_anonymised_loan_name_nobody() {
    let desk = Desk::open().await;
    let (item, patron) = (desk.item().await, desk.patron().await);
    let loan = desk.check_out(&item, &patron).await.expect(201).json();
    desk.check_in(&item).await.expect(200);
    let path = format!("/loan-anonymization/by-user/{}", patron["id"].as_str().unwrap());
    let answer = desk.post(&path, &json!({})).await.expect(200).json();
    assert_eq!(answer["anonymizedLoans"], json!([loan["id"]]));
    let records = find_log_records(&desk, &query_by_item(&item)).await;
    assert_eq!(log_lines(&records).last().unwrap(), &["Loan", "Anonymize", ""].map(str::to_owned));
    assert_eq!(records[3]["source"], "System");
    for record in records {
        assert_eq!((&record["userBarcode"], &record["linkToIds"]), (&json!("-"), &json!({})), "{record}");
    }
}

#[tokio::test]
async fn records_of_a_deleted_user_name_nobody() {
    let desk = Desk::open().await;
    let patron = desk.patron().await;
    let block = json!({"type": "Manual", "desc": "Freya owes", "borrowing": true, "renewals": false, "requests": false, "userId": patron["id"]});
    desk.post("/manualblocks", &block).await.expect(201);
    desk.delete(&format!("/users/{}", patron["id"].as_str().unwrap())).await.expect(204);
    for record in find_log_records(&desk, "cql.allRecords=1").await {
        assert_eq!((&record["userBarcode"], &record["description"]), (&json!("-"), &json!("")), "{record}");
    }
}
