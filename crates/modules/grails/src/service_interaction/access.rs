//! Who may do what with a dashboard: view it, edit it, manage who may.

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
    pub(super) fn named(name: &str) -> Option<Level> {
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

pub(super) fn only_administrators(request: &Request) -> Outcome<()> {
    if is_administrator(request) { Ok(()) } else { Err(forbidden("Forbidden")) }
}

/// The user who calls. A program without a token is no user, and has no dashboards.
pub(super) fn user(request: &Request) -> Outcome<Uuid> {
    request.context.caller.user_id.ok_or_else(|| forbidden("Dashboards are for users who have logged in"))
}

/// What a user may do with a dashboard.
pub(super) async fn level(session: &mut Session, dashboard: Uuid, user: Uuid) -> Outcome<Option<Level>> {
    let value: Option<String> = session.read(Statement::new(LEVEL).uuid(dashboard).uuid(user)).await?;
    Ok(value.as_deref().and_then(Level::named))
}

/// Refuses callers who may do less with a dashboard than this.
pub(super) async fn demand(
    request: &Request,
    session: &mut Session,
    dashboard: Uuid,
    wanted: Level,
) -> Outcome<()> {
    if is_administrator(request) {
        return Ok(());
    }
    let level = level(session, dashboard, user(request)?).await?;
    if level >= Some(wanted) { Ok(()) } else { Err(forbidden("Forbidden")) }
}

const LEVEL: &str = "\
select v.doc ->> 'value'
from servint_dashboard_access a
join servint_refdata_value v on v.id = a.access
where a.dashboard = $1 and a.\"user\" = $2";

octavo_pg::statements!(other = [LEVEL]);
