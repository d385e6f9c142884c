//! The timer jobs of mod-circulation and mod-circulation-storage. Each batch of a job is a transaction, so an interrupted job keeps
//! its results, and the next run continues.

pub(super) mod actual_cost;
pub(super) mod age_to_lost;
pub(crate) mod anonymize;
pub(crate) mod expire_requests;
mod queues;
pub(super) mod reminders;
pub(crate) mod renumber_queues;

use std::sync::Arc;

use octavo_engine::{Context, SNAPSHOT_VERSION};
use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement};

use super::Desk;

/// Logs the result of a run, unless there was nothing to do.
pub(super) fn log_count(context: &Context, count: usize, done: &str) {
    if count > 0 {
        tracing::info!(tenant = %context.tenant.id, count, "{done}");
    }
}

/// The library's present settings. A batch reads them after it has its locks, so that a long job does not use old ones.
async fn current_desk(context: &Context, session: &mut Session) -> Outcome<Arc<Desk>> {
    let (tenant, snapshots) = (&context.tenant.id, &context.platform.snapshots);
    let known = Desk::from_snapshot(&*snapshots.get_over(tenant, session).await?);
    let version: Vec<i64> = session.read(Statement::new(SNAPSHOT_VERSION)).await?;
    if version.first() == Some(&known.version) {
        return Ok(known);
    }
    Ok(Desk::from_snapshot(&*snapshots.reload_over(tenant, session).await?))
}

octavo_pg::statements! {
    within = [actual_cost, age_to_lost, anonymize, expire_requests, queues, reminders, renumber_queues],
}
