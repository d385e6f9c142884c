//! Imports the file of a trial: creates a job for the same file, with the profile as it was at the trial.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Json, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::runner::{self, FileToImport, start_file_statements};
use super::{create, job, profile};

struct EndedTrial {
    file_name: String,
    profile: Uuid,
    data_type: Option<String>,
    is_hidden: bool,
    snapshot: Json<Value>,
    total: i64,
    path: String,
}

octavo_pg::columns!(EndedTrial { file_name, profile, data_type, is_hidden, snapshot, total, path });

/// Imports the file of a trial; possible once for each trial.
pub(super) async fn begin(request: Request) -> Outcome<Response> {
    let (id, context) = (request.path_id(0)?, &request.context);
    let mut session = context.session().await?;
    let tried: Option<EndedTrial> = session.read(Statement::new(TRIED).uuid(id)).await?;
    let Some(tried) = tried else {
        return Err(match job::get(&mut session, id).await? {
            None => job::not_found(id),
            Some(_) => not_importable(),
        });
    };
    if !tokio::fs::try_exists(&tried.path).await.unwrap_or(false) {
        return Err(Fault::bad_request("The file of the trial is not kept any more. Upload it again"));
    }
    let (_, jobs, statements) = create::for_files(context, &mut session, &[&tried.file_name]).await?;
    let made = *jobs.first().ok_or_else(|| Fault::internal("a file has no job"))?;
    let claimed = session.begin(vec![Statement::new(TAKE).uuid(id)]).await?;
    if claimed.first().is_none_or(Vec::is_empty) {
        session.rollback().await?;
        return Err(not_importable());
    }
    let described = (tried.data_type.as_deref(), tried.is_hidden);
    let mut all = statements;
    all.push(profile::set_profile_statement(made, tried.profile, described, &tried.snapshot.0));
    all.extend(start_file_statements(
        context,
        made,
        FileToImport { path: &tried.path, total: Some(tried.total) },
    ));
    session.commit(all).await?;
    runner::notify_runner(&context.platform, &context.tenant.id);
    Ok(Response::json(201, &json!({"id": made})))
}

fn not_importable() -> Fault {
    Fault::bad_request("Only the file of a trial that has ended can be imported, once")
}

const TRIED: &str = "\
select
  coalesce(j.file_name, ''),
  j.profile_id,
  j.profile_data_type,
  j.profile_hidden,
  j.profile_snapshot,
  j.progress_total,
  s.path
from job_execution j
join import_source s on s.job = j.id
where j.id = $1
and not j.is_deleted
and j.is_trial
and j.completed is not null
and j.profile_id is not null
and s.path is not null";

/// Removes the path of the file from the trial, so that the file can be imported only once.
const TAKE: &str = "\
update import_source
set path = null
where job = $1
and path is not null
returning 1";

octavo_pg::statements!(other = [TRIED, TAKE]);
