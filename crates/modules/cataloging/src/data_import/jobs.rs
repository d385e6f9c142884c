//! The jobs that import what was uploaded. Here, and nowhere else, `data_import` asks for them, in the transactions of its calls.

use octavo_engine::Context;
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use serde_json::Value;
use uuid::Uuid;

use super::store::Store;
use crate::profiles::tree;
use crate::source_manager::runner::{self, Start};
use crate::source_manager::{self, change, create, profile, start_file};

/// Jobs for the files of one upload.
pub(crate) struct Created {
    pub(crate) parent: Uuid,
    /// One for each file, in their order. Of a single file it is the parent.
    pub(crate) of_files: Vec<Uuid>,
    /// What writes them, in the transaction that writes the upload definition.
    pub(crate) statements: Vec<Statement>,
}

/// Jobs for files with these names, in the state NEW.
pub(crate) async fn create_executions(
    context: &Context,
    session: &mut Session,
    files: &[&str],
) -> Outcome<Created> {
    if files.is_empty() {
        return Err(Fault::bad_request("Error creating new JobExecution"));
    }
    let (parent, of_files, statements) = create::for_files(context, session, files).await?;
    Ok(Created { parent, of_files, statements })
}

/// What notes that a file was uploaded: its job's state is FILE_UPLOADED.
pub(crate) fn uploaded(file: &Value) -> Vec<Statement> {
    job_of(file).map(|job| change::set(job, "FILE_UPLOADED", None)).into_iter().collect()
}

/// What notes that files were taken away: their jobs' state is DISCARDED.
pub(crate) fn discarded(files: &[Value]) -> Vec<Statement> {
    files.iter().filter_map(job_of).map(|job| change::set(job, "DISCARDED", None)).collect()
}

/// Whether the import of one of the files has begun: a job is in another state than NEW, FILE_UPLOADED and DISCARDED.
pub(crate) async fn is_processed(session: &mut Session, definition: &Value) -> Outcome<bool> {
    let jobs = files(definition).iter().filter_map(job_of).collect();
    let begun: Option<bool> = session.read(Statement::new(BEGUN).uuids(jobs)).await?;
    Ok(begun.unwrap_or(false))
}

/// Begins the import of the files of an upload definition by a job profile (`jobProfileInfo`). What it answers is written in the
/// transaction that ends the upload; then [`begun`] is called.
pub(crate) async fn begin(
    context: &Context,
    session: &mut Session,
    definition: &Value,
    info: &Value,
) -> Outcome<Vec<Statement>> {
    let id = info["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_default();
    let unknown =
        || Fault::bad_request(format!("Error loading JobProfile by JobProfile id '{id}', response code 404"));
    let (snapshot, keep) = tree::of_job(context, session, id).await?.ok_or_else(unknown)?;
    let store = Store::of(context);
    let described = (info["dataType"].as_str(), info["hidden"].as_bool().unwrap_or(false));
    let mut statements = vec![keep];
    for file in files(definition) {
        let job = job_of(file).zip(file["sourcePath"].as_str());
        let (job, key) = job.ok_or_else(|| Fault::bad_request("A file has no job, or was not uploaded"))?;
        statements.push(profile::keep(job, id, described, &snapshot));
        let path = store.file(key);
        let path = path.to_str().ok_or_else(|| Fault::internal("the upload folder has no name in UTF-8"))?;
        statements.extend(start_file(context, job, Start { path, total: None }));
    }
    if let [_, _, ..] = files(definition)
        && let Some(parent) =
            definition["metaJobExecutionId"].as_str().and_then(|id| Uuid::parse_str(id).ok())
    {
        statements.push(profile::keep(parent, id, described, &snapshot));
    }
    Ok(statements)
}

/// Has the jobs looked at at once.
pub(crate) fn begun(context: &Context) {
    runner::ring(&context.platform, &context.tenant.id);
}

/// Stops a job and its parts.
pub(crate) async fn cancel(context: &Context, session: &mut Session, job: Uuid) -> Outcome<()> {
    source_manager::cancel(context, session, job).await
}

fn files(definition: &Value) -> &[Value] {
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

octavo_pg::statements!(other = [BEGUN]);
