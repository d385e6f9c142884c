//! Compares source and target after the records were brought over: their numbers, and a sample of them member by member.

use std::collections::BTreeMap;

use anyhow::Result;
use octavo_engine::Context;
use octavo_kernel::parse_time;
use octavo_pg::{Row, Statement};
use octavo_record::table_name;
use serde_json::Value;
use uuid::Uuid;

use super::plan::Kind;
use super::source::Source;
use crate::load::fault_to_error;

/// The result of comparing one type of records.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// The number of records in the new tenant.
    pub(super) in_tenant: i64,
    /// The number of records in the source, if the source tells it.
    pub(super) in_source: Option<u64>,
    /// The number of records that were compared member by member.
    pub(super) compared_records: usize,
    /// How often a member differs, by its path.
    pub(super) differing_members: BTreeMap<String, usize>,
}

pub(super) async fn compare(
    context: &Context,
    source: &mut Source,
    kind: &Kind,
    most: usize,
) -> Result<Comparison> {
    let mut session = context.session().await.map_err(fault_to_error)?;
    let condition = kind.replaced_rows_condition();
    let (table, document) = match kind.form().and_then(|form| form.rows_sql) {
        Some(here) => (here.to_owned(), "t.jsonb".to_owned()),
        None => (table_name(kind.record), kind.record.response_document_sql("t")),
    };
    let count = Statement::new(format!("select count(*) from {table} t where {condition}"));
    let here: i64 = session.read::<Option<i64>>(count).await?.unwrap_or(0);
    let there = source.count_records(kind).await?;
    let mut compared = Comparison { in_tenant: here, in_source: there, ..Comparison::default() };
    if most == 0 || here == 0 {
        return Ok(compared);
    }
    // Ids are spread evenly: those after a random one are a sample that an index finds.
    let sql = format!(
        "(select t.id, ({document})::text from {table} t where {condition} and t.id >= $1 order by t.id limit {most}) \
         union all (select t.id, ({document})::text from {table} t where {condition} and t.id < $1 order by t.id limit {most}) \
         limit {most}"
    );
    let rows = session.rows(Statement::new(sql).uuid(context.fresh_id())).await?;
    drop(session);
    let ours: Vec<(Uuid, Value)> = rows.iter().map(Row::read).collect();
    let ids: Vec<Uuid> = ours.iter().map(|(id, _)| *id).collect();
    let Some(theirs) = source.records_by_ids(kind, &ids).await? else { return Ok(compared) };
    for (id, mut ours) in ours {
        let Some(theirs) = theirs.get(&id) else {
            *compared.differing_members.entry("(not in the source)".to_owned()).or_default() += 1;
            continue;
        };
        compared.compared_records += 1;
        if let (Some(_), Some(members)) = (kind.record.response_expression, ours.as_object_mut()) {
            // Members that are computed when a record is shown need not be stored in the source.
            members.retain(|name, _| theirs.get(name).is_some());
        }
        let mut paths = Vec::new();
        differences(theirs, &ours, &mut String::new(), &mut paths);
        paths.sort_unstable();
        paths.dedup();
        for path in paths {
            *compared.differing_members.entry(path).or_default() += 1;
        }
    }
    Ok(compared)
}

/// The paths of members that differ. Absence, null, empty lists and `false` are the same, because FOLIO fills them in when it reads; so are two
/// ways to write a moment or a number.
fn differences(one: &Value, other: &Value, path: &mut String, found: &mut Vec<String>) {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let names = one.keys().chain(other.keys().filter(|name| !one.contains_key(*name)));
            for name in names {
                let length = path.len();
                if length > 0 {
                    path.push('.');
                }
                path.push_str(name);
                let empty = Value::Null;
                differences(one.get(name).unwrap_or(&empty), other.get(name).unwrap_or(&empty), path, found);
                path.truncate(length);
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let length = path.len();
            path.push_str("[]");
            for (one, other) in one.iter().zip(other) {
                differences(one, other, path, found);
            }
            path.truncate(length);
        }
        _ if is_same(one, other) => {}
        _ => found.push(path.clone()),
    }
}

fn is_same(one: &Value, other: &Value) -> bool {
    let nothing = |value: &Value| {
        matches!(value, Value::Null | Value::Bool(false))
            || value.as_array().is_some_and(Vec::is_empty)
            || value.as_object().is_some_and(serde_json::Map::is_empty)
    };
    let moment = |value: &Value| value.as_str().and_then(parse_time);
    one == other
        || (nothing(one) && nothing(other))
        || one.as_f64().is_some_and(|number| Some(number) == other.as_f64())
        || moment(one).is_some_and(|at| Some(at) == moment(other))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_that_differ_are_told_by_their_paths() {
        for (one, other, expected) in [
            (json!({"a": 1}), json!({"a": 1.0, "b": [], "c": null, "d": false}), &[][..]),
            (json!({"at": "2024-01-02T03:04:05Z"}), json!({"at": "2024-01-02T03:04:05.000+00:00"}), &[]),
            (json!({"a": {"b": "x"}}), json!({"a": {"b": "y"}}), &["a.b"]),
            (json!({"l": [{"n": 1}, {"n": 2}]}), json!({"l": [{"n": 1}, {"n": 3}]}), &["l[].n"]),
            (json!({"l": [1]}), json!({"l": [1, 2]}), &["l"]),
            (json!({"a": "x"}), json!({}), &["a"]),
        ] {
            let mut found = Vec::new();
            differences(&one, &other, &mut String::new(), &mut found);
            assert_eq!(found, expected, "{one} {other}");
        }
    }
}
