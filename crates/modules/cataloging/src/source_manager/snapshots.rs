//! The snapshots of source records: each job has one of its own id, whose status follows the job's.

use octavo_engine::{Context, metadata, statements};
use octavo_modules_inventory::source_records::{SNAPSHOT, SOURCE_RECORD};
use octavo_pg::Statement;
use octavo_record::table_name;
use serde_json::json;
use uuid::Uuid;

/// Makes the snapshot of a new job.
pub(super) fn create(context: &Context, job: Uuid) -> Statement {
    let now = context.now_text();
    let document = json!({"jobExecutionId": job, "status": "NEW", "metadata": metadata(context, None, &now)});
    statements::insert_if_new(&SNAPSHOT, job, &document)
}

/// Takes the job's status over.
pub(super) fn follow(job: Uuid, status: &str, now: &str) -> Statement {
    Statement::new(FOLLOW).uuid(job).text(status).text(now)
}

/// Removes what a job has stored as source records.
pub(super) fn remove_records(job: Uuid) -> Statement {
    Statement::new(format!("delete from {} where \"snapshotId\" = $1", table_name(&SOURCE_RECORD))).uuid(job)
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
