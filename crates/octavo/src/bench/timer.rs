//! Has a job by the clock begin: its time has come.

use anyhow::{Context, Result};
use octavo_modules::MODULES;
use octavo_modules::timers::timers;
use octavo_pg::{Session, Statement};

/// Servers look for due timers once a second.
pub(crate) async fn begin(session: &mut Session, path: &str) -> Result<()> {
    let mut timers = timers(MODULES).into_iter();
    let timer = timers.find(|timer| timer.path == path).with_context(|| format!("no timer {path}"))?;
    session.rows(Statement::new(BEGIN).text(timer.id.as_str())).await?;
    Ok(())
}

const BEGIN: &str = "update octavo.timers set next_run = now() where id = $1";
