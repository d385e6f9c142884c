//! FOLIO's migration jobs for source records. Octavo needs no migrations: a job has finished as soon as it is created.

use octavo_engine::{Request, Response, statements};
use octavo_kernel::{Fault, Outcome};
use octavo_record::RecordType;
use serde_json::{Value, json};
use uuid::Uuid;

const REQUEST: &str =
    include_str!("../../../folio/records/mod-source-record-storage/asyncMigrationJobInitRqDto.tsv");

pub static MIGRATION_JOB: RecordType = RecordType {
    name: "migration job of source records",
    table: "async_migration_jobs",
    path: "/source-storage/migrations/jobs",
    collection: "jobs",
    schema: include_str!("../../../folio/records/mod-source-record-storage/asyncMigrationJob.tsv"),
    ..RecordType::BASE
};

/// The names of the migrations that clients may request.
const MIGRATIONS: [&str; 1] = ["marcIndexersVersionMigration"];

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let asked = request.checked_json(REQUEST)?;
    let names: Vec<&str> =
        asked["migrations"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let unknown: Vec<&str> = names.iter().copied().filter(|name| !MIGRATIONS.contains(name)).collect();
    if !unknown.is_empty() {
        let unknown = unknown.join(", ");
        let message = format!("Specified migrations are not supported. Migrations: [{unknown}]");
        return Err(Fault::bad_request(message));
    }
    let (id, now) = (request.context.fresh_id(), request.context.now_text());
    let begun = json!({"id": id, "migrations": names, "status": "IN_PROGRESS", "startedDate": now});
    let mut ended = begun.clone();
    ended["status"] = json!("COMPLETED");
    ended["completedDate"] = json!(now);
    let mut session = request.context.session().await?;
    session.batch(vec![statements::insert(&MIGRATION_JOB, id, &ended)]).await?;
    Ok(Response::json(202, &begun))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = request.path_parameter(0);
    let missing = || Fault::not_found_with(format!("Async migration job with id '{id}' was not found"));
    let uuid = Uuid::parse_str(id).map_err(|_| missing())?;
    let mut session = request.context.session().await?;
    let job = octavo_engine::find(&mut session, &MIGRATION_JOB, uuid).await?.ok_or_else(missing)?;
    Ok(Response::json(200, &job))
}
