//! Creating, replacing and deleting calendars. Two calendars of a service point never share a day: who changes one holds
//! off all others who would, looks at what is there, and writes, in one transaction.

use octavo_calendar::{Calendar, MOST_NAMED, defects};
use octavo_engine::{Context, Request, Response, announce, follow_ups, metadata, statements};
use octavo_kernel::Outcome;
use octavo_pg::{Row, Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::CALENDAR;
use super::faults::{invalid_parameter, not_found, refused};
use super::parameters::{id, ids, required};

/// `POST /calendar/calendars`: the id that a client sends is not taken.
pub(super) async fn create(request: Request) -> Outcome<Response> {
    let calendar = read(&request, request.context.fresh_id())?;
    let document = store(&request.context, &calendar, Doing::Creating).await?;
    Ok(Response::json(201, &document))
}

/// `PUT /calendar/calendars/{calendarId}`
pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let calendar = read(&request, id(&request)?)?;
    let document = store(&request.context, &calendar, Doing::Replacing).await?;
    Ok(Response::json(200, &document))
}

/// `DELETE /calendar/calendars/{calendarId}`
pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let id = id(&request)?;
    remove(&request.context, vec![id]).await
}

/// `DELETE /calendar/calendars?id=...&id=...`: all of them or none.
pub(super) async fn delete_several(request: Request) -> Outcome<Response> {
    let given = ids(&request, "id")?.filter(|ids| !ids.is_empty());
    let mut ids = required(&request, "id", given)?;
    ids.sort_unstable();
    ids.dedup();
    remove(&request.context, ids).await
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doing {
    Creating,
    Replacing,
}

fn read(request: &Request, id: Uuid) -> Outcome<Calendar> {
    let calendar = Calendar::read(&request.body)
        .map_err(|error| invalid_parameter(request.context.now, &format!("JSON parse error: {error}")))?;
    Ok(Calendar { id: Some(id), ..calendar })
}

async fn store(context: &Context, calendar: &Calendar, doing: Doing) -> Outcome<Value> {
    let id = calendar.id.unwrap_or_default();
    let mut session = context.session().await?;
    let stored = Statement::new(statements::get_for_change(&CALENDAR)).uuid(id);
    let answers = session.begin(vec![Statement::new(ALONE), stored, rivals(id, calendar)]).await?;
    let (document, change) = match decide(context, calendar, doing, answers[1].first(), &answers[2]) {
        Ok(decided) => decided,
        Err(fault) => {
            session.rollback().await?;
            return Err(fault);
        }
    };
    commit(context, &mut session, Some(change)).await?;
    Ok(document)
}

/// The document as it will be stored, and the statement that stores it.
fn decide(
    context: &Context,
    calendar: &Calendar,
    doing: Doing,
    stored: Option<&Row>,
    rivals: &[Row],
) -> Outcome<(Value, Statement)> {
    let id = calendar.id.unwrap_or_default();
    if doing == Doing::Replacing && stored.is_none() {
        return Err(not_found(context.now, &[id], &[id]));
    }
    let rivals: Vec<Calendar> =
        rivals.iter().filter_map(|row| Calendar::from_value(row.json(0)?).ok()).collect();
    let defects = defects(calendar, &rivals);
    if !defects.is_empty() {
        return Err(refused(context.now, defects));
    }
    let before = stored.and_then(|row| row.json(0));
    let mut document = json!(calendar);
    document["metadata"] = metadata(context, before.as_ref(), &context.now_text());
    let change = match stored {
        Some(row) => statements::update(&CALENDAR, id, &document, row.text(1)),
        None => statements::insert(&CALENDAR, id, &document),
    };
    Ok((document, change))
}

/// Other calendars that share a service point and a day with this one.
fn rivals(id: Uuid, calendar: &Calendar) -> Statement {
    Statement::new(RIVALS)
        .uuid(id)
        .texts(calendar.assignments.iter().map(ToString::to_string).collect())
        .text(calendar.start_date.to_string())
        .text(calendar.end_date.to_string())
        .long(MOST_NAMED as i64)
}

async fn remove(context: &Context, ids: Vec<Uuid>) -> Outcome<Response> {
    let mut session = context.session().await?;
    let answers =
        session.begin(vec![Statement::new(ALONE), Statement::new(DELETE).uuids(ids.clone())]).await?;
    let gone: Vec<Uuid> = answers[1].iter().map(|row| row.uuid(0)).collect();
    let missing: Vec<Uuid> = ids.iter().filter(|id| !gone.contains(id)).copied().collect();
    if !missing.is_empty() {
        session.rollback().await?;
        return Err(not_found(context.now, &ids, &missing));
    }
    commit(context, &mut session, None).await?;
    Ok(Response::no_content())
}

/// Ends the transaction and tells every process.
async fn commit(context: &Context, session: &mut Session, change: Option<Statement>) -> Outcome<()> {
    let mut statements = Vec::from_iter(change);
    statements.extend(follow_ups(context, &CALENDAR, Uuid::nil()));
    session.commit(statements).await?;
    announce(context, &CALENDAR, Uuid::nil());
    Ok(())
}

/// Whoever would change calendars too waits here; whoever reads does not. What is read next is what those left behind.
const ALONE: &str = "lock table calendars in share row exclusive mode";
const RIVALS: &str = "\
select doc::text
from calendars
where id <> $1
  and (doc -> 'assignments')::jsonb ?| $2
  and \"endDate\" >= $3
  and \"startDate\" <= $4
order by \"startDate\", id
limit $5";
const DELETE: &str = "delete from calendars where id = any($1) returning id";

octavo_pg::statements!(other = [ALONE, RIVALS, DELETE]);
