//! Notices that cannot be written or sent: each waits by itself, keeps no other, is told to staff, and they can do something
//! about it.

use octavo_engine::StopSign;
use octavo_pg::Statement;
use octavo_testkit::{Octavo, Reply, eventually, on_runtime};
use serde_json::{Value, json};

use super::{Branch, email_address};

const POISON: &str = "poison";

/// Makes the database refuse ledger entries of notices whose text contains the word `poison`, when they are written.
async fn break_ledger(branch: &Branch) {
    let plant = format!(
        "create function planted() returns trigger language plpgsql as $$ begin \
           if new.doc ->> 'body' like '%{POISON}%' then raise exception 'planted'; end if; return new; end $$; \
         create trigger planted before update on notice for each row execute function planted()"
    );
    branch.library.script(plant).await;
}

async fn mend_ledger(branch: &Branch) {
    branch.library.script("drop trigger planted on notice; drop function planted").await;
}

/// Creates a notice about a renewal for a patron of each of these names.
async fn notices(branch: &Branch, names: &[&str]) -> Vec<Value> {
    let mut patrons = Vec::new();
    for name in names {
        let mut patron = branch.reader().await;
        let path = format!("/users/{}", patron["id"].as_str().unwrap());
        patron["personal"]["firstName"] = json!(name);
        branch.put(&path, &patron).await.expect(204);
        let item = branch.item().await;
        branch.check_out(&item, &patron).await.expect(201);
        branch.renew(&item, &patron).await.expect(200);
        patrons.push(patron);
    }
    patrons
}

async fn notice_of(branch: &Branch, patron: &Value) -> Value {
    let rows = branch.ledger_rows().await;
    rows.into_iter().find(|row| row["recipientId"] == patron["id"]).expect("a notice of the patron")
}

async fn post_notice_action(branch: &Branch, does: &str, notice: &Value) -> Reply {
    let id = notice["id"].as_str().unwrap();
    branch.post(&format!("/notice-ledger/notices/{id}/{does}"), &json!({})).await
}

/// The number of failing notices of all tenants, as `/metrics` tells it.
async fn failing_metric(kind: &str) -> f64 {
    let client = Octavo::start_another().await.client();
    let wanted = format!("octavo_outbox_failing{{kind=\"{kind}\"}} ");
    let mut found = None;
    eventually("the page tells what fails", async || {
        let page = client.get("/metrics").await.expect(200).text();
        found = page.lines().find_map(|line| line.strip_prefix(&wanted)?.parse().ok());
        found.is_some()
    })
    .await;
    found.unwrap_or_default()
}

#[tokio::test]
async fn a_notice_that_cannot_be_written_waits_alone_and_goes_out_when_it_is_mended() {
    let branch = Branch::open(&[("loanNotices", "Renewed", json!({}))]).await.with_mail().await;
    break_ledger(&branch).await;
    let patrons = notices(&branch, &["Ann", POISON, "Bob", "Eve"]).await;
    assert_eq!(branch.library.relay().await, 3, "the others are not held up");
    let notice = notice_of(&branch, &patrons[1]).await;
    assert_eq!((&notice["status"], &notice["attempts"]), (&json!("Pending"), &json!(1)), "{notice}");
    let message = "The notice could not be written because of a fault in the program, whose log says more. \
        It will be tried again.";
    assert_eq!(notice["message"], message);
    assert!(notice["nextAttemptDate"].is_string() && notice["lastAttemptDate"].is_string(), "{notice}");
    assert!(failing_metric("notice").await >= 1.0);
    // It is put off: not tried again before its time, however often somebody looks.
    branch.library.script("update outbox set due = due + interval '1 hour'").await;
    assert_eq!(branch.library.relay().await, 0);
    assert_eq!(notice_of(&branch, &patrons[1]).await["attempts"], 1);

    post_notice_action(&branch, "retry", &notice).await.expect(202);
    branch.library.relay().await;
    assert_eq!(notice_of(&branch, &patrons[1]).await["status"], "Pending");
    mend_ledger(&branch).await;
    post_notice_action(&branch, "retry", &notice).await.expect(202);
    assert_eq!(branch.library.relay().await, 1);
    let sent = notice_of(&branch, &patrons[1]).await;
    assert_eq!((&sent["status"], &sent["attempts"]), (&json!("Sent"), &json!(1)), "{sent}");
    assert!(sent.get("message").is_none() && sent.get("nextAttemptDate").is_none(), "{sent}");
    assert_eq!(branch.sink.mails().len(), 4, "nobody got a notice twice");
    post_notice_action(&branch, "retry", &sent).await.says(400, "The notice does not wait for anything");
}

#[tokio::test]
async fn staff_take_back_a_notice_that_waits() {
    let branch = Branch::open(&[("loanNotices", "Renewed", json!({}))]).await;
    break_ledger(&branch).await;
    let patrons = notices(&branch, &[POISON, "Ann"]).await;
    branch.library.relay().await;
    // The one is not written, the other has no server that would take it.
    for (patron, status) in [(&patrons[0], "Pending"), (&patrons[1], "Sending")] {
        let notice = notice_of(&branch, patron).await;
        assert_eq!(notice["status"], status, "{notice}");
        let shown = post_notice_action(&branch, "withdraw", &notice).await.expect(200).json();
        assert_eq!(shown["status"], "Not sent");
        let notice = notice_of(&branch, patron).await;
        assert_eq!(notice["reason"], "withdrawn by staff before it was sent");
        post_notice_action(&branch, "withdraw", &notice).await.expect(400);
    }
    mend_ledger(&branch).await;
    let branch = branch.with_mail().await;
    assert_eq!(branch.library.relay().await, 0);
    assert_eq!(branch.sink.mails().len(), 0);
    let email = branch.get("/email").await.expect(200).json();
    assert_eq!(email["emailEntity"][0]["shouldRetry"], false);
}

/// Makes notices look as if a process ended so many times while it worked on them.
async fn mark_as_begun(branch: &Branch, times: i64) {
    let left = "update outbox set claimed = true, due = now() - interval '1 second'";
    branch.library.script(format!("{left}, attempts = {times}, abandoned = {}", times - 1)).await;
}

#[tokio::test]
async fn notices_that_were_begun_and_not_ended_are_written_one_by_one_and_not_for_ever() {
    let branch = Branch::open(&[("loanNotices", "Renewed", json!({}))]).await.with_mail().await;
    let patrons = notices(&branch, &["Ann", "Bob"]).await;
    mark_as_begun(&branch, 1).await;
    assert_eq!(branch.library.relay().await, 2);
    assert_eq!(notice_of(&branch, &patrons[0]).await["status"], "Sent");

    let patrons = notices(&branch, &["Eve"]).await;
    mark_as_begun(&branch, 3).await;
    assert_eq!(branch.library.relay().await, 0);
    let notice = notice_of(&branch, &patrons[0]).await;
    assert_eq!(notice["status"], "Failed", "{notice}");
    let message = "The program ended each time it wrote this notice. It is not tried again by itself.";
    assert_eq!(notice["message"], message);
    // Whoever has mended it sends it.
    post_notice_action(&branch, "resend", &notice).await.expect(201);
    assert_eq!(branch.library.relay().await, 1);
}

#[tokio::test]
async fn an_attempt_is_counted_before_it_is_begun() {
    let branch = Branch::open(&[("loanNotices", "Renewed", json!({}))]).await.with_mail().await;
    // While a notice is written, another connection can see that it was begun.
    let plant = "create function planted() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return new; end $$; \
        create trigger planted before update on notice for each row execute function planted()";
    branch.library.script(plant).await;
    notices(&branch, &["Ann"]).await;
    let library = branch.library.clone();
    let relaying = tokio::spawn(async move { library.relay().await });
    let context = branch.library.context().await;
    let attempts = on_runtime(async move {
        let mut session = context.session().await.expect("a connection");
        loop {
            let sql = "select attempts from outbox where kind = 'notice' and claimed";
            let found = session.rows(Statement::new(sql)).await.expect("the outbox");
            if let Some(row) = found.first() {
                return row.long(0);
            }
        }
    });
    assert_eq!(attempts.await, 1);
    assert_eq!(relaying.await.unwrap(), 1);
}

#[tokio::test]
async fn notices_that_were_not_begun_when_the_server_stopped_are_sent_later_and_once() {
    let branch = Branch::open(&[("loanNotices", "Renewed", json!({}))]).await.with_mail().await;
    // They cannot be written together, so each is written alone, which takes a while.
    let plant = format!(
        "create function planted() returns trigger language plpgsql as $$ begin \
           if new.doc ->> 'body' like '%{POISON}%' then raise exception 'planted'; end if; \
           perform pg_sleep(0.5); return new; end $$; \
         create trigger planted before update on notice for each row execute function planted()"
    );
    branch.library.script(plant).await;
    notices(&branch, &["Ann", POISON, "Bob", "Eve"]).await;
    let waiting = async |condition: &str| {
        let context = branch.library.context().await;
        let sql = format!("select count(*) from outbox where kind = 'notice' and {condition}");
        on_runtime(async move {
            let mut session = context.session().await.expect("a connection");
            session.read::<Option<i64>>(Statement::new(sql)).await.expect("a count").unwrap_or_default()
        })
        .await
    };
    let (stop_sign, mut context) = (StopSign::default(), branch.library.context().await);
    context.platform.stop_sign = stop_sign.clone();
    let working = tokio::spawn(on_runtime(async move {
        for task in context.platform.tasks() {
            (task.work)(context.clone()).await.expect("an outbox that can be worked off");
        }
    }));
    eventually("a notice is written", async || waiting("true").await < 4).await;
    stop_sign.raise();
    working.await.unwrap();
    assert!(waiting("error is null").await > 0, "all were written");
    assert_eq!(waiting("claimed").await, 0);
    assert_eq!(waiting("error is null and (attempts > 0 or due > now())").await, 0);
    assert_eq!(branch.sink.mails().len(), 0);
    mend_ledger(&branch).await;
    branch.library.script("update outbox set due = now()").await;
    assert_eq!(branch.library.relay().await, 4);
    assert_eq!(branch.library.relay().await, 0);
    assert_eq!(branch.sink.mails().len(), 4);
}

#[tokio::test]
async fn an_email_that_was_taken_is_not_sent_again_because_another_cannot_be_noted() {
    let branch = Branch::open(&[("loanNotices", "Renewed", json!({}))]).await.with_mail().await;
    notices(&branch, &["Ann", POISON, "Bob"]).await;
    let plant = format!(
        "create function planted() returns trigger language plpgsql as $$ begin \
           if new.doc ->> 'body' like '%{POISON}%' then raise exception 'planted'; end if; return new; end $$; \
         create trigger planted before update on email_statistics for each row execute function planted()"
    );
    branch.library.script(plant).await;
    assert_eq!(branch.library.relay().await, 3);
    let delivered = branch.find("/email", "status==DELIVERED").await.expect(200);
    assert_eq!(delivered.total(), 2, "{delivered}");
    branch.library.script("update outbox set due = now()").await;
    assert_eq!(branch.library.relay().await, 0);
    assert_eq!(branch.sink.mails().len(), 3);
}

#[tokio::test]
async fn an_email_that_its_server_does_not_take_tells_why_and_when_it_is_tried_again() {
    let branch = Branch::open(&[("loanNotices", "Renewed", json!({}))]).await.with_mail().await;
    branch.sink.set_busy(true);
    let patrons = notices(&branch, &["Ann"]).await;
    branch.library.relay().await;
    let notice = notice_of(&branch, &patrons[0]).await;
    assert_eq!(notice["status"], "Sending", "{notice}");
    assert!(notice["message"].as_str().unwrap().contains("451"), "{notice}");
    assert!(notice["nextAttemptDate"].is_string(), "{notice}");
    assert!(failing_metric("email").await >= 1.0);
    branch.sink.set_busy(false);
    post_notice_action(&branch, "retry", &notice).await.expect(202);
    assert_eq!(branch.library.relay().await, 1);
    assert_eq!(branch.mailed_texts()[0].0, email_address(&patrons[0]));
}
