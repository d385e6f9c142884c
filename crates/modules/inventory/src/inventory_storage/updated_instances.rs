//! `GET /inventory-hierarchy/updated-instance-ids`: the instances that were changed or deleted in a span of time, for harvesters.
//!
//! As in FOLIO, the answer is one JSON object for each instance, with nothing between them and with all values as texts. There is no
//! database index for the changes of holdings and items, because they change with every loan: asking for these changes reads their whole
//! tables. Facts: mod-inventory-storage 27.1.3.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome, folio_time, parse_time};
use octavo_pg::{Row, Statement};
use serde_json::json;
use uuid::Uuid;

/// A changed or deleted instance, all members as texts.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) instance: Uuid,
    pub(super) source: String,
    pub(super) date: String,
    pub(super) suppressed: String,
    pub(super) deleted: bool,
}

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let dated = ["startDate", "endDate"].into_iter().any(|name| filled_parameter(&request, name).is_some());
    let only_instances = boolean_parameter(&request, "onlyInstanceUpdateDate")? || !dated;
    let source = filled_parameter(&request, "source");
    let sql = if only_instances { INSTANCES } else { INSTANCES_AND_COPIES };
    let changes = changes(&request, sql, source).await?;
    let mut out = String::with_capacity(changes.len() * 180);
    for change in changes {
        let object = json!({
            "instanceId": change.instance,
            "source": change.source,
            "updatedDate": change.date,
            "suppressFromDiscovery": change.suppressed,
            "deleted": change.deleted.to_string(),
        });
        out.push_str(&object.to_string());
    }
    Ok(Response::json_text(200, out))
}

/// Changes of instances, their holdings and their items.
pub(super) async fn changes_of_copies(request: &Request) -> Outcome<Vec<Change>> {
    changes(request, INSTANCES_AND_COPIES, None).await
}

async fn changes(request: &Request, sql: &'static str, source: Option<&str>) -> Outcome<Vec<Change>> {
    let (since, until) = (time_parameter(request, "startDate")?, time_parameter(request, "endDate")?);
    let skip_suppressed = boolean_parameter(request, "skipSuppressedFromDiscoveryRecords")?;
    let span = |sql: &'static str| {
        let statement = Statement::new(sql).maybe_text(since.as_deref()).maybe_text(until.as_deref());
        statement.maybe_text(source)
    };
    let mut statements = vec![span(sql).text(skip_suppressed.to_string())];
    if boolean_parameter(request, "deletedRecordSupport")? {
        statements.push(span(DELETED));
    }
    let mut session = request.context.session().await?;
    let answers = session.batch(statements).await?;
    let of = |(rows, deleted): (&Vec<Row>, bool)| -> Vec<Change> {
        rows.iter().map(|row| change_from_row(row.read(), deleted)).collect()
    };
    Ok(answers.iter().zip([false, true]).flat_map(of).collect())
}

fn change_from_row((instance, texts): (Uuid, [Option<String>; 3]), deleted: bool) -> Change {
    let [source, date, suppressed] = texts.map(Option::unwrap_or_default);
    Change { instance, source, date: date.replace("+00:00", "Z"), suppressed, deleted }
}

fn filled_parameter<'r>(request: &'r Request, name: &str) -> Option<&'r str> {
    request.query(name).filter(|text| !text.is_empty())
}

/// A time parameter, in the form in which instants are stored.
fn time_parameter(request: &Request, name: &str) -> Outcome<Option<String>> {
    let Some(text) = filled_parameter(request, name) else { return Ok(None) };
    match parse_time(text) {
        Some(at) => Ok(Some(folio_time(at))),
        None => {
            let error = "java.time.format.DateTimeParseException";
            Err(Fault::bad_request(format!("{error}: Text '{text}' could not be parsed at index 0")))
        }
    }
}

pub(super) fn boolean_parameter(request: &Request, name: &str) -> Outcome<bool> {
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

octavo_pg::statements!(other = [INSTANCES, INSTANCES_AND_COPIES, DELETED]);
