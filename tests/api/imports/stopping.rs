//! Jobs that are ended before their time.

use octavo_engine::Context;
use octavo_modules::source_manager::{cancel, runner::Decide};
use octavo_pg::Statement;
use serde_json::json;

use super::{INSERT_NUMBERS, Importing, JOBS, chunk, insert_numbers, record};

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
async fn a_job_that_has_ended_stays_as_it_is() {
    let desk = Importing::open().await;
    let job = desk.job().await;
    desk.send_chunk(&job, &chunk(&[record("1")], 1, 1, true)).await.expect(204);
    desk.run_imports_by(INSERT_NUMBERS).await;
    desk.delete(&format!("{JOBS}/{job}/records")).await.expect(204);
    assert_eq!(desk.read_job(&job).await["status"], "COMMITTED");
}
