//! Jobs that are ended before their time.

use octavo_engine::Context;
use octavo_modules::source_manager::{cancel, runner::Decide};
use octavo_pg::Statement;
use octavo_testkit::{Library, fresh_id};
use serde_json::json;

use super::{INSERT_NUMBERS, Importing, JOBS, chunk, insert_numbers, record};
use crate::quick_marc::bib;

/// Somebody cancels the job while its second transaction is decided on.
const IS_CANCELLED: Decide = |context, _, job, records| {
    Box::pin(async move {
        if records.iter().any(|record| record.order == 200) {
            let tenant = context.tenant.id.as_str();
            let other = Context::for_server_task(&context.platform, tenant, context.now).await?;
            cancel(&other, &mut other.session().await?, job.id).await?;
        }
        Ok(insert_numbers(context, records))
    })
};

#[tokio::test]
async fn a_cancelled_job_keeps_what_was_done_before() {
    let desk = Importing::open().await;
    let job = desk.job().await;
    let all: Vec<String> = (0..500).map(|number| record(&number.to_string())).collect();
    desk.send_chunk(&job, &chunk(&all, 500, 500, true)).await.expect(204);
    desk.run_imports_by(IS_CANCELLED).await;
    let cancelled = desk.read_job(&job).await;
    assert_eq!((&cancelled["status"], &cancelled["uiStatus"]), (&json!("CANCELLED"), &json!("CANCELLED")));
    assert!(cancelled["completedDate"].is_string());
    assert_eq!(cancelled["progress"]["current"], 200);
    assert_eq!(desk.made_numbers().await.len(), 200);
    let refused = desk.send_chunk(&job, &chunk(&all[..1], 1, 1, true)).await;
    refused.says(400, "Couldn't update JobExecution status, JobExecution already marked as CANCELLED");
    let context = desk.context().await;
    let mut session = context.session().await.unwrap();
    let queued = Statement::new("select count(*) from octavo.import_jobs where tenant = $1")
        .text(context.tenant.id.as_str());
    assert_eq!(session.read::<Option<i64>>(queued).await.unwrap(), Some(0));
}

#[tokio::test]
async fn a_cancelled_job_of_the_profile_for_programs_leaves_nothing() {
    const FOR_PROGRAMS: &str = "22fafcc3-f582-493d-88b0-3c538480cd83";
    let desk = Importing::from_library(Library::furnished().await).await;
    // The profile, and whether what the job has stored stays.
    for (profile, stays) in [(FOR_PROGRAMS.to_owned(), false), (fresh_id().to_string(), true)] {
        let profile = json!({"id": profile, "name": "Programs", "dataType": "MARC"});
        let asked = json!({"sourceType": "ONLINE", "jobProfileInfo": profile});
        let job = desk.create_jobs(&[], asked).await["parentJobExecutionId"].as_str().unwrap().to_owned();
        let begun = json!({"status": "PARSING_IN_PROGRESS"});
        desk.put(&format!("{JOBS}/{job}/status"), &begun).await.expect(200);
        let instance = bib(&desk, &job, &format!("in0000000030{}", u8::from(stays)), Vec::new()).await;
        desk.delete(&format!("{JOBS}/{job}/records")).await.expect(204);
        assert_eq!(desk.read_job(&job).await["status"], "CANCELLED");
        let status = if stays { 200 } else { 404 };
        desk.get(&format!("/source-storage/snapshots/{job}")).await.expect(status);
        desk.get(&format!("/instance-storage/instances/{instance}")).await.expect(status);
        let records = desk.get(&format!("/source-storage/records?snapshotId={job}")).await.expect(200);
        assert_eq!(records.total(), i64::from(stays));
    }
}

#[tokio::test]
async fn a_job_that_has_ended_stays_as_it_is() {
    let desk = Importing::open().await;
    let job = desk.job().await;
    desk.send_chunk(&job, &chunk(&[record("1")], 1, 1, true)).await.expect(204);
    desk.run_imports_by(INSERT_NUMBERS).await;
    desk.delete(&format!("{JOBS}/{job}/records")).await.expect(204);
    assert_eq!(desk.read_job(&job).await["status"], "COMMITTED");
}

#[tokio::test]
async fn a_cancelled_job_cancels_its_parts_and_stays_cancelled() {
    let desk = Importing::open().await;
    let whole = desk.create_jobs(&["a"], json!({"sourceType": "COMPOSITE"})).await;
    let whole = whole["parentJobExecutionId"].as_str().unwrap().to_owned();
    let mut parts = Vec::new();
    for number in 1..=2 {
        let more = json!({"sourceType": "COMPOSITE", "parentJobId": whole, "jobPartNumber": number, "totalJobParts": 2});
        let made = desk.create_jobs(&["a"], more).await;
        parts.push(made["jobExecutions"][0]["id"].as_str().unwrap().to_owned());
    }
    desk.put(&format!("{JOBS}/{}/status", parts[0]), &json!({"status": "COMMITTED"})).await.expect(200);
    desk.delete(&format!("{JOBS}/{whole}/records")).await.expect(204);
    for (job, expected) in [(&whole, "CANCELLED"), (&parts[0], "COMMITTED"), (&parts[1], "CANCELLED")] {
        assert_eq!(desk.read_job(job).await["status"], expected);
    }
    // A part that ends later ends no job that was cancelled.
    desk.put(&format!("{JOBS}/{}/status", parts[1]), &json!({"status": "COMMITTED"})).await.expect(200);
    assert_eq!(desk.read_job(&whole).await["status"], "CANCELLED");
    let several = desk.create_jobs(&["a", "b"], json!({})).await;
    let parent = several["parentJobExecutionId"].as_str().unwrap();
    desk.delete(&format!("{JOBS}/{parent}/records")).await.expect(204);
    let children = desk.get(&format!("{JOBS}/{parent}/children")).await.expect(200);
    assert_eq!(children.field_values("jobExecutions", "status"), ["CANCELLED", "CANCELLED"]);
}
