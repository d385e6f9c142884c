//! Instances compared with FOLIO's default mapping rules, field by field, by a reading of the rules and of MARC that shares nothing with
//! Octavo's: the tables in `compared/rules.rs`.

mod expected;
mod generated;
mod names;
mod rules;

use std::collections::HashMap;

use octavo_testkit::Library;
use serde_json::{Map, Value, json};

use super::marc::{Field, Record, parse_text, read_file, to_iso2709};
use super::{Importing, JOBS, profiles};
use crate::data_import::{ACTIONS, CREATES_INSTANCES, MAPPINGS, MATCHES, association, create_profile};
use names::Names;

/// Members that no rule fills: numbers, times, what staff say of an instance, and what the storage works out.
const NOT_MAPPED: [&str; 10] = [
    "_version",
    "discoverySuppress",
    "hrid",
    "id",
    "metadata",
    "previouslyHeld",
    "publicationPeriod",
    "source",
    "staffSuppress",
    "statusUpdatedDate",
];

fn books() -> Vec<Record> {
    parse_text(include_str!("compared/books.mrk"))
}

fn file(records: &[Record]) -> Vec<u8> {
    records.iter().flat_map(to_iso2709).collect()
}

/// An instance of the API in a form that can be compared: names instead of ids, without members that no rule fills and without the order
/// of numbers.
fn comparable_instance(instance: &Value, names: &Names) -> Map<String, Value> {
    let Value::Object(mut members) = names.replace_ids(instance) else { panic!("{instance}") };
    assert_eq!(members["source"], "MARC", "{instance}");
    members.retain(|name, _| !NOT_MAPPED.contains(&name.as_str()));
    sort_identifiers(members)
}

/// Identifiers come in no order: the number that the record had elsewhere is the last one.
fn sort_identifiers(members: Map<String, Value>) -> Map<String, Value> {
    sort_lists(members, |list| list == "identifiers")
}

/// Lists may be in any order: protected values can come before or after the incoming ones.
fn sort_all_lists(members: Map<String, Value>) -> Map<String, Value> {
    sort_lists(members, |_| true)
}

fn sort_lists(mut members: Map<String, Value>, which: impl Fn(&str) -> bool) -> Map<String, Value> {
    for (_, list) in members.iter_mut().filter(|(name, _)| which(name)) {
        if let Value::Array(values) = list {
            values.sort_by_key(Value::to_string);
        }
    }
    members
}

/// What two instances differ in, a line for each member.
fn differences(found: &Map<String, Value>, expected: &Map<String, Value>) -> Vec<String> {
    let names: std::collections::BTreeSet<&String> = found.keys().chain(expected.keys()).collect();
    let differ = names.into_iter().filter(|name| found.get(*name) != expected.get(*name));
    let text = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), Value::to_string);
    differ
        .map(|name| {
            format!(
                "{name}\n    is       {}\n    expected {}",
                text(found.get(name)),
                text(expected.get(name))
            )
        })
        .collect()
}

impl Importing {
    /// The instances that a job made of the records of its file, by their places.
    async fn instances_of_job(&self, job: &str) -> HashMap<usize, Value> {
        let path = "/instance-storage/instances?query=cql.allRecords=1%20sortBy%20hrid";
        let all = self.all_pages(path, "instances").await;
        let by_id: HashMap<&str, &Value> = all.iter().map(|one| (one["id"].as_str().unwrap(), one)).collect();
        let log =
            self.all_pages(&format!("/metadata-provider/jobLogEntries/{job}?order=asc"), "entries").await;
        let of = |entry: &Value| {
            let id = entry["relatedInstanceInfo"]["idList"][0].as_str()?;
            let place = entry["sourceRecordOrder"].as_str()?.parse().ok()?;
            Some((place, (*by_id.get(id)?).clone()))
        };
        log.iter().filter_map(of).collect()
    }

    /// Imports a file by FOLIO's own profile and compares every record. Returns how many were compared.
    async fn import_and_compare(&self, name: &str, file: &[u8], names: &Names) -> usize {
        let records = read_file(file);
        let job = self.upload_and_import(name, file, CREATES_INSTANCES).await;
        let last = self.read_job(&job).await;
        let are_whole = records.iter().all(Option::is_some);
        assert!(last["status"] == "COMMITTED" || !are_whole, "{last}");
        assert_eq!(last["progress"]["current"], records.len(), "{last}");
        let instances = self.instances_of_job(&job).await;
        let titles = self
            .all_pages("/preceding-succeeding-titles?query=cql.allRecords=1", "precedingSucceedingTitles")
            .await;
        let (mut compared, mut wrong) = (0, Vec::new());
        for (place, record) in records.iter().enumerate() {
            let Some(record) = record else { continue };
            let instance =
                instances.get(&place).unwrap_or_else(|| panic!("{name}: record {place} is no instance"));
            let expected = sort_identifiers(expected::expected_instance(
                &expected::with_system_control_number(record),
                names,
            ));
            let mut differ = differences(&comparable_instance(instance, names), &expected);
            for (tag, of) in [("780", "succeedingInstanceId"), ("785", "precedingInstanceId")] {
                let found = titles.iter().filter(|title| title[of] == instance["id"]);
                let found = sorted(found.map(|title| {
                    names.replace_ids(&json!({"title": title["title"], "identifiers": title["identifiers"]}))
                }));
                let expected = sorted(
                    expected::preceding_or_succeeding_titles(record, tag)
                        .into_iter()
                        .map(|title| names.replace_ids(&title)),
                );
                if found != expected {
                    differ.push(format!("{tag}\n    is       {found:?}\n    expected {expected:?}"));
                }
            }
            compared += 1;
            wrong.extend(differ.into_iter().map(|line| format!("{name}, record {place}: {line}")));
        }
        assert!(
            wrong.is_empty(),
            "{} differences:\n{}",
            wrong.len(),
            wrong[..wrong.len().min(40)].join("\n")
        );
        compared
    }
}

fn sorted(values: impl Iterator<Item = Value>) -> Vec<String> {
    let mut texts: Vec<String> = values.map(|value| value.to_string()).collect();
    texts.sort();
    texts
}

#[tokio::test]
async fn instances_are_as_the_rules_say() {
    let desk = Importing::from_library(Library::furnished().await).await;
    let names = Names::load(&desk).await;
    let books = books();
    assert_eq!(desk.import_and_compare("books.mrc", &file(&books), &names).await, books.len());
    // A field for each row of the tables, with every subfield of it and others.
    let generated = generated::generate_records();
    assert_eq!(desk.import_and_compare("generated.mrc", &file(&generated), &names).await, generated.len());
}

/// `OCTAVO_MARC_FILES` names a folder of files (ISO 2709). Records that are not bibliographic are passed over.
#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "where further files are is no setting of Octavo")]
#[expect(clippy::print_stdout, reason = "says how many records were compared")]
async fn instances_of_other_files_are_as_the_rules_say() {
    let Some(folder) = std::env::var_os("OCTAVO_MARC_FILES") else { return };
    let desk = Importing::from_library(Library::furnished().await).await;
    let names = Names::load(&desk).await;
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "mrc"));
    files.sort();
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).unwrap();
        let is_bibliographic =
            |record: &[u8]| record.get(6).is_some_and(|kind| b"acdefgijkmoprt".contains(kind));
        let records = bytes
            .split_inclusive(|byte| *byte == 0x1D)
            .filter(|record| is_bibliographic(record.trim_ascii_start()));
        let (mut compared, mut count) = (0, 0);
        // The test server takes 8 MiB at once.
        let records: Vec<&[u8]> = records.collect();
        for part in records.chunks(1000) {
            compared += desk.import_and_compare(&name, &part.concat(), &names).await;
            count += part.len();
        }
        println!("{name}: {compared} of {count} bibliographic records compared, no difference");
    }
}

fn with_field(mut record: Record, tag: &str, indicators: [char; 2], subfields: &[(char, &str)]) -> Record {
    let subfields = subfields.iter().map(|(code, value)| (*code, (*value).to_owned())).collect();
    let at = record.fields.iter().position(|field| field.tag.as_str() > tag).unwrap_or(record.fields.len());
    record.fields.insert(at, Field { tag: tag.to_owned(), indicators, subfields });
    record
}

fn without_fields(mut record: Record, tags: &[&str]) -> Record {
    record.fields.retain(|field| !tags.contains(&field.tag.as_str()));
    record
}

/// A profile of the library's own: what matches by 035 $a is laid over the stored record, what does not match is made.
async fn create_overlay_profile(desk: &Importing) -> String {
    let marc = "MARC_BIBLIOGRAPHIC";
    let detail = json!({
        "incomingRecordType": marc, "existingRecordType": marc, "matchCriterion": "EXACTLY_MATCHES",
        "incomingMatchExpression": profiles::marc_field("035", "a"), "existingMatchExpression": profiles::marc_field("035", "a"),
    });
    let matches = json!({"name": "by number", "incomingRecordType": marc, "existingRecordType": marc, "matchDetails": [detail]});
    let matches = create_profile(desk, MATCHES, matches, &[]).await;
    let details = json!({"name": "overlay", "recordType": marc, "marcMappingOption": "UPDATE", "marcMappingDetails": [], "mappingFields": []});
    let mapping = json!({"name": "overlay", "incomingRecordType": marc, "existingRecordType": marc, "mappingDetails": details});
    let update = create_action_profile(
        desk,
        json!({"name": "overlay", "action": "UPDATE", "folioRecord": marc}),
        mapping,
    )
    .await;
    let details = json!({"name": "new", "recordType": "INSTANCE", "mappingFields": [{
        "name": "catalogedDate", "enabled": "true", "path": "instance.catalogedDate", "value": "\"2026-11-28\"", "subfields": [],
    }]});
    let mapping = json!({"name": "new", "incomingRecordType": marc, "existingRecordType": "INSTANCE", "mappingDetails": details});
    let create = create_action_profile(
        desk,
        json!({"name": "new", "action": "CREATE", "folioRecord": "INSTANCE"}),
        mapping,
    )
    .await;
    let below = |action: &str, reaction: &str| {
        let mut relation = association(("MATCH", &matches), ("ACTION", action), 0);
        relation["reactTo"] = json!(reaction);
        relation
    };
    let relations = [
        association(("JOB", ""), ("MATCH", &matches), 0),
        below(&update, "MATCH"),
        below(&create, "NON_MATCH"),
    ];
    create_profile(desk, crate::data_import::JOBS, json!({"name": "Vendor", "dataType": "MARC"}), &relations)
        .await
}

async fn create_action_profile(desk: &Importing, action: Value, mapping: Value) -> String {
    let mapping = create_profile(desk, MAPPINGS, mapping, &[]).await;
    create_profile(desk, ACTIONS, action, &[association(("ACTION", ""), ("MAPPING", &mapping), 0)]).await
}

#[tokio::test]
async fn an_overlay_replaces_what_is_not_protected() {
    let desk = Importing::from_library(Library::furnished().await).await;
    let names = Names::load(&desk).await;
    let profile = create_overlay_profile(&desk).await;
    let setting = json!({"field": "590", "indicator1": "*", "indicator2": "*", "subfield": "a", "data": "*", "source": "USER"});
    desk.post("/field-protection-settings/marc", &setting).await.expect(201);
    let local = [('a', "Gift of the friends of the library.")];
    let books: Vec<Record> =
        books().into_iter().map(|book| with_field(book, "590", [' ', ' '], &local)).collect();
    let first = desk.upload_and_import("first.mrc", &file(&books), &profile).await;
    let before = desk.instances_of_job(&first).await;
    assert_eq!(before.len(), books.len());
    for (place, instance) in &before {
        let mut expected = sort_identifiers(expected::expected_instance(
            &expected::with_system_control_number(&books[*place]),
            &names,
        ));
        expected.insert("catalogedDate".to_owned(), json!("2026-11-28"));
        assert_eq!(
            differences(&comparable_instance(instance, &names), &expected),
            Vec::<String>::new(),
            "record {place}"
        );
    }
    // The vendor sends all of them again: with other notes, without subjects, and one more.
    let mut again: Vec<Record> = Vec::new();
    for book in &books {
        let number = expected::with_system_control_number(book).fields.pop().expect("the number that it had");
        let number = if number.tag == "035" { number.subfields[0].1.clone() } else { panic!("{book:?}") };
        let changed = without_fields(book.clone(), &["003", "500", "590", "650"]);
        let changed = with_field(changed, "500", [' ', ' '], &[('a', "As the vendor has it now.")]);
        again.push(with_field(changed, "035", [' ', ' '], &[('a', &number)]));
    }
    let mut new = without_fields(books[0].clone(), &["035"]);
    new.fields[0].subfields[0].1 = "one-more".to_owned();
    again.push(new);
    let second = desk.upload_and_import("second.mrc", &file(&again), &profile).await;
    let after = desk.instances_of_job(&second).await;
    assert_eq!(after.len(), again.len(), "{}", desk.get(&format!("{JOBS}/{second}")).await);
    let mut wrong = Vec::new();
    for (place, instance) in &after {
        let Some(former) = before.get(place) else { continue };
        assert_eq!((&instance["id"], &instance["hrid"]), (&former["id"], &former["hrid"]));
        // The vendor's number in 001 becomes one of its numbers, what is protected stays.
        let mut expected = expected::with_system_control_number(&again[*place]);
        expected.fields.extend(books[*place].fields.iter().filter(|field| field.tag == "590").cloned());
        let mut expected = expected::expected_instance(&expected, &names);
        expected.insert("catalogedDate".to_owned(), json!("2026-11-28"));
        let found = sort_all_lists(comparable_instance(instance, &names));
        let differ = differences(&found, &sort_all_lists(expected)).into_iter();
        wrong.extend(differ.map(|line| format!("record {place}: {line}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(
        desk.all_pages("/instance-storage/instances?query=cql.allRecords=1", "instances").await.len(),
        again.len()
    );
}
