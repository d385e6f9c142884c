//! Mail servers that encrypt and ask who is there. What is wrong with that is wrong with the settings: the notice waits, and
//! the ledger says what is to be mended.

use octavo_testkit::sink::{Certificate, Encryption, Login, SinkOptions};
use octavo_testkit::{MailSink, encode};
use serde_json::{Value, json};

use super::Branch;

const PASSWORD: &str = "open sesame";

const DESK: Login = Login { user: "desk", password: PASSWORD, mechanisms: "PLAIN LOGIN" };

const RETRY: &str = "/delayedTask/retryFailedEmails";

/// Forms in which the password travels, which nobody is to read anywhere.
const SECRETS: [&str; 3] = [PASSWORD, "b3BlbiBzZXNhbWU=", "AGRlc2sAb3BlbiBzZXNhbWU="];

/// A branch with a notice to send.
async fn branch() -> Branch {
    let branch = Branch::open(&[("loanNotices", "Renewed", json!({}))]).await;
    lend_and_renew(&branch).await;
    branch
}

async fn lend_and_renew(branch: &Branch) {
    let (patron, item) = (branch.reader().await, branch.item().await);
    branch.check_out(&item, &patron).await.expect(201);
    branch.renew(&item, &patron).await.expect(200);
}

/// The settings from now on: those of the sink, changed.
async fn set_mail_settings(branch: &Branch, sink: &MailSink, changes: &Value) {
    let mut record = sink.configuration();
    record.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    let known = branch.get("/smtp-configuration").await.expect(200).field_values("smtpConfigurations", "id");
    match known.first() {
        None => drop(branch.post("/smtp-configuration", &record).await.expect(201)),
        Some(id) => drop(branch.put(&format!("/smtp-configuration/{id}"), &record).await.expect(204)),
    }
    branch.library.run_job(RETRY).await;
}

/// Tries to send. The only notice waits, for this reason, and the password is in no message.
async fn assert_notice_waits(branch: &Branch, why: &str) {
    assert_eq!(branch.library.relay().await, 0, "{why}");
    let ledger = branch.get("/notice-ledger/notices").await.expect(200);
    let row = ledger.json()["notices"][0].clone();
    let message = row["message"].as_str().unwrap_or_default();
    assert!(message.starts_with(why), "{why:?} is not the beginning of {message:?}");
    assert_eq!(row["status"], "Sending", "{row}");
    let email = branch.get("/email").await.expect(200);
    assert_eq!(email.field_values("emailEntity", "shouldRetry"), ["true"]);
    for secret in SECRETS {
        assert!(!ledger.text().contains(secret) && !email.text().contains(secret), "{ledger}\n{email}");
    }
}

/// Tries to send. The only notice is sent once.
async fn assert_notice_is_sent(branch: &Branch, sink: &MailSink) {
    assert_eq!(branch.library.relay().await, 1);
    assert_eq!(sink.count_mails(), 1);
    let row = branch.ledger_rows().await.pop().unwrap();
    assert_eq!((&row["status"], row.get("message")), (&json!("Sent"), None), "{row}");
}

#[tokio::test]
async fn notices_travel_encrypted_and_with_a_log_in() {
    let branch = branch().await;
    let kinds = [
        (Encryption::FromTheStart, Some(DESK)),
        (Encryption::FromTheStart, Some(Login { mechanisms: "LOGIN", ..DESK })),
        (Encryption::Offered, Some(DESK)),
        (Encryption::Offered, Some(Login { mechanisms: "CRAM-MD5 LOGIN", ..DESK })),
        (Encryption::Offered, None),
        (Encryption::None, Some(DESK)),
    ];
    for (at, (encryption, login)) in kinds.into_iter().enumerate() {
        if at > 0 {
            lend_and_renew(&branch).await;
        }
        let sink =
            MailSink::with_options(SinkOptions { encryption, login, certificate: Certificate::SelfSigned })
                .await;
        set_mail_settings(&branch, &sink, &json!({"trustAll": true})).await;
        assert_notice_is_sent(&branch, &sink).await;
        let mail = sink.mails().remove(0);
        assert_eq!(mail.encrypted, encryption != Encryption::None, "{encryption:?}");
        assert_eq!(mail.user, login.map(|login| login.user), "{encryption:?}");
    }
}

#[tokio::test]
async fn a_notice_waits_until_every_mistake_in_the_settings_is_mended() {
    let branch = branch().await;
    let starttls =
        SinkOptions { encryption: Encryption::Offered, login: Some(DESK), ..SinkOptions::default() };
    let tls = SinkOptions { encryption: Encryption::FromTheStart, ..starttls };
    let self_signed = SinkOptions { certificate: Certificate::SelfSigned, ..tls };
    let plain = SinkOptions { encryption: Encryption::None, ..starttls };
    let by_login = SinkOptions { login: Some(Login { mechanisms: "LOGIN", ..DESK }), ..starttls };
    let open = SinkOptions::default();
    let refused = "the mail server refuses the log-in: permanent error (535): 5.7.8 not with ";
    let not_accepted = "the certificate of the mail server is not accepted: ";
    let wrong = json!({"trustAll": true, "password": "open barley"});
    for (options, changes, why) in [
        (tls, json!({}), not_accepted),
        (self_signed, json!({}), not_accepted),
        (starttls, json!({}), not_accepted),
        (starttls, wrong.clone(), refused),
        (by_login, wrong.clone(), refused),
        (plain, wrong, refused),
        (
            open,
            json!({"startTlsOptions": "REQUIRED"}),
            "STARTTLS is required, but the mail server does not offer it",
        ),
        (open, json!({"ssl": true}), "no connection to the mail server: received corrupt message"),
        (
            open,
            json!({"loginOption": "REQUIRED", "username": "desk", "password": PASSWORD}),
            "log-in is required, but the mail server offers none of the ways to log in that can be used (PLAIN, LOGIN); \
             it may do so over an encrypted connection",
        ),
        (
            starttls,
            json!({"startTlsOptions": "DISABLED"}),
            "log-in is required, but the mail server offers none of the ways to log in that can be used (PLAIN, LOGIN); \
             it may do so over an encrypted connection",
        ),
        (
            by_login,
            json!({"trustAll": true, "authMethods": "PLAIN"}),
            "log-in is required, but the mail server offers none of the ways to log in that can be used (PLAIN)",
        ),
        (
            starttls,
            json!({"authMethods": "CRAM-MD5"}),
            "the SMTP configuration (authMethods) allows none of the ways to log in that are known here",
        ),
        (starttls, json!({"username": ""}), "log-in is required, but the SMTP configuration names no user"),
        (plain, json!({"loginOption": "DISABLED"}), "permanent error (530): 5.7.0 log in first"),
    ] {
        let sink = MailSink::with_options(options).await;
        set_mail_settings(&branch, &sink, &changes).await;
        assert_notice_waits(&branch, why).await;
        assert_eq!(sink.count_mails(), 0, "{why}");
    }
    let sink = MailSink::with_options(tls).await;
    set_mail_settings(&branch, &sink, &json!({"trustAll": true})).await;
    assert_notice_is_sent(&branch, &sink).await;
}

#[tokio::test]
async fn a_password_that_the_server_repeats_is_not_told_on() {
    let branch = branch().await;
    let sink = MailSink::with_options(SinkOptions {
        login: Some(Login { password: "another", ..DESK }),
        ..SinkOptions::default()
    });
    let sink = sink.await;
    set_mail_settings(&branch, &sink, &json!({"password": PASSWORD})).await;
    assert_notice_waits(
        &branch,
        "the mail server refuses the log-in: permanent error (535): 5.7.8 not with ***",
    )
    .await;
    set_mail_settings(&branch, &sink, &json!({"password": PASSWORD, "authMethods": "LOGIN"})).await;
    assert_notice_waits(
        &branch,
        "the mail server refuses the log-in: permanent error (535): 5.7.8 not with ZGVzaw== ***",
    )
    .await;
}

#[tokio::test]
async fn a_notice_outlives_a_server_that_goes_silent_at_any_word() {
    let branch = branch().await;
    let options = SinkOptions {
        encryption: Encryption::Offered,
        certificate: Certificate::SelfSigned,
        login: Some(DESK),
    };
    let sink = MailSink::with_options(options).await;
    for word in ["EHLO", "STARTTLS", "AUTH", "MAIL", "RCPT", "DATA", "."] {
        sink.break_off_at(Some(word));
        set_mail_settings(&branch, &sink, &json!({"trustAll": true})).await;
        assert_notice_waits(&branch, "the connection to the mail server broke off").await;
    }
    sink.break_off_at(None);
    branch.library.run_job(RETRY).await;
    assert_notice_is_sent(&branch, &sink).await;
    let row = branch.ledger_rows().await.remove(0);
    assert_eq!(row["attempts"], 8, "{row}");
}

#[tokio::test]
async fn encryption_and_log_in_that_are_wished_for_are_used_where_the_server_has_them() {
    let branch = branch().await;
    let wished = json!({"trustAll": true, "startTlsOptions": "OPTIONAL", "loginOption": "NONE", "username": "desk",
        "password": PASSWORD});
    let both = SinkOptions { encryption: Encryption::Offered, login: Some(DESK), ..SinkOptions::default() };
    for (options, expected) in [(SinkOptions::default(), (false, None)), (both, (true, Some("desk")))] {
        if expected.0 {
            lend_and_renew(&branch).await;
        }
        let sink = MailSink::with_options(options).await;
        set_mail_settings(&branch, &sink, &wished).await;
        assert_notice_is_sent(&branch, &sink).await;
        let mail = sink.mails().remove(0);
        assert_eq!((mail.encrypted, mail.user), expected);
    }
    let sent =
        branch.get(&format!("/notice-ledger/notices?query={}", encode("status==Sent"))).await.expect(200);
    assert_eq!(sent.total(), 2);
}
