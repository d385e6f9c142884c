//! The current MARC records of instances, holdings and authorities, and what is kept in their places.

use jiff::Timestamp;
use octavo_engine::{Context, metadata};
use octavo_marc::{Field, Kind, Record, from_json};
use octavo_modules_inventory::has_next_generation;
use octavo_modules_inventory::source_records::keep::{NewRecord, keep, record_type};
use octavo_pg::{Row, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

/// The newest MARC record of what it describes.
#[derive(Debug)]
pub(crate) struct Current {
    pub id: Uuid,
    pub matched: Uuid,
    pub generation: i64,
    /// The instance, holdings or authority.
    pub described: Uuid,
    pub hrid: Option<String>,
    pub kind: Kind,
    pub record: Record,
    /// As it came.
    pub raw: String,
    pub suppressed: bool,
    /// Whether what it describes is marked as deleted.
    pub deleted: bool,
    pub metadata: Value,
}

/// Reads the current MARC records of these instances, holdings or authorities.
pub(crate) fn read(described: Vec<Uuid>) -> Statement {
    Statement::new(READ).uuids(described)
}

/// Reads and locks them, in one order.
pub(crate) fn lock(described: Vec<Uuid>) -> Statement {
    Statement::new(LOCK).uuids(described)
}

/// The records among the rows that [`read`] or [`lock`] gave, of several for the same id the current one first; those that cannot be read are
/// left out.
pub(crate) fn of_rows(rows: &[Row]) -> Vec<Current> {
    rows.iter().filter_map(of_row).collect()
}

fn of_row(row: &Row) -> Option<Current> {
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
    Some(Current {
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
        metadata: document["metadata"].clone(),
    })
}

/// The next generation of a MARC record.
#[derive(Debug)]
pub(crate) struct Next<'a> {
    pub id: Uuid,
    pub before: &'a Current,
    pub record: &'a Record,
    pub hrid: &'a str,
    pub suppressed: bool,
}

/// Statements that keep new generations under a snapshot, which they make if it is not there.
pub(crate) fn keep_next(context: &Context, snapshot: Uuid, next: &[Next<'_>]) -> Vec<Statement> {
    let now = context.now_text();
    let records: Vec<NewRecord<'_>> = next
        .iter()
        .map(|next| NewRecord {
            id: next.id,
            snapshot,
            kind: next.before.kind,
            matched: next.before.matched,
            generation: next.before.generation + 1,
            raw: &next.before.raw,
            parsed: next.record,
            describes: Some(next.before.described),
            hrid: Some(next.hrid),
            suppressed: next.suppressed,
            order: None,
            metadata: metadata(context, Some(&json!({"metadata": next.before.metadata})), &now),
        })
        .collect();
    let mut statements = vec![snapshot_of(context, snapshot)];
    statements.extend(keep(&records));
    statements
}

/// Makes the snapshot of a change that is no import: its records are there when it is.
pub(crate) fn snapshot_of(context: &Context, id: Uuid) -> Statement {
    let now = context.now_text();
    let snapshot = json!({
        "jobExecutionId": id, "status": "COMMITTED", "processingStartedDate": now,
        "metadata": metadata(context, None, &now),
    });
    Statement::new(SNAPSHOT).uuid(id).text(snapshot.to_string())
}

/// Sets the time of the last change, 005.
pub(crate) fn stamp(record: &mut Record, now: Timestamp) {
    let tenth = now.subsec_nanosecond() / 100_000_000;
    let value = format!("{}.{tenth}", now.strftime("%Y%m%d%H%M%S"));
    let stamped = record.fields.iter_mut().find_map(|field| match field {
        Field::Control { tag, value } if tag == CHANGED => Some(value),
        _ => None,
    });
    match stamped {
        Some(stamped) => *stamped = value,
        None => record.insert(Field::Control { tag: CHANGED.to_owned(), value }),
    }
}

const CHANGED: &str = "005";

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
