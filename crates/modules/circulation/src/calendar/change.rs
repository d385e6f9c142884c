//! Creating, replacing and deleting calendars. Two calendars of a service point never share a day: a change locks the table, reads
//! the other calendars and writes, in one transaction.

use octavo_calendar::{Calendar, MOST_RIVALS_NAMED, defects};
use octavo_circulation::Undecided;
use octavo_engine::{Context, Request, Response, invalidate_caches, metadata, notify_statements, statements};
use octavo_kernel::Outcome;
use octavo_pg::{Batch, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::CALENDAR;
use super::faults::{invalid_parameter, not_found, refused};
use super::parameters::{id, ids, required};
use crate::decide::{Attempt, Decision, Planned, Setback, decide};

/// The id that a client sends is ignored.
pub(super) async fn create(request: Request) -> Outcome<Response> {
    let calendar = calendar_from_body(&request, request.context.fresh_id())?;
    let document = store(&request.context, &calendar, CalendarAction::Creating).await?;
    Ok(Response::json(201, &document))
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let calendar = calendar_from_body(&request, id(&request)?)?;
    let document = store(&request.context, &calendar, CalendarAction::Replacing).await?;
    Ok(Response::json(200, &document))
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let id = id(&request)?;
    remove(&request.context, vec![id]).await
}

/// Deletes the calendars of `?id=...&id=...`, all or none.
pub(super) async fn delete_several(request: Request) -> Outcome<Response> {
    let given = ids(&request, "id")?.filter(|ids| !ids.is_empty());
    let mut ids = required(&request, "id", given)?;
    ids.sort_unstable();
    ids.dedup();
    remove(&request.context, ids).await
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CalendarAction {
    Creating,
    Replacing,
}

fn calendar_from_body(request: &Request, id: Uuid) -> Outcome<Calendar> {
    let calendar = Calendar::read(&request.body)
        .map_err(|error| invalid_parameter(request.context.now, &format!("JSON parse error: {error}")))?;
    Ok(Calendar { id: Some(id), ..calendar })
}

async fn store(context: &Context, calendar: &Calendar, doing: CalendarAction) -> Outcome<Value> {
    let change = decide(context, &Storing { context, calendar, doing }).await?;
    Ok(change.document)
}

struct Storing<'a> {
    context: &'a Context,
    calendar: &'a Calendar,
    doing: CalendarAction,
}

/// The facts for storing a calendar; the lock keeps them valid until the commit.
struct StoringFacts {
    stored: Option<Value>,
    /// Other calendars that share a service point and a day with this one.
    rivals: Vec<Calendar>,
}

impl Decision for Storing<'_> {
    type Facts = StoringFacts;
    type Plan = Change;

    async fn gather(&self, attempt: &mut Attempt<'_>) -> Result<StoringFacts, Setback> {
        let id = self.calendar.id.unwrap_or_default();
        let mut batch = Batch::default();
        batch.ask::<()>(Statement::new(ALONE));
        let stored =
            batch.ask::<Option<Value>>(Statement::new(statements::select_for_change_sql(&CALENDAR)).uuid(id));
        let rivals = batch.ask::<Option<Value>>(rivals_statement(id, self.calendar));
        let answers = attempt.ask(batch).await?;
        let rivals = answers.all(rivals).into_iter().flatten();
        Ok(StoringFacts {
            stored: answers.first(stored).flatten(),
            rivals: rivals.filter_map(|rival| Calendar::from_value(rival).ok()).collect(),
        })
    }

    fn decide(&self, known: &StoringFacts) -> Result<Change, Undecided> {
        let (now, id) = (self.context.now, self.calendar.id.unwrap_or_default());
        if self.doing == CalendarAction::Replacing && known.stored.is_none() {
            return Err(not_found(now, &[id], &[id]).into());
        }
        let defects = defects(self.calendar, &known.rivals);
        if !defects.is_empty() {
            return Err(refused(now, defects).into());
        }
        let mut document = json!(self.calendar);
        document["metadata"] = metadata(self.context, known.stored.as_ref(), &self.context.now_text());
        let write = match known.stored {
            Some(_) => statements::overwrite(&CALENDAR, id, &document),
            None => statements::insert(&CALENDAR, id, &document),
        };
        Ok(Change { document, write })
    }
}

/// A changed calendar, and the statement that stores the change.
pub(super) struct Change {
    pub(super) document: Value,
    pub(super) write: Statement,
}

impl Planned for Change {
    fn statements(&self, context: &Context) -> Outcome<Vec<Statement>> {
        let mut statements = vec![self.write.clone()];
        statements.extend(notify_statements(context, &CALENDAR, Uuid::nil()));
        Ok(statements)
    }

    fn notify_committed(&self, context: &Context) {
        invalidate_caches(context, &CALENDAR, Uuid::nil());
    }
}

fn rivals_statement(id: Uuid, calendar: &Calendar) -> Statement {
    Statement::new(RIVALS)
        .uuid(id)
        .texts(calendar.assignments.iter().map(ToString::to_string).collect())
        .text(calendar.start_date.to_string())
        .text(calendar.end_date.to_string())
        .long(MOST_RIVALS_NAMED as i64)
}

async fn remove(context: &Context, ids: Vec<Uuid>) -> Outcome<Response> {
    decide(context, &Removing { context, ids }).await?;
    Ok(Response::no_content())
}

struct Removing<'a> {
    context: &'a Context,
    ids: Vec<Uuid>,
}

impl Decision for Removing<'_> {
    /// The ids of the calendars that exist.
    type Facts = Vec<Uuid>;
    type Plan = Change;

    async fn gather(&self, attempt: &mut Attempt<'_>) -> Result<Vec<Uuid>, Setback> {
        let mut batch = Batch::default();
        batch.ask::<()>(Statement::new(ALONE));
        let there = batch.ask(Statement::new(THERE).uuids(self.ids.clone()));
        Ok(attempt.ask(batch).await?.all(there))
    }

    fn decide(&self, there: &Vec<Uuid>) -> Result<Change, Undecided> {
        let missing: Vec<Uuid> = self.ids.iter().filter(|id| !there.contains(id)).copied().collect();
        if !missing.is_empty() {
            return Err(not_found(self.context.now, &self.ids, &missing).into());
        }
        Ok(Change { document: Value::Null, write: Statement::new(DELETE).uuids(there.clone()) })
    }
}

/// Changes of calendars wait for each other here; readers do not wait. The next statement reads the state after the earlier changes.
pub(super) const ALONE: &str = "lock table calendars in share row exclusive mode";
const RIVALS: &str = "\
select doc::text
from calendars
where id <> $1
  and (doc -> 'assignments')::jsonb ?| $2
  and \"endDate\" >= $3
  and \"startDate\" <= $4
order by \"startDate\", id
limit $5";
const THERE: &str = "select id from calendars where id = any($1)";
const DELETE: &str = "delete from calendars where id = any($1)";

octavo_pg::statements!(other = [ALONE, RIVALS, THERE, DELETE]);
