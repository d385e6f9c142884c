//! Many records at once.

use octavo_testkit::{Desk, fresh_id};
use serde_json::{Value, json};

use super::{record, snapshot};
use crate::inventory::shelf::instance;

fn batch(records: &[Value]) -> Value {
    json!({"records": records, "totalRecords": records.len()})
}

#[tokio::test]
async fn records_are_saved_together_each_with_its_own_outcome() {
    let desk = Desk::open().await;
    let path = "/source-storage/batch/records";
    let snapshot = snapshot(&desk).await;
    let title = instance(&desk, json!({"source": "MARC"})).await;
    let good = record(&snapshot, &title);
    let mut bad = record(&snapshot, &instance(&desk, json!({"source": "MARC"})).await);
    bad["parsedRecord"]["content"] = json!("nonsense");
    let saved = desk.post(path, &batch(&[good.clone(), bad.clone()])).await.expect(201).json();
    assert_eq!(saved["totalRecords"], 2);
    let message = format!(
        "Record {} has invalid parsed record; Unable to read marc record!",
        bad["id"].as_str().unwrap()
    );
    assert_eq!(saved["errorMessages"], json!([message]));
    assert_eq!(saved["records"][1]["errorRecord"]["content"], "nonsense");
    assert_eq!(saved["records"][0]["generation"], 0);

    let twice = desk.post(path, &batch(&[record(&snapshot, &title)])).await.expect(500).text();
    assert_eq!(twice, "SQL Unique constraint violation prevented repeatedly saving the record");

    let mut committed = snapshot.clone();
    committed["status"] = json!("COMMITTED");
    let of = format!("/source-storage/snapshots/{}", snapshot["jobExecutionId"].as_str().unwrap());
    desk.put(&of, &committed).await.expect(200);
    let later = json!({"jobExecutionId": fresh_id(), "status": "PARSING_IN_PROGRESS"});
    let later = desk.post("/source-storage/snapshots", &later).await.expect(201).json();
    let again = desk.post(path, &batch(&[record(&later, &title)])).await.expect(201).json();
    assert_eq!(
        (&again["records"][0]["generation"], &again["records"][0]["matchedId"]),
        (&json!(1), &good["id"])
    );
    let former = desk.get(&format!("/source-storage/records/{}", good["id"].as_str().unwrap())).await;
    assert_eq!(former.expect(200).json()["state"], "OLD");
}

#[tokio::test]
async fn what_cannot_be_saved_together_is_refused() {
    let desk = Desk::open().await;
    let path = "/source-storage/batch/records";
    let snapshot = snapshot(&desk).await;
    let one = record(&snapshot, &json!({"id": fresh_id()}));
    let other = record(&super::snapshot(&desk).await, &json!({"id": fresh_id()}));
    desk.post(path, &batch(&[one.clone(), other]))
        .await
        .says(400, "Batch record collection only supports single snapshot");
    let mut holdings = record(&snapshot, &json!({"id": fresh_id()}));
    holdings["recordType"] = json!("MARC_HOLDING");
    desk.post(path, &batch(&[one.clone(), holdings]))
        .await
        .says(400, "Batch record collection only supports single record type");
    let nowhere = record(&json!({"jobExecutionId": fresh_id()}), &json!({"id": fresh_id()}));
    let message = format!("Snapshot with id '{}' was not found", nowhere["snapshotId"].as_str().unwrap());
    desk.post(path, &batch(&[nowhere])).await.says(404, &message);
    let none = desk.post(path, &batch(&[])).await.expect(500).json();
    assert_eq!(none, json!({"records": [], "errorMessages": [], "totalRecords": 0}));
    desk.post(path, &json!({"records": [{}], "totalRecords": 1})).await.expect(422);
}

#[tokio::test]
async fn a_changed_leader_changes_the_status_of_its_record() {
    let desk = Desk::open().await;
    let (snapshot, id) = (snapshot(&desk).await, fresh_id());
    let record = record(&snapshot, &json!({"id": id}));
    let mut changed = desk.post("/source-storage/records", &record).await.expect(201).json();
    assert_eq!((&changed["leaderRecordStatus"], &changed["deleted"]), (&json!("c"), &json!(false)));
    changed["parsedRecord"]["content"]["leader"] = json!("01542dcm a2200361   4500");
    desk.put("/source-storage/batch/parsed-records", &batch(&[changed])).await.expect(200);
    let path = format!("/source-storage/records/{}", record["id"].as_str().unwrap());
    let now = desk.get(&path).await.expect(200).json();
    assert_eq!((&now["leaderRecordStatus"], &now["deleted"]), (&json!("d"), &json!(true)));
    let of = format!("/source-storage/source-records?instanceId={id}&leaderRecordStatus");
    for (status, found) in [("d", 1), ("c", 0)] {
        assert_eq!(desk.get(&format!("{of}={status}")).await.expect(200).json()["totalRecords"], found);
    }
}

#[tokio::test]
async fn parsed_records_are_changed_and_fetched_together() {
    let desk = Desk::open().await;
    let snapshot = snapshot(&desk).await;
    let title = instance(&desk, json!({"source": "MARC"})).await;
    let saved = desk.post("/source-storage/records", &record(&snapshot, &title)).await.expect(201).json();
    let mut changed = saved.clone();
    changed["parsedRecord"]["content"]["fields"][0]["001"] = json!("in2");
    changed["externalIdsHolder"]["instanceHrid"] = json!("in2");
    let unknown = record(&snapshot, &title);
    let mut lost = unknown.clone();
    lost["parsedRecord"]["id"] = lost["id"].clone();
    let path = "/source-storage/batch/parsed-records";
    let answer = desk.put(path, &batch(&[changed, lost.clone()])).await.expect(200).json();
    let id = lost["id"].as_str().unwrap();
    let errors = json!([
        format!("Record with id {id} was not updated"),
        format!("Parsed Record with id '{id}' was not updated")
    ]);
    assert_eq!((&answer["totalRecords"], &answer["errorMessages"]), (&json!(1), &errors));
    desk.put(path, &batch(&[unknown])).await.says(400, "Each parsed record should contain an id");
    assert_eq!(desk.put(path, &batch(&[lost])).await.expect(500).json()["totalRecords"], 0);

    let fetch = json!({"conditions": {"idType": "INSTANCE", "ids": [title["id"]]}, "recordType": "MARC_BIB",
        "data": [{"from": "001", "to": "010"}]});
    let path = format!("{path}/fetch");
    let found = desk.post(&path, &fetch).await.expect(200).json();
    assert_eq!(found["totalRecords"], 1);
    assert_eq!(found["records"][0]["parsedRecord"]["content"]["fields"], json!([{"001": "in2"}]));
    let bad = json!({"conditions": {"idType": "X", "ids": []}, "recordType": "MARC_BIB"});
    desk.post(&path, &bad).await.says(400, "Unknown id type X");

    let verify = "/source-storage/batch/verified-records";
    let unknown = desk.post(verify, &json!(["in2", "no", "no"])).await.expect(200).json();
    assert_eq!(unknown, json!({"invalidMarcBibIds": ["no"]}));
    desk.post(verify, &json!(vec!["x"; 32_768])).await.says(400, "The number of IDs should not exceed 32767");
    let of_ids =
        desk.post("/source-storage/source-records?idType=INSTANCE", &json!([title["id"], fresh_id()])).await;
    assert_eq!(
        of_ids.expect(200).field_values("sourceRecords", "recordId"),
        [saved["matchedId"].as_str().unwrap()]
    );
}
