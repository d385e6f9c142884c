//! A transaction is cancelled by the hub, or by who cancels its request.

use octavo_pg::Statement;
use octavo_testkit::eventually;
use serde_json::json;

use super::{Partner, Transaction};
use crate::circulation::waiting::LockHolder;

/// Brings a new transaction to a status from which it can be cancelled.
async fn transaction_at_status(library: &Partner, role: &str, status: &str) -> Transaction {
    let made = library.create_transaction(role).await;
    let arrives = matches!(role, "PICKUP" | "BORROWING-PICKUP");
    let steps: &[&str] = match status {
        "CREATED" => &[],
        "OPEN" => &["OPEN"],
        _ => &["OPEN", "AWAITING_PICKUP"],
    };
    for step in steps {
        match (role, *step) {
            ("LENDER", "OPEN") => drop(library.desk.check_in(&made.item).await.expect(200)),
            (_, "AWAITING_PICKUP") if arrives => drop(library.desk.check_in(&made.item).await.expect(200)),
            (_, step) => library.put_statuses(&made, &[step]).await,
        }
    }
    assert_eq!(library.status(&made).await, status);
    made
}

#[tokio::test]
async fn the_hub_cancels_at_every_step_before_the_loan() {
    let library = Partner::open().await;
    for role in ["LENDER", "BORROWER", "PICKUP", "BORROWING-PICKUP"] {
        for status in ["CREATED", "OPEN", "AWAITING_PICKUP"] {
            let made = transaction_at_status(&library, role, status).await;
            library.put_statuses(&made, &["CANCELLED"]).await;
            let request = library.requests(&made).await.remove(0);
            assert_eq!(request["status"], "Closed - Cancelled", "{role} {status}");
            assert_eq!(request["cancellationAdditionalInformation"], "Request cancelled by DCB");
            if (role, status) == ("LENDER", "CREATED") {
                assert_eq!(library.desk.status(&made.item).await, "Available");
            }
            library.put_status(&made, "CANCELLED").await.expect(400);
        }
    }
}

#[tokio::test]
async fn who_cancels_the_request_cancels_the_transaction() {
    let library = Partner::open().await;
    for role in ["LENDER", "BORROWER", "PICKUP", "BORROWING-PICKUP"] {
        for status in ["CREATED", "OPEN", "AWAITING_PICKUP"] {
            let made = transaction_at_status(&library, role, status).await;
            let mut request = library.requests(&made).await.remove(0);
            let path = format!("/circulation/requests/{}", request["id"].as_str().unwrap());
            request["status"] = json!("Closed - Cancelled");
            request["cancelledByUserId"] = made.patron["id"].clone();
            let reply = library.desk.put(&path, &request).await.expect(204);
            assert_eq!(reply.round_trips(), 2, "{reply}");
            assert_eq!(library.status(&made).await, "CANCELLED", "{role} {status}");
        }
    }
}

#[tokio::test]
async fn what_is_lent_is_not_cancelled_and_what_has_ended_stays() {
    let library = Partner::open().await;
    let made = library.create_transaction("BORROWER").await;
    for status in ["ITEM_CHECKED_OUT", "ITEM_CHECKED_IN", "CLOSED"] {
        library.put_statuses(&made, &[status]).await;
        let refused = library.put_status(&made, "CANCELLED").await.expect(400).json();
        let message = format!(
            "Cannot cancel transaction dcbTransactionId: {}. Transaction already in status: {status}: ",
            made.id
        );
        assert_eq!(refused, super::refusal(&message, "VALIDATION_ERROR"));
    }
}

#[tokio::test]
async fn another_library_lends_before_anything_was_sent() {
    let library = Partner::open().await;
    let made = library.create_transaction("BORROWING-PICKUP").await;
    let path = format!("/transactions/{}", made.id);
    // Members that the body does not have are ignored.
    let other = json!({"item": {"barcode": "other-1", "materialType": "book", "lendingLibraryCode": "AU",
        "id": "none", "title": 7, "note": {"any": 1}}, "role": "LENDER"});
    library.desk.put(&path, &other).await.expect(204);
    assert_eq!(library.request_status(&made).await, "Closed - Cancelled");
    assert_eq!(library.status(&made).await, "CREATED");
    let found = library.desk.find("/circulation-item", "barcode==other-1").await.expect(200).json();
    let now = Transaction { item: found["items"][0].clone(), ..made };
    assert_eq!(library.request_status(&now).await, "Open - Not yet filled");
    library.put_statuses(&now, &["OPEN"]).await;
    let late = library.desk.put(&path, &other).await.expect(400).json();
    let message = "Transaction details should not be updated from OPEN status, it can be updated only from CREATED status";
    assert_eq!(late, super::refusal(message, "VALIDATION_ERROR"));
    library.desk.check_in(&now.item).await.expect(200);
    assert_eq!(library.status(&now).await, "AWAITING_PICKUP");

    let lender = library.create_transaction("LENDER").await;
    let refused = library.desk.put(&format!("/transactions/{}", lender.id), &other).await.expect(400).json();
    assert_eq!(refused, super::refusal("Item details cannot be updated for lender role", "VALIDATION_ERROR"));
}

#[tokio::test]
async fn the_request_for_the_item_before_is_cancelled_although_the_first_attempt_fails() {
    let library = Partner::open().await;
    let made = library.create_transaction("BORROWING-PICKUP").await;
    let lock = "select id from circulation_item where id = $1::text::uuid for update";
    let holder = LockHolder::lock(&library.library, lock, made.item["id"].as_str().unwrap()).await;
    let (desk, path) = (library.desk.clone(), format!("/transactions/{}", made.id));
    let other = json!({"item": {"barcode": "other-2", "materialType": "book", "lendingLibraryCode": "AU"}});
    let waits = tokio::spawn(async move { desk.put(&path, &other).await });
    let cancel_waiting = "\
select pg_cancel_backend(a.pid)::text
from pg_stat_activity a
where pg_backend_pid() = any(pg_blocking_pids(a.pid))";
    holder.change_and_release(&library.library, vec![Statement::new(cancel_waiting)]).await;
    waits.await.unwrap().expect(204);
    eventually("the request is cancelled", async || {
        library.library.relay().await;
        library.request_status(&made).await == "Closed - Cancelled"
    })
    .await;
    assert_eq!(library.status(&made).await, "CREATED");
}
