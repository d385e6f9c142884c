//! The shapes of an instance, its holdings and its items in the answer, made from the stored documents. Pure.
//!
//! FOLIO promises `hrId` and never fills it; here it is filled.

use std::collections::{HashMap, HashSet};

use serde_json::value::RawValue;
use uuid::Uuid;

use super::document::{Access, Components, Holdings, InstanceDocument, Item, Note};
use super::lookups::Lookups;
use super::writer::{Object, Raw, array, id};

/// An instance with what is known of its holdings and items.
pub(super) struct Instance<'a> {
    document: InstanceDocument<'a>,
    holdings: Vec<Holdings<'a>>,
    suppressed_holdings: HashMap<Uuid, bool>,
    items: Vec<(Item<'a>, bool)>,
    known_items: HashSet<Uuid>,
}

impl<'a> Instance<'a> {
    pub(super) fn new(document: &'a str) -> Self {
        Instance {
            document: serde_json::from_str(document).unwrap_or_default(),
            holdings: Vec::new(),
            suppressed_holdings: HashMap::new(),
            items: Vec::new(),
            known_items: HashSet::new(),
        }
    }

    pub(super) fn add_holdings(&mut self, id: Uuid, document: &'a str, skip_suppressed: bool) {
        let Ok(holdings) = serde_json::from_str::<Holdings<'a>>(document) else { return };
        self.suppressed_holdings.insert(id, holdings.discovery_suppress);
        if !(skip_suppressed && holdings.discovery_suppress) {
            self.holdings.push(holdings);
        }
    }

    /// `holdings` are those of this instance by which the item was found.
    pub(super) fn add_item(&mut self, id: Uuid, holdings: Uuid, document: &'a str, skip_suppressed: bool) {
        let Ok(item) = serde_json::from_str::<Item<'a>>(document) else { return };
        let held_back = self.suppressed_holdings.get(&holdings).copied().unwrap_or(false);
        let suppressed = held_back || item.discovery_suppress;
        if !(skip_suppressed && suppressed) && self.known_items.insert(id) {
            self.items.push((item, suppressed));
        }
    }
}

/// Appends the object of one instance.
pub(super) fn instance(out: &mut String, instance_id: Uuid, instance: &Instance<'_>, lookups: &Lookups) {
    let document = &instance.document;
    let mut object = Object::begin(out);
    object.json("instanceId", Some(&format!("\"{instance_id}\"")));
    object.json("source", Some(document.source.map_or("\"\"", RawValue::get)));
    object.json("modeOfIssuance", Some(name(lookups, document.mode_of_issuance_id).unwrap_or("\"\"")));
    let terms = document.nature_of_content_term_ids.iter().filter_map(|term| name(lookups, Some(term)));
    array(object.member("natureOfContent"), terms, |out, term| out.push_str(term));
    let suppressed = document.discovery_suppress;
    array(object.member("holdings"), &instance.holdings, |out, found| {
        holdings(out, found, suppressed, lookups);
    });
    array(object.member("items"), &instance.items, |out, (found, held_back)| {
        item(out, found, suppressed || *held_back, lookups);
    });
    object.end();
}

fn holdings(out: &mut String, holdings: &Holdings<'_>, suppressed: bool, lookups: &Lookups) {
    let mut object = Object::begin(out);
    object.raw("id", holdings.id);
    object.raw("hrId", holdings.hrid);
    object.truth("suppressFromDiscovery", suppressed || holdings.discovery_suppress);
    object.json("holdingsType", name(lookups, holdings.holdings_type_id));
    object.list("formerIds", holdings.former_ids);
    locations(
        object.member("location"),
        lookups,
        [
            ("permanentLocation", holdings.permanent_location_id),
            ("temporaryLocation", holdings.temporary_location_id),
            ("effectiveLocation", holdings.effective_location_id),
        ],
    );
    let call_number = Components {
        call_number: holdings.call_number,
        prefix: holdings.call_number_prefix,
        suffix: holdings.call_number_suffix,
        type_id: holdings.call_number_type_id,
    };
    components(object.member("callNumber"), &call_number, lookups);
    object.raw("shelvingTitle", holdings.shelving_title);
    object.raw("acquisitionFormat", holdings.acquisition_format);
    object.raw("acquisitionMethod", holdings.acquisition_method);
    object.raw("receiptStatus", holdings.receipt_status);
    accesses(object.member("electronicAccess"), &holdings.electronic_access, lookups);
    notes(object.member("notes"), &holdings.notes, lookups);
    object.json("illPolicy", name(lookups, holdings.ill_policy_id));
    object.raw("retentionPolicy", holdings.retention_policy);
    object.raw("digitizationPolicy", holdings.digitization_policy);
    object.list("holdingsStatements", holdings.holdings_statements);
    object.list("holdingsStatementsForIndexes", holdings.holdings_statements_for_indexes);
    object.list("holdingsStatementsForSupplements", holdings.holdings_statements_for_supplements);
    object.raw("copyNumber", holdings.copy_number);
    object.raw("numberOfItems", holdings.number_of_items);
    object.raw("receivingHistory", holdings.receiving_history);
    object.raw("tags", holdings.tags);
    codes(object.member("statisticalCodes"), &holdings.statistical_code_ids, lookups);
    object.end();
}

fn item(out: &mut String, item: &Item<'_>, suppressed: bool, lookups: &Lookups) {
    let mut object = Object::begin(out);
    object.raw("id", item.id);
    object.raw("hrId", item.hrid);
    object.raw("holdingsRecordId", item.holdings_record_id);
    object.truth("suppressFromDiscovery", suppressed);
    object.raw("status", item.status.name);
    object.list("formerIds", item.former_ids);
    locations(
        object.member("location"),
        lookups,
        [
            ("location", item.effective_location_id),
            ("permanentLocation", item.permanent_location_id),
            ("temporaryLocation", item.temporary_location_id),
        ],
    );
    components(object.member("callNumber"), &item.effective_call_number_components, lookups);
    object.raw("accessionNumber", item.accession_number);
    object.raw("barcode", item.barcode);
    object.raw("copyNumber", item.copy_number);
    object.raw("volume", item.volume);
    object.raw("displaySummary", item.display_summary);
    object.raw("enumeration", item.enumeration);
    object.raw("chronology", item.chronology);
    object.list("yearCaption", item.year_caption);
    object.raw("itemIdentifier", item.item_identifier);
    object.raw("numberOfPieces", item.number_of_pieces);
    object.raw("descriptionOfPieces", item.description_of_pieces);
    object.raw("numberOfMissingPieces", item.number_of_missing_pieces);
    object.raw("missingPieces", item.missing_pieces);
    object.raw("missingPiecesDate", item.missing_pieces_date);
    object.json("itemDamagedStatus", name(lookups, item.item_damaged_status_id));
    object.raw("itemDamagedStatusDate", item.item_damaged_status_date);
    object.json("materialType", name(lookups, item.material_type_id));
    object.raw("materialTypeId", item.material_type_id);
    object.json("permanentLoanType", name(lookups, item.permanent_loan_type_id));
    object.json("temporaryLoanType", name(lookups, item.temporary_loan_type_id));
    accesses(object.member("electronicAccess"), &item.electronic_access, lookups);
    notes(object.member("notes"), &item.notes, lookups);
    object.raw("tags", item.tags);
    codes(object.member("statisticalCodes"), &item.statistical_code_ids, lookups);
    object.end();
}

fn name<'l>(lookups: &'l Lookups, value: Raw<'_>) -> Option<&'l str> {
    lookups.names.get(id(value)?).map(String::as_str)
}

/// A location that is not active, or not there, is an empty object.
fn locations(out: &mut String, lookups: &Lookups, members: [(&str, Raw<'_>); 3]) {
    let mut object = Object::begin(out);
    for (shown, location) in members {
        let found = id(location).and_then(|id| lookups.locations.get(id));
        object.json(shown, Some(found.map_or("{}", String::as_str)));
    }
    object.end();
}

fn components(out: &mut String, components: &Components<'_>, lookups: &Lookups) {
    let mut object = Object::begin(out);
    object.raw("prefix", components.prefix);
    object.raw("suffix", components.suffix);
    object.raw("typeId", components.type_id);
    object.json("typeName", name(lookups, components.type_id));
    object.raw("callNumber", components.call_number);
    object.end();
}

fn accesses(out: &mut String, accesses: &[Access<'_>], lookups: &Lookups) {
    array(out, accesses, |out, access| {
        let mut object = Object::begin(out);
        object.raw("uri", access.uri);
        object.json("name", name(lookups, access.relationship_id));
        object.raw("linkText", access.link_text);
        object.raw("publicNote", access.public_note);
        object.raw("relationshipId", access.relationship_id);
        object.raw("materialsSpecification", access.materials_specification);
        object.end();
    });
}

/// Notes for staff stay inside.
fn notes(out: &mut String, notes: &[Note<'_>], lookups: &Lookups) {
    array(out, notes.iter().filter(|note| !note.staff_only), |out, note| {
        let mut object = Object::begin(out);
        object.raw("note", note.note);
        object.json("holdingsNoteTypeName", name(lookups, note.holdings_note_type_id));
        object.json("itemNoteTypeName", name(lookups, note.item_note_type_id));
        object.end();
    });
}

fn codes(out: &mut String, codes: &[&RawValue], lookups: &Lookups) {
    let known = codes.iter().filter_map(|code| lookups.statistical_codes.get(id(Some(code))?));
    array(out, known, |out, code| out.push_str(code));
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn lookups() -> Lookups {
        let entry = |id: &str, text: Value| (id.to_owned(), text.to_string());
        Lookups {
            names: [entry("t", json!("Type")), entry("m", json!("book"))].into(),
            locations: [entry("l", json!({"name": "Main"}))].into(),
            statistical_codes: [entry("c", json!({"code": "C"}))].into(),
        }
    }

    fn shape(found: &Instance<'_>) -> Value {
        let mut out = String::new();
        instance(&mut out, Uuid::nil(), found, &lookups());
        serde_json::from_str(&out).unwrap()
    }

    const HOLDINGS: &str = r#"{"id": "h", "effectiveLocationId": "l", "permanentLocationId": "gone", "callNumber": "a \"b\"",
        "callNumberTypeId": "t", "notes": [{"note": "n", "holdingsNoteTypeId": "t"}, {"note": "s", "staffOnly": true}],
        "statisticalCodeIds": ["c"], "unknown": {}}"#;

    #[test]
    fn ids_become_names_and_staff_notes_stay_inside() {
        let mut found = Instance::new(
            r#"{"source": "FOLIO", "natureOfContentTermIds": ["t"], "discoverySuppress": true}"#,
        );
        found.add_holdings(Uuid::nil(), HOLDINGS, false);
        found.add_item(
            Uuid::nil(),
            Uuid::nil(),
            r#"{"id": "i", "status": {"name": "Available"}, "materialTypeId": "m"}"#,
            false,
        );
        let shown = shape(&found);
        assert_eq!((&shown["modeOfIssuance"], &shown["natureOfContent"]), (&json!(""), &json!(["Type"])));
        let holdings = &shown["holdings"][0];
        assert_eq!(
            holdings["location"],
            json!({"permanentLocation": {}, "temporaryLocation": {}, "effectiveLocation": {"name": "Main"}})
        );
        assert_eq!(
            holdings["callNumber"],
            json!({"typeId": "t", "typeName": "Type", "callNumber": "a \"b\""})
        );
        assert_eq!(holdings["notes"], json!([{"note": "n", "holdingsNoteTypeName": "Type"}]));
        assert_eq!(holdings["statisticalCodes"], json!([{"code": "C"}]));
        let item = &shown["items"][0];
        assert_eq!((&item["status"], &item["materialType"]), (&json!("Available"), &json!("book")));
        assert_eq!(item["suppressFromDiscovery"], json!(true), "its instance is suppressed");
    }

    #[test]
    fn what_is_suppressed_can_be_left_out_with_its_items() {
        for (skip, expected) in [(false, (1, 2)), (true, (0, 0))] {
            let mut found = Instance::new("{}");
            let (hidden, shown) = (Uuid::from_u128(1), Uuid::from_u128(2));
            found.add_holdings(hidden, r#"{"id": "h", "discoverySuppress": true}"#, skip);
            found.add_item(Uuid::from_u128(3), hidden, r#"{"id": "i"}"#, skip);
            found.add_item(Uuid::from_u128(4), shown, r#"{"id": "j", "discoverySuppress": true}"#, skip);
            let answer = shape(&found);
            let count = |name: &str| answer[name].as_array().unwrap().len();
            assert_eq!((count("holdings"), count("items")), expected);
        }
    }

    #[test]
    fn an_item_found_by_two_holdings_is_shown_once() {
        let mut found = Instance::new("{}");
        for holdings in [1, 2] {
            found.add_item(Uuid::from_u128(3), Uuid::from_u128(holdings), r#"{"id": "i"}"#, false);
        }
        assert_eq!(shape(&found)["items"].as_array().unwrap().len(), 1);
    }
}
