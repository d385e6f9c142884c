//! The jobs that import what was uploaded. Here, and nowhere else, `data_import` asks for them, in the transactions of its calls.

use octavo_engine::Context;
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::store::{Store, came_in_parts};
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

/// What begins an import.
pub(crate) struct Beginning {
    /// What writes it, in the transaction that ends the upload.
    pub(crate) statements: Vec<Statement>,
    /// The jobs of the files, in their order: other ones than before, where files came in parts.
    of_files: Vec<Uuid>,
}

impl Beginning {
    /// Names the jobs in the upload definition.
    pub(crate) fn note(&self, definition: &mut Value) {
        let files = definition["fileDefinitions"].as_array_mut().into_iter().flatten();
        for (file, job) in files.zip(&self.of_files) {
            file["jobExecutionId"] = json!(job);
        }
        if let [job] = self.of_files.as_slice() {
            definition["metaJobExecutionId"] = json!(job);
        }
    }
}

/// Begins the import of the files of an upload definition by a job profile (`jobProfileInfo`); after the transaction [`begun`] is called.
/// As in FOLIO, a file that came in parts gets a composite job with the file's key and a part below it; here one part has the whole file.
pub(crate) async fn begin(
    context: &Context,
    session: &mut Session,
    definition: &Value,
    info: &Value,
) -> Outcome<Beginning> {
    let id = info["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_default();
    let unknown =
        || Fault::bad_request(format!("Error loading JobProfile by JobProfile id '{id}', response code 404"));
    let (snapshot, keep) = tree::of_job(context, session, id).await?.ok_or_else(unknown)?;
    let store = Store::of(context);
    let described = (info["dataType"].as_str(), info["hidden"].as_bool().unwrap_or(false));
    let with_profile = |job| profile::keep(job, id, described, &snapshot);
    let (mut statements, mut of_files) = (vec![keep], Vec::new());
    for file in files(definition) {
        let job = job_of(file).zip(file["sourcePath"].as_str());
        let (mut job, key) =
            job.ok_or_else(|| Fault::bad_request("A file has no job, or was not uploaded"))?;
        let mut working = job;
        if came_in_parts(key) {
            let (whole, part, written) = create::composite(context, session, key).await?;
            statements.extend(written);
            statements.push(change::set(job, "DISCARDED", None));
            statements.push(with_profile(whole));
            statements.push(change::set(whole, "COMMIT_IN_PROGRESS", None));
            (job, working) = (whole, part);
        }
        of_files.push(job);
        statements.push(with_profile(working));
        let path = store.file(key);
        let path = path.to_str().ok_or_else(|| Fault::internal("the upload folder has no name in UTF-8"))?;
        statements.extend(start_file(context, working, Start { path, total: None }));
    }
    if let [_, _, ..] = files(definition)
        && let Some(parent) =
            definition["metaJobExecutionId"].as_str().and_then(|id| Uuid::parse_str(id).ok())
    {
        statements.push(with_profile(parent));
    }
    Ok(Beginning { statements, of_files })
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
