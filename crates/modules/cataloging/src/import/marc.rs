//! Stored MARC records, as the plan of a job reads them.

use std::sync::Arc;

use octavo_import::{Comparison, Entity, Existing, Part, Shape, Stored};
use octavo_marc::{Kind, from_json};
use octavo_modules_inventory::has_next_generation;
use octavo_modules_inventory::source_records::keep::record_type;
use octavo_modules_inventory::source_records::terms;
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

/// The MARC records of instances, holdings or authorities, of several for the same id the current one last.
pub(super) fn of_described(kind: Kind, ids: Vec<Uuid>) -> Statement {
    let (column, of) = (describes(kind), record_type(kind));
    let sql = format!(
        "select {COLUMNS}\nfrom records_lb t\nwhere t.{column:?} = any($1)\nand {next}\nand t.doc ->> 'recordType' = '{of}'\norder by t.state desc, t.generation",
        next = has_next_generation!("t"),
    );
    Statement::new(sql).uuids(ids)
}

/// What is true of the MARC records `t` that may match the value `x.value`, which has the numbers `x.terms` in their index; `comparison` is
/// that of a stored value `m.text`. Where only the numbers are compared, any other record may have them as well: then there is a second
/// condition, which looks at the fields.
pub(super) fn conditions(shape: &Shape, comparison: &str) -> Option<(String, Option<String>)> {
    let kind = kind(shape.entity)?;
    let Existing::Field { tag, indicators, code } = &shape.existing else { return None };
    let current = format!("t.state = 'ACTUAL' and t.doc ->> 'recordType' = '{}'", record_type(kind));
    let exactly = shape.comparison == Comparison::Exactly && shape.part.is_none();
    let own = match (tag.as_str(), indicators, code) {
        ("999", [Some('f'), Some('f')], Some('s')) if exactly => Some("matchedId"),
        ("999", [Some('f'), Some('f')], Some('i')) if exactly => Some(describes(kind)),
        _ => None,
    };
    if let Some(column) = own {
        return Some((format!("{current}\n  and t.{column:?} = {UUID}"), None));
    }
    let tag: String = tag.chars().filter(char::is_ascii_alphanumeric).collect();
    let code = code
        .filter(char::is_ascii_alphanumeric)
        .map_or_else(String::new, |code| format!(" and m.code = '{code}'"));
    let looked_at = format!(
        "{current}\n  and t.\"marcTerms\" @> x.terms\n  and exists (\n    select from marc_rows((t.doc #> '{{parsedRecord,content,fields}}')::jsonb) \
         r (tag, ind1, ind2, code, value)\n    cross join lateral (select r.tag, r.code, r.value) m (tag, code, text)\n    \
         where m.tag = '{tag}'{code} and {comparison})"
    );
    if shape.comparison == Comparison::Exactly && is_indexed(shape) {
        let by_numbers = format!("{current}\n  and t.\"marcTerms\" @> x.terms and cardinality(x.terms) > 0");
        return Some((by_numbers, Some(looked_at)));
    }
    Some((looked_at, None))
}

/// Whether the index tells nearly all: a value, but for blanks and punctuation, or its beginning.
fn is_indexed(shape: &Shape) -> bool {
    matches!(
        (shape.comparison, shape.part),
        (Comparison::Exactly, None | Some(Part::Alphanumerics))
            | (Comparison::ExistingBeginsWithIncoming, None)
    )
}

/// The numbers that records have in the index if a field of theirs may match the value.
pub(super) fn terms(shape: &Shape, value: &str) -> Vec<i32> {
    let Existing::Field { tag, .. } = &shape.existing else { return Vec::new() };
    let mut found = match shape.comparison {
        Comparison::Exactly if is_indexed(shape) => terms::all_of_value(tag, value),
        Comparison::ExistingBeginsWithIncoming if is_indexed(shape) => terms::all_of_beginning(tag, value),
        _ => Vec::new(),
    };
    if found.is_empty() {
        found.push(terms::of_tag(tag));
    }
    found
}

/// The value, or nothing if it is no UUID.
pub(super) const UUID: &str =
    "case when x.value ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then x.value::uuid end";
