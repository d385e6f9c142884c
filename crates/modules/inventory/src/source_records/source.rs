//! Source records by id, or by a list of ids.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_pg::Statement;
use octavo_record::{Param, Sql};
use serde_json::Value;

use super::SOURCE_RECORD;
use super::lists::{list_all, source_record_writer, state_condition};
use super::parameters::{
    IdType, RECORD_TYPE, boolean_parameter, parse_uuid, parse_uuids, record_type, state,
};
use super::view::source_record;
use crate::has_next_generation;

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let kind = IdType::from_request(&request, "RECORD")?;
    let state = state(request.query("state"))?.unwrap_or("ACTUAL");
    let id = request.path_parameter(0);
    let statement = Statement::new(SOURCE).text(kind.name()).uuid(parse_uuid(id)?).text(state);
    let mut session = request.context.session().await?;
    let found: Option<String> = session.read(statement).await?;
    let record = SOURCE_RECORD.parse_stored(found.as_deref());
    let shown = record.as_ref().and_then(|record| source_record(record, "matchedId"));
    let missing = || Fault::not_found_with(format!("SourceRecord with id '{id}' was not found"));
    Ok(Response::json(200, &shown.ok_or_else(missing)?))
}

/// The source records with the ids in the body.
pub(super) async fn by_ids(request: Request) -> Outcome<Response> {
    let kind = IdType::from_request(&request, "RECORD")?;
    let record_type = record_type(request.query("recordType"))?;
    let ids = texts_in_body(&request)?;
    let mut sql = Sql::default();
    let ids = sql.bind(Param::Uuids(parse_uuids(ids.iter().map(String::as_str))?));
    let leader = match record_type {
        "EDIFACT" => "",
        _ => concat!("\nand ", has_leader_status!()),
    };
    let from = format!(
        "from records_lb r\nwhere {}\nand {RECORD_TYPE} = '{record_type}'\nand {}{leader}",
        kind.condition(&ids),
        state_condition(boolean_parameter(&request, "deleted").unwrap_or(false)),
    );
    list_all(&request.context, "sourceRecords", &from, &sql, source_record_writer("matchedId", "")).await
}

/// The body as a list of texts; a refusal if it is something else.
pub(super) fn texts_in_body(request: &Request) -> Outcome<Vec<String>> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let texts = request.json()?.as_array().map(|list| list.iter().map(text).collect::<Option<Vec<_>>>());
    texts.flatten().ok_or_else(|| Refusal::new("The body is not a list of texts").into())
}

/// Several generations may be in the requested state; the last one is shown. For the state ACTUAL, records that are marked as deleted are
/// found too, because they can be edited further, except those of deleted authorities.
const SOURCE: &str = concat!(
    "\
select r.doc::text
from records_lb r
where r.id in (
  select n.id from records_lb n where $1::text = 'RECORD' and n.\"matchedId\" = $2
  union all
  select n.id from records_lb n where $1::text = 'SRS_RECORD' and n.id = $2
  union all
  select n.id from records_lb n where $1::text in ('INSTANCE', 'EXTERNAL') and n.\"externalIdsHolder.instanceId\" = $2
  union all
  select n.id from records_lb n where $1::text in ('HOLDINGS', 'EXTERNAL') and n.\"externalIdsHolder.holdingsId\" = $2
  union all
  select n.id from records_lb n where $1::text in ('AUTHORITY', 'EXTERNAL') and n.\"externalIdsHolder.authorityId\" = $2)
and (
  r.state = $3::text
  or $3::text = 'ACTUAL' and ",
    has_next_generation!("r"),
    ")
and ",
    has_leader_status!(),
    "
order by r.state, r.generation desc
limit 1"
);

octavo_pg::statements!(other = [SOURCE]);
