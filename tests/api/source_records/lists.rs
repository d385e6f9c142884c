//! Lists and streams of records, of source records and of snapshots.

use octavo_testkit::{Desk, fresh_id};
use serde_json::{Value, json};

use super::{record, snapshot};
use crate::inventory::shelf::{holdings, instance};

/// Three records of one snapshot: of types MARC_BIB, MARC_BIB and EDIFACT, in the order 3, 1, none.
async fn create_three_records(desk: &Desk) -> (Value, Vec<Value>) {
    let snapshot = snapshot(desk).await;
    let mut records = Vec::new();
    for (kind, order) in [("MARC_BIB", Some(3)), ("MARC_BIB", Some(1)), ("EDIFACT", None)] {
        let title = instance(desk, json!({"source": "MARC"})).await;
        let mut record = record(&snapshot, &title);
        record["recordType"] = json!(kind);
        record["externalIdsHolder"]["instanceHrid"] = title["hrid"].clone();
        if let Some(order) = order {
            record["order"] = json!(order);
        }
        records.push(desk.post("/source-storage/records", &record).await.expect(201).json());
    }
    (snapshot, records)
}

#[tokio::test]
async fn records_are_listed_by_what_is_asked() {
    let desk = Desk::open().await;
    let (snapshot, records) = create_three_records(&desk).await;
    let of = format!("snapshotId={}", snapshot["jobExecutionId"].as_str().unwrap());
    let id = |at: usize| records[at]["id"].as_str().unwrap().to_owned();
    for (query, ids) in [
        (format!("{of}&orderBy=order"), vec![id(1), id(0)]),
        (format!("{of}&orderBy=order,DESC"), vec![id(0), id(1)]),
        (format!("{of}&orderBy=order,DESC&limit=1&offset=1"), vec![id(1)]),
        (format!("{of}&recordType=EDIFACT"), vec![id(2)]),
        (format!("{of}&state=OLD"), vec![]),
        (format!("snapshotId={}", fresh_id()), vec![]),
    ] {
        let found = desk.get(&format!("/source-storage/records?{query}")).await.expect(200);
        assert_eq!(found.field_values("records", "id"), ids, "{query}");
        let lines = desk.get(&format!("/source-storage/stream/records?{query}")).await.expect(200);
        assert_eq!(lines.header("content-type"), Some("application/stream+json"));
        let streamed: Vec<String> = lines
            .text()
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(streamed, ids, "{query}");
    }
    for column in [
        "id",
        "snapshotId",
        "matchedId",
        "generation",
        "recordType",
        "externalId",
        "state",
        "leaderRecordStatus",
        "order",
        "suppressDiscovery",
        "createdByUserId",
        "createdDate",
        "updatedByUserId",
        "updatedDate",
        "externalHrid",
        "external_hrid",
    ] {
        let ordered =
            desk.get(&format!("/source-storage/records?{of}&orderBy={column}&orderBy=id,DESC")).await;
        assert_eq!(ordered.expect(200).total(), 2, "{column}");
    }
    for column in [
        "id",
        "status",
        "processingStartedDate",
        "createdByUserId",
        "createdDate",
        "updatedByUserId",
        "updatedDate",
    ] {
        let ordered = desk.get(&format!("/source-storage/snapshots?orderBy={column},ASC")).await;
        assert_eq!(ordered.expect(200).total(), 1, "{column}");
    }
    let none = desk.get(&format!("/source-storage/records?{of}&limit=0")).await.expect(200);
    assert_eq!(none.json(), json!({"records": [], "totalRecords": 2}));
}

#[tokio::test]
async fn source_records_are_listed_by_what_is_asked() {
    let desk = Desk::open().await;
    let (snapshot, records) = create_three_records(&desk).await;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let (first, second) = (&records[0], &records[1]);
    let of = format!("snapshotId={}", text(&snapshot["jobExecutionId"]));
    let holder = &first["externalIdsHolder"];
    let deleted = format!("/source-storage/records/{}", text(&second["id"]));
    for (query, ids) in [
        (format!("{of}&orderBy=order"), vec![second, first]),
        (format!("recordId={}", text(&first["matchedId"])), vec![first]),
        (format!("externalId={}", text(&holder["instanceId"])), vec![first]),
        (format!("instanceId={}", text(&holder["instanceId"])), vec![first]),
        (format!("instanceHrid={}", text(&holder["instanceHrid"])), vec![first]),
        (format!("{of}&leaderRecordStatus=c&orderBy=order"), vec![second, first]),
        (format!("{of}&leaderRecordStatus=n"), vec![]),
        (format!("{of}&suppressFromDiscovery=true"), vec![]),
        (format!("{of}&updatedBefore=2001-01-01T00:00:00Z"), vec![]),
        (format!("{of}&updatedAfter=2001-01-01T00:00:00Z&orderBy=order"), vec![second, first]),
    ] {
        let found = desk.get(&format!("/source-storage/source-records?{query}")).await.expect(200);
        let ids: Vec<String> = ids.into_iter().map(|record| text(&record["id"])).collect();
        assert_eq!(found.field_values("sourceRecords", "recordId"), ids, "{query}");
        assert_eq!(found.total(), i64::try_from(ids.len()).unwrap());
        let lines = desk.get(&format!("/source-storage/stream/source-records?{query}")).await.expect(200);
        assert_eq!(lines.text().lines().count(), ids.len(), "{query}");
    }
    desk.delete(&deleted).await.expect(204);
    let list = async |query: &str| {
        let found = desk.get(&format!("/source-storage/source-records?{of}&orderBy=order{query}")).await;
        found.expect(200).json()["sourceRecords"].as_array().unwrap().len()
    };
    assert_eq!((list("").await, list("&deleted=true").await), (1, 2));
    assert!(desk.get(&deleted).await.expect(200).json()["deleted"] == true);
}

#[tokio::test]
async fn what_cannot_be_listed_is_refused() {
    let desk = Desk::open().await;
    for (path, message) in [
        ("records?recordType=x", "Unknown record type x"),
        ("records?state=error!", "Unknown record state error!"),
        ("records?snapshotId=x", "Invalid UUID x"),
        ("records?orderBy=no", "Invalid order by no"),
        ("records?orderBy=id,asc", "Invalid order by id,asc"),
        ("source-records?recordId=x", "Invalid UUID x"),
        ("source-records?recordType=x", "Unknown record type x"),
        ("source-records/x", "Invalid UUID x"),
        ("source-records/x?idType=Y", "Unknown id type Y"),
        ("source-records/x?state=Y", "Unknown record state Y"),
        ("stream/source-records?orderBy=no", "Invalid order by no"),
        ("stream/records?state=no", "Unknown record state no"),
        ("snapshots?status=no", "Unknown job execution status no"),
        ("snapshots?orderBy=jobExecutionId", "Invalid order by jobExecutionId"),
        ("records/x/formatted", "Invalid UUID x"),
        ("records/x/formatted?idType=Y", "Unknown id type Y"),
    ] {
        desk.get(&format!("/source-storage/{path}")).await.says(400, message);
    }
    for path in [
        "records?limit=-1",
        "records?limit=x",
        "source-records?updatedAfter=x",
        "source-records?leaderRecordStatus=z",
    ] {
        desk.get(&format!("/source-storage/{path}")).await.expect(400);
    }
}

#[tokio::test]
async fn a_long_stream_comes_whole() {
    let desk = Desk::open().await;
    let snapshot = snapshot(&desk).await;
    let title = instance(&desk, json!({"source": "MARC"})).await;
    let mut records = Vec::new();
    for _ in 0..300 {
        let mut record = record(&snapshot, &title);
        record["rawRecord"]["content"] = json!("x".repeat(9_000));
        records.push(record);
    }
    let all = json!({"records": records, "totalRecords": 300});
    let saved = desk.post("/source-storage/batch/records", &all).await.expect(201).json();
    assert_eq!((&saved["totalRecords"], &saved["errorMessages"]), (&json!(300), &json!([])));
    let of = format!("snapshotId={}&limit=1000", snapshot["jobExecutionId"].as_str().unwrap());
    let lines = desk.get(&format!("/source-storage/stream/records?{of}")).await.expect(200);
    assert_eq!(lines.text().lines().count(), 300);
    let list = desk.get(&format!("/source-storage/records?{of}")).await.expect(200);
    assert_eq!((list.field_values("records", "id").len(), list.total()), (300, 300));
}

#[tokio::test]
async fn a_snapshot_is_changed_and_deleted_with_its_records_and_their_instances() {
    let desk = Desk::open().await;
    let snapshot = snapshot(&desk).await;
    let path = format!("/source-storage/snapshots/{}", snapshot["jobExecutionId"].as_str().unwrap());
    let title = instance(&desk, json!({"source": "MARC"})).await;
    let saved = desk.post("/source-storage/records", &record(&snapshot, &title)).await.expect(201).json();
    let held = instance(&desk, json!({"source": "MARC"})).await;
    holdings(&desk, &held, json!({})).await;
    desk.post("/source-storage/records", &record(&snapshot, &held)).await.expect(201);
    let mut changed = snapshot.clone();
    changed["status"] = json!("COMMITTED");
    desk.put(&path, &changed).await.expect(200);
    let listed = desk.get("/source-storage/snapshots?status=COMMITTED&orderBy=status,DESC").await.expect(200);
    assert_eq!(
        listed.field_values("snapshots", "jobExecutionId"),
        [changed["jobExecutionId"].as_str().unwrap()]
    );
    desk.delete(&path).await.expect(204);
    let id = saved["id"].as_str().unwrap();
    desk.get(&format!("/source-storage/records/{id}")).await.expect(404);
    let instance = title["id"].as_str().unwrap();
    desk.get(&format!("/instance-storage/instances/{instance}")).await.expect(404);
    let held = held["id"].as_str().unwrap();
    desk.get(&format!("/instance-storage/instances/{held}")).await.expect(200);
    let missing =
        format!("Snapshot with id '{}' was not found", snapshot["jobExecutionId"].as_str().unwrap());
    desk.get(&path).await.says(404, &missing);
    desk.put(&path, &changed).await.says(404, &missing);
    desk.delete(&path).await.says(404, &missing);
}
