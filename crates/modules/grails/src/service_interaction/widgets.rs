//! Widgets of dashboards, one by one.

use octavo_engine::{Request, Response, find};
use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement};
use serde_json::json;
use uuid::Uuid;

use super::access::{Level, demand, only_administrators};
use super::kinds::WIDGETS;
use super::tables;
use crate::bind::{named, uuid};
use crate::records;
use crate::refusal::not_found;

pub(super) async fn list(request: Request) -> Outcome<Response> {
    only_administrators(&request)?;
    records::list(request, &WIDGETS).await
}

/// Refuses callers who may do less than this with the dashboard that the widget is on.
async fn on_dashboard(request: &Request, session: &mut Session, wanted: Level) -> Outcome<()> {
    let widget =
        find(session, &tables::WIDGET_INSTANCES, records::id(request)?).await?.ok_or_else(not_found)?;
    let dashboard = uuid(&widget["owner"]).ok_or_else(not_found)?;
    demand(request, session, dashboard, wanted).await
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    on_dashboard(&request, &mut request.context.session().await?, Level::View).await?;
    records::get(request, &WIDGETS).await
}

/// Whoever moves a widget to another dashboard has to be allowed to edit both.
pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    on_dashboard(&request, &mut session, Level::Edit).await?;
    if let Some(owner) = named(&request.json()?["owner"]) {
        demand(&request, &mut session, owner, Level::Edit).await?;
    }
    records::change(&request, &mut session, &WIDGETS, records::id(&request)?).await
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    on_dashboard(&request, &mut request.context.session().await?, Level::Edit).await?;
    records::delete(request, &WIDGETS).await
}

/// A widget without a place comes after the others.
pub(super) async fn create(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let mut body = request.json()?;
    let owner = uuid(&body["owner"]["id"]).ok_or_else(not_found)?;
    find(&mut session, &tables::DASHBOARDS, owner).await?.ok_or_else(not_found)?;
    demand(&request, &mut session, owner, Level::Edit).await?;
    if body["weight"].is_null() {
        body["weight"] = json!(next_weight(&mut session, owner).await?);
    }
    let id = records::make(&request, &mut session, &WIDGETS, &body).await?;
    records::show(&mut session, &WIDGETS, id, 201).await
}

/// The weight of a widget that comes after all others of the dashboard.
pub(super) async fn next_weight(session: &mut Session, dashboard: Uuid) -> Outcome<i64> {
    let next: Option<i64> = session.read(Statement::new(NEXT_WEIGHT).uuid(dashboard)).await?;
    Ok(next.unwrap_or(0))
}

const NEXT_WEIGHT: &str = "\
select coalesce(max((doc ->> 'weight')::int8) + 1, 0)
from servint_widget_instance
where owner = $1";

octavo_pg::statements!(other = [NEXT_WEIGHT]);
