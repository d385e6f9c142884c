//! Writes the notices that decisions have entered into the ledger, sends e-mails, and notes the results.
//!
//! New notices are written many at once, in one transaction. If that fails, or if an earlier attempt was interrupted, each notice is
//! written by itself. A notice that cannot be written waits, longer each time, and does not stop the others. When the server is to stop, the
//! notices that are not begun are left to the next one.

use jiff::SignedDuration;
use octavo_circulation::log::Logged;
use octavo_engine::outbox::{self, Task, TaskFilter};
use octavo_engine::{Context, statements};
use octavo_kernel::{Fault, Outcome, folio_time, parse_time};
use octavo_modules_base::circulation_log;
use octavo_pg::Batch;
use serde_json::{Value, json};
use uuid::Uuid;

use super::TASK;
use super::logged::log_record;
use super::words::{NoticeSubjectIds, gather};
use super::writing::Writer;
use crate::circulation::Desk;
use crate::notice_ledger::{NOTICE, read, set_next_attempt, status};

const BATCH: i64 = 200;
/// Loans and fees that are read at once, each with its item and title.
const MOST_READ: usize = 2_000;
/// Seconds between the claim of a notice and the transaction that writes it, which then locks it.
const LEASE: i64 = 30;
/// After so many interrupted attempts a notice is not tried again.
const MOST_INTERRUPTED_ATTEMPTS: i64 = 3;
/// After so long without success a notice is given up.
const PATIENCE: SignedDuration = SignedDuration::from_hours(5 * 24);

/// Writes the due notices of a tenant. It talks to no other server: e-mails are tasks of their own.
pub(super) async fn write_all(context: Context) -> Outcome<usize> {
    let context = &context;
    loop {
        if context.platform.stop_sign.must_stop() {
            return Ok(0);
        }
        let mut tasks = claim_tasks(context, TaskFilter::New, BATCH).await?;
        if tasks.is_empty() {
            tasks = claim_tasks(context, TaskFilter::Retried, 1).await?;
        }
        match &tasks[..] {
            [] => return Ok(0),
            [task] => write_alone(context, task).await?,
            tasks => {
                let Err(fault) = outbox::catch_panics(write_together(context, tasks)).await else { continue };
                tracing::warn!(tenant = %context.tenant.id, %fault, "notices are written one by one");
                for (at, task) in tasks.iter().enumerate() {
                    if context.platform.stop_sign.must_stop() {
                        let mut session = context.session().await?;
                        outbox::give_back_claimed(&mut session, TASK, &tasks[at..]).await?;
                        break;
                    }
                    write_alone(context, task).await?;
                }
            }
        }
    }
}

/// Claims tasks. The claim is committed before the work begins.
async fn claim_tasks(context: &Context, which: TaskFilter, limit: i64) -> Outcome<Vec<Task>> {
    let mut session = context.session().await?;
    Ok(session.read(outbox::claim(TASK, which, limit, LEASE)).await?)
}

/// Writes notices in one transaction: if the process dies, none of them is written.
async fn write_together(context: &Context, tasks: &[Task]) -> Outcome<()> {
    let mut session = context.session().await?;
    let mut batch = Batch::default();
    let kept = batch.ask::<Uuid>(outbox::lock_claimed(TASK, tasks));
    let kept: Vec<Uuid> = batch.begin(&mut session).await?.all(kept);
    if kept.is_empty() {
        session.rollback().await?;
        return Ok(());
    }
    let snapshot = context.snapshot_over(&mut session).await?;
    let desk = Desk::from_snapshot(&snapshot);
    let mut notices = read(&mut session, kept.clone()).await?;
    let all: Vec<Uuid> = notices.iter().map(|(id, _)| *id).collect();
    notices.truncate(count_readable_at_once(&notices));
    notices.iter_mut().for_each(|(_, notice)| forget_failures(notice));
    let mut wanted = NoticeSubjectIds::default();
    notices.iter().for_each(|(_, notice)| wanted.add(notice));
    let found = gather(&mut session, &desk, wanted).await?;
    let written = Writer::new(context, &desk, &snapshot, &found).write(notices).await?;
    let left = all[written.notices.len()..].to_vec();
    let done = kept.into_iter().filter(|id| !left.contains(id)).collect();
    let mut statements =
        vec![statements::overwrite_all(&NOTICE, &written.notices), outbox::delete_done(TASK, done)];
    let logged: Vec<Logged> =
        written.notices.iter().map(|(_, notice)| log_record(&found, &snapshot, notice)).collect();
    statements.extend(circulation_log::append(context, logged.iter()));
    if !left.is_empty() {
        statements.push(outbox::give_back(TASK, left));
    }
    statements.extend(written.outgoing);
    session.commit(statements).await?;
    Ok(())
}

/// How many of the notices, one at least, have subjects that can be read at once.
fn count_readable_at_once(notices: &[(Uuid, Value)]) -> usize {
    let mut about = 0;
    let fits = notices.iter().take_while(|(_, notice)| {
        let listed = |name: &str| notice[name].as_array().map_or(0, Vec::len);
        about += 1 + listed("loanIds") + listed("feeFineActionIds");
        about <= MOST_READ
    });
    fits.count().max(1)
}

/// Writes one notice, or notes that it could not be written.
async fn write_alone(context: &Context, task: &Task) -> Outcome<()> {
    if is_fatal(task) {
        return note_failure(context, task, &Fault::internal("the process ended each time")).await;
    }
    match outbox::catch_panics(write_together(context, std::slice::from_ref(task))).await {
        Ok(()) => Ok(()),
        Err(fault) => note_failure(context, task, &fault).await,
    }
}

/// Notes a failure in the ledger if possible, and in the outbox.
async fn note_failure(context: &Context, task: &Task, fault: &Fault) -> Outcome<()> {
    let (tenant, notice) = (&context.tenant.id, task.subject);
    tracing::error!(%tenant, %notice, attempts = task.attempts, %fault, "a notice cannot be written");
    // A text in PostgreSQL cannot hold this character.
    let error: String =
        fault.to_string().chars().filter(|character| *character != '\0').take(1_000).collect();
    let mut session = context.session().await?;
    let noted = async {
        let mut statements = Vec::new();
        let mut notices = read(&mut session, vec![task.subject]).await?;
        let mut given_up = false;
        for (_, notice) in &mut notices {
            given_up |= set_failure(context, task, notice);
        }
        statements.push(match given_up {
            true => outbox::delete_claimed(TASK, &[*task]),
            false => outbox::postpone(TASK, task, &error),
        });
        if !notices.is_empty() {
            statements.push(statements::overwrite_all(&NOTICE, &notices));
        }
        session.transaction(statements).await?;
        Outcome::Ok(())
    };
    if let Err(fault) = noted.await {
        tracing::error!(%tenant, %notice, %fault, "the ledger cannot tell why a notice was not written");
        context.session().await?.rows(outbox::postpone(TASK, task, &error)).await?;
    }
    Ok(())
}

/// Notes the failure for staff in the notice's row. Returns whether the notice is given up.
fn set_failure(context: &Context, task: &Task, notice: &mut Value) -> bool {
    let decided = notice["decidedDate"].as_str().and_then(parse_time);
    let old = decided.is_some_and(|decided| context.now.duration_since(decided) > PATIENCE);
    let fatal = is_fatal(task);
    notice["message"] = json!(if fatal {
        "The program ended each time it wrote this notice. It is not tried again by itself."
    } else if old {
        "The notice could not be written for five days, because of a fault in the program. It is not tried again by itself."
    } else {
        "The notice could not be written because of a fault in the program, whose log says more. It will be tried again."
    });
    // A fatal task was claimed, but not attempted.
    notice["attempts"] = json!(task.attempts - i64::from(fatal));
    notice["lastAttemptDate"] = json!(folio_time(context.now));
    let given_up = fatal || old;
    set_next_attempt(context, notice, task.attempts, !given_up);
    if given_up {
        notice["status"] = json!(status::FAILED);
    }
    given_up
}

/// Whether the process has ended too often while it wrote this notice.
fn is_fatal(task: &Task) -> bool {
    task.abandoned >= MOST_INTERRUPTED_ATTEMPTS
}

/// Forgets failed attempts to write a notice: attempts to send it are counted anew.
fn forget_failures(notice: &mut Value) {
    if let Some(notice) = notice.as_object_mut() {
        for name in ["attempts", "lastAttemptDate", "nextAttemptDate", "message"] {
            notice.remove(name);
        }
    }
}
