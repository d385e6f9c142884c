//! mod-quick-marc 5.1.1: MARC records as staff edit them.

mod authorities;
mod bibs;
mod holdings;
mod parsed;

use octavo_testkit::{Library, fresh_id};
use serde_json::{Value, json};

/// An id that is nobody's yet.
pub(crate) fn new_id() -> String {
    fresh_id().to_string()
}

pub(crate) const RECORDS: &str = "/records-editor/records";
/// FOLIO's ids of the LC name authority file, of text and of the source of holdings made from MARC.
pub(crate) const LCNAF: &str = "af045f2f-e851-4613-984c-4bc13430454a";
const TEXT: &str = "6312d172-f0cf-40f6-b27d-9fa8feaf332f";

/// A snapshot that source records can be stored under.
pub(crate) async fn snapshot(library: &Library) -> String {
    let id = new_id();
    let snapshot = json!({"jobExecutionId": id, "status": "PARSING_IN_PROGRESS"});
    library.post("/source-storage/snapshots", &snapshot).await.expect(201);
    id
}

pub(crate) fn data(tag: &str, indicators: &str, subfields: &Value) -> Value {
    let mut indicators = indicators.chars();
    let mut one = || indicators.next().unwrap_or(' ').to_string();
    json!({tag: {"ind1": one(), "ind2": one(), "subfields": subfields}})
}

/// Stores a MARC record of what has this id.
pub(crate) async fn source_record(
    library: &Library,
    snapshot: &str,
    kind: &str,
    holder: Value,
    leader: &str,
    mut fields: Vec<Value>,
) -> String {
    let id = new_id();
    let described =
        holder.as_object().and_then(|holder| holder.iter().find(|(name, _)| name.ends_with("Id")));
    let described = described.map(|(_, id)| id.clone()).unwrap_or_default();
    fields.push(data("999", "ff", &json!([{"s": id}, {"i": described}])));
    let record = json!({
        "id": id, "matchedId": id, "snapshotId": snapshot, "recordType": kind, "generation": 0, "state": "ACTUAL",
        "rawRecord": {"content": "00714cam"}, "deleted": false, "additionalInfo": {"suppressDiscovery": false},
        "externalIdsHolder": holder, "parsedRecord": {"id": id, "content": {"leader": leader, "fields": fields}},
    });
    library.post("/source-storage/records", &record).await.expect(201);
    id
}

/// An instance with its MARC record; its id.
pub(crate) async fn bib(library: &Library, snapshot: &str, hrid: &str, more: Vec<Value>) -> String {
    let id = new_id();
    let instance = json!({
        "id": id, "hrid": hrid, "source": "MARC", "title": "before", "instanceTypeId": TEXT,
        "contributors": [], "statisticalCodeIds": [], "administrativeNotes": ["kept"],
    });
    library.post("/instance-storage/instances", &instance).await.expect(201);
    let mut fields = vec![
        json!({"001": hrid}),
        json!({"008": "020805s2002    nyu    j      000 1 eng  "}),
        json!({"005": "20220418114815.9"}),
        data("100", "1 ", &json!([{"a": "Chabon"}])),
        data("245", "10", &json!([{"a": "Summerland /"}, {"c": "Michael Chabon."}])),
    ];
    fields.extend(more);
    let holder = json!({"instanceId": id, "instanceHrid": hrid});
    source_record(library, snapshot, "MARC_BIB", holder, "00835cam a2200229 a 4500", fields).await;
    id
}

/// An authority with its MARC record; its id.
pub(crate) async fn authority(library: &Library, snapshot: &str, natural_id: &str, name: &str) -> String {
    let id = new_id();
    let authority = json!({
        "id": id, "source": "MARC", "naturalId": natural_id, "personalName": name, "sourceFileId": LCNAF,
        "saftGeographicName": ["Test"], "subjectHeadings": "a",
    });
    library.post("/authority-storage/authorities", &authority).await.expect(201);
    let fields = vec![
        json!({"001": natural_id}),
        json!({"003": "DLC"}),
        json!({"008": "000107n| azannaabn          |n aaa      "}),
        json!({"005": "20220420052621.9"}),
        data("010", "  ", &json!([{"a": natural_id}])),
        data("100", "1 ", &json!([{"a": name}])),
        data("551", "  ", &json!([{"a": "Test"}])),
    ];
    let holder = json!({"authorityId": id, "authorityHrid": natural_id});
    source_record(library, snapshot, "MARC_AUTHORITY", holder, "00722cz  a2200157n  4500", fields).await;
    id
}

pub(crate) async fn view(library: &Library, id: &str) -> Value {
    library.get(&format!("{RECORDS}?externalId={id}")).await.expect(200).json()
}

/// The record in the editor, changed, as the editor sends it.
pub(crate) fn edited(mut view: Value, version: i64, change: impl FnOnce(&mut Vec<Value>)) -> Value {
    change(view["fields"].as_array_mut().unwrap());
    view["relatedRecordVersion"] = json!(version.to_string());
    view["_actionType"] = json!("edit");
    view
}

pub(crate) fn place(body: &Value) -> String {
    format!("{RECORDS}/{}", body["parsedRecordId"].as_str().unwrap())
}

pub(crate) fn field<'a>(view: &'a Value, tag: &str) -> Vec<&'a Value> {
    view["fields"].as_array().unwrap().iter().filter(|field| field["tag"] == tag).collect()
}

/// What became of a record that was created.
pub(crate) async fn created(library: &Library, body: &Value) -> Value {
    let answer = library.post(RECORDS, body).await.expect(201).json();
    assert_eq!(answer["status"], "IN_PROGRESS");
    let id = answer["qmRecordId"].as_str().unwrap();
    let status = library.get(&format!("{RECORDS}/status?qmRecordId={id}")).await.expect(200).json();
    assert_eq!(status["jobExecutionId"], answer["jobExecutionId"]);
    status
}
