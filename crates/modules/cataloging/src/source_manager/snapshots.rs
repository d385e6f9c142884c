//! The snapshots of source records: each job has one with the same id, whose status follows that of the job.

use octavo_engine::{Context, metadata, statements};
use octavo_modules_inventory::source_records::SNAPSHOT;
use octavo_pg::Statement;
use serde_json::json;
use uuid::Uuid;

/// Inserts the snapshot of a new job.
pub(super) fn create_statement(context: &Context, job: Uuid) -> Statement {
    let now = context.now_text();
    let document = json!({"jobExecutionId": job, "status": "NEW", "metadata": metadata(context, None, &now)});
    statements::insert_if_new(&SNAPSHOT, job, &document)
}

/// Sets the status of the snapshot to that of the job.
pub(super) fn set_status_statement(job: Uuid, status: &str, now: &str) -> Statement {
    Statement::new(FOLLOW).uuid(job).text(status).text(now)
}

const FOLLOW: &str = "\
update snapshots_lb
set doc = (
  doc::jsonb
  || jsonb_build_object('status', $2::text)
  || case
    when $2 = 'PARSING_IN_PROGRESS' and doc ->> 'processingStartedDate' is null
    then jsonb_build_object('processingStartedDate', $3::text)
    else '{}'
  end
  || jsonb_build_object(
    'metadata',
    coalesce((doc -> 'metadata')::jsonb, '{}') || jsonb_build_object('updatedDate', $3::text)))::json
where id = $1";

octavo_pg::statements!(other = [FOLLOW]);
