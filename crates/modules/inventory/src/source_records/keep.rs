//! MARC records kept as new generations, many at once: for imports, the MARC editor and what follows a changed heading.

use octavo_engine::statements;
use octavo_marc::{Kind, Record};
use octavo_pg::Statement;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::SOURCE_RECORD;
use super::content::status;

/// A source record as it is to be kept, in the state ACTUAL.
#[derive(Debug)]
pub struct NewRecord<'a> {
    pub id: Uuid,
    pub snapshot: Uuid,
    pub kind: Kind,
    /// The id that all generations share: the first one's own.
    pub matched: Uuid,
    pub generation: i64,
    /// The record as it came.
    pub raw: &'a str,
    pub parsed: &'a Record,
    /// The instance, holdings or authority that it describes, and its hrid. An authority's hrid is its number in 001.
    pub describes: Option<Uuid>,
    pub hrid: Option<&'a str>,
    pub suppressed: bool,
    /// The place in the file that it came from.
    pub order: Option<i32>,
    /// `createdDate` and what else a record's metadata has.
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

/// What is true of the records `r` of which a client gets a new generation: the current ones, and those of instances and holdings that are
/// marked as deleted. A deleted authority is gone.
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

/// Statements that keep the records and make the generations before them old. Two that were made of the same former generation do not both
/// succeed.
pub fn keep(records: &[NewRecord<'_>]) -> Vec<Statement> {
    let documents: Vec<(Uuid, Value)> = records.iter().map(|record| (record.id, record.document())).collect();
    let former = records.iter().filter(|record| record.generation > 0).map(|record| record.matched);
    let former: Vec<Uuid> = former.collect();
    let old = (!former.is_empty()).then(|| Statement::new(MAKE_MATCHED_OLD).uuids(former));
    let new = (!documents.is_empty()).then(|| statements::insert_all(&SOURCE_RECORD, &documents));
    old.into_iter().chain(new).collect()
}

/// Statements that remove a generation, the newest of these records, and make the one before current again.
pub fn forget(generation: Uuid, matched: Vec<Uuid>) -> Vec<Statement> {
    vec![Statement::new(REMOVE).uuid(generation), Statement::new(MAKE_CURRENT).uuids(matched)]
}

pub(super) fn make_old(former: Vec<Uuid>) -> Statement {
    Statement::new(MAKE_OLD).uuids(former)
}

impl NewRecord<'_> {
    fn document(&self) -> Value {
        let content = self.parsed.to_json();
        let status = status(&content);
        let (id_member, hrid_member) = match self.kind {
            Kind::Bibliographic => ("instanceId", "instanceHrid"),
            Kind::Holdings => ("holdingsId", "holdingsHrid"),
            Kind::Authority => ("authorityId", "authorityHrid"),
        };
        let mut document = json!({
            "id": self.id,
            "snapshotId": self.snapshot,
            "matchedId": self.matched,
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
        holder.extend(self.describes.map(|id| (id_member.to_owned(), json!(id))));
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
where id = $1";

/// The newest generation, where none is current.
const MAKE_CURRENT: &str = "\
update records_lb r
set doc = jsonb_set(r.doc::jsonb, '{state}', '\"ACTUAL\"')
where r.\"matchedId\" = any($1)
and r.state = 'OLD'
and not exists (
  select from records_lb n where n.\"matchedId\" = r.\"matchedId\" and n.generation > r.generation
)";

octavo_pg::statements!(other = [MAKE_OLD, MAKE_MATCHED_OLD, REMOVE, MAKE_CURRENT]);
