//! `/oai-pmh-view`: the older calls by which harvesters read changed instances and their items. As in FOLIO, the answer is one JSON object
//! an instance without separators, with names in lower case, and without items in inactive locations. Facts: mod-inventory-storage
//! 27.1.3.

use std::collections::HashMap;
use std::sync::LazyLock;

use octavo_engine::{Context, Request, Response, Snapshot};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use octavo_record::{Reading, RecordType, Schema};
use serde_json::{Value, json};
use uuid::Uuid;

use super::super::updated_instances::{Change, boolean_parameter, changes_of_copies};
use super::super::{
    CALL_NUMBER_TYPE, CAMPUS, ELECTRONIC_ACCESS_RELATIONSHIP, INSTITUTION, ITEM_NOTE_TYPE, LIBRARY, LOCATION,
    MATERIAL_TYPE,
};
use super::INSTANCES_OF_A_READ;
use super::jsonb_order::distinct;

static BODY: LazyLock<Schema> = LazyLock::new(|| {
    Schema::parse(include_str!("../../../../folio/records/mod-inventory-storage/oaipmhinstanceids.tsv"))
});

/// The instances that were changed or deleted.
pub(in crate::inventory_storage) async fn updated(request: Request) -> Outcome<Response> {
    let mut out = String::new();
    for change in changes_of_copies(&request).await? {
        let object = json!({
            "instanceid": change.instance,
            "updateddate": change.date,
            "suppressfromdiscovery": change.suppressed,
            "deleted": change.deleted.to_string(),
        });
        out.push_str(&object.to_string());
    }
    Ok(Response::json_text(200, out))
}

/// The instances that were changed or deleted, with their items.
pub(in crate::inventory_storage) async fn instances(request: Request) -> Outcome<Response> {
    let changes = changes_of_copies(&request).await?;
    let skip_suppressed = boolean_parameter(&request, "skipSuppressedFromDiscoveryRecords")?;
    let mut out = String::new();
    for changes in changes.chunks(INSTANCES_OF_A_READ) {
        let there = changes.iter().filter(|change| !change.deleted);
        let suppressed = |change: &Change| change.suppressed == "true";
        let instances = there.map(|change| (change.instance, suppressed(change))).collect();
        let mut items = items(&request.context, &instances, skip_suppressed).await?;
        for change in changes {
            let fields = match items.remove(&change.instance) {
                Some(items) => {
                    json!({"instanceid": change.instance, "suppressfromdiscovery": suppressed(change), "items": items})
                }
                None => json!(""),
            };
            let object = json!({
                "instanceid": change.instance,
                "updateddate": change.date,
                "deleted": change.deleted.to_string(),
                "itemsandholdingsfields": fields,
            });
            out.push_str(&object.to_string());
        }
    }
    Ok(Response::json_text(200, out))
}

/// The items of the requested instances, in the order of the request.
pub(in crate::inventory_storage) async fn enriched(request: Request) -> Outcome<Response> {
    let body = BODY.check(request.json()?, Reading::FromClient).map_err(Fault::refused)?.0;
    let listed = body["instanceIds"].as_array().map_or(&[][..], Vec::as_slice);
    let ids: Vec<Uuid> = listed.iter().filter_map(|id| Uuid::parse_str(id.as_str()?).ok()).collect();
    let skip_suppressed = body["skipSuppressedFromDiscoveryRecords"] == true;
    let mut out = String::new();
    for ids in ids.chunks(INSTANCES_OF_A_READ) {
        let instances = ids.iter().map(|id| (*id, false)).collect();
        let items = items(&request.context, &instances, skip_suppressed).await?;
        for id in ids {
            let fields = items.get(id).map_or(json!(""), |items| json!({"instanceid": id, "items": items}));
            out.push_str(&json!({"instanceid": id, "itemsandholdingsfields": fields}).to_string());
        }
    }
    Ok(Response::json_text(200, out))
}

/// The items of each instance. `instances` says of each instance whether it is suppressed; then its items count as suppressed too.
async fn items(
    context: &Context,
    instances: &HashMap<Uuid, bool>,
    skip_suppressed: bool,
) -> Outcome<HashMap<Uuid, Vec<Value>>> {
    let snapshot = context.snapshot().await?;
    let mut session = context.session().await?;
    let rows: Vec<(Uuid, Uuid, bool, Value, Option<Value>)> =
        session.read(Statement::new(ITEMS).uuids(instances.keys().copied().collect())).await?;
    let mut items: HashMap<Uuid, Vec<Value>> = HashMap::new();
    for (instance, holdings, holdings_suppressed, item, access) in rows {
        let held_back = holdings_suppressed || item["discoverySuppress"] == true;
        let suppressed = held_back || instances.get(&instance).copied().unwrap_or(false);
        if skip_suppressed && held_back {
            continue;
        }
        if let Some(mut shown) = item_to_json(&snapshot, &item, &access.unwrap_or_default(), suppressed) {
            shown["holdingsRecordId"] = json!(holdings);
            items.entry(instance).or_default().push(shown);
        }
    }
    Ok(items)
}

/// The JSON of an item; `None` if its location is inactive. `access` is the electronic access of the item's holdings record.
fn item_to_json(snapshot: &Snapshot, item: &Value, access: &Value, suppressed: bool) -> Option<Value> {
    let location = location(snapshot, &item["effectiveLocationId"])?;
    let mut call_number = item["effectiveCallNumberComponents"].clone();
    if call_number.is_object() {
        call_number["typeName"] = name(snapshot, &CALL_NUMBER_TYPE, &call_number["typeId"]);
    }
    Some(json!({
        "id": item["id"],
        "callNumber": call_number,
        "location": location,
        "volume": item["volume"],
        "enumeration": item["enumeration"],
        "materialType": name(snapshot, &MATERIAL_TYPE, &item["materialTypeId"]),
        "electronicAccess": accesses(snapshot, &[&item["electronicAccess"], access]),
        "suppressFromDiscovery": suppressed,
        "notes": notes(snapshot, &item["notes"]),
        "barcode": item["barcode"],
        "chronology": item["chronology"],
        "copyNumber": item["copyNumber"],
    }))
}

fn find<'s>(snapshot: &'s Snapshot, record: &RecordType, id: &Value) -> Option<&'s Value> {
    snapshot.get(record, Uuid::parse_str(id.as_str()?).ok()?)
}

fn name(snapshot: &Snapshot, record: &RecordType, id: &Value) -> Value {
    find(snapshot, record, id).map_or(Value::Null, |found| found["name"].clone())
}

fn location(snapshot: &Snapshot, id: &Value) -> Option<Value> {
    let location = find(snapshot, &LOCATION, id).filter(|location| location["isActive"] == true)?;
    let display = &location["discoveryDisplayName"];
    let units = json!({
        "institutionId": location["institutionId"],
        "institutionName": name(snapshot, &INSTITUTION, &location["institutionId"]),
        "campusId": location["campusId"],
        "campusName": name(snapshot, &CAMPUS, &location["campusId"]),
        "libraryId": location["libraryId"],
        "libraryName": name(snapshot, &LIBRARY, &location["libraryId"]),
    });
    Some(json!({"location": units, "name": if display.is_null() { &location["name"] } else { display }}))
}

/// Each link once, in the order of FOLIO's database.
fn accesses(snapshot: &Snapshot, lists: &[&Value]) -> Value {
    let all = lists.iter().filter_map(|list| list.as_array()).flatten().cloned();
    distinct_or_null(all.map(|mut access| {
        access["name"] = name(snapshot, &ELECTRONIC_ACCESS_RELATIONSHIP, &access["relationshipId"]);
        access
    }))
}

/// The notes that are not for staff only.
fn notes(snapshot: &Snapshot, notes: &Value) -> Value {
    let open = notes.as_array().into_iter().flatten().filter(|note| note["staffOnly"] != true).cloned();
    distinct_or_null(open.map(|mut note| {
        let kind = name(snapshot, &ITEM_NOTE_TYPE, &note["itemNoteTypeId"]);
        if let Some(note) = note.as_object_mut() {
            note.remove("itemNoteTypeId");
            note.remove("staffOnly");
            note.insert("itemNoteTypeName".into(), kind);
        }
        note
    }))
}

/// The distinct values as a list; `null` if there are none.
fn distinct_or_null(values: impl Iterator<Item = Value>) -> Value {
    let values: Vec<Value> = values.collect();
    if values.is_empty() { Value::Null } else { distinct(values).into() }
}

const ITEMS: &str = "\
select h.\"instanceId\", h.id, coalesce(h.doc ->> 'discoverySuppress', 'false') = 'true', t.doc::text,
  (h.doc -> 'electronicAccess')::text
from holdings_record h
join item t on t.\"holdingsRecordId\" = h.id
where h.\"instanceId\" = any($1)
order by h.id, t.id";

octavo_pg::statements!(hot = [ITEMS]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_twice_is_told_once() {
        let told = |values: &[i32]| distinct_or_null(values.iter().map(|value| json!(value)));
        assert_eq!(told(&[1, 2, 1]), json!([1, 2]));
        assert_eq!(told(&[]), Value::Null);
    }
}
