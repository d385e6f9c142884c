//! E-mails are never lost: they wait for their server, and bounce once.

use octavo_testkit::{Library, MailSink, fresh_id};
use serde_json::{Value, json};

fn email(to: &str) -> Value {
    json!({"notificationId": fresh_id(), "to": to, "header": "Grüße", "body": "<p>Hello</p>", "outputFormat": "text/html"})
}

async fn read_single_email(library: &Library) -> Value {
    library.get("/email").await.expect(200).json()["emailEntity"][0].clone()
}

#[tokio::test]
async fn an_email_is_handed_to_the_mail_server() {
    let library = Library::open().await;
    let sink = MailSink::open().await;
    library.post("/smtp-configuration", &sink.configuration()).await.expect(201);
    library.post("/email", &email("ada@example.com")).await.expect(200);
    let waiting = read_single_email(&library).await;
    assert_eq!((&waiting["status"], &waiting["attemptCount"]), (&json!("PROCESSING"), &json!(0)));
    assert_eq!(library.relay().await, 1);
    let mails = sink.mails();
    assert_eq!((mails.len(), mails[0].to.join(",")), (1, "ada@example.com".to_owned()));
    assert_eq!(mails[0].from, "desk@library.example");
    assert!(mails[0].data.contains("Subject: =?utf-8?b?R3LDvMOfZQ==?="), "{}", mails[0].data);
    let done = read_single_email(&library).await;
    assert_eq!((&done["status"], &done["shouldRetry"]), (&json!("DELIVERED"), &json!(false)));
    assert_eq!(done["message"], "The message has been delivered to ada@example.com");
    let sender = "Circulation <desk@library.example>";
    assert_eq!(done["from"], sender, "the sender of the mail server's settings");
    assert_eq!(library.relay().await, 0);
}

#[tokio::test]
async fn an_email_that_comes_again_is_replaced_and_sent_again() {
    let library = Library::open().await;
    let sink = MailSink::open().await;
    library.post("/smtp-configuration", &sink.configuration()).await.expect(201);
    let mut mail = email("ada@example.com");
    mail["id"] = json!(fresh_id());
    library.post("/email", &mail).await.expect(200);
    assert_eq!(library.relay().await, 1);
    mail["to"] = json!("bob@example.com");
    mail["from"] = json!("front@library.example");
    library.post("/email", &mail).await.expect(200);
    assert_eq!(library.relay().await, 1);
    let listed = library.get("/email").await.expect(200);
    assert_eq!((listed.total(), &read_single_email(&library).await["to"]), (1, &mail["to"]), "{listed}");
    let senders: Vec<String> = sink.mails().iter().map(|mail| mail.from.clone()).collect();
    assert_eq!(senders, ["desk@library.example", "front@library.example"]);
}

#[tokio::test]
async fn an_email_waits_until_there_is_a_server_that_takes_it() {
    let library = Library::open().await;
    library.post("/email", &email("ada@example.com")).await.expect(200);
    assert_eq!(library.relay().await, 0);
    let failed = read_single_email(&library).await;
    assert_eq!((&failed["status"], &failed["shouldRetry"]), (&json!("FAILURE"), &json!(true)));
    assert!(failed["message"].as_str().unwrap().contains("no mail server is configured"), "{failed}");

    let sink = MailSink::open().await;
    sink.set_busy(true);
    library.post("/smtp-configuration", &sink.configuration()).await.expect(201);
    library.post("/email", &email("bob@example.com")).await.expect(200);
    assert_eq!(library.relay().await, 0);
    let waiting = library.find("/email", "shouldRetry==true").await.expect(200);
    assert_eq!(waiting.total(), 2, "{waiting}");
    assert!(waiting.text().contains("451"), "{waiting}");
}

#[tokio::test]
async fn an_address_that_nobody_has_is_tried_once() {
    let library = Library::open().await;
    let sink = MailSink::open().await;
    sink.bounce("gone@example.com");
    library.post("/smtp-configuration", &sink.configuration()).await.expect(201);
    library.post("/email", &email("gone@example.com")).await.expect(200);
    library.post("/email", &email("no address")).await.expect(200);
    assert_eq!(library.relay().await, 0);
    let failed = library.find("/email", "status==FAILURE and shouldRetry==false").await.expect(200);
    assert_eq!(failed.total(), 2, "{failed}");
    assert!(failed.text().contains("no such mailbox"), "{failed}");
}

#[tokio::test]
async fn there_is_one_mail_server_a_library() {
    let library = Library::open().await;
    let sink = MailSink::open().await;
    library.post("/smtp-configuration", &sink.configuration()).await.expect(201);
    library.post("/smtp-configuration", &sink.configuration()).await.expect(422);
    let all = library.get("/smtp-configuration").await.expect(200);
    assert_eq!(all.total(), 1);
}

#[tokio::test]
async fn a_mail_server_in_configuration_entries_does_not_count() {
    let library = Library::open().await;
    let sink = MailSink::open().await;
    let server = sink.configuration();
    for (code, value) in [
        ("EMAIL_SMTP_HOST", server["host"].as_str().unwrap()),
        ("EMAIL_SMTP_PORT", &server["port"].to_string()),
        ("EMAIL_USERNAME", "desk"),
        ("EMAIL_PASSWORD", "secret"),
    ] {
        let entry = json!({"module": "SMTP_SERVER", "configName": "smtp", "code": code, "value": value});
        library.post("/configurations/entries", &entry).await.expect(201);
    }
    let answer = library.post("/email", &email("ada@example.com")).await.expect(200);
    assert!(answer.text().contains("doesn't have a minimum config for SMTP server"), "{answer}");
    assert_eq!((library.relay().await, sink.mails().len()), (0, 0));
}

#[tokio::test]
async fn delivered_emails_are_forgotten_after_their_day() {
    let library = Library::open().await;
    let sink = MailSink::open().await;
    library.post("/smtp-configuration", &sink.configuration()).await.expect(201);
    library.post("/email", &email("ada@example.com")).await.expect(200);
    library.relay().await;
    library.delete("/delayedTask/expiredMessages").await.expect(204);
    assert_eq!(library.get("/email").await.total(), 1);
    library.delete("/delayedTask/expiredMessages?expirationDate=2999-01-01").await.expect(204);
    assert_eq!(library.get("/email").await.total(), 0);
    let reply = library.delete("/delayedTask/expiredMessages?expirationDate=soon").await;
    reply.says(400, "Invalid date value, the parameter must be in the format: yyyy-MM-dd");
}

#[tokio::test]
async fn headers_that_would_begin_another_are_refused() {
    let sink = MailSink::open().await;
    let library = Library::furnished().await;
    let with = |name: &str, value: &str| {
        let mut record = sink.configuration();
        record["emailHeaders"] = json!([{"name": name, "value": value}]);
        record
    };
    for (name, value) in [
        ("X-Library", "a\r\nBcc: eve@example.com"),
        ("X-Library", "a\nb"),
        ("X-Library", "a\rb"),
        ("X-Library\r\nBcc", "eve@example.com"),
        ("X Library", "a"),
        ("X-Library:", "a"),
    ] {
        let refused = library.post("/smtp-configuration", &with(name, value)).await.expect(422);
        assert!(refused.refused_keys()[0].starts_with("emailHeaders."), "{refused}");
    }
    let stored = library.post("/smtp-configuration", &with("X-Library", "Ärger")).await.expect(201).json();
    let path = format!("/smtp-configuration/{}", stored["id"].as_str().unwrap());
    library.put(&path, &with("X-Library", "a\r\nb")).await.expect(422);
}
