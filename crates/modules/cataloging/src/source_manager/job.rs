//! Import jobs as they are stored, and their JSON.

use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Row, Session, Statement};
use uuid::Uuid;

/// The time of a column, in FOLIO's format.
macro_rules! time {
    ($column:literal) => {
        concat!("to_char(", $column, " at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"')")
    };
}

/// The job `j` as JSON, with more members.
macro_rules! job_json {
    ($more:expr) => {
        concat!(
            "json_strip_nulls(json_build_object(
  'id', j.id,
  'hrId', j.hrid,
  'parentJobId', j.parent_id,
  'subordinationType', j.subordination,
  'jobProfileInfo', case when j.profile_id is not null then json_build_object(
    'id', j.profile_id,
    'name', j.profile_name,
    'dataType', j.profile_data_type,
    'hidden', j.profile_hidden) end,
  'sourcePath', j.source_path,
  'fileName', j.file_name,
  'runBy', json_build_object('firstName', j.first_name, 'lastName', j.last_name),
  'startedDate', ",
            $crate::source_manager::job::time!("j.started"),
            ",
  'completedDate', ",
            $crate::source_manager::job::time!("j.completed"),
            ",
  'status', j.status,
  'uiStatus', j.ui_status,
  'errorStatus', j.error_status,
  'userId', j.user_id,
  'jobPartNumber', j.part_number,
  'totalJobParts', j.total_parts,
  'totalRecordsInFile', j.total_in_file,
  'isTrial', nullif(j.is_trial, false)",
            $more,
            "))::text"
        )
    };
}

/// The job `j` as the calls under `/change-manager` return it.
macro_rules! whole_job_json {
    () => {
        $crate::source_manager::job::job_json!(
            ",
  'progress', json_build_object('jobExecutionId', j.id, 'current', j.progress_current, 'total', j.progress_total),
  'jobProfileSnapshotWrapper', j.profile_snapshot"
        )
    };
}

pub(super) use {job_json, time, whole_job_json};

/// The columns of a locked job that a change needs.
#[derive(Debug)]
pub(super) struct Locked {
    pub status: String,
    pub subordination: String,
    pub parent: Uuid,
    pub has_snapshot: bool,
    pub profile: Option<Uuid>,
}

octavo_pg::columns!(Locked { status, subordination, parent, has_snapshot, profile });

/// A locked job, and the jobs of its files or parts with their ids.
pub(super) struct LockedWithChildren {
    pub job: Locked,
    pub children: Vec<(Uuid, Locked)>,
}

impl Locked {
    pub(super) fn is_part(&self) -> bool {
        self.subordination == "COMPOSITE_CHILD"
    }
}

pub(super) fn not_found(id: impl std::fmt::Display) -> Fault {
    Fault::not_found_with(format!("JobExecution with id '{id}' was not found"))
}

/// The error if the job to be changed does not exist.
pub(super) fn not_found_for_change(id: Uuid) -> Fault {
    Fault::not_found_with(format!(
        "Rollback transaction. Error during jobExecution update. jobExecutionId{id}"
    ))
}

/// Opens a transaction and locks the job. The caller rolls back if there is no such job.
pub(super) async fn lock(session: &mut Session, id: Uuid) -> Outcome<Option<Locked>> {
    let answers = session.begin(vec![Statement::new(LOCK).uuid(id)]).await?;
    Ok(answers.first().and_then(|rows| rows.first()).map(Row::read))
}

/// Opens a transaction and locks the job and the jobs below it. These come first, as a part that ends locks itself before the whole. The
/// caller rolls back if there is no such job.
pub(super) async fn lock_with_children(
    session: &mut Session,
    id: Uuid,
) -> Outcome<Option<LockedWithChildren>> {
    let locks = vec![Statement::new(LOCK_CHILDREN).uuid(id), Statement::new(LOCK).uuid(id)];
    let answers = session.begin(locks).await?;
    let [children, job] = answers.as_slice() else { return Ok(None) };
    let children = children.iter().map(Row::read::<(Uuid, Locked)>).collect();
    Ok(job.first().map(|row| LockedWithChildren { job: row.read(), children }))
}

/// Reads the job as JSON text.
pub(super) fn json_statement(id: Uuid) -> Statement {
    Statement::new(SHOWN).uuid(id)
}

pub(super) async fn get(session: &mut Session, id: Uuid) -> Outcome<Option<String>> {
    Ok(session.read(json_statement(id)).await?)
}

const LOCK: &str = "\
select status, subordination, parent_id, profile_snapshot is not null, profile_id
from job_execution
where id = $1 and not is_deleted
for update";

const LOCK_CHILDREN: &str = "\
select id, status, subordination, parent_id, profile_snapshot is not null, profile_id
from job_execution
where parent_id = $1 and id <> $1 and not is_deleted
order by id
for update";

const SHOWN: &str =
    concat!("select ", whole_job_json!(), "\nfrom job_execution j\nwhere j.id = $1 and not j.is_deleted");

octavo_pg::statements!(hot = [LOCK, SHOWN], other = [LOCK_CHILDREN]);
