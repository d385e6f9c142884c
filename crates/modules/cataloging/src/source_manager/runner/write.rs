//! Writes records with their journal lines and the job's new position, all in one transaction.

use std::collections::HashMap;
use std::ops::Range;

use octavo_engine::{Context, outbox};
use octavo_kernel::{Body, Fault, Outcome};
use octavo_pg::{Session, Statement, is_conflict};
use serde_json::Value;
use uuid::Uuid;

use super::Decide;
use super::record::{CheckedRecord, insert_errors_statement, insert_incoming_statement};
use crate::import::{ChunkResult, Incoming, Job};
use crate::parts::Parts;
use crate::source_manager::journal::{self, COUNTED, Entry, Line, summarize};
use crate::source_manager::{status, summary, trial};

/// How often a transaction is tried that conflicts with others.
const MAX_TRIES: usize = 4;

/// How the writing of a batch has ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum WriteResult {
    All,
    /// The job was stopped.
    Stopped,
}

/// The records of a batch.
pub(super) struct Batch {
    pub records: Vec<CheckedRecord>,
    pub from: i64,
    /// The chunk that the records are from.
    pub chunk: Option<Uuid>,
    /// Whether these are the last records of the chunk.
    pub is_last: bool,
}

/// How one transaction has ended.
enum TransactionResult {
    Done,
    Stopped,
    /// The database, or the function that decides on the records, has refused them.
    Refused(String),
}

pub(super) struct Writer<'a> {
    pub context: &'a Context,
    pub job: &'a Job,
    pub decide: Decide,
    /// Whether a batch waits for a later turn if other transactions keep changing the same rows; otherwise its records fail.
    pub is_patient: bool,
}

impl Writer<'_> {
    /// Writes all records of a batch. A record that is refused is stored with the reason.
    pub(super) async fn write(&self, session: &mut Session, batch: &Batch) -> Outcome<WriteResult> {
        let mut parts = Parts::from_count(batch.records.len());
        while let Some(part) = parts.next() {
            match self.write_part(session, batch, part.clone(), None).await? {
                TransactionResult::Done => {}
                TransactionResult::Stopped => return Ok(WriteResult::Stopped),
                TransactionResult::Refused(_) if parts.split_refused(part.clone()) => {}
                TransactionResult::Refused(why) => {
                    match self.write_part(session, batch, part, Some(&why)).await? {
                        TransactionResult::Done => {}
                        TransactionResult::Stopped => return Ok(WriteResult::Stopped),
                        TransactionResult::Refused(why) => return Err(Fault::internal(why)),
                    }
                }
            }
        }
        Ok(WriteResult::All)
    }

    async fn write_part(
        &self,
        session: &mut Session,
        batch: &Batch,
        part: Range<usize>,
        at_fault: Option<&str>,
    ) -> Outcome<TransactionResult> {
        let mut tries = 0;
        loop {
            tries += 1;
            let fault = match self.write_once(session, batch, part.clone(), at_fault).await {
                Ok(true) => return Ok(TransactionResult::Done),
                Ok(false) => {
                    session.rollback().await?;
                    return Ok(TransactionResult::Stopped);
                }
                Err(fault) => fault,
            };
            session.rollback().await?;
            if is_conflict(&fault) && tries < MAX_TRIES {
                continue;
            }
            if is_temporary(&fault) && (self.is_patient || !is_conflict(&fault)) {
                return Err(fault);
            }
            return Ok(TransactionResult::Refused(refusal_reason(&fault)));
        }
    }

    /// Runs one transaction. Returns false if the job was stopped.
    async fn write_once(
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
        let taken = &batch.records[part.clone()];
        let wanted: Vec<Incoming> = taken
            .iter()
            .filter(|one| at_fault.is_none() && one.refusal.is_none())
            .filter_map(copy_incoming)
            .collect();
        let written = match wanted.is_empty() {
            true => ChunkResult::default(),
            false => outbox::catch_panics((self.decide)(self.context, session, self.job, &wanted)).await?,
        };
        let mut statements = written.statements;
        if self.job.is_trial {
            // A trial keeps only the journal and the list of changes.
            session.rollback().await?;
            session.begin(vec![Statement::new(STATUS).uuid(id)]).await?;
            statements.clear();
        }
        statements.extend(trial::insert_changes_statement(id, &written.changes));
        let mut done: HashMap<Uuid, Vec<Line>> = HashMap::new();
        for entry in written.journal {
            done.entry(entry.source).or_default().push(Line::from(entry));
        }
        let mut kept = KeptRows::default();
        for one in taken {
            let why = at_fault.or(one.refusal.as_deref());
            let lines =
                one.journal_lines(&self.job.profile, why, done.remove(&one.incoming.id).unwrap_or_default());
            kept.add(one, lines, why);
        }
        if !self.job.is_trial {
            statements.extend(insert_errors_statement(self.context, id, &kept.failures));
        }
        statements.push(insert_incoming_statement(id, kept.rows));
        let lines = kept.lines.iter().flat_map(|(one, lines)| {
            lines.iter().map(|line| Entry { source: one.incoming.id, place: one.place(), line })
        });
        let lines: Vec<Entry<'_>> = lines.collect();
        statements.push(journal::insert_statement(id, &lines, || self.context.fresh_id()));
        statements.extend(summary::add_counts_statement(id, &kept.counts));
        let from = part.start.checked_sub(1).map_or(batch.from, |before| batch.records[before].position);
        let to = taken.last().map_or(0, |last| last.position);
        let advance = Statement::new(ADVANCE).uuid(id).long(from).long(to);
        statements.push(advance.long(taken.len() as i64).long(kept.failed));
        if let Some(chunk) = batch.chunk {
            let is_done = batch.is_last && part.end == batch.records.len();
            statements.push(Statement::new(IN_CHUNK).uuid(chunk).text(is_done.to_string()));
        }
        session.commit(statements).await?;
        Ok(true)
    }
}

/// The rows that are stored of the records of a transaction.
#[derive(Default)]
struct KeptRows<'a> {
    rows: Vec<Value>,
    lines: Vec<(&'a CheckedRecord, Vec<Line>)>,
    counts: [[i64; 4]; COUNTED.len()],
    failures: Vec<(&'a CheckedRecord, &'a str)>,
    failed: i64,
}

impl<'a> KeptRows<'a> {
    fn add(&mut self, one: &'a CheckedRecord, lines: Vec<Line>, why: Option<&'a str>) {
        let short = summarize(&lines);
        self.rows.push(one.row_json(&short));
        for (sums, counts) in self.counts.iter_mut().zip(&short.counts) {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        self.failed += i64::from(short.failed);
        self.failures.extend(why.map(|why| (one, why)));
        self.lines.push((one, lines));
    }
}

fn copy_incoming(one: &CheckedRecord) -> Option<Incoming> {
    let Incoming { id, order, raw, parsed, accepts_instance_id } = &one.incoming;
    let record = parsed.as_ref().ok()?.clone();
    Some(Incoming {
        id: *id,
        order: *order,
        raw: raw.clone(),
        parsed: Ok(record),
        accepts_instance_id: *accepts_instance_id,
    })
}

/// Whether the cause is not a record: the database is down, busy or full, or other transactions have changed the same rows.
pub(super) fn is_temporary(fault: &Fault) -> bool {
    matches!(fault.status, 503 | 507)
}

/// The reason why a record was refused, as text for staff.
fn refusal_reason(fault: &Fault) -> String {
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

/// Marks the chunk as finished; fails if it already is. The job's position alone does not show that, since it is the same before and after
/// a chunk. This statement comes after [`ADVANCE`], whose lock it needs.
const IN_CHUNK: &str = "\
with chunk as (
  update import_chunk
  set body = case when $2::text::boolean then null else body end
  where id = $1 and body is not null
  returning id
)
select octavo.expect(exists (select from chunk), 'The import job')";

/// Advances the job's position; fails if another process has advanced it since the records were read, or if the job was stopped. The job's
/// row is locked first, as in the calls of clients.
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
            assert_eq!(refusal_reason(&fault), expected);
            assert!(!is_temporary(&fault));
        }
        assert!(is_temporary(&Fault::unavailable("busy", "lost")));
    }
}
