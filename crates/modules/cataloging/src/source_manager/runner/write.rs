//! Writes records with their journal and the job's position, all in one transaction.

use std::collections::HashMap;
use std::ops::Range;

use octavo_engine::{Context, outbox};
use octavo_kernel::{Body, Fault, Outcome};
use octavo_pg::{Session, Statement, is_conflict};
use serde_json::Value;
use uuid::Uuid;

use super::Decide;
use super::record::{Taken, keep_errors, keep_incoming};
use crate::import::{Incoming, Job, Written};
use crate::parts::Parts;
use crate::source_manager::journal::{self, COUNTED, Entry, Line, short};
use crate::source_manager::{status, summary, trial};

/// How often a transaction is tried again that was undone because of others.
const TRIES: usize = 4;

/// How the work on some records has ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Wrote {
    All,
    /// The job was stopped.
    Stopped,
}

/// Records on their way into the database.
pub(super) struct Batch {
    pub taken: Vec<Taken>,
    pub from: i64,
    /// The chunk that they are from.
    pub chunk: Option<Uuid>,
    /// Whether the chunk is done with them.
    pub is_last: bool,
}

/// How one transaction has ended.
enum Tried {
    Done,
    Stopped,
    /// The database, or what decides on the records, does not take them.
    Refused(String),
}

pub(super) struct Writer<'a> {
    pub context: &'a Context,
    pub job: &'a Job,
    pub decide: Decide,
    /// Whether records wait that others change again and again, or come to an error.
    pub is_patient: bool,
}

impl Writer<'_> {
    /// Writes all records, one way or the other: one that is refused is kept with the reason.
    pub(super) async fn write(&self, session: &mut Session, batch: &Batch) -> Outcome<Wrote> {
        let mut parts = Parts::of(batch.taken.len());
        while let Some(part) = parts.next() {
            match self.tried(session, batch, part.clone(), None).await? {
                Tried::Done => {}
                Tried::Stopped => return Ok(Wrote::Stopped),
                Tried::Refused(_) if parts.refused(part.clone()) => {}
                Tried::Refused(why) => match self.tried(session, batch, part, Some(&why)).await? {
                    Tried::Done => {}
                    Tried::Stopped => return Ok(Wrote::Stopped),
                    Tried::Refused(why) => return Err(Fault::internal(why)),
                },
            }
        }
        Ok(Wrote::All)
    }

    async fn tried(
        &self,
        session: &mut Session,
        batch: &Batch,
        part: Range<usize>,
        at_fault: Option<&str>,
    ) -> Outcome<Tried> {
        let mut tries = 0;
        loop {
            tries += 1;
            let fault = match self.once(session, batch, part.clone(), at_fault).await {
                Ok(true) => return Ok(Tried::Done),
                Ok(false) => {
                    session.rollback().await?;
                    return Ok(Tried::Stopped);
                }
                Err(fault) => fault,
            };
            session.rollback().await?;
            if is_conflict(&fault) && tries < TRIES {
                continue;
            }
            if is_passing(&fault) && (self.is_patient || !is_conflict(&fault)) {
                return Err(fault);
            }
            return Ok(Tried::Refused(reason(&fault)));
        }
    }

    /// One transaction. Returns whether the job takes records.
    async fn once(
        &self,
        session: &mut Session,
        batch: &Batch,
        part: Range<usize>,
        at_fault: Option<&str>,
    ) -> Outcome<bool> {
        let id = self.job.id;
        let answers = session.begin(vec![Statement::new(STATUS).uuid(id)]).await?;
        let status: Option<String> = answers.first().and_then(|rows| rows.first()).map(octavo_pg::Row::read);
        if status.is_none_or(|status| status::is_stopped(&status)) {
            return Ok(false);
        }
        let taken = &batch.taken[part.clone()];
        let wanted: Vec<Incoming> = taken
            .iter()
            .filter(|one| at_fault.is_none() && one.refusal.is_none())
            .filter_map(copied)
            .collect();
        let written = match wanted.is_empty() {
            true => Written::default(),
            false => outbox::guarded((self.decide)(self.context, session, self.job, &wanted)).await?,
        };
        let mut statements = written.statements;
        if self.job.is_trial {
            // Nothing of it is kept but the journal and what it would have done.
            session.rollback().await?;
            session.begin(vec![Statement::new(STATUS).uuid(id)]).await?;
            statements.clear();
        }
        statements.extend(trial::keep(id, &written.changes));
        let mut done: HashMap<Uuid, Vec<Line>> = HashMap::new();
        for entry in written.journal {
            done.entry(entry.source).or_default().push(Line::from(entry));
        }
        let mut kept = Kept::default();
        for one in taken {
            let why = at_fault.or(one.refusal.as_deref());
            let lines = one.lines(&self.job.profile, why, done.remove(&one.incoming.id).unwrap_or_default());
            kept.add(one, lines, why);
        }
        if !self.job.is_trial {
            statements.extend(keep_errors(self.context, id, &kept.failures));
        }
        statements.push(keep_incoming(id, kept.rows));
        let lines = kept.lines.iter().flat_map(|(one, lines)| {
            lines.iter().map(|line| Entry { source: one.incoming.id, place: one.place(), line })
        });
        let lines: Vec<Entry<'_>> = lines.collect();
        statements.push(journal::keep(id, &lines, || self.context.fresh_id()));
        statements.extend(summary::add(id, &kept.counts));
        let from = part.start.checked_sub(1).map_or(batch.from, |before| batch.taken[before].position);
        let to = taken.last().map_or(0, |last| last.position);
        let advance = Statement::new(ADVANCE).uuid(id).long(from).long(to);
        statements.push(advance.long(taken.len() as i64).long(kept.failed));
        if let Some(chunk) = batch.chunk {
            let is_done = batch.is_last && part.end == batch.taken.len();
            statements.push(Statement::new(IN_CHUNK).uuid(chunk).text(is_done.to_string()));
        }
        session.commit(statements).await?;
        Ok(true)
    }
}

/// What is kept of records, gathered one by one.
#[derive(Default)]
struct Kept<'a> {
    rows: Vec<Value>,
    lines: Vec<(&'a Taken, Vec<Line>)>,
    counts: [[i64; 4]; COUNTED.len()],
    failures: Vec<(&'a Taken, &'a str)>,
    failed: i64,
}

impl<'a> Kept<'a> {
    fn add(&mut self, one: &'a Taken, lines: Vec<Line>, why: Option<&'a str>) {
        let short = short(&lines);
        self.rows.push(one.row(&short));
        for (sums, counts) in self.counts.iter_mut().zip(&short.counts) {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        self.failed += i64::from(short.failed);
        self.failures.extend(why.map(|why| (one, why)));
        self.lines.push((one, lines));
    }
}

fn copied(one: &Taken) -> Option<Incoming> {
    let Incoming { id, order, raw, parsed } = &one.incoming;
    let record = parsed.as_ref().ok()?.clone();
    Some(Incoming { id: *id, order: *order, raw: raw.clone(), parsed: Ok(record) })
}

/// Whether no record is at fault: the database is away, busy or full, or others have changed the same rows.
pub(super) fn is_passing(fault: &Fault) -> bool {
    matches!(fault.status, 503 | 507)
}

/// Why a record was refused, for staff.
fn reason(fault: &Fault) -> String {
    match (&fault.body, fault.cause()) {
        (Body::Text(_), Some(cause)) => cause.to_string(),
        (Body::Text(text), None) => text.clone(),
        (Body::Json(value), _) => value.to_string(),
        (Body::Refusals(refusals), _) => {
            let one = |refusal: &octavo_kernel::Refusal| {
                let about = refusal.parameters.iter();
                let about: Vec<String> = about
                    .map(|(key, value)| format!("{key}: {}", value.as_deref().unwrap_or("nothing")))
                    .collect();
                match about.is_empty() {
                    true => refusal.message.clone(),
                    false => format!("{} ({})", refusal.message, about.join(", ")),
                }
            };
            refusals.iter().map(one).collect::<Vec<String>>().join("; ")
        }
    }
}

const STATUS: &str = "select status from job_execution where id = $1 and not is_deleted";

/// The records are done if their chunk is not. The position alone does not tell: it is the same before and after a chunk. This comes after
/// [`ADVANCE`], whose lock it needs.
const IN_CHUNK: &str = "\
with chunk as (
  update import_chunk
  set body = case when $2::text::boolean then null else body end
  where id = $1 and body is not null
  returning id
)
select octavo.expect(exists (select from chunk), 'The import job')";

/// The records are done if the job is still where it was when they were read, and was not stopped. The job's row is locked first, as
/// clients' calls do.
const ADVANCE: &str = "\
with counted as (
  update job_execution
  set progress_current = progress_current + $4::int8, failed = failed + $5::int8
  where id = $1 and not is_deleted and status not in ('ERROR', 'CANCELLED', 'DISCARDED')
  returning id
), advanced as (
  update import_source s
  set position = $3::int8, records = s.records + $4::int8
  from counted c
  where s.job = c.id and s.position = $2::int8
  returning s.job
)
select octavo.expect(exists (select from advanced), 'The import job')";

octavo_pg::statements!(other = [STATUS, IN_CHUNK, ADVANCE]);

#[cfg(test)]
mod tests {
    use super::*;
    use octavo_kernel::Refusal;

    #[test]
    fn reasons_are_told_to_staff() {
        let cases = [
            (Fault::bad_request("no title"), "no title"),
            (Fault::internal("a panic: index out of bounds"), "a panic: index out of bounds"),
            (Refusal::new("taken").about("barcode", "7").into(), "taken (barcode: 7)"),
        ];
        for (fault, expected) in cases {
            assert_eq!(reason(&fault), expected);
            assert!(!is_passing(&fault));
        }
        assert!(is_passing(&Fault::unavailable("busy", "lost")));
    }
}
