//! What FOLIO's schemas and frameworks say of whole records, held against every record type: members that the schema does not
//! name are refused, kept or dropped; arrays that were not sent are `[]`, or absent; `metadata` is there, or is not.
//!
//! `roots.tsv` has the facts, from the sources of release Quesnelia: `root` is `closed` or `open`, `arrays` `empty` where they
//! come back as `[]`, `metadata` `filled` where the server keeps it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use octavo_record::{Node, RecordType, Schema, Shape};
use octavo_testkit::reference::CIRC_DESK;
use octavo_testkit::{Desk, Library, Serve, fresh_id, routes};
use serde_json::{Map, Value, json};

use super::tables::record_type;

const FACTS: &str = include_str!("roots.tsv");

/// Modules on folio-spring: whatever the schema says, they drop what it does not name.
const SPRING: [&str; 7] = [
    "mod-calendar",
    "mod-circulation-item",
    "mod-entities-links",
    "mod-notes",
    "mod-password-validator",
    "mod-remote-storage",
    "mod-tags",
];

/// What FOLIO does with members that are unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unknown {
    Refused,
    Kept,
    Dropped,
}

#[derive(Debug, Clone, Copy)]
struct SchemaFacts {
    unknown: Unknown,
    empty_arrays: bool,
    metadata: bool,
}

/// By module and record.
fn facts() -> BTreeMap<(&'static str, &'static str), SchemaFacts> {
    let row = |line: &'static str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [module, record, root, arrays, metadata] = columns[..] else { panic!("{line}") };
        let unknown = match root {
            _ if SPRING.contains(&module) => Unknown::Dropped,
            "closed" => Unknown::Refused,
            _ => Unknown::Kept,
        };
        let root = SchemaFacts { unknown, empty_arrays: arrays == "empty", metadata: metadata == "filled" };
        ((module, record), root)
    };
    FACTS.lines().skip(1).map(row).collect()
}

fn file(module: &str, record: &str) -> String {
    let records = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../crates/modules/folio/records");
    let path = records.join(module).join(format!("{record}.tsv"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What FOLIO's schema says of a record type that is served at its own path; `None` if FOLIO does not have it.
fn facts_of_record(record: &RecordType) -> Option<SchemaFacts> {
    facts().into_iter().find(|((module, name), _)| file(module, name) == record.schema).map(|(_, root)| root)
}

/// The record types that clients may create.
fn creatable() -> Vec<(&'static RecordType, SchemaFacts)> {
    let created = routes().filter_map(|entry| match entry.serve {
        Serve::Create(record) if !entry.multiple && !entry.pattern.contains('{') => Some(record),
        _ => None,
    });
    created.filter_map(|record| Some((record, facts_of_record(record)?))).collect()
}

#[test]
fn every_schema_says_of_its_record_what_folio_does() {
    let facts = facts();
    assert!(facts.len() > 130, "{} facts", facts.len());
    for ((module, record), root) in facts {
        let schema = Schema::parse(&file(module, record));
        let Shape::Object { closed, .. } = schema.root.shape else { panic!("{module} {record}") };
        let unknown = match (closed, schema.drops_unknown) {
            (true, false) => Unknown::Refused,
            (false, false) => Unknown::Kept,
            (false, true) => Unknown::Dropped,
            (true, true) => panic!("{module} {record} refuses and drops"),
        };
        assert_eq!(unknown, root.unknown, "{module} {record}");
        assert_eq!(schema.metadata, root.metadata, "metadata of {module} {record}");
        // A record without an array says nothing of arrays.
        assert!(schema.arrays.is_none() || root.empty_arrays, "arrays of {module} {record}");
        assert!(
            !root.empty_arrays || schema.arrays.is_some() || !has_arrays(&schema.root),
            "{module} {record}"
        );
    }
}

fn has_arrays(node: &Node) -> bool {
    match &node.shape {
        Shape::Array(_) => true,
        Shape::Object { members, .. } => members.values().any(has_arrays),
        _ => false,
    }
}

/// The names of a record's own arrays.
fn arrays(record: &RecordType) -> Vec<&'static str> {
    let Shape::Object { members, .. } = &record.schema().root.shape else { return Vec::new() };
    members
        .iter()
        .filter(|(_, node)| matches!(node.shape, Shape::Array(_)))
        .map(|(name, _)| name.as_str())
        .collect()
}

#[tokio::test]
async fn an_unknown_member_is_refused_by_the_records_whose_schema_is_closed_and_by_no_other() {
    let library = Library::open().await;
    let all = creatable();
    assert!(all.len() > 70, "{} record types", all.len());
    for (record, root) in all {
        let reply = library.post(record.path, &json!({UNKNOWN: 1})).await;
        let refused = reply.text().contains(&format!("Unrecognized field \\\"{UNKNOWN}\\\""));
        assert_eq!(refused, root.unknown == Unknown::Refused, "{}\n{reply}", record.name);
    }
}

const UNKNOWN: &str = "memberOfNoSchema";

/// The same of bodies that are no records of their path.
#[tokio::test]
async fn an_unknown_member_is_refused_in_other_bodies_as_in_folio() {
    let library = Library::furnished().await;
    let user = library.store(record_type("users"), json!({"username": "jane", "active": true})).await;
    let instance =
        json!({"source": "FOLIO", "title": "T", "instanceTypeId": "6312d172-f0cf-40f6-b27d-9fa8feaf332f"});
    let email = json!({"notificationId": "n", "to": "a@b.example", "header": "h", "body": "b", "outputFormat": "text/plain"});
    let mail = json!({"notificationId": "n", "to": "a", "header": "h", "body": "b", "outputFormat": "text/html",
        "attachments": []});
    for (path, mut body, status) in [
        ("/check-out-lock-storage", json!({"userId": user["id"], "ttlMs": 100}), 201),
        ("/instance-storage/batch/instances", json!({"instances": [instance], "totalRecords": 1}), 201),
        ("/email", email, 200),
        ("/mail", mail, 200),
        ("/authn/login", json!({"username": "jane", "password": "x"}), 400),
    ] {
        body[UNKNOWN] = json!({"any": 1});
        let reply = library.post(path, &body).await.expect(status);
        assert!(!reply.text().contains(UNKNOWN), "{reply}");
    }
    for (method, path) in [
        ("POST", "/instance-storage/batch/synchronous"),
        ("POST", "/holdings-storage/batch/synchronous-unsafe"),
        ("POST", "/item-storage/batch/synchronous"),
        ("PUT", "/inventory-storage/bound-withs"),
        ("POST", "/request-storage-batch/requests"),
        ("POST", "/anonymize-storage-loans"),
        ("POST", "/authn/password-reset-action"),
        ("POST", "/authn/reset-password"),
        ("POST", "/accounts-bulk/pay"),
        ("POST", "/rtac-batch"),
        ("POST", "/message-delivery"),
    ] {
        let reply = library.send(method, path, json!({UNKNOWN: 1}).to_string()).await.expect(422);
        assert!(reply.text().contains(&format!("Unrecognized field \\\"{UNKNOWN}\\\"")), "{reply}");
    }
    for path in ["/patron-block-conditions", "/patron-block-limits"] {
        let list = library.get(path).await.expect(200).json();
        let collection = if path.ends_with("limits") { "patronBlockLimits" } else { "patronBlockConditions" };
        for found in list[collection].as_array().unwrap() {
            let mut body = found.clone();
            body[UNKNOWN] = json!("kept");
            let path = format!("{path}/{}", found["id"].as_str().unwrap());
            library.put(&path, &body).await.expect(204);
            assert_eq!(library.get(&path).await.json()[UNKNOWN], "kept");
        }
    }
}

/// Posts as little as the schema asks for, and no array; how many record types can be made so.
#[tokio::test]
async fn a_record_comes_back_with_the_arrays_and_the_metadata_that_folio_gives_it() {
    let library = Library::furnished().await.acting_as(fresh_id());
    let desk = Desk::furnish(&library, |_| {}).await;
    desk.item().await;
    desk.patron().await;
    let (mut made, mut others) = (0, Vec::new());
    for (record, root) in creatable() {
        let mut body = least_body(&library, record).await;
        if root.unknown != Unknown::Refused {
            body[UNKNOWN] = json!("x");
        }
        let reply = library.post(record.path, &body).await;
        if reply.status != 201 {
            others.push(format!("{}: {}", record.name, reply.text()));
            continue;
        }
        made += 1;
        let created = reply.json();
        let path = format!("{}/{}", record.path, created["id"].as_str().unwrap_or_default());
        let found = library.get(&path).await.expect(200).json();
        for shown in [&created, &found] {
            assert_eq!(
                shown.get(UNKNOWN).is_some(),
                root.unknown == Unknown::Kept,
                "{} {shown}",
                record.name
            );
            assert_eq!(shown["metadata"].is_object(), root.metadata, "{} {shown}", record.name);
            for name in arrays(record).iter().filter(|_| root.empty_arrays) {
                assert_eq!(shown[*name], json!([]), "{name} of {} {shown}", record.name);
            }
        }
        without_arrays(&library, record, root, &path).await;
    }
    assert!(made >= 60, "{made} were made, and not these:\n{}", others.join("\n"));
}

/// What an earlier release has stored without its arrays reads as if it had them, alone and in a list.
async fn without_arrays(library: &Library, record: &'static RecordType, root: SchemaFacts, path: &str) {
    let names = arrays(record);
    if !root.empty_arrays || names.is_empty() {
        return;
    }
    let id = path.rsplit('/').next().unwrap_or_default();
    let list = names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ");
    let sql =
        format!("update {:?} set doc = (doc::jsonb - array[{list}])::json where id = '{id}'", record.table);
    library.script(sql).await;
    let one = library.get(path).await.expect(200).json();
    let query = format!("id=={id}");
    let listed = library.find(record.path, &query).await.expect(200).json();
    for shown in [&one, &listed[record.collection][0]] {
        for name in &names {
            assert_eq!(shown[*name], json!([]), "{name} of an old {} {shown}", record.name);
        }
    }
}

/// The smallest body that a record type accepts, after the records that it names are stored.
async fn least_body(library: &Library, record: &'static RecordType) -> Value {
    let mut body = needed_value(&record.schema().root);
    // What the schemas do not say: an open loan has a borrower, its date is a date, and a request for an item names the item.
    let more = match record.table {
        "loan" => json!({"userId": fresh_id(), "loanDate": "2026-11-23T10:00:00.000+00:00"}),
        "request" => json!({"itemId": fresh_id(), "holdingsRecordId": fresh_id()}),
        _ => json!({}),
    };
    for (name, value) in more.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    for reference in record.references {
        let Some(named) = body.get_mut(reference.field) else { continue };
        let target = record_type(reference.table);
        let known = library.get(target.path).await.expect(200).json();
        *named = match known[target.collection].get(0) {
            Some(record) => record["id"].clone(),
            None => {
                let record = Box::pin(least_body(library, target)).await;
                library.store(target, record).await["id"].clone()
            }
        };
    }
    body
}

/// Something that satisfies a schema.
fn needed_value(node: &Node) -> Value {
    match &node.shape {
        Shape::String => json!(text(node)),
        Shape::Integer | Shape::Number => json!(node.minimum.unwrap_or(1.0) as i64),
        Shape::Boolean => json!(true),
        Shape::Array(_) => json!([]),
        Shape::Any | Shape::Record(_) => json!({}),
        Shape::Object { members, .. } => {
            let wanted = members.iter().filter(|(_, node)| {
                node.required && !node.read_only && !matches!(node.shape, Shape::Array(_))
            });
            wanted.map(|(name, node)| (name.clone(), needed_value(node))).collect::<Map<_, _>>().into()
        }
    }
}

fn text(node: &Node) -> String {
    if let Some(choice) = node.choices.first() {
        return choice.clone();
    }
    if node.date_time {
        return "2026-11-23T10:00:00.000+00:00".to_owned();
    }
    let id = fresh_id().to_string();
    let fits = |text: &&String| node.pattern.as_ref().is_none_or(|pattern| pattern.regex.is_match(text));
    let tries =
        [id.clone(), "1".to_owned(), "a".to_owned(), "en".to_owned(), "https://a.example/".to_owned()];
    let text = tries.iter().find(fits).cloned().unwrap_or(id);
    text.chars().take(node.size_limits.1.unwrap_or(usize::MAX)).collect()
}

#[tokio::test]
async fn what_folios_scripts_insert_has_no_metadata() {
    let library = Library::furnished().await;
    for path in [
        "/staff-slips-storage/staff-slips",
        "/feefines",
        "/patron-block-conditions",
        "/templates",
        "/eventConfig",
        "/tenant/rules",
    ] {
        let body = library.get(&format!("{path}?limit=100")).await.expect(200).json();
        let records = body.as_object().unwrap().values().find_map(Value::as_array).unwrap();
        assert!(!records.is_empty(), "{path}");
        for record in records {
            assert!(record.get("metadata").is_none(), "{path} {record}");
        }
    }
    let groups = library.get("/groups").await.expect(200).json();
    assert!(groups["usergroups"][0]["metadata"]["createdDate"].is_string(), "{groups}");
}

/// mod-circulation-storage declares these arrays with at least one element and `null` as their default.
#[tokio::test]
async fn an_array_that_may_be_null_is_absent_if_it_was_not_sent() {
    let library = Library::furnished().await;
    let path = "/request-policy-storage/request-policies";
    let points = json!({"Hold": [CIRC_DESK]});
    for allowed in [json!({}), points] {
        let id = fresh_id();
        let policy =
            json!({"id": id, "name": id, "requestTypes": ["Hold", "Page"], "allowedServicePoints": allowed});
        library.post(path, &policy).await.expect(201);
        let stored = library.get(&format!("{path}/{id}")).await.expect(200).json();
        assert_eq!(stored["allowedServicePoints"], allowed);
    }
}
