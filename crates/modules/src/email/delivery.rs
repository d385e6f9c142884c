//! E-mails leave the house: claimed from the outbox, handed to the mail server, and what came of it written down.
//!
//! No connection to the database is held while the mail server is talked to. A process that dies in between leaves its
//! claims to others after five minutes; an e-mail that the server had taken by then is sent twice, with the same Message-ID.

use std::sync::Arc;

use jiff::SignedDuration;
use octavo_engine::outbox::{self, Task};
use octavo_engine::{Context, Snapshot, statements};
use octavo_kernel::{Outcome, folio_time, parse_time};
use octavo_mail::{Attachment, Mail, MailServer, Mailer, Refused};
use octavo_pg::Statement;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::{EMAIL, SMTP_CONFIGURATION, TASK};
use crate::circulation::notices;

const BATCH: i64 = 200;
/// Connections to the mail server that are used at once.
const AT_ONCE: usize = 4;
/// After so long without success an e-mail is given up.
const PATIENCE: SignedDuration = SignedDuration::from_hours(5 * 24);
/// The first wait after a failure; each further one is twice as long, up to the longest.
const FIRST_WAIT: i64 = 30;
const LONGEST_WAIT: i64 = 3_600;

/// An e-mail after an attempt.
#[derive(Debug)]
pub(crate) struct Attempt {
    pub(crate) id: Uuid,
    pub(crate) attempts: i64,
    pub(crate) record: Value,
    pub(crate) result: Result<(), Refused>,
}

/// Sends what is due; how many e-mails the mail server took.
pub(crate) async fn deliver(context: &Context) -> Outcome<usize> {
    let delivered = deliver_all(context).await?;
    if delivered > 0 {
        let snapshot = context.platform.snapshot(&context.tenant.id).await?;
        if let Ok(mailer) = &*mailer(&snapshot) {
            mailer.hang_up().await;
        }
    }
    Ok(delivered)
}

async fn deliver_all(context: &Context) -> Outcome<usize> {
    let mut delivered = 0;
    loop {
        let mut session = context.session().await?;
        let tasks: Vec<Task> =
            session.rows(outbox::claim(TASK, BATCH)).await?.iter().map(Task::read).collect();
        if tasks.is_empty() {
            return Ok(delivered);
        }
        let ids = tasks.iter().map(|task| task.subject).collect();
        let rows = session.rows(Statement::new(READ).uuids(ids)).await?;
        drop(session);
        let snapshot = context.platform.snapshot(&context.tenant.id).await?;
        let mut emails: Vec<(Task, Value)> = Vec::with_capacity(rows.len());
        let mut gone = Vec::new();
        for task in tasks {
            match rows.iter().find(|row| row.uuid(0) == task.subject).and_then(|row| row.json(1)) {
                Some(record) => emails.push((task, record)),
                None => gone.push(task.subject),
            }
        }
        let attempts = send_all(&mailer(&snapshot), emails).await;
        let taken = attempts.iter().filter(|attempt| attempt.result.is_ok()).count();
        let stuck =
            attempts.iter().all(|attempt| matches!(&attempt.result, Err(refused) if !refused.for_good));
        write_down(context, attempts, gone).await?;
        delivered += taken;
        // A server that took nothing is left alone for a while.
        if stuck {
            return Ok(delivered);
        }
    }
}

/// Kept for as long as the settings are, with its connections.
fn mailer(snapshot: &Snapshot) -> Arc<Result<Mailer, Refused>> {
    snapshot.derived(|snapshot| {
        let for_now = |why: &str| Refused { for_good: false, why: why.to_owned(), unreachable: true };
        let Some((_, record)) = snapshot.all(&SMTP_CONFIGURATION).next() else {
            return Err(for_now("no mail server is configured (/smtp-configuration)"));
        };
        let server = MailServer::read(record);
        Mailer::new(server.ok_or_else(|| for_now("the SMTP configuration names no host and port"))?)
    })
}

async fn send_all(mailer: &Arc<Result<Mailer, Refused>>, emails: Vec<(Task, Value)>) -> Vec<Attempt> {
    let share = emails.len().div_ceil(AT_ONCE).max(1);
    let mut workers = JoinSet::new();
    let mut emails = emails.into_iter().peekable();
    while emails.peek().is_some() {
        let mine: Vec<(Task, Value)> = emails.by_ref().take(share).collect();
        workers.spawn(send_some(Arc::clone(mailer), mine));
    }
    let mut attempts = Vec::new();
    while let Some(done) = workers.join_next().await {
        attempts.extend(done.unwrap_or_default());
    }
    attempts
}

/// One after the other. Where the server cannot be reached, the rest is not tried.
async fn send_some(mailer: Arc<Result<Mailer, Refused>>, emails: Vec<(Task, Value)>) -> Vec<Attempt> {
    let mut attempts = Vec::with_capacity(emails.len());
    let mut unreachable: Option<Refused> = None;
    for (task, record) in emails {
        let result = match (&*mailer, &unreachable) {
            (Err(refused), _) | (Ok(_), Some(refused)) => Err(refused.clone()),
            (Ok(mailer), None) => send(mailer, &record).await,
        };
        if let Err(refused) = &result
            && refused.unreachable
        {
            unreachable = Some(refused.clone());
        }
        attempts.push(Attempt { id: task.subject, attempts: task.attempts, record, result });
    }
    attempts
}

async fn send(mailer: &Mailer, record: &Value) -> Result<(), Refused> {
    let text = |name: &str| record[name].as_str().unwrap_or_default();
    let attachments = record["attachments"].as_array().into_iter().flatten();
    let mail = Mail {
        message_id: text("id"),
        from: record["from"].as_str(),
        to: text("to"),
        subject: text("header"),
        body: text("body"),
        is_html: record["outputFormat"]
            .as_str()
            .is_some_and(|format| format.trim().eq_ignore_ascii_case("text/html")),
        attachments: attachments.filter_map(Attachment::read).collect(),
    };
    mailer.send(&mail).await
}

async fn write_down(context: &Context, attempts: Vec<Attempt>, gone: Vec<Uuid>) -> Outcome<()> {
    let mut done = gone;
    let mut later = Vec::new();
    let mut rows = Vec::with_capacity(attempts.len());
    let mut told = Vec::with_capacity(attempts.len());
    for mut attempt in attempts {
        if let Err(refused) = &mut attempt.result {
            let since = attempt.record["metadata"]["createdDate"].as_str().and_then(parse_time);
            let old = since.is_some_and(|since| context.now.duration_since(since) > PATIENCE);
            refused.for_good |= old;
        }
        note(context, &mut attempt);
        match &attempt.result {
            Err(refused) if !refused.for_good => {
                later.push(outbox::later(TASK, vec![attempt.id], wait(attempt.attempts)));
            }
            _ => done.push(attempt.id),
        }
        rows.push((attempt.id, attempt.record.clone()));
        told.push(attempt);
    }
    let mut session = context.session().await?;
    let mut statements = notices::delivery(context, &mut session, &told).await?;
    statements.push(statements::overwrite_all(&EMAIL, &rows));
    statements.push(outbox::done(TASK, done));
    statements.extend(later);
    session.transaction(statements).await?;
    Ok(())
}

/// In mod-email's words.
fn note(context: &Context, attempt: &mut Attempt) {
    let to = attempt.record["to"].as_str().unwrap_or_default().to_owned();
    let (status, message, again) = match &attempt.result {
        Ok(()) => ("DELIVERED", format!("The message has been delivered to {to}"), false),
        Err(refused) => {
            let message = format!(
                "Error in the 'mod-email' module, the module didn't send email | message: {}",
                refused.why
            );
            ("FAILURE", message, !refused.for_good)
        }
    };
    let record = &mut attempt.record;
    record["status"] = json!(status);
    record["message"] = json!(message);
    record["shouldRetry"] = json!(again);
    record["attemptCount"] = json!(attempt.attempts);
    record["date"] = json!(folio_time(context.now));
    record["metadata"]["updatedDate"] = json!(folio_time(context.now));
}

/// In seconds.
fn wait(attempts: i64) -> i64 {
    let doublings = u32::try_from(attempts.clamp(1, 16) - 1).unwrap_or(0);
    (FIRST_WAIT << doublings).min(LONGEST_WAIT)
}

const READ: &str = "select id, doc::text from email_statistics where id = any($1)";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_an_hour() {
        assert_eq!([1, 2, 3, 7, 8, 1_000].map(wait), [30, 60, 120, 1_920, 3_600, 3_600]);
    }
}
