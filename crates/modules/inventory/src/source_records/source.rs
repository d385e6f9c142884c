//! Source records by their ids: one, or many.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_pg::Statement;
use octavo_record::{Param, Sql};
use serde_json::Value;

use super::SOURCE_RECORD;
use super::lists::{all, existing, shown_as_source};
use super::parameters::{IdType, RECORD_TYPE, record_type, state, truth, uuid, uuids};
use super::view::source_record;
use crate::has_next_generation;

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let kind = IdType::asked(&request, "RECORD")?;
    let state = state(request.query("state"))?.unwrap_or("ACTUAL");
    let id = request.parameter(0);
    let statement = Statement::new(SOURCE).text(kind.name()).uuid(uuid(id)?).text(state);
    let mut session = request.context.session().await?;
    let found: Option<String> = session.read(statement).await?;
    let record = SOURCE_RECORD.read(found.as_deref());
    let shown = record.as_ref().and_then(|record| source_record(record, "matchedId"));
    let missing = || Fault::missing(format!("SourceRecord with id '{id}' was not found"));
    Ok(Response::json(200, &shown.ok_or_else(missing)?))
}

/// Of a list of ids.
pub(super) async fn of_ids(request: Request) -> Outcome<Response> {
    let kind = IdType::asked(&request, "RECORD")?;
    let record_type = record_type(request.query("recordType"))?;
    let ids = texts(&request)?;
    let mut sql = Sql::default();
    let ids = sql.bind(Param::Uuids(uuids(ids.iter().map(String::as_str))?));
    let leader = match record_type {
        "EDIFACT" => "",
        _ => "\nand coalesce(r.\"leaderRecordStatus\", r.doc ->> 'leaderRecordStatus') is not null",
    };
    let from = format!(
        "from records_lb r\nwhere {}\nand {RECORD_TYPE} = '{record_type}'\nand {}{leader}",
        kind.condition(&ids),
        existing(truth(&request, "deleted").unwrap_or(false)),
    );
    all(&request.context, "sourceRecords", &from, &sql, shown_as_source("matchedId", "")).await
}

/// A body that is a list of texts.
pub(super) fn texts(request: &Request) -> Outcome<Vec<String>> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let texts = request.json()?.as_array().map(|list| list.iter().map(text).collect::<Option<Vec<_>>>());
    texts.flatten().ok_or_else(|| Refusal::new("The body is not a list of texts").into())
}

/// Generations before the last may be in the same state; the last one is shown. What is marked as deleted is found as well, since it can be
/// edited further; not so a deleted authority, which is gone.
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
and coalesce(r.\"leaderRecordStatus\", r.doc ->> 'leaderRecordStatus') is not null
order by r.state, r.generation desc
limit 1"
);

octavo_pg::statements!(other = [SOURCE]);
