//! Makes a timer due now, so that its job begins.

use anyhow::{Context, Result};
use octavo_modules::MODULES;
use octavo_modules::timers::timers;
use octavo_pg::{Session, Statement};

/// Servers look for due timers once a second.
pub(crate) async fn make_timer_due(session: &mut Session, path: &str) -> Result<()> {
    let mut timers = timers(MODULES).into_iter();
    let timer = timers.find(|timer| timer.path == path).with_context(|| format!("no timer {path}"))?;
    session.rows(Statement::new(MAKE_TIMER_DUE).text(timer.id.as_str())).await?;
    Ok(())
}

const MAKE_TIMER_DUE: &str = "update octavo.timers set next_run = now() where id = $1";
