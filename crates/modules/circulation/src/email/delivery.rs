//! Sends e-mails: claims them from the outbox, hands them to the mail server, and stores the results.
//!
//! It holds no connection to the database while it talks to the mail server. The claims of a process that dies expire after a minute; an
//! e-mail that the server had already accepted is then sent twice, with the same Message-ID. This concerns at most twelve e-mails: the
//! results of four are being stored while four others are sent, and the results of four more wait.

use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;
use octavo_engine::outbox::{self, Task, TaskFilter};
use octavo_engine::{Context, Snapshot, StopSign, statements};
use octavo_kernel::{Fault, Outcome, folio_time, parse_time};
use octavo_mail::{Attachment, Mail, MailServer, Mailer, Refused};
use octavo_pg::Statement;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, interval_at};
use uuid::Uuid;

use super::ledger::{self, Attempt};
use super::{EMAIL, EMAIL_TASK, SMTP_CONFIGURATION};

/// How many e-mails are in memory at once, each with its text and pictures.
const BATCH: i64 = 60;
/// Connections to the mail server that are used at once.
const MOST_CONNECTIONS: usize = 4;
/// Seconds for which e-mails are claimed. The claim is renewed while they are sent.
const LEASE: i64 = 60;
const RENEWAL: Duration = Duration::from_secs(20);
/// After so long without success an e-mail is given up.
const PATIENCE: SignedDuration = SignedDuration::from_hours(5 * 24);

/// Sends the due e-mails. Returns how many the mail server accepted.
pub(super) async fn deliver(context: Context) -> Outcome<usize> {
    let delivered = deliver_all(&context).await?;
    if delivered > 0 {
        let snapshot = context.snapshot().await?;
        if let Ok(mailer) = &*mailer(&snapshot) {
            mailer.close_idle_connections().await;
        }
    }
    Ok(delivered)
}

async fn deliver_all(context: &Context) -> Outcome<usize> {
    let mut delivered = 0;
    loop {
        if context.platform.stop_sign.must_stop() {
            return Ok(delivered);
        }
        let mut session = context.session().await?;
        let tasks: Vec<Task> = session.read(outbox::claim(EMAIL_TASK, TaskFilter::Any, BATCH, LEASE)).await?;
        if tasks.is_empty() {
            return Ok(delivered);
        }
        let ids = tasks.iter().map(|task| task.subject).collect();
        let mut stored: Vec<(Uuid, Value)> = session.read(Statement::new(READ).uuids(ids)).await?;
        let mut emails: Vec<(Task, Value)> = Vec::with_capacity(stored.len());
        let mut gone = Vec::new();
        for task in tasks {
            match stored.iter().position(|(id, _)| *id == task.subject) {
                Some(at) => emails.push((task, stored.swap_remove(at).1)),
                None => gone.push(task),
            }
        }
        session.rows(outbox::delete_claimed(EMAIL_TASK, &gone)).await?;
        drop(session);
        let snapshot = context.snapshot().await?;
        emails.iter_mut().for_each(|(_, email)| name_sender(&snapshot, email));
        let came_of_it = send_all(context, &mailer(&snapshot), emails).await?;
        delivered += came_of_it.accepted;
        // A server that accepted nothing gets no e-mails for a while.
        if came_of_it.accepted + came_of_it.refused == 0 {
            return Ok(delivered);
        }
    }
}

/// The sender of an e-mail that names none is that of the mail server's settings; the record says so afterwards.
fn name_sender(snapshot: &Snapshot, email: &mut Value) {
    let named = email["from"].as_str().is_some_and(|from| !from.trim().is_empty());
    let configured = snapshot.all(&SMTP_CONFIGURATION).next().map(|(_, record)| &record["from"]);
    if let Some(from) = configured.filter(|from| !named && from.is_string()) {
        email["from"] = from.clone();
    }
}

/// The mailer of the present settings, which keeps its connections.
fn mailer(snapshot: &Snapshot) -> Arc<Result<Mailer, Refused>> {
    snapshot.derive_once(|snapshot| {
        let for_now = |why: &str| Refused { for_good: false, why: why.to_owned(), unreachable: true };
        let Some((_, record)) = snapshot.all(&SMTP_CONFIGURATION).next() else {
            return Err(for_now("no mail server is configured (/smtp-configuration)"));
        };
        let server = MailServer::read(record);
        Mailer::new(server.ok_or_else(|| for_now("the SMTP configuration names no host and port"))?)
    })
}

#[derive(Default)]
struct SendCounts {
    accepted: usize,
    refused: usize,
}

/// Sends over several connections, and stores each result at once.
async fn send_all(
    context: &Context,
    mailer: &Arc<Result<Mailer, Refused>>,
    emails: Vec<(Task, Value)>,
) -> Outcome<SendCounts> {
    let ids: Vec<Uuid> = emails.iter().map(|(task, _)| task.subject).collect();
    let share = emails.len().div_ceil(MOST_CONNECTIONS).max(1);
    let (tell, mut told) = mpsc::channel(MOST_CONNECTIONS);
    let mut workers = JoinSet::new();
    let mut emails = emails.into_iter().peekable();
    while emails.peek().is_some() {
        let mine: Vec<(Task, Value)> = emails.by_ref().take(share).collect();
        let stop_sign = context.platform.stop_sign.clone();
        workers.spawn(send_some(Arc::clone(mailer), mine, tell.clone(), stop_sign));
    }
    drop(tell);
    let (mut came, mut attempts) = (SendCounts::default(), Vec::new());
    let mut renewal = interval_at(Instant::now() + RENEWAL, RENEWAL);
    loop {
        tokio::select! {
            came = told.recv_many(&mut attempts, MOST_CONNECTIONS) => if came == 0 { break },
            _ = renewal.tick() => {
                let renewed = async {
                    context.session().await?.rows(outbox::renew(EMAIL_TASK, ids.clone(), LEASE)).await?;
                    Outcome::Ok(())
                };
                // The database may have been away for a moment: e-mails that are being sent must not be broken off for that.
                if let Err(fault) = renewed.await {
                    tracing::warn!(tenant = %context.tenant.id, %fault, "the claim of e-mails was not renewed");
                }
                continue;
            }
        }
        let attempts = std::mem::take(&mut attempts).into_iter().map(|attempt| with_result(context, attempt));
        let attempts: Vec<Attempt> = attempts.collect();
        came.accepted += attempts.iter().filter(|attempt| attempt.result.is_ok()).count();
        let for_good = |attempt: &&Attempt| attempt.result.as_ref().is_err_and(|refused| refused.for_good);
        came.refused += attempts.iter().filter(for_good).count();
        store_results(context, &attempts).await?;
    }
    let mut left = Vec::new();
    while let Some(ended) = workers.join_next().await {
        left.extend(ended.unwrap_or_default());
    }
    if !left.is_empty() {
        let mut session = context.session().await?;
        outbox::give_back_claimed(&mut session, EMAIL_TASK, &left).await?;
    }
    Ok(came)
}

/// Sends e-mails one after the other. If the mail server cannot be reached, the others are not tried. Returns those that are not begun because
/// this server is to stop.
async fn send_some(
    mailer: Arc<Result<Mailer, Refused>>,
    emails: Vec<(Task, Value)>,
    tell: mpsc::Sender<Attempt>,
    stop_sign: StopSign,
) -> Vec<Task> {
    let mut unreachable: Option<Refused> = None;
    let mut emails = emails.into_iter();
    while let Some((task, record)) = emails.next() {
        if stop_sign.must_stop() {
            return std::iter::once(task).chain(emails.map(|(task, _)| task)).collect();
        }
        let result = match (&*mailer, &unreachable) {
            (Err(refused), _) | (Ok(_), Some(refused)) => Err(refused.clone()),
            (Ok(mailer), None) => {
                let sent = outbox::catch_panics(async { Ok(send(mailer, &record).await) }).await;
                sent.unwrap_or_else(|fault| Err(not_tried(task.subject, &fault)))
            }
        };
        if let Err(refused) = &result
            && refused.unreachable
        {
            unreachable = Some(refused.clone());
        }
        // If the database cannot be reached, the result is lost; the claim expires by itself.
        if tell.send(Attempt { task, record, result }).await.is_err() {
            break;
        }
    }
    Vec::new()
}

fn not_tried(email: Uuid, fault: &Fault) -> Refused {
    tracing::error!(%email, %fault, "an e-mail cannot be sent");
    let why = "the e-mail could not be sent because of a fault in the program, whose log says more";
    Refused { for_good: false, why: why.to_owned(), unreachable: false }
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

/// Notes the result of an attempt in its record. An e-mail that has failed for days is given up.
fn with_result(context: &Context, mut attempt: Attempt) -> Attempt {
    if let Err(refused) = &mut attempt.result {
        let since = attempt.record["metadata"]["createdDate"].as_str().and_then(parse_time);
        let old = since.is_some_and(|since| context.now.duration_since(since) > PATIENCE);
        refused.for_good |= old;
        // A text in PostgreSQL cannot contain this character.
        refused.why.retain(|letter| letter != '\0');
    }
    set_result(context, &mut attempt);
    attempt
}

/// Stores results together or, if that fails, each by itself, so that no e-mail is sent twice because of another one.
async fn store_results(context: &Context, attempts: &[Attempt]) -> Outcome<()> {
    let Err(fault) = store_results_together(context, attempts).await else { return Ok(()) };
    tracing::warn!(tenant = %context.tenant.id, %fault, "e-mails are noted one by one");
    for attempt in attempts {
        if let Err(fault) = store_results_together(context, std::slice::from_ref(attempt)).await {
            let (tenant, email) = (&context.tenant.id, attempt.task.subject);
            tracing::error!(%tenant, %email, %fault, "what became of an e-mail cannot be noted");
            context.session().await?.rows(task_statement(attempt)).await?;
        }
    }
    Ok(())
}

async fn store_results_together(context: &Context, attempts: &[Attempt]) -> Outcome<()> {
    let mut session = context.session().await?;
    let mut statements = ledger::delivery_statements(context, &mut session, attempts).await?;
    let rows: Vec<(Uuid, Value)> =
        attempts.iter().map(|attempt| (attempt.task.subject, attempt.record.clone())).collect();
    statements.push(statements::overwrite_all(&EMAIL, &rows));
    statements.extend(attempts.iter().map(task_statement));
    session.transaction(statements).await?;
    Ok(())
}

/// The statement that ends the task or defers it.
fn task_statement(attempt: &Attempt) -> Statement {
    match &attempt.result {
        Err(refused) if !refused.for_good => outbox::postpone(EMAIL_TASK, &attempt.task, &refused.why),
        _ => outbox::delete_claimed(EMAIL_TASK, &[attempt.task]),
    }
}

/// Notes the result of an attempt in the record, in mod-email's words.
fn set_result(context: &Context, attempt: &mut Attempt) {
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
    record["attemptCount"] = json!(attempt.task.attempts);
    record["date"] = json!(folio_time(context.now));
    record["metadata"]["updatedDate"] = json!(folio_time(context.now));
}

const READ: &str = "select id, doc::text from email_statistics where id = any($1)";

octavo_pg::statements!(hot = [READ]);

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn no_email_is_begun_after_the_server_was_told_to_stop() {
        let refused = Refused { for_good: false, why: "closed".to_owned(), unreachable: true };
        let tasks =
            [1, 2, 3].map(|number| Task { subject: Uuid::from_u128(number), attempts: 1, abandoned: 0 });
        for (stops, begun) in [(false, 3), (true, 0)] {
            let stop_sign = StopSign::default();
            if stops {
                stop_sign.raise();
            }
            let (tell, mut told) = mpsc::channel(tasks.len());
            let emails = tasks.map(|task| (task, json!({}))).to_vec();
            let left = send_some(Arc::new(Err(refused.clone())), emails, tell, stop_sign).await;
            let mut attempts = Vec::new();
            while let Some(attempt) = told.recv().await {
                attempts.push(attempt.task);
            }
            assert_eq!((attempts.as_slice(), left.as_slice()), tasks.split_at(begun), "{stops}");
        }
    }
}
