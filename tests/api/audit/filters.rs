//! Queries that user interfaces make of the log.

use octavo_testkit::reference::CIRC_DESK;
use octavo_testkit::{Desk, Library, encode};
use serde_json::json;

use super::find_log_records;

#[tokio::test]
async fn records_are_found_by_each_of_their_members() {
    let desk = Desk::open().await;
    let items = desk.items(2).await;
    let [ada, bob] = [desk.patron().await, desk.patron().await];
    desk.check_out(&items[0], &ada).await.expect(201);
    desk.check_out(&items[1], &bob).await.expect(201);
    desk.check_in(&items[0]).await.expect(200);
    let all = find_log_records(&desk, "cql.allRecords=1").await;
    let [first, last] = [&all[0], &all[3]].map(|record| record["date"].as_str().unwrap().to_owned());
    let user = ada["barcode"].as_str().unwrap();
    let item = items[0]["barcode"].as_str().unwrap();
    let loan = all[0]["items"][0]["loanId"].as_str().unwrap();
    let id = all[1]["id"].as_str().unwrap();
    for (query, count) in [
        (format!("userBarcode=={user}"), 3),
        (format!("userBarcode==\"*{}*\"", &user[1..]), 3),
        (format!("items=\"{item}\""), 3),
        (format!("items=\"*{item}*\""), 3),
        (format!("items=/@loanId={loan} *"), 3),
        (format!("loanId=={loan}"), 3),
        ("items=nothing".to_owned(), 0),
        ("action==\"Checked out\"".to_owned(), 2),
        ("action==(\"Checked in\" or \"Closed loan\")".to_owned(), 2),
        ("action==\"checked out\"".to_owned(), 2),
        ("object==Loan".to_owned(), 3),
        ("object==\"N/A\"".to_owned(), 1),
        ("description==\"*proxy: no*\"".to_owned(), 2),
        ("description=status".to_owned(), 2),
        (format!("servicePointId=={CIRC_DESK}"), 4),
        (format!("servicePointId=={loan}"), 0),
        (format!("servicePointId==({CIRC_DESK} or {loan})"), 4),
        (format!("date>=\"{first}\" and date<=\"{last}\""), 4),
        (format!("date<\"{first}\""), 0),
        ("date>=\"2999-01-01T00:00:00.000Z\"".to_owned(), 0),
        (format!("date==\"{}*\"", &first[..10]), 4),
        (format!("linkToIds.userId=={}", bob["id"].as_str().unwrap()), 1),
        (format!("id=={id}"), 1),
        (format!("eventId=={id}"), 1),
        ("colour==red".to_owned(), 0),
        (
            format!(
                "(userBarcode==\"*{user}*\" and action==(\"Checked out\" or \"Checked in\")) sortby date/sort.descending"
            ),
            2,
        ),
    ] {
        assert_eq!(find_log_records(&desk, &query).await.len(), count, "{query}");
    }
    for key in ["userBarcode", "object", "action", "date", "servicePointId", "source", "items", "colour"] {
        assert_eq!(
            find_log_records(&desk, &format!("cql.allRecords=1 sortby {key} date/sort.descending"))
                .await
                .len(),
            4
        );
    }
    let newest = find_log_records(&desk, "cql.allRecords=1 sortby date/sort.descending").await;
    assert_eq!(newest.iter().rev().collect::<Vec<_>>(), all.iter().collect::<Vec<_>>());
}

#[tokio::test]
async fn pages_and_mistakes() {
    let desk = Desk::open().await;
    desk.check_out(&desk.item().await, &desk.patron().await).await.expect(201);
    let path = "/audit-data/circulation/logs";
    let page = desk.get(&format!("{path}?limit=0")).await.expect(200).json();
    assert_eq!(page, json!({"logRecords": [], "totalRecords": 1}));
    assert_eq!(desk.get(&format!("{path}?offset=1")).await.expect(200).json()["logRecords"], json!([]));
    assert_eq!(desk.get(&format!("{path}?limit=1000000")).await.expect(200).total(), 1);
    let mistake = desk.get(&format!("{path}?query={}", encode("action==(("))).await.expect(400).json();
    assert_eq!(mistake["code"], "HTTP_BAD_REQUEST");
    assert!(mistake["message"].is_string());
}

#[tokio::test]
async fn the_log_needs_a_permission() {
    let library = Library::guarded().await;
    let path = "/audit-data/circulation/logs";
    library.as_user(&["audit.collection.get"]).await.get(path).await.expect(403);
    library.as_user(&["circulation-logs.collection.get"]).await.get(path).await.expect(200);
}

#[tokio::test]
async fn orders_have_no_history() {
    let library = Library::open().await;
    let id = octavo_testkit::fresh_id();
    for (path, collection) in [
        (format!("order/{id}"), "orderAuditEvents"),
        (format!("order-line/{id}"), "orderLineAuditEvents"),
        (format!("piece/{id}"), "pieceAuditEvents"),
        (format!("piece/{id}/status-change-history"), "pieceAuditEvents"),
    ] {
        let list = library.get(&format!("/audit-data/acquisition/{path}")).await.expect(200).json();
        assert_eq!(list, json!({collection: [], "totalItems": 0}));
    }
    library.get(&format!("/audit-data/acquisition/order/{id}?sortOrder=sideways")).await.expect(400);
    library.get("/audit-data/acquisition/order/17").await.says(400, "Invalid UUID string: 17");
    library.get(&format!("/audit-data/acquisition/order/{id}123")).await.says(400, "UUID string too large");
}
