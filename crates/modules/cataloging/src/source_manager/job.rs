//! A job as it is stored, and as clients see it.

use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use uuid::Uuid;

/// The time in a column as FOLIO writes it.
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

/// The job `j` as the calls of the change manager show it.
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

/// What a change of a job has to know of it.
#[derive(Debug)]
pub(super) struct Locked {
    pub status: String,
    pub subordination: String,
    pub parent: Uuid,
    pub has_snapshot: bool,
    pub profile: Option<Uuid>,
}

octavo_pg::columns!(Locked { status, subordination, parent, has_snapshot, profile });

impl Locked {
    pub(super) fn is_part(&self) -> bool {
        self.subordination == "COMPOSITE_CHILD"
    }
}

pub(super) fn missing(id: impl std::fmt::Display) -> Fault {
    Fault::missing(format!("JobExecution with id '{id}' was not found"))
}

/// A job that is to be changed was not there.
pub(super) fn missing_for_change(id: Uuid) -> Fault {
    Fault::missing(format!("Rollback transaction. Error during jobExecution update. jobExecutionId{id}"))
}

/// Opens a transaction and locks the job in it. The caller rolls back if it is not there.
pub(super) async fn lock(session: &mut Session, id: Uuid) -> Outcome<Option<Locked>> {
    let answers = session.begin(vec![Statement::new(LOCK).uuid(id)]).await?;
    Ok(answers.first().and_then(|rows| rows.first()).map(octavo_pg::Row::read))
}

/// The job as JSON text.
pub(super) fn shown(id: Uuid) -> Statement {
    Statement::new(SHOWN).uuid(id)
}

pub(super) async fn get(session: &mut Session, id: Uuid) -> Outcome<Option<String>> {
    Ok(session.read(shown(id)).await?)
}

const LOCK: &str = "\
select status, subordination, parent_id, profile_snapshot is not null, profile_id
from job_execution
where id = $1 and not is_deleted
for update";

const SHOWN: &str =
    concat!("select ", whole_job_json!(), "\nfrom job_execution j\nwhere j.id = $1 and not j.is_deleted");

octavo_pg::statements!(hot = [LOCK, SHOWN]);
