//! The order of changes: a module is enabled after what it requires, and disabled after what requires it.

use std::sync::Arc;

use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::descriptor::Descriptor;

use super::{Action, TenantModule};
use crate::okapi::catalogue::Modules;

pub(super) fn sort_plan(
    mut plan: Vec<TenantModule>,
    available: &Modules,
    enabled: &Modules,
) -> Outcome<Vec<TenantModule>> {
    let mut then = enabled.clone();
    let mut ordered = Vec::with_capacity(plan.len());
    while let Some(at) = plan.iter().position(|one| can_be_next(one, available, &then)) {
        let one = plan.remove(at);
        match one.action {
            Some(Action::Enable) => {
                if let Some(from) = &one.from {
                    then.remove(from);
                }
                if let Some(module) = available.get(&one.id) {
                    then.insert(one.id.clone(), Arc::clone(module));
                }
            }
            Some(Action::Disable) => {
                then.remove(&one.id);
            }
            _ => {}
        }
        ordered.push(one);
    }
    if plan.is_empty() {
        return Ok(ordered);
    }
    let left: Vec<&str> = plan.iter().map(|one| one.id.as_str()).collect();
    Err(Fault::bad_request(format!("Some modules cannot be topological sorted: {}", left.join(", "))))
}

fn can_be_next(one: &TenantModule, available: &Modules, then: &Modules) -> bool {
    let module = available.get(&one.id).or_else(|| then.get(&one.id));
    match (one.action, module) {
        (Some(Action::Enable), Some(module)) => has_all_requirements(module, then),
        (Some(Action::Disable), Some(module)) => is_unused(module, then),
        _ => true,
    }
}

/// Whether the modules `then` provide everything that a module requires.
fn has_all_requirements(module: &Descriptor, then: &Modules) -> bool {
    module.requires().iter().all(|needed| {
        let mut provided = then.values().flat_map(|other| other.provides());
        provided.any(|interface| interface.is_regular() && interface.satisfies(needed))
    })
}

/// Whether none of the modules `then` requires what this module provides, or one of them replaces it.
fn is_unused(module: &Descriptor, then: &Modules) -> bool {
    let replaced =
        then.values().any(|other| other.id != module.id && other.takes_the_place_of(module.product()));
    replaced
        || !module.provides().iter().filter(|interface| interface.is_regular()).any(|interface| {
            then.values().any(|other| other.requires().iter().any(|needed| interface.satisfies(needed)))
        })
}
