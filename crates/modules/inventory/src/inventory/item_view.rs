//! An item as mod-inventory shows it: with the title and contributors of its instance, and names for its types and
//! locations. Pure but for the names, which come from the tenant's snapshot.

use octavo_engine::Snapshot;
use octavo_modules_base::inventory_records::ITEM_LOOKUPS;
use octavo_pg::Row;
use octavo_record::RecordType;
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// The stored item, the members that it shows of its instance and holdings, and the titles that are bound with it.
pub(super) const COLUMNS: &str = "\
t.doc::text, (
  select json_build_object(
    'title', i.doc -> 'title',
    'callNumber', h.doc -> 'callNumber',
    'contributors', i.doc -> 'contributors')::text
  from holdings_record h
  join instance i on i.id = h.\"instanceId\"
  where h.id = t.\"holdingsRecordId\"
), (
  select json_agg(json_build_object(
    'briefHoldingsRecord', json_build_object('id', h.id, 'hrid', h.doc -> 'hrid'),
    'briefInstance', json_build_object('id', i.id, 'hrid', i.doc -> 'hrid', 'title', i.doc -> 'title')))::text
  from bound_with_part b
  join holdings_record h on h.id = b.\"holdingsRecordId\"
  join instance i on i.id = h.\"instanceId\"
  where b.\"itemId\" = t.id
)";

/// Lists that are shown even where an item has none.
const LISTS: [&str; 7] = [
    "administrativeNotes",
    "formerIds",
    "notes",
    "circulationNotes",
    "yearCaption",
    "electronicAccess",
    "statisticalCodeIds",
];

/// From a row of [`COLUMNS`].
pub(super) fn view(row: &Row, snapshot: &Snapshot) -> Value {
    let [item, about, bound_with] = row.read::<[Option<Value>; 3]>();
    represent(item.unwrap_or_default(), &about.unwrap_or_default(), bound_with, |record, id| {
        snapshot.get(record, id)?["name"].as_str().map(str::to_owned)
    })
}

fn represent(
    item: Value,
    about: &Value,
    bound_with: Option<Value>,
    name: impl Fn(&'static RecordType, Uuid) -> Option<String>,
) -> Value {
    let Value::Object(mut item) = item else { return item };
    for (field, shown, record) in ITEM_LOOKUPS {
        let Some(id) = item.remove(field) else { continue };
        let uuid = id.as_str().and_then(|id| Uuid::parse_str(id).ok());
        let mut reference = Map::from_iter([("id".to_owned(), id)]);
        if let Some(name) = uuid.and_then(|uuid| name(record, uuid)) {
            reference.insert("name".into(), json!(name));
        }
        item.insert(shown.into(), Value::Object(reference));
    }
    for field in ["title", "callNumber"] {
        if about[field].is_string() {
            item.insert(field.into(), about[field].clone());
        }
    }
    let contributors = about["contributors"].as_array().map_or(&[][..], Vec::as_slice);
    let names: Vec<Value> = contributors.iter().map(|found| json!({"name": found["name"]})).collect();
    item.insert("contributorNames".into(), json!(names));
    for list in LISTS {
        item.entry(list).or_insert(json!([]));
    }
    item.entry("tags").or_insert(json!({"tagList": []}));
    item.insert("isBoundWith".into(), json!(bound_with.is_some()));
    if let Some(titles) = bound_with {
        item.insert("boundWithTitles".into(), titles);
    }
    Value::Object(item)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_shown_with_names_and_the_title_of_its_instance() {
        let id = "d9acad2f-2aac-4b48-9097-e6ab85906b25";
        let item =
            json!({"id": "x", "materialTypeId": id, "effectiveLocationId": id, "notes": [{"note": "n"}]});
        let about =
            json!({"title": "T", "callNumber": null, "contributors": [{"name": "C", "primary": true}]});
        let name = |record: &RecordType, _| (record.table == "material_type").then(|| "book".to_owned());
        let expected = json!({
            "id": "x",
            "materialType": {"id": id, "name": "book"},
            "effectiveLocation": {"id": id},
            "title": "T",
            "contributorNames": [{"name": "C"}],
            "notes": [{"note": "n"}],
            "administrativeNotes": [], "formerIds": [], "circulationNotes": [], "yearCaption": [],
            "electronicAccess": [], "statisticalCodeIds": [], "tags": {"tagList": []}, "isBoundWith": false,
        });
        assert_eq!(represent(item, &about, None, name), expected);
    }
}
