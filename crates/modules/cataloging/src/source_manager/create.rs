//! Creates jobs: one for each file, with a parent if there are several; one for a client that sends records; the parts of a divided file.

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::job::whole_job_json;
use super::{snapshots, status};

const REQUEST: &str =
    include_str!("../../../folio/records/mod-source-record-manager/initJobExecutionsRqDto.tsv");
/// The most files of one request: each becomes a job.
const MOST_FILES: usize = 1_000;
/// FOLIO's profile for records that programs send, and its name.
const DEFAULT_PROFILE: &str = "22fafcc3-f582-493d-88b0-3c538480cd83";
const DEFAULT_PROFILE_NAME: &str = "CLI Create MARC Bibs and Instances";

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewJobsRequest {
    #[serde(default)]
    files: Vec<File>,
    source_type: String,
    job_profile_info: Option<Value>,
    user_id: Uuid,
    #[serde(default = "one")]
    job_part_number: i64,
    #[serde(default = "one")]
    total_job_parts: i64,
    parent_job_id: Option<Uuid>,
}

#[derive(Debug, Deserialize)]
struct File {
    name: Option<String>,
}

fn one() -> i64 {
    1
}

impl NewJobsRequest {
    /// A request that Octavo itself makes.
    fn internal(source_type: &str, files: &[&str], user_id: Uuid) -> NewJobsRequest {
        NewJobsRequest {
            files: files.iter().map(|name| File { name: Some((*name).to_owned()) }).collect(),
            source_type: source_type.to_owned(),
            job_profile_info: None,
            user_id,
            job_part_number: 1,
            total_job_parts: 1,
            parent_job_id: None,
        }
    }
}

/// A job that is to be inserted.
#[derive(Debug, PartialEq)]
struct NewJob {
    id: Uuid,
    subordination: &'static str,
    path: Option<String>,
}

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut asked: NewJobsRequest = request.checked_body(REQUEST)?;
    if asked.source_type != "ONLINE" && asked.files.is_empty() {
        return Err(Fault::bad_request("Received files must not be empty"));
    }
    if asked.files.len() > MOST_FILES {
        return Err(Fault::bad_request(format!("One request makes jobs for {MOST_FILES} files at most")));
    }
    let parent = asked.parent_job_id.unwrap_or_else(|| context.fresh_id());
    let jobs = plan_jobs(&asked, parent, || context.fresh_id());
    let profile = asked.job_profile_info.take().filter(|_| asked.source_type == "ONLINE").unwrap_or_default();
    let mut session = context.session().await?;
    let by = user_name(&mut session, asked.user_id).await?;
    let ids = jobs.iter().map(|job| job.id).collect();
    let mut statements = insert_statements(context, &jobs, parent, (&asked, &profile), &by);
    statements.push(Statement::new(MADE).uuids(ids));
    let mut answers =
        session.transaction(statements).await.map_err(|error| match error.has_code("23505") {
            true => Fault::bad_request(format!("JobExecution with id '{parent}' exists already")),
            false => error.into(),
        })?;
    let made: Vec<Value> = answers.pop().unwrap_or_default().iter().map(octavo_pg::Row::read).collect();
    Ok(Response::json(201, &json!({"parentJobExecutionId": parent, "jobExecutions": made})))
}

/// Creates jobs for uploaded files with these names. Returns the parent's id, the ids of the files' jobs in order, and the statements.
pub(crate) async fn for_files(
    context: &Context,
    session: &mut Session,
    files: &[&str],
) -> Outcome<(Uuid, Vec<Uuid>, Vec<Statement>)> {
    let asked = NewJobsRequest::internal("FILES", files, context.caller.user_id.unwrap_or_default());
    let parent = context.fresh_id();
    let jobs = plan_jobs(&asked, parent, || context.fresh_id());
    let by = caller_name(context, session).await?;
    let statements = insert_statements(context, &jobs, parent, (&asked, &Value::Null), &by);
    let of_files = jobs.iter().filter(|job| job.subordination != "PARENT_MULTIPLE").map(|job| job.id);
    Ok((parent, of_files.collect(), statements))
}

/// Creates a job for a file that was uploaded in parts, and its child that imports the file. Returns both ids and the statements.
pub(crate) async fn composite_job(
    context: &Context,
    session: &mut Session,
    key: &str,
) -> Outcome<(Uuid, Uuid, Vec<Statement>)> {
    let user = context.caller.user_id.unwrap_or_default();
    let (parent, by) = (context.fresh_id(), caller_name(context, session).await?);
    let whole = NewJobsRequest::internal("COMPOSITE", &[key], user);
    let part = NewJobsRequest {
        parent_job_id: Some(parent),
        ..NewJobsRequest::internal("COMPOSITE", &[&first_part(key)], user)
    };
    let jobs = |asked: &NewJobsRequest| plan_jobs(asked, parent, || context.fresh_id());
    let (of_whole, of_part) = (jobs(&whole), jobs(&part));
    let mut statements = insert_statements(context, &of_whole, parent, (&whole, &Value::Null), &by);
    statements.extend(insert_statements(context, &of_part, parent, (&part, &Value::Null), &by));
    let child = of_part.first().map_or(parent, |job| job.id);
    Ok((parent, child, statements))
}

/// The name that FOLIO gives the first part of a file: `books_1.mrc` for `books.mrc`.
fn first_part(key: &str) -> String {
    let name = key.rfind('/').map_or(0, |slash| slash + 1);
    let end = key[name..].rfind('.').map_or(key.len(), |dot| name + dot);
    format!("{}_1{}", &key[..end], &key[end..])
}

/// Creates a job for records that Octavo itself sends. Returns its id and the statements. The caller sets its profile.
pub(super) async fn online_job(context: &Context, session: &mut Session) -> Outcome<(Uuid, Vec<Statement>)> {
    let user_id = context.caller.user_id;
    let user_id = user_id.ok_or_else(|| Fault::bad_request("Missing X-Okapi-User-Id header"))?;
    let (id, asked) = (context.fresh_id(), NewJobsRequest::internal("ONLINE", &[], user_id));
    let by = user_name(session, user_id).await?;
    let jobs = plan_jobs(&asked, id, || context.fresh_id());
    Ok((id, insert_statements(context, &jobs, id, (&asked, &Value::Null), &by)))
}

/// Statements that insert jobs, and a snapshot for each job that has records.
fn insert_statements(
    context: &Context,
    jobs: &[NewJob],
    parent: Uuid,
    (asked, profile): (&NewJobsRequest, &Value),
    by: &(String, String),
) -> Vec<Statement> {
    let rows: Vec<Value> = jobs.iter().map(|job| job_row_json(job, parent, asked, profile, by)).collect();
    let mut statements = vec![Statement::new(INSERT).text(Value::from(rows).to_string())];
    let with_records = jobs.iter().filter(|job| job.subordination != "PARENT_MULTIPLE");
    statements.extend(with_records.map(|job| snapshots::create_statement(context, job.id)));
    statements
}

/// The jobs that a request creates. Children come before their parent.
fn plan_jobs(asked: &NewJobsRequest, parent: Uuid, mut fresh: impl FnMut() -> Uuid) -> Vec<NewJob> {
    let name = |at: usize| asked.files.get(at).and_then(|file| file.name.clone());
    match (asked.source_type.as_str(), asked.files.len()) {
        ("ONLINE", _) => {
            vec![NewJob { id: parent, subordination: "PARENT_SINGLE", path: Some("No file name".to_owned()) }]
        }
        ("COMPOSITE", _) => match asked.parent_job_id {
            None => vec![NewJob { id: parent, subordination: "COMPOSITE_PARENT", path: name(0) }],
            Some(_) => vec![NewJob { id: fresh(), subordination: "COMPOSITE_CHILD", path: name(0) }],
        },
        (_, 1) => vec![NewJob { id: parent, subordination: "PARENT_SINGLE", path: name(0) }],
        (_, files) => {
            let child = |at| NewJob { id: fresh(), subordination: "CHILD", path: name(at) };
            let mut jobs: Vec<NewJob> = (0..files).map(child).collect();
            jobs.push(NewJob { id: parent, subordination: "PARENT_MULTIPLE", path: None });
            jobs
        }
    }
}

fn job_row_json(
    job: &NewJob,
    parent: Uuid,
    asked: &NewJobsRequest,
    profile: &Value,
    (first, last): &(String, String),
) -> Value {
    let status = if job.subordination == "PARENT_MULTIPLE" { "PARENT" } else { "NEW" };
    let is_default = profile["id"] == DEFAULT_PROFILE;
    json!({
        "id": job.id,
        "parent_id": parent,
        "subordination": job.subordination,
        "source_path": job.path,
        "file_name": job.path.as_deref().map(|path| path.rsplit(['/', '\\']).next().unwrap_or(path)),
        "status": status,
        "ui_status": status::ui_status(status),
        "first_name": first,
        "last_name": last,
        "user_id": asked.user_id,
        "profile_id": profile["id"],
        "profile_name": if is_default { json!(DEFAULT_PROFILE_NAME) } else { profile["name"].clone() },
        "profile_data_type": profile["dataType"],
        "profile_hidden": profile["hidden"].as_bool().unwrap_or(false),
        "part_number": asked.job_part_number,
        "total_parts": asked.total_job_parts,
    })
}

/// First and last name of the caller; empty for a program without a user, which may upload files too.
async fn caller_name(context: &Context, session: &mut Session) -> Outcome<(String, String)> {
    match context.caller.user_id {
        Some(user) => user_name(session, user).await,
        None => Ok(Default::default()),
    }
}

/// First and last name of the user who starts the jobs. For a user record without `personal`: the user name and `SYSTEM`.
async fn user_name(session: &mut Session, user: Uuid) -> Outcome<(String, String)> {
    let found: Option<(String, String)> = session.read(Statement::new(NAME).uuid(user)).await?;
    found.ok_or_else(|| Fault::bad_request(format!("No user found by user id :{user}")))
}

const NAME: &str = "\
select
  case when doc -> 'personal' is null then coalesce(doc ->> 'username', '')
  else coalesce(doc #>> '{personal,firstName}', '') end,
  case when doc -> 'personal' is null then 'SYSTEM'
  else coalesce(doc #>> '{personal,lastName}', '') end
from users
where id = $1";

const INSERT: &str = "\
insert into job_execution (
  id, parent_id, subordination, source_path, file_name, status, ui_status, first_name, last_name, user_id,
  profile_id, profile_name, profile_data_type, profile_hidden, part_number, total_parts)
select
  id, parent_id, subordination, source_path, file_name, status, ui_status, first_name, last_name, user_id,
  profile_id, profile_name, profile_data_type, profile_hidden, part_number, total_parts
from json_to_recordset($1::text::json) r (
  id uuid, parent_id uuid, subordination text, source_path text, file_name text, status text, ui_status text,
  first_name text, last_name text, user_id uuid, profile_id uuid, profile_name text, profile_data_type text,
  profile_hidden boolean, part_number bigint, total_parts bigint)";

const MADE: &str = concat!(
    "select ",
    whole_job_json!(),
    "
from unnest($1::uuid[]) with ordinality m (id, number)
join job_execution j on j.id = m.id
order by m.number"
);

octavo_pg::statements!(other = [NAME, INSERT, MADE]);

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs_request(source: &str, files: &[&str], parent_job_id: Option<Uuid>) -> NewJobsRequest {
        NewJobsRequest { parent_job_id, ..NewJobsRequest::internal(source, files, Uuid::nil()) }
    }

    #[test]
    fn parts_are_named_as_folio_names_them() {
        for (key, part) in [
            ("data-import/diku/17-books.mrc", "data-import/diku/17-books_1.mrc"),
            ("data-import/d.i/17-books", "data-import/d.i/17-books_1"),
            ("a.b.mrc", "a.b_1.mrc"),
        ] {
            assert_eq!(first_part(key), part);
        }
    }

    #[test]
    fn jobs_of_a_request() {
        let (parent, child) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let cases = [
            (jobs_request("FILES", &["a"], None), vec![(parent, "PARENT_SINGLE")]),
            (
                jobs_request("FILES", &["a", "b"], None),
                vec![(child, "CHILD"), (child, "CHILD"), (parent, "PARENT_MULTIPLE")],
            ),
            (jobs_request("ONLINE", &[], None), vec![(parent, "PARENT_SINGLE")]),
            (jobs_request("COMPOSITE", &["a"], None), vec![(parent, "COMPOSITE_PARENT")]),
            (jobs_request("COMPOSITE", &["a"], Some(parent)), vec![(child, "COMPOSITE_CHILD")]),
        ];
        for (asked, expected) in cases {
            let jobs = plan_jobs(&asked, parent, || child);
            let jobs: Vec<(Uuid, &str)> = jobs.iter().map(|job| (job.id, job.subordination)).collect();
            assert_eq!(jobs, expected, "{asked:?}");
        }
    }

    #[test]
    fn a_file_is_called_by_the_last_part_of_its_path() {
        let job = NewJob { id: Uuid::nil(), subordination: "CHILD", path: Some("a/b/c.mrc".to_owned()) };
        let row = job_row_json(
            &job,
            Uuid::nil(),
            &jobs_request("FILES", &[], None),
            &json!({"id": DEFAULT_PROFILE}),
            &("A".to_owned(), "B".to_owned()),
        );
        assert_eq!((&row["file_name"], &row["source_path"]), (&json!("c.mrc"), &json!("a/b/c.mrc")));
        assert_eq!(row["profile_name"], DEFAULT_PROFILE_NAME);
    }
}
