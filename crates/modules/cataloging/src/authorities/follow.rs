//! Linked instances follow the headings of their authorities.
//!
//! A trigger notes each change of a heading (`heading_change`) and puts a task into the outbox, in the transaction of the change, whatever
//! program makes it. The linked instances are changed in the order of their ids. Each batch is one transaction, which also stores the last
//! id: so if the process ends in the middle, each instance is changed exactly once. A change of many instances takes several turns.

mod instances;

use octavo_engine::outbox::{self, Task, TaskFilter, Turn};
use octavo_engine::{Context, invalidate_caches};
use octavo_kernel::Outcome;
use octavo_marc::Kind;
use octavo_modules_base::inventory_records::INSTANCE;
use octavo_pg::{DbError, Row, Session, Statement};
use serde_json::Value;
use std::collections::HashMap;
use uuid::Uuid;

use crate::current;
use crate::mapping::mappers;
use instances::{Authority, Batch};

pub(super) const TASK: &str = "authority-heading";

/// How many instances are changed in one transaction.
const BATCH_INSTANCES: i64 = 100;
/// Seconds for which a process claims a change; each batch renews the claim.
const LEASE_SECONDS: i64 = 120;

/// Changes the instances for the changes of headings that are due, for one turn.
pub(super) async fn work(context: Context) -> Outcome<usize> {
    let turn = Turn::begin(&context);
    while !turn.is_over() {
        let mut session = context.session().await?;
        let task: Option<Task> = session.read(outbox::claim(TASK, TaskFilter::Any, 1, LEASE_SECONDS)).await?;
        drop(session);
        let Some(task) = task else { return Ok(0) };
        let ended = match outbox::catch_panics(follow_change(&context, &turn, task.subject)).await {
            Ok(true) => outbox::delete_claimed(TASK, &[task]),
            Ok(false) => {
                turn.leave(TASK, Some(&task)).await?;
                return Ok(0);
            }
            Err(fault) => {
                tracing::warn!(tenant = %context.tenant.id, change = %task.subject, %fault, "linked instances do not follow a heading yet");
                outbox::postpone(TASK, &task, &fault.to_string())
            }
        };
        context.session().await?.rows(ended).await?;
    }
    turn.leave(TASK, None).await?;
    Ok(0)
}

#[derive(Debug, PartialEq, Eq)]
enum Step {
    Done,
    More,
    /// The database refused a batch, which was undone.
    Refused(String),
}

/// Returns whether the change is complete: if not, the turn is over.
async fn follow_change(context: &Context, turn: &Turn<'_>, change: Uuid) -> Outcome<bool> {
    let (mut size, mut failing) = (BATCH_INSTANCES, None);
    while !turn.is_over() {
        let mut session = context.session().await?;
        let stepped = follow_batch(context, &mut session, change, size, failing.take()).await;
        if stepped.is_err() {
            session.rollback().await?;
        }
        match stepped? {
            Step::Done => return Ok(true),
            Step::More => size = (size * 2).min(BATCH_INSTANCES),
            Step::Refused(reason) if size == 1 => failing = Some(reason),
            Step::Refused(_) => size = (size / 2).max(1),
        }
    }
    Ok(false)
}

/// The change that is carried out: the oldest open one of its authority.
struct HeadingChange {
    id: Uuid,
    authority: Uuid,
    unlinks: bool,
    renumbers: bool,
    renames: bool,
    done_to: Option<Uuid>,
    started_by: Option<Uuid>,
}

octavo_pg::columns!(HeadingChange { id, authority, unlinks, renumbers, renames, done_to, started_by });

/// Changes the next batch of instances. If `failing` has a reason, the instances are only marked as failed.
async fn follow_batch(
    context: &Context,
    session: &mut Session,
    task: Uuid,
    size: i64,
    failing: Option<String>,
) -> Outcome<Step> {
    let opened = session.begin(vec![Statement::new(OPEN).uuid(task)]).await?;
    let Some(change) = opened.first().and_then(|rows| rows.first()).map(Row::read::<HeadingChange>) else {
        session.rollback().await?;
        return Ok(Step::Done);
    };
    let mut context = context.clone();
    context.caller.user_id = change.started_by;
    let answers = session
        .batch(vec![
            Statement::new(NEXT).uuid(change.authority).maybe_uuid(change.done_to).long(size),
            Statement::new(AUTHORITY).uuid(change.authority),
            current::read_statement(vec![change.authority]),
        ])
        .await?;
    let mut rules: HashMap<Uuid, Vec<i64>> = HashMap::new();
    for (instance, rule) in answers[0].iter().map(Row::read::<(Uuid, i64)>) {
        rules.entry(instance).or_default().push(rule);
    }
    let mut ids: Vec<Uuid> = rules.keys().copied().collect();
    ids.sort_unstable();
    let Some(last) = ids.last().copied() else {
        session.commit(vec![Statement::new(COMPLETE).uuid(change.id)]).await?;
        return Ok(if change.id == task { Step::Done } else { Step::More });
    };
    let mut came = BatchOutcome::default();
    let mut written = Vec::new();
    if let Some(reason) = failing {
        came.failed = ids.into_iter().map(|id| (id, reason.clone())).collect();
    } else {
        let mappers = mappers(&context, session).await?;
        let authority = answers[1].first().map(Row::read::<(Value, Option<String>)>);
        let marc = current::from_rows(&answers[2]).into_iter().find(|one| one.kind == Kind::Authority);
        let heading = Authority::from_change(&change, authority, marc, &mappers);
        let batch = Batch {
            context: &context,
            change: change.id,
            authority: &heading,
            rules: &rules,
            mappers: &mappers,
        };
        (written, came) = batch.change_instances(session, ids).await?;
    }
    written.extend(came.link_statements(&change));
    written.push(
        Statement::new(PROGRESS)
            .uuid(change.id)
            .uuid(last)
            .long(came.updated.len() as i64)
            .long(came.failed.len() as i64),
    );
    written.push(outbox::renew(TASK, vec![task], LEASE_SECONDS));
    match session.commit(written).await {
        Ok(_) => {
            invalidate_caches(&context, &INSTANCE, Uuid::nil());
            Ok(Step::More)
        }
        // Refusals of the data, not conflicts with other transactions or failures of the database.
        Err(DbError::Refused { code, message, .. }) if code.starts_with("22") || code.starts_with("23") => {
            Ok(Step::Refused(message))
        }
        Err(error) => Err(error.into()),
    }
}

/// The results of the instances of a batch.
#[derive(Default)]
struct BatchOutcome {
    updated: Vec<Uuid>,
    failed: Vec<(Uuid, String)>,
}

impl BatchOutcome {
    fn link_statements(&self, change: &HeadingChange) -> Vec<Statement> {
        let (failed, reasons): (Vec<Uuid>, Vec<String>) = self.failed.iter().cloned().unzip();
        if change.unlinks {
            let all = self.updated.iter().copied().chain(failed).collect();
            return vec![Statement::new(UNLINK).uuid(change.authority).uuids(all)];
        }
        vec![
            Statement::new(LINKED).uuid(change.authority).uuids(self.updated.clone()),
            Statement::new(FAILED).uuid(change.authority).uuids(failed).texts(reasons),
        ]
    }
}

const OPEN: &str = "\
select c.id, c.authority, c.unlinks, c.renumbers, c.action <> 'UPDATE_NATURAL_ID', c.done_to, c.started_by
from heading_change c
join heading_change s on s.authority = c.authority
where s.id = $1
and s.completed is null
and c.completed is null
and c.place <= s.place
order by c.place
limit 1
for update of c";

const NEXT: &str = "\
select l.instance, l.rule
from instance_authority_link l
where l.authority = $1
and l.instance in (
  select distinct n.instance
  from instance_authority_link n
  where n.authority = $1
  and ($2::uuid is null or n.instance > $2::uuid)
  order by n.instance
  limit $3)";

const AUTHORITY: &str = "\
select a.doc::text, f.doc ->> 'baseUrl'
from authority a
left join authority_source_file f on f.id = a.\"sourceFileId\"
where a.id = $1";

/// Links that were made or removed since the change are not in its total.
const COMPLETE: &str = "\
update heading_change
set completed = clock_timestamp(), lb_total = lb_updated + lb_failed
where id = $1";

const PROGRESS: &str = "\
update heading_change
set done_to = $2, lb_updated = lb_updated + $3::int8, lb_failed = lb_failed + $4::int8
where id = $1";

const LINKED: &str = "\
update instance_authority_link
set status = 'ACTUAL', error = null, updated = clock_timestamp()
where authority = $1
and instance = any($2)";

const FAILED: &str = "\
update instance_authority_link l
set status = 'ERROR', error = f.reason, updated = clock_timestamp()
from unnest($2::uuid[], $3::text[]) f (instance, reason)
where l.authority = $1
and l.instance = f.instance";

const UNLINK: &str = "delete from instance_authority_link where authority = $1 and instance = any($2)";

octavo_pg::statements!(other = [OPEN, NEXT, AUTHORITY, COMPLETE, PROGRESS, LINKED, FAILED, UNLINK]);
