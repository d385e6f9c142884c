//! Source records, each with its raw form. A record that is sent again is a new generation; the former one is kept as old.

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use octavo_record::Reading;
use serde_json::{Value, json};
use uuid::Uuid;

use super::SOURCE_RECORD;
use super::content::{matched_id, normalize};
use super::formatted::with_formatted_content;
use super::parameters::{IdType, boolean_parameter, parse_uuid};
use super::saving::{DUPLICATE, replace as replaced, save};

fn checked_body(request: &Request) -> Outcome<Value> {
    let checked = SOURCE_RECORD.schema().check(request.json()?, Reading::FromClient);
    Ok(checked.map_err(Fault::refused)?.0)
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let (id, missing) = id_from_path(&request)?;
    let mut session = request.context.session().await?;
    let stored = octavo_engine::find(&mut session, &SOURCE_RECORD, id).await?.ok_or_else(missing)?;
    Ok(Response::json(200, &stored))
}

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let record = checked_body(&request)?;
    let id = record["id"].as_str().and_then(|id| Uuid::parse_str(id).ok());
    let id = id.unwrap_or_else(|| request.context.fresh_id());
    Ok(Response::json(201, &with_formatted_content(save(&request.context, record, id).await?)))
}

/// Replaces a record by the sent one, without a new generation.
pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let record = checked_body(&request)?;
    let (id, missing) = id_from_path(&request)?;
    let record = replaced(&request.context, record, id).await?.ok_or_else(missing)?;
    Ok(Response::json(200, &with_formatted_content(record)))
}

/// Saves a record as the next generation of the record whose matched id is in the path and in field 999.
pub(super) async fn next_generation(request: Request) -> Outcome<Response> {
    let mut record = checked_body(&request)?;
    if let Some(parsed) = record.get_mut("parsedRecord") {
        normalize(parsed);
    }
    let named = request.path_parameter(0);
    let told = matched_id(&record["parsedRecord"]["content"]);
    if told != Some(named) {
        let told = told.unwrap_or("null");
        let message = format!("Matched id ({named}) not equal to 999ff$s ({told}) field");
        return Err(Fault::bad_request(message));
    }
    let mut session = request.context.session().await?;
    let stored = octavo_engine::find(&mut session, &SOURCE_RECORD, parse_uuid(named)?).await?;
    drop(session);
    if stored.is_none() {
        return Err(Fault::not_found_with(format!("Record with given matched id ({named}) not found")));
    }
    match save(&request.context, record, request.context.fresh_id()).await {
        Err(fault) if fault.body.render() == DUPLICATE => Err(Fault::bad_request(NO_NEW_GENERATION)),
        saved => Ok(Response::json(200, &with_formatted_content(saved?))),
    }
}

const NO_NEW_GENERATION: &str = "Incoming record could be a duplicate, incoming record generation should not be the same as matched record generation and the execution of job should be started after of creating the previous record generation";

/// Marks a record as deleted: in state, leader and discovery.
pub(super) async fn remove(request: Request) -> Outcome<Response> {
    let changed =
        json!({"updatedDate": request.context.now_text(), "updatedByUserId": request.context.caller.user_id});
    let (kind, id) = id_from_request(&request, "SRS_RECORD")?;
    let mut session = request.context.session().await?;
    let marked: Option<Uuid> =
        session.read(Statement::new(DELETE).text(kind.name()).text(changed.to_string()).uuid(id)).await?;
    marked.map(|_| Response::no_content()).ok_or_else(|| not_found_fault(kind, request.path_parameter(0)))
}

/// Suppresses a record from discovery, or ends the suppression.
pub(super) async fn suppress(request: Request) -> Outcome<Response> {
    let (kind, id) = id_from_request(&request, "RECORD")?;
    let suppressed = boolean_parameter(&request, "suppress").unwrap_or(true);
    let mut session = request.context.session().await?;
    let statement = Statement::new(SUPPRESS).text(kind.name()).text(suppressed.to_string()).uuid(id);
    let changed: Option<Uuid> = session.read(statement.text(request.context.now_text())).await?;
    changed
        .map(|_| Response::text(200, "true"))
        .ok_or_else(|| not_found_fault(kind, request.path_parameter(0)))
}

/// The current record, with its content as text for people to read, and without the content that could not be read.
pub(super) async fn get_formatted(request: Request) -> Outcome<Response> {
    let (kind, id) = id_from_request(&request, "RECORD")?;
    let mut session = request.context.session().await?;
    let found: Option<String> = session.read(Statement::new(CURRENT).text(kind.name()).uuid(id)).await?;
    let mut record = SOURCE_RECORD
        .parse_stored(found.as_deref())
        .ok_or_else(|| not_found_fault(kind, request.path_parameter(0)))?;
    if let Some(members) = record.as_object_mut() {
        members.remove("errorRecord");
    }
    Ok(Response::json(200, &with_formatted_content(record)))
}

fn id_from_request(request: &Request, default: &'static str) -> Outcome<(IdType, Uuid)> {
    Ok((IdType::from_request(request, default)?, parse_uuid(request.path_parameter(0))?))
}

fn not_found_fault(kind: IdType, id: &str) -> Fault {
    Fault::not_found_with(format!("Record with {} id: {id} was not found", kind.name()))
}

fn id_from_path(request: &Request) -> Outcome<(Uuid, impl Fn() -> Fault + use<>)> {
    let id = request.path_parameter(0).to_owned();
    let missing = move || Fault::not_found_with(format!("Record with id '{id}' was not found"));
    match Uuid::parse_str(request.path_parameter(0)) {
        Ok(id) => Ok((id, missing)),
        Err(_) => Err(missing()),
    }
}

/// SQL that finds the current record by an id (`$id`) of a type (`$1`).
macro_rules! current {
    ($id:literal) => {
        concat!(
            "\
select r.id
from records_lb r
where r.id in (
  select n.id from records_lb n where $1::text = 'RECORD' and n.\"matchedId\" = ",
            $id,
            "
  union all
  select n.id from records_lb n where $1::text = 'SRS_RECORD' and n.id = ",
            $id,
            "
  union all
  select n.id from records_lb n
  where $1::text in ('INSTANCE', 'EXTERNAL') and n.\"externalIdsHolder.instanceId\" = ",
            $id,
            "
  union all
  select n.id from records_lb n
  where $1::text in ('HOLDINGS', 'EXTERNAL') and n.\"externalIdsHolder.holdingsId\" = ",
            $id,
            "
  union all
  select n.id from records_lb n
  where $1::text in ('AUTHORITY', 'EXTERNAL') and n.\"externalIdsHolder.authorityId\" = ",
            $id,
            ")
and r.state in ('ACTUAL', 'DELETED')
order by r.generation desc
limit 1"
        )
    };
}

const CURRENT: &str = concat!("select t.doc::text from records_lb t where t.id = (", current!("$2"), ")");

const DELETE: &str = concat!(mark_deleted!(), "id = (", current!("$3"), ")\nreturning r.id");

/// Sets the flag of the current record of an id (`$3`) of a type (`$1`), and the time of the change (`$4`).
macro_rules! suppress {
    () => {
        concat!(
            "\
update records_lb t
set
  doc = jsonb_set(
    t.doc::jsonb || jsonb_build_object(
      'additionalInfo', coalesce((t.doc -> 'additionalInfo')::jsonb, '{}'),
      'metadata', coalesce((t.doc -> 'metadata')::jsonb, '{}') || jsonb_build_object('updatedDate', $4::text)),
    '{additionalInfo,suppressDiscovery}', $2::text::jsonb),
  \"additionalInfo.suppressDiscovery\" = $2,
  \"metadata.updatedDate\" = $4,
  filled = coalesce(t.filled, 0) + 1
where t.id = (",
            current!("$3"),
            ")"
        )
    };
}

const SUPPRESS: &str = concat!(suppress!(), "\nreturning t.id");

const SUPPRESS_OF_INSTANCE: &str =
    concat!(suppress!(), "\nand coalesce(t.\"additionalInfo.suppressDiscovery\", 'false') <> $2");

/// Copies the suppression flag of an instance to the instance's current record, if the record has another.
pub fn suppress_by_instance_statement(context: &Context, instance: Uuid, suppressed: bool) -> Statement {
    let statement = Statement::new(SUPPRESS_OF_INSTANCE).text("INSTANCE").text(suppressed.to_string());
    statement.uuid(instance).text(context.now_text())
}

octavo_pg::statements!(other = [CURRENT, DELETE, SUPPRESS, SUPPRESS_OF_INSTANCE]);
