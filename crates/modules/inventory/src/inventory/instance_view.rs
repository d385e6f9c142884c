//! The JSON of an instance in mod-inventory: with its parent and child instances, its preceding and succeeding titles, and whether one of
//! its holdings or items is bound with other titles.

use octavo_pg::Row;
use serde_json::{Value, json};

use super::item_view::fill_lists_with_null;

/// The SQL columns for the JSON of an instance: the stored instance, its relations, and whether it is bound with other titles.
pub(super) const COLUMNS: &str = "\
t.doc::text, (
  select jsonb_build_object(
    'parentInstances', coalesce((
      select jsonb_agg(r.doc::jsonb - '{subInstanceId,metadata}'::text[])
      from instance_relationship r
      where r.\"subInstanceId\" = t.id), '[]'),
    'childInstances', coalesce((
      select jsonb_agg(r.doc::jsonb - '{superInstanceId,metadata}'::text[])
      from instance_relationship r
      where r.\"superInstanceId\" = t.id), '[]'),
    'precedingTitles', coalesce((
      select jsonb_agg((r.doc::jsonb - '{succeedingInstanceId,metadata}'::text[]) || jsonb_strip_nulls(jsonb_build_object(
        'title', o.doc -> 'title', 'hrid', o.doc -> 'hrid', 'identifiers', o.doc -> 'identifiers')))
      from preceding_succeeding_title r
      left join instance o on o.id = r.\"precedingInstanceId\"
      where r.\"succeedingInstanceId\" = t.id), '[]'),
    'succeedingTitles', coalesce((
      select jsonb_agg((r.doc::jsonb - '{precedingInstanceId,metadata}'::text[]) || jsonb_strip_nulls(jsonb_build_object(
        'title', o.doc -> 'title', 'hrid', o.doc -> 'hrid', 'identifiers', o.doc -> 'identifiers')))
      from preceding_succeeding_title r
      left join instance o on o.id = r.\"succeedingInstanceId\"
      where r.\"precedingInstanceId\" = t.id), '[]'))::text
), exists (
  select from holdings_record h
  where h.\"instanceId\" = t.id
  and (exists (select from bound_with_part b where b.\"holdingsRecordId\" = h.id)
    or exists (
      select from item i
      join bound_with_part b on b.\"itemId\" = i.id
      where i.\"holdingsRecordId\" = h.id))
)";

/// The lists that are shown as empty lists if an instance does not have them.
const LISTS: [&str; 18] = [
    "administrativeNotes",
    "alternativeTitles",
    "editions",
    "series",
    "identifiers",
    "contributors",
    "subjects",
    "classifications",
    "publication",
    "publicationFrequency",
    "publicationRange",
    "electronicAccess",
    "instanceFormatIds",
    "physicalDescriptions",
    "languages",
    "notes",
    "statisticalCodeIds",
    "natureOfContentTermIds",
];

/// Members that are shown as null if the objects of these lists do not have them.
const NULLS_IN_LISTS: [(&str, &[&str]); 8] = [
    ("alternativeTitles", &["alternativeTitleTypeId", "alternativeTitle", "authorityId"]),
    ("series", &["value", "authorityId"]),
    ("identifiers", &["identifierTypeId", "value"]),
    (
        "contributors",
        &[
            "contributorNameTypeId",
            "name",
            "contributorTypeId",
            "contributorTypeText",
            "authorityId",
            "primary",
        ],
    ),
    ("subjects", &["value", "authorityId"]),
    ("classifications", &["classificationNumber", "classificationTypeId"]),
    ("publication", &["publisher", "place", "dateOfPublication", "role"]),
    ("notes", &["instanceNoteTypeId", "note", "staffOnly"]),
];

/// The lists that only mod-inventory-storage shows.
pub(crate) const STORAGE_ONLY_LISTS: [&str; 2] = ["instanceFormats", "holdingsRecords2"];

/// Makes the JSON of an instance from a row with [`COLUMNS`].
pub(super) fn row_to_json(row: &Row) -> Value {
    let (instance, relations, bound_with): (Option<Value>, Option<Value>, bool) = row.read();
    represent(instance.unwrap_or_default(), relations.unwrap_or_default(), bound_with)
}

fn represent(instance: Value, relations: Value, bound_with: bool) -> Value {
    let (Value::Object(mut instance), Value::Object(relations)) = (instance, relations) else {
        return Value::Null;
    };
    for list in STORAGE_ONLY_LISTS {
        instance.remove(list);
    }
    for list in LISTS {
        instance.entry(list).or_insert(json!([]));
    }
    fill_lists_with_null(&mut instance, &NULLS_IN_LISTS);
    instance.entry("tags").or_insert(json!({"tagList": []}));
    instance.extend(relations);
    instance.insert("isBoundWith".into(), json!(bound_with));
    Value::Object(instance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_there_even_when_empty() {
        let shown = represent(json!({"title": "T", "notes": [1]}), json!({"childInstances": [2]}), true);
        assert_eq!((&shown["notes"], &shown["series"]), (&json!([1]), &json!([])));
        assert_eq!((&shown["childInstances"], &shown["isBoundWith"]), (&json!([2]), &json!(true)));
    }

    #[test]
    fn objects_in_lists_are_shown_with_all_their_members() {
        let instance = json!({
            "contributors": [{"name": "C", "contributorNameTypeId": "t", "primary": true}],
            "publication": [{"publisher": "P"}],
            "electronicAccess": [{"uri": "u"}],
        });
        let shown = represent(instance, json!({}), false);
        let contributor = json!({
            "contributorNameTypeId": "t", "name": "C", "contributorTypeId": null, "contributorTypeText": null,
            "authorityId": null, "primary": true,
        });
        assert_eq!(shown["contributors"], json!([contributor]));
        let published = json!({"publisher": "P", "place": null, "dateOfPublication": null, "role": null});
        assert_eq!(shown["publication"], json!([published]));
        assert_eq!(shown["electronicAccess"], json!([{"uri": "u"}]));
    }
}
