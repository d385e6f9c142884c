//! Notices that changes have left to be written are written, and what is in the mail is sent; what became of it is noted.
//!
//! New notices are written many at once, in one transaction. Where that goes wrong, and where a notice was begun before and
//! not ended, each is written by itself: one that cannot be written waits, longer each time, and keeps no other.

use jiff::SignedDuration;
use octavo_engine::outbox::{self, Task, Which};
use octavo_engine::{Context, statements};
use octavo_kernel::{Fault, Outcome, folio_time, parse_time};
use octavo_pg::Batch;
use serde_json::{Value, json};
use uuid::Uuid;

use super::TASK;
use super::words::{Wanted, gather};
use super::writing::Writer;
use crate::circulation::Desk;
use crate::notice_ledger::{NOTICE, read, status, tell_next};

const BATCH: i64 = 200;
/// Loans and fees that are read at once, each with its item and title.
const MOST_READ: usize = 2_000;
/// Seconds between the claim of a notice and the transaction that writes it, which then locks it.
const LEASE: i64 = 30;
/// A notice that was begun so often and not ended is not begun again.
const ABANDONED: i64 = 3;
/// After so long without success a notice is given up.
const PATIENCE: SignedDuration = SignedDuration::from_hours(5 * 24);

/// Writes what is due in a tenant. Nothing of it goes to another server: e-mails are tasks of their own.
pub(super) async fn write_all(context: Context) -> Outcome<usize> {
    let context = &context;
    loop {
        let mut tasks = claimed(context, Which::New, BATCH).await?;
        if tasks.is_empty() {
            tasks = claimed(context, Which::Again, 1).await?;
        }
        match &tasks[..] {
            [] => return Ok(0),
            [task] => alone(context, task).await?,
            tasks => {
                let Err(fault) = outbox::guarded(together(context, tasks)).await else { continue };
                tracing::warn!(tenant = %context.tenant.id, %fault, "letters are written one by one");
                for task in tasks {
                    alone(context, task).await?;
                }
            }
        }
    }
}

/// The claim is committed before anything is begun.
async fn claimed(context: &Context, which: Which, limit: i64) -> Outcome<Vec<Task>> {
    let mut session = context.session().await?;
    Ok(session.read(outbox::claim(TASK, which, limit, LEASE)).await?)
}

/// Writes notices in one transaction: a process that dies has written none of them.
async fn together(context: &Context, tasks: &[Task]) -> Outcome<()> {
    let mut session = context.session().await?;
    let mut batch = Batch::default();
    let kept = batch.ask::<Uuid>(outbox::keep(TASK, tasks));
    let kept: Vec<Uuid> = batch.begin(&mut session).await?.all(kept);
    if kept.is_empty() {
        session.rollback().await?;
        return Ok(());
    }
    let snapshot = context.snapshot_over(&mut session).await?;
    let desk = Desk::of(&snapshot);
    let mut letters = read(&mut session, kept.clone()).await?;
    let all: Vec<Uuid> = letters.iter().map(|(id, _)| *id).collect();
    letters.truncate(few_enough(&letters));
    letters.iter_mut().for_each(|(_, letter)| forget_failures(letter));
    let mut wanted = Wanted::default();
    letters.iter().for_each(|(_, letter)| wanted.add(letter));
    let found = gather(&mut session, &desk, wanted).await?;
    let written = Writer::new(context, &desk, &snapshot, &found).write(letters).await?;
    let left = all[written.letters.len()..].to_vec();
    let done = kept.into_iter().filter(|id| !left.contains(id)).collect();
    let mut statements = vec![statements::overwrite_all(&NOTICE, &written.letters), outbox::done(TASK, done)];
    if !left.is_empty() {
        statements.push(outbox::give_back(TASK, left));
    }
    statements.extend(written.outgoing);
    session.commit(statements).await?;
    Ok(())
}

/// How many of the notices can be about all that they are about at once; one at least.
fn few_enough(letters: &[(Uuid, Value)]) -> usize {
    let mut about = 0;
    let fits = letters.iter().take_while(|(_, letter)| {
        let listed = |name: &str| letter[name].as_array().map_or(0, Vec::len);
        about += 1 + listed("loanIds") + listed("feeFineActionIds");
        about <= MOST_READ
    });
    fits.count().max(1)
}

/// Writes one notice, or notes that it could not be written.
async fn alone(context: &Context, task: &Task) -> Outcome<()> {
    if is_fatal(task) {
        return note_failure(context, task, &Fault::internal("the process ended each time")).await;
    }
    match outbox::guarded(together(context, std::slice::from_ref(task))).await {
        Ok(()) => Ok(()),
        Err(fault) => note_failure(context, task, &fault).await,
    }
}

/// Notes a failure in the ledger if possible, and in the outbox.
async fn note_failure(context: &Context, task: &Task, fault: &Fault) -> Outcome<()> {
    let (tenant, letter) = (&context.tenant.id, task.subject);
    tracing::error!(%tenant, %letter, attempts = task.attempts, %fault, "a letter cannot be written");
    // A text in PostgreSQL cannot hold this character.
    let error: String = fault.to_string().chars().filter(|letter| *letter != '\0').take(1_000).collect();
    let mut session = context.session().await?;
    let noted = async {
        let mut statements = Vec::new();
        let mut letters = read(&mut session, vec![task.subject]).await?;
        let mut given_up = false;
        for (_, letter) in &mut letters {
            given_up |= tell_failure(context, task, letter);
        }
        statements.push(match given_up {
            true => outbox::done(TASK, vec![task.subject]),
            false => outbox::later(TASK, task, &error),
        });
        if !letters.is_empty() {
            statements.push(statements::overwrite_all(&NOTICE, &letters));
        }
        session.transaction(statements).await?;
        Outcome::Ok(())
    };
    if let Err(fault) = noted.await {
        tracing::error!(%tenant, %letter, %fault, "the ledger cannot tell why a letter was not written");
        context.session().await?.rows(outbox::later(TASK, task, &error)).await?;
    }
    Ok(())
}

/// Says in the notice's row what staff should know; whether the notice is given up.
fn tell_failure(context: &Context, task: &Task, letter: &mut Value) -> bool {
    let decided = letter["decidedDate"].as_str().and_then(parse_time);
    let old = decided.is_some_and(|decided| context.now.duration_since(decided) > PATIENCE);
    let fatal = is_fatal(task);
    letter["message"] = json!(if fatal {
        "The program ended each time it wrote this letter. It is not tried again by itself."
    } else if old {
        "The letter could not be written for five days, because of a fault in the program. It is not tried again by itself."
    } else {
        "The letter could not be written because of a fault in the program, whose log says more. It will be tried again."
    });
    // An attempt that is not made is none.
    letter["attempts"] = json!(task.attempts - i64::from(fatal));
    letter["lastAttemptDate"] = json!(folio_time(context.now));
    let given_up = fatal || old;
    tell_next(context, letter, task.attempts, !given_up);
    if given_up {
        letter["status"] = json!(status::FAILED);
    }
    given_up
}

/// Whether the process has ended so often while it wrote the notice that it is not begun again.
fn is_fatal(task: &Task) -> bool {
    task.abandoned >= ABANDONED
}

/// Forgets failed attempts to write a notice: attempts to send it are counted anew.
fn forget_failures(letter: &mut Value) {
    if let Some(letter) = letter.as_object_mut() {
        for name in ["attempts", "lastAttemptDate", "nextAttemptDate", "message"] {
            letter.remove(name);
        }
    }
}
