//! What mod-circulation and mod-circulation-storage do by the clock. Jobs work in batches, each a transaction of its own:
//! one that is interrupted has kept what it did and goes on where work is left.

pub(super) mod actual_cost;
pub(super) mod age_to_lost;
pub(super) mod anonymize;
pub(crate) mod expire_requests;
mod queues;
pub(super) mod reminders;
pub(crate) mod renumber_queues;

use octavo_engine::Context;

/// What a run has done, for the log. A run that found nothing to do is no news.
pub(super) fn tell(context: &Context, count: usize, done: &str) {
    if count > 0 {
        tracing::info!(tenant = %context.tenant.id, count, "{done}");
    }
}
