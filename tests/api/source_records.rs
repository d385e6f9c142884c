//! mod-source-record-storage 5.8.5: records, their generations, and what becomes of them when their instance is deleted.

mod batches;
mod lists;
mod search;
mod single;

use octavo_testkit::{Client, Desk, Reply, fresh_id};
use serde_json::{Value, json};

use crate::inventory::shelf::instance;

async fn snapshot(desk: &Client) -> Value {
    let body = json!({"jobExecutionId": fresh_id(), "status": "NEW", "processingStartedDate": "2020-04-29T05:25:03+0000"});
    desk.post("/source-storage/snapshots", &body).await.expect(201).json()
}

fn record(snapshot: &Value, instance: &Value) -> Value {
    let id = fresh_id();
    json!({
        "id": id, "snapshotId": snapshot["jobExecutionId"], "matchedId": id, "recordType": "MARC_BIB",
        "rawRecord": {"content": "00049nam"}, "externalIdsHolder": {"instanceId": instance["id"]},
        "parsedRecord": {"content": {"leader": "01542ccm a2200361   4500", "fields": [{"001": "in1"}]}},
        "additionalInfo": {"suppressDiscovery": false}, "state": "ACTUAL", "deleted": false,
    })
}

async fn read_stored_record(desk: &Desk, record: &Value) -> Value {
    get_record(desk, record["id"].as_str().unwrap()).await.expect(200).json()
}

async fn get_record(desk: &Desk, id: &str) -> Reply {
    desk.get(&format!("/source-storage/records/{id}")).await
}

#[tokio::test]
async fn deleting_an_instance_softly_deletes_its_marc_record() {
    let desk = Desk::open().await;
    let snapshot = snapshot(&desk).await;
    for (source, state, leader) in
        [("MARC", "DELETED", "01542dcm a2200361   4500"), ("FOLIO", "ACTUAL", "01542ccm a2200361   4500")]
    {
        let title = instance(&desk, json!({"source": source})).await;
        let record = record(&snapshot, &title);
        desk.post("/source-storage/records", &record).await.expect(201);
        let id = title["id"].as_str().unwrap();
        desk.delete(&format!("/inventory/instances/{id}/mark-deleted")).await.expect(204);
        let now = read_stored_record(&desk, &record).await;
        let deleted = state == "DELETED";
        assert_eq!((&now["state"], &now["deleted"]), (&json!(state), &json!(deleted)), "{now}");
        assert_eq!(now["additionalInfo"]["suppressDiscovery"], json!(deleted));
        assert_eq!(now["parsedRecord"]["content"]["leader"], leader);
        assert_eq!(now["leaderRecordStatus"], leader[5..6]);
    }
}

#[tokio::test]
async fn a_record_that_comes_again_is_a_new_generation() {
    let desk = Desk::open().await;
    let title = instance(&desk, json!({"source": "MARC"})).await;
    let first = record(&snapshot(&desk).await, &title);
    let created = desk.post("/source-storage/records", &first).await.expect(201).json();
    assert_eq!((&created["generation"], &created["rawRecord"]["id"]), (&json!(0), &first["id"]));
    let later = json!({"jobExecutionId": fresh_id(), "status": "PARSING_IN_PROGRESS"});
    let later = desk.post("/source-storage/snapshots", &later).await.expect(201).json();
    let again = desk.post("/source-storage/records", &record(&later, &title)).await.expect(201).json();
    assert_eq!((&again["generation"], &again["matchedId"]), (&json!(1), &first["id"]));
    let own = json!({"999": {"ind1": "f", "ind2": "f", "subfields": [{"s": first["id"]}]}});
    assert_eq!(again["parsedRecord"]["content"]["fields"][1], own);
    assert_eq!(read_stored_record(&desk, &first).await["state"], "OLD");
    assert_eq!(read_stored_record(&desk, &again).await["state"], "ACTUAL");
}

#[tokio::test]
async fn a_record_belongs_to_a_snapshot_that_has_begun() {
    let desk = Desk::open().await;
    let title = instance(&desk, json!({"source": "MARC"})).await;
    let nowhere = fresh_id();
    let lost = record(&json!({"jobExecutionId": nowhere}), &title);
    let post = async |record: &Value| desk.post("/source-storage/records", record).await;
    post(&lost).await.says(404, &format!("Snapshot with id '{nowhere}' was not found"));
    let idle = json!({"jobExecutionId": fresh_id(), "status": "NEW"});
    let idle = desk.post("/source-storage/snapshots", &idle).await.expect(201).json();
    let message = "Date when processing started is not set, expected snapshot status is PARSING_IN_PROGRESS, actual - NEW";
    post(&record(&idle, &title)).await.says(400, message);
    let path = format!("/source-storage/snapshots/{}", idle["jobExecutionId"].as_str().unwrap());
    assert_eq!(desk.get(&path).await.expect(200).json(), idle);
    get_record(&desk, "x").await.says(404, "Record with id 'x' was not found");
    assert_eq!(
        post(&json!({})).await.expect(422).refused_keys(),
        ["matchedId", "rawRecord", "recordType", "snapshotId"]
    );
    let first = record(&snapshot(&desk).await, &title);
    post(&first).await.expect(201);
    let mut twin = record(&snapshot(&desk).await, &title);
    twin["generation"] = json!(0);
    post(&twin).await.says(500, "Incoming file may contain duplicates");
}
