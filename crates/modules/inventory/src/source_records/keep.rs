//! MARC records kept as new generations, many at once: for imports, the MARC editor and what follows a changed heading.

use octavo_engine::statements;
use octavo_marc::{Kind, Record};
use octavo_pg::Statement;
use serde_json::{Value, json};
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
    pub describes: Uuid,
    pub hrid: &'a str,
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

/// Statements that keep the records and make the generations before them, `former`, old. Whoever runs them has locked those.
pub fn keep(records: &[NewRecord<'_>], former: Vec<Uuid>) -> Vec<Statement> {
    let documents: Vec<(Uuid, Value)> = records.iter().map(|record| (record.id, record.document())).collect();
    let old = (!former.is_empty()).then(|| make_old(former));
    let new = (!documents.is_empty()).then(|| statements::insert_all(&SOURCE_RECORD, &documents));
    old.into_iter().chain(new).collect()
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
            "externalIdsHolder": {id_member: self.describes, hrid_member: self.hrid},
            "additionalInfo": {"suppressDiscovery": self.suppressed},
            "state": "ACTUAL",
            "metadata": self.metadata,
        });
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

octavo_pg::statements!(other = [MAKE_OLD]);
