//! Holdings and items in MARC records: field 952 for each item and for holdings without items, and 856 for what is reached by a link.
//! Pure. Facts: `RecordMetadataManager` of mod-oai-pmh.

use std::collections::HashSet;

use octavo_marc::{Field, Record, Subfield};
use serde::Deserialize;
use uuid::Uuid;

use super::fields::{data_field, relationship_indicator};
use super::names::Names;

/// The holdings and items of one instance.
#[derive(Debug, Default)]
pub(super) struct Copies {
    holdings: Vec<(Uuid, Holdings)>,
    /// The items: the item's id, the id of the holdings record through which it was found, and the item.
    items: Vec<(Uuid, Uuid, Item)>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Holdings {
    discovery_suppress: Option<bool>,
    call_number: Option<String>,
    call_number_prefix: Option<String>,
    call_number_suffix: Option<String>,
    call_number_type_id: Option<String>,
    effective_location_id: Option<String>,
    copy_number: Option<String>,
    ill_policy_id: Option<String>,
    electronic_access: Vec<Access>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Item {
    discovery_suppress: Option<bool>,
    holdings_record_id: Option<Uuid>,
    effective_call_number_components: Option<CallNumber>,
    effective_location_id: Option<String>,
    material_type_id: Option<String>,
    permanent_loan_type_id: Option<String>,
    temporary_loan_type_id: Option<String>,
    volume: Option<String>,
    enumeration: Option<String>,
    chronology: Option<String>,
    barcode: Option<String>,
    copy_number: Option<String>,
    electronic_access: Vec<Access>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct CallNumber {
    call_number: Option<String>,
    prefix: Option<String>,
    suffix: Option<String>,
    type_id: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Access {
    uri: Option<String>,
    link_text: Option<String>,
    materials_specification: Option<String>,
    public_note: Option<String>,
    relationship_id: Option<String>,
}

impl Copies {
    pub(super) fn add_holdings(&mut self, id: Uuid, document: &str) {
        if let Ok(holdings) = serde_json::from_str(document) {
            self.holdings.push((id, holdings));
        }
    }

    pub(super) fn add_item(&mut self, id: Uuid, holdings: Uuid, document: &str) {
        if let Ok(item) = serde_json::from_str(document) {
            self.items.push((id, holdings, item));
        }
    }

    /// Adds the fields to the record. If `marked` is true, subfield `t` of each field says whether the copy is suppressed from discovery;
    /// otherwise suppressed copies are left out. If the instance is suppressed (`hidden`), all its copies count as suppressed. A holdings
    /// record gets a field of its own if none of its own items is shown.
    pub(super) fn write(mut self, record: &mut Record, hidden: bool, marked: bool, names: &Names) {
        // Sorted here, because a sort in PostgreSQL would have to move the documents.
        self.holdings.sort_unstable_by_key(|(id, _)| *id);
        self.items.sort_unstable_by_key(|(id, holdings, _)| (*holdings, *id));
        let kept_back = |holdings: &Holdings| holdings.discovery_suppress == Some(true);
        let mut known = HashSet::new();
        let mut with_items = HashSet::new();
        for (id, of, item) in &self.items {
            let holdings = |wanted: &Uuid| {
                self.holdings.iter().find(|(id, _)| id == wanted).map(|(_, holdings)| holdings)
            };
            let held_back = holdings(of).is_some_and(kept_back) || item.discovery_suppress == Some(true);
            if (held_back && !marked) || !known.insert(*id) {
                continue;
            }
            let own = item.holdings_record_id.unwrap_or(*of);
            with_items.insert(own);
            let mark = suppression_mark(held_back || hidden, marked);
            record.fields.extend(item_field(item, holdings(&own), mark, names));
            let accesses = sorted_links(&item.electronic_access, names);
            record.fields.extend(accesses.into_iter().filter_map(|one| link_field(one, mark, names)));
        }
        let shown = || self.holdings.iter().filter(|(_, holdings)| marked || !kept_back(holdings));
        for (_, holdings) in shown().filter(|(id, _)| !with_items.contains(id)) {
            let mark = suppression_mark(kept_back(holdings) || hidden, marked);
            record.fields.extend(holdings_field(holdings, mark, names));
        }
        for (_, holdings) in shown() {
            let mark = suppression_mark(kept_back(holdings) || hidden, marked);
            let accesses = sorted_links(&holdings.electronic_access, names);
            record.fields.extend(accesses.into_iter().filter_map(|one| link_field(one, mark, names)));
        }
    }
}

fn suppression_mark(suppressed: bool, marked: bool) -> Option<&'static str> {
    marked.then_some(if suppressed { "1" } else { "0" })
}

fn item_field(item: &Item, holdings: Option<&Holdings>, mark: Option<&str>, names: &Names) -> Option<Field> {
    let nothing = CallNumber::default();
    let number = item.effective_call_number_components.as_ref().unwrap_or(&nothing);
    let place = names.location_names(item.effective_location_id.as_deref());
    let loan_type = item.temporary_loan_type_id.as_deref().or(item.permanent_loan_type_id.as_deref());
    let policy = holdings.and_then(|holdings| names.name(holdings.ill_policy_id.as_deref()));
    let subfields = [
        ('a', place.and_then(|place| place.institution.as_deref())),
        ('b', place.and_then(|place| place.campus.as_deref())),
        ('c', place.and_then(|place| place.library.as_deref())),
        ('d', place.and_then(|place| place.name.as_deref())),
        ('e', number.call_number.as_deref()),
        ('f', number.prefix.as_deref()),
        ('g', number.suffix.as_deref()),
        ('h', names.name(number.type_id.as_deref())),
        ('i', names.name(item.material_type_id.as_deref())),
        ('j', item.volume.as_deref()),
        ('k', item.enumeration.as_deref()),
        ('l', item.chronology.as_deref()),
        ('m', item.barcode.as_deref()),
        ('n', item.copy_number.as_deref()),
        ('p', names.name(loan_type)),
        ('r', policy),
        ('t', mark),
    ];
    data_field("952", ['f', 'f'], subfields)
}

fn holdings_field(holdings: &Holdings, mark: Option<&str>, names: &Names) -> Option<Field> {
    let place = names.location_names(holdings.effective_location_id.as_deref());
    let subfields = [
        ('a', place.and_then(|place| place.institution.as_deref())),
        ('b', place.and_then(|place| place.campus.as_deref())),
        ('c', place.and_then(|place| place.library.as_deref())),
        ('d', place.and_then(|place| place.name.as_deref())),
        ('e', holdings.call_number.as_deref()),
        ('f', holdings.call_number_prefix.as_deref()),
        ('g', holdings.call_number_suffix.as_deref()),
        ('h', names.name(holdings.call_number_type_id.as_deref())),
        ('n', holdings.copy_number.as_deref()),
        ('r', names.name(holdings.ill_policy_id.as_deref())),
        ('t', mark),
    ];
    data_field("952", ['f', 'f'], subfields)
}

/// The distinct links in the order of PostgreSQL's `jsonb`, in which FOLIO's inventory lists them: links with fewer members first, then by
/// the names (shorter ones first) and values of their members.
fn sorted_links<'a>(accesses: &'a [Access], names: &'a Names) -> Vec<&'a Access> {
    let key = |access: &&'a Access| {
        let members = [
            ("uri", access.uri.as_deref()),
            ("name", names.name(access.relationship_id.as_deref())),
            ("linkText", access.link_text.as_deref()),
            ("publicNote", access.public_note.as_deref()),
            ("relationshipId", access.relationship_id.as_deref()),
            ("materialsSpecification", access.materials_specification.as_deref()),
        ];
        // The member `name` counts even if the relationship has no name.
        let members = members.into_iter().filter(|(name, value)| *name == "name" || value.is_some());
        let members: Vec<(&str, Option<&str>)> = members.collect();
        (members.len(), members)
    };
    let mut ordered: Vec<&Access> = accesses.iter().collect();
    ordered.sort_by_key(key);
    ordered.dedup_by_key(|access| key(access));
    ordered
}

fn link_field(access: &Access, mark: Option<&str>, names: &Names) -> Option<Field> {
    let second = relationship_indicator(names.name(access.relationship_id.as_deref()));
    let subfields = [
        ('3', access.materials_specification.as_deref()),
        ('t', mark),
        ('u', access.uri.as_deref()),
        ('y', access.link_text.as_deref()),
        ('z', access.public_note.as_deref()),
    ];
    data_field("856", ['4', second], subfields)
}

/// Sets in FOLIO's own field 999, and in each field 856 that does not have it yet, whether the record is suppressed from discovery.
pub(super) fn mark_record(record: &mut Record, suppressed: bool) {
    let mut own = false;
    for field in &mut record.fields {
        let Field::Data { tag, indicators, subfields } = field else { continue };
        let marked = match tag.as_str() {
            "999" if *indicators == ['f', 'f'] => !std::mem::replace(&mut own, true),
            "856" => indicators[0] != ' ',
            _ => false,
        };
        if marked && !subfields.iter().any(|subfield| subfield.code == 't') {
            let value = if suppressed { "1" } else { "0" }.to_owned();
            subfields.push(Subfield { code: 't', value });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oai_pmh::names::LocationNames;

    fn names() -> Names {
        let place = LocationNames {
            institution: Some("I".to_owned()),
            campus: Some("C".to_owned()),
            library: Some("L".to_owned()),
            name: Some("Main".to_owned()),
        };
        Names::for_tests(
            &[("book", "Book"), ("lc", "LC"), ("short", "Short"), ("ill", "Lend"), ("res", "Resource")],
            ("place", place),
        )
    }

    const HOLDINGS: &str = r#"{"callNumber": "H1", "effectiveLocationId": "place", "illPolicyId": "ill",
        "electronicAccess": [{"uri": "h", "relationshipId": "res"}]}"#;
    const ITEM: &str = r#"{"effectiveCallNumberComponents": {"callNumber": "N", "typeId": "lc"}, "materialTypeId": "book",
        "effectiveLocationId": "place", "permanentLoanTypeId": "short", "barcode": "B", "electronicAccess": [{"uri": "i"}]}"#;

    fn written_fields(copies: Copies, hidden: bool, marked: bool) -> Vec<String> {
        let mut record = Record::default();
        copies.write(&mut record, hidden, marked, &names());
        record
            .fields
            .iter()
            .map(|field| {
                let Field::Data { tag, indicators, subfields } = field else { panic!("{field:?}") };
                let parts = subfields.iter().map(|one| format!("{}{}", one.code, one.value));
                let parts = parts.collect::<Vec<_>>().join(" ");
                format!("{tag}{}{} {parts}", indicators[0], indicators[1])
            })
            .collect()
    }

    fn copies(holdings: &[(u128, &str)], items: &[(u128, u128, &str)]) -> Copies {
        let mut copies = Copies::default();
        holdings.iter().for_each(|(id, text)| copies.add_holdings(Uuid::from_u128(*id), text));
        items
            .iter()
            .for_each(|(id, of, text)| copies.add_item(Uuid::from_u128(*id), Uuid::from_u128(*of), text));
        copies
    }

    #[test]
    fn items_and_holdings_without_items_are_fields_952() {
        let both = copies(&[(1, HOLDINGS), (2, HOLDINGS)], &[(3, 1, ITEM)]);
        assert_eq!(
            written_fields(both, false, true),
            [
                "952ff aI bC cL dMain eN hLC iBook mB pShort rLend t0",
                "8564  t0 ui",
                "952ff aI bC cL dMain eH1 rLend t0",
                "85640 t0 uh",
                "85640 t0 uh",
            ]
        );
        assert_eq!(written_fields(copies(&[(1, HOLDINGS)], &[(3, 1, ITEM)]), false, false)[1], "8564  ui");
    }

    #[test]
    fn what_is_suppressed_is_marked_or_left_out_with_what_belongs_to_it() {
        let hidden = HOLDINGS.replacen('{', r#"{"discoverySuppress": true, "#, 1);
        let make = || copies(&[(1, &hidden)], &[(3, 1, ITEM)]);
        assert_eq!(written_fields(make(), false, false), Vec::<String>::new());
        assert!(written_fields(make(), false, true).iter().all(|field| field.contains("t1")));
        let all = written_fields(copies(&[(1, HOLDINGS)], &[]), true, true);
        assert_eq!(all, ["952ff aI bC cL dMain eH1 rLend t1", "85640 t1 uh"]);
    }

    #[test]
    fn links_come_once_and_those_without_a_relationship_first() {
        let item = r#"{"electronicAccess": [{"uri": "b", "relationshipId": "res"}, {"uri": "a", "relationshipId": "res"},
            {"uri": "c"}, {"uri": "a", "relationshipId": "res"}, {"uri": "d", "linkText": "D"}, {"uri": "d", "publicNote": "N"}]}"#;
        let shown = written_fields(copies(&[(1, "{}")], &[(3, 1, item)]), false, false);
        let links: Vec<&str> = shown.iter().filter_map(|field| field.strip_prefix("856")).collect();
        assert_eq!(links, ["4  uc", "40 ua", "40 ub", "4  ud yD", "4  ud zN"]);
    }

    #[test]
    fn an_item_found_by_two_holdings_is_one_field() {
        let bound = copies(&[(1, "{}"), (2, "{}")], &[(3, 1, ITEM), (3, 2, ITEM)]);
        let fields = written_fields(bound, false, true);
        assert_eq!(fields.iter().filter(|field| field.contains("mB")).count(), 1, "{fields:?}");
    }

    #[test]
    fn holdings_of_which_no_own_item_is_shown_are_a_field() {
        let elsewhere = format!("{{\"holdingsRecordId\": \"{}\", {}", Uuid::from_u128(9), &ITEM[1..]);
        let bound = written_fields(copies(&[(1, HOLDINGS)], &[(3, 1, &elsewhere)]), false, false);
        assert_eq!(
            bound[..3],
            ["952ff aI bC cL dMain eN hLC iBook mB pShort", "8564  ui", "952ff aI bC cL dMain eH1 rLend"]
        );
        let hidden = ITEM.replacen('{', r#"{"discoverySuppress": true, "#, 1);
        let fields = written_fields(copies(&[(1, HOLDINGS)], &[(3, 1, &hidden)]), false, false);
        assert_eq!(fields, ["952ff aI bC cL dMain eH1 rLend", "85640 uh"]);
    }

    #[test]
    fn the_record_is_marked_once_and_links_that_are_marked_stay() {
        let field = |tag: &str, first, subfields: &[(char, &'static str)]| {
            data_field(tag, [first, 'f'], subfields.iter().map(|(code, text)| (*code, Some(*text)))).unwrap()
        };
        let mut record = Record {
            fields: vec![
                field("856", '4', &[('u', "x")]),
                field("856", '4', &[('t', "0")]),
                field("856", ' ', &[('u', "y")]),
                field("999", 'f', &[('i', "1")]),
                field("999", 'f', &[('i', "2")]),
            ],
            ..Record::default()
        };
        mark_record(&mut record, true);
        let marks: Vec<Option<&str>> = record
            .fields
            .iter()
            .map(|field| match field {
                Field::Data { subfields, .. } => {
                    subfields.iter().find(|one| one.code == 't').map(|one| one.value.as_str())
                }
                Field::Control { .. } => None,
            })
            .collect();
        assert_eq!(marks, [Some("1"), Some("0"), None, Some("1"), None]);
    }
}
