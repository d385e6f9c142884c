//! Stored MARC records, as the plan of a job reads them.

use std::sync::Arc;

use octavo_import::{Entity, Existing, Shape, Stored};
use octavo_marc::{Kind, from_json};
use octavo_modules_inventory::source_records::keep::record_type;
use octavo_pg::Statement;
use serde_json::Value;
use uuid::Uuid;

/// A row of `records_lb`, as [`Row`] reads it.
pub(super) const COLUMNS: &str = "\
t.id,
    t.\"matchedId\" as matched,
    t.generation::int8,
    coalesce(
      t.\"externalIdsHolder.instanceId\", t.\"externalIdsHolder.holdingsId\", t.\"externalIdsHolder.authorityId\"
    ) as describes,
    coalesce(
      t.doc #>> '{externalIdsHolder,instanceHrid}',
      t.doc #>> '{externalIdsHolder,holdingsHrid}',
      t.doc #>> '{externalIdsHolder,authorityHrid}'
    ) as number,
    coalesce((t.doc #>> '{additionalInfo,suppressDiscovery}')::boolean, false) as suppressed,
    coalesce(t.doc #> '{parsedRecord,content}', '{}')::text as content";

pub(super) type Row = (Uuid, Uuid, i64, Option<Uuid>, Option<String>, bool, Value);

/// None if what is stored is no record.
pub(super) fn stored(row: Row) -> Option<Arc<Stored>> {
    let (id, matched, generation, describes, number, suppressed, content) = row;
    let record = from_json(&content).ok()?;
    let generation = i32::try_from(generation).unwrap_or(i32::MAX);
    Some(Arc::new(Stored { id, matched, generation, describes, number, suppressed, record }))
}

pub(super) fn kind(entity: Entity) -> Option<Kind> {
    match entity {
        Entity::MarcBibliographic | Entity::Instance => Some(Kind::Bibliographic),
        Entity::MarcHoldings | Entity::Holdings => Some(Kind::Holdings),
        Entity::MarcAuthority | Entity::Authority => Some(Kind::Authority),
        _ => None,
    }
}

/// The column with the id of what a MARC record describes.
pub(super) fn describes(kind: Kind) -> &'static str {
    match kind {
        Kind::Bibliographic => "externalIdsHolder.instanceId",
        Kind::Holdings => "externalIdsHolder.holdingsId",
        Kind::Authority => "externalIdsHolder.authorityId",
    }
}

/// The current MARC records of instances, holdings or authorities.
pub(super) fn of_described(kind: Kind, ids: Vec<Uuid>) -> Statement {
    let (column, of) = (describes(kind), record_type(kind));
    let sql = format!(
        "select {COLUMNS}\nfrom records_lb t\nwhere t.{column:?} = any($1)\nand t.state = 'ACTUAL'\nand t.doc ->> 'recordType' = '{of}'"
    );
    Statement::new(sql).uuids(ids)
}

/// What is true of the MARC records `t` that may match the value `x.value`.
pub(super) fn condition(shape: &Shape) -> Option<String> {
    let kind = kind(shape.entity)?;
    let Existing::Field { tag, .. } = &shape.existing else { return None };
    let of = record_type(kind);
    let current = format!("t.state = 'ACTUAL' and t.doc ->> 'recordType' = '{of}'");
    let tag: String = tag.chars().filter(char::is_ascii_alphanumeric).collect();
    Some(format!(
        "{current}\n  and exists (select from json_array_elements(t.doc #> '{{parsedRecord,content,fields}}') e where e -> '{tag}' is not null)"
    ))
}
