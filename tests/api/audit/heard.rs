//! `LOG_RECORD` events of modules outside of the program.

use octavo_testkit::{Library, fresh_id};
use serde_json::{Value, json};

use super::{find_log_records, log_lines};

async fn post_event(library: &Library, event: &Value) {
    library.post("/audit/handlers/log-record", event).await.expect(204);
}

#[expect(clippy::too_many_lines, reason = "a table of cases")]
#[tokio::test]
async fn each_kind_of_event_becomes_its_records() {
    let library = Library::open().await;
    let [user, by, item, loan, request] = [(); 5].map(|()| fresh_id());
    let person = json!({"id": user, "username": "u", "barcode": "77", "personal": {"lastName": "Byron", "firstName": "Ada"}});
    library.post("/users", &person).await.expect(201);
    let staff = json!({"id": by, "username": "s", "personal": {"lastName": "Clerk"}});
    library.post("/users", &staff).await.expect(201);
    let of_item = json!({"itemId": item, "itemBarcode": "33", "loanId": loan, "userId": user, "userBarcode": "77", "source": "Desk, Di"});
    let with = |kind: &str, more: Value| {
        let mut event = of_item.clone();
        event["logEventType"] = json!(kind);
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        event
    };
    let payload = |kind: &str, payload: Value| json!({"logEventType": kind, "payload": payload});
    let changed = json!([{"id": request, "oldRequestStatus": "A", "newRequestStatus": "B", "requestType": "Hold", "pickUpServicePoint": "Main"}]);
    let metadata = json!({"updatedByUserId": by});
    let asked = json!({"id": request, "requesterId": user, "requestType": "Hold", "metadata": metadata, "status": "Closed - Pickup expired"});
    for (event, expected) in [
        (
            with("CHECK_OUT_EVENT", json!({"proxyBarcode": "5", "requests": []})),
            vec![("Loan", "Checked out", "Checked out to proxy: 5.")],
        ),
        (
            with(
                "CHECK_IN_EVENT",
                json!({
                    "isLoanClosed": true, "itemStatusName": "In transit", "destinationServicePoint": "Online", "zoneId": "Europe/Berlin",
                    "returnDate": "2026-03-01T09:00:00.000Z", "systemReturnDate": "2026-03-02T09:00:00.000Z",
                    "dueDate": "2026-02-01T09:00:00.000Z", "requests": changed,
                }),
            ),
            vec![
                ("N/A", "Checked in", "Item status: In transit to Online."),
                ("Loan", "Closed loan", "Item status: In transit. Backdated to: 2026-03-01 10:00:00."),
                (
                    "Request",
                    "Request status changed",
                    "Type: Hold. Pickup service point: Main. New request status: B (from: A).",
                ),
            ],
        ),
        (
            payload(
                "LOAN",
                json!({"action": "Renewed", "description": "Why", "userId": user, "loanId": loan, "updatedByUserId": by}),
            ),
            vec![("Loan", "Renewed", "Why")],
        ),
        (payload("LOAN", json!({"action": "Sold"})), vec![]),
        (
            payload(
                "NOTICE_ERROR",
                json!({"userId": user, "errorMessage": "no template", "items": [{"triggeringEvent": "Check in"}]}),
            ),
            vec![(
                "Notice",
                "Send error",
                "Template: unknown. Triggering event: Check in. Error message: no template",
            )],
        ),
        (
            payload(
                "FEE_FINE",
                json!({"action": "Billed", "type": "Lost", "feeFineOwner": "Main", "amount": 3.456, "automated": true, "comments": "x", "userId": user, "accountId": request}),
            ),
            vec![(
                "Fee/Fine",
                "Billed",
                "Fee/Fine type: Lost. Fee/Fine owner: Main. Amount: 3.46. automated. Additional information to staff: x",
            )],
        ),
        (
            payload(
                "MANUAL_BLOCK_CREATED_EVENT",
                json!({"userId": user, "desc": "D", "borrowing": true, "metadata": metadata}),
            ),
            vec![("Manual Block", "Created", "Block actions: borrowing. Description: D.")],
        ),
        (
            payload("REQUEST_CREATED_THROUGH_OVERRIDE_EVENT", json!({"requests": {"created": asked}})),
            vec![("Request", "Created through override", "Type: Hold.")],
        ),
        (
            payload("REQUEST_EXPIRED_EVENT", json!({"requests": {"original": asked, "updated": asked}})),
            vec![(
                "Request",
                "Pickup expired",
                "Type: Hold. New request status: Closed - Pickup expired (from: Closed - Pickup expired).",
            )],
        ),
        (payload("NONSENSE", json!({})), vec![]),
        (json!([1, 2]), vec![]),
    ] {
        let before = find_log_records(&library, "cql.allRecords=1").await.len();
        post_event(&library, &event).await;
        let new = find_log_records(&library, "cql.allRecords=1").await.split_off(before);
        let expected: Vec<[String; 3]> = expected
            .into_iter()
            .map(|(object, action, text)| [object, action, text].map(str::to_owned))
            .collect();
        assert_eq!(log_lines(&new), expected, "{event}");
        for record in new {
            assert_eq!(record["userBarcode"], "77", "{record}");
            assert_eq!(record["linkToIds"]["userId"], json!(user), "{record}");
        }
    }
    assert_eq!(find_log_records(&library, "action==Renewed").await[0]["source"], "Clerk");
    assert_eq!(find_log_records(&library, "action==\"Checked out\"").await[0]["source"], "Desk, Di");
    post_event(
        &library,
        &payload("LOAN", json!({"action": "Anonymize", "loanId": loan, "itemBarcode": "33", "userId": user})),
    )
    .await;
    let of_loan = find_log_records(&library, &format!("loanId=={loan}")).await;
    assert_eq!(of_loan.len(), 6);
    assert!(
        of_loan
            .iter()
            .all(|record| record["userBarcode"] == "-" && record["linkToIds"].get("userId").is_none())
    );
}

#[tokio::test]
async fn an_event_about_a_fee_says_when_it_was() {
    let library = Library::open().await;
    for (kind, action, date) in [
        ("FEE_FINE", "Billed", "2026-01-05T10:00:00.000+0000"),
        ("FEE_FINE", "Billed", "lately"),
        ("LOAN", "Renewed", "2026-01-05T10:00:00.000+0000"),
    ] {
        let payload = json!({"action": action, "type": "Lost", "date": date});
        post_event(&library, &json!({"logEventType": kind, "payload": payload})).await;
    }
    assert_eq!(find_log_records(&library, "cql.allRecords=1").await.len(), 3);
    let then = find_log_records(&library, "date>=\"2026-01-05\" and date<=\"2026-01-06\"").await;
    assert_eq!(then.len(), 1, "{then:#?}");
    assert_eq!(then[0]["object"], "Fee/Fine");
    assert!(then[0]["date"].as_str().unwrap().starts_with("2026-01-05T10:00:00"), "{}", then[0]);
}

#[tokio::test]
async fn what_a_module_publishes_is_heard_too() {
    let library = Library::open().await;
    let event = json!({"eventType": "LOG_RECORD", "description": "d", "eventTTL": 1, "signed": false});
    let publisher = json!({"moduleId": "mod-outside-1.0.0", "eventDescriptors": [event]});
    library.post("/pubsub/event-types/declare/publisher", &publisher).await.expect(201);
    let payload =
        json!({"logEventType": "LOAN", "payload": {"action": "Renewed", "description": "From outside"}});
    let published = json!({
        "id": fresh_id(), "eventType": "LOG_RECORD", "eventPayload": payload.to_string(),
        "eventMetadata": {"tenantId": library.tenant.as_str(), "eventTTL": 1, "publishedBy": "mod-outside-1.0.0"},
    });
    library.post("/pubsub/publish", &published).await.expect(204);
    assert_eq!(find_log_records(&library, "cql.allRecords=1").await[0]["description"], "From outside");
}
