//! The import jobs for uploaded files. Only this file of `data_import` creates and changes jobs, in the transactions of the calls.

use octavo_engine::Context;
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::store::{Store, came_in_parts};
use crate::profiles::tree;
use crate::source_manager::runner::{self, FileToImport};
use crate::source_manager::{self, change, create, profile, start_file_statements};

/// Jobs for the files of one upload.
pub(crate) struct CreatedJobs {
    pub(crate) parent: Uuid,
    /// The job of each file, in their order. A single file has the parent itself.
    pub(crate) file_jobs: Vec<Uuid>,
    /// The statements that insert the jobs, for the transaction that writes the upload definition.
    pub(crate) statements: Vec<Statement>,
}

/// Creates jobs for files with these names, with the status NEW.
pub(crate) async fn create_executions(
    context: &Context,
    session: &mut Session,
    files: &[&str],
) -> Outcome<CreatedJobs> {
    if files.is_empty() {
        return Err(Fault::bad_request("Error creating new JobExecution"));
    }
    let (parent, of_files, statements) = create::for_files(context, session, files).await?;
    Ok(CreatedJobs { parent, file_jobs: of_files, statements })
}

/// Statements that set the status of a file's job to FILE_UPLOADED.
pub(crate) fn uploaded_statements(file: &Value) -> Vec<Statement> {
    job_of(file).map(|job| change::set_status_statement(job, "FILE_UPLOADED", None)).into_iter().collect()
}

/// Statements that set the status of the jobs of removed files to DISCARDED.
pub(crate) fn discarded_statements(files: &[Value]) -> Vec<Statement> {
    files.iter().filter_map(job_of).map(|job| change::set_status_statement(job, "DISCARDED", None)).collect()
}

/// Whether the import of one of the files has begun: its job has another status than NEW, FILE_UPLOADED and DISCARDED.
pub(crate) async fn is_import_begun(session: &mut Session, definition: &Value) -> Outcome<bool> {
    let jobs = file_definitions(definition).iter().filter_map(job_of).collect();
    let begun: Option<bool> = session.read(Statement::new(BEGUN).uuids(jobs)).await?;
    Ok(begun.unwrap_or(false))
}

/// The statements and jobs that begin an import.
pub(crate) struct ImportBeginning {
    /// The statements, for the transaction that ends the upload.
    pub(crate) statements: Vec<Statement>,
    /// The id of each file with its job. A file that was sent in parts gets another job than before.
    file_jobs: Vec<(Value, Uuid)>,
}

impl ImportBeginning {
    /// Writes the ids of the jobs into the upload definition.
    pub(crate) fn note_jobs(&self, definition: &mut Value) {
        for file in definition["fileDefinitions"].as_array_mut().into_iter().flatten() {
            if let Some((_, job)) = self.file_jobs.iter().find(|(id, _)| *id == file["id"]) {
                file["jobExecutionId"] = json!(job);
            }
        }
        if let [(_, job)] = self.file_jobs.as_slice() {
            definition["metaJobExecutionId"] = json!(job);
        }
    }
}

/// Begins the import of the files of an upload definition by a job profile (`jobProfileInfo`). The caller calls [`notify_runner`] after the
/// transaction. As in FOLIO, a file that was sent in parts gets a composite job with a part below it; here one part has the whole file.
pub(crate) async fn begin(
    context: &Context,
    session: &mut Session,
    definition: &Value,
    info: &Value,
) -> Outcome<ImportBeginning> {
    let id = info["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_default();
    let unknown =
        || Fault::bad_request(format!("Error loading JobProfile by JobProfile id '{id}', response code 404"));
    let (snapshot, keep) = tree::load_job_snapshot(context, session, id).await?.ok_or_else(unknown)?;
    let store = Store::from_context(context);
    let described = (info["dataType"].as_str(), info["hidden"].as_bool().unwrap_or(false));
    let with_profile = |job| profile::set_profile_statement(job, id, described, &snapshot);
    let (mut statements, mut of_files) = (vec![keep], Vec::new());
    for file in file_definitions(definition) {
        let job = job_of(file).zip(file["sourcePath"].as_str());
        let (mut job, key) =
            job.ok_or_else(|| Fault::bad_request("A file has no job, or was not uploaded"))?;
        let mut working = job;
        if came_in_parts(key) {
            let (whole, part, written) = create::composite_job(context, session, key).await?;
            statements.extend(written);
            statements.push(Statement::new(COPY_TRIAL).uuid(job).uuids(vec![whole, part]));
            statements.push(change::set_status_statement(job, "DISCARDED", None));
            statements.push(with_profile(whole));
            statements.push(change::set_status_statement(whole, "COMMIT_IN_PROGRESS", None));
            (job, working) = (whole, part);
        }
        of_files.push((file["id"].clone(), job));
        statements.push(with_profile(working));
        let path = store.file(key);
        let path = path.to_str().ok_or_else(|| Fault::internal("the upload folder has no name in UTF-8"))?;
        statements.extend(start_file_statements(context, working, FileToImport { path, total: None }));
    }
    if let [_, _, ..] = file_definitions(definition)
        && let Some(parent) =
            definition["metaJobExecutionId"].as_str().and_then(|id| Uuid::parse_str(id).ok())
    {
        statements.push(with_profile(parent));
    }
    Ok(ImportBeginning { statements, file_jobs: of_files })
}

/// Notifies the runner of import jobs, so that it begins the jobs at once.
pub(crate) fn notify_runner(context: &Context) {
    runner::notify_runner(&context.platform, &context.tenant.id);
}

/// Cancels a job and its parts.
pub(crate) async fn cancel(context: &Context, session: &mut Session, job: Uuid) -> Outcome<()> {
    source_manager::cancel(context, session, job).await
}

fn file_definitions(definition: &Value) -> &[Value] {
    definition["fileDefinitions"].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn job_of(file: &Value) -> Option<Uuid> {
    Uuid::parse_str(file["jobExecutionId"].as_str()?).ok()
}

const BEGUN: &str = "\
select exists (
  select from job_execution
  where id = any($1)
  and status not in ('NEW', 'FILE_UPLOADED', 'DISCARDED')
)";

/// Makes the new jobs of a file trials if its first job is one.
const COPY_TRIAL: &str = "\
update job_execution n
set is_trial = o.is_trial
from job_execution o
where o.id = $1
and n.id = any($2)";

octavo_pg::statements!(other = [BEGUN, COPY_TRIAL]);
