//! Writes the JSON of an instance with its holdings and items from the stored documents. Pure.
//!
//! FOLIO's interface has the member `hrId`, which FOLIO never fills. Octavo fills it.

use std::collections::HashSet;
use std::ops::Range;

use serde_json::value::RawValue;
use uuid::Uuid;

use super::document::{Access, Components, Holdings, InstanceDocument, Item, Note};
use super::lookups::Lookups;
use super::writer::{Object, Raw, array, id};

/// An instance with its holdings and items as JSON text.
pub(super) struct Instance {
    /// The members before the holdings.
    head: String,
    suppressed: bool,
    holdings: String,
    /// The ranges of the holdings in the text. They are shown in the order of their ids, so that PostgreSQL need not sort them.
    holdings_ranges: Vec<(Uuid, Range<usize>)>,
    suppressed_holdings: HashSet<Uuid>,
    items: String,
    known_items: HashSet<Uuid>,
}

impl Instance {
    pub(super) fn new(id: Uuid, document: &str, lookups: &Lookups) -> Self {
        let document: InstanceDocument<'_> = serde_json::from_str(document).unwrap_or_default();
        let mut head = String::new();
        let mut object = Object::begin(&mut head);
        object.json("instanceId", Some(&format!("\"{id}\"")));
        object.json("source", Some(document.source.map_or("\"\"", RawValue::get)));
        object.json("modeOfIssuance", Some(name(lookups, document.mode_of_issuance_id).unwrap_or("\"\"")));
        let terms = document.nature_of_content_term_ids.iter().filter_map(|term| name(lookups, Some(term)));
        array(object.member("natureOfContent"), terms, |out, term| out.push_str(term));
        object.member("holdings");
        Instance {
            head,
            suppressed: document.discovery_suppress,
            holdings: String::new(),
            holdings_ranges: Vec::new(),
            suppressed_holdings: HashSet::new(),
            items: String::new(),
            known_items: HashSet::new(),
        }
    }

    pub(super) fn add_holdings(
        &mut self,
        id: Uuid,
        document: &str,
        skip_suppressed: bool,
        lookups: &Lookups,
    ) {
        let Ok(found) = serde_json::from_str::<Holdings<'_>>(document) else { return };
        if found.discovery_suppress {
            self.suppressed_holdings.insert(id);
        }
        if !(skip_suppressed && found.discovery_suppress) {
            let from = self.holdings.len();
            write_holdings(&mut self.holdings, &found, self.suppressed, lookups);
            self.holdings_ranges.push((id, from..self.holdings.len()));
        }
    }

    /// `holdings` is the id of the holdings record through which the item was found; that record has been added before.
    pub(super) fn add_item(
        &mut self,
        id: Uuid,
        holdings: Uuid,
        document: &str,
        skip_suppressed: bool,
        lookups: &Lookups,
    ) {
        let Ok(found) = serde_json::from_str::<Item<'_>>(document) else { return };
        let held_back = self.suppressed_holdings.contains(&holdings) || found.discovery_suppress;
        if !(skip_suppressed && held_back) && self.known_items.insert(id) {
            if !self.items.is_empty() {
                self.items.push(',');
            }
            write_item(&mut self.items, &found, self.suppressed || held_back, lookups);
        }
    }

    pub(super) fn write(mut self, out: &mut String) {
        self.holdings_ranges.sort_unstable_by_key(|(id, _)| *id);
        out.reserve(
            self.head.len() + self.holdings.len() + self.holdings_ranges.len() + self.items.len() + 16,
        );
        out.push_str(&self.head);
        array(out, &self.holdings_ranges, |out, (_, place)| out.push_str(&self.holdings[place.clone()]));
        for part in [",\"items\":[", &self.items, "]}"] {
            out.push_str(part);
        }
    }
}

fn write_holdings(out: &mut String, holdings: &Holdings<'_>, suppressed: bool, lookups: &Lookups) {
    let mut object = Object::begin(out);
    object.raw("id", holdings.id);
    object.raw("hrId", holdings.hrid);
    object.boolean("suppressFromDiscovery", suppressed || holdings.discovery_suppress);
    object.json("holdingsType", name(lookups, holdings.holdings_type_id));
    object.list("formerIds", holdings.former_ids);
    write_locations(
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
    write_components(object.member("callNumber"), &call_number, lookups);
    object.raw("shelvingTitle", holdings.shelving_title);
    object.raw("acquisitionFormat", holdings.acquisition_format);
    object.raw("acquisitionMethod", holdings.acquisition_method);
    object.raw("receiptStatus", holdings.receipt_status);
    write_accesses(object.member("electronicAccess"), &holdings.electronic_access, lookups);
    write_notes(object.member("notes"), &holdings.notes, lookups);
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
    write_codes(object.member("statisticalCodes"), &holdings.statistical_code_ids, lookups);
    object.end();
}

fn write_item(out: &mut String, item: &Item<'_>, suppressed: bool, lookups: &Lookups) {
    let mut object = Object::begin(out);
    object.raw("id", item.id);
    object.raw("hrId", item.hrid);
    object.raw("holdingsRecordId", item.holdings_record_id);
    object.boolean("suppressFromDiscovery", suppressed);
    object.raw("status", item.status.name);
    object.list("formerIds", item.former_ids);
    write_locations(
        object.member("location"),
        lookups,
        [
            ("location", item.effective_location_id),
            ("permanentLocation", item.permanent_location_id),
            ("temporaryLocation", item.temporary_location_id),
        ],
    );
    write_components(object.member("callNumber"), &item.effective_call_number_components, lookups);
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
    write_accesses(object.member("electronicAccess"), &item.electronic_access, lookups);
    write_notes(object.member("notes"), &item.notes, lookups);
    object.raw("tags", item.tags);
    write_codes(object.member("statisticalCodes"), &item.statistical_code_ids, lookups);
    object.end();
}

fn name<'l>(lookups: &'l Lookups, value: Raw<'_>) -> Option<&'l str> {
    lookups.names.get(id(value)?).map(String::as_str)
}

/// Locations that are inactive or missing are written as empty objects.
fn write_locations(out: &mut String, lookups: &Lookups, members: [(&str, Raw<'_>); 3]) {
    let mut object = Object::begin(out);
    for (shown, location) in members {
        let found = id(location).and_then(|id| lookups.locations.get(id));
        object.json(shown, Some(found.map_or("{}", String::as_str)));
    }
    object.end();
}

fn write_components(out: &mut String, components: &Components<'_>, lookups: &Lookups) {
    let mut object = Object::begin(out);
    object.raw("prefix", components.prefix);
    object.raw("suffix", components.suffix);
    object.raw("typeId", components.type_id);
    object.json("typeName", name(lookups, components.type_id));
    object.raw("callNumber", components.call_number);
    object.end();
}

fn write_accesses(out: &mut String, accesses: &[Access<'_>], lookups: &Lookups) {
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

/// The notes that are not for staff only.
fn write_notes(out: &mut String, notes: &[Note<'_>], lookups: &Lookups) {
    array(out, notes.iter().filter(|note| !note.staff_only), |out, note| {
        let mut object = Object::begin(out);
        object.raw("note", note.note);
        object.json("holdingsNoteTypeName", name(lookups, note.holdings_note_type_id));
        object.json("itemNoteTypeName", name(lookups, note.item_note_type_id));
        object.end();
    });
}

fn write_codes(out: &mut String, codes: &[&RawValue], lookups: &Lookups) {
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

    fn instance(document: &str) -> Instance {
        Instance::new(Uuid::nil(), document, &lookups())
    }

    fn shape(found: Instance) -> Value {
        let mut out = String::new();
        found.write(&mut out);
        serde_json::from_str(&out).unwrap()
    }

    const HOLDINGS: &str = r#"{"id": "h", "effectiveLocationId": "l", "permanentLocationId": "gone", "callNumber": "a \"b\"",
        "callNumberTypeId": "t", "notes": [{"note": "n", "holdingsNoteTypeId": "t"}, {"note": "s", "staffOnly": true}],
        "statisticalCodeIds": ["c"], "unknown": {}}"#;

    #[test]
    fn ids_become_names_and_staff_notes_stay_inside() {
        let mut found =
            instance(r#"{"source": "FOLIO", "natureOfContentTermIds": ["t"], "discoverySuppress": true}"#);
        found.add_holdings(Uuid::nil(), HOLDINGS, false, &lookups());
        found.add_item(
            Uuid::nil(),
            Uuid::nil(),
            r#"{"id": "i", "status": {"name": "Available"}, "materialTypeId": "m"}"#,
            false,
            &lookups(),
        );
        let shown = shape(found);
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
            let (mut found, lookups) = (instance("{}"), lookups());
            let (hidden, shown) = (Uuid::from_u128(1), Uuid::from_u128(2));
            found.add_holdings(hidden, r#"{"id": "h", "discoverySuppress": true}"#, skip, &lookups);
            found.add_item(Uuid::from_u128(3), hidden, r#"{"id": "i"}"#, skip, &lookups);
            found.add_item(
                Uuid::from_u128(4),
                shown,
                r#"{"id": "j", "discoverySuppress": true}"#,
                skip,
                &lookups,
            );
            let answer = shape(found);
            let count = |name: &str| answer[name].as_array().unwrap().len();
            assert_eq!((count("holdings"), count("items")), expected);
        }
    }

    #[test]
    fn an_item_found_by_two_holdings_is_shown_once() {
        let mut found = instance("{}");
        for holdings in [1, 2] {
            found.add_item(
                Uuid::from_u128(3),
                Uuid::from_u128(holdings),
                r#"{"id": "i"}"#,
                false,
                &lookups(),
            );
        }
        assert_eq!(shape(found)["items"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn holdings_are_shown_in_the_order_of_their_ids() {
        let mut found = instance("{}");
        for id in [2, 1, 3] {
            found.add_holdings(Uuid::from_u128(id), &json!({"hrid": id}).to_string(), false, &lookups());
        }
        let shown = shape(found);
        let order: Vec<&Value> =
            shown["holdings"].as_array().unwrap().iter().map(|one| &one["hrId"]).collect();
        assert_eq!(order, [1, 2, 3]);
    }
}
