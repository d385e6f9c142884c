//! mod-oai-pmh 3.13.2 and edge-oai-pmh 2.9.2: what a harvester gets.

mod edge;
mod list;
mod protocol;
mod records;
mod sets;

use octavo_testkit::{Desk, Reply, fresh_id};
use serde_json::{Value, json};

use crate::inventory::shelf::instance;

const BOTH: &str = "Source record storage and Inventory";

/// Changes members of a configuration entry of module OAIPMH.
async fn configure(desk: &Desk, name: &str, members: Value) {
    let found = desk.find("/configurations/entries", &format!("module==OAIPMH and configName=={name}")).await;
    let mut entry = found.json()["configs"][0].clone();
    let mut value: Value = serde_json::from_str(entry["value"].as_str().unwrap()).unwrap();
    for (member, to) in members.as_object().unwrap() {
        value[member] = to.clone();
    }
    entry["value"] = json!(value.to_string());
    let id = entry["id"].as_str().unwrap().to_owned();
    desk.put(&format!("/configurations/entries/{id}"), &entry).await.expect(204);
}

/// A library whose errors have statuses of their own, and whose records come from both sources.
async fn harvested_library() -> Desk {
    let desk = Desk::open().await;
    configure(&desk, "behavior", json!({"errorsProcessing": "500", "recordsSource": BOTH})).await;
    desk
}

async fn send_request(desk: &Desk, query: &str) -> Reply {
    desk.get(&format!("/oai/records?{query}")).await
}

fn tenant(desk: &Desk) -> String {
    desk.header("x-okapi-tenant").unwrap_or_default().to_owned()
}

fn identifier(desk: &Desk, instance: &Value) -> String {
    format!("oai:folio.org:{}/{}", tenant(desk), instance["id"].as_str().unwrap())
}

async fn snapshot(desk: &Desk) -> Value {
    let body = json!({"jobExecutionId": fresh_id(), "status": "PARSING_IN_PROGRESS"});
    desk.post("/source-storage/snapshots", &body).await.expect(201).json()
}

/// An instance with a MARC record of this title.
async fn instance_with_marc(desk: &Desk, snapshot: &Value, title: &str) -> (Value, Value) {
    let instance = instance(desk, json!({"source": "MARC", "title": title})).await;
    let id = fresh_id();
    let fields = json!([
        {"001": "in1"},
        {"008": "830419m19559999gw mua   hiz   n    lat  "},
        {"245": {"ind1": "1", "ind2": "0", "subfields": [{"a": title}]}},
        {"856": {"ind1": "4", "ind2": "0", "subfields": [{"u": "http://example.org/a?b&c"}]}},
        {"999": {"ind1": "f", "ind2": "f", "subfields": [{"i": instance["id"]}]}},
    ]);
    let record = json!({
        "id": id, "snapshotId": snapshot["jobExecutionId"], "matchedId": id, "recordType": "MARC_BIB",
        "rawRecord": {"content": "00049nam"}, "externalIdsHolder": {"instanceId": instance["id"]},
        "parsedRecord": {"content": {"leader": "01542cam a2200361   4500", "fields": fields}},
        "additionalInfo": {"suppressDiscovery": false}, "state": "ACTUAL", "deleted": false,
    });
    let record = desk.post("/source-storage/records", &record).await.expect(201).json();
    (instance, record)
}

/// The texts of all elements of a name without its prefix, in order.
fn texts(reply: &Reply, name: &str) -> Vec<String> {
    let text = reply.text();
    let document = roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{error}\n{reply}"));
    let named = document.descendants().filter(|node| node.tag_name().name() == name);
    named.map(|node| node.text().unwrap_or_default().to_owned()).collect()
}

/// The ids of the records of an answer, in order.
fn ids(reply: &Reply) -> Vec<String> {
    let identifiers = texts(reply, "identifier").into_iter().filter(|one| one.starts_with("oai:"));
    identifiers.map(|identifier| identifier.rsplit('/').next().unwrap().to_owned()).collect()
}

/// The subfields of all MARC fields of a tag, as `4 0 uhttp://x`.
fn marc_fields(reply: &Reply, tag: &str) -> Vec<String> {
    let text = reply.text();
    let document = roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{error}\n{reply}"));
    let tagged = document.descendants().filter(|node| node.attribute("tag") == Some(tag));
    tagged
        .map(|node| {
            let indicators = ["ind1", "ind2"].map(|name| node.attribute(name).unwrap_or_default());
            let parts = node.children().filter(|child| child.is_element()).map(|child| {
                format!("{}{}", child.attribute("code").unwrap_or_default(), child.text().unwrap_or_default())
            });
            format!("{} {}", indicators.concat(), parts.collect::<Vec<_>>().join(" "))
        })
        .collect()
}

/// An attribute of the first element of a name.
fn attribute(reply: &Reply, name: &str, attribute: &str) -> Option<String> {
    let text = reply.text();
    let document = roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{error}\n{reply}"));
    let node = document.descendants().find(|node| node.tag_name().name() == name)?;
    node.attribute(attribute).map(str::to_owned)
}
