//! Letters that changes have left to be written are written, and what is in the mail is sent; what became of it is noted.

use std::collections::HashMap;

use octavo_engine::outbox::{self, Task};
use octavo_engine::{Context, statements};
use octavo_kernel::{Outcome, folio_time};
use octavo_pg::{Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::words::{Wanted, gather};
use super::writing::Writer;
use super::{NOTICE, TASK, status};
use crate::circulation::Desk;
use crate::email::{self, Attempt};

const BATCH: i64 = 200;

/// The kinds of tasks that it works off.
pub const TASKS: [&str; 2] = [TASK, email::TASK];

/// Does what is due in a tenant: writes letters, and sends what is in the mail. How many e-mails were taken.
pub async fn relay(context: &Context) -> Outcome<usize> {
    write_all(context).await?;
    email::deliver(context).await
}

/// Each batch is one transaction: a process that dies has written none of it.
async fn write_all(context: &Context) -> Outcome<()> {
    let mut session = context.session().await?;
    loop {
        let rows = session.begin(vec![outbox::lock(TASK, BATCH)]).await?.pop().unwrap_or_default();
        let tasks: Vec<Uuid> = rows.iter().map(|row| Task::read(row).subject).collect();
        if tasks.is_empty() {
            session.rollback().await?;
            return Ok(());
        }
        // Not before: where nothing is to be written, nothing is read.
        let snapshot = context.platform.snapshots.with(&context.tenant.id, &mut session).await?;
        let desk = Desk::of(&snapshot);
        let letters = read(&mut session, tasks.clone()).await?;
        let mut wanted = Wanted::default();
        letters.iter().for_each(|(_, letter)| wanted.add(letter));
        let found = gather(&mut session, &desk, wanted).await?;
        let written = Writer::new(context, &desk, &snapshot, &found).write(letters).await?;
        let mut statements =
            vec![statements::overwrite_all(&NOTICE, &written.letters), outbox::done(TASK, tasks)];
        statements.extend(written.outgoing);
        session.commit(statements).await?;
    }
}

async fn read(session: &mut Session, ids: Vec<Uuid>) -> Outcome<Vec<(Uuid, Value)>> {
    let rows = session.rows(Statement::new(READ).uuids(ids)).await?;
    Ok(rows.iter().filter_map(|row| Some((row.uuid(0), row.json(1)?))).collect())
}

/// What the mail server said, in the rows of the letters that e-mails are of.
pub(crate) async fn delivery(
    context: &Context,
    session: &mut Session,
    attempts: &[Attempt],
) -> Outcome<Vec<Statement>> {
    let of: HashMap<Uuid, &Attempt> = attempts
        .iter()
        .filter_map(|attempt| {
            Some((Uuid::parse_str(attempt.record["notificationId"].as_str()?).ok()?, attempt))
        })
        .collect();
    let letters = read(session, of.keys().copied().collect()).await?;
    let mut rows = Vec::with_capacity(letters.len());
    for (id, mut letter) in letters {
        let Some(attempt) = of.get(&id) else { continue };
        letter["attempts"] = json!(attempt.attempts);
        letter["lastAttemptDate"] = json!(folio_time(context.now));
        let (now, message) = match &attempt.result {
            Ok(()) => (status::SENT, None),
            Err(refused) if refused.for_good => (status::FAILED, Some(&refused.why)),
            Err(refused) => (status::SENDING, Some(&refused.why)),
        };
        letter["status"] = json!(now);
        match (message, letter.as_object_mut()) {
            (Some(message), _) => letter["message"] = json!(message),
            (None, Some(letter)) => {
                letter.remove("message");
                letter.insert("sentDate".to_owned(), json!(folio_time(context.now)));
            }
            (None, None) => {}
        }
        rows.push((id, letter));
    }
    Ok(if rows.is_empty() { Vec::new() } else { vec![statements::overwrite_all(&NOTICE, &rows)] })
}

const READ: &str = "select id, doc::text from notice where id = any($1)";
