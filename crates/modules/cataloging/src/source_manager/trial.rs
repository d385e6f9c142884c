//! Trials of jobs, which show what a file and a profile would do and keep nothing of it; and what any job has changed.

use octavo_engine::{Request, Response};
use octavo_import::changes;
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Row, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::job;
use crate::import::Change;

/// The most records of a page of changes.
const MOST: i64 = 1_000;

/// Makes a job that has not begun a trial.
pub(super) async fn begin(request: Request) -> Outcome<Response> {
    let id = request.id(0)?;
    let mut session = request.context.session().await?;
    let set: Option<Uuid> = session.read(Statement::new(SET).uuid(id)).await?;
    match set {
        Some(_) => Ok(Response::no_content()),
        None if job::get(&mut session, id).await?.is_none() => Err(job::missing(id)),
        None => Err(Fault::bad_request("The job has begun already; a trial is chosen before")),
    }
}

/// What a job has changed, or in a trial would make and change: field by field, in the order of the file.
pub(super) async fn list(request: Request) -> Outcome<Response> {
    let id = request.id(0)?;
    let number = |name: &str, usual: i64| -> Outcome<i64> {
        let Some(text) = request.query(name) else { return Ok(usual) };
        let number = text.parse().ok().filter(|number| *number >= 0);
        number.ok_or_else(|| Fault::bad_request(format!("{name} is to be a number from 0 on")))
    };
    let (limit, offset) = (number("limit", 100)?.min(MOST), number("offset", 0)?);
    let mut session = request.context.session().await?;
    let answers = session
        .batch(vec![
            Statement::new(TRIAL).uuid(id),
            Statement::new(COUNT).uuid(id),
            Statement::new(PAGE).uuid(id).long(limit).long(offset),
        ])
        .await?;
    let [trial, count, page] = answers.as_slice() else { return Err(job::missing(id)) };
    let is_trial: bool = trial.first().map(Row::read).ok_or_else(|| job::missing(id))?;
    let total: i64 = count.first().map_or(0, Row::read);
    let shown: Vec<Value> = page.iter().map(Row::read).map(show).collect();
    Ok(Response::json(200, &json!({"isTrial": is_trial, "changes": shown, "totalRecords": total})))
}

type Stored = (i64, String, Uuid, Option<Value>, Option<Value>, Option<Value>);

/// `now` is the record as it is, for jobs that were no trial.
fn show((place, entity, id, before, after, now): Stored) -> Value {
    let after = after.or(now);
    let action = match (&before, &after) {
        (None, _) => "CREATE",
        (Some(_), None) => "DELETE",
        (Some(_), Some(_)) => "UPDATE",
    };
    let mut shown = json!({"recordOrder": place, "entityType": entity, "entityId": id, "action": action});
    match (before, after) {
        (Some(before), Some(after)) => {
            let fields = changes(&before, &after)
                .into_iter()
                .map(|change| json!({"field": change.path, "before": change.before, "after": change.after}));
            shown["fields"] = Value::from(fields.collect::<Vec<_>>());
        }
        (before, after) => shown["record"] = before.or(after).unwrap_or_default(),
    }
    shown
}

/// Keeps what a job has changed.
pub(super) fn keep(job: Uuid, changes: &[Change]) -> Option<Statement> {
    let rows = changes.iter().map(|change| {
        json!({
            "place": change.order,
            "entity": change.entity.name(),
            "id": change.id,
            "before": change.before,
            "after": change.after,
            "version": change.version,
        })
    });
    let rows: Vec<Value> = rows.collect();
    (!rows.is_empty()).then(|| Statement::new(KEEP).uuid(job).text(Value::from(rows).to_string()))
}

const SET: &str = "\
update job_execution
set is_trial = true
where id = $1
and not is_deleted
and progress_current = 0
and status in ('NEW', 'FILE_UPLOADED')
returning id";

const TRIAL: &str = "select is_trial from job_execution where id = $1 and not is_deleted";

const COUNT: &str = "select count(*) from import_change where job = $1";

const PAGE: &str = "\
select
  c.place,
  c.entity,
  c.id,
  c.before,
  c.after,
  case c.entity
    when 'INSTANCE' then (select doc from instance where id = c.id)
    when 'HOLDINGS' then (select doc from holdings_record where id = c.id)
    when 'ITEM' then (select doc from item where id = c.id)
    when 'AUTHORITY' then (select doc from authority where id = c.id)
  end
from import_change c
where c.job = $1
order by c.place, c.number
limit $2::int8
offset $3::int8";

const KEEP: &str = "\
insert into import_change (job, place, entity, id, before, after, version)
select $1, place, entity, id, nullif(before::text, 'null')::json, nullif(after::text, 'null')::json, version
from json_to_recordset($2::text::json) r (place bigint, entity text, id uuid, before json, after json, version bigint)";

octavo_pg::statements!(other = [SET, TRIAL, COUNT, PAGE, KEEP]);
