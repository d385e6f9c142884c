//! The names that belong to ids, as JSON text for the answer.

use std::collections::HashMap;

use octavo_engine::Snapshot;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::inventory_storage::{
    CALL_NUMBER_TYPE, CAMPUS, ELECTRONIC_ACCESS_RELATIONSHIP, HOLDINGS_NOTE_TYPE, HOLDINGS_TYPE, ILL_POLICY,
    INSTITUTION, ITEM_DAMAGED_STATUS, ITEM_NOTE_TYPE, LIBRARY, LOAN_TYPE, LOCATION, MATERIAL_TYPE,
    MODE_OF_ISSUANCE, NATURE_OF_CONTENT_TERM, STATISTICAL_CODE, STATISTICAL_CODE_TYPE,
};

#[derive(Debug, Default)]
pub(super) struct Lookups {
    /// The names of all types, policies and statuses by id. No two of them have the same id.
    pub(super) names: HashMap<String, String>,
    /// Active locations with the names of library, campus and institution.
    pub(super) locations: HashMap<String, String>,
    pub(super) statistical_codes: HashMap<String, String>,
}

impl Lookups {
    pub(super) fn new(snapshot: &Snapshot) -> Lookups {
        let named = [
            &CALL_NUMBER_TYPE,
            &ELECTRONIC_ACCESS_RELATIONSHIP,
            &HOLDINGS_NOTE_TYPE,
            &HOLDINGS_TYPE,
            &ILL_POLICY,
            &ITEM_DAMAGED_STATUS,
            &ITEM_NOTE_TYPE,
            &LOAN_TYPE,
            &MATERIAL_TYPE,
            &MODE_OF_ISSUANCE,
            &NATURE_OF_CONTENT_TERM,
        ];
        let names = named.into_iter().flat_map(|record| snapshot.all(record));
        let names = names.map(|(id, document)| (id.to_string(), document["name"].to_string())).collect();
        let locations = snapshot.all(&LOCATION).filter(|(_, location)| location["isActive"] == true);
        let locations = locations
            .map(|(id, document)| (id.to_string(), location_json(snapshot, document).to_string()))
            .collect();
        let codes = snapshot.all(&STATISTICAL_CODE);
        let statistical_codes = codes
            .map(|(id, document)| (id.to_string(), statistical_code_json(snapshot, document).to_string()))
            .collect();
        Lookups { names, locations, statistical_codes }
    }
}

fn parent<'s>(snapshot: &'s Snapshot, record: &octavo_record::RecordType, id: &Value) -> Option<&'s Value> {
    snapshot.get(record, Uuid::parse_str(id.as_str()?).ok()?)
}

fn location_json(snapshot: &Snapshot, location: &Value) -> Value {
    let mut shown = json!({"id": location["id"], "code": location["code"]});
    let display = &location["discoveryDisplayName"];
    shown["name"] = if display.is_null() { location["name"].clone() } else { display.clone() };
    if let Some(library) = parent(snapshot, &LIBRARY, &location["libraryId"]) {
        shown["libraryName"] = library["name"].clone();
        shown["libraryCode"] = library["code"].clone();
    }
    if let Some(campus) = parent(snapshot, &CAMPUS, &location["campusId"]) {
        shown["campusName"] = campus["name"].clone();
    }
    if let Some(institution) = parent(snapshot, &INSTITUTION, &location["institutionId"]) {
        shown["institutionName"] = institution["name"].clone();
    }
    shown
}

fn statistical_code_json(snapshot: &Snapshot, code: &Value) -> Value {
    let mut shown =
        json!({"id": code["id"], "code": code["code"], "name": code["name"], "source": code["source"]});
    if let Some(kind) = parent(snapshot, &STATISTICAL_CODE_TYPE, &code["statisticalCodeTypeId"]) {
        shown["statisticalCodeType"] = kind["name"].clone();
    }
    shown
}
