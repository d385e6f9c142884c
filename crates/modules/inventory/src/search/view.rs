//! A found instance as mod-search shows it: a few members, or with `expandAll` the whole with holdings and items.

use octavo_pg::Row;
use serde_json::{Value, json};

use crate::inventory::VIRTUAL;

/// SQL of the columns for the row `t`: instance, whether it is bound with others, items, no holdings.
pub(super) const BRIEF: &str = "\
t.doc::text, exists (
  select from holdings_record h
  join bound_with_part b on b.\"holdingsRecordId\" = h.id
  where h.\"instanceId\" = t.id), coalesce((
  select json_agg(json_build_object(
    'id', i.id,
    'effectiveCallNumberComponents', i.doc -> 'effectiveCallNumberComponents',
    'effectiveShelvingOrder', i.doc -> 'effectiveShelvingOrder'))
  from holdings_record h
  join item i on i.\"holdingsRecordId\" = h.id
  where h.\"instanceId\" = t.id), '[]')::text, null::text";

/// The same with whole items, and holdings.
pub(super) const WHOLE: &str = "\
t.doc::text, exists (
  select from holdings_record h
  join bound_with_part b on b.\"holdingsRecordId\" = h.id
  where h.\"instanceId\" = t.id), coalesce((
  select json_agg(i.doc)
  from holdings_record h
  join item i on i.\"holdingsRecordId\" = h.id
  where h.\"instanceId\" = t.id), '[]')::text, coalesce((
  select json_agg(h.doc)
  from holdings_record h
  where h.\"instanceId\" = t.id), '[]')::text";

const SHOWN: [&str; 8] =
    ["id", "hrid", "source", "title", "contributors", "publication", "staffSuppress", "discoverySuppress"];

pub(super) fn shown(row: &Row, tenant: &str, whole: bool) -> Value {
    let (instance, bound, lists): (Option<Value>, bool, [Option<Value>; 2]) = row.read();
    let mut instance = instance.unwrap_or_default();
    if let Some(members) = instance.as_object_mut() {
        members.retain(|name, _| match whole {
            true => !VIRTUAL.contains(&name.as_str()),
            false => SHOWN.contains(&name.as_str()),
        });
    }
    for flag in ["staffSuppress", "discoverySuppress"] {
        if instance[flag].is_null() {
            instance[flag] = json!(false);
        }
    }
    instance["tenantId"] = json!(tenant);
    instance["shared"] = json!(false);
    instance["isBoundWith"] = json!(bound);
    for (name, list) in ["items", "holdings"].into_iter().zip(lists) {
        instance[name] = list.unwrap_or(json!([]));
    }
    instance
}
