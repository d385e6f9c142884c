//! Reads stored MARC records for the plan of a job.

use std::sync::Arc;

use octavo_import::{Comparison, Entity, Existing, Part, Shape, StoredMarc};
use octavo_marc::{Kind, from_json};
use octavo_modules_inventory::has_next_generation;
use octavo_modules_inventory::source_records::keep::record_type;
use octavo_modules_inventory::source_records::terms;
use octavo_pg::Statement;
use serde_json::Value;
use uuid::Uuid;

/// The columns of `records_lb` that [`MarcRow`] reads.
pub(super) const COLUMNS_SQL: &str = "\
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

pub(super) type MarcRow = (Uuid, Uuid, i64, Option<Uuid>, Option<String>, bool, Value);

/// `None` if the stored content is no MARC record.
pub(super) fn stored_from_row(row: MarcRow) -> Option<Arc<StoredMarc>> {
    let (id, matched, generation, describes, number, suppressed, content) = row;
    let record = from_json(&content).ok()?;
    let generation = i32::try_from(generation).unwrap_or(i32::MAX);
    Some(Arc::new(StoredMarc { id, matched, generation, describes, number, suppressed, record }))
}

pub(super) fn kind_of_entity(entity: Entity) -> Option<Kind> {
    match entity {
        Entity::MarcBibliographic | Entity::Instance => Some(Kind::Bibliographic),
        Entity::MarcHoldings | Entity::Holdings => Some(Kind::Holdings),
        Entity::MarcAuthority | Entity::Authority => Some(Kind::Authority),
        _ => None,
    }
}

/// The column with the id of the record that a MARC record describes.
pub(super) fn described_column(kind: Kind) -> &'static str {
    match kind {
        Kind::Bibliographic => "externalIdsHolder.instanceId",
        Kind::Holdings => "externalIdsHolder.holdingsId",
        Kind::Authority => "externalIdsHolder.authorityId",
    }
}

/// Reads the MARC records of instances, holdings or authorities. Of several for the same id the current one comes last.
pub(super) fn by_described_statement(kind: Kind, ids: Vec<Uuid>) -> Statement {
    let (column, of) = (described_column(kind), record_type(kind));
    let sql = format!(
        "select {COLUMNS_SQL}\nfrom records_lb t\nwhere t.{column:?} = any($1)\nand {next}\nand t.doc ->> 'recordType' = '{of}'\norder by t.state desc, t.generation",
        next = has_next_generation!("t"),
    );
    Statement::new(sql).uuids(ids)
}

/// The SQL condition for MARC records `t` that may match the value `x.value`, whose index terms are `x.terms`; `comparison` compares a
/// stored value `m.text`. If the condition checks the index terms alone, other records may have the same terms: then there is a second
/// condition, which checks the fields.
pub(super) fn conditions_sql(shape: &Shape, comparison: &str) -> Option<(String, Option<String>)> {
    let kind = kind_of_entity(shape.entity)?;
    let Existing::Field { tag, indicators, code } = &shape.existing else { return None };
    let current = format!("t.state = 'ACTUAL' and t.doc ->> 'recordType' = '{}'", record_type(kind));
    let exactly = shape.comparison == Comparison::Exactly && shape.part.is_none();
    let own = match (tag.as_str(), indicators, code) {
        ("999", [Some('f'), Some('f')], Some('s')) if exactly => Some("matchedId"),
        ("999", [Some('f'), Some('f')], Some('i')) if exactly => Some(described_column(kind)),
        _ => None,
    };
    if let Some(column) = own {
        return Some((format!("{current}\n  and t.{column:?} = {UUID_SQL}"), None));
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

/// Whether the index terms are nearly exact: for a value without blanks and punctuation, or for its beginning.
fn is_indexed(shape: &Shape) -> bool {
    matches!(
        (shape.comparison, shape.part),
        (Comparison::Exactly, None | Some(Part::Alphanumerics))
            | (Comparison::ExistingBeginsWithIncoming, None)
    )
}

/// The index terms of records that may have a field with this value.
pub(super) fn index_terms(shape: &Shape, value: &str) -> Vec<i32> {
    let Existing::Field { tag, .. } = &shape.existing else { return Vec::new() };
    let mut found = match shape.comparison {
        Comparison::Exactly if is_indexed(shape) => terms::value_terms(tag, value),
        Comparison::ExistingBeginsWithIncoming if is_indexed(shape) => terms::prefix_terms(tag, value),
        _ => Vec::new(),
    };
    if found.is_empty() {
        found.push(terms::tag_term(tag));
    }
    found
}

/// The value as a UUID in SQL, or null if it is none.
pub(super) const UUID_SQL: &str =
    "case when x.value ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then x.value::uuid end";
