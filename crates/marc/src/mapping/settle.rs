//! Corrections to the FOLIO record after all fields are mapped, as FOLIO's importer makes them.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::build::Building;
use super::lookups::{Lookups, NO_TYPE};
use super::{Kind, Mapped};
use crate::Record;

/// The id of the holdings source `MARC`, for holdings records that are made from MARC.
const MARC_HOLDINGS_SOURCE: &str = "036ee84a-6afd-4c3c-9ad3-4a12ab875f59";

pub(super) fn finish(kind: Kind, record: &Record, building: Building, lookups: &Lookups) -> Mapped {
    let mapped = building.record;
    match kind {
        Kind::Bibliographic => finish_instance(mapped, lookups),
        Kind::Holdings => without_titles(finish_holdings(mapped)),
        Kind::Authority => without_titles(finish_authority(mapped, record, lookups)),
    }
}

fn without_titles(record: Map<String, Value>) -> Mapped {
    Mapped { record: Value::Object(record), preceding: Vec::new(), succeeding: Vec::new() }
}

fn finish_holdings(mut holdings: Map<String, Value>) -> Map<String, Value> {
    holdings.remove("hrid");
    holdings.insert("sourceId".into(), json!(MARC_HOLDINGS_SOURCE));
    retain_elements(&mut holdings, "electronicAccess", |access| has_text(access, "uri"));
    retain_elements(&mut holdings, "notes", |note| has_text(note, "note"));
    holdings
}

/// The natural id of an authority is the first of its control numbers that begins with the code of a source file, else the number in 001.
fn finish_authority(
    mut authority: Map<String, Value>,
    record: &Record,
    lookups: &Lookups,
) -> Map<String, Value> {
    authority.remove("id");
    authority.insert("source".into(), json!("MARC"));
    split_joined_types(&mut authority, "identifiers", "identifierTypeId", "value");
    retain_elements(&mut authority, "identifiers", |identifier| has_text(identifier, "value"));
    retain_elements(&mut authority, "notes", |note| has_text(note, "note"));
    let numbers = record.values("010", 'a').map(|number| (number, lookups.source_file(number)));
    let of_a_file = numbers.into_iter().find(|(_, file)| file.is_some());
    let own = record.control_field("001").map(|number| (number, lookups.source_file(number)));
    let Some((number, file)) = of_a_file.or(own) else { return authority };
    let natural: String = number.chars().filter(char::is_ascii_alphanumeric).collect();
    authority.insert("naturalId".into(), json!(natural));
    if let Some(file) = file {
        authority.insert("sourceFileId".into(), json!(file));
    }
    authority
}

fn finish_instance(mut instance: Map<String, Value>, lookups: &Lookups) -> Mapped {
    instance.insert("source".into(), json!("MARC"));
    // FOLIO numbers its instances itself.
    instance.remove("hrid");
    if !instance.contains_key("instanceTypeId") {
        instance.insert("instanceTypeId".into(), json!(lookups.instance_type_id("zzz").unwrap_or(NO_TYPE)));
    }
    split_joined_types(&mut instance, "identifiers", "identifierTypeId", "value");
    split_joined_types(&mut instance, "classifications", "classificationTypeId", "classificationNumber");
    retain_elements(&mut instance, "identifiers", |identifier| has_text(identifier, "value"));
    retain_elements(&mut instance, "classifications", |found| has_text(found, "classificationNumber"));
    retain_elements(&mut instance, "contributors", |contributor| has_text(contributor, "name"));
    retain_elements(&mut instance, "electronicAccess", |access| has_text(access, "uri"));
    retain_elements(&mut instance, "notes", |note| has_text(note, "note"));
    retain_elements(&mut instance, "alternativeTitles", |title| has_text(title, "alternativeTitle"));
    for list in ["subjects", "series"] {
        retain_elements(&mut instance, list, |entry| has_text(entry, "value"));
    }
    for list in ["contributors", "subjects", "series", "alternativeTitles"] {
        remove_foreign_authority_ids(&mut instance, list);
    }
    if let Some(Value::Array(languages)) = instance.get_mut("languages") {
        let mut seen = HashSet::new();
        languages.retain(|language| language.as_str().is_some_and(|code| seen.insert(code.to_owned())));
    }
    let preceding = take_related_titles(&mut instance, "precedingTitles");
    let succeeding = take_related_titles(&mut instance, "succeedingTitles");
    Mapped { record: Value::Object(instance), preceding, succeeding }
}

fn has_text(object: &Value, member: &str) -> bool {
    object[member].as_str().is_some_and(|text| !text.is_empty())
}

fn retain_elements(instance: &mut Map<String, Value>, list: &str, condition: impl Fn(&Value) -> bool) {
    if let Some(Value::Array(elements)) = instance.get_mut(list) {
        elements.retain(condition);
    }
}

/// If repeated subfields were joined into one text, their types were joined too: gives each value its own type again.
fn split_joined_types(instance: &mut Map<String, Value>, list: &str, kind: &str, value: &str) {
    let Some(Value::Array(elements)) = instance.get_mut(list) else { return };
    let mut more = Vec::new();
    for element in elements.iter_mut() {
        let types: Vec<String> = split_words(&element[kind]);
        let values: Vec<String> = split_words(&element[value]);
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

fn split_words(text: &Value) -> Vec<String> {
    text.as_str().unwrap_or_default().split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Removes authority ids that are no UUIDs: subfield 9 has an id of FOLIO only if FOLIO has linked the field.
fn remove_foreign_authority_ids(instance: &mut Map<String, Value>, list: &str) {
    let Some(Value::Array(elements)) = instance.get_mut(list) else { return };
    for element in elements.iter_mut().filter_map(Value::as_object_mut) {
        let id = element.get("authorityId").and_then(Value::as_str);
        if id.is_some_and(|id| uuid::Uuid::parse_str(id).is_err()) {
            element.remove("authorityId");
        }
    }
}

/// Removes the titles before or after an instance from it, and returns them with their ISBN and ISSN as identifiers.
fn take_related_titles(instance: &mut Map<String, Value>, list: &str) -> Vec<Value> {
    let Some(Value::Array(titles)) = instance.remove(list) else { return Vec::new() };
    let titles = titles.into_iter().filter(|title| has_text(title, "title"));
    let settled = titles.map(|title| {
        let identifiers: Vec<Value> = [("isbnId", "isbnValue"), ("issnId", "issnValue")]
            .into_iter()
            .filter(|(id, value)| has_text(&title, id) && has_text(&title, value))
            .map(|(id, value)| json!({"identifierTypeId": title[id], "value": title[value]}))
            .collect();
        json!({"title": title["title"], "identifiers": identifiers})
    });
    settled.collect()
}
