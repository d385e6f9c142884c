//! Widgets of dashboards, one by one.

use octavo_engine::{Request, Response, find};
use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement};
use serde_json::json;
use uuid::Uuid;

use super::access::{Level, require_administrator, require_level};
use super::kinds::WIDGETS;
use super::tables;
use crate::bind::{referenced_id, uuid};
use crate::records;
use crate::refusal::not_found;

pub(super) async fn list(request: Request) -> Outcome<Response> {
    require_administrator(&request)?;
    records::list(request, &WIDGETS).await
}

/// Refuses callers whose access level is too low for the dashboard to which the widget in the path belongs.
async fn require_dashboard_level(request: &Request, session: &mut Session, wanted: Level) -> Outcome<()> {
    let widget = find(session, &tables::WIDGET_INSTANCES, records::id_from_path(request)?)
        .await?
        .ok_or_else(not_found)?;
    let dashboard = uuid(&widget["owner"]).ok_or_else(not_found)?;
    require_level(request, session, dashboard, wanted).await
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    require_dashboard_level(&request, &mut request.context.session().await?, Level::View).await?;
    records::get(request, &WIDGETS).await
}

/// Changes a widget. The caller needs the level `Edit` for its dashboard, and also for another dashboard to which the body moves it.
pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    require_dashboard_level(&request, &mut session, Level::Edit).await?;
    if let Some(owner) = referenced_id(&request.json()?["owner"]) {
        require_level(&request, &mut session, owner, Level::Edit).await?;
    }
    records::update_from_request(&request, &mut session, &WIDGETS, records::id_from_path(&request)?).await
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    require_dashboard_level(&request, &mut request.context.session().await?, Level::Edit).await?;
    records::delete(request, &WIDGETS).await
}

/// Creates a widget. A widget without a weight comes after the other widgets of the dashboard.
pub(super) async fn create(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let mut body = request.json()?;
    let owner = uuid(&body["owner"]["id"]).ok_or_else(not_found)?;
    find(&mut session, &tables::DASHBOARDS, owner).await?.ok_or_else(not_found)?;
    require_level(&request, &mut session, owner, Level::Edit).await?;
    if body["weight"].is_null() {
        body["weight"] = json!(next_weight(&mut session, owner).await?);
    }
    let id = records::create_record(&request, &mut session, &WIDGETS, &body).await?;
    records::record_response(&mut session, &WIDGETS, id, 201).await
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
