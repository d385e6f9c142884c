//! Snapshots: FOLIO's name for the jobs that import records.

use octavo_engine::{Context, Request, Response, metadata};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use octavo_record::{Param, Reading, RecordType, Sql};
use serde_json::{Value, json};
use uuid::Uuid;

use super::parameters::{known_value, order_sql, page_parameters};
use super::streamed::{AnswerFormat, WriteRow, stream_answer};
use octavo_modules_base::inventory_records::INSTANCE;

/// The member `jobExecutionId` is the record's id.
pub static SNAPSHOT: RecordType = RecordType {
    name: "snapshot",
    table: "snapshots_lb",
    path: "/source-storage/snapshots",
    collection: "snapshots",
    schema: include_str!("../../../folio/records/mod-source-record-storage/snapshot.tsv"),
    ..RecordType::BASE
};

const STATUSES: [&str; 12] = [
    "PARENT",
    "NEW",
    "FILE_UPLOADED",
    "PARSING_IN_PROGRESS",
    "PARSING_FINISHED",
    "PROCESSING_IN_PROGRESS",
    "PROCESSING_FINISHED",
    "COMMIT_IN_PROGRESS",
    "COMMITTED",
    "ERROR",
    "DISCARDED",
    "CANCELLED",
];

const COLUMNS: [(&str, &str); 7] = [
    ("id", "r.id"),
    ("status", "r.doc ->> 'status'"),
    ("processingStartedDate", "r.doc ->> 'processingStartedDate'"),
    ("createdByUserId", "r.doc #>> '{metadata,createdByUserId}'"),
    ("createdDate", "r.doc #>> '{metadata,createdDate}'"),
    ("updatedByUserId", "r.doc #>> '{metadata,updatedByUserId}'"),
    ("updatedDate", "r.doc #>> '{metadata,updatedDate}'"),
];

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let mut sql = Sql::default();
    let status = match known_value(request.query("status"), &STATUSES, "job execution status")? {
        Some(status) => format!("\nwhere r.doc ->> 'status' = {}", sql.bind(Param::Text(status.to_owned()))),
        None => String::new(),
    };
    let order = order_sql(&request, &COLUMNS)?.unwrap_or_else(|| "r.id".to_owned());
    let (offset, limit) = page_parameters(&request)?;
    let from = format!("from snapshots_lb r{status}");
    let count = Sql { text: format!("select count(*)\n{from}"), params: sql.params.clone() };
    let text = format!("select r.doc::text\n{from}\norder by {order}\noffset {offset}\nlimit {limit}");
    let found = Sql { text, params: sql.params };
    let mut session = request.context.session().await?;
    let total: Option<i64> = session.read_once(&count).await?;
    let show: WriteRow = Box::new(|row, text| {
        text.push_str(row.read());
        Ok(())
    });
    stream_answer(&request.context, session, &found, AnswerFormat::list("snapshots", total, show)).await
}

fn checked_body(request: &Request) -> Outcome<Value> {
    let checked = SNAPSHOT.schema().check(request.json()?, Reading::FromClient);
    let mut snapshot = checked.map_err(Fault::refused)?.0;
    if snapshot["status"] == "PARSING_IN_PROGRESS" {
        snapshot["processingStartedDate"] = json!(request.context.now_text());
    }
    Ok(snapshot)
}

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut snapshot = checked_body(&request)?;
    let id = Uuid::parse_str(snapshot["jobExecutionId"].as_str().unwrap_or_default()).unwrap_or_default();
    snapshot["metadata"] = metadata(context, None, &context.now_text());
    let mut session = context.session().await?;
    Ok(Response::json(201, &upsert_snapshot(&mut session, id, &snapshot).await?))
}

/// Inserts or replaces a snapshot. The stored `processingStartedDate` is kept if `snapshot` has none.
async fn upsert_snapshot(session: &mut Session, id: Uuid, snapshot: &Value) -> Outcome<Value> {
    let stored: Option<Value> = session.read(Statement::new(PUT).uuid(id).text(snapshot.to_string())).await?;
    Ok(stored.unwrap_or_default())
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    Ok(Response::json(200, &find_snapshot(&mut session, request.path_parameter(0)).await?.1))
}

async fn find_snapshot(session: &mut Session, id: &str) -> Outcome<(Uuid, Value)> {
    let missing = || Fault::not_found_with(format!("Snapshot with id '{id}' was not found"));
    let uuid = Uuid::parse_str(id).map_err(|_| missing())?;
    let stored = octavo_engine::find(session, &SNAPSHOT, uuid).await?.ok_or_else(missing)?;
    Ok((uuid, stored))
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut snapshot = checked_body(&request)?;
    let mut session = context.session().await?;
    let (id, stored) = find_snapshot(&mut session, request.path_parameter(0)).await?;
    snapshot["jobExecutionId"] = json!(id);
    snapshot["metadata"] = metadata(context, Some(&stored), &context.now_text());
    Ok(Response::json(200, &upsert_snapshot(&mut session, id, &snapshot).await?))
}

pub(super) async fn remove(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let (id, _) = find_snapshot(&mut session, request.path_parameter(0)).await?;
    remove_snapshot(&request.context, &mut session, id).await?;
    Ok(Response::no_content())
}

/// Deletes a snapshot, its records, and the instances that these records describe, unless other records need the instances.
pub async fn remove_snapshot(context: &Context, session: &mut Session, id: Uuid) -> Outcome<()> {
    loop {
        let part: Vec<(Uuid, Option<Uuid>)> = session.read(Statement::new(PART).uuid(id)).await?;
        if part.is_empty() {
            break;
        }
        let (records, instances): (Vec<Uuid>, Vec<Option<Uuid>>) = part.into_iter().unzip();
        for instance in instances.into_iter().flatten() {
            delete_instance(context, session, instance).await?;
        }
        session.batch(vec![Statement::new(DELETE_RECORDS).uuids(records)]).await?;
    }
    session.batch(vec![Statement::new(DELETE).uuid(id)]).await?;
    Ok(())
}

/// Deletes an instance. An instance that does not exist or that has holdings is ignored.
async fn delete_instance(context: &Context, session: &mut Session, id: Uuid) -> Outcome<()> {
    match octavo_engine::delete(context, session, &INSTANCE, id).await {
        Err(fault) if fault.status >= 500 => Err(fault),
        _ => Ok(()),
    }
}

const PUT: &str = "\
insert into snapshots_lb as s (id, doc) values ($1, $2::text::json)
on conflict (id) do update
set doc = jsonb_strip_nulls(jsonb_build_object('processingStartedDate', s.doc -> 'processingStartedDate')) || excluded.doc::jsonb
returning doc::text";

const PART: &str = "\
select r.id,
  case when coalesce(r.\"recordType\", r.doc ->> 'recordType') = 'MARC_BIB' then r.\"externalIdsHolder.instanceId\" end
from records_lb r
where r.\"snapshotId\" = $1
limit 500";

const DELETE_RECORDS: &str = "delete from records_lb where id = any($1)";

const DELETE: &str = "delete from snapshots_lb where id = $1";

octavo_pg::statements!(other = [PUT, PART, DELETE_RECORDS, DELETE]);
