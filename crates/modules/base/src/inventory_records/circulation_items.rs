//! Items of partner libraries, which are lent here: the records of mod-circulation-item. The desk lends them beside the library's own.

use octavo_kernel::{Kind, Refusal};
use octavo_record::{Field, Hooks, Message, Persons, RecordMessages, RecordType, Related, Unique};
use serde_json::{Value, json};
use uuid::Uuid;

pub static CIRCULATION_ITEM: RecordType = RecordType {
    name: "circulation item",
    table: "circulation_item",
    path: "/circulation-item",
    collection: "items",
    default_limit: 1000,
    messages: RecordMessages {
        not_found_on_read: "",
        ..RecordMessages::not_found("Circulation item with id {} doesn't exist")
    },
    schema: include_str!("../../../folio/records/mod-circulation-item/CirculationItem__schemas.tsv"),
    fields: &[Field::exact("barcode")],
    unique: &[Unique::new(&["barcode"]).message(Message::new(
        Kind::Conflict,
        "Unable to create circulation item with barcode {} as it already exists",
        "",
    ))],
    hooks: Hooks {
        default: Some(set_borrowed_location),
        validate: Some(refuse_incomplete),
        derive: Some(set_status_date),
        ..Hooks::NONE
    },
    persons: Some(&Persons { not_persons: &["barcode"], ..Persons::NOBODY }),
    ..RecordType::BASE
};

/// The location that FOLIO gives to all such items. A library that has it takes part in direct consortial borrowing.
pub const BORROWED_ITEMS_LOCATION: Uuid = Uuid::from_u128(0x9d1b77e8_f02e_4b7f_b296_3f2042ddac54);

fn set_borrowed_location(item: &mut Value) {
    let Some(item) = item.as_object_mut() else { return };
    item.insert("dcbItem".into(), json!(true));
    item.insert("effectiveLocationId".into(), json!(BORROWED_ITEMS_LOCATION));
}

/// Since when the item has its status; the date that a client sends does not count.
fn set_status_date(item: &mut Value, related: &Related<'_>) {
    let kept = related.stored.map(|stored| &stored["status"]);
    let kept = kept.filter(|status| status["name"] == item["status"]["name"] && status["date"].is_string());
    let date = kept.map_or_else(|| json!(related.now), |status| status["date"].clone());
    item["status"]["date"] = date;
}

fn refuse_incomplete(item: &Value) -> Vec<Refusal> {
    let needed = [
        "holdingsRecordId",
        "materialTypeId",
        "permanentLoanTypeId",
        "instanceTitle",
        "barcode",
        "pickupLocation",
    ];
    let mut missing: Vec<&str> = needed.into_iter().filter(|field| item[field].is_null()).collect();
    if item["status"]["name"].is_null() {
        missing.push("status");
    }
    missing.into_iter().map(|field| Refusal::new(format!("{field} must not be null"))).collect()
}
