//! The record type of source records, and what they are found by.

use octavo_record::{Field, Index, RecordType, Reference, Unique};
use serde_json::Value;

use super::expression::LEADER;
use super::terms;

pub static SOURCE_RECORD: RecordType = RecordType {
    name: "source record",
    table: "records_lb",
    path: "/source-storage/records",
    collection: "records",
    schema: include_str!("../../../folio/records/mod-source-record-storage/record.tsv"),
    fields: &[
        Field::uuid("snapshotId").indexed(&[Index::Order]),
        Field::uuid("matchedId"),
        Field::number("generation"),
        Field::exact("state"),
        Field::uuid("externalIdsHolder.instanceId").indexed(&[Index::Order]),
        Field::uuid("externalIdsHolder.holdingsId").indexed(&[Index::Order]),
        Field::uuid("externalIdsHolder.authorityId").indexed(&[Index::Order]),
        Field::exact("recordType"),
        Field::exact("leaderRecordStatus"),
        Field::exact("additionalInfo.suppressDiscovery"),
        Field::number("order"),
        Field::time("metadata.updatedDate"),
        Field::exact("externalHrid").computed(HRID).computed_by(hrid).indexed(&[Index::Order]),
        Field::exact("marcLeader").computed(LEADER).computed_by(leader),
        Field::numbers("marcTerms").computed(TERMS).computed_by(numbers),
    ],
    unique: &[Unique::new(&["matchedId", "generation"])],
    references: &[Reference::new("snapshotId", "snapshots_lb")],
    ..RecordType::BASE
};

const HRID: &str = "\
case doc ->> 'recordType'
    when 'MARC_BIB' then doc #>> '{externalIdsHolder,instanceHrid}'
    when 'MARC_HOLDING' then doc #>> '{externalIdsHolder,holdingsHrid}'
    when 'MARC_AUTHORITY' then doc #>> '{externalIdsHolder,authorityHrid}' end";

fn hrid(record: &Value) -> Option<String> {
    let member = match record["recordType"].as_str()? {
        "MARC_BIB" => "instanceHrid",
        "MARC_HOLDING" => "holdingsHrid",
        "MARC_AUTHORITY" => "authorityHrid",
        _ => return None,
    };
    record["externalIdsHolder"][member].as_str().map(str::to_owned)
}

fn leader(record: &Value) -> Option<String> {
    let leader = record["parsedRecord"]["content"]["leader"].as_str()?;
    Some(leader.to_lowercase().replace(' ', "#"))
}

/// Only current records, and the last generations of deleted records, are found by their terms.
const TERMS: &str = "\
case when doc ->> 'state' in ('ACTUAL', 'DELETED')
    then marc_terms(doc #> '{parsedRecord,content,fields}') else '{}' end";

fn numbers(record: &Value) -> Option<String> {
    let current = record["state"] == "ACTUAL" || record["state"] == "DELETED";
    let terms = if current {
        terms::terms_of_content(&record["parsedRecord"]["content"])
    } else {
        Default::default()
    };
    let terms: Vec<String> = terms.iter().map(i32::to_string).collect();
    Some(format!("{{{}}}", terms.join(",")))
}
