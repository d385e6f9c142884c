//! `GET /calendar/calendars` and `/calendar/calendars/{calendarId}`.

use jiff::civil::Date;
use octavo_engine::{Request, Response, statements};
use octavo_kernel::Outcome;
use octavo_pg::{Param, Statement, read_each};

use super::CALENDAR;
use super::faults::not_found;
use super::parameters::{date, id, ids, number};

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = id(&request)?;
    let mut session = request.context.session().await?;
    let stored: Option<String> =
        session.read(Statement::new(statements::select_sql(&CALENDAR)).uuid(id)).await?;
    let stored = stored.ok_or_else(|| not_found(request.context.now, &[id], &[id]))?;
    Ok(Response::json_text(200, stored))
}

/// Calendars by ids, service points and dates: those that end on `startDate` or later and begin on `endDate` or before.
pub(super) async fn list(request: Request) -> Outcome<Response> {
    let points = ids(&request, "servicePointId")?;
    let points = points.map(|points| points.iter().map(ToString::to_string).collect());
    let text = |date: Option<Date>| date.map_or(Param::Null, |date| Param::Text(date.to_string()));
    let wanted = vec![
        ids(&request, "id")?.map_or(Param::Null, Param::Uuids),
        points.map_or(Param::Null, Param::Texts),
        text(date(&request, "startDate")?),
        text(date(&request, "endDate")?),
    ];
    let (offset, limit) = (number(&request, "offset", 0)?, number(&request, "limit", 10)?);
    let page = Statement::with_params(PAGE, wanted.clone());
    let count = Statement::with_params(COUNT, wanted);
    let mut session = request.context.session().await?;
    let answers = session.batch(vec![page.long(offset.into()).long(limit.into()), count]).await?;
    let (calendars, total): (Vec<&str>, Option<i64>) = read_each(&answers);
    let (calendars, total) = (calendars.join(","), total.unwrap_or(0));
    Ok(Response::json_text(200, format!("{{\"calendars\":[{calendars}],\"totalRecords\":{total}}}")))
}

const PAGE: &str = "\
select doc::text
from calendars
where ($1::uuid[] is null or id = any($1))
  and ($2::text[] is null or (doc -> 'assignments')::jsonb ?| $2)
  and ($3::text is null or \"endDate\" >= $3)
  and ($4::text is null or \"startDate\" <= $4)
order by \"startDate\", id
offset $5
limit $6";
const COUNT: &str = "\
select count(*)
from calendars
where ($1::uuid[] is null or id = any($1))
  and ($2::text[] is null or (doc -> 'assignments')::jsonb ?| $2)
  and ($3::text is null or \"endDate\" >= $3)
  and ($4::text is null or \"startDate\" <= $4)";

octavo_pg::statements!(other = [PAGE, COUNT]);
