//! Items, the physical copies.
//!
//! An item changes with every loan: its status, where it was last checked in, who changed it when. None of these is in an
//! index, so PostgreSQL rewrites the row in place (HOT) without touching the eleven indexes below: `status.name`,
//! `metadata.updatedDate`, `lastCheckIn`. A search by status alone reads the table; with holdings, location or barcode
//! beside it, it does not. Also left without an index: `callNumberAndSuffix`, `fullCallNumber`, `discoverySuppress`.
//! Facts: mod-inventory-storage 27.1.3.

use octavo_record::{
    Field, Hooks, Hop, Index, Join, Member, Persons, Plain, RecordType, Reference, Related, Unique, What,
};
use serde_json::{Value, json};

use super::effective::apply;
use super::instances::{MANY_BY_QUERY, hrid_stays};
use super::notes::refuse_long_notes;
use super::{HOLDINGS, INSTANCE, LOAN_TYPE, LOCATION, MATERIAL_TYPE};

pub static ITEM: RecordType = record();

const PERSONS: &Persons = &Persons {
    others: &["barcode"],
    ..Persons::of_staff(&[
        Member::staff("circulationNotes[].source", What::All),
        Member::staff("lastCheckIn.staffMemberId", What::Id),
    ])
};

/// The record type, for interfaces that show items with other messages.
pub const fn record() -> RecordType {
    RecordType {
        name: "item",
        table: "item",
        path: "/item-storage/items",
        collection: "items",
        result_info: true,
        schema: include_str!("../../../folio/records/mod-inventory-storage/item.tsv"),
        fields: FIELDS,
        unique: UNIQUE,
        references: REFERENCES,
        joins: &JOINS,
        locking: true,
        words: MANY_BY_QUERY,
        plain_errors: Plain::Changes,
        hooks: Hooks {
            validate: Some(refuse_long_notes),
            transition: Some(hrid_stays),
            derive: Some(derive),
            needs: &["holdingsRecordId"],
            numbered: Some("items"),
            ..Hooks::NONE
        },
        persons: Some(PERSONS),
        ..RecordType::BASE
    }
}

const FIELDS: &[Field] = &[
    Field::lower("barcode"),
    Field::lower("hrid"),
    Field::uuid("holdingsRecordId").indexed(&[Index::Order]),
    Field::uuid("effectiveLocationId"),
    Field::uuid("permanentLocationId"),
    Field::uuid("temporaryLocationId"),
    Field::uuid("materialTypeId"),
    Field::uuid("permanentLoanTypeId"),
    Field::uuid("temporaryLoanTypeId"),
    Field::lower("accessionNumber").indexed(&[Index::Order]),
    Field::lower("purchaseOrderLineIdentifier").indexed(&[Index::Order]),
    Field::lower("effectiveCallNumberComponents.callNumber").up_to(600).indexed(&[Index::Order]),
    // These fields have no columns: without an index, a column would only be computed anew at each check-out.
    Field::lower("status.name").looked_up("lower({t}.doc #>> '{status,name}')"),
    Field::lower("callNumberAndSuffix").looked_up(
        "lower(rtrim(coalesce({t}.doc #>> '{effectiveCallNumberComponents,callNumber}' || ' ', '') || \
             coalesce({t}.doc #>> '{effectiveCallNumberComponents,suffix}', '')))",
    ),
    Field::lower("fullCallNumber").looked_up(
        "lower(rtrim(coalesce({t}.doc #>> '{effectiveCallNumberComponents,prefix}' || ' ', '') || \
             coalesce({t}.doc #>> '{effectiveCallNumberComponents,callNumber}' || ' ', '') || \
             coalesce({t}.doc #>> '{effectiveCallNumberComponents,suffix}', '')))",
    ),
];

const UNIQUE: &[Unique] = &[Unique::of(&["barcode"]), Unique::of(&["hrid"]).called("HRID")];

const REFERENCES: &[Reference] = &[
    Reference::new("holdingsRecordId", "holdings_record")
        .says("Holdings record does not exist", "holdingsRecordId not found: {}"),
    Reference::new("effectiveLocationId", "location"),
    Reference::new("permanentLocationId", "location"),
    Reference::new("temporaryLocationId", "location"),
    Reference::new("materialTypeId", "material_type"),
    Reference::new("permanentLoanTypeId", "loan_type"),
    Reference::new("temporaryLoanTypeId", "loan_type"),
];

/// Members that show the records of an item's ids: the id's name, the shown member's name, the record type.
pub const ITEM_LOOKUPS: [(&str, &str, &RecordType); 6] = [
    ("materialTypeId", "materialType", &MATERIAL_TYPE),
    ("permanentLoanTypeId", "permanentLoanType", &LOAN_TYPE),
    ("temporaryLoanTypeId", "temporaryLoanType", &LOAN_TYPE),
    ("permanentLocationId", "permanentLocation", &LOCATION),
    ("temporaryLocationId", "temporaryLocation", &LOCATION),
    ("effectiveLocationId", "effectiveLocation", &LOCATION),
];

static JOINS: [Join; 2] = [
    Join { alias: "holdingsRecords", hops: &[Hop::Parent { field: "holdingsRecordId", to: &HOLDINGS }] },
    Join {
        alias: "instance",
        hops: &[
            Hop::Parent { field: "holdingsRecordId", to: &HOLDINGS },
            Hop::Parent { field: "instanceId", to: &INSTANCE },
        ],
    },
];

/// A further title of an item: the holdings record of another instance that is bound in the same volume.
pub static BOUND_WITH_PART: RecordType = RecordType {
    name: "bound-with part",
    table: "bound_with_part",
    path: "/inventory-storage/bound-with-parts",
    collection: "boundWithParts",
    schema: include_str!("../../../folio/records/mod-inventory-storage/bound-with-part.tsv"),
    fields: &[Field::uuid("itemId"), Field::uuid("holdingsRecordId")],
    unique: &[Unique::of(&["itemId", "holdingsRecordId"])],
    references: &[Reference::new("itemId", "item"), Reference::new("holdingsRecordId", "holdings_record")],
    plain_errors: Plain::Changes,
    ..RecordType::BASE
};

fn derive(item: &mut Value, related: &Related<'_>) {
    // A missing holdings record is refused later, when the item is written.
    apply(item, related.get("holdingsRecordId").unwrap_or(&Value::Null));
    date_status(item, related);
    let Some(fresh_id) = related.fresh_id else { return };
    for note in item.get_mut("circulationNotes").and_then(Value::as_array_mut).into_iter().flatten() {
        if note["id"].is_null() {
            note["id"] = json!(fresh_id());
        }
    }
}

/// The status is dated when it changes; a client cannot set its date.
fn date_status(item: &mut Value, related: &Related<'_>) {
    let date = match related.stored {
        None => json!(related.now),
        Some(stored) if stored["status"]["name"] != item["status"]["name"] => {
            json!(related.now.replace("+00:00", "Z"))
        }
        Some(stored) => stored["status"]["date"].clone(),
    };
    match (date, item["status"].as_object_mut()) {
        (Value::Null, Some(status)) => drop(status.remove("date")),
        (date, _) => item["status"]["date"] = date,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: &str = "2026-11-21T10:00:00.000+00:00";

    fn dated(status: &str, stored: Option<&Value>) -> Value {
        let mut item = json!({"status": {"name": status}});
        date_status(&mut item, &Related { stored, now: NOW, ..Related::default() });
        item["status"]["date"].clone()
    }

    #[test]
    fn the_status_is_dated_when_it_changes() {
        let stored = json!({"status": {"name": "Available", "date": "before"}});
        assert_eq!(dated("Available", None), NOW);
        assert_eq!(dated("Available", Some(&stored)), "before");
        assert_eq!(dated("Missing", Some(&stored)), "2026-11-21T10:00:00.000Z");
        assert_eq!(dated("Available", Some(&json!({"status": {"name": "Available"}}))), Value::Null);
    }

    #[test]
    fn circulation_notes_get_ids() {
        let mut item =
            json!({"status": {"name": "Available"}, "circulationNotes": [{"note": "a"}, {"id": "b"}]});
        let related = Related { now: NOW, fresh_id: Some(uuid::Uuid::nil), ..Related::default() };
        derive(&mut item, &related);
        assert_eq!(item["circulationNotes"][0]["id"], "00000000-0000-0000-0000-000000000000");
        assert_eq!(item["circulationNotes"][1]["id"], "b");
    }
}
