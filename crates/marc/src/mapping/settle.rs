//! What is put right when all fields are mapped, as FOLIO's importer does it.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::build::Building;
use super::lookups::{Lookups, NO_TYPE};
use super::{Kind, Mapped};
use crate::Record;

/// The source of holdings records that are made from MARC.
const MARC_HOLDINGS_SOURCE: &str = "036ee84a-6afd-4c3c-9ad3-4a12ab875f59";

pub(super) fn settle(kind: Kind, record: &Record, building: Building, lookups: &Lookups) -> Mapped {
    let mapped = building.record;
    match kind {
        Kind::Bibliographic => instance(mapped, lookups),
        Kind::Holdings => alone(holdings(mapped)),
        Kind::Authority => alone(authority(mapped, record, lookups)),
    }
}

fn alone(record: Map<String, Value>) -> Mapped {
    Mapped { record: Value::Object(record), preceding: Vec::new(), succeeding: Vec::new() }
}

fn holdings(mut holdings: Map<String, Value>) -> Map<String, Value> {
    holdings.remove("hrid");
    holdings.insert("sourceId".into(), json!(MARC_HOLDINGS_SOURCE));
    keep(&mut holdings, "electronicAccess", |access| filled(access, "uri"));
    keep(&mut holdings, "notes", |note| filled(note, "note"));
    holdings
}

/// Its natural id is the first of its control numbers that begins with the code of a source file, else its 001.
fn authority(mut authority: Map<String, Value>, record: &Record, lookups: &Lookups) -> Map<String, Value> {
    authority.remove("id");
    authority.insert("source".into(), json!("MARC"));
    one_type_each(&mut authority, "identifiers", "identifierTypeId", "value");
    keep(&mut authority, "identifiers", |identifier| filled(identifier, "value"));
    keep(&mut authority, "notes", |note| filled(note, "note"));
    let numbers = record.values("010", 'a').map(|number| (number, lookups.source_file(number)));
    let of_a_file = numbers.into_iter().find(|(_, file)| file.is_some());
    let own = record.control("001").map(|number| (number, lookups.source_file(number)));
    let Some((number, file)) = of_a_file.or(own) else { return authority };
    let natural: String = number.chars().filter(char::is_ascii_alphanumeric).collect();
    authority.insert("naturalId".into(), json!(natural));
    if let Some(file) = file {
        authority.insert("sourceFileId".into(), json!(file));
    }
    authority
}

fn instance(mut instance: Map<String, Value>, lookups: &Lookups) -> Mapped {
    instance.insert("source".into(), json!("MARC"));
    // FOLIO numbers its instances itself.
    instance.remove("hrid");
    if !instance.contains_key("instanceTypeId") {
        instance.insert("instanceTypeId".into(), json!(lookups.instance_type("zzz").unwrap_or(NO_TYPE)));
    }
    one_type_each(&mut instance, "identifiers", "identifierTypeId", "value");
    one_type_each(&mut instance, "classifications", "classificationTypeId", "classificationNumber");
    keep(&mut instance, "identifiers", |identifier| filled(identifier, "value"));
    keep(&mut instance, "classifications", |found| filled(found, "classificationNumber"));
    keep(&mut instance, "contributors", |contributor| filled(contributor, "name"));
    keep(&mut instance, "electronicAccess", |access| filled(access, "uri"));
    keep(&mut instance, "notes", |note| filled(note, "note"));
    keep(&mut instance, "alternativeTitles", |title| filled(title, "alternativeTitle"));
    for list in ["subjects", "series"] {
        keep(&mut instance, list, |entry| filled(entry, "value"));
    }
    for list in ["contributors", "subjects", "series", "alternativeTitles"] {
        own_authorities(&mut instance, list);
    }
    if let Some(Value::Array(languages)) = instance.get_mut("languages") {
        let mut seen = HashSet::new();
        languages.retain(|language| language.as_str().is_some_and(|code| seen.insert(code.to_owned())));
    }
    let preceding = other_titles(&mut instance, "precedingTitles");
    let succeeding = other_titles(&mut instance, "succeedingTitles");
    Mapped { record: Value::Object(instance), preceding, succeeding }
}

fn filled(object: &Value, member: &str) -> bool {
    object[member].as_str().is_some_and(|text| !text.is_empty())
}

fn keep(instance: &mut Map<String, Value>, list: &str, condition: impl Fn(&Value) -> bool) {
    if let Some(Value::Array(elements)) = instance.get_mut(list) {
        elements.retain(condition);
    }
}

/// Repeated subfields that were joined into one text have joined their types too: each value gets its own.
fn one_type_each(instance: &mut Map<String, Value>, list: &str, kind: &str, value: &str) {
    let Some(Value::Array(elements)) = instance.get_mut(list) else { return };
    let mut more = Vec::new();
    for element in elements.iter_mut() {
        let types: Vec<String> = words(&element[kind]);
        let values: Vec<String> = words(&element[value]);
        let ids = types.iter().all(|id| uuid::Uuid::parse_str(id).is_ok());
        if types.len() < 2 || !ids {
            continue;
        }
        element[kind] = json!(types[0]);
        if values.len() < 2 {
            continue;
        }
        element[value] = json!(values[0]);
        for (at, id) in types.iter().enumerate().skip(1).take(values.len() - 1) {
            let last = at == types.len() - 1;
            let text = if last { values[at..].join(" ") } else { values[at].clone() };
            more.push(json!({kind: id, value: text}));
        }
    }
    elements.extend(more);
}

fn words(text: &Value) -> Vec<String> {
    text.as_str().unwrap_or_default().split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Subfield 9 names an authority record of FOLIO's own; elsewhere it means anything.
fn own_authorities(instance: &mut Map<String, Value>, list: &str) {
    let Some(Value::Array(elements)) = instance.get_mut(list) else { return };
    for element in elements.iter_mut().filter_map(Value::as_object_mut) {
        let id = element.get("authorityId").and_then(Value::as_str);
        if id.is_some_and(|id| uuid::Uuid::parse_str(id).is_err()) {
            element.remove("authorityId");
        }
    }
}

/// Takes the titles before or after out, with their ISBN and ISSN as identifiers.
fn other_titles(instance: &mut Map<String, Value>, list: &str) -> Vec<Value> {
    let Some(Value::Array(titles)) = instance.remove(list) else { return Vec::new() };
    let titles = titles.into_iter().filter(|title| filled(title, "title"));
    let settled = titles.map(|title| {
        let identifiers: Vec<Value> = [("isbnId", "isbnValue"), ("issnId", "issnValue")]
            .into_iter()
            .filter(|(id, value)| filled(&title, id) && filled(&title, value))
            .map(|(id, value)| json!({"identifierTypeId": title[id], "value": title[value]}))
            .collect();
        json!({"title": title["title"], "identifiers": identifiers})
    });
    settled.collect()
}
