//! Calls about one record.

use octavo_testkit::{Desk, Library, fresh_id};
use serde_json::{Value, json};

use super::{record, snapshot};
use crate::inventory::shelf::instance;

async fn save_record(desk: &Desk) -> Value {
    let title = instance(desk, json!({"source": "MARC"})).await;
    let record = record(&snapshot(desk).await, &title);
    desk.post("/source-storage/records", &record).await.expect(201).json()
}

#[tokio::test]
async fn a_source_record_is_shown_in_one_round_trip_by_each_of_its_ids() {
    let desk = Desk::open().await;
    let saved = save_record(&desk).await;
    let id = |value: &Value| value.as_str().unwrap().to_owned();
    let instance = id(&saved["externalIdsHolder"]["instanceId"]);
    for (id, kind, status) in [
        (id(&saved["matchedId"]), "", 200),
        (id(&saved["id"]), "?idType=SRS_RECORD", 200),
        (instance.clone(), "?idType=INSTANCE", 200),
        (instance.clone(), "?idType=EXTERNAL&state=ACTUAL", 200),
        (instance.clone(), "?idType=HOLDINGS", 404),
        (instance, "?idType=INSTANCE&state=OLD", 404),
        (fresh_id().to_string(), "", 404),
    ] {
        let reply = desk.get(&format!("/source-storage/source-records/{id}{kind}")).await.expect(status);
        assert_eq!(reply.round_trips(), 1, "{kind}");
        if status == 404 {
            assert_eq!(reply.text(), format!("SourceRecord with id '{id}' was not found"));
            continue;
        }
        let shown = reply.json();
        assert_eq!((&shown["recordId"], &shown["deleted"]), (&saved["matchedId"], &json!(false)), "{kind}");
        assert_eq!(shown["parsedRecord"]["content"], saved["parsedRecord"]["content"]);
        assert!(shown["rawRecord"].is_null());
    }
}

#[tokio::test]
async fn the_raw_record_comes_back_as_it_came() {
    let desk = Desk::open().await;
    let title = instance(&desk, json!({"source": "MARC"})).await;
    let mut record = record(&snapshot(&desk).await, &title);
    let raw = "01542ccm a2200361\u{1e}001\u{1f}a \"quoted\\\" \u{fffd} \u{00e9} \u{0301} \u{1d11e}\t\r\n\u{7f}\u{1d}";
    record["rawRecord"]["content"] = json!(raw);
    let id = desk.post("/source-storage/records", &record).await.expect(201).json()["id"].clone();
    let id = id.as_str().unwrap();
    let shown = desk.get(&format!("/source-storage/records/{id}")).await.expect(200).json();
    assert_eq!(shown["rawRecord"]["content"], raw);
}

#[tokio::test]
async fn a_record_is_hidden_formatted_and_deleted_by_each_of_its_ids() {
    let desk = Desk::open().await;
    let saved = save_record(&desk).await;
    let path = format!("/source-storage/records/{}", saved["id"].as_str().unwrap());
    let instance = saved["externalIdsHolder"]["instanceId"].as_str().unwrap();
    let hidden =
        async || desk.get(&path).await.expect(200).json()["additionalInfo"]["suppressDiscovery"] == true;
    let suppress = format!("/source-storage/records/{instance}/suppress-from-discovery?idType=INSTANCE");
    assert_eq!(desk.put(&suppress, &json!({})).await.expect(200).text(), "true");
    assert!(hidden().await);
    desk.put(&format!("{suppress}&suppress=false"), &json!({})).await.expect(200);
    assert!(!hidden().await);
    let formatted = desk.get(&format!("/source-storage/records/{instance}/formatted?idType=INSTANCE")).await;
    let text = formatted.expect(200).json()["parsedRecord"]["formattedContent"].clone();
    assert!(
        text.as_str().unwrap().starts_with("LEADER 01542ccm a2200361   4500\n001 in1\n999 ff$s"),
        "{text}"
    );
    let deletion = format!("/source-storage/records/{instance}?idType=INSTANCE");
    desk.delete(&deletion).await.expect(204);
    let now = desk.get(&path).await.expect(200).json();
    assert_eq!((&now["state"], &now["deleted"]), (&json!("DELETED"), &json!(true)));
    let nobody = fresh_id();
    let none = |kind: &str| format!("Record with {kind} id: {nobody} was not found");
    let at = |rest: &str| format!("/source-storage/records/{nobody}{rest}");
    desk.delete(&at("")).await.says(404, &none("SRS_RECORD"));
    desk.put(&at("/suppress-from-discovery"), &json!({})).await.says(404, &none("RECORD"));
    desk.get(&at("/formatted")).await.says(404, &none("RECORD"));
    desk.delete("/source-storage/records/x").await.says(400, "Invalid UUID x");
}

#[tokio::test]
async fn a_record_is_found_whatever_its_status_is() {
    let (library, id) = (Library::open().await, fresh_id());
    let mut record = record(&snapshot(&library).await, &json!({"id": id}));
    record["parsedRecord"]["content"]["leader"] = json!("01542 am a2200361   4500");
    let saved = library.post("/source-storage/records", &record).await.expect(201).json();
    assert_eq!(saved["leaderRecordStatus"], " ");
    let find = async || {
        library.get(&format!("/source-storage/source-records/{id}?idType=INSTANCE")).await.expect(200);
        let listed = library.get(&format!("/source-storage/source-records?instanceId={id}")).await;
        assert_eq!(listed.expect(200).json()["totalRecords"], 1);
        let of_ids = library.post("/source-storage/source-records?idType=INSTANCE", &json!([id])).await;
        assert_eq!(of_ids.expect(200).json()["totalRecords"], 1);
    };
    find().await;
    // Records from before such a status was noted.
    library.script("update records_lb set doc = (doc::jsonb - 'leaderRecordStatus')::json").await;
    find().await;
}

#[tokio::test]
async fn a_record_that_is_hidden_has_changed() {
    let (library, id) = (Library::open().await, fresh_id());
    let record = record(&snapshot(&library).await, &json!({"id": id}));
    library.post("/source-storage/records", &record).await.expect(201);
    let early = "jsonb_set(doc::jsonb, '{metadata,updatedDate}', '\"2020-01-01T00:00:00.000+00:00\"')";
    library.script(format!("update records_lb set doc = {early}::json")).await;
    let changed = async || {
        let path =
            format!("/source-storage/source-records?instanceId={id}&updatedAfter=2021-01-01T00:00:00Z");
        library.get(&path).await.expect(200).total()
    };
    assert_eq!(changed().await, 0);
    let suppress = format!("/source-storage/records/{id}/suppress-from-discovery?idType=INSTANCE");
    library.put(&suppress, &json!({})).await.expect(200);
    assert_eq!(changed().await, 1);
    let path = format!("/source-storage/records/{}", record["id"].as_str().unwrap());
    assert!(library.get(&path).await.expect(200).json()["metadata"]["createdDate"].is_string());
}

#[tokio::test]
async fn a_formatted_record_is_shown_without_its_error() {
    let desk = Desk::open().await;
    let title = instance(&desk, json!({"source": "MARC"})).await;
    let mut record = record(&snapshot(&desk).await, &title);
    record["errorRecord"] = json!({"description": "Field 245 is too long", "content": "245"});
    let id = desk.post("/source-storage/records", &record).await.expect(201).json()["id"].clone();
    let path = format!("/source-storage/records/{}", id.as_str().unwrap());
    let whole = desk.get(&path).await.expect(200).json();
    assert_eq!(whole["errorRecord"]["description"], "Field 245 is too long");
    let formatted = desk.get(&format!("{path}/formatted")).await.expect(200).json();
    assert!(formatted.get("errorRecord").is_none(), "{formatted}");
    assert_eq!(formatted["rawRecord"], whole["rawRecord"]);
}

#[tokio::test]
async fn a_record_becomes_the_next_generation_of_the_one_that_it_names() {
    let desk = Desk::open().await;
    let saved = save_record(&desk).await;
    let matched = saved["matchedId"].as_str().unwrap();
    let path = format!("/source-storage/records/{matched}/generation");
    let later = json!({"jobExecutionId": fresh_id(), "status": "PARSING_IN_PROGRESS"});
    let later = desk.post("/source-storage/snapshots", &later).await.expect(201).json();
    let mut next = saved.clone();
    next["snapshotId"] = later["jobExecutionId"].clone();
    let duplicate = desk.put(&path, &next).await.expect(400).text();
    assert!(duplicate.starts_with("Incoming record could be a duplicate"), "{duplicate}");
    next["generation"] = json!(null);
    let now = desk.put(&path, &next).await.expect(200).json();
    assert_eq!((&now["generation"], &now["matchedId"]), (&json!(1), &saved["matchedId"]));
    assert_ne!(now["id"], saved["id"]);
    let other = fresh_id();
    let message = format!("Matched id ({other}) not equal to 999ff$s ({matched}) field");
    desk.put(&format!("/source-storage/records/{other}/generation"), &next).await.says(400, &message);
    next["parsedRecord"]["content"]["fields"][1]["999"]["subfields"][0]["s"] = json!(other);
    // FOLIO's own clients send the content as text.
    next["parsedRecord"]["content"] = json!(next["parsedRecord"]["content"].to_string());
    let message = format!("Record with given matched id ({other}) not found");
    desk.put(&format!("/source-storage/records/{other}/generation"), &next).await.says(404, &message);
}

#[tokio::test]
async fn migrations_end_at_once_and_test_records_are_refused() {
    let desk = Desk::open().await;
    let jobs = "/source-storage/migrations/jobs";
    let job =
        desk.post(jobs, &json!({"migrations": ["marcIndexersVersionMigration"]})).await.expect(202).json();
    assert_eq!(job["status"], "IN_PROGRESS");
    let ended = desk.get(&format!("{jobs}/{}", job["id"].as_str().unwrap())).await.expect(200).json();
    assert_eq!((&ended["status"], &ended["migrations"]), (&json!("COMPLETED"), &job["migrations"]));
    desk.post(jobs, &json!({"migrations": ["x"]}))
        .await
        .says(400, "Specified migrations are not supported. Migrations: [x]");
    desk.get(&format!("{jobs}/x")).await.says(404, "Async migration job with id 'x' was not found");
    let test = json!({"rawRecords": []});
    let populate = "/source-storage/populate-test-marc-records";
    desk.post(populate, &test).await.says(400, "Endpoint is available only in test mode");
}

#[tokio::test]
async fn what_a_client_leaves_out_of_a_record_or_a_snapshot_stays() {
    let desk = Desk::open().await;
    let saved = save_record(&desk).await;
    let text = saved["parsedRecord"]["formattedContent"].as_str().unwrap();
    assert!(text.starts_with("LEADER 01542ccm a2200361   4500"), "{text}");
    let path = format!("/source-storage/snapshots/{}", saved["snapshotId"].as_str().unwrap());
    let begun = desk.get(&path).await.expect(200).json()["processingStartedDate"].clone();
    let committed = json!({"jobExecutionId": saved["snapshotId"], "status": "COMMITTED"});
    let ended = desk.put(&path, &committed).await.expect(200).json();
    assert_eq!((&ended["status"], &ended["processingStartedDate"]), (&json!("COMMITTED"), &begun));
    assert!(begun.is_string());
    let again = desk.post("/source-storage/snapshots", &committed).await.expect(201).json();
    assert_eq!(again["processingStartedDate"], begun);

    let path = format!("/source-storage/records/{}", saved["id"].as_str().unwrap());
    let matched = fresh_id();
    let brief = json!({
        "snapshotId": saved["snapshotId"], "matchedId": matched, "recordType": "MARC_BIB", "rawRecord": {"content": "new"},
    });
    let replaced = desk.put(&path, &brief).await.expect(200).json();
    let stored = desk.get(&path).await.expect(200).json();
    for now in [&replaced, &stored] {
        assert_eq!((&now["matchedId"], &now["rawRecord"]["content"]), (&json!(matched), &json!("new")));
        for name in ["externalIdsHolder", "additionalInfo", "generation", "state", "leaderRecordStatus"] {
            assert_eq!(now[name], saved[name], "{name}");
        }
        assert_eq!(now["parsedRecord"]["content"], saved["parsedRecord"]["content"], "as it was, 999 too");
    }
    let instance = saved["externalIdsHolder"]["instanceId"].as_str().unwrap();
    desk.get(&format!("/source-storage/source-records/{instance}?idType=INSTANCE")).await.expect(200);
}
