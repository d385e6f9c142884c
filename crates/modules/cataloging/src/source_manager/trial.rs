//! Trials of jobs, which show what an import would do without storing it; and the changes that any job has made.

use octavo_engine::{Request, Response};
use octavo_import::{FieldChanges, changes, field_changes};
use octavo_kernel::{Fault, Outcome};
use octavo_marc::{Field, Subfield, from_json};
use octavo_pg::{Row, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::job;
use crate::import::Change;
use crate::import::titles::title_entity;

/// The most changes of a page.
const MAX_RECORDS: i64 = 1_000;

/// Turns a job that has not begun into a trial.
pub(super) async fn begin(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let mut session = request.context.session().await?;
    let set: Option<Uuid> = session.read(Statement::new(SET).uuid(id)).await?;
    match set {
        Some(_) => Ok(Response::no_content()),
        None if job::get(&mut session, id).await?.is_none() => Err(job::not_found(id)),
        None => Err(Fault::bad_request("The job has begun already; a trial is chosen before")),
    }
}

/// The changes that a job has made, or that a trial would make: field by field, in the order of the file.
pub(super) async fn list(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let limit = request.query_number("limit", 100, 0..=MAX_RECORDS)?;
    let offset = request.query_number("offset", 0, 0..=i64::MAX)?;
    let records = request.query("records").filter(|text| !text.is_empty());
    if records.is_some_and(|text| text.split(',').any(|number| number.parse::<i64>().is_err())) {
        return Err(Fault::bad_request("records is to be numbers of records, with commas between"));
    }
    let mut session = request.context.session().await?;
    let answers = session
        .batch(vec![
            Statement::new(TRIAL).uuid(id),
            Statement::new(COUNT).uuid(id).maybe_text(records),
            Statement::new(PAGE).uuid(id).long(limit).long(offset).maybe_text(records),
        ])
        .await?;
    let [trial, count, page] = answers.as_slice() else { return Err(job::not_found(id)) };
    let (is_trial, can_be_imported): (bool, bool) =
        trial.first().map(Row::read).ok_or_else(|| job::not_found(id))?;
    let total: i64 = count.first().map_or(0, Row::read);
    let shown: Vec<Value> = page.iter().map(Row::read).map(change_to_json).collect();
    let told = json!({
        "isTrial": is_trial,
        "canBeImported": can_be_imported,
        "changes": shown,
        "totalRecords": total,
    });
    Ok(Response::json(200, &told))
}

type ChangeRow = (i64, String, Uuid, Option<Value>, Option<Value>, Option<Value>);

/// The JSON of a change. `now` is the present record, which takes the place of `after` for jobs that are no trials.
fn change_to_json((place, entity, id, before, after, now): ChangeRow) -> Value {
    let after = after.or(now);
    let action = match (&before, &after) {
        (None, _) => "CREATE",
        (Some(_), None) => "DELETE",
        (Some(_), Some(_)) => "UPDATE",
    };
    let mut shown = json!({"recordOrder": place, "entityType": entity, "entityId": id, "action": action});
    match (before, after) {
        (Some(before), Some(after)) => {
            let marc = entity.starts_with("MARC").then(|| changed_marc_fields(&before, &after)).flatten();
            shown["fields"] = Value::from(marc.unwrap_or_else(|| changed_members(&before, &after)));
        }
        (before, after) => {
            let mut record = before.or(after).unwrap_or_default();
            // Of a MARC record that was deleted, the whole source record is stored.
            let content = record.pointer_mut("/parsedRecord/content").map(Value::take);
            shown["record"] = content.unwrap_or(record);
        }
    }
    shown
}

fn changed_members(before: &Value, after: &Value) -> Vec<Value> {
    let all = changes(before, after).into_iter();
    all.map(|change| json!({"field": change.path, "before": change.before, "after": change.after})).collect()
}

/// The changed fields of a MARC record, as text. A removed field is shown beside an added one with the same tag, in their order.
fn changed_marc_fields(before: &Value, after: &Value) -> Option<Vec<Value>> {
    let (before, after) = (from_json(before).ok()?, from_json(after).ok()?);
    let FieldChanges { leader, removed: gone, added: come } = field_changes(&before, &after);
    let mut come: Vec<Option<&Field>> = come.iter().map(Some).collect();
    let mut lines: Vec<(&str, Option<String>, Option<String>)> = Vec::new();
    lines.extend(leader.map(|(before, after)| ("LDR", Some(before), Some(after))));
    for field in &gone {
        let mut same = come.iter_mut().filter(|other| other.is_some_and(|other| other.tag() == field.tag()));
        let after = same.next().and_then(Option::take).map(field_line);
        lines.push((field.tag(), Some(field_line(field)), after));
    }
    lines.extend(come.into_iter().flatten().map(|field| (field.tag(), None, Some(field_line(field)))));
    lines.sort_by_key(|(tag, ..)| if *tag == "LDR" { "" } else { *tag });
    let shown = |(tag, before, after)| json!({"field": tag, "before": before, "after": after});
    Some(lines.into_iter().map(shown).collect())
}

/// A field as text: `10 $a The title $c by somebody`, with one backslash for a blank indicator.
fn field_line(field: &Field) -> String {
    match field {
        Field::Control { value, .. } => value.clone(),
        Field::Data { indicators, subfields, .. } => {
            let mut line: String =
                indicators.iter().map(|sign| if *sign == ' ' { '\\' } else { *sign }).collect();
            for Subfield { code, value } in subfields {
                line += &format!(" ${code} {value}");
            }
            line
        }
    }
}

/// Inserts the changes that a job has made.
pub(super) fn insert_changes_statement(job: Uuid, changes: &[Change]) -> Option<Statement> {
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

/// Reads whether a job is a trial, and whether its file can be imported.
const TRIAL: &str = "\
select j.is_trial, j.is_trial and j.completed is not null and s.path is not null
from job_execution j
left join import_source s on s.job = j.id
where j.id = $1
and not j.is_deleted";

const COUNT: &str = concat!(
    "\
select count(*)
from import_change c
where c.job = $1
and c.entity <> ",
    title_entity!(),
    "
and ($2::text is null or c.place = any(string_to_array($2, ',')::int8[]))"
);

const PAGE: &str = concat!(
    "\
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
and c.entity <> ",
    title_entity!(),
    "
and ($4::text is null or c.place = any(string_to_array($4, ',')::int8[]))
order by c.place, c.number
limit $2::int8
offset $3::int8"
);

const KEEP: &str = "\
insert into import_change (job, place, entity, id, before, after, version)
select $1, place, entity, id, nullif(before::text, 'null')::json, nullif(after::text, 'null')::json, version
from json_to_recordset($2::text::json) r (place bigint, entity text, id uuid, before json, after json, version bigint)";

octavo_pg::statements!(other = [SET, TRIAL, COUNT, PAGE, KEEP]);
