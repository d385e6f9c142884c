//! What operations write into the log, in their own transaction.

use octavo_testkit::reference::CIRC_DESK;
use octavo_testkit::{Desk, fresh_id};
use serde_json::{Value, json};

use super::{find_log_records, log_lines, query_by_item};
use crate::circulation::requests::request_item;

fn log_line(object: &str, action: &str, description: &str) -> [String; 3] {
    [object, action, description].map(str::to_owned)
}

fn due_date_change(before: &Value, after: &Value) -> String {
    let written = |due: &Value| due.as_str().unwrap().replace("+00:00", "Z");
    format!("New due date: {} (from {})", written(after), written(before))
}

#[tokio::test]
async fn a_loan_from_its_check_out_to_its_end() {
    let desk = Desk::open().await;
    let (item, patron) = (desk.item().await, desk.patron().await);
    let lent = desk.check_out(&item, &patron).await.expect(201);
    assert_eq!(lent.round_trips(), 2, "{lent}");
    let lent = lent.json();
    let renewed = desk.renew(&item, &patron).await.expect(200).json();
    let id = lent["id"].as_str().unwrap();
    let change = json!({"dueDate": "2099-05-01T00:00:00.000+00:00"});
    desk.post(&format!("/circulation/loans/{id}/change-due-date"), &change).await.expect(204);
    let info = json!({"action": "staffInfoAdded", "actionComment": "spine torn"});
    desk.post(&format!("/circulation/loans/{id}/add-info"), &info).await.expect(204);
    desk.check_in(&item).await.expect(200);

    let records = find_log_records(&desk, &query_by_item(&item)).await;
    let renewal = due_date_change(&lent["dueDate"], &renewed["dueDate"]);
    assert_eq!(
        log_lines(&records),
        [
            log_line("Loan", "Checked out", "Checked out to proxy: no."),
            log_line("Loan", "Changed due date", &renewal),
            log_line("Loan", "Renewed", &renewal),
            log_line("Loan", "Changed due date", &due_date_change(&renewed["dueDate"], &change["dueDate"])),
            log_line("Loan", "Staff info added", "spine torn"),
            log_line("N/A", "Checked in", "Item status: Available."),
            log_line("Loan", "Closed loan", "Item status: Available. Overdue due date: 2099-05-01 00:00:00."),
        ]
    );
    let title =
        desk.get(&format!("/holdings-storage/holdings/{}", item["holdingsRecordId"].as_str().unwrap())).await;
    for record in &records {
        assert_eq!(record["userBarcode"], patron["barcode"], "{record}");
        assert_eq!(record["linkToIds"], json!({"userId": patron["id"]}));
        assert_eq!(record["servicePointId"], CIRC_DESK);
        assert_eq!(record["items"][0]["itemBarcode"], item["barcode"]);
        assert_eq!(record["items"][0]["itemId"], item["id"]);
        assert_eq!(record["items"][0]["loanId"], id);
        assert_eq!(record["items"][0]["holdingId"], item["holdingsRecordId"]);
        assert_eq!(record["items"][0]["instanceId"], title.json()["instanceId"]);
        assert!(record["id"].is_string() && record["date"].as_str().unwrap().ends_with("+00:00"));
    }
}

#[tokio::test]
async fn a_refused_or_tried_operation_writes_nothing() {
    let desk = Desk::open().await;
    let (item, patron) = (desk.item().await, desk.patron().await);
    desk.check_out(&item, &json!({"barcode": "000111"})).await.expect(422);
    let trying = desk.with("x-octavo-dry-run", "true");
    trying.post("/circulation/check-out-by-barcode", &Desk::check_out_body(&item, &patron)).await.expect(201);
    assert_eq!(find_log_records(&desk, "cql.allRecords=1").await, [Value::Null; 0]);
}

#[tokio::test]
async fn the_source_is_who_did_it() {
    let desk = Desk::open().await;
    let staff = desk.patron().await;
    let by = desk.with("x-okapi-user-id", staff["id"].as_str().unwrap());
    let (item, patron) = (desk.item().await, desk.patron().await);
    by.post("/circulation/check-out-by-barcode", &Desk::check_out_body(&item, &patron)).await.expect(201);
    assert_eq!(find_log_records(&desk, "source==\"Nielsen, Freya\"").await[0]["source"], "Nielsen, Freya");
}

#[tokio::test]
async fn a_request_from_its_creation_to_its_fulfilment() {
    let desk = Desk::open().await;
    let (item, patron) = (desk.item().await, desk.patron().await);
    let page = request_item(&desk, &item, &patron, "Page").await.expect(201).json();
    let id = page["id"].as_str().unwrap();
    let path = format!("/circulation/requests/{id}");
    let mut edited = desk.get(&path).await.expect(200).json();
    edited["requestExpirationDate"] = json!("2099-05-01T10:00:00.000+00:00");
    desk.put(&path, &edited).await.expect(204);
    desk.check_in(&item).await.expect(200);
    desk.check_out(&item, &patron).await.expect(201);
    let records = find_log_records(&desk, &query_by_item(&item)).await;
    let pickup = "Type: Page. Pickup service point: Circ Desk 1. New request status: ";
    assert_eq!(
        log_lines(&records),
        [
            log_line("Request", "Created", "Type: Page."),
            log_line(
                "Request",
                "Edited",
                "Type: Page. New expiration date: 2099-05-01 23:59:59 (from: not set)."
            ),
            log_line("N/A", "Checked in", "Item status: Awaiting pickup."),
            log_line(
                "Request",
                "Request status changed",
                &format!("{pickup}Open - Awaiting pickup (from: Open - Not yet filled).")
            ),
            log_line("Loan", "Checked out", "Checked out to proxy: no."),
            log_line(
                "Request",
                "Request status changed",
                &format!("{pickup}Closed - Filled (from: Open - Awaiting pickup).")
            ),
        ]
    );
    assert_eq!(records[0]["linkToIds"], json!({"userId": patron["id"], "requestId": id}));
    assert_eq!(records[0]["userBarcode"], patron["barcode"]);
    assert_eq!(records[2]["userBarcode"], "-");
}

#[tokio::test]
async fn requests_that_are_cancelled_moved_and_put_into_another_order() {
    let desk = Desk::open().await;
    let items = desk.items(2).await;
    let [borrower, first, second] = [desk.patron().await, desk.patron().await, desk.patron().await];
    for item in &items {
        desk.check_out(item, &borrower).await.expect(201);
    }
    let hold = request_item(&desk, &items[0], &first, "Hold").await.expect(201).json();
    let recall = request_item(&desk, &items[0], &second, "Recall").await.expect(201).json();
    let queue = json!({"reorderedQueue": [{"id": recall["id"], "newPosition": 1}, {"id": hold["id"], "newPosition": 2}]});
    let path = format!("/circulation/requests/queue/item/{}/reorder", items[0]["id"].as_str().unwrap());
    desk.post(&path, &queue).await.expect(200);
    let moving = json!({"destinationItemId": items[1]["id"], "requestType": "Hold"});
    let path = format!("/circulation/requests/{}", hold["id"].as_str().unwrap());
    desk.post(&format!("{path}/move"), &moving).await.expect(200);
    let reason = json!({"id": fresh_id(), "name": "No need", "description": "Patron has bought it"});
    desk.post("/cancellation-reason-storage/cancellation-reasons", &reason).await.expect(201);
    let mut cancelled = desk.get(&path).await.expect(200).json();
    cancelled["status"] = json!("Closed - Cancelled");
    cancelled["cancellationReasonId"] = reason["id"].clone();
    cancelled["cancelledByUserId"] = first["id"].clone();
    cancelled["cancelledDate"] = json!("2026-11-01T10:00:00.000+00:00");
    desk.put(&path, &cancelled).await.expect(204);

    let records = find_log_records(&desk, "object==Request").await;
    let barcode = |item: &Value| item["barcode"].as_str().unwrap().to_owned();
    let moved =
        format!("Type: Hold. New item barcode: {} (from: {}).", barcode(&items[1]), barcode(&items[0]));
    assert_eq!(
        log_lines(&records),
        [
            log_line("Request", "Created", "Type: Hold."),
            log_line("Request", "Created", "Type: Recall."),
            log_line("Request", "Queue position reordered", "Type: Recall. New queue position: 1 (from: 2)."),
            log_line("Request", "Queue position reordered", "Type: Hold. New queue position: 2 (from: 1)."),
            log_line("Request", "Moved", &moved),
            log_line("Request", "Cancelled", "Type: Hold. Reason for cancellation: Patron has bought it."),
        ]
    );
    let recalled = find_log_records(&desk, "action==(\"Recall requested\" or \"Changed due date\")").await;
    assert_eq!(recalled.len(), 2);
    assert_eq!(recalled[1]["userBarcode"], borrower["barcode"]);
    assert!(recalled[1]["description"].as_str().unwrap().starts_with("New due date: "));
}

#[tokio::test]
async fn manual_blocks() {
    let desk = Desk::open().await;
    let patron = desk.patron().await;
    let mut block = json!({
        "id": fresh_id(), "type": "Manual", "desc": "Lost card", "staffInformation": "See file", "patronMessage": "Please call",
        "expirationDate": "2099-05-01T00:00:00.000+00:00", "borrowing": true, "renewals": false, "requests": true,
        "userId": patron["id"],
    });
    desk.post("/manualblocks", &block).await.expect(201);
    block["patronMessage"] = json!("");
    let path = format!("/manualblocks/{}", block["id"].as_str().unwrap());
    desk.put(&path, &block).await.expect(204);
    desk.delete(&path).await.expect(204);
    let records = find_log_records(&desk, "object==\"Manual Block\"").await;
    let [begin, end] = [
        "Block actions: borrowing, requests. Description: Lost card. Staff only information: See file.",
        "Expiration date: 2099-05-01.",
    ];
    assert_eq!(
        log_lines(&records),
        [
            log_line("Manual Block", "Created", &format!("{begin} Message to patron: Please call. {end}")),
            log_line("Manual Block", "Modified", &format!("{begin} {end}")),
            log_line("Manual Block", "Deleted", &format!("{begin} {end}")),
        ]
    );
    assert_eq!(records[0]["userBarcode"], patron["barcode"]);
    assert_eq!(
        (&records[0]["items"], &records[0]["linkToIds"]),
        (&json!([]), &json!({"userId": patron["id"]}))
    );
}
