//! The results of heading changes for linked instances: by authority, and by link.

use jiff::Timestamp;
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome, parse_time};
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

use super::rules::rule_by_id;
use super::validation_fault;

/// The period of the query, both times included.
struct Range {
    from: Option<Timestamp>,
    to: Option<Timestamp>,
}

impl Range {
    fn from_query(request: &Request) -> Outcome<Range> {
        Ok(Range { from: time_parameter(request, "fromDate")?, to: time_parameter(request, "toDate")? })
    }

    /// Refuses a period that ends before it begins. mod-entities-links does that for links alone: no change of a heading is in such a
    /// period.
    fn refuse_reversed(&self) -> Outcome<()> {
        match (self.from, self.to) {
            (Some(from), Some(to)) if from > to => {
                let about = vec![("fromDate", from.to_string()), ("toDate", to.to_string())];
                Err(validation_fault("'to' date should be not less than 'from' date.", about))
            }
            _ => Ok(()),
        }
    }

    /// Adds both times to a statement, as texts that PostgreSQL can parse.
    fn add_to(&self, statement: Statement) -> Statement {
        let texts = [self.from, self.to].map(|time| time.map(|time| time.to_string()));
        texts.iter().fold(statement, |statement, text| statement.maybe_text(text.as_deref()))
    }
}

fn time_parameter(request: &Request, name: &str) -> Outcome<Option<Timestamp>> {
    let Some(text) = request.query(name) else { return Ok(None) };
    // A plus sign that was not percent-encoded arrives as a blank.
    let time = parse_time(&text.replace(' ', "+"));
    time.map(Some).ok_or_else(|| {
        Fault::bad_request(format!(
            "Failed to convert value of type 'java.lang.String' to required type 'java.time.OffsetDateTime'; Parse attempt failed for value [{text}]"
        ))
    })
}

fn choice_parameter(request: &Request, name: &str, words: &[&str]) -> Outcome<Option<String>> {
    match request.query(name) {
        None => Ok(None),
        Some(word) if words.contains(&word) => Ok(Some(word.to_owned())),
        Some(word) => Err(Fault::bad_request(format!("Unexpected value '{word}'"))),
    }
}

const MAX_ROWS: i64 = 10_000;

fn limit_parameter(request: &Request) -> Outcome<usize> {
    let limit = request.query_number("limit", 100, 1..=i64::from(i32::MAX))?;
    Ok(usize::try_from(limit.min(MAX_ROWS)).unwrap_or(1))
}

/// The rows of a page, and the time of the first row of the next page.
fn page_json(mut rows: Vec<(Value, String)>, limit: usize) -> Value {
    let next = rows.get(limit).map(|(_, time)| time.clone());
    rows.truncate(limit);
    let mut page = json!({"stats": rows.into_iter().map(|(row, _)| row).collect::<Vec<Value>>()});
    if let Some(next) = next {
        page["next"] = json!(next);
    }
    page
}

pub(super) async fn of_authorities(request: Request) -> Outcome<Response> {
    let range = Range::from_query(&request)?;
    let action = choice_parameter(&request, "action", &["DELETE", "UPDATE_NATURAL_ID", "UPDATE_HEADING"])?;
    let limit = limit_parameter(&request)?;
    let statement =
        range.add_to(Statement::new(OF_AUTHORITIES)).maybe_text(action.as_deref()).long(limit as i64 + 1);
    let mut session = request.context.session().await?;
    let rows: Vec<(Value, String)> = session.read(statement).await?;
    Ok(Response::json(200, &page_json(rows, limit)))
}

pub(super) async fn of_instances(request: Request) -> Outcome<Response> {
    let range = Range::from_query(&request)?;
    range.refuse_reversed()?;
    let status = choice_parameter(&request, "status", &["ACTUAL", "ERROR", "NEW"])?;
    let limit = limit_parameter(&request)?;
    let statement =
        range.add_to(Statement::new(OF_INSTANCES)).maybe_text(status.as_deref()).long(limit as i64 + 1);
    let mut session = request.context.session().await?;
    type Row = (Uuid, Option<String>, i64, Option<String>, String, Option<String>);
    let rows: Vec<Row> = session.read(statement).await?;
    let rows = rows.into_iter().map(|(instance, title, by, natural_id, updated, error)| {
        let mut row = json!({"instanceId": instance, "authorityNaturalId": natural_id, "updatedAt": updated});
        row["bibRecordTag"] = json!(rule_by_id(by).map(|rule| rule.bib_field));
        for (name, value) in [("instanceTitle", title), ("errorCause", error)] {
            if let Some(value) = value {
                row[name] = json!(value);
            }
        }
        (row, updated)
    });
    Ok(Response::json(200, &page_json(rows.collect(), limit)))
}

/// A time as text, to the microsecond: the next page begins with the time of its first row.
macro_rules! shown {
    ($time:literal) => {
        concat!("to_char(", $time, " at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')")
    };
}

const OF_AUTHORITIES: &str = concat!(
    "\
select jsonb_strip_nulls(jsonb_build_object(
    'id', c.id,
    'authorityId', c.authority,
    'action', c.action,
    'naturalIdOld', c.natural_id_old,
    'naturalIdNew', c.natural_id_new,
    'headingOld', c.heading_old,
    'headingNew', c.heading_new,
    'headingTypeOld', c.heading_type_old,
    'headingTypeNew', c.heading_type_new,
    'sourceFileOld', coalesce((select f.doc ->> 'name' from authority_source_file f where f.id::text = c.source_file_old), 'Not specified'),
    'sourceFileNew', coalesce((select f.doc ->> 'name' from authority_source_file f where f.id::text = c.source_file_new), 'Not specified'),
    'lbTotal', c.lb_total,
    'lbUpdated', c.lb_updated,
    'lbFailed', c.lb_failed,
    'metadata', jsonb_build_object(
      'startedAt', ",
    shown!("c.started"),
    ",
      'completedAt', ",
    shown!("c.completed"),
    ",
      'startedByUserId', c.started_by,
      'startedByUserFirstName', u.doc #>> '{personal,firstName}',
      'startedByUserLastName', u.doc #>> '{personal,lastName}')))::text,
  ",
    shown!("c.started"),
    "
from heading_change c
left join users u on u.id = c.started_by
where ($1::text is null or c.started >= $1::text::timestamptz)
and ($2::text is null or c.started <= $2::text::timestamptz)
and ($3::text is null or c.action = $3)
order by c.started desc, c.place desc
limit $4"
);

const OF_INSTANCES: &str = concat!(
    "\
select l.instance, i.doc ->> 'title', l.rule, a.doc ->> 'naturalId', ",
    shown!("l.updated"),
    ", l.error
from instance_authority_link l
join authority a on a.id = l.authority
left join instance i on i.id = l.instance
where ($1::text is null or l.updated >= $1::text::timestamptz)
and ($2::text is null or l.updated <= $2::text::timestamptz)
and ($3::text is null or l.status = $3)
order by l.updated desc, l.id desc
limit $4"
);

octavo_pg::statements!(other = [OF_AUTHORITIES, OF_INSTANCES]);
