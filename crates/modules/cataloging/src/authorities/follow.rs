//! Linked instances follow the headings of their authorities.
//!
//! A trigger notes each change of a heading (`heading_change`) and leaves a task in the outbox, in the transaction of the change: whoever
//! changes an authority. The instances are gone through in the order of their ids. Each batch is one transaction, which also notes how far
//! it came; so a process that ends in the middle leaves each instance either as it was, to be gone through, or changed, once.

use octavo_engine::outbox::{self, Task, Which};
use octavo_engine::{Context, announce, load, statements};
use octavo_kernel::{Fault, Outcome};
use octavo_marc::{Field, Kind, Record, Subfield};
use octavo_modules_base::inventory_records::INSTANCE;
use octavo_pg::{DbError, Row, Session, Statement};
use serde_json::Value;
use std::collections::HashMap;
use uuid::Uuid;

use super::control::{Heading, follow, number_of};
use super::rules::rule;
use crate::current::{self, Current, Next};
use crate::described::merged;
use crate::mapping::{Mappers, mappers};

pub(super) const TASK: &str = "authority-heading";

/// How many instances are changed in one transaction.
const BATCH: i64 = 100;
/// Seconds for which a change is claimed; each batch renews the claim.
const LEASE: i64 = 120;

/// Works off the changes of headings that are due.
pub(super) async fn work(context: Context) -> Outcome<usize> {
    loop {
        let mut session = context.session().await?;
        let task: Option<Task> = session.read(outbox::claim(TASK, Which::Any, 1, LEASE)).await?;
        drop(session);
        let Some(task) = task else { return Ok(0) };
        let ended = match outbox::guarded(follow_all(&context, task.subject)).await {
            Ok(()) => outbox::done(TASK, vec![task.subject]),
            Err(fault) => {
                tracing::warn!(tenant = %context.tenant.id, change = %task.subject, %fault, "linked instances do not follow a heading yet");
                outbox::later(TASK, &task, &fault.to_string())
            }
        };
        context.session().await?.rows(ended).await?;
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Step {
    Done,
    More,
    /// The database refused a batch, which was undone.
    Refused(String),
}

async fn follow_all(context: &Context, change: Uuid) -> Outcome<()> {
    let (mut size, mut failing) = (BATCH, None);
    loop {
        let mut session = context.session().await?;
        let stepped = step(context, &mut session, change, size, failing.take()).await;
        if stepped.is_err() {
            session.rollback().await?;
        }
        match stepped? {
            Step::Done => return Ok(()),
            Step::More => size = (size * 2).min(BATCH),
            Step::Refused(reason) if size == 1 => failing = Some(reason),
            Step::Refused(_) => size = (size / 2).max(1),
        }
    }
}

/// The change that is worked off: the first one of its authority that is open.
struct Change {
    id: Uuid,
    authority: Uuid,
    unlinks: bool,
    renumbers: bool,
    renames: bool,
    done_to: Option<Uuid>,
    started_by: Option<Uuid>,
}

octavo_pg::columns!(Change { id, authority, unlinks, renumbers, renames, done_to, started_by });

/// Goes through the next instances. With `failing`, a reason, they are noted as failed.
async fn step(
    context: &Context,
    session: &mut Session,
    task: Uuid,
    size: i64,
    failing: Option<String>,
) -> Outcome<Step> {
    let opened = session.begin(vec![Statement::new(OPEN).uuid(task)]).await?;
    let Some(change) = opened.first().and_then(|rows| rows.first()).map(Row::read::<Change>) else {
        session.rollback().await?;
        return Ok(Step::Done);
    };
    let mut context = context.clone();
    context.caller.user_id = change.started_by;
    let answers = session
        .batch(vec![
            Statement::new(NEXT).uuid(change.authority).maybe_uuid(change.done_to).long(size),
            Statement::new(AUTHORITY).uuid(change.authority),
            current::read(vec![change.authority]),
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
    let mut came = Came::default();
    let mut written = Vec::new();
    if let Some(reason) = failing {
        came.failed = ids.into_iter().map(|id| (id, reason.clone())).collect();
    } else {
        let mappers = mappers(&context, session).await?;
        let authority = answers[1].first().map(Row::read::<(Value, Option<String>)>);
        let marc = current::of_rows(&answers[2]).into_iter().find(|one| one.kind == Kind::Authority);
        let heading = Authority::of(&change, authority, marc, &mappers);
        written = instances(&context, session, &change, &heading, &rules, ids, &mappers, &mut came).await?;
    }
    written.extend(came.noted(&change));
    written.push(
        Statement::new(PROGRESS)
            .uuid(change.id)
            .uuid(last)
            .long(came.updated.len() as i64)
            .long(came.failed.len() as i64),
    );
    written.push(outbox::renew(TASK, vec![task], LEASE));
    match session.commit(written).await {
        Ok(_) => {
            announce(&context, &INSTANCE, Uuid::nil());
            Ok(Step::More)
        }
        // What the database says of the data, not of other work or of itself.
        Err(DbError::Refused { code, message, .. }) if code.starts_with("22") || code.starts_with("23") => {
            Ok(Step::Refused(message))
        }
        Err(error) => Err(error.into()),
    }
}

/// What became of the instances of a batch.
#[derive(Default)]
struct Came {
    updated: Vec<Uuid>,
    failed: Vec<(Uuid, String)>,
}

impl Came {
    fn noted(&self, change: &Change) -> Vec<Statement> {
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

/// The authority as linked fields are to show it, or why they cannot.
struct Authority {
    id: String,
    record: Result<Option<Record>, String>,
    number: Option<String>,
    gone: bool,
}

impl Authority {
    fn of(
        change: &Change,
        stored: Option<(Value, Option<String>)>,
        marc: Option<Current>,
        mappers: &Mappers,
    ) -> Authority {
        let id = change.authority.to_string();
        if change.unlinks {
            return Authority { id, record: Ok(None), number: None, gone: true };
        }
        let Some((document, base_url)) = stored else {
            let reason = format!("Authority with ID [{id}] was not found");
            return Authority { id, record: Err(reason), number: None, gone: false };
        };
        let number = document["naturalId"].as_str().filter(|_| change.renumbers);
        let number = number.map(|number| number_of(number, base_url.as_deref()));
        let record = match change.renames {
            false => Ok(None),
            true => heading(&document, marc, mappers)
                .map(Some)
                .ok_or_else(|| format!("Source record not found for [authorityId: {id}]")),
        };
        Authority { id, record, number, gone: false }
    }
}

/// The MARC record of an authority; where it has none, or one that says another heading, the heading as one subfield.
fn heading(document: &Value, marc: Option<Current>, mappers: &Mappers) -> Option<Record> {
    let (member, tag) = HEADINGS.into_iter().find(|(member, _)| document[*member].is_string())?;
    if let Some(marc) = marc {
        let mapped = mappers.of(Kind::Authority).map(&marc.record).record;
        if mapped[member] == document[member] {
            return Some(marc.record);
        }
    }
    let value = document[member].as_str()?.to_owned();
    let subfields = vec![Subfield { code: 'a', value }];
    let field = Field::Data { tag: tag.to_owned(), indicators: [' ', ' '], subfields };
    Some(Record { fields: vec![field], ..Record::default() })
}

const HEADINGS: [(&str, &str); 10] = [
    ("personalName", "100"),
    ("personalNameTitle", "100"),
    ("corporateName", "110"),
    ("corporateNameTitle", "110"),
    ("meetingName", "111"),
    ("meetingNameTitle", "111"),
    ("uniformTitle", "130"),
    ("topicalTerm", "150"),
    ("geographicName", "151"),
    ("genreTerm", "155"),
];

/// Changes instances and their MARC records: the statements that write them.
#[allow(clippy::too_many_arguments)]
async fn instances(
    context: &Context,
    session: &mut Session,
    change: &Change,
    authority: &Authority,
    rules: &HashMap<Uuid, Vec<i64>>,
    ids: Vec<Uuid>,
    mappers: &Mappers,
    came: &mut Came,
) -> Outcome<Vec<Statement>> {
    let locks = vec![statements::lock_all(&INSTANCE).uuids(ids.clone()), current::lock(ids.clone())];
    let answers = session.batch(locks).await?;
    let mut stored: HashMap<Uuid, Value> = answers[0]
        .iter()
        .map(Row::read::<(Uuid, Option<Value>)>)
        .filter_map(|(id, document)| Some((id, document?)))
        .collect();
    let current = current::of_rows(&answers[1]);
    let mut current: HashMap<Uuid, Current> = current
        .into_iter()
        .filter(|one| one.kind == Kind::Bibliographic)
        .map(|one| (one.described, one))
        .collect();
    let mut replacing = Vec::new();
    let mut kept = Vec::new();
    for id in ids {
        let changed = match (stored.remove(&id), current.remove(&id)) {
            (Some(stored), Some(before)) => {
                changed(context, authority, &rules[&id], &before).map(|record| (stored, before, record))
            }
            (None, _) => Err("The instance is not there".to_owned()),
            (_, None) => Err("The instance has no MARC record".to_owned()),
        };
        match changed {
            Err(reason) => came.failed.push((id, reason)),
            Ok((stored, before, record)) => {
                let mapped = mappers.of(Kind::Bibliographic).map(&record).record;
                let body = merged(Kind::Bibliographic, &stored, mapped);
                replacing.push(load::Replacing { id, stored, body });
                kept.push((before, record));
            }
        }
    }
    let prepared = load::prepare_replacing(context, session, &INSTANCE, replacing).await?;
    let mut ready = Vec::new();
    for (prepared, (before, record)) in prepared.into_iter().zip(kept) {
        match prepared {
            Ok(prepared) => ready.push((prepared, before, record)),
            Err(fault) => came.failed.push((before.described, reason(&fault))),
        }
    }
    came.updated = ready.iter().map(|(_, before, _)| before.described).collect();
    if ready.is_empty() {
        return Ok(Vec::new());
    }
    let pairs: Vec<_> = ready.iter().map(|(pair, _, _)| pair).collect();
    let mut written = load::statements(context, session, &INSTANCE, &[], &pairs).await?;
    let next: Vec<Next<'_>> = ready
        .iter()
        .map(|((_, instance), before, record)| Next {
            id: context.fresh_id(),
            before,
            record,
            hrid: instance.document["hrid"].as_str().unwrap_or_default(),
            suppressed: before.suppressed,
        })
        .collect();
    written.extend(current::keep_next(context, change.id, &next));
    Ok(written)
}

/// A bibliographic record with its linked fields changed.
fn changed(
    context: &Context,
    authority: &Authority,
    rules: &[i64],
    before: &Current,
) -> Result<Record, String> {
    let record = authority.record.as_ref().map_err(Clone::clone)?;
    let heading = match authority.gone {
        true => Heading::Gone,
        false => Heading::Now { record: record.as_ref(), number: authority.number.as_deref() },
    };
    let mut changed = before.record.clone();
    let mut found = false;
    for rule in rules.iter().filter_map(|id| rule(*id)) {
        found |= follow(&mut changed, rule, &authority.id, &heading)?;
    }
    if !found && !authority.gone {
        return Err(format!("The MARC record has no field with subfield 9 {}", authority.id));
    }
    current::stamp(&mut changed, context.now);
    Ok(changed)
}

fn reason(fault: &Fault) -> String {
    match &fault.body {
        octavo_kernel::Body::Text(text) => text.clone(),
        octavo_kernel::Body::Refusals(refusals) => {
            refusals.iter().map(|refusal| refusal.message.as_str()).collect::<Vec<&str>>().join("; ")
        }
        octavo_kernel::Body::Json(value) => value.to_string(),
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
