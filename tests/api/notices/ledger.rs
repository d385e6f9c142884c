//! The ledger: what became of every notice, once more where it is wanted, and how a template would read.

use octavo_testkit::{Library, fresh_id};
use serde_json::json;

use super::{Branch, email_address};

#[tokio::test]
async fn an_address_that_bounces_is_seen_and_the_notice_can_be_sent_again() {
    let branch = Branch::open(&[("loanNotices", "Renewed", json!({}))]).await.with_mail().await;
    let (mut patron, item) = (branch.reader().await, branch.item().await);
    branch.sink.bounce(&email_address(&patron));
    branch.check_out(&item, &patron).await.expect(201);
    branch.renew(&item, &patron).await.expect(200);
    branch.library.relay().await;
    let row = branch.ledger_rows().await.remove(0);
    assert_eq!(row["status"], "Failed");
    assert!(row["message"].as_str().unwrap().contains("no such mailbox"), "{row}");

    let id = patron["id"].as_str().unwrap().to_owned();
    patron["personal"]["email"] = json!("new@example.com");
    branch.put(&format!("/users/{id}"), &patron).await.expect(204);
    let path = format!("/notice-ledger/notices/{}/resend", row["id"].as_str().unwrap());
    let sent = branch.post(&path, &json!({})).await.expect(201).json();
    assert_eq!((&sent["resendOf"], &sent["to"]), (&row["id"], &json!("new@example.com")));
    assert_eq!(branch.library.relay().await, 1);
    let of_loan = format!("loanId=={} and status==Sent", row["loanId"].as_str().unwrap());
    let found = branch.find("/notice-ledger/notices", &of_loan).await.expect(200);
    assert_eq!(found.field_values("notices", "body"), [row["body"].as_str().unwrap()]);
}

#[tokio::test]
async fn a_template_is_previewed_on_a_loan_that_is_there() {
    let branch = Branch::open(&[]).await;
    let (patron, item) = (branch.reader().await, branch.item().await);
    let loan = branch.check_out(&item, &patron).await.expect(201).json();
    let preview = json!({"loanId": loan["id"], "templateId": branch.template});
    let shown = branch.post("/notice-ledger/preview", &preview).await.expect(200).json();
    assert_eq!(
        (&shown["header"], &shown["to"]),
        (&json!("From your library"), &json!(email_address(&patron)))
    );
    assert!(shown["body"].as_str().unwrap().starts_with("Freya: Beloved "), "{shown}");

    let draft = json!({"loanId": loan["id"], "header": "{{usr.name}}", "body": "{{item.barcodeImage}}"});
    let shown = branch.post("/notice-ledger/preview", &draft).await.expect(200).json();
    assert_eq!(shown["unknownTokens"], json!(["usr.name"]));
    assert_eq!(shown["attachments"].as_array().unwrap().len(), 1);
    let broken = json!({"loanId": loan["id"], "header": "x", "body": "{{#loans}}"});
    let reply = branch.post("/notice-ledger/preview", &broken).await;
    reply.says(400, "The body of the template cannot be read: line 1, column 1: {{#loans}} is not closed");
    branch
        .post("/notice-ledger/preview", &json!({"loanId": fresh_id(), "header": "x", "body": "y"}))
        .await
        .expect(400);
    assert_eq!(branch.ledger_rows().await.len(), 0);
}

#[tokio::test]
async fn the_ledger_is_for_those_who_may_see_it() {
    let library = Library::guarded().await;
    let user = library.as_user(&["users.item.get"]).await;
    user.get("/notice-ledger/notices").await.expect(403);
    let user = library.as_user(&["notice-ledger.notices.collection.get"]).await;
    user.get("/notice-ledger/notices").await.expect(200);
}

#[tokio::test]
async fn a_notice_policy_that_the_rules_name_stays_and_its_name_is_its_own() {
    let branch = Branch::open(&[]).await;
    let path = "/patron-notice-policy-storage/patron-notice-policies";
    let found = branch.find(path, "name==Notices").await.expect(200);
    let id = &found.field_values("patronNoticePolicies", "id")[0];
    branch.delete(&format!("{path}/{id}")).await.says(400, "Cannot delete in use notice policy");
    branch.post(path, &json!({"name": "Notices"})).await.refused("'Notices' name in not unique");
}

#[tokio::test]
async fn what_a_notice_lacks_its_author_sees_in_the_ledger_and_in_the_preview() {
    let branch = Branch::open(&[("loanNotices", "Renewed", json!({}))]).await.with_mail().await;
    let path = format!("/templates/{}", branch.template);
    let mut template = branch.get(&path).await.expect(200).json();
    template["localizedTemplates"]["en"]["body"] =
        json!("{{usr.name}} {{user.barcodeImage}} {{loan.dueDate}} <img src='cid:logo'><img src='cid:seal'>");
    template["localizedTemplates"]["en"]["attachments"] = json!([{"contentType": "image/png", "name": "logo",
        "contentId": "<logo>", "disposition": "inline", "data": "iVBORw0KGgo="}]);
    branch.put(&path, &template).await.expect(200);
    let (mut patron, item) = (branch.reader().await, branch.item().await);
    let id = patron["id"].as_str().unwrap().to_owned();
    patron["barcode"] = json!("Karte \u{e4}");
    branch.put(&format!("/users/{id}"), &patron).await.expect(204);
    let loan = branch.check_out(&item, &patron).await.expect(201).json();
    branch.renew(&item, &patron).await.expect(200);
    assert_eq!(branch.library.relay().await, 1);
    let row = branch.ledger_rows().await.remove(0);
    let remarks = row["remarks"].to_string();
    assert!(remarks.contains("usr.name"), "{row}");
    assert!(remarks.contains("The barcode Karte \u{e4} cannot be drawn as Code 128"), "{row}");
    assert!(remarks.contains("The picture cid:seal is not attached to the template"), "{row}");
    assert!(!remarks.contains("logo"), "{row}");
    let preview = json!({"loanId": loan["id"], "templateId": branch.template});
    let shown = branch.post("/notice-ledger/preview", &preview).await.expect(200).json();
    assert_eq!(shown["unknownTokens"], json!(["usr.name"]));
    assert_eq!(shown["undrawnBarcodes"], json!(["Karte \u{e4}"]));
    assert_eq!(shown["missingPictures"], json!(["seal"]));
    assert_eq!(shown["attachments"].as_array().unwrap().len(), 1);
    // Sent once more, it has its pictures once more.
    let path = format!("/notice-ledger/notices/{}/resend", row["id"].as_str().unwrap());
    branch.post(&path, &json!({})).await.expect(201);
    assert_eq!(branch.library.relay().await, 1);
    let mails = branch.sink.mails();
    assert_eq!(mails.len(), 2);
    assert!(mails.iter().all(|mail| mail.data.contains("Content-ID: <logo>")), "{mails:?}");
}
