//! What stands in the lists: what a title puts there, and how a line is shown.
//!
//! An entry is the keys that its line is by, the types of contributor in that title or the locations of the call number, and the heading
//! as it is written, with NUL in between. A title has one entry for each line, so that the records of a line's entries can be added up.

use std::collections::{BTreeMap, BTreeSet};

use octavo_modules_base::inventory_records::{ORDERED_CALL_NUMBERS, shelving_key};
use octavo_search::engine::Hit;
use octavo_search::records::{Heading, Types, on_shelf};
use octavo_search::text::cut;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::lines::{Line, List};

pub(crate) static SUBJECTS: List = List {
    name: "subject",
    operation: "browseInstancesBySubject",
    resource: "instance_subject",
    fields: &["value"],
    most: 500,
    keys: 2,
    place: |line| &line.shown,
    show: |line| {
        let mut shown = shown("value", line);
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
    most: 500,
    keys: 3,
    place: |line| &line.shown,
    show: |line| {
        let mut shown = shown("name", line);
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

/// Its lines are shown with their authorities.
pub(super) static AUTHORITIES: List = List {
    name: "authority",
    operation: "browseAuthorities",
    resource: "authority",
    fields: &["headingRef"],
    most: 500,
    keys: 3,
    place: |line| &line.shown,
    show: |line| {
        let mut shown = json!({"headingRef": line.shown});
        if line.is_anchor {
            shown["isAnchor"] = true.into();
        }
        shown
    },
};

/// The list of the call numbers of a type, or of all.
const fn call_numbers_of(name: &'static str, fields: &'static [&'static str]) -> List {
    List {
        name,
        operation: "browseInstancesByCallNumber",
        resource: "instance",
        fields,
        most: 100,
        keys: 1,
        place: |line| &line.keys[0],
        show: |line| {
            let mut shown = json!({
                "fullCallNumber": line.shown, "shelfKey": line.keys[0], "totalRecords": line.records,
            });
            if line.is_anchor {
                shown["isAnchor"] = true.into();
            }
            shown
        },
    }
}

pub(super) static CALL_NUMBERS: List = call_numbers_of(
    "call number",
    &["callNumber", "itemEffectiveShelvingOrder", "items.effectiveShelvingOrder"],
);

const TYPED: &[&str] = &["typedCallNumber", "itemEffectiveShelvingOrder", "items.effectiveShelvingOrder"];

/// The lists of call numbers of a type, with the names of the types.
pub(super) static TYPED_CALL_NUMBERS: [(&str, List); 6] = [
    ("LC", call_numbers_of("call number LC", TYPED)),
    ("DEWEY", call_numbers_of("call number DEWEY", TYPED)),
    ("NLM", call_numbers_of("call number NLM", TYPED)),
    ("SUDOC", call_numbers_of("call number SUDOC", TYPED)),
    ("OTHER", call_numbers_of("call number OTHER", TYPED)),
    ("LOCAL", call_numbers_of("call number LOCAL", TYPED)),
];

/// The feature with which titles have entries in the lists of classification numbers.
pub(crate) const CLASSIFICATIONS_FEATURE: &str = "browse.classifications";

/// A list of classification numbers.
const fn classifications_of(name: &'static str) -> List {
    List {
        name,
        operation: "browseInstancesByClassificationNumber",
        resource: "instance_classification",
        fields: &["number"],
        most: 100,
        keys: 3,
        place: |line| &line.shown,
        show: |line| {
            let mut shown = json!({"classificationNumber": line.shown, "totalRecords": line.records});
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
    ("default", classifications_of("classification default")),
    ("lc", classifications_of("classification lc")),
    ("dewey", classifications_of("classification dewey")),
];

/// The key by which an algorithm sorts a classification number.
pub(super) fn classification_key(algorithm: &str, number: &str) -> String {
    let number = cut(number.trim());
    let ordered = ORDERED_CALL_NUMBERS.iter().find(|(kind, _)| kind.eq_ignore_ascii_case(algorithm));
    let key = ordered.and_then(|(_, kind)| shelving_key(kind, number));
    key.unwrap_or_else(|| number.to_owned()).to_uppercase()
}

fn shown(heading: &str, line: &Line) -> Map<String, Value> {
    let mut shown = Map::new();
    shown.insert(heading.to_owned(), line.shown.as_str().into());
    if let Some(authority) = line.keys.get(1).filter(|authority| !authority.is_empty()) {
        shown.insert("authorityId".to_owned(), authority.as_str().into());
    }
    shown.insert("totalRecords".to_owned(), line.records.into());
    shown
}

/// The key by which a heading is sorted.
pub(super) fn key(heading: &str) -> String {
    cut(heading.trim()).to_lowercase()
}

/// The entries of a title in the lists of subjects, contributors and, with their feature, classification numbers. Copies of titles of
/// other tenants have none.
pub(crate) fn headings(instance: &Value, features: &[String], mut add: impl FnMut(String)) {
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
            numbers.entry((cut(&without_blanks).to_owned(), kind)).or_insert(number);
        }
        for ((without_blanks, kind), number) in numbers.iter().filter(|(_, number)| !number.is_empty()) {
            for (algorithm, list) in &CLASSIFICATIONS {
                let key = classification_key(algorithm, number);
                add([list.name, &key, without_blanks, kind, cut(number)].join("\0"));
            }
        }
    }
    let mut subjects = BTreeMap::new();
    for subject in list("subjects") {
        let value = text(subject, "value");
        subjects.entry((key(&value), text(subject, "authorityId"))).or_insert(value);
    }
    for ((key, authority), value) in subjects.iter().filter(|((key, _), _)| !key.is_empty()) {
        add([SUBJECTS.name, key, authority, cut(value)].join("\0"));
    }
    let mut contributors = BTreeMap::new();
    for contributor in list("contributors") {
        let name = text(contributor, "name");
        let keys = (key(&name), text(contributor, "authorityId"), text(contributor, "contributorNameTypeId"));
        let (_, types) = contributors.entry(keys).or_insert_with(|| (name, BTreeSet::new()));
        types.insert(text(contributor, "contributorTypeId"));
    }
    for ((key, authority, kind), (name, types)) in
        contributors.iter().filter(|((key, ..), _)| !key.is_empty())
    {
        let types: Vec<&str> = types.iter().map(String::as_str).filter(|one| !one.is_empty()).collect();
        add([CONTRIBUTORS.name, key, authority, kind, &types.join(","), cut(name)].join("\0"));
    }
}

/// The entry of an authority's heading. References from a heading to others (see also) are not listed.
pub(crate) fn heading_of_authority(heading: &Heading<'_>, authority: Uuid) -> Option<String> {
    heading.kind().filter(|kind| kind.reference != "Auth/Ref")?;
    let (id, number) = (authority.to_string(), heading.number().to_string());
    Some([AUTHORITIES.name, &key(heading.text), &id, &number, cut(heading.text)].join("\0"))
}

/// The heading that a line stands for, if it stands for one.
pub(super) fn heading_of_line(line: &Line) -> Option<Hit> {
    let [_, id, number] = line.keys.as_slice() else { return None };
    Some(Hit { id: Uuid::parse_str(id).ok()?, part: number.parse().ok()? })
}

/// The entries of a title in the lists of call numbers, by its items. Copies that differ in nothing but their shelving keys, such as
/// by the number of the copy, have one entry, with the first key. Only of a title with items in several locations an entry says in which
/// of them the call number stands.
pub(crate) fn call_numbers(items: &[Value], types: &Types, mut add: impl FnMut(String)) {
    let location = |item: &Value| item["effectiveLocationId"].as_str().unwrap_or_default().to_owned();
    let is_apart = items.windows(2).any(|two| location(&two[0]) != location(&two[1]));
    let mut entries: BTreeMap<(&str, String), (String, BTreeSet<String>)> = BTreeMap::new();
    for item in items {
        let Some(on_shelf) = on_shelf(item, types) else { continue };
        let typed = TYPED_CALL_NUMBERS.iter().find(|(kind, _)| on_shelf.kind == Some(kind));
        let key = cut(&on_shelf.key).to_uppercase();
        for list in [Some(&CALL_NUMBERS), typed.map(|(_, list)| list)].into_iter().flatten() {
            let number = cut(&on_shelf.call_number).to_owned();
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

/// Whether the call number of an entry, which begins with its key, stands in one of the locations of a title that has items in one of them.
pub(super) fn stands_in(entry: &str, locations: &[String]) -> bool {
    let stands = entry.split('\0').nth(1).unwrap_or_default();
    stands.is_empty() || stands.split(',').any(|one| locations.iter().any(|location| location == one))
}

/// The entry of a line of call numbers that only one title has.
pub(super) fn call_number_of_line(line: &Line) -> String {
    let locations = line.types.iter().map(String::as_str).collect::<Vec<&str>>().join(",");
    [line.keys[0].as_str(), &locations, &line.shown].join("\0")
}
