//! `GET /inventory-hierarchy/updated-instance-ids`: what has changed or gone in a span of time, for harvesters.
//!
//! The answer is FOLIO's: one JSON object an instance, nothing between them, every value a text. Changes of holdings and
//! items have no index (they change with every loan), so asking for these reads their tables. Facts:
//! mod-inventory-storage 27.1.3.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome, folio_time, parse_time};
use octavo_pg::{Row, Statement};
use serde_json::json;

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let (since, until) = (instant(&request, "startDate")?, instant(&request, "endDate")?);
    let source = request.query("source").filter(|source| !source.is_empty());
    let skip_suppressed = truth(&request, "skipSuppressedFromDiscoveryRecords")?;
    let with_deleted = truth(&request, "deletedRecordSupport")?;
    let only_instances = truth(&request, "onlyInstanceUpdateDate")? || (since.is_none() && until.is_none());
    let span = |sql: &'static str| {
        let statement = Statement::new(sql).maybe_text(since.as_deref()).maybe_text(until.as_deref());
        statement.maybe_text(source)
    };
    let changed = span(if only_instances { INSTANCES } else { INSTANCES_AND_COPIES });
    let mut statements = vec![changed.text(skip_suppressed.to_string())];
    if with_deleted {
        statements.push(span(DELETED));
    }
    let mut session = request.context.session().await?;
    let answers = session.batch(statements).await?;
    let mut out = String::with_capacity(answers.iter().map(Vec::len).sum::<usize>() * 180);
    for (rows, deleted) in answers.iter().zip([false, true]) {
        for row in rows {
            out.push_str(&object(row, deleted));
        }
    }
    Ok(Response::json_text(200, out))
}

fn object(row: &Row, deleted: bool) -> String {
    json!({
        "instanceId": row.uuid(0),
        "source": row.maybe_text(1).unwrap_or_default(),
        "updatedDate": row.maybe_text(2).unwrap_or_default().replace("+00:00", "Z"),
        "suppressFromDiscovery": row.maybe_text(3).unwrap_or_default(),
        "deleted": deleted.to_string(),
    })
    .to_string()
}

/// In the form in which instants are stored.
fn instant(request: &Request, name: &str) -> Outcome<Option<String>> {
    let Some(text) = request.query(name).filter(|text| !text.is_empty()) else { return Ok(None) };
    match parse_time(text) {
        Some(at) => Ok(Some(folio_time(at))),
        None => Err(Fault::bad_request(format!("Text '{text}' could not be parsed at index 0"))),
    }
}

fn truth(request: &Request, name: &str) -> Outcome<bool> {
    match request.query(name) {
        None | Some("true") => Ok(true),
        Some("false") => Ok(false),
        Some(other) => Err(Fault::bad_request(format!(
            "'{name}' parameter is incorrect. parameter value {{{other}}} is not valid: must be true or false"
        ))),
    }
}

const INSTANCES: &str = "\
select t.id, t.doc ->> 'source', t.\"metadata.updatedDate\", t.doc ->> 'discoverySuppress'
from instance t
where t.\"metadata.updatedDate\" >= coalesce($1::text, '')
and t.\"metadata.updatedDate\" <= coalesce($2::text, '~')
and ($3::text is null or t.doc ->> 'source' = $3)
and ($4::text = 'false' or t.doc ->> 'discoverySuppress' is distinct from 'true')";

const INSTANCES_AND_COPIES: &str = "\
with changed as (
  select t.id, t.\"metadata.updatedDate\" as at
  from instance t
  union all
  select h.\"instanceId\", h.doc #>> '{metadata,updatedDate}' collate \"C\"
  from holdings_record h
  union all
  select h.\"instanceId\", i.doc #>> '{metadata,updatedDate}' collate \"C\"
  from item i
  join holdings_record h on h.id = i.\"holdingsRecordId\"
  union all
  select d.parent, d.at
  from deleted_record d
  where d.kind = 'holdings_record'
  union all
  select coalesce(h.\"instanceId\", p.parent), d.at
  from deleted_record d
  left join holdings_record h on h.id = d.parent
  left join deleted_record p on p.id = d.parent and p.kind = 'holdings_record'
  where d.kind = 'item')
select t.id, t.doc ->> 'source', c.at, t.doc ->> 'discoverySuppress'
from (
  select id, max(at) as at
  from changed
  where at >= coalesce($1::text, '')
  and at <= coalesce($2::text, '~')
  group by id) c
join instance t on t.id = c.id
where ($3::text is null or t.doc ->> 'source' = $3)
and ($4::text = 'false' or t.doc ->> 'discoverySuppress' is distinct from 'true')";

const DELETED: &str = "\
select d.id, d.source, d.at, 'false'
from deleted_record d
where d.kind = 'instance'
and d.at >= coalesce($1::text, '')
and d.at <= coalesce($2::text, '~')
and ($3::text is null or d.source = $3)";
