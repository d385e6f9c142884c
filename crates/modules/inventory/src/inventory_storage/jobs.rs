//! Jobs that clients start and then watch: publishing the ids of all instances, and migrations of stored records.
//!
//! Octavo needs no such job: each process derives its search indexes from the database, and records are stored in the newest form. So a job
//! has ended when its request is answered, and has published nothing. It is stored and listed as in FOLIO. Facts: mod-inventory-storage
//! 27.1.3.

use octavo_engine::{Request, Response, create, find, replace};
use octavo_kernel::{Fault, Outcome};
use octavo_record::RecordType;
use serde_json::{Value, json};

pub static REINDEX_JOB: RecordType = RecordType {
    name: "reindex job",
    table: "reindex_job",
    path: "/instance-storage/reindex",
    collection: "reindexJobs",
    schema: include_str!("../../../folio/records/mod-inventory-storage/get-job-by-id-response.tsv"),
    ..RecordType::BASE
};

pub static ITERATION_JOB: RecordType = RecordType {
    name: "iteration job",
    table: "iteration_job",
    path: "/instance-storage/instances/iteration",
    collection: "iterationJobs",
    schema: include_str!("../../../folio/records/mod-inventory-storage/iteration-job.tsv"),
    ..RecordType::BASE
};

pub static MIGRATION_JOB: RecordType = RecordType {
    name: "migration job",
    table: "async_migration_job",
    path: "/inventory-storage/migrations/jobs",
    collection: "jobs",
    default_limit: i32::MAX as i64,
    schema: include_str!("../../../folio/records/mod-inventory-storage/migration-job-by-id-response.tsv"),
    ..RecordType::BASE
};

const ITERATION: &str = include_str!("../../../folio/records/mod-inventory-storage/iteration-job-params.tsv");
const MIGRATION: &str =
    include_str!("../../../folio/records/mod-inventory-storage/migration-job-post-request.tsv");

/// FOLIO's migrations, and which records they change.
const MIGRATIONS: [(&str, &str); 3] = [
    ("publicationPeriodMigration", "INSTANCE"),
    ("itemShelvingOrderMigration", "ITEM"),
    ("subjectSeriesMigration", "INSTANCE"),
];

pub(super) async fn reindex(request: Request) -> Outcome<Response> {
    let job = json!({
        "published": 0,
        "jobStatus": "Ids published",
        "resourceName": "Instance",
        "submittedDate": request.context.now_text(),
    });
    create_and_answer(request, &REINDEX_JOB, job, 200).await
}

/// A finished job cannot be cancelled: 400.
pub(super) async fn cancel_reindex(request: Request) -> Outcome<Response> {
    find_job(&request, &REINDEX_JOB).await?;
    Err(Fault::bad_request("The job has been finished"))
}

pub(super) async fn iterate(request: Request) -> Outcome<Response> {
    let parameters = request.checked_json(ITERATION)?;
    let job = json!({
        "messagesPublished": 0,
        "jobStatus": "Completed",
        "submittedDate": request.context.now_text(),
        "jobParams": parameters,
    });
    create_and_answer(request, &ITERATION_JOB, job, 201).await
}

pub(super) async fn migrate(request: Request) -> Outcome<Response> {
    let body = request.checked_json(MIGRATION)?;
    let names = || body["migrations"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let known = |name: &str| MIGRATIONS.iter().find(|(migration, _)| *migration == name);
    if names().any(|name| known(name).is_none()) {
        let names: Vec<&str> = names().collect();
        let message = "One or more migrations are not available. Migrations:";
        return Err(Fault::bad_request(format!("{message} {}", names.join(" "))));
    }
    let mut entities: Vec<&str> = names().filter_map(|name| Some(known(name)?.1)).collect();
    entities.sort_unstable();
    entities.dedup();
    let counts: Vec<Value> = names().map(|name| json!({"migrationName": name, "count": 0})).collect();
    let now = request.context.now_text();
    let job = json!({
        "migrations": names().collect::<Vec<_>>(),
        "affectedEntities": entities,
        "published": counts,
        "processed": counts,
        "jobStatus": "Completed",
        "submittedDate": now,
        "finishedDate": now,
    });
    create_and_answer(request, &MIGRATION_JOB, job, 200).await
}

pub(super) async fn migrations() -> Outcome<Response> {
    let migration =
        |(name, entity): (&str, &str)| json!({"migrations": [name], "affectedEntities": [entity]});
    let all = MIGRATIONS.map(migration);
    Ok(Response::json(200, &json!({"asyncMigrations": all, "totalRecords": all.len()})))
}

/// Sets the status of a job to `Cancelled`, although the job had finished before, as jobs of these two kinds do in FOLIO.
pub(super) async fn cancel(request: Request, record: &'static RecordType) -> Outcome<Response> {
    let mut job = find_job(&request, record).await?;
    job["jobStatus"] = json!("Cancelled");
    let mut session = request.context.session().await?;
    replace(&request.context, &mut session, record, request.path_id(0)?, job).await?;
    Ok(Response::no_content())
}

async fn find_job(request: &Request, record: &RecordType) -> Outcome<Value> {
    let mut session = request.context.session().await?;
    find(&mut session, record, request.path_id(0)?).await?.ok_or_else(Fault::not_found)
}

async fn create_and_answer(
    request: Request,
    record: &'static RecordType,
    job: Value,
    status: u16,
) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let stored = create(&request.context, &mut session, record, job).await?;
    Ok(Response::json(status, &stored))
}
