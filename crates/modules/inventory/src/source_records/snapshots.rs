//! Snapshots, the jobs that import records.

use octavo_engine::{Request, Response, metadata};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use octavo_record::{Reading, RecordType};
use serde_json::json;
use uuid::Uuid;

/// Its id is called `jobExecutionId`.
pub static SNAPSHOT: RecordType = RecordType {
    name: "snapshot",
    table: "snapshots_lb",
    path: "/source-storage/snapshots",
    collection: "snapshots",
    schema: include_str!("../../../folio/records/mod-source-record-storage/snapshot.tsv"),
    ..RecordType::BASE
};

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let checked = SNAPSHOT.schema().check(request.json()?, Reading::FromClient);
    let mut snapshot = checked.map_err(Fault::refused)?.0;
    let id = Uuid::parse_str(snapshot["jobExecutionId"].as_str().unwrap_or_default()).unwrap_or_default();
    let now = context.now_text();
    if snapshot["status"] == "PARSING_IN_PROGRESS" {
        snapshot["processingStartedDate"] = json!(now);
    }
    snapshot["metadata"] = metadata(context, None, &now);
    let mut session = context.session().await?;
    session.rows(Statement::new(PUT).uuid(id).text(snapshot.to_string())).await?;
    Ok(Response::json(201, &snapshot))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = request.parameter(0);
    let missing = || Fault::missing(format!("Snapshot with id '{id}' was not found"));
    let uuid = Uuid::parse_str(id).map_err(|_| missing())?;
    let mut session = request.context.session().await?;
    let stored = octavo_engine::find(&mut session, &SNAPSHOT, uuid).await?.ok_or_else(missing)?;
    Ok(Response::json(200, &stored))
}

const PUT: &str = "\
insert into snapshots_lb (id, doc) values ($1, $2::text::json)
on conflict (id) do update set doc = excluded.doc";

octavo_pg::statements!(other = [PUT]);
