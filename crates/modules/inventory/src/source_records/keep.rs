//! Stores MARC records as new generations, many at once: for imports, the MARC editor, and the updates after the change of an authority's
//! heading.

use octavo_engine::statements;
use octavo_marc::{Kind, Record};
use octavo_pg::Statement;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::SOURCE_RECORD;
use super::content::leader_status;

/// A source record that is to be stored in the state ACTUAL.
#[derive(Debug)]
pub struct NewRecord<'a> {
    pub id: Uuid,
    pub snapshot: Uuid,
    pub kind: Kind,
    /// The id that all generations of a record share: the first generation's own id.
    pub matched_id: Uuid,
    pub generation: i64,
    /// The record as it came.
    pub raw: &'a str,
    pub parsed: &'a Record,
    /// The id and hrid of the instance, holdings record or authority that the record describes. An authority's hrid is its number in field
    /// 001.
    pub described_id: Option<Uuid>,
    pub hrid: Option<&'a str>,
    pub suppressed: bool,
    /// The record's position in the imported file.
    pub order: Option<i32>,
    /// `createdDate` and the other members of a record's metadata.
    pub metadata: Value,
}

/// The name of a kind of record in the member `recordType`.
pub fn record_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Bibliographic => "MARC_BIB",
        Kind::Holdings => "MARC_HOLDING",
        Kind::Authority => "MARC_AUTHORITY",
    }
}

/// The SQL condition on records `r` that a client can edit further: current records, and records of instances and holdings that are marked
/// as deleted. A deleted authority cannot be edited.
#[macro_export]
macro_rules! has_next_generation {
    ($r:literal) => {
        concat!(
            "(",
            $r,
            ".state = 'ACTUAL' or ",
            $r,
            ".state = 'DELETED' and ",
            $r,
            ".\"externalIdsHolder.authorityId\" is null)"
        )
    };
}

/// The statements that store the records and mark their former generations as old. If two new records continue the same former generation,
/// only one of them succeeds.
pub fn insert_generation_statements(records: &[NewRecord<'_>]) -> Vec<Statement> {
    let documents: Vec<(Uuid, Value)> = records.iter().map(|record| (record.id, record.document())).collect();
    let former = records.iter().filter(|record| record.generation > 0).map(|record| record.matched_id);
    let former: Vec<Uuid> = former.collect();
    let old = (!former.is_empty()).then(|| Statement::new(MAKE_MATCHED_OLD).uuids(former));
    let new = (!documents.is_empty()).then(|| statements::insert_all(&SOURCE_RECORD, &documents));
    old.into_iter().chain(new).collect()
}

/// The statements that delete generations, the newest of their records, and make the former generations of these matched ids current again.
pub fn delete_generation_statements(generations: Vec<Uuid>, matched: Vec<Uuid>) -> Vec<Statement> {
    vec![Statement::new(REMOVE).uuids(generations), Statement::new(MAKE_CURRENT).uuids(matched)]
}

pub(super) fn make_old_statement(former: Vec<Uuid>) -> Statement {
    Statement::new(MAKE_OLD).uuids(former)
}

impl NewRecord<'_> {
    fn document(&self) -> Value {
        let content = self.parsed.to_json();
        let status = leader_status(&content);
        let (id_member, hrid_member) = match self.kind {
            Kind::Bibliographic => ("instanceId", "instanceHrid"),
            Kind::Holdings => ("holdingsId", "holdingsHrid"),
            Kind::Authority => ("authorityId", "authorityHrid"),
        };
        let mut document = json!({
            "id": self.id,
            "snapshotId": self.snapshot,
            "matchedId": self.matched_id,
            "generation": self.generation,
            "recordType": record_type(self.kind),
            "rawRecord": {"id": self.id, "content": self.raw},
            "parsedRecord": {"id": self.id, "content": content},
            "deleted": status.is_some_and(|status| "dsx".contains(status)),
            "additionalInfo": {"suppressDiscovery": self.suppressed},
            "state": "ACTUAL",
            "metadata": self.metadata,
        });
        let mut holder = Map::new();
        holder.extend(self.described_id.map(|id| (id_member.to_owned(), json!(id))));
        holder.extend(self.hrid.map(|hrid| (hrid_member.to_owned(), json!(hrid))));
        if !holder.is_empty() {
            document["externalIdsHolder"] = Value::Object(holder);
        }
        if let Some(order) = self.order {
            document["order"] = json!(order);
        }
        if let Some(status) = status {
            document["leaderRecordStatus"] = json!(status);
        }
        document
    }
}

const MAKE_OLD: &str = concat!(make_old!(), "where id = any($1)");

const MAKE_MATCHED_OLD: &str =
    concat!(make_old!(), "where \"matchedId\" = any($1)\nand state in ('ACTUAL', 'DELETED')");

const REMOVE: &str = "\
delete from records_lb
where id = any($1)";

/// Makes the newest generation current, if no generation is.
const MAKE_CURRENT: &str = "\
update records_lb r
set doc = jsonb_set(r.doc::jsonb, '{state}', '\"ACTUAL\"')
where r.\"matchedId\" = any($1)
and r.state = 'OLD'
and not exists (
  select from records_lb n where n.\"matchedId\" = r.\"matchedId\" and n.generation > r.generation
)";

octavo_pg::statements!(other = [MAKE_OLD, MAKE_MATCHED_OLD, REMOVE, MAKE_CURRENT]);
