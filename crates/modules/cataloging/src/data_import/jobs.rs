//! The seam between uploads and the jobs that import what was uploaded. Here, and nowhere else, `data_import` asks for jobs: the functions
//! are to be connected to the job executions of `crate::source_manager`, in the transactions of their callers. Until then ids of jobs
//! are fresh, nothing is kept of them, and no import begins.

use octavo_engine::Context;
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use serde_json::Value;
use uuid::Uuid;

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
    _session: &mut Session,
    files: &[&str],
) -> Outcome<Created> {
    if files.is_empty() {
        return Err(Fault::bad_request("Error creating new JobExecution"));
    }
    let parent = context.fresh_id();
    let of_files = match files {
        [_] => vec![parent],
        files => files.iter().map(|_| context.fresh_id()).collect(),
    };
    Ok(Created { parent, of_files, statements: Vec::new() })
}

/// What notes that a file was uploaded: its job's state is FILE_UPLOADED.
pub(crate) fn uploaded(_file: &Value) -> Vec<Statement> {
    Vec::new()
}

/// What notes that files were taken away: their jobs' state is DISCARDED.
pub(crate) fn discarded(_files: &[Value]) -> Vec<Statement> {
    Vec::new()
}

/// Whether the import of one of the files has begun: a job is in another state than NEW, FILE_UPLOADED and DISCARDED.
pub(crate) async fn is_processed(_session: &mut Session, definition: &Value) -> Outcome<bool> {
    Ok(definition["status"] == "COMPLETED")
}

/// Begins the import of the files of an upload definition by a job profile (`jobProfileInfo`). What it answers is written in the
/// transaction that ends the upload.
pub(crate) async fn begin(
    _context: &Context,
    _session: &mut Session,
    _definition: &Value,
    _profile: &Value,
) -> Outcome<Vec<Statement>> {
    Err(Fault::text(501, "Imports are not built in Octavo yet"))
}

/// Stops a job and its parts.
pub(crate) async fn cancel(_context: &Context, _session: &mut Session, _job: Uuid) -> Outcome<()> {
    Err(Fault::text(501, "Imports are not built in Octavo yet"))
}
