//! Source records, each with its raw form. A record that is sent again is a new generation; the former one is kept as old.

use octavo_engine::{Context, Doing, Request, Response, fault_of, metadata};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{DbError, Session, Statement, read_each};
use octavo_record::{Field, Index, Reading, RecordType, Reference, Unique};
use serde_json::{Value, json};
use uuid::Uuid;

use super::content::{is_marc_in_json, matched_id, normalize, set_matched_id, status};

pub static SOURCE_RECORD: RecordType = RecordType {
    name: "source record",
    table: "records_lb",
    path: "/source-storage/records",
    collection: "records",
    schema: include_str!("../../../folio/records/mod-source-record-storage/record.tsv"),
    fields: &[
        Field::uuid("snapshotId").indexed(&[Index::Order]),
        Field::uuid("matchedId"),
        Field::number("generation"),
        Field::exact("state"),
        Field::uuid("externalIdsHolder.instanceId").indexed(&[Index::Order]),
        Field::uuid("externalIdsHolder.holdingsId").indexed(&[Index::Order]),
        Field::uuid("externalIdsHolder.authorityId").indexed(&[Index::Order]),
    ],
    unique: &[Unique::of(&["matchedId", "generation"])],
    references: &[Reference::new("snapshotId", "snapshots_lb")],
    ..RecordType::BASE
};

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let (id, missing) = named(&request)?;
    let mut session = request.context.session().await?;
    let stored = octavo_engine::find(&mut session, &SOURCE_RECORD, id).await?.ok_or_else(missing)?;
    Ok(Response::json(200, &stored))
}

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let checked = SOURCE_RECORD.schema().check(request.json()?, Reading::FromClient);
    let mut record = checked.map_err(Fault::refused)?.0;
    let id =
        record["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_else(|| context.fresh_id());
    complete(&mut record, id);
    let mut session = context.session().await?;
    let stored = identify(&mut session, &mut record, id).await?;
    let generation = generation(&mut session, &mut record).await?;
    record["metadata"] = metadata(context, stored.as_ref(), &context.now_text());
    let mut changes = Vec::new();
    let matched = uuid(&record["matchedId"]).unwrap_or_default();
    if generation > 0 {
        changes.push(Statement::new(MAKE_OLD).uuid(matched).uuid(id));
    }
    changes.push(Statement::new(PUT).uuid(id).text(record.to_string()));
    session.transaction(changes).await.map_err(|error| fault(context, error, &record))?;
    Ok(Response::json(201, &record))
}

/// Replaces a record as it is sent; it stays the generation that it is.
pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let checked = SOURCE_RECORD.schema().check(request.json()?, Reading::FromClient);
    let mut record = checked.map_err(Fault::refused)?.0;
    let (id, missing) = named(&request)?;
    complete(&mut record, id);
    let mut session = context.session().await?;
    let stored = identify(&mut session, &mut record, id).await?.ok_or_else(missing)?;
    if record["generation"].is_null() {
        record["generation"] = stored["generation"].clone();
    }
    record["metadata"] = metadata(context, Some(&stored), &context.now_text());
    let put = Statement::new(PUT).uuid(id).text(record.to_string());
    session.transaction(vec![put]).await.map_err(|error| fault(context, error, &record))?;
    Ok(Response::json(200, &record))
}

/// Marks a record as deleted: in state, leader and discovery.
pub(super) async fn remove(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let (id, missing) = named(&request)?;
    let changed = json!({"updatedDate": context.now_text(), "updatedByUserId": context.caller.user_id});
    let mut session = context.session().await?;
    let marked: Option<Uuid> =
        session.read(Statement::new(DELETE).uuid(id).text(changed.to_string())).await?;
    marked.map(|_| Response::no_content()).ok_or_else(missing)
}

fn named(request: &Request) -> Outcome<(Uuid, impl Fn() -> Fault + use<>)> {
    let id = request.parameter(0).to_owned();
    let missing = move || Fault::missing(format!("Record with id '{id}' was not found"));
    match Uuid::parse_str(request.parameter(0)) {
        Ok(id) => Ok((id, missing)),
        Err(_) => Err(missing()),
    }
}

fn fault(context: &Context, error: DbError, record: &Value) -> Fault {
    match &error {
        DbError::Refused { constraint: Some(constraint), .. }
            if *constraint == SOURCE_RECORD.unique[0].constraint(SOURCE_RECORD.table) =>
        {
            Fault::bad_request("Incoming file may contain duplicates")
        }
        _ => fault_of(context, error, Doing::Creating, &SOURCE_RECORD, record),
    }
}

fn complete(record: &mut Value, id: Uuid) {
    record["id"] = json!(id);
    for part in ["rawRecord", "parsedRecord", "errorRecord"] {
        if record[part].is_object() {
            record[part]["id"] = json!(id);
        }
    }
    if !record["additionalInfo"]["suppressDiscovery"].is_boolean() {
        record["additionalInfo"] = json!({"suppressDiscovery": false});
    }
    if record["parsedRecord"].is_object() {
        normalize(&mut record["parsedRecord"]);
        set_apart_what_cannot_be_read(record, id);
    }
    let status = status(&record["parsedRecord"]["content"]);
    if let Some(status) = status {
        record["leaderRecordStatus"] = json!(status);
    }
    let gone = status.is_some_and(|status| "dsx".contains(status));
    record["deleted"] = json!(record["state"] == "DELETED" || gone);
}

/// Moves content that is no MARC record from `parsedRecord` to `errorRecord`, with the reason.
fn set_apart_what_cannot_be_read(record: &mut Value, id: Uuid) {
    let is_marc = record["recordType"].as_str().is_some_and(|kind| kind.starts_with("MARC"));
    let content = &record["parsedRecord"]["content"];
    if !is_marc || is_marc_in_json(content) {
        return;
    }
    record["errorRecord"] =
        json!({"id": id, "description": "Unable to read marc record!", "content": content.clone()});
    if let Some(members) = record.as_object_mut() {
        members.remove("parsedRecord");
        members.remove("leaderRecordStatus");
    }
}

/// Gives the record the id that its generations share. Returns the stored record with its own id.
async fn identify(session: &mut Session, record: &mut Value, id: Uuid) -> Outcome<Option<Value>> {
    let kind = record["recordType"].as_str().unwrap_or_default().to_owned();
    let holder = &record["externalIdsHolder"];
    let external = match kind.as_str() {
        "MARC_BIB" => uuid(&holder["instanceId"]),
        "MARC_HOLDING" => uuid(&holder["holdingsId"]),
        "MARC_AUTHORITY" => uuid(&holder["authorityId"]),
        _ => None,
    };
    let external = external.filter(|_| record["state"] == "ACTUAL");
    let named = uuid(&record["snapshotId"]).unwrap_or_default();
    let answers = session
        .batch(vec![
            Statement::new(SNAPSHOT_OF).uuid(named),
            Statement::new(READ).uuid(id),
            Statement::new(OF_THE_SAME).maybe_uuid(external).text(&kind),
        ])
        .await?;
    let (snapshot, stored, same): (Option<Value>, Option<Value>, Option<Uuid>) = read_each(&answers);
    let Some(snapshot) = snapshot else {
        return Err(Fault::missing(format!("Snapshot with id '{named}' was not found")));
    };
    if snapshot["processingStartedDate"].is_null() {
        let status = snapshot["status"].as_str().unwrap_or_default();
        return Err(Fault::bad_request(format!(
            "Date when processing started is not set, expected snapshot status is PARSING_IN_PROGRESS, actual - {status}"
        )));
    }
    let told = matched_id(&record["parsedRecord"]["content"]).map(str::to_owned);
    let shared = told.clone().unwrap_or_else(|| same.unwrap_or(id).to_string());
    if Uuid::parse_str(&shared).is_err() {
        return Err(Fault::bad_request(format!("Invalid UUID {shared}")));
    }
    if told.is_none() && kind != "EDIFACT" && record["parsedRecord"]["content"].is_object() {
        set_matched_id(&mut record["parsedRecord"]["content"], &shared);
    }
    record["matchedId"] = json!(shared);
    Ok(stored)
}

/// The client's generation, or else one more than the last from before the job began.
async fn generation(session: &mut Session, record: &mut Value) -> Outcome<i64> {
    if let Some(generation) = record["generation"].as_i64() {
        return Ok(generation);
    }
    let shared = uuid(&record["matchedId"]).unwrap_or_default();
    let snapshot = uuid(&record["snapshotId"]).unwrap_or_default();
    let next: Option<Option<i64>> =
        session.read(Statement::new(GENERATION).uuid(shared).uuid(snapshot)).await?;
    let generation = next.flatten().unwrap_or(0);
    record["generation"] = json!(generation);
    Ok(generation)
}

fn uuid(value: &Value) -> Option<Uuid> {
    Uuid::parse_str(value.as_str()?).ok()
}

const DELETE: &str = concat!(mark_deleted!(), "id = $1\nreturning r.id");

/// The current record of the same instance, holdings or authority.
const OF_THE_SAME: &str = "\
select id
from records_lb
where (\"externalIdsHolder.instanceId\" = $1
  or \"externalIdsHolder.holdingsId\" = $1
  or \"externalIdsHolder.authorityId\" = $1)
and doc ->> 'recordType' = $2
and state = 'ACTUAL'
order by generation desc
limit 1";

const GENERATION: &str = "\
select (max(r.generation) + 1)::int8
from records_lb r
join snapshots_lb s on s.id = r.\"snapshotId\"
where r.\"matchedId\" = $1
and s.doc #>> '{metadata,updatedDate}' < (
  select n.doc ->> 'processingStartedDate'
  from snapshots_lb n
  where n.id = $2)";

const MAKE_OLD: &str = "\
update records_lb set doc = jsonb_set(doc::jsonb, '{state}', '\"OLD\"')
where \"matchedId\" = $1
and id <> $2
and state = 'ACTUAL'";

const PUT: &str = "\
insert into records_lb (id, doc) values ($1, $2::text::json)
on conflict (id) do update set doc = excluded.doc";

const SNAPSHOT_OF: &str = "select doc::text from snapshots_lb where id = $1";

const READ: &str = "select doc::text from records_lb where id = $1";

octavo_pg::statements!(other = [DELETE, OF_THE_SAME, GENERATION, MAKE_OLD, PUT, SNAPSHOT_OF, READ]);
