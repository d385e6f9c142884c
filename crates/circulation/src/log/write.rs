//! Adds the records to a finished plan.

use super::fees;
use crate::notice::DecisionFacts;
use crate::plan::Plan;

/// Adds the records to a finished plan.
pub fn log(world: DecisionFacts<'_>, plan: &mut Plan) {
    let mut found = Vec::new();
    world.log_loans(plan, &mut found);
    world.log_requests(plan, &mut found);
    fees::add_fee_records(&world.facts.charging, plan, &mut found);
    plan.logged.extend(found);
}

/// Adds the records about requests that have changed; a new order of a queue, by which a job closes gaps, is none.
pub fn log_requests(world: DecisionFacts<'_>, plan: &mut Plan) {
    if !plan.trace.is_empty() {
        log(world, plan);
    }
}
