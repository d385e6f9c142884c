//! `GET /calendar/dates/{servicePointId}/surrounding-openings` and `.../all-openings`, from the tenant's snapshot.
//!
//! A service point without calendars is closed every day, and so is one that does not exist.

use std::sync::Arc;

use octavo_calendar::Span;
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use serde_json::json;

use super::Calendars;
use super::faults::too_long;
use super::parameters::{boolean, date, id, number, required};

pub(super) async fn surrounding(request: Request) -> Outcome<Response> {
    let service_point = id(&request)?;
    let day = required(&request, "date", date(&request, "date")?)?;
    let calendars = calendars(&request).await?;
    Ok(Response::json(200, &json!({"openings": calendars.openings_of(service_point).surrounding(day)})))
}

pub(super) async fn all(request: Request) -> Outcome<Response> {
    let service_point = id(&request)?;
    let day = |name: &str| required(&request, name, date(&request, name)?);
    let span = Span {
        start: day("startDate")?,
        end: day("endDate")?,
        include_closed: required(&request, "includeClosed", boolean(&request, "includeClosed")?)?,
        offset: number(&request, "offset", 0)? as usize,
        limit: number(&request, "limit", 10)? as usize,
    };
    let calendars = calendars(&request).await?;
    let listed = calendars
        .openings_of(service_point)
        .days_in_span(&span)
        .map_err(|_| too_long(request.context.now))?;
    Ok(Response::json(200, &json!({"dates": listed.days, "totalRecords": listed.total})))
}

async fn calendars(request: &Request) -> Outcome<Arc<Calendars>> {
    let snapshot = request.context.snapshot().await?;
    Ok(Calendars::from_snapshot(&snapshot))
}
