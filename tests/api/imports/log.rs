//! What the log tells of a job.

use octavo_testkit::fresh_id;
use serde_json::{Value, json};

use super::profiles::{action, book, copies, copy_field, library_with_location, match_member};
use super::{INSERT_NUMBERS, Importing, chunk, record};

#[tokio::test]
async fn the_log_tells_what_became_of_each_record() {
    let desk = Importing::open().await;
    let job = desk.job().await;
    let mut all: Vec<String> = ["b", "a", "c"].map(record).to_vec();
    all.push("{}".to_owned());
    desk.send_chunk(&job, &chunk(&all, 4, 4, true)).await.expect(204);
    desk.run_imports_by(INSERT_NUMBERS).await;
    let entries = desk.log_entries(&job, "").await;
    assert_eq!(entries.len(), 4);
    let first = &entries[0];
    assert_eq!((&first["sourceRecordTitle"], &first["sourceRecordOrder"]), (&json!("Title b"), &json!("0")));
    assert_eq!(
        (&first["sourceRecordType"], &first["sourceRecordActionStatus"]),
        (&json!("MARC_BIBLIOGRAPHIC"), &json!("CREATED"))
    );
    assert_eq!((&first["error"], &first["relatedInstanceInfo"]["hridList"]), (&json!(""), &json!(["in1"])));
    assert_eq!(first["relatedInstanceInfo"]["actionStatus"], "CREATED");
    assert_eq!(entries[3]["sourceRecordTitle"], "No content");
    let record = first["incomingRecordId"].as_str().unwrap();
    let alone = desk
        .get(&format!("/metadata-provider/jobLogEntries/{job}/records/{record}"))
        .await
        .expect(200)
        .json();
    assert_eq!(
        (&alone["relatedInstanceInfo"], &alone["sourceRecordTitle"]),
        (&first["relatedInstanceInfo"], &json!("Title b"))
    );

    let cases = [
        ("sortBy=title&order=desc", vec!["2", "0", "1", "3"]),
        ("sortBy=source_record_order&order=desc", vec!["3", "2", "1", "0"]),
        ("limit=2&offset=1", vec!["1", "2"]),
        ("entityType=INSTANCE", vec!["0", "1", "2"]),
        ("entityType=ITEM", vec![]),
        ("errorsOnly=true", vec!["3"]),
        ("entityType=INSTANCE&errorsOnly=true", vec![]),
    ];
    for (query, expected) in cases {
        let found = desk.log_entries(&job, query).await;
        let found: Vec<&str> =
            found.iter().map(|entry| entry["sourceRecordOrder"].as_str().unwrap()).collect();
        assert_eq!(found, expected, "{query}");
    }
    let path = format!("/metadata-provider/jobLogEntries/{job}");
    let wrong = desk.get(&format!("{path}?sortBy=password")).await;
    wrong.says(400, "The specified field for sorting job log entries is invalid: 'password'");
    desk.get(&format!("{path}?entityType=PERSON")).await.expect(400);
    let nobody = desk.get(&format!("{path}/records/{}", fresh_id())).await;
    nobody.says(404, "Can`t find record with specific jobExecutionId and recordId");
}

#[tokio::test]
async fn the_journal_has_each_line() {
    let desk = Importing::open().await;
    let job = desk.job().await;
    desk.send_chunk(&job, &chunk(&["a", "b", "c"].map(record), 3, 3, true)).await.expect(204);
    desk.run_imports_by(INSERT_NUMBERS).await;
    let journal = desk
        .get(&format!("/metadata-provider/journalRecords/{job}?sortBy=source_record_order&order=desc"))
        .await;
    let journal = journal.expect(200);
    assert_eq!(journal.total(), 9);
    let actions = journal.field_values("journalRecords", "actionType");
    assert_eq!(actions[..3], ["PARSE", "CREATE", "CREATE"]);
    assert_eq!(journal.field_values("journalRecords", "actionStatus"), ["COMPLETED"; 9]);
    desk.get(&format!("/metadata-provider/journalRecords/{job}?sortBy=title")).await.expect(400);
    let nothing = fresh_id();
    desk.get(&format!("/metadata-provider/journalRecords/{nothing}")).await.expect(404);
    let summary = desk.get(&format!("/metadata-provider/jobSummary/{nothing}")).await;
    summary.says(404, &format!("JobSummary for jobExecutionId: '{nothing}' was not found"));
    let incoming = desk.get(&format!("/metadata-provider/incomingRecords/{nothing}")).await;
    incoming.says(404, &format!("IncomingRecord by id: '{nothing}' was not found"));
}

#[tokio::test]
async fn a_long_journal_comes_in_pieces() {
    let desk = Importing::open().await;
    let job = desk.job().await;
    let all: Vec<String> = (0..700).map(|number| record(&number.to_string())).collect();
    desk.send_chunk(&job, &chunk(&all, 700, 700, true)).await.expect(204);
    desk.run_imports_by(INSERT_NUMBERS).await;
    let journal = desk.journal_records(&job).await;
    let places: Vec<i64> = journal.iter().map(|line| line["sourceRecordOrder"].as_i64().unwrap()).collect();
    assert_eq!(places.len(), 2_100);
    assert!(places.is_sorted());
}

#[tokio::test]
async fn an_instance_that_several_records_update_is_counted_once() {
    let desk = library_with_location().await;
    let create = vec![action("CREATE", "INSTANCE", &[])];
    desk.import_records(create, &[book("1", "First", &[]), book("2", "Second", &[])]).await;
    let instances = desk.instances().await;
    let update = action("UPDATE", "INSTANCE", &[("catalogedDate", "\"2026-11-28\"")]);
    let job = desk.create_job(vec![match_member("INSTANCE", "hrid", "990", "a", vec![update])]).await;
    // The first instance is updated by two records.
    let updated = [&instances[0], &instances[0], &instances[1]];
    for (at, instance) in updated.iter().enumerate() {
        let field = json!({"990": {"ind1": " ", "ind2": " ", "subfields": [{"a": instance["hrid"]}]}});
        let last = at + 1 == updated.len();
        let sent = chunk(&[book("9", "Found", &[field])], at + 1, updated.len(), last);
        desk.send_chunk(&job, &sent).await.expect(204);
        desk.run_imports().await;
    }
    let summary = desk.get(&format!("/metadata-provider/jobSummary/{job}")).await.expect(200).json();
    let of_instances = json!({
        "totalCreatedEntities": 0, "totalUpdatedEntities": 2, "totalDiscardedEntities": 0, "totalErrors": 0,
    });
    assert_eq!(
        (&summary["instanceSummary"], &summary["totalErrors"]),
        (&of_instances, &json!(0)),
        "{summary}"
    );
}

#[tokio::test]
async fn the_location_of_holdings_is_in_the_log_and_not_in_the_journal() {
    let desk = library_with_location().await;
    let job = desk.import_job(copies(), &[book("1", "One copy", &[copy_field("F", "b1")])], false).await;
    let holdings = desk.all_records("/holdings-storage/holdings", "holdingsRecords").await.remove(0);
    let journal = desk.journal_records(&job).await;
    let line = journal.iter().find(|line| line["entityType"] == "HOLDINGS").unwrap();
    assert_eq!(
        (&line["entityId"], &line["instanceId"], &line["permanentLocationId"]),
        (&holdings["id"], &holdings["instanceId"], &Value::Null),
        "{line}"
    );
    let entry = desk.log_entries(&job, "limit=1").await.remove(0);
    let about = &entry["relatedHoldingsInfo"][0];
    assert_eq!(
        (&about["id"], &about["permanentLocationId"]),
        (&holdings["id"], &holdings["permanentLocationId"]),
        "{entry}"
    );
}
