//! The SQL for lookups: one statement for all records of a chunk that reach the same match profile.
//!
//! The statement finds candidates, by an index where there is one; [`Lookup::matches_document`] and [`Lookup::matches_marc`] select those
//! that match.

use octavo_import::{Comparison, Entity, Existing, Lookup, Part, Shape, Values, Within};
use octavo_modules_inventory::inventory_storage::{HOLDINGS, INSTANCE, ITEM};
use octavo_pg::Statement;
use octavo_record::{Field, Folding, Kind, RecordType, table_name};
use serde_json::{Value, json};

use super::marc::{self, UUID_SQL};
use crate::authorities::AUTHORITY;

/// How many candidates more than needed are read for each value, since some of them may not match.
const EXTRA_CANDIDATES: usize = 20;

/// The type of an inventory record.
pub(crate) fn record_type(entity: Entity) -> Option<&'static RecordType> {
    match entity {
        Entity::Instance => Some(&INSTANCE),
        Entity::Holdings => Some(&HOLDINGS),
        Entity::Item => Some(&ITEM),
        Entity::Authority => Some(&AUTHORITY),
        _ => None,
    }
}

/// The column that has the ids of [`Within`].
fn column_within(within: &Within, entity: Entity) -> Option<&'static str> {
    match within {
        Within::Any => None,
        Within::Ids(_) => Some(match entity {
            Entity::MarcBibliographic => "externalIdsHolder.instanceId",
            Entity::MarcHoldings => "externalIdsHolder.holdingsId",
            Entity::MarcAuthority => "externalIdsHolder.authorityId",
            _ => "id",
        }),
        Within::Instances(_) => Some("instanceId"),
        Within::Holdings(_) => Some("holdingsRecordId"),
    }
}

/// Whether one statement can answer both lookups.
pub(super) fn are_alike(one: &Lookup, other: &Lookup) -> bool {
    let column = |lookup: &Lookup| column_within(&lookup.within, lookup.shape.entity);
    let dates = |lookup: &Lookup| matches!(lookup.values, Values::Dates { .. });
    one.shape == other.shape
        && column(one) == column(other)
        && dates(one) == dates(other)
        && one.limit == other.limit
}

/// A statement whose rows have the position of a lookup in the list, and a record. The lookups have to be alike.
pub(super) fn lookup_statement(lookups: &[&Lookup]) -> Option<Statement> {
    let first = lookups.first()?;
    let shape = &*first.shape;
    let (table, columns, condition, looked_at) = match record_type(shape.entity) {
        Some(record) => (
            table_name(record),
            "t.doc::text as doc",
            inventory_condition_sql(record, shape, &first.values),
            None,
        ),
        None => {
            let (condition, looked_at) = marc::conditions_sql(shape, &comparison_sql(shape))?;
            ("records_lb".to_owned(), marc::COLUMNS_SQL, condition, looked_at)
        }
    };
    let within = |condition: String| match column_within(&first.within, shape.entity) {
        Some(column) => format!("{condition}\n  and t.{column:?} = any(l.ids)"),
        None => condition,
    };
    let (condition, looked_at) = (within(condition), looked_at.map(within));
    let questions: Vec<Value> =
        lookups.iter().enumerate().map(|(at, lookup)| question_json(at, lookup)).collect();
    let most = first.limit + 1 + EXTRA_CANDIDATES;
    let found = |condition: &str| {
        format!("select {columns}\n  from {table} t\n  where {condition}\n  order by t.id\n  limit {most}")
    };
    let found = match looked_at {
        None => found(&condition),
        // If the index finds more records than are read, records that match may be missing: then the fields are searched.
        Some(looked_at) => format!(
            "with quick as materialized ({})\n  select * from quick where (select count(*) from quick) < {most}\n  \
             union all (select * from ({}) slow)",
            found(&condition),
            found(&format!("(select count(*) from quick) = {most} and {looked_at}")),
        ),
    };
    let sql = format!(
        "\
select l.n, f.*
from json_to_recordset($1::text::json) l (n bigint, texts json, ids uuid[])
cross join json_to_recordset(l.texts) x (value text, terms integer[])
cross join lateral (
  {found}) f"
    );
    Some(Statement::new(sql).text(Value::from(questions).to_string()))
}

fn question_json(at: usize, lookup: &Lookup) -> Value {
    let text = |text: &str| json!({"value": text, "terms": marc::index_terms(&lookup.shape, text)});
    let texts: Vec<Value> = match &lookup.values {
        Values::Texts(texts) => texts.iter().map(|one| text(one)).collect(),
        Values::Dates { from, to } => vec![text(&format!("{from}/{to}"))],
    };
    let ids = match &lookup.within {
        Within::Any => json!([]),
        Within::Ids(ids) | Within::Instances(ids) | Within::Holdings(ids) => json!(ids),
    };
    json!({"n": at, "texts": texts, "ids": ids})
}

/// Members of instances whose words are in the column `keyword`.
const KEYWORDS: [&str; 6] = [
    "title",
    "alternativeTitles[].alternativeTitle",
    "series[].value",
    "contributors[].name",
    "subjects[].value",
    "identifiers[].value",
];

/// The SQL condition for records `t` that may match the value `x.value`.
fn inventory_condition_sql(record: &RecordType, shape: &Shape, values: &Values) -> String {
    let Existing::Member { path, .. } = &shape.existing else { return "false".to_owned() };
    if let Values::Dates { .. } = values {
        let (from, to) = ("split_part(x.value, '/', 1)", "split_part(x.value, '/', 2)");
        return any_member_sql(path, &format!("left(m.text, 10) between {from} and {to}"));
    }
    let is_one_of =
        |comparisons: &[Comparison]| shape.part.is_none() && comparisons.contains(&shape.comparison);
    let exactly = is_one_of(&[Comparison::Exactly]);
    if exactly && path == "id" {
        return format!("t.id = {UUID_SQL}");
    }
    if exactly
        && let Some(field) = record.fields.iter().find(|field| field.path == *path && is_plain_column(field))
    {
        return match (field.kind, field.folding) {
            (Kind::Uuid, _) => format!("t.{path:?} = {UUID_SQL}"),
            (_, Folding::Loose) => format!("t.{path:?} = octavo.fold(x.value)"),
            _ => format!("t.{path:?} = lower(x.value)"),
        };
    }
    let compared = any_member_sql(path, &comparison_sql(shape));
    let words = is_one_of(&[Comparison::Exactly, Comparison::Words]);
    if words && record.table == INSTANCE.table && KEYWORDS.contains(&path.as_str()) {
        return format!("octavo.words(t.keyword) @@ octavo.phrase(x.value) and {compared}");
    }
    compared
}

/// Whether the column has the member's text in lower case and is not computed otherwise.
fn is_plain_column(field: &Field) -> bool {
    let text = field.kind == Kind::Text && matches!(field.folding, Folding::Loose | Folding::Lower);
    (text || field.kind == Kind::Uuid)
        && field.expression.is_none()
        && field.array.is_none()
        && field.lookup.is_none()
        && field.max_characters.is_none()
}

/// The SQL condition that some value `m.text` of a member satisfies `condition`.
fn any_member_sql(path: &str, condition: &str) -> String {
    // Only letters and digits of the names are used, so that a path cannot inject SQL.
    let named = path.split('.').map(|name| {
        let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        format!(".{name}[*]")
    });
    let path: String = named.collect();
    format!(
        "exists (\n    select from jsonb_path_query(t.doc::jsonb, 'lax ${path}') q (value)\n    \
         cross join lateral (select q.value #>> '{{}}') m (text)\n    where {condition})"
    )
}

/// The SQL condition that compares a stored value `m.text` with the value `x.value`.
fn comparison_sql(shape: &Shape) -> String {
    let reduced = |text: &str| match shape.part {
        None => format!("lower(btrim({text}))"),
        Some(Part::Numerics) => format!("regexp_replace({text}, '[^0-9]', '', 'g')"),
        Some(Part::Alphanumerics) => format!("regexp_replace(lower({text}), '[^[:alnum:]]', '', 'g')"),
    };
    let (stored, wanted) = (reduced("m.text"), reduced("x.value"));
    match shape.comparison {
        Comparison::Exactly => format!("{stored} = {wanted}"),
        Comparison::Words => "octavo.words(octavo.fold(m.text)) @@ octavo.phrase(x.value)".to_owned(),
        Comparison::ExistingContainsIncoming => format!("strpos({stored}, {wanted}) > 0"),
        Comparison::IncomingContainsExisting => format!("strpos({wanted}, {stored}) > 0"),
        Comparison::ExistingBeginsWithIncoming => format!("starts_with({stored}, {wanted})"),
        Comparison::IncomingBeginsWithExisting => format!("starts_with({wanted}, {stored})"),
        Comparison::ExistingEndsWithIncoming => format!("right({stored}, length({wanted})) = {wanted}"),
        Comparison::IncomingEndsWithExisting => format!("right({wanted}, length({stored})) = {stored}"),
    }
}
