//! An item as mod-inventory shows it: with the title and contributors of its instance, and names for its types and
//! locations. Pure but for the names, which come from the tenant's snapshot.

use octavo_engine::Snapshot;
use octavo_kernel::{folio_time, parse_time};
use octavo_modules_base::inventory_records::ITEM_LOOKUPS;
use octavo_pg::Row;
use octavo_record::RecordType;
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// The SQL columns for the JSON of an item: the stored item, members of its instance and holdings record, and the titles that are bound
/// with it.
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

/// The lists that are shown as empty lists if an item does not have them.
const LISTS: [&str; 7] = [
    "administrativeNotes",
    "formerIds",
    "notes",
    "circulationNotes",
    "yearCaption",
    "electronicAccess",
    "statisticalCodeIds",
];

/// Members that are shown as null if an item, its last check-in, the source of a circulation note or the call number does not have them.
const NULLS: [&str; 2] = ["discoverySuppress", "purchaseOrderLineIdentifier"];
const NULLS_OF_CHECK_IN: [&str; 2] = ["servicePointId", "staffMemberId"];
const NULLS_OF_SOURCE: [&str; 2] = ["id", "personal"];
const NULLS_OF_CALL_NUMBER: [&str; 4] = ["callNumber", "prefix", "suffix", "typeId"];

/// Members that are shown as null if the objects of these lists do not have them.
const NULLS_IN_LISTS: [(&str, &[&str]); 2] = [
    ("notes", &["itemNoteTypeId", "note", "staffOnly"]),
    ("circulationNotes", &["id", "noteType", "note", "staffOnly", "date"]),
];

/// Makes the JSON of an item from a row with [`COLUMNS`].
pub(super) fn row_to_json(row: &Row, snapshot: &Snapshot) -> Value {
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
    fill_with_null(&mut item, &NULLS);
    fill_lists_with_null(&mut item, &NULLS_IN_LISTS);
    for note in item.get_mut("circulationNotes").and_then(Value::as_array_mut).into_iter().flatten() {
        let Some(note) = note.as_object_mut() else { continue };
        if let Some(source) = note.entry("source").or_insert(json!({})).as_object_mut() {
            fill_with_null(source, &NULLS_OF_SOURCE);
        }
    }
    if let Some(components) = item.get_mut("effectiveCallNumberComponents").and_then(Value::as_object_mut) {
        fill_with_null(components, &NULLS_OF_CALL_NUMBER);
    }
    if let Some(check_in) = item.get_mut("lastCheckIn").and_then(Value::as_object_mut) {
        fill_with_null(check_in, &NULLS_OF_CHECK_IN);
        if let Some(at) = check_in.get("dateTime").and_then(Value::as_str).and_then(in_utc) {
            check_in.insert("dateTime".into(), json!(at));
        }
    }
    Value::Object(item)
}

fn fill_with_null(object: &mut Map<String, Value>, members: &[&str]) {
    for member in members {
        object.entry(*member).or_insert(Value::Null);
    }
}

/// Adds members as null to the objects of lists: each list with its members.
pub(super) fn fill_lists_with_null(record: &mut Map<String, Value>, lists: &[(&str, &[&str])]) {
    for (list, members) in lists {
        let objects = record.get_mut(*list).and_then(Value::as_array_mut).into_iter().flatten();
        for object in objects.filter_map(Value::as_object_mut) {
            fill_with_null(object, members);
        }
    }
}

/// A time in UTC in mod-inventory's notation, with a `Z`. `None` if the text is in another time zone.
fn in_utc(text: &str) -> Option<String> {
    let in_utc = ["+00:00", "+0000", "Z"].iter().any(|offset| text.ends_with(offset));
    let at = parse_time(text).filter(|_| in_utc)?;
    Some(folio_time(at).replace("+00:00", "Z"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_shown_with_names_and_the_title_of_its_instance() {
        let id = "d9acad2f-2aac-4b48-9097-e6ab85906b25";
        let notes = json!([{"note": "n", "staffOnly": true}]);
        let item = json!({"id": "x", "materialTypeId": id, "effectiveLocationId": id, "notes": notes});
        let about =
            json!({"title": "T", "callNumber": null, "contributors": [{"name": "C", "primary": true}]});
        let name = |record: &RecordType, _| (record.table == "material_type").then(|| "book".to_owned());
        let expected = json!({
            "id": "x",
            "materialType": {"id": id, "name": "book"},
            "effectiveLocation": {"id": id},
            "title": "T",
            "contributorNames": [{"name": "C"}],
            "notes": [{"itemNoteTypeId": null, "note": "n", "staffOnly": true}],
            "administrativeNotes": [], "formerIds": [], "circulationNotes": [], "yearCaption": [],
            "electronicAccess": [], "statisticalCodeIds": [], "tags": {"tagList": []}, "isBoundWith": false,
            "discoverySuppress": null, "purchaseOrderLineIdentifier": null,
        });
        assert_eq!(represent(item, &about, None, name), expected);
    }

    #[test]
    fn parts_of_an_item_are_shown_with_all_their_members() {
        let item = json!({
            "effectiveCallNumberComponents": {"callNumber": "A"}, "discoverySuppress": true,
            "circulationNotes": [{"id": "n", "noteType": "Check in", "note": "N", "staffOnly": false, "date": "D"}],
            "lastCheckIn": {"dateTime": "2026-11-21T10:00:00.000+00:00"},
        });
        let shown = represent(item, &Value::Null, None, |_, _| None);
        let components = json!({"callNumber": "A", "prefix": null, "suffix": null, "typeId": null});
        assert_eq!(
            (&shown["effectiveCallNumberComponents"], &shown["discoverySuppress"]),
            (&components, &json!(true))
        );
        assert_eq!(shown["circulationNotes"][0]["source"], json!({"id": null, "personal": null}));
        let last =
            json!({"dateTime": "2026-11-21T10:00:00.000Z", "servicePointId": null, "staffMemberId": null});
        assert_eq!(shown["lastCheckIn"], last);
        for (stored, shown) in [
            ("2026-11-21T10:00:00Z", Some("2026-11-21T10:00:00.000Z")),
            ("2026-11-21T10:00:00.000+0000", Some("2026-11-21T10:00:00.000Z")),
            ("2026-11-21T10:00:00.000+02:00", None),
        ] {
            assert_eq!(in_utc(stored).as_deref(), shown, "{stored}");
        }
    }
}
