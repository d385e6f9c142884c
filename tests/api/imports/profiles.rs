//! What job profiles make of records: written to the inventory and to the source records, and told by the log.

use octavo_testkit::{Desk, Library, fresh_id};
use serde_json::{Value, json};

use super::{Importing, JOBS, chunk};

const BOOK: &str = "1a54b431-2e4f-452d-9cae-9cee66c9a892";
const CAN_CIRCULATE: &str = "2b94c631-fca9-4892-a730-03ee529ffe27";

/// A library with reference records and one location, `Fiction (F)`.
pub(super) async fn library_with_location() -> Importing {
    let library = Library::furnished().await;
    Desk::furnish(&library, |_| {}).await;
    Importing::from_library(library).await
}

pub(super) fn wrapper(kind: &str, content: Value, children: Vec<Value>) -> Value {
    let mut wrapper = json!({"id": fresh_id(), "contentType": kind});
    wrapper["content"] = content;
    wrapper["childSnapshotWrappers"] = Value::from(children);
    wrapper
}

/// An action with its mapping; `fields` are pairs of a name and an expression.
pub(super) fn action(action: &str, record: &str, fields: &[(&str, &str)]) -> Value {
    let accepted = json!({BOOK: "book", CAN_CIRCULATE: "Can circulate"});
    let fields: Vec<Value> = fields
        .iter()
        .map(|(name, value)| {
            json!({"name": name, "enabled": "true", "path": format!("{}.{name}", record.to_lowercase()), "value": value, "subfields": [], "acceptedValues": accepted})
        })
        .collect();
    let details = json!({"name": record.to_lowercase(), "recordType": record, "mappingFields": fields});
    let mapping = json!({
        "name": "mapping", "incomingRecordType": "MARC_BIBLIOGRAPHIC", "existingRecordType": record, "mappingDetails": details,
    });
    let content = json!({"name": format!("{action} {record}"), "action": action, "folioRecord": record});
    wrapper("ACTION_PROFILE", content, vec![wrapper("MAPPING_PROFILE", mapping, vec![])])
}

/// Replaces the stored MARC record by the incoming one.
pub(super) fn overlay_action() -> Value {
    let details = json!({"name": "marcBib", "recordType": "MARC_BIBLIOGRAPHIC", "marcMappingOption": "UPDATE", "marcMappingDetails": [], "mappingFields": []});
    let mapping = json!({
        "name": "overlay", "incomingRecordType": "MARC_BIBLIOGRAPHIC", "existingRecordType": "MARC_BIBLIOGRAPHIC", "mappingDetails": details,
    });
    let content = json!({"name": "overlay", "action": "UPDATE", "folioRecord": "MARC_BIBLIOGRAPHIC"});
    wrapper("ACTION_PROFILE", content, vec![wrapper("MAPPING_PROFILE", mapping, vec![])])
}

pub(super) fn marc_field(tag: &str, code: &str) -> Value {
    let field = |label: &str, value: &str| json!({"label": label, "value": value});
    json!({"dataValueType": "VALUE_FROM_RECORD", "fields": [
        field("field", tag), field("indicator1", ""), field("indicator2", ""), field("recordSubfield", code),
    ]})
}

/// Compares a field of the incoming record with the same field of stored ones.
pub(super) fn match_marc(tag: &str, code: &str, found: Vec<Value>, not_found: Vec<Value>) -> Value {
    let detail = json!({
        "incomingRecordType": "MARC_BIBLIOGRAPHIC", "existingRecordType": "MARC_BIBLIOGRAPHIC",
        "incomingMatchExpression": marc_field(tag, code), "matchCriterion": "EXACTLY_MATCHES",
        "existingMatchExpression": marc_field(tag, code),
    });
    let content = json!({
        "name": "match", "incomingRecordType": "MARC_BIBLIOGRAPHIC", "existingRecordType": "MARC_BIBLIOGRAPHIC", "matchDetails": [detail],
    });
    matching(content, found, not_found)
}

/// Compares a field of the incoming record with a member of stored records.
pub(super) fn match_member(record: &str, member: &str, tag: &str, code: &str, found: Vec<Value>) -> Value {
    let detail = json!({
        "incomingRecordType": "MARC_BIBLIOGRAPHIC", "existingRecordType": record,
        "incomingMatchExpression": marc_field(tag, code), "matchCriterion": "EXACTLY_MATCHES",
        "existingMatchExpression": {
            "dataValueType": "VALUE_FROM_RECORD", "fields": [{"label": "field", "value": format!("{}.{member}", record.to_lowercase())}],
        },
    });
    let content = json!({
        "name": "match", "incomingRecordType": "MARC_BIBLIOGRAPHIC", "existingRecordType": record, "matchDetails": [detail],
    });
    matching(content, found, vec![])
}

fn matching(content: Value, found: Vec<Value>, not_found: Vec<Value>) -> Value {
    let branch = |mut child: Value, reaction: &str, order: usize| {
        child["reactTo"] = json!(reaction);
        child["order"] = json!(order);
        child
    };
    let found = found.into_iter().enumerate().map(|(order, child)| branch(child, "MATCH", order));
    let not_found = not_found.into_iter().enumerate().map(|(order, child)| branch(child, "NON_MATCH", order));
    wrapper("MATCH_PROFILE", content, found.chain(not_found).collect())
}

pub(super) fn book(number: &str, title: &str, more: &[Value]) -> String {
    let subfields = |subfields: Value| json!({"ind1": " ", "ind2": " ", "subfields": subfields});
    let mut fields = vec![
        json!({"001": number}),
        json!({"003": "VEND"}),
        json!({"020": subfields(json!([{"a": format!("978{number:0>10}")}]))}),
        json!({"245": {"ind1": "1", "ind2": "0", "subfields": [{"a": title}]}}),
    ];
    fields.extend(more.iter().cloned());
    json!({"leader": "00000nam a2200000   4500", "fields": fields}).to_string()
}

pub(super) fn copy_field(location: &str, barcode: &str) -> Value {
    json!({"945": {"ind1": " ", "ind2": " ", "subfields": [{"a": location}, {"b": barcode}]}})
}

impl Importing {
    /// Imports the records by a profile of these children; the log's entries.
    pub(super) async fn import_records(&self, children: Vec<Value>, records: &[String]) -> Vec<Value> {
        let id = self.import_job(children, records, false).await;
        self.log_entries(&id, "limit=100&order=asc").await
    }

    /// The id of a new job with a profile of these children.
    pub(super) async fn create_job(&self, children: Vec<Value>) -> String {
        let mut job = self.create_jobs(&["books.mrc"], json!({})).await["jobExecutions"][0].clone();
        let profile = wrapper("JOB_PROFILE", json!({"name": "Test", "dataType": "MARC"}), children);
        job["jobProfileInfo"] =
            json!({"id": profile["id"], "name": "Test", "dataType": "MARC", "hidden": false});
        job["jobProfileSnapshotWrapper"] = profile;
        let id = job["id"].as_str().unwrap().to_owned();
        self.put(&format!("{JOBS}/{id}"), &job).await.expect(200);
        id
    }

    /// The id of a job that has imported the records, or has tried to.
    pub(super) async fn import_job(&self, children: Vec<Value>, records: &[String], trial: bool) -> String {
        let id = self.create_job(children).await;
        if trial {
            self.post(&format!("/octavo/import-jobs/{id}/trial"), &json!({})).await.expect(204);
        }
        self.send_chunk(&id, &chunk(records, records.len(), records.len(), true)).await.expect(204);
        self.run_imports().await;
        let done = self.read_job(&id).await;
        assert_eq!(done["progress"]["current"], records.len(), "{done}");
        id
    }

    pub(super) async fn undo_job(&self, job: &str) -> Value {
        let path = format!("/octavo/import-jobs/{job}/undo");
        self.post(&path, &json!({})).await.expect(202);
        self.relay().await;
        let state = self.get(&path).await.expect(200).json();
        assert_eq!(state["status"], "COMPLETED", "{state}");
        state
    }

    pub(super) async fn all_records(&self, path: &str, collection: &str) -> Vec<Value> {
        let list = self.get(&format!("{path}?limit=1000")).await.expect(200).json();
        list[collection].as_array().unwrap().clone()
    }

    pub(super) async fn instances(&self) -> Vec<Value> {
        let mut all = self.all_records("/instance-storage/instances", "instances").await;
        all.sort_by_key(|instance| instance["title"].to_string());
        all
    }

    /// The current MARC record of an instance, as it is stored.
    pub(super) async fn source_record_of(&self, instance: &Value) -> Value {
        let id = instance["id"].as_str().unwrap();
        let path = format!("/source-storage/records/{id}/formatted?idType=INSTANCE");
        self.get(&path).await.expect(200).json()
    }

    /// The current MARC record of an instance.
    pub(super) async fn marc_of(&self, instance: &Value) -> Value {
        let all = self.all_records("/source-storage/source-records", "sourceRecords").await;
        let of = |record: &&Value| record["externalIdsHolder"]["instanceId"] == instance["id"];
        all.iter().find(of).expect("a MARC record").clone()
    }
}

pub(super) fn values(marc: &Value, tag: &str, code: &str) -> Vec<String> {
    let fields = marc["parsedRecord"]["content"]["fields"].as_array().unwrap();
    let subfields = fields.iter().filter_map(|field| field[tag]["subfields"].as_array()).flatten();
    subfields.filter_map(|subfield| Some(subfield[code].as_str()?.to_owned())).collect()
}

#[tokio::test]
async fn an_instance_and_its_marc_record_are_made() {
    let desk = library_with_location().await;
    let before = json!({"780": {"ind1": "0", "ind2": "0", "subfields": [{"t": "The former title"}, {"x": "0000-0019"}]}});
    let entries = desk
        .import_records(vec![action("CREATE", "INSTANCE", &[])], &[book("1", "The title", &[before])])
        .await;
    let instances = desk.instances().await;
    let instance = &instances[0];
    assert_eq!((&instance["title"], &instance["source"]), (&json!("The title"), &json!("MARC")));
    let hrid = instance["hrid"].as_str().unwrap();
    assert!(hrid.starts_with("in"), "{hrid}");
    let marc = desk.marc_of(instance).await;
    assert_eq!(marc["parsedRecord"]["content"]["fields"][0], json!({"001": hrid}));
    assert_eq!(values(&marc, "035", "a"), ["(VEND)1"]);
    assert_eq!(values(&marc, "999", "i"), [instance["id"].as_str().unwrap()]);
    assert_eq!(marc["externalIdsHolder"]["instanceHrid"], hrid);
    let titles = desk.all_records("/preceding-succeeding-titles", "precedingSucceedingTitles").await;
    assert_eq!(
        (&titles[0]["title"], &titles[0]["succeedingInstanceId"]),
        (&json!("The former title"), &instance["id"])
    );
    assert_eq!(entries[0]["sourceRecordActionStatus"], "CREATED");
    assert_eq!(entries[0]["relatedInstanceInfo"]["hridList"], json!([hrid]));
}

#[tokio::test]
async fn an_instance_gets_the_id_of_its_record_if_the_client_allows_that() {
    let desk = library_with_location().await;
    for (allowed, status) in [(false, 404), (true, 200)] {
        let (id, job) = (fresh_id(), desk.create_job(vec![action("CREATE", "INSTANCE", &[])]).await);
        let ids = json!({"999": {"ind1": "f", "ind2": "f", "subfields": [{"i": id}]}});
        let records = [book("1", "The title", &[ids])];
        let path = format!("{JOBS}/{job}/records?acceptInstanceId={allowed}");
        desk.post(&path, &chunk(&records, 1, 1, true)).await.expect(204);
        desk.run_imports().await;
        desk.get(&format!("/instance-storage/instances/{id}")).await.expect(status);
    }
}

#[tokio::test]
async fn holdings_and_items_are_made_for_each_copy() {
    let desk = library_with_location().await;
    let records = [
        book("1", "One copy", &[copy_field("F", "b1")]),
        book("2", "A copy with the same barcode", &[copy_field("F", "b1")]),
        book("3", "A copy nowhere", &[copy_field("X", "b3")]),
    ];
    let entries = desk.import_records(copies(), &records).await;
    assert_eq!(desk.instances().await.len(), 3);
    let items = desk.all_records("/item-storage/items", "items").await;
    assert_eq!(items.len(), 1, "{items:?} {entries:#?}");
    assert_eq!((&items[0]["barcode"], &items[0]["status"]["name"]), (&json!("b1"), &json!("Available")));
    let holdings = desk.all_records("/holdings-storage/holdings", "holdingsRecords").await;
    assert_eq!(holdings.len(), 2, "{holdings:?}");
    assert!(items[0]["effectiveLocationId"].is_string());
    let errors: Vec<bool> = entries
        .iter()
        .map(|entry| {
            entry["relatedItemInfo"].to_string().contains("rror")
                && !entry["relatedItemInfo"][0]["error"].as_str().unwrap_or("").is_empty()
                || !entry["relatedHoldingsInfo"][0]["error"].as_str().unwrap_or("").is_empty()
        })
        .collect();
    assert_eq!(errors, [false, true, true], "{entries:?}");
}

#[tokio::test]
async fn a_record_that_matches_takes_the_place_of_the_stored_one() {
    let desk = library_with_location().await;
    desk.import_records(vec![action("CREATE", "INSTANCE", &[])], &[book("1", "The old title", &[])]).await;
    let before = desk.instances().await.remove(0);
    let number = json!({"035": {"ind1": " ", "ind2": " ", "subfields": [{"a": "(VEND)1"}]}});
    let update = || match_marc("035", "a", vec![overlay_action()], vec![action("CREATE", "INSTANCE", &[])]);
    let records = [book("7", "The new title", &[number]), book("8", "Another title", &[])];
    let entries = desk.import_records(vec![update()], &records).await;
    let instances = desk.instances().await;
    assert_eq!(instances.len(), 2, "{entries:?}");
    let instance = instances.iter().find(|instance| instance["id"] == before["id"]).unwrap();
    assert_eq!((&instance["title"], &instance["hrid"]), (&json!("The new title"), &before["hrid"]));
    assert_eq!(instance["_version"], before["_version"].as_i64().unwrap() + 1);
    let marc = desk.marc_of(instance).await;
    assert_eq!(marc["parsedRecord"]["content"]["fields"][0], json!({"001": before["hrid"]}));
    let record = desk.source_record_of(instance).await;
    assert_eq!((&record["generation"], &record["state"]), (&json!(1), &json!("ACTUAL")));
    let statuses: Vec<&Value> = entries.iter().map(|entry| &entry["sourceRecordActionStatus"]).collect();
    assert_eq!(statuses, ["UPDATED", "CREATED"]);
}

#[tokio::test]
async fn an_instance_that_is_marked_as_deleted_is_changed_with_its_marc_record() {
    let desk = library_with_location().await;
    desk.import_records(vec![action("CREATE", "INSTANCE", &[])], &[book("1", "The old title", &[])]).await;
    let before = desk.instances().await.remove(0);
    let first = desk.source_record_of(&before).await;
    let id = before["id"].as_str().unwrap();
    desk.delete(&format!("/inventory/instances/{id}/mark-deleted")).await.expect(204);
    let number = json!({"990": {"ind1": " ", "ind2": " ", "subfields": [{"a": before["hrid"]}]}});
    let update = match_member("INSTANCE", "hrid", "990", "a", vec![action("UPDATE", "INSTANCE", &[])]);
    let entries = desk.import_records(vec![update], &[book("9", "The new title", &[number])]).await;
    let instances = desk.instances().await;
    assert_eq!((instances.len(), &instances[0]["title"]), (1, &json!("The new title")), "{entries:?}");
    let record = desk.source_record_of(&instances[0]).await;
    assert_eq!(
        (&record["generation"], &record["matchedId"], &record["state"]),
        (&json!(1), &first["matchedId"], &json!("ACTUAL"))
    );
}

/// In the index of MARC fields this number of a vendor has the same number as the tag 245, which all records have.
#[tokio::test]
async fn a_record_is_found_among_many_that_look_alike_in_the_index() {
    let desk = library_with_location().await;
    let others: Vec<String> =
        (0..40).map(|at| book(&format!("000000{at:08}"), &format!("Title {at}"), &[])).collect();
    desk.import_records(vec![action("CREATE", "INSTANCE", &[])], &others).await;
    desk.import_records(
        vec![action("CREATE", "INSTANCE", &[])],
        &[book("00000001805704", "The old title", &[])],
    )
    .await;
    let number = json!({"035": {"ind1": " ", "ind2": " ", "subfields": [{"a": "(VEND)00000001805704"}]}});
    let records = [book("7", "The new title", &[number])];
    let entries =
        desk.import_records(vec![match_marc("035", "a", vec![overlay_action()], vec![])], &records).await;
    let titles: Vec<Value> = desk.instances().await.iter().map(|one| one["title"].clone()).collect();
    assert!(
        titles.contains(&json!("The new title")) && !titles.contains(&json!("The old title")),
        "{entries:?}"
    );
}

#[tokio::test]
async fn two_records_of_a_file_that_change_the_same_one_do_so_one_after_the_other() {
    let desk = library_with_location().await;
    desk.import_records(vec![action("CREATE", "INSTANCE", &[])], &[book("1", "The title", &[])]).await;
    let number = json!({"035": {"ind1": " ", "ind2": " ", "subfields": [{"a": "(VEND)1"}]}});
    let records: Vec<String> = (0..4)
        .map(|at| book(&format!("7{at}"), &format!("The title, {at}"), std::slice::from_ref(&number)))
        .collect();
    let entries =
        desk.import_records(vec![match_marc("035", "a", vec![overlay_action()], vec![])], &records).await;
    let instances = desk.instances().await;
    assert_eq!((instances.len(), &instances[0]["title"]), (1, &json!("The title, 3")), "{entries:?}");
    let record = desk.source_record_of(&instances[0]).await;
    assert_eq!(record["generation"], 4);
}

/// The items change with their holdings: that is no change by somebody else.
#[tokio::test]
async fn holdings_and_their_items_are_changed_by_one_record() {
    let desk = library_with_location().await;
    desk.import_records(copies(), &[book("1", "One copy", &[copy_field("F", "b1")])]).await;
    let holdings = desk.all_records("/holdings-storage/holdings", "holdingsRecords").await.remove(0);
    let of_holdings = action("UPDATE", "HOLDINGS", &[("callNumber", "\"QA 1\"")]);
    let of_items = action("UPDATE", "ITEM", &[("copyNumber", "\"c. 2\"")]);
    let children = vec![
        match_member("HOLDINGS", "hrid", "990", "a", vec![of_holdings]),
        match_member("ITEM", "barcode", "945", "b", vec![of_items]),
    ];
    let number = json!({"990": {"ind1": " ", "ind2": " ", "subfields": [{"a": holdings["hrid"]}]}});
    let entries = desk.import_records(children, &[book("9", "x", &[number, copy_field("F", "b1")])]).await;
    let item = desk.all_records("/item-storage/items", "items").await.remove(0);
    let changed = (&item["copyNumber"], &item["effectiveCallNumberComponents"]["callNumber"]);
    assert_eq!(changed, (&json!("c. 2"), &json!("QA 1")), "{entries:?}");
    let holdings = desk.all_records("/holdings-storage/holdings", "holdingsRecords").await.remove(0);
    assert_eq!(holdings["callNumber"], "QA 1");
}

#[tokio::test]
async fn instances_and_items_are_found_by_their_members() {
    let desk = library_with_location().await;
    desk.import_records(copies(), &[book("1", "One copy", &[copy_field("F", "b1")])]).await;
    let by_barcode = match_member(
        "ITEM",
        "barcode",
        "945",
        "b",
        vec![action("UPDATE", "ITEM", &[("copyNumber", "\"c. 2\"")])],
    );
    desk.import_records(vec![by_barcode], &[book("9", "x", &[copy_field("F", "B1")])]).await;
    let items = desk.all_records("/item-storage/items", "items").await;
    assert_eq!(items[0]["copyNumber"], "c. 2");
    for (at, member) in ["hrid", "identifiers[].value", "title", "id"].into_iter().enumerate() {
        let title = format!("Wanted by {member}");
        desk.import_records(vec![action("CREATE", "INSTANCE", &[])], &[book(&format!("1{at}"), &title, &[])])
            .await;
        let instances = desk.instances().await;
        let wanted = instances.iter().find(|instance| instance["title"] == *title).unwrap();
        let value = match member {
            "identifiers[].value" => &wanted["identifiers"][0]["value"],
            member => &wanted[member],
        };
        let field = json!({"990": {"ind1": " ", "ind2": " ", "subfields": [{"a": value}]}});
        let update = action("UPDATE", "INSTANCE", &[("catalogedDate", "\"2026-11-28\"")]);
        let found = match_member("INSTANCE", member, "990", "a", vec![update]);
        let entries = desk.import_records(vec![found], &[book("9", "Found", &[field])]).await;
        let path = format!("/instance-storage/instances/{}", wanted["id"].as_str().unwrap());
        let changed = desk.get(&path).await.expect(200).json();
        assert_eq!(changed["catalogedDate"], "2026-11-28", "{member}: {entries:?}");
    }
}

pub(super) fn copies() -> Vec<Value> {
    vec![
        action("CREATE", "INSTANCE", &[]),
        action("CREATE", "HOLDINGS", &[("permanentLocationId", "945$a")]),
        action(
            "CREATE",
            "ITEM",
            &[
                ("barcode", "945$b"),
                ("materialType.id", "\"book\""),
                ("permanentLoanType.id", "\"Can circulate\""),
                ("status.name", "\"Available\""),
            ],
        ),
    ]
}

#[tokio::test]
async fn a_trial_tells_what_would_become_of_records_and_keeps_none() {
    let desk = library_with_location().await;
    desk.import_records(vec![action("CREATE", "INSTANCE", &[])], &[book("1", "The old title", &[])]).await;
    let number = json!({"035": {"ind1": " ", "ind2": " ", "subfields": [{"a": "(VEND)1"}]}});
    let profile = vec![match_marc("035", "a", vec![overlay_action()], copies())];
    let records =
        [book("7", "The new title", &[number]), book("8", "Another title", &[copy_field("F", "b8")])];
    let job = desk.import_job(profile, &records, true).await;
    let instances = desk.instances().await;
    assert_eq!((instances.len(), &instances[0]["title"]), (1, &json!("The old title")));
    assert!(desk.all_records("/item-storage/items", "items").await.is_empty());
    let log = desk.log_entries(&job, "limit=100&order=asc").await;
    let statuses: Vec<&Value> = log.iter().map(|entry| &entry["sourceRecordActionStatus"]).collect();
    assert_eq!(statuses, ["UPDATED", "CREATED"]);
    let told = desk.get(&format!("/octavo/import-jobs/{job}/changes")).await.expect(200).json();
    assert_eq!(told["isTrial"], true);
    assert_eq!(told["canBeImported"], false, "no file was uploaded");
    desk.post(&format!("/octavo/import-jobs/{job}/import"), &json!({})).await.expect(400);
    let told = told["changes"].as_array().unwrap();
    let kinds: Vec<(i64, &str, &str)> = told
        .iter()
        .map(|change| {
            let text = |name: &str| change[name].as_str().unwrap();
            (change["recordOrder"].as_i64().unwrap(), text("entityType"), text("action"))
        })
        .collect();
    assert_eq!(
        kinds,
        [
            (0, "INSTANCE", "UPDATE"),
            (0, "MARC_BIBLIOGRAPHIC", "UPDATE"),
            (1, "INSTANCE", "CREATE"),
            (1, "HOLDINGS", "CREATE"),
            (1, "ITEM", "CREATE"),
            (1, "MARC_BIBLIOGRAPHIC", "CREATE"),
        ]
    );
    let title = told[0]["fields"].as_array().unwrap().iter().find(|field| field["field"] == "title").unwrap();
    assert_eq!((&title["before"], &title["after"]), (&json!("The old title"), &json!("The new title")));
    let lines = told[1]["fields"].as_array().unwrap();
    let line = lines.iter().find(|line| line["field"] == "245").unwrap();
    assert_eq!(
        (&line["before"], &line["after"]),
        (&json!("10 $a The old title"), &json!("10 $a The new title")),
        "{lines:?}"
    );
    for (records, expected) in [("1", 4), ("0", 2), ("0,1", 6), ("7", 0)] {
        let path = format!("/octavo/import-jobs/{job}/changes?limit=1&records={records}");
        assert_eq!(desk.get(&path).await.expect(200).json()["totalRecords"], expected, "{records}");
    }
    desk.get(&format!("/octavo/import-jobs/{job}/changes?records=x")).await.expect(400);
    assert_eq!(desk.read_job(&job).await["isTrial"], true);
    desk.get(&format!("/octavo/import-jobs/{job}/undo-preview")).await.expect(400);
    desk.post(&format!("/octavo/import-jobs/{job}/undo"), &json!({})).await.expect(400);
    desk.post(&format!("/octavo/import-jobs/{job}/trial"), &json!({})).await.expect(400);
}

#[tokio::test]
async fn links_that_a_job_has_ended_come_back_when_it_is_undone() {
    let desk = library_with_location().await;
    let snapshot = crate::quick_marc::snapshot(&desk.library).await;
    let mut authorities = Vec::new();
    for (number, name) in [("n1", "Ann"), ("n2", "Bea"), ("n3", "Cat")] {
        authorities.push(crate::quick_marc::authority(&desk.library, &snapshot, number, name).await);
    }
    let names = ["Ann", "Bea", "Cat"];
    let linked = |at: usize| json!({"700": {"ind1": "1", "ind2": " ", "subfields": [{"a": names[at]}, {"0": format!("n{}", at + 1)}, {"9": authorities[at]}]}});
    let number = json!({"035": {"ind1": " ", "ind2": " ", "subfields": [{"a": "(VEND)1"}]}});
    let id = crate::quick_marc::bib(
        &desk.library,
        &snapshot,
        "in1",
        vec![number.clone(), linked(0), linked(1), linked(2)],
    )
    .await;
    let path = format!("/links/instances/{id}");
    let links: Vec<Value> = authorities
        .iter()
        .map(|authority| json!({"authorityId": authority, "authorityNaturalId": "n", "instanceId": id, "linkingRuleId": 15}))
        .collect();
    desk.put(&path, &json!({"links": links})).await.expect(204);
    let kept = json!({"700": {"ind1": "1", "ind2": " ", "subfields": [{"a": "Ann"}, {"0": "n1"}]}});
    let profile = vec![match_marc("035", "a", vec![overlay_action()], vec![])];
    let job = desk.import_job(profile, &[book("7", "The new title", &[number, kept])], false).await;
    let left = desk.get(&path).await.expect(200).json();
    assert_eq!(
        (&left["totalRecords"], &left["links"][0]["authorityId"]),
        (&json!(1), &json!(authorities[0])),
        "{left}"
    );
    assert_eq!(left["links"][0]["linkingRuleId"], 15);
    // One heading changes before the job is undone, one authority goes.
    let place = format!("/authority-storage/authorities/{}", authorities[1]);
    let mut bea = desk.get(&place).await.expect(200).json();
    bea["personalName"] = json!("Beatrice");
    desk.put(&place, &bea).await.expect(204);
    desk.delete(&format!("/authority-storage/authorities/{}", authorities[2])).await.expect(204);
    assert_eq!(desk.undo_job(&job).await["undoneRecords"], 1);
    let links = desk.get(&path).await.expect(200).json();
    let mut told: Vec<(String, String)> = links["links"]
        .as_array()
        .unwrap()
        .iter()
        .map(|link| {
            (link["authorityId"].as_str().unwrap().to_owned(), link["status"].as_str().unwrap().to_owned())
        })
        .collect();
    told.sort();
    let mut expected =
        vec![(authorities[0].clone(), "ACTUAL".to_owned()), (authorities[1].clone(), "ERROR".to_owned())];
    expected.sort();
    assert_eq!(told, expected);
}

#[tokio::test]
async fn a_job_is_undone_but_for_what_was_changed_since() {
    let desk = library_with_location().await;
    desk.import_records(vec![action("CREATE", "INSTANCE", &[])], &[book("1", "The old title", &[])]).await;
    let old = desk.instances().await.remove(0);
    let number = json!({"035": {"ind1": " ", "ind2": " ", "subfields": [{"a": "(VEND)1"}]}});
    let before = json!({"780": {"ind1": "0", "ind2": "0", "subfields": [{"t": "The former title"}, {"x": "0000-0019"}]}});
    let records = [
        book("7", "The new title", std::slice::from_ref(&number)),
        book("8", "Goes again", &[before, copy_field("F", "b8")]),
        book("9", "Its item is changed", &[copy_field("F", "b9")]),
        book("10", "The newest title", &[number]),
        book("11", "Gets one more item", &[copy_field("F", "b11")]),
    ];
    let profile = vec![match_marc("035", "a", vec![overlay_action()], copies())];
    let job = desk.import_job(profile, &records, false).await;
    let items = desk.all_records("/item-storage/items", "items").await;
    let item = |barcode: &str| items.iter().find(|item| item["barcode"] == barcode).unwrap().clone();
    let mut changed = item("b9");
    changed["copyNumber"] = json!("c. 2");
    desk.put(&format!("/item-storage/items/{}", changed["id"].as_str().unwrap()), &changed).await.expect(204);
    let more = json!({
        "holdingsRecordId": item("b11")["holdingsRecordId"], "materialTypeId": BOOK, "permanentLoanTypeId": CAN_CIRCULATE,
        "status": {"name": "Available"}, "barcode": "more",
    });
    desk.post("/item-storage/items", &more).await.expect(201);

    let kept = json!([
        {"recordOrder": 2, "reason": "the item was changed since, or deleted"},
        {"recordOrder": 4, "reason": "its holdings have got more items"},
    ]);
    let undo = format!("/octavo/import-jobs/{job}/undo");
    assert_eq!(desk.get(&undo).await.expect(200).json()["status"], "NOT_STARTED");
    let preview = desk.get(&format!("{undo}-preview")).await.expect(200).json();
    assert_eq!(
        (&preview["records"], &preview["notUndone"], &preview["next"]),
        (&json!(5), &kept, &Value::Null)
    );
    assert_eq!(
        preview["entities"],
        json!([
            {"entityType": "INSTANCE", "removed": 1, "restored": 2},
            {"entityType": "HOLDINGS", "removed": 1, "restored": 0},
            {"entityType": "ITEM", "removed": 1, "restored": 0},
        ])
    );
    let mut before = None;
    for (expected, next) in [(json!([kept[1]]), Some(3)), (json!([kept[0]]), Some(1)), (json!([]), None)] {
        let from = before.map(|before: i64| format!("&before={before}")).unwrap_or_default();
        let page = desk.get(&format!("{undo}-preview?limit=2{from}")).await.expect(200).json();
        before = page["next"].as_i64();
        assert_eq!((&page["notUndone"], before), (&expected, next), "{page}");
    }
    let state = desk.undo_job(&job).await;
    assert_eq!((&state["undoneRecords"], &state["notUndoneRecords"]), (&json!(3), &json!(2)), "{state}");
    assert_eq!(state["notUndone"], kept);
    desk.get(&format!("{undo}-preview")).await.expect(400);
    let titles: Vec<String> = desk
        .instances()
        .await
        .iter()
        .map(|instance| instance["title"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(titles, ["Gets one more item", "Its item is changed", "The old title"]);
    let instance = desk
        .get(&format!("/instance-storage/instances/{}", old["id"].as_str().unwrap()))
        .await
        .expect(200)
        .json();
    assert!(instance["_version"].as_i64() > old["_version"].as_i64());
    let marc = desk.marc_of(&instance).await;
    assert_eq!(values(&marc, "245", "a"), ["The old title"]);
    assert!(desk.all_records("/preceding-succeeding-titles", "precedingSucceedingTitles").await.is_empty());
    desk.post(&format!("/octavo/import-jobs/{job}/undo"), &json!({})).await.expect(400);
}
