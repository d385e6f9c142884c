//! Plans an installation (Okapi 5.3.0): which modules of the tenant change, so that each required interface is provided once and in a
//! fitting version, and in which order. Pure: the modules come as arguments.

mod consistency;
mod order;

use std::collections::BTreeSet;

use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::descriptor::{ModuleId, latest};
use serde::{Deserialize, Serialize};

use super::catalogue::Modules;

pub(super) use consistency::dependency_errors;

/// One module of an installation, as clients send and get it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TenantModule {
    pub(super) id: String,
    /// The version that the tenant had before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) action: Option<Action>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) stage: Option<Stage>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Action {
    Enable,
    Disable,
    UpToDate,
    Suggest,
    Conflict,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Stage {
    Pending,
    Deploy,
    Invoke,
    Undeploy,
    Done,
}

impl TenantModule {
    pub(super) fn new(id: &str, from: Option<&str>, action: Action) -> TenantModule {
        let from = from.map(str::to_owned);
        TenantModule { id: id.to_owned(), from, action: Some(action), message: None, stage: None }
    }
}

/// The most steps that add or remove modules until all required interfaces are provided.
const MOST_STEPS: usize = 100;

pub(super) fn product(id: &str) -> &str {
    ModuleId::split(id).map_or(id, |(product, _)| product)
}

/// Completes the modules that a client requests: ids get versions, and an enabled module of the same product becomes `from`. With `check`,
/// required modules are added and modules that no longer fit are disabled, in an order in which each module finds what it requires.
pub(super) fn resolve(
    available: &Modules,
    enabled: &Modules,
    mut plan: Vec<TenantModule>,
    check: bool,
    reinstall: bool,
) -> Outcome<Vec<TenantModule>> {
    let mut then = enabled.clone();
    let mut given = BTreeSet::new();
    let mut errors = Vec::new();
    for one in &mut plan {
        match one.action {
            Some(Action::Enable) => {
                plan_enabling(available, &mut then, &mut given, one, reinstall, &mut errors);
            }
            Some(Action::Disable) => {
                if ModuleId::split(&one.id).is_none() {
                    one.id = latest(&one.id, then.keys().map(String::as_str)).to_owned();
                }
                if then.remove(&one.id).is_none() {
                    errors.push(not_found_message(&one.id));
                }
            }
            _ => {}
        }
    }
    fail_on_errors(&errors)?;
    if !check {
        return Ok(plan);
    }
    let mut steps = 0..MOST_STEPS;
    loop {
        match consistency::next_step(available, &mut then, &mut plan, &mut given, enabled) {
            Some(errors) => {
                fail_on_errors(&errors)?;
                return order::sort_plan(plan, available, enabled);
            }
            None if steps.next().is_none() => {
                let message = format!("Dependency resolution not completing in {MOST_STEPS} iterations");
                return Err(Fault::text(500, message));
            }
            None => {}
        }
    }
}

fn plan_enabling(
    available: &Modules,
    then: &mut Modules,
    given: &mut BTreeSet<String>,
    one: &mut TenantModule,
    reinstall: bool,
    errors: &mut Vec<String>,
) {
    if ModuleId::split(&one.id).is_none() {
        one.id = latest(&one.id, available.keys().map(String::as_str)).to_owned();
    }
    given.insert(one.id.clone());
    let Some(module) = available.get(&one.id) else {
        errors.push(not_found_message(&one.id));
        return;
    };
    if then.contains_key(&one.id) && !reinstall {
        one.action = Some(Action::UpToDate);
        return;
    }
    let before = then.keys().find(|id| product(id) == module.product()).cloned();
    if let Some(before) = before {
        if given.contains(&before) && before != one.id {
            errors.push(format!("Cannot remove module {before} which is explicitly given"));
        }
        then.remove(&before);
        one.from = Some(before);
    }
    then.insert(one.id.clone(), module.clone());
}

pub(super) fn not_found_message(id: &str) -> String {
    format!("Module {id} not found")
}

fn fail_on_errors(errors: &[String]) -> Outcome<()> {
    match errors.is_empty() {
        true => Ok(()),
        false => Err(Fault::bad_request(errors.join(". "))),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use octavo_modules_base::descriptor::Descriptor;
    use serde_json::{Value, json};

    use super::*;

    fn module(id: &str, provides: &[&str], requires: &[&str]) -> Value {
        let list = |interfaces: &[&str]| -> Value {
            let split =
                |one: &&str| one.split_once(' ').map(|(id, version)| json!({"id": id, "version": version}));
            interfaces.iter().filter_map(split).collect()
        };
        json!({"id": id, "provides": list(provides), "requires": list(requires)})
    }

    fn modules(descriptors: &[Value]) -> Modules {
        let read = |one: &Value| Arc::new(Descriptor::read(one.clone()).unwrap());
        descriptors.iter().map(read).map(|one| (one.id.clone(), one)).collect()
    }

    fn shelf() -> Modules {
        modules(&[
            module("desk-1.0.0", &["desk 1.0"], &["loans 1.0"]),
            module("desk-2.0.0", &["desk 2.0"], &["loans 2.0"]),
            module("loans-1.0.0", &["loans 1.0"], &[]),
            module("loans-2.0.0", &["loans 2.0"], &[]),
            module("other-loans-1.0.0", &["lending 1.0"], &[]),
            module("lending-1.0.0", &["lending 1.0"], &[]),
            module("reader-1.0.0", &[], &["lending 1.0"]),
            module("lonely-1.0.0", &[], &["nowhere 1.0"]),
        ])
    }

    fn plan(enabled: &[&str], wanted: &[(&str, Action)]) -> Result<Vec<String>, String> {
        let shelf = shelf();
        let enabled = enabled.iter().map(|id| ((*id).to_owned(), shelf[*id].clone())).collect();
        let wanted = wanted.iter().map(|(id, action)| TenantModule::new(id, None, *action)).collect();
        let told = |one: TenantModule| {
            let from = one.from.map(|from| format!(" from {from}")).unwrap_or_default();
            format!("{:?} {}{from}", one.action.unwrap(), one.id)
        };
        let planned = resolve(&shelf, &enabled, wanted, true, false);
        planned.map(|plan| plan.into_iter().map(told).collect()).map_err(|fault| fault.body.render())
    }

    #[test]
    fn what_is_needed_comes_along_and_first() {
        assert_eq!(
            plan(&[], &[("desk-1.0.0", Action::Enable)]).unwrap(),
            ["Enable loans-1.0.0", "Enable desk-1.0.0"]
        );
        assert_eq!(
            plan(&["loans-1.0.0"], &[("loans", Action::Enable)]).unwrap(),
            ["Enable loans-2.0.0 from loans-1.0.0"]
        );
        assert_eq!(plan(&["loans-2.0.0"], &[("loans", Action::Enable)]).unwrap(), ["UpToDate loans-2.0.0"]);
    }

    #[test]
    fn a_newer_version_takes_along_what_fits() {
        assert_eq!(
            plan(&["desk-1.0.0", "loans-1.0.0"], &[("desk", Action::Enable)]).unwrap(),
            ["Enable loans-2.0.0 from loans-1.0.0", "Enable desk-2.0.0 from desk-1.0.0"]
        );
        assert_eq!(
            plan(&["desk-1.0.0", "loans-1.0.0"], &[("loans", Action::Enable)]).unwrap(),
            ["Enable loans-2.0.0 from loans-1.0.0", "Enable desk-2.0.0 from desk-1.0.0"]
        );
    }

    #[test]
    fn what_needs_a_module_goes_with_it() {
        assert_eq!(
            plan(&["desk-1.0.0", "loans-1.0.0"], &[("loans-1.0.0", Action::Disable)]).unwrap(),
            ["Disable desk-1.0.0", "Disable loans-1.0.0"]
        );
    }

    #[test]
    fn another_provider_takes_the_place_of_the_one_before() {
        assert_eq!(
            plan(&["lending-1.0.0"], &[("other-loans-1.0.0", Action::Enable)]).unwrap(),
            ["Enable other-loans-1.0.0", "Disable lending-1.0.0"]
        );
    }

    #[test]
    fn what_cannot_be_is_refused_in_okapis_words() {
        for (enabled, wanted, said) in [
            (&[][..], &[("x-1.0.0", Action::Enable)][..], "Module x-1.0.0 not found"),
            (&[], &[("desk-1.0.0", Action::Disable)], "Module desk-1.0.0 not found"),
            (
                &[],
                &[("lonely", Action::Enable)],
                "interface nowhere required by module lonely-1.0.0 not found",
            ),
            (
                &[],
                &[("reader", Action::Enable)],
                "interface lending required by module reader-1.0.0 is provided by multiple products: lending, other-loans",
            ),
            (
                &[],
                &[("lending", Action::Enable), ("other-loans", Action::Enable)],
                "Multiple modules lending-1.0.0, other-loans-1.0.0 provide interface lending",
            ),
            (
                &[],
                &[("loans-1.0.0", Action::Enable), ("loans-2.0.0", Action::Enable)],
                "Cannot remove module loans-1.0.0 which is explicitly given",
            ),
            (
                &[],
                &[("loans-1.0.0", Action::Enable), ("desk-2.0.0", Action::Enable)],
                "Incompatible version for module desk-2.0.0 interface loans. Need 2.0. Have 1.0/loans-1.0.0",
            ),
        ] {
            assert_eq!(plan(enabled, wanted).unwrap_err(), said);
        }
    }
}
