//! Items of partner libraries, which are lent here: the records of mod-circulation-item. The desk lends them beside the library's own.

use octavo_kernel::{Kind, Refusal};
use octavo_record::{Field, Hooks, Message, Persons, RecordType, Unique, Words};
use serde_json::{Value, json};
use uuid::Uuid;

pub static CIRCULATION_ITEM: RecordType = RecordType {
    name: "circulation item",
    table: "circulation_item",
    path: "/circulation-item",
    collection: "items",
    default_limit: 1000,
    words: Words::unknown("Circulation item with id {} doesn't exist"),
    schema: include_str!("../../../folio/records/mod-circulation-item/CirculationItem__schemas.tsv"),
    fields: &[Field::exact("barcode")],
    unique: &[Unique::of(&["barcode"]).message(Message::new(
        Kind::Conflict,
        "Unable to create circulation item with barcode {} as it already exists",
        "",
    ))],
    hooks: Hooks { default: Some(place), validate: Some(refuse_incomplete), ..Hooks::NONE },
    persons: Some(&Persons { others: &["barcode"], ..Persons::NOBODY }),
    ..RecordType::BASE
};

/// The location that FOLIO gives to all such items. A library that has it takes part in direct consortial borrowing.
pub const BORROWED_AT: Uuid = Uuid::from_u128(0x9d1b77e8_f02e_4b7f_b296_3f2042ddac54);

fn place(item: &mut Value) {
    let Some(item) = item.as_object_mut() else { return };
    item.insert("dcbItem".into(), json!(true));
    item.insert("effectiveLocationId".into(), json!(BORROWED_AT));
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
