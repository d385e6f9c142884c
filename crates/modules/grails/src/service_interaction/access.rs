//! Access levels of dashboards: who may view, edit or manage a dashboard.

use octavo_engine::Request;
use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement};
use uuid::Uuid;

use crate::refusal::forbidden;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    View,
    Edit,
    Manage,
}

impl Level {
    pub(super) fn from_name(name: &str) -> Option<Level> {
        match name {
            "view" => Some(Level::View),
            "edit" => Some(Level::Edit),
            "manage" => Some(Level::Manage),
            _ => None,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Level::View => "view",
            Level::Edit => "edit",
            Level::Manage => "manage",
        }
    }
}

const ADMINISTRATOR: &str = "servint.dashboards.admin";

pub(super) fn is_administrator(request: &Request) -> bool {
    request.context.caller.permissions.has(ADMINISTRATOR)
}

pub(super) fn require_administrator(request: &Request) -> Outcome<()> {
    if is_administrator(request) { Ok(()) } else { Err(forbidden("Forbidden")) }
}

/// The user who makes the request. A request without a user (from a program) has no dashboards: 403.
pub(super) fn calling_user(request: &Request) -> Outcome<Uuid> {
    request.context.caller.user_id.ok_or_else(|| forbidden("Dashboards are for users who have logged in"))
}

/// A user's access level for a dashboard; `None` if the user has no access.
pub(super) async fn load_level(session: &mut Session, dashboard: Uuid, user: Uuid) -> Outcome<Option<Level>> {
    let value: Option<String> = session.read(Statement::new(LEVEL).uuid(dashboard).uuid(user)).await?;
    Ok(value.as_deref().and_then(Level::from_name))
}

/// Refuses callers whose access level for a dashboard is lower than `wanted`. Administrators may do everything.
pub(super) async fn require_level(
    request: &Request,
    session: &mut Session,
    dashboard: Uuid,
    wanted: Level,
) -> Outcome<()> {
    if is_administrator(request) {
        return Ok(());
    }
    let level = load_level(session, dashboard, calling_user(request)?).await?;
    if level >= Some(wanted) { Ok(()) } else { Err(forbidden("Forbidden")) }
}

const LEVEL: &str = "\
select v.doc ->> 'value'
from servint_dashboard_access a
join servint_refdata_value v on v.id = a.access
where a.dashboard = $1 and a.\"user\" = $2";

octavo_pg::statements!(other = [LEVEL]);
