//! Adds the records to a finished plan.

use super::fees;
use crate::notice::World;
use crate::plan::Plan;

/// Adds the records to a finished plan.
pub fn log(world: World<'_>, plan: &mut Plan) {
    let mut found = Vec::new();
    world.log_loans(plan, &mut found);
    world.log_requests(plan, &mut found);
    fees::of_plan(&world.facts.charging, plan, &mut found);
    plan.logged.extend(found);
}

/// Adds the records about requests that have changed; a new order of a queue, by which a job closes gaps, is none.
pub fn log_requests(world: World<'_>, plan: &mut Plan) {
    if !plan.trace.is_empty() {
        log(world, plan);
    }
}
