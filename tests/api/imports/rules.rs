//! Mapping rules, and what mapping stands on.

use octavo_testkit::{Library, fresh_id};
use serde_json::{Value, json};

use super::{INSERT_NUMBERS, Importing, JOBS, chunk, record};

/// FOLIO's job profile "Default - Create instance and SRS MARC Bib".
const CREATES_INSTANCES: &str = "e34d7b92-9b83-11eb-a8b3-0242ac130003";

#[tokio::test]
async fn rules_are_changed_and_restored() {
    let library = Library::open().await;
    for kind in ["marc-bib", "marc-holdings"] {
        let path = format!("/mapping-rules/{kind}");
        let default = library.get(&path).await.expect(200).json();
        assert!(default["001"].is_array());
        let own = json!({"245": [{"rules": [], "target": "title", "subfield": ["a"]}]});
        assert_eq!(library.put(&path, &own).await.expect(200).json(), own);
        assert_eq!(library.get(&path).await.expect(200).json(), own);
        assert_eq!(library.put(&format!("{path}/restore"), &json!({})).await.expect(200).json(), default);
        assert_eq!(library.get(&path).await.expect(200).json(), default);
    }
}

#[tokio::test]
async fn rules_that_are_refused() {
    let library = Library::open().await;
    let all = "Only marc-bib, marc-holdings or marc-authority supported";
    let two = "Only marc-bib or marc-holdings supported";
    library.get("/mapping-rules/wrong").await.says(400, all);
    library.put("/mapping-rules/wrong", &json!({})).await.says(400, two);
    library.put("/mapping-rules/wrong/restore", &json!({})).await.says(400, two);
    library.get("/mapping-metadata/type/wrong").await.says(400, all);
    let authority = library.put("/mapping-rules/marc-authority", &json!({})).await;
    authority.says(400, "Can't edit MARC Authority default mapping rules");
    for body in ["", "rules", "[1]"] {
        let reply = library.send("PUT", "/mapping-rules/marc-bib", body).await;
        reply.says(400, "Can not update rules in non-JSON format");
    }
}

#[tokio::test]
async fn metadata_have_rules_and_lists() {
    let desk = Importing::open().await;
    let kind = json!({"name": "ISBN", "source": "folio"});
    desk.post("/identifier-types", &kind).await.expect(201);
    let by_type = desk.get("/mapping-metadata/type/marc-bib").await.expect(200).json();
    assert!(
        by_type["mappingRules"].as_str().unwrap().contains("\"target\":\"identifiers.identifierTypeId\"")
    );
    let parameters: Value = serde_json::from_str(by_type["mappingParams"].as_str().unwrap()).unwrap();
    assert_eq!(parameters["identifierTypes"][0]["name"], "ISBN");
    assert!(parameters["linkingRules"].is_array() && parameters["materialTypes"].is_array());
    let job = desk.job().await;
    desk.send_chunk(&job, &chunk(&[record("1")], 1, 1, true)).await.expect(204);
    desk.run_imports_by(INSERT_NUMBERS).await;
    let of_job = desk.get(&format!("/mapping-metadata/{job}")).await.expect(200).json();
    assert_eq!((&of_job["jobExecutionId"], &of_job["mappingRules"]), (&json!(job), &by_type["mappingRules"]));
    let nothing = fresh_id();
    let missing = desk.get(&format!("/mapping-metadata/{nothing}")).await;
    missing.says(404, &format!("Mapping parameters snapshot is not found for JobExecution '{nothing}'"));
}

/// FOLIO looks no closer at rules than that they are JSON. Those that cannot be read concern records with their tag alone.
#[tokio::test]
async fn rules_that_cannot_be_read_are_an_error_of_each_record_that_needs_them() {
    let desk = Importing::from_library(Library::furnished().await).await;
    let mut rules = desk.get("/mapping-rules/marc-bib").await.expect(200).json();
    rules["300"] = json!("nothing");
    desk.put("/mapping-rules/marc-bib", &rules).await.expect(200);
    let with = |number: &str, tag: &str| {
        let field = json!({tag: {"ind1": " ", "ind2": " ", "subfields": [{"a": "x"}]}});
        let title =
            json!({"245": {"ind1": "1", "ind2": "0", "subfields": [{"a": format!("Title {number}")}]}});
        json!({"leader": "00000nam a2200000   4500", "fields": [{"001": number}, title, field]}).to_string()
    };
    let job = desk.create_jobs(&["books.mrc"], json!({})).await["parentJobExecutionId"]
        .as_str()
        .unwrap()
        .to_owned();
    let profile = json!({"id": CREATES_INSTANCES, "name": "x", "dataType": "MARC"});
    desk.put(&format!("{JOBS}/{job}/jobProfile"), &profile).await.expect(200);
    desk.send_chunk(&job, &chunk(&[with("1", "300"), with("2", "500"), with("3", "300")], 3, 3, true))
        .await
        .expect(204);
    desk.run_imports().await;
    assert_eq!(desk.read_job(&job).await["status"], "ERROR");
    let all = desk.get("/instance-storage/instances").await.expect(200).json();
    assert_eq!((&all["totalRecords"], &all["instances"][0]["title"]), (&json!(1), &json!("Title 2")));
    let journal = desk.journal_records(&job).await;
    let of_instances = journal.iter().filter(|line| line["entityType"] == "INSTANCE");
    let reasons: Vec<&Value> =
        of_instances.map(|line| &line["error"]).filter(|error| **error != "").collect();
    assert_eq!(reasons.len(), 2, "{reasons:?}");
    for reason in reasons {
        assert!(reason.as_str().unwrap().contains("the mapping rules for 300 cannot be read"), "{reason}");
    }
}

#[tokio::test]
async fn the_record_that_describes_an_instance() {
    let library = Library::open().await;
    let nothing = fresh_id();
    let missing = library.get(&format!("/change-manager/parsedRecords?externalId={nothing}")).await;
    missing.says(
        404,
        &format!("Error retrieving Record by externalId: '{nothing}', response code 404, Not Found"),
    );
    library.get("/change-manager/parsedRecords?externalId=x").await.expect(400);
    let (job, id, instance) = (fresh_id(), fresh_id(), fresh_id());
    library
        .post("/source-storage/snapshots", &json!({"jobExecutionId": job, "status": "PARSING_IN_PROGRESS"}))
        .await
        .expect(201);
    let record = json!({
        "id": id, "snapshotId": job, "matchedId": id, "recordType": "MARC_BIB", "generation": 0, "state": "ACTUAL",
        "rawRecord": {"content": "00049nam"}, "externalIdsHolder": {"instanceId": instance, "instanceHrid": "in1"},
        "parsedRecord": {"content": {"leader": "01542ccm a2200361   4500", "fields": [{"001": "in1"}]}},
    });
    library.post("/source-storage/records", &record).await.expect(201);
    let told =
        library.get(&format!("/change-manager/parsedRecords?externalId={instance}")).await.expect(200).json();
    assert_eq!((&told["id"], &told["recordType"]), (&json!(id), &json!("MARC_BIB")));
    assert_eq!(told["parsedRecord"]["content"]["fields"][0]["001"], "in1");
}
