//! Undoes a job as far as nobody has changed since what it made or changed: each record of its file wholly or not at all, from the last to
//! the first. What stays is listed with the reason.

use std::collections::HashMap;

use octavo_engine::outbox::{self, Task, Which};
use octavo_engine::{Context, Request, Response, metadata, statements};
use octavo_import::Entity;
use octavo_kernel::{Fault, Outcome};
use octavo_modules_inventory::source_records::keep::forget;
use octavo_pg::{DbError, Row, Session, Statement};
use octavo_record::{RecordType, table_name};
use serde_json::{Value, json};
use uuid::Uuid;

use super::job;
use crate::authorities::links;
use crate::import::record_type;

pub(super) const TASK: &str = "undo an import";

/// Seconds for which a job is claimed; renewed with each record.
const LEASE: i64 = 60;
/// The most records of a page that tells why.
const MOST: i64 = 1_000;

/// Records of the inventory, in the order in which they are taken back: those that refer to others first.
const ENTITIES: [Entity; 4] = [Entity::Item, Entity::Holdings, Entity::Instance, Entity::Authority];

/// Begins to undo a job that has ended.
pub(super) async fn begin(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let id = request.id(0)?;
    let mut session = context.session().await?;
    let begin = Statement::new(BEGIN).uuid(id).maybe_uuid(context.caller.user_id);
    let answers = session.transaction(vec![begin, Statement::new(QUEUE).text(TASK).uuid(id)]).await?;
    if answers.first().is_some_and(|rows| !rows.is_empty()) {
        context.platform.bell.ring(&context.tenant.id);
        return Ok(Response { status: 202, ..Response::no_content() });
    }
    match job::get(&mut session, id).await? {
        None => Err(job::missing(id)),
        Some(_) => Err(Fault::bad_request(
            "Only a job that has ended can be undone, once, and a trial or a job of several files has nothing to undo",
        )),
    }
}

/// How far it is, and what could not be undone.
pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = request.id(0)?;
    let number =
        |name: &str, usual: i64| request.query(name).and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (limit, offset) = (number("limit", 100_i64).clamp(0, MOST), number("offset", 0_i64).max(0));
    let mut session = request.context.session().await?;
    let answers = session
        .batch(vec![Statement::new(STATE).uuid(id), Statement::new(KEPT).uuid(id).long(limit).long(offset)])
        .await?;
    let state: Option<Value> = answers.first().and_then(|rows| rows.first()).map(Row::read);
    let mut state = state.ok_or_else(|| Fault::missing(format!("Job execution {id} is not undone")))?;
    let kept = answers.last().into_iter().flatten().map(Row::read::<(i64, String)>);
    let kept = kept.map(|(place, reason)| json!({"recordOrder": place, "reason": reason}));
    state["notUndone"] = Value::from(kept.collect::<Vec<_>>());
    Ok(Response::json(200, &state))
}

/// Works off what is due in a tenant.
pub(super) async fn work(context: Context) -> Outcome<usize> {
    loop {
        let mut session = context.session().await?;
        let tasks: Vec<Task> = session.read(outbox::claim(TASK, Which::Any, 1, LEASE)).await?;
        let Some(task) = tasks.first() else { return Ok(0) };
        match outbox::guarded(undo(&context, &mut session, task)).await {
            Ok(()) => {}
            Err(fault) => {
                session.rollback().await?;
                session.rows(outbox::later(TASK, task, &fault.to_string())).await?;
            }
        }
    }
}

async fn undo(context: &Context, session: &mut Session, task: &Task) -> Outcome<()> {
    let job = task.subject;
    loop {
        session.rows(outbox::renew(TASK, vec![job], LEASE)).await?;
        let next: Option<i64> = session.read(Statement::new(NEXT).uuid(job)).await?;
        let Some(place) = next else {
            let end = vec![Statement::new(END).uuid(job), outbox::done(TASK, vec![job])];
            session.transaction(end).await?;
            return Ok(());
        };
        if let Err(error) = one(context, session, job, place).await {
            session.rollback().await?;
            // Something refers to what is to go: that is a reason to keep the record. All else is tried again later.
            match error {
                DbError::Refused { .. } if !error.is_conflict() => {
                    let reason = "other records refer to what it made".to_owned();
                    session.transaction(advance(job, place, Some(reason))).await?;
                }
                error if error.is_conflict() => {}
                error => return Err(error.into()),
            }
        }
    }
}

/// What a job did with one record.
struct Done {
    /// Inventory records that it made.
    made: HashMap<Entity, Vec<Uuid>>,
    /// Those that it changed or deleted, as they were, with the version that they had afterwards.
    changed: Vec<(Entity, Uuid, Value, Option<i64>)>,
    /// Ids that generations of MARC records share, and the generation that the job has kept.
    marc: Vec<Uuid>,
    generation: Uuid,
}

/// A transaction for each record.
async fn one(context: &Context, session: &mut Session, job: Uuid, place: i64) -> Result<(), DbError> {
    let of_record = |sql| Statement::new(sql).uuid(job).long(place);
    let answers = session
        .begin(vec![of_record(MADE), of_record(CHANGED), Statement::new(RESTORED).uuid(job).long(place)])
        .await?;
    let [made, changed, restored] = answers.as_slice() else { return Ok(()) };
    let done = Done::read(made, changed);
    let restored: HashMap<Uuid, i64> = restored.iter().map(Row::read::<(Uuid, i64)>).collect();
    let reason = why_not(session, &done, &restored).await?;
    let mut statements = Vec::new();
    if reason.is_none() {
        statements = done.take_back(context, job);
        statements.push(links::make_anew(job, place));
    }
    statements.extend(advance(job, place, reason));
    session.commit(statements).await.map(drop)
}

fn advance(job: Uuid, place: i64, reason: Option<String>) -> Vec<Statement> {
    let kept = i64::from(reason.is_some());
    let keep = reason.map(|reason| Statement::new(KEEP).uuid(job).long(place).text(reason));
    let advance = Statement::new(ADVANCE).uuid(job).long(place).long(1 - kept).long(kept);
    keep.into_iter().chain([advance]).collect()
}

/// Why a record stays as it is: what was made of it was changed since, or has got more.
async fn why_not(
    session: &mut Session,
    done: &Done,
    restored: &HashMap<Uuid, i64>,
) -> Result<Option<String>, DbError> {
    let mut statements = Vec::new();
    let mut expected: Vec<(Entity, HashMap<Uuid, Option<i64>>)> = Vec::new();
    for entity in ENTITIES {
        let Some(record) = record_type(entity) else { continue };
        let made = done.made.get(&entity).into_iter().flatten().map(|id| (*id, Some(1)));
        let changed = done.changed.iter().filter(|(of, ..)| *of == entity);
        let changed = changed.map(|(_, id, _, version)| (*id, *version));
        let mut all: HashMap<Uuid, Option<i64>> = made.chain(changed).collect();
        for (id, version) in &mut all {
            if let Some(given) = restored.get(id) {
                *version = Some(*given);
            }
        }
        if !all.is_empty() {
            statements.push(versions(record).uuids(all.keys().copied().collect()));
            expected.push((entity, all));
        }
    }
    let made = |entity| done.made.get(&entity).cloned().unwrap_or_default();
    statements.push(Statement::new(MORE_ITEMS).uuids(made(Entity::Holdings)).uuids(made(Entity::Item)));
    statements
        .push(Statement::new(MORE_HOLDINGS).uuids(made(Entity::Instance)).uuids(made(Entity::Holdings)));
    statements.push(Statement::new(NEWER_MARC).uuids(done.marc.clone()).uuid(done.generation));
    let mut answers = session.batch(statements).await?;
    let [marc, holdings, items] = [answers.pop(), answers.pop(), answers.pop()];
    for ((entity, expected), rows) in expected.iter().zip(answers) {
        let found: HashMap<Uuid, i64> = rows.iter().map(Row::read::<(Uuid, i64)>).collect();
        let changed = expected.iter().any(|(id, version)| found.get(id).copied() != *version);
        if changed {
            let name = record_type(*entity).map_or("record", |record| record.name);
            return Ok(Some(format!("the {name} was changed since, or deleted")));
        }
    }
    let any = |rows: Option<Vec<Row>>| rows.is_some_and(|rows| !rows.is_empty());
    Ok(match (any(items), any(holdings), any(marc)) {
        (true, ..) => Some("its holdings have got more items".to_owned()),
        (_, true, _) => Some("its instance has got more holdings".to_owned()),
        (.., true) => Some("its MARC record was changed since".to_owned()),
        _ => None,
    })
}

fn versions(record: &RecordType) -> Statement {
    Statement::new(format!(
        "select id, coalesce((doc ->> '_version')::int8, 0) from {} where id = any($1) order by id for update",
        table_name(record)
    ))
}

impl Done {
    fn read(made: &[Row], changed: &[Row]) -> Done {
        let mut done =
            Done { made: HashMap::new(), changed: Vec::new(), marc: Vec::new(), generation: Uuid::nil() };
        for (name, id, source) in made.iter().map(Row::read::<(String, Uuid, Uuid)>) {
            done.generation = source;
            match Entity::read(&name) {
                Some(entity) if record_type(entity).is_some() => {
                    done.made.entry(entity).or_default().push(id);
                }
                Some(_) => done.marc.push(id),
                None => {}
            }
        }
        done.marc.sort_unstable();
        done.marc.dedup();
        for (name, id, before, version) in changed.iter().map(Row::read::<(String, Uuid, Value, Option<i64>)>)
        {
            done.changed.extend(Entity::read(&name).map(|entity| (entity, id, before, version)));
        }
        // What was made and then changed for the same record is only made.
        let made: Vec<Uuid> = done.made.values().flatten().copied().collect();
        done.changed.retain(|(_, id, ..)| !made.contains(id));
        done
    }

    fn take_back(self, context: &Context, job: Uuid) -> Vec<Statement> {
        let mut statements = forget(self.generation, self.marc);
        if let Some(instances) = self.made.get(&Entity::Instance) {
            statements.push(Statement::new(REMOVE_TITLES).uuids(instances.clone()));
        }
        for entity in ENTITIES {
            let Some(record) = record_type(entity) else { continue };
            if let Some(ids) = self.made.get(&entity) {
                let sql = format!("delete from {} where id = any($1)", table_name(record));
                statements.push(Statement::new(sql).uuids(ids.clone()));
            }
        }
        let now = context.now_text();
        for (entity, id, mut before, version) in self.changed {
            let Some(record) = record_type(entity) else { continue };
            before["metadata"] = metadata(context, Some(&before), &now);
            match version {
                Some(version) => {
                    before["_version"] = json!(version + 1);
                    statements.push(statements::overwrite(record, id, &before));
                    statements.push(Statement::new(RESTORE).uuid(job).uuid(id).long(version + 1));
                }
                None => statements.push(statements::insert(record, id, &before)),
            }
        }
        statements
    }
}

/// A job with records, all of them done. It begins behind its last record.
const BEGIN: &str = "\
insert into import_undo (job, by_user, position)
select j.id, $2, coalesce((select max(place) from incoming_record where job = j.id), -1) + 1
from job_execution j
where j.id = $1
and not j.is_deleted
and not j.is_trial
and j.status in ('COMMITTED', 'ERROR', 'CANCELLED')
and j.subordination not in ('PARENT_MULTIPLE', 'COMPOSITE_PARENT')
on conflict do nothing
returning 1";

const QUEUE: &str = "\
insert into outbox (kind, subject)
select $1, job
from import_undo
where job = $2
and ended is null
on conflict do nothing";

const STATE: &str = "\
select json_build_object(
  'jobExecutionId', job,
  'status', case when ended is null then 'IN_PROGRESS' else 'COMPLETED' end,
  'startedDate', to_char(started at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"'),
  'completedDate', to_char(ended at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"'),
  'undoneRecords', undone,
  'notUndoneRecords', kept)
from import_undo
where job = $1";

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

/// Entities that were made, each once; of MARC records those that were changed as well.
const MADE: &str = "\
select distinct entity, entity_id, source
from journal_record
where job = $1
and place = $2::int8
and error is null
and entity_id is not null
and (action = 'CREATE' or (entity like 'MARC%' and action in ('UPDATE', 'MODIFY', 'DELETE')))";

const CHANGED: &str = "\
select entity, id, before, version
from import_change
where job = $1
and place = $2::int8
and before is not null
order by number desc";

const RESTORED: &str = "\
select r.id, r.version
from import_restored r
where r.job = $1
and (
  exists (select from import_change c where c.job = r.job and c.place = $2::int8 and c.id = r.id)
  or exists (select from journal_record j where j.job = r.job and j.place = $2::int8 and j.entity_id = r.id)
)";

const MORE_ITEMS: &str = "\
select id
from item
where \"holdingsRecordId\" = any($1)
and id <> all($2)
limit 1";

const MORE_HOLDINGS: &str = "\
select id
from holdings_record
where \"instanceId\" = any($1)
and id <> all($2)
limit 1";

const NEWER_MARC: &str = "\
select n.id
from records_lb g
join records_lb n on n.\"matchedId\" = g.\"matchedId\" and n.generation > g.generation
where g.id = $2
and g.\"matchedId\" = any($1)
limit 1";

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
    other = [
        BEGIN,
        QUEUE,
        STATE,
        KEPT,
        NEXT,
        MADE,
        CHANGED,
        RESTORED,
        MORE_ITEMS,
        MORE_HOLDINGS,
        NEWER_MARC,
        REMOVE_TITLES,
        RESTORE,
        KEEP,
        ADVANCE,
        END
    ]
);
