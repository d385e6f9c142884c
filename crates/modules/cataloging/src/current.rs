//! The current MARC records of instances, holdings and authorities, and the generations that replace them.

use jiff::Timestamp;
use octavo_engine::{Context, metadata};
use octavo_marc::{Field, Kind, Record, from_json};
use octavo_modules_inventory::has_next_generation;
use octavo_modules_inventory::source_records::keep::{NewRecord, insert_generation_statements, record_type};
use octavo_pg::{Row, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

/// The newest MARC record of an instance, holdings or authority.
#[derive(Debug)]
pub(crate) struct CurrentRecord {
    pub id: Uuid,
    pub matched: Uuid,
    pub generation: i64,
    /// The id of the instance, holdings or authority that the MARC record describes.
    pub described: Uuid,
    pub hrid: Option<String>,
    pub kind: Kind,
    pub record: Record,
    /// The raw record, in the form in which it was imported.
    pub raw: String,
    pub suppressed: bool,
    /// Whether the MARC record is marked as deleted.
    pub deleted: bool,
    /// The record's position in the file that it was imported from.
    pub order: Option<i32>,
    pub metadata: Value,
}

/// Reads the current MARC records of these instances, holdings or authorities.
pub(crate) fn read_statement(described: Vec<Uuid>) -> Statement {
    Statement::new(READ).uuids(described)
}

/// Reads and locks them, always in the same order, so that transactions do not deadlock.
pub(crate) fn lock_statement(described: Vec<Uuid>) -> Statement {
    Statement::new(LOCK).uuids(described)
}

/// The records of the rows that [`read_statement`] or [`lock_statement`] returned. Of several for the same id the current one comes first;
/// those that cannot be parsed are left out.
pub(crate) fn from_rows(rows: &[Row]) -> Vec<CurrentRecord> {
    rows.iter().filter_map(from_row).collect()
}

fn from_row(row: &Row) -> Option<CurrentRecord> {
    let (id, described, matched, document): (Uuid, Uuid, Option<Uuid>, Option<Value>) = row.read();
    let document = document?;
    let kind = [Kind::Bibliographic, Kind::Holdings, Kind::Authority]
        .into_iter()
        .find(|kind| document["recordType"] == record_type(*kind))?;
    let hrid = match kind {
        Kind::Bibliographic => "instanceHrid",
        Kind::Holdings => "holdingsHrid",
        Kind::Authority => "authorityHrid",
    };
    Some(CurrentRecord {
        id,
        hrid: document["externalIdsHolder"][hrid].as_str().map(str::to_owned),
        matched: matched.unwrap_or(id),
        generation: document["generation"].as_i64().unwrap_or(0),
        described,
        kind,
        record: from_json(&document["parsedRecord"]["content"]).ok()?,
        raw: document["rawRecord"]["content"].as_str().unwrap_or_default().to_owned(),
        suppressed: document["additionalInfo"]["suppressDiscovery"] == true,
        deleted: document["state"] == "DELETED",
        order: document["order"].as_i64().and_then(|order| i32::try_from(order).ok()),
        metadata: document["metadata"].clone(),
    })
}

/// The next generation of a MARC record.
#[derive(Debug)]
pub(crate) struct NextGeneration<'a> {
    pub id: Uuid,
    pub before: &'a CurrentRecord,
    pub record: &'a Record,
    pub hrid: &'a str,
    pub suppressed: bool,
}

/// Statements that insert new generations under a snapshot, and the snapshot if it does not exist.
pub(crate) fn insert_next_statements(
    context: &Context,
    snapshot: Uuid,
    next: &[NextGeneration<'_>],
) -> Vec<Statement> {
    let now = context.now_text();
    let records: Vec<NewRecord<'_>> = next
        .iter()
        .map(|next| NewRecord {
            id: next.id,
            snapshot,
            kind: next.before.kind,
            matched_id: next.before.matched,
            generation: next.before.generation + 1,
            raw: &next.before.raw,
            parsed: next.record,
            described_id: Some(next.before.described),
            hrid: Some(next.hrid),
            suppressed: next.suppressed,
            order: next.before.order,
            metadata: metadata(context, Some(&json!({"metadata": next.before.metadata})), &now),
        })
        .collect();
    let mut statements = vec![snapshot_statement(context, snapshot)];
    statements.extend(insert_generation_statements(&records));
    statements
}

/// Inserts the snapshot for a change that is not an import. Its status is `COMMITTED` at once.
pub(crate) fn snapshot_statement(context: &Context, id: Uuid) -> Statement {
    let now = context.now_text();
    let snapshot = json!({
        "jobExecutionId": id, "status": "COMMITTED", "processingStartedDate": now,
        "metadata": metadata(context, None, &now),
    });
    Statement::new(SNAPSHOT).uuid(id).text(snapshot.to_string())
}

/// Writes the time of the change into 005.
pub(crate) fn set_change_time(record: &mut Record, now: Timestamp) {
    let tenth = now.subsec_nanosecond() / 100_000_000;
    let value = format!("{}.{tenth}", now.strftime("%Y%m%d%H%M%S"));
    let stamped = record.fields.iter_mut().find_map(|field| match field {
        Field::Control { tag, value } if tag == CHANGE_TIME_TAG => Some(value),
        _ => None,
    });
    match stamped {
        Some(stamped) => *stamped = value,
        None => record.insert(Field::Control { tag: CHANGE_TIME_TAG.to_owned(), value }),
    }
}

const CHANGE_TIME_TAG: &str = "005";

macro_rules! current {
    ($lock:literal) => {
        concat!(
            "\
select r.id,
  coalesce(r.\"externalIdsHolder.authorityId\", r.\"externalIdsHolder.holdingsId\", r.\"externalIdsHolder.instanceId\"),
  r.\"matchedId\",
  r.doc::text
from records_lb r
where (r.\"externalIdsHolder.instanceId\" = any($1)
  or r.\"externalIdsHolder.holdingsId\" = any($1)
  or r.\"externalIdsHolder.authorityId\" = any($1))
and ",
            has_next_generation!("r"),
            "
order by r.state, r.id",
            $lock
        )
    };
}

const READ: &str = current!("");
const LOCK: &str = current!("\nfor update");

const SNAPSHOT: &str = "\
insert into snapshots_lb (id, doc) values ($1, $2::text::json)
on conflict (id) do nothing";

octavo_pg::statements!(hot = [READ, LOCK, SNAPSHOT]);
