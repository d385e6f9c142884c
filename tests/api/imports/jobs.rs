//! Jobs as clients make, change and find them.

use octavo_testkit::fresh_id;
use serde_json::{Value, json};

use super::{Importing, JOBS, job_profile};

fn texts<'a>(jobs: &'a Value, member: &str) -> Vec<&'a str> {
    jobs.as_array().unwrap().iter().map(|job| job[member].as_str().unwrap_or_default()).collect()
}

#[tokio::test]
async fn a_request_makes_a_job_for_each_file() {
    let desk = Importing::open().await;
    let one = desk.create_jobs(&["folder/one.mrc"], json!({})).await;
    let job = &one["jobExecutions"][0];
    assert_eq!((&job["id"], &job["parentJobId"]), (&one["parentJobExecutionId"], &job["id"]));
    assert_eq!((&job["subordinationType"], &job["status"]), (&json!("PARENT_SINGLE"), &json!("NEW")));
    assert_eq!((&job["uiStatus"], &job["fileName"]), (&json!("INITIALIZATION"), &json!("one.mrc")));
    assert_eq!(job["runBy"], json!({"firstName": "Ada", "lastName": "Byron"}));
    assert_eq!((&job["progress"]["current"], &job["progress"]["total"]), (&json!(0), &json!(100)));
    let snapshot = format!("/source-storage/snapshots/{}", job["id"].as_str().unwrap());
    assert_eq!(desk.get(&snapshot).await.expect(200).json()["status"], "NEW");

    let two = desk.create_jobs(&["a", "b"], json!({})).await;
    assert_eq!(texts(&two["jobExecutions"], "subordinationType"), ["CHILD", "CHILD", "PARENT_MULTIPLE"]);
    let parent = two["parentJobExecutionId"].as_str().unwrap();
    let children = desk.get(&format!("{JOBS}/{parent}/children")).await.expect(200);
    assert_eq!(
        (children.total(), children.field_values("jobExecutions", "fileName")),
        (2, vec!["a".to_owned(), "b".to_owned()])
    );
    let single = job["id"].as_str().unwrap();
    assert_eq!(desk.get(&format!("{JOBS}/{single}/children")).await.expect(200).total(), 0);
}

#[tokio::test]
async fn what_is_refused() {
    let desk = Importing::open().await;
    let nobody = fresh_id();
    let cases = [
        (
            json!({"files": [], "sourceType": "FILES", "userId": desk.user}),
            400,
            "Received files must not be empty",
        ),
        (
            json!({"files": [{"name": "a"}], "sourceType": "FILES", "userId": nobody}),
            400,
            "No user found by user id",
        ),
    ];
    for (body, status, message) in cases {
        let reply = desk.post(JOBS, &body).await.expect(status);
        assert!(reply.text().contains(message), "{reply}");
    }
    let id = fresh_id();
    desk.get(&format!("{JOBS}/{id}")).await.says(404, &format!("JobExecution with id '{id}' was not found"));
    desk.get(&format!("{JOBS}/{id}/children")).await.expect(404);
    desk.delete(&format!("{JOBS}/{id}/records")).await.expect(404);
    desk.put(&format!("{JOBS}/{id}/status"), &json!({"status": "ERROR"})).await.expect(404);
    let job = desk.job().await;
    let status = format!("{JOBS}/{job}/status");
    desk.put(&status, &json!({"status": "PARENT"}))
        .await
        .says(400, "Cannot update JobExecution status to PARENT");
    desk.put(&status, &json!({"status": "LATER"})).await.expect(422);
    let parent =
        desk.create_jobs(&["a", "b"], json!({})).await["parentJobExecutionId"].as_str().unwrap().to_owned();
    let reply = desk.put(&format!("{JOBS}/{parent}/status"), &json!({"status": "ERROR"})).await;
    reply.says(400, &format!("JobExecution {parent} current status is PARENT and cannot be updated"));
}

#[tokio::test]
async fn an_error_completes_a_job() {
    let desk = Importing::open().await;
    let job = desk.job().await;
    let status = format!("{JOBS}/{job}/status");
    let running = desk.put(&status, &json!({"status": "PARSING_IN_PROGRESS"})).await.expect(200).json();
    assert_eq!((&running["uiStatus"], &running["completedDate"]), (&json!("RUNNING"), &Value::Null));
    let failed = json!({"status": "ERROR", "errorStatus": "FILE_PROCESSING_ERROR"});
    let failed = desk.put(&status, &failed).await.expect(200).json();
    assert_eq!(
        (&failed["uiStatus"], &failed["errorStatus"]),
        (&json!("ERROR"), &json!("FILE_PROCESSING_ERROR"))
    );
    assert!(failed["completedDate"].is_string());
    assert_eq!(desk.read_job(&job).await["progress"]["total"], 0);
    let snapshot = desk.get(&format!("/source-storage/snapshots/{job}")).await.expect(200).json();
    assert_eq!(snapshot["status"], "ERROR");
}

#[tokio::test]
async fn the_whole_ends_with_its_last_part() {
    let desk = Importing::open().await;
    let whole =
        desk.create_jobs(&["a"], json!({"sourceType": "COMPOSITE"})).await["parentJobExecutionId"].clone();
    let mut parts = Vec::new();
    for number in 1..=2 {
        let more = json!({"sourceType": "COMPOSITE", "parentJobId": whole, "jobPartNumber": number, "totalJobParts": 2});
        parts.push(
            desk.create_jobs(&["a"], more).await["jobExecutions"][0]["id"].as_str().unwrap().to_owned(),
        );
    }
    let whole = whole.as_str().unwrap();
    let listed = desk
        .get("/metadata-provider/jobExecutions?subordinationTypeNotAny=COMPOSITE_CHILD")
        .await
        .expect(200);
    let details = &listed.json()["jobExecutions"][0]["compositeDetails"];
    assert_eq!(details["newState"]["chunksCount"], 2, "{listed}");
    for (part, status, expected) in [(0, "COMMITTED", "NEW"), (1, "CANCELLED", "COMMITTED")] {
        let path = format!("{JOBS}/{}/status", parts[part]);
        desk.put(&path, &json!({"status": status})).await.expect(200);
        assert_eq!(desk.read_job(whole).await["status"], expected);
    }
}

#[tokio::test]
async fn jobs_are_filtered_and_sorted() {
    let desk = Importing::open().await;
    let mut ids = Vec::new();
    for (file, status) in
        [("alpha.mrc", "COMMITTED"), ("beta.mrc", "ERROR"), ("gamma.mrc", "CANCELLED"), ("delta.mrc", "NEW")]
    {
        let mut job = desk.create_jobs(&[file], json!({})).await["jobExecutions"][0].clone();
        if file != "delta.mrc" {
            job["jobProfileInfo"] =
                json!({"id": fresh_id(), "name": format!("Profile {file}"), "dataType": "MARC"});
        }
        job["jobProfileSnapshotWrapper"] = job_profile();
        let id = job["id"].as_str().unwrap().to_owned();
        desk.put(&format!("{JOBS}/{id}"), &job).await.expect(200);
        desk.put(&format!("{JOBS}/{id}/status"), &json!({"status": status})).await.expect(200);
        ids.push((id, job["jobProfileInfo"]["id"].as_str().unwrap_or_default().to_owned()));
    }
    let cases = [
        ("statusAny=COMMITTED&statusAny=ERROR", vec!["alpha.mrc", "beta.mrc"]),
        ("statusNot=NEW", vec!["alpha.mrc", "beta.mrc", "gamma.mrc"]),
        ("uiStatusAny=RUNNING_COMPLETE", vec!["alpha.mrc"]),
        ("fileName=*ta.mrc", vec!["beta.mrc", "delta.mrc"]),
        ("fileNameNotAny=alpha.mrc&fileNameNotAny=beta.mrc", vec!["gamma.mrc", "delta.mrc"]),
        ("fileName=ALPHA*&hrId=999999", vec!["alpha.mrc"]),
        (&format!("profileIdAny={}", ids[1].1), vec!["beta.mrc"]),
        (&format!("profileIdNotAny={}", ids[1].1), vec!["alpha.mrc", "gamma.mrc"]),
        (&format!("userId={}", desk.user), vec!["alpha.mrc", "beta.mrc", "gamma.mrc", "delta.mrc"]),
        (&format!("userId={}", fresh_id()), vec![]),
        ("completedAfter=2020-01-01", vec!["alpha.mrc", "beta.mrc", "gamma.mrc"]),
        ("completedBefore=2020-01-01", vec![]),
        ("sortBy=file_name,desc&limit=2", vec!["gamma.mrc", "delta.mrc"]),
        ("sortBy=status,asc&sortBy=hrid,desc", vec!["gamma.mrc", "alpha.mrc", "beta.mrc", "delta.mrc"]),
        ("sortBy=hrid,asc&offset=1&limit=1", vec!["beta.mrc"]),
    ];
    for (query, expected) in cases {
        let sort = if query.contains("sortBy") { "" } else { "&sortBy=hrid,asc" };
        let found = desk.get(&format!("/metadata-provider/jobExecutions?{query}{sort}")).await.expect(200);
        assert_eq!(found.field_values("jobExecutions", "fileName"), expected, "{query}");
    }
    for wrong in
        ["statusAny=DONE", "sortBy=password,asc", "sortBy=hrid", "profileIdAny=x", "completedAfter=soon"]
    {
        desk.get(&format!("/metadata-provider/jobExecutions?{wrong}")).await.expect(400);
    }
    let profiles = desk.get("/metadata-provider/jobExecutions/jobProfiles").await.expect(200);
    assert_eq!(
        profiles.field_values("jobProfilesInfo", "name"),
        ["Profile alpha.mrc", "Profile beta.mrc", "Profile gamma.mrc"]
    );
    let users = desk.get("/metadata-provider/jobExecutions/users").await.expect(200).json();
    assert_eq!(users["jobExecutionUsersInfo"][0]["jobUserLastName"], "Byron");

    let deleted = desk.send_delete(&json!({"ids": [ids[0].0]})).await;
    assert_eq!(deleted["jobExecutionDetails"], json!([{"jobExecutionId": ids[0].0, "isDeleted": true}]));
    desk.get(&format!("{JOBS}/{}", ids[0].0)).await.expect(404);
    assert_eq!(desk.get("/metadata-provider/jobExecutions").await.expect(200).total(), 3);
    desk.script("update job_execution set completed = now() - interval '3 days'").await;
    desk.run_job("/octavo/import-jobs/retention/timer").await;
    assert_eq!(desk.get("/metadata-provider/jobExecutions").await.expect(200).total(), 3);

    // Of the three, two are older than the setting keep-import-logs-days.
    desk.script(
        "update job_execution set completed = now() - interval '731 days' where file_name <> 'delta.mrc'",
    )
    .await;
    desk.run_job("/octavo/import-jobs/retention/timer").await;
    let left = desk.get("/metadata-provider/jobExecutions").await.expect(200);
    assert_eq!(left.field_values("jobExecutions", "fileName"), ["delta.mrc"]);
}

impl Importing {
    async fn send_delete(&self, ids: &Value) -> Value {
        self.library.send("DELETE", JOBS, ids.to_string()).await.expect(200).json()
    }
}
