//! Undoes a job, except where its records were changed by others since: each record of its file is undone as a whole or not at all, from
//! the last to the first. Records that are not undone are listed with the reason.

mod done;
mod holdings;
mod preview;

use std::collections::HashMap;

use octavo_engine::load::PreparedRecord;
use octavo_engine::outbox::{self, Task, TaskFilter, Turn};
use octavo_engine::{Context, Request, Response, metadata, statements};
use octavo_import::Entity;
use octavo_kernel::{Fault, Outcome};
use octavo_modules_inventory::source_records::SOURCE_RECORD;
use octavo_modules_inventory::source_records::keep::delete_generation_statements;
use octavo_pg::{DbError, Row, Session, Statement, is_conflict};
use octavo_record::table_name;
use serde_json::{Value, json};
use uuid::Uuid;

use self::done::{ENTITIES, Facts, Purpose, RecordChanges, changes_statements};
use super::job;
use crate::authorities::links;
use crate::import::{record_type, titles};

pub(super) const TASK: &str = "undo an import";

/// Seconds for which a process claims a job; each record renews the claim.
const LEASE_SECONDS: i64 = 60;
/// The most records of a page of those that are not undone.
const MAX_RECORDS: i64 = 1_000;

/// Begins to undo a job, which must have ended.
pub(super) async fn begin(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let id = request.path_id(0)?;
    let mut session = context.session().await?;
    let begin = Statement::new(BEGIN).uuid(id).maybe_uuid(context.caller.user_id);
    let answers = session.transaction(vec![begin, Statement::new(QUEUE).text(TASK).uuid(id)]).await?;
    if answers.first().is_some_and(|rows| !rows.is_empty()) {
        context.platform.outbox_notifier.notify(&context.tenant.id);
        return Ok(Response { status: 202, ..Response::no_content() });
    }
    match job::get(&mut session, id).await? {
        None => Err(job::not_found(id)),
        Some(_) => Err(not_undoable()),
    }
}

fn not_undoable() -> Fault {
    Fault::bad_request(
        "Only a job that has ended can be undone, once, and a trial or a job of several files has nothing to undo",
    )
}

/// Shows what undoing a job would do.
pub(super) async fn get_preview(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    let can: Option<bool> = session.read(Statement::new(CAN_BEGIN).uuid(id)).await?;
    drop(session);
    match can {
        None => Err(job::not_found(id)),
        Some(false) => Err(not_undoable()),
        Some(true) => preview::show_preview(&request, id).await,
    }
}

/// Shows the progress of undoing a job, and the records that were not undone.
pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let number =
        |name: &str, usual: i64| request.query(name).and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (limit, offset) = (number("limit", 100_i64).clamp(0, MAX_RECORDS), number("offset", 0_i64).max(0));
    let mut session = request.context.session().await?;
    let answers = session
        .batch(vec![Statement::new(STATE).uuid(id), Statement::new(KEPT).uuid(id).long(limit).long(offset)])
        .await?;
    let state: Option<Value> = answers.first().and_then(|rows| rows.first()).map(Row::read);
    let mut state = state.ok_or_else(|| job::not_found(id))?;
    let kept = answers.last().into_iter().flatten().map(Row::read::<(i64, String)>);
    let kept = kept.map(|(place, reason)| json!({"recordOrder": place, "reason": reason}));
    state["notUndone"] = Value::from(kept.collect::<Vec<_>>());
    Ok(Response::json(200, &state))
}

/// Undoes the jobs of a tenant that are due, for one turn.
pub(super) async fn work(context: Context) -> Outcome<usize> {
    let turn = Turn::begin(&context);
    while !turn.is_over() {
        let mut session = context.session().await?;
        let tasks: Vec<Task> = session.read(outbox::claim(TASK, TaskFilter::Any, 1, LEASE_SECONDS)).await?;
        let Some(task) = tasks.first() else { return Ok(0) };
        match outbox::catch_panics(undo_job(&context, &mut session, &turn, task)).await {
            Ok(true) => {}
            Ok(false) => {
                drop(session);
                turn.leave(TASK, Some(task)).await?;
                return Ok(0);
            }
            Err(fault) => {
                session.rollback().await?;
                session.rows(outbox::postpone(TASK, task, &fault.to_string())).await?;
            }
        }
    }
    turn.leave(TASK, None).await?;
    Ok(0)
}

/// Returns whether the job is undone: if not, the turn is over.
async fn undo_job(context: &Context, session: &mut Session, turn: &Turn<'_>, task: &Task) -> Outcome<bool> {
    let job = task.subject;
    while !turn.is_over() {
        session.rows(outbox::renew(TASK, vec![job], LEASE_SECONDS)).await?;
        let next: Option<i64> = session.read(Statement::new(NEXT).uuid(job)).await?;
        let Some(place) = next else {
            let end = vec![Statement::new(END).uuid(job), outbox::delete_claimed(TASK, &[*task])];
            session.transaction(end).await?;
            return Ok(true);
        };
        if let Err(fault) = undo_record(context, session, job, place).await {
            session.rollback().await?;
            if is_conflict(&fault) {
                continue;
            }
            // If other records refer to a record that would be deleted, the record is kept for that reason. Other errors are tried again
            // later.
            if !is_refused(&fault) {
                return Err(fault);
            }
            let reason = "other records refer to what it made".to_owned();
            session.transaction(advance_statements(job, place, Some(reason))).await?;
        }
    }
    Ok(false)
}

/// Whether the database has refused what a statement writes.
fn is_refused(fault: &Fault) -> bool {
    let cause = fault.cause().and_then(|cause| cause.downcast_ref::<DbError>());
    fault.status == 500 && cause.is_some_and(|error| matches!(error, DbError::Refused { .. }))
}

/// Undoes one record of the file, in one transaction.
async fn undo_record(context: &Context, session: &mut Session, job: Uuid, place: i64) -> Outcome<()> {
    let mut questions = changes_statements(job, place, place + 1).to_vec();
    questions.push(Statement::new(RESTORED).uuid(job).long(place));
    let answers = session.begin(questions).await?;
    let [made, changed, restored] = answers.as_slice() else { return Ok(()) };
    let done = done::read_changes(made, changed).remove(&place).unwrap_or_default();
    let restored: HashMap<Uuid, i64> = restored.iter().map(Row::read::<(Uuid, i64)>).collect();
    let stored = session.batch(Facts::statements(&[&done], Purpose::Undoing)).await?;
    let reason = Facts::from_rows(&stored).obstacle(&done, &restored);
    let mut statements = Vec::new();
    if reason.is_none() {
        let undoing = Undoing::from_changes(done, &restored, context, job);
        statements = match undoing.holdings.is_empty() {
            true => undoing.statements,
            false => holdings::restore(context, session, job, undoing).await?,
        };
        statements.push(links::restore_ended_statement(job, place));
        statements.extend(titles::undo_statements(job, place));
    }
    statements.extend(advance_statements(job, place, reason));
    session.commit(statements).await?;
    Ok(())
}

fn advance_statements(job: Uuid, place: i64, reason: Option<String>) -> Vec<Statement> {
    let kept = i64::from(reason.is_some());
    let keep = reason.map(|reason| Statement::new(KEEP).uuid(job).long(place).text(reason));
    let advance = Statement::new(ADVANCE).uuid(job).long(place).long(1 - kept).long(kept);
    keep.into_iter().chain([advance]).collect()
}

/// What undoing one record of the file writes.
#[derive(Default)]
struct Undoing {
    statements: Vec<Statement>,
    /// The holdings that the job changed, in their former state. They are written after `statements`, together with what their items
    /// inherit from them.
    holdings: Vec<PreparedRecord>,
    /// The items that `statements` restores.
    items: Vec<Uuid>,
}

impl Undoing {
    /// `restored`: the versions that undoing later records of the file has given to the same records.
    fn from_changes(
        done: RecordChanges,
        restored: &HashMap<Uuid, i64>,
        context: &Context,
        job: Uuid,
    ) -> Undoing {
        let mut undoing = Undoing {
            statements: delete_generation_statements(done.generations, done.marc),
            ..Undoing::default()
        };
        let statements = &mut undoing.statements;
        if let Some(instances) = done.made.get(&Entity::Instance) {
            statements.push(Statement::new(REMOVE_TITLES).uuids(instances.clone()));
        }
        for entity in ENTITIES {
            let Some(record) = record_type(entity) else { continue };
            if let Some(ids) = done.made.get(&entity) {
                let sql = format!("delete from {} where id = any($1)", table_name(record));
                statements.push(Statement::new(sql).uuids(ids.clone()));
            }
        }
        let now = context.now_text();
        for (entity, id, mut before, version) in done.changed {
            before["metadata"] = metadata(context, Some(&before), &now);
            let Some(record) = record_type(entity) else {
                // The MARC record of a deleted authority: it was marked as deleted, and is gone after some days.
                statements.push(statements::overwrite(&SOURCE_RECORD, id, &before));
                statements.push(statements::insert_if_new(&SOURCE_RECORD, id, &before));
                continue;
            };
            let Some(version) = version else {
                statements.push(statements::insert(record, id, &before));
                continue;
            };
            let version = restored.get(&id).copied().unwrap_or(version) + 1;
            before["_version"] = json!(version);
            statements.push(Statement::new(RESTORE).uuid(job).uuid(id).long(version));
            match entity {
                Entity::Holdings => {
                    undoing.holdings.push(PreparedRecord { id, document: before });
                    continue;
                }
                Entity::Item => undoing.items.push(id),
                _ => {}
            }
            statements.push(statements::overwrite(record, id, &before));
        }
        undoing
    }
}

/// The SQL condition that the job `j` has ended and can be undone.
macro_rules! can_be_undone {
    () => {
        "not j.is_trial
and j.status in ('COMMITTED', 'ERROR', 'CANCELLED')
and j.subordination not in ('PARENT_MULTIPLE', 'COMPOSITE_PARENT')"
    };
}

/// The undoing begins after the last record of the file.
const BEGIN: &str = concat!(
    "insert into import_undo (job, by_user, position)
select j.id, $2, coalesce((select max(place) from incoming_record where job = j.id), -1) + 1
from job_execution j
where j.id = $1
and not j.is_deleted
and ",
    can_be_undone!(),
    "
on conflict do nothing
returning 1"
);

const CAN_BEGIN: &str = concat!(
    "select ",
    can_be_undone!(),
    "
and not exists (select from import_undo where job = j.id)
from job_execution j
where j.id = $1
and not j.is_deleted"
);

const QUEUE: &str = "\
insert into outbox (kind, subject)
select $1, job
from import_undo
where job = $2
and ended is null
on conflict do nothing";

const STATE: &str = "\
select json_strip_nulls(json_build_object(
  'jobExecutionId', j.id,
  'status', case when u.job is null then 'NOT_STARTED' when u.ended is null then 'IN_PROGRESS' else 'COMPLETED' end,
  'startedDate', to_char(u.started at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"'),
  'completedDate', to_char(u.ended at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"'),
  'undoneRecords', coalesce(u.undone, 0),
  'notUndoneRecords', coalesce(u.kept, 0)))
from job_execution j
left join import_undo u on u.job = j.id
where j.id = $1
and not j.is_deleted";

const KEPT: &str = "\
select place, reason
from import_kept
where job = $1
order by place
limit $2::int8
offset $3::int8";

const NEXT: &str = "\
select max(r.place)
from import_undo u
join incoming_record r on r.job = u.job and r.place < u.position
where u.job = $1
having max(r.place) is not null";

const RESTORED: &str = "\
select r.id, r.version
from import_restored r
where r.job = $1
and (
  exists (select from import_change c where c.job = r.job and c.place = $2::int8 and c.id = r.id)
  or exists (select from journal_record j where j.job = r.job and j.place = $2::int8 and j.entity_id = r.id)
)";

const REMOVE_TITLES: &str = "\
delete from preceding_succeeding_title
where \"precedingInstanceId\" = any($1)
or \"succeedingInstanceId\" = any($1)";

const RESTORE: &str = "\
insert into import_restored (job, id, version) values ($1, $2, $3::int8)
on conflict (job, id) do update set version = excluded.version";

const KEEP: &str = "insert into import_kept (job, place, reason) values ($1, $2::int8, $3)";

const ADVANCE: &str = "\
update import_undo
set position = $2::int8, undone = undone + $3::int8, kept = kept + $4::int8
where job = $1";

const END: &str = "update import_undo set ended = now() where job = $1";

octavo_pg::statements!(
    other =
        [BEGIN, CAN_BEGIN, QUEUE, STATE, KEPT, NEXT, RESTORED, REMOVE_TITLES, RESTORE, KEEP, ADVANCE, END],
    within = [done, holdings, preview]
);
