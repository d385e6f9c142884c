//! The browse lists: which entries a title has in them, and the JSON of a line.
//!
//! An entry is a text with these parts, separated by NUL: the keys that identify its line; the types of contributor in that title, or the
//! locations of the call number; and the heading as it is written. A title has one entry for each line, so that the records of a line's
//! entries can be added up.

use std::collections::{BTreeMap, BTreeSet};

use octavo_modules_base::inventory_records::{ORDERED_CALL_NUMBERS, shelving_key};
use octavo_search::engine::Hit;
use octavo_search::records::{Heading, ReferenceTypes, shelf_position};
use octavo_search::text::cut_value;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::lines::{Line, List};

pub(crate) static SUBJECTS: List = List {
    name: "subject",
    operation: "browseInstancesBySubject",
    resource: "instance_subject",
    fields: &["value"],
    max_limit: 500,
    key_count: 2,
    cursor: |line| &line.heading,
    to_json: |line| {
        let mut shown = heading_members("value", line);
        if line.is_anchor {
            shown.insert("isAnchor".to_owned(), true.into());
        }
        Value::Object(shown)
    },
};

pub(crate) static CONTRIBUTORS: List = List {
    name: "contributor",
    operation: "browseInstancesByContributor",
    resource: "contributor",
    fields: &["name"],
    max_limit: 500,
    key_count: 3,
    cursor: |line| &line.heading,
    to_json: |line| {
        let mut shown = heading_members("name", line);
        if line.records > 0 {
            shown.insert("contributorTypeId".to_owned(), line.types.iter().cloned().collect());
            if let Some(kind) = line.keys.get(2).filter(|kind| !kind.is_empty()) {
                shown.insert("contributorNameTypeId".to_owned(), kind.as_str().into());
            }
        }
        shown.insert("isAnchor".to_owned(), line.is_anchor.into());
        Value::Object(shown)
    },
};

/// The JSON of its lines also has the authority.
pub(super) static AUTHORITIES: List = List {
    name: "authority",
    operation: "browseAuthorities",
    resource: "authority",
    fields: &["headingRef"],
    max_limit: 500,
    key_count: 3,
    cursor: |line| &line.heading,
    to_json: |line| {
        let mut shown = json!({"headingRef": line.heading});
        if line.is_anchor {
            shown["isAnchor"] = true.into();
        }
        shown
    },
};

/// The list of the call numbers of a type, or of all.
const fn call_number_list(name: &'static str, fields: &'static [&'static str]) -> List {
    List {
        name,
        operation: "browseInstancesByCallNumber",
        resource: "instance",
        fields,
        max_limit: 100,
        key_count: 1,
        cursor: |line| &line.keys[0],
        to_json: |line| {
            let mut shown = json!({
                "fullCallNumber": line.heading, "shelfKey": line.keys[0], "totalRecords": line.records,
            });
            if line.is_anchor {
                shown["isAnchor"] = true.into();
            }
            shown
        },
    }
}

pub(super) static CALL_NUMBERS: List = call_number_list(
    "call number",
    &["callNumber", "itemEffectiveShelvingOrder", "items.effectiveShelvingOrder"],
);

const TYPED_FIELDS: &[&str] =
    &["typedCallNumber", "itemEffectiveShelvingOrder", "items.effectiveShelvingOrder"];

/// The lists of call numbers of a type, with the names of the types.
pub(super) static TYPED_CALL_NUMBERS: [(&str, List); 6] = [
    ("LC", call_number_list("call number LC", TYPED_FIELDS)),
    ("DEWEY", call_number_list("call number DEWEY", TYPED_FIELDS)),
    ("NLM", call_number_list("call number NLM", TYPED_FIELDS)),
    ("SUDOC", call_number_list("call number SUDOC", TYPED_FIELDS)),
    ("OTHER", call_number_list("call number OTHER", TYPED_FIELDS)),
    ("LOCAL", call_number_list("call number LOCAL", TYPED_FIELDS)),
];

/// The feature that has classification numbers indexed for browsing.
pub(crate) const CLASSIFICATIONS_FEATURE: &str = "browse.classifications";

/// A list of classification numbers.
const fn classification_list(name: &'static str) -> List {
    List {
        name,
        operation: "browseInstancesByClassificationNumber",
        resource: "instance_classification",
        fields: &["number"],
        max_limit: 100,
        key_count: 3,
        cursor: |line| &line.heading,
        to_json: |line| {
            let mut shown = json!({"classificationNumber": line.heading, "totalRecords": line.records});
            if let Some(kind) = line.keys.get(2).filter(|kind| !kind.is_empty()) {
                shown["classificationTypeId"] = kind.as_str().into();
            }
            if line.is_anchor {
                shown["isAnchor"] = true.into();
            }
            shown
        },
    }
}

/// The lists of classification numbers, with the names of the algorithms by which they are sorted.
pub(super) static CLASSIFICATIONS: [(&str, List); 3] = [
    ("default", classification_list("classification default")),
    ("lc", classification_list("classification lc")),
    ("dewey", classification_list("classification dewey")),
];

/// The key by which an algorithm sorts a classification number.
pub(super) fn classification_key(algorithm: &str, number: &str) -> String {
    let number = cut_value(number.trim());
    let ordered = ORDERED_CALL_NUMBERS.iter().find(|(kind, _)| kind.eq_ignore_ascii_case(algorithm));
    let key = ordered.and_then(|(_, kind)| shelving_key(kind, number));
    key.unwrap_or_else(|| number.to_owned()).to_uppercase()
}

fn heading_members(heading: &str, line: &Line) -> Map<String, Value> {
    let mut shown = Map::new();
    shown.insert(heading.to_owned(), line.heading.as_str().into());
    if let Some(authority) = line.keys.get(1).filter(|authority| !authority.is_empty()) {
        shown.insert("authorityId".to_owned(), authority.as_str().into());
    }
    shown.insert("totalRecords".to_owned(), line.records.into());
    shown
}

/// The key by which a heading is sorted.
pub(super) fn heading_key(heading: &str) -> String {
    cut_value(heading.trim()).to_lowercase()
}

/// The entries of a title in the lists of subjects and contributors and, if the feature is enabled, of classification numbers. Shadow
/// copies of titles of other tenants (`CONSORTIUM-`) have no entries.
pub(crate) fn heading_entries(instance: &Value, features: &[String], mut add: impl FnMut(String)) {
    let text = |value: &Value, member: &str| value[member].as_str().unwrap_or_default().trim().to_owned();
    if text(instance, "source").starts_with("CONSORTIUM-") {
        return;
    }
    let list = |member: &str| instance[member].as_array().into_iter().flatten();
    if features.iter().any(|feature| feature == CLASSIFICATIONS_FEATURE) {
        let mut numbers = BTreeMap::new();
        for classification in list("classifications") {
            let number = text(classification, "classificationNumber");
            let without_blanks: String = number.split_whitespace().collect();
            let kind = text(classification, "classificationTypeId");
            numbers.entry((cut_value(&without_blanks).to_owned(), kind)).or_insert(number);
        }
        for ((without_blanks, kind), number) in numbers.iter().filter(|(_, number)| !number.is_empty()) {
            for (algorithm, list) in &CLASSIFICATIONS {
                let key = classification_key(algorithm, number);
                add([list.name, &key, without_blanks, kind, cut_value(number)].join("\0"));
            }
        }
    }
    let mut subjects = BTreeMap::new();
    for subject in list("subjects") {
        let value = text(subject, "value");
        subjects.entry((heading_key(&value), text(subject, "authorityId"))).or_insert(value);
    }
    for ((key, authority), value) in subjects.iter().filter(|((key, _), _)| !key.is_empty()) {
        add([SUBJECTS.name, key, authority, cut_value(value)].join("\0"));
    }
    let mut contributors = BTreeMap::new();
    for contributor in list("contributors") {
        let name = text(contributor, "name");
        let keys = (
            heading_key(&name),
            text(contributor, "authorityId"),
            text(contributor, "contributorNameTypeId"),
        );
        let (_, types) = contributors.entry(keys).or_insert_with(|| (name, BTreeSet::new()));
        types.insert(text(contributor, "contributorTypeId"));
    }
    for ((key, authority, kind), (name, types)) in
        contributors.iter().filter(|((key, ..), _)| !key.is_empty())
    {
        let types: Vec<&str> = types.iter().map(String::as_str).filter(|one| !one.is_empty()).collect();
        add([CONTRIBUTORS.name, key, authority, kind, &types.join(","), cut_value(name)].join("\0"));
    }
}

/// The entry of an authority's heading. `None` for see-also references to other headings.
pub(crate) fn authority_heading_entry(heading: &Heading<'_>, authority: Uuid) -> Option<String> {
    heading.kind().filter(|kind| kind.reference != "Auth/Ref")?;
    let (id, number) = (authority.to_string(), heading.part_number().to_string());
    Some([AUTHORITIES.name, &heading_key(heading.text), &id, &number, cut_value(heading.text)].join("\0"))
}

/// The authority heading of a line, if the line has one.
pub(super) fn heading_of_line(line: &Line) -> Option<Hit> {
    let [_, id, number] = line.keys.as_slice() else { return None };
    Some(Hit { id: Uuid::parse_str(id).ok()?, part: number.parse().ok()? })
}

/// The entries of a title in the lists of call numbers, from its items. Items whose call numbers differ only in the shelving key, for
/// example by the copy number, share one entry with the lowest key. An entry names locations only if the items of the title are in several
/// locations.
pub(crate) fn call_number_entries(items: &[Value], types: &ReferenceTypes, mut add: impl FnMut(String)) {
    let location = |item: &Value| item["effectiveLocationId"].as_str().unwrap_or_default().to_owned();
    let is_apart = items.windows(2).any(|two| location(&two[0]) != location(&two[1]));
    let mut entries: BTreeMap<(&str, String), (String, BTreeSet<String>)> = BTreeMap::new();
    for item in items {
        let Some(on_shelf) = shelf_position(item, types) else { continue };
        let typed = TYPED_CALL_NUMBERS.iter().find(|(kind, _)| on_shelf.kind == Some(kind));
        let key = cut_value(&on_shelf.key).to_uppercase();
        for list in [Some(&CALL_NUMBERS), typed.map(|(_, list)| list)].into_iter().flatten() {
            let number = cut_value(&on_shelf.call_number).to_owned();
            let (first, locations) =
                entries.entry((list.name, number)).or_insert_with(|| (key.clone(), BTreeSet::new()));
            if key < *first {
                first.clone_from(&key);
            }
            if is_apart {
                locations.insert(location(item));
            }
        }
    }
    for ((list, number), (key, locations)) in &entries {
        let locations = locations.iter().map(String::as_str).collect::<Vec<&str>>().join(",");
        add([list, key.as_str(), &locations, number].join("\0"));
    }
}

/// Whether the call number of an entry is in one of the locations. An entry without locations belongs to a title that is in one of them.
pub(super) fn is_in_locations(entry: &str, locations: &[String]) -> bool {
    let stands = entry.split('\0').nth(1).unwrap_or_default();
    stands.is_empty() || stands.split(',').any(|one| locations.iter().any(|location| location == one))
}

/// The entry of a line of call numbers that only one title has.
pub(super) fn call_number_entry(line: &Line) -> String {
    let locations = line.types.iter().map(String::as_str).collect::<Vec<&str>>().join(",");
    [line.keys[0].as_str(), &locations, &line.heading].join("\0")
}
