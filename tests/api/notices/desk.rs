//! What happens at the desk is told to whom it concerns, and the desk never waits for it.

use octavo_testkit::Desk;
use octavo_testkit::reference::CIRC_DESK;
use serde_json::json;

use super::{Branch, email_address};

#[tokio::test]
async fn a_renewal_is_told_and_costs_no_round_trip() {
    let branch = Branch::open(&[("loanNotices", "Renewed", json!({}))]).await.with_mail().await;
    let (patron, items) = (branch.reader().await, branch.items(2).await);
    for item in &items {
        branch.check_out(item, &patron).await.expect(201);
    }
    branch.renew(&items[0], &patron).await.expect(200);
    let reply = branch.renew(&items[1], &patron).await.expect(200);
    assert_eq!(reply.round_trips(), 2, "{reply}");
    assert_eq!(branch.sink.mails().len(), 0);
    assert_eq!(branch.library.relay().await, 2);
    let mailed = branch.mailed_texts();
    assert_eq!(mailed[0].0, email_address(&patron));
    assert!(mailed[0].1.starts_with("Freya: Beloved "), "{mailed:?}");
    let row = branch.ledger_rows().await.remove(0);
    assert_eq!((&row["event"], &row["status"]), (&json!("Renewed"), &json!("Sent")));
    assert_eq!((&row["policyName"], &row["ruleLine"]), (&json!("Notices"), &json!(2)));
    assert_eq!(row["to"], json!(email_address(&patron)));
    assert!(row["body"].as_str().unwrap().contains("Beloved"), "{row}");
}

#[tokio::test]
async fn a_library_that_sends_no_notices_writes_none() {
    let desk = Desk::open().await;
    let (patron, item) = (desk.patron().await, desk.item().await);
    desk.check_out(&item, &patron).await.expect(201);
    desk.renew(&item, &patron).await.expect(200);
    desk.check_in(&item).await.expect(200);
    for (path, list) in [
        ("/notice-ledger/notices", "notices"),
        ("/scheduled-notice-storage/scheduled-notices", "scheduledNotices"),
    ] {
        let reply = desk.get(path).await.expect(200);
        assert_eq!(reply.json()[list], json!([]), "{reply}");
    }
}

#[tokio::test]
async fn a_mail_server_that_is_down_keeps_no_desk_waiting_and_loses_nothing() {
    let branch = Branch::open(&[("loanNotices", "Renewed", json!({}))]).await;
    let mut nowhere = branch.sink.configuration();
    // Nobody listens there: the port was free a moment ago.
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    nowhere["port"] = json!(gone.port());
    let stored = branch.post("/smtp-configuration", &nowhere).await.expect(201).json();
    let (patron, item) = (branch.reader().await, branch.item().await);
    branch.check_out(&item, &patron).await.expect(201);
    branch.renew(&item, &patron).await.expect(200);
    assert_eq!(branch.library.relay().await, 0);
    let row = branch.ledger_rows().await.remove(0);
    assert_eq!((&row["status"], &row["attempts"]), (&json!("Sending"), &json!(1)));
    assert!(row["message"].is_string(), "{row}");

    let id = stored["id"].as_str().unwrap();
    branch.put(&format!("/smtp-configuration/{id}"), &branch.sink.configuration()).await.expect(204);
    assert_eq!(branch.library.relay().await, 0);
    branch.library.run_job("/delayedTask/retryFailedEmails").await;
    assert_eq!(branch.library.relay().await, 1);
    assert_eq!(branch.ledger_rows().await[0]["status"], "Sent");
}

#[tokio::test]
async fn a_due_date_that_is_changed_by_hand_is_told() {
    let branch =
        Branch::open(&[("loanNotices", "Manual due date change", json!({}))]).await.with_mail().await;
    let (patron, item) = (branch.reader().await, branch.item().await);
    let loan = branch.check_out(&item, &patron).await.expect(201).json();
    let path = format!("/circulation/loans/{}/change-due-date", loan["id"].as_str().unwrap());
    branch.post(&path, &json!({"dueDate": "2031-05-06T10:00:00Z"})).await.expect(204);
    branch.library.relay().await;
    assert!(branch.mailed_texts()[0].1.contains("5/6/31"), "{:?}", branch.mailed_texts());
}

#[tokio::test]
async fn notices_without_a_way_to_their_reader_say_why() {
    let branch = Branch::open(&[
        ("loanNotices", "Renewed", json!({})),
        // Of two notices upon one event the first is written.
        ("loanNotices", "Renewed", json!({"format": "Print"})),
        ("loanNotices", "Manual due date change", json!({"format": "Print"})),
    ])
    .await
    .with_mail()
    .await;
    // No e-mail address.
    let (patron, item) = (branch.patron().await, branch.item().await);
    let loan = branch.check_out(&item, &patron).await.expect(201).json();
    branch.renew(&item, &patron).await.expect(200);
    let path = format!("/circulation/loans/{}/change-due-date", loan["id"].as_str().unwrap());
    branch.post(&path, &json!({"dueDate": "2031-05-06T10:00:00Z"})).await.expect(204);
    branch.library.relay().await;
    let mut rows: Vec<(String, String)> = branch
        .ledger_rows()
        .await
        .iter()
        .map(|row| {
            (
                row["status"].as_str().unwrap().to_owned(),
                row["reason"].as_str().unwrap_or_default().to_owned(),
            )
        })
        .collect();
    rows.sort();
    let expected = [("Not sent", "the patron has no e-mail address"), ("To print", "")];
    assert_eq!(rows, expected.map(|(status, why)| (status.to_owned(), why.to_owned())));
}

#[tokio::test]
async fn a_recall_is_told_to_the_borrower_and_to_the_requester() {
    let branch = Branch::open(&[
        ("loanNotices", "Item recalled", json!({})),
        ("requestNotices", "Recall request", json!({})),
    ])
    .await
    .with_mail()
    .await;
    let (borrower, reader, item) = (branch.reader().await, branch.reader().await, branch.item().await);
    branch.check_out(&item, &borrower).await.expect(201);
    let body = super::requests::request_body("Recall", &branch, &item, &reader).await;
    branch.post("/circulation/requests", &body).await.expect(201);
    assert_eq!(branch.library.relay().await, 2);
    let mut told: Vec<String> = branch.mailed_texts().into_iter().map(|(to, _)| to).collect();
    let mut expected = vec![email_address(&borrower), email_address(&reader)];
    told.sort();
    expected.sort();
    assert_eq!(told, expected, "at {CIRC_DESK}");

    // The loan keeps its date: its borrower hears of a further recall where no other waits.
    let mut recalls = vec![body];
    for told in [1, 2] {
        for recall in recalls.iter_mut().filter(|_| told == 2) {
            recall["status"] = json!("Closed - Cancelled");
            let path = format!("/circulation/requests/{}", recall["id"].as_str().unwrap());
            branch.put(&path, recall).await.expect(204);
        }
        let recall = super::requests::request_body("Recall", &branch, &item, &branch.reader().await).await;
        branch.post("/circulation/requests", &recall).await.expect(201);
        assert_eq!(branch.library.relay().await, told);
        recalls.push(recall);
    }
    let query = "loan.action==recallrequested";
    assert_eq!(branch.find("/loan-storage/loan-history", query).await.expect(200).total(), 1);
}
