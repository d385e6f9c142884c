//! Whether the modules of a tenant fit together; if not, the next step towards it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use octavo_modules_base::descriptor::{Descriptor, InterfaceDescriptor, compare_ids};

use super::{Action, TenantModule, product};
use crate::okapi::catalogue::Modules;

/// An interface with the module that provides or requires it.
type ModuleInterface = (Arc<Descriptor>, InterfaceDescriptor);
type ByInterface = BTreeMap<String, Vec<ModuleInterface>>;

/// A change that brings the modules closer to fitting together.
enum Step {
    Disable(String),
    /// The module, instead of another, and whether it may be removed again.
    Enable {
        id: String,
        from: Option<String>,
        stays: bool,
    },
}

struct Check<'a> {
    available: &'a Modules,
    given: &'a BTreeSet<String>,
    /// The modules before the change. Requirements that were missing before the change are ignored.
    before: &'a Modules,
    /// Whether steps that mend an error are looked for.
    proposes_steps: bool,
    provided: ByInterface,
    errors: Vec<String>,
}

/// The errors in the dependencies of a tenant's modules, in Okapi's wording.
pub(in crate::okapi) fn dependency_errors(modules: &Modules) -> Vec<String> {
    let given = BTreeSet::new();
    let before = Modules::new();
    let mut check = Check::new(modules, modules, (&given, &before), false);
    check.run(modules);
    check.errors
}

/// Applies the next step that is needed and returns `None`. If no step is needed, or none helps, returns the errors that remain.
pub(super) fn next_step(
    available: &Modules,
    then: &mut Modules,
    plan: &mut Vec<TenantModule>,
    given: &mut BTreeSet<String>,
    before: &Modules,
) -> Option<Vec<String>> {
    let mut check = Check::new(available, then, (given, before), true);
    let step = check.run(then);
    let errors = check.errors;
    match step {
        None => return Some(errors),
        Some(Step::Disable(id)) => {
            then.remove(&id);
            plan.push(TenantModule::new(&id, None, Action::Disable));
        }
        Some(Step::Enable { id, from, stays }) => {
            if let Some(from) = &from {
                then.remove(from);
            }
            then.insert(id.clone(), Arc::clone(&available[&id]));
            if stays {
                given.insert(id.clone());
            }
            // If the module replaces another product, that product is disabled and this module is enabled in a step of its own.
            let from = match from {
                Some(from) if product(&from) != product(&id) => {
                    plan.push(TenantModule::new(&from, None, Action::Disable));
                    None
                }
                from => from,
            };
            plan.push(TenantModule::new(&id, from.as_deref(), Action::Enable));
        }
    }
    None
}

/// Several products provide an interface, and the request names none of them.
struct Ambiguous;

fn by_interface<'a>(
    modules: &'a Modules,
    interfaces: impl Fn(&'a Arc<Descriptor>) -> Vec<&'a InterfaceDescriptor>,
) -> ByInterface {
    let mut found = ByInterface::new();
    for module in modules.values() {
        for interface in interfaces(module) {
            found.entry(interface.id.clone()).or_default().push((Arc::clone(module), interface.clone()));
        }
    }
    found
}

fn regular_interfaces(module: &Arc<Descriptor>) -> Vec<&InterfaceDescriptor> {
    module.provides().iter().filter(|interface| interface.is_regular()).collect()
}

fn join_ids(modules: &BTreeMap<&str, &Arc<Descriptor>>) -> String {
    modules.keys().copied().collect::<Vec<_>>().join(", ")
}

impl<'a> Check<'a> {
    fn new(
        available: &'a Modules,
        then: &Modules,
        (given, before): (&'a BTreeSet<String>, &'a Modules),
        mends: bool,
    ) -> Check<'a> {
        let provided = by_interface(then, regular_interfaces);
        Check { available, given, before, proposes_steps: mends, provided, errors: Vec::new() }
    }

    /// Whether the module's requirement was missing before the change already.
    fn lacked_before(&self, module: &Descriptor, needed: &InterfaceDescriptor) -> bool {
        self.before.contains_key(&module.id)
            && !self.before.values().any(|other| provides_interface(other, needed))
    }

    fn run(&mut self, then: &Modules) -> Option<Step> {
        let required = by_interface(then, |module| module.requires().iter().collect());
        let wanted = by_interface(then, |module| module.requires().iter().chain(module.optional()).collect());
        self.resolve_duplicates()
            .or_else(|| self.resolve_missing(&required))
            .or_else(|| self.resolve_incompatible(&wanted))
    }

    fn resolve_duplicates(&mut self) -> Option<Step> {
        for (interface, providers) in self.provided.iter().filter(|(_, providers)| providers.len() > 1) {
            let other =
                providers.iter().find(|(module, _)| self.proposes_steps && !self.given.contains(&module.id));
            if let Some((module, _)) = other {
                return Some(Step::Disable(module.id.clone()));
            }
            let names: Vec<&str> = providers.iter().map(|(module, _)| module.id.as_str()).collect();
            let names = names.join(", ");
            self.errors.push(format!("Multiple modules {names} provide interface {interface}"));
        }
        None
    }

    fn resolve_missing(&mut self, required: &ByInterface) -> Option<Step> {
        for (interface, requirers) in required {
            if self.provided.contains_key(interface) {
                continue;
            }
            for (module, needed) in requirers {
                if self.lacked_before(module, needed) {
                    continue;
                }
                if self.proposes_steps {
                    let Ok(found) = self.find_provider(module, needed) else { return None };
                    if let Some(found) = found {
                        return Some(match self.given.contains(&module.id) {
                            true => Step::Enable { id: found.id.clone(), from: None, stays: true },
                            false => Step::Disable(module.id.clone()),
                        });
                    }
                }
                let message = format!("interface {interface} required by module {} not found", module.id);
                self.errors.push(message);
            }
        }
        None
    }

    fn resolve_incompatible(&mut self, wanted: &ByInterface) -> Option<Step> {
        for (interface, requirers) in wanted {
            let Some((provider, own)) = self.provided.get(interface).and_then(|list| list.first()).cloned()
            else {
                continue;
            };
            for (module, needed) in requirers.iter().filter(|(_, needed)| !own.satisfies(needed)) {
                if self.lacked_before(module, needed) {
                    continue;
                }
                if self.proposes_steps && !self.given.contains(&provider.id) {
                    let Ok(found) = self.find_provider(module, needed) else { return None };
                    if let Some(found) = found {
                        let from = Some(provider.id.clone());
                        return Some(Step::Enable { id: found.id.clone(), from, stays: true });
                    }
                }
                if self.proposes_steps && !self.given.contains(&module.id) {
                    let fitting = self.newest_fitting(|other| {
                        other.requires().iter().chain(other.optional()).any(|needed| own.satisfies(needed))
                    });
                    return Some(match fitting.get(module.product()) {
                        Some(found) => {
                            Step::Enable { id: found.id.clone(), from: Some(module.id.clone()), stays: true }
                        }
                        None => Step::Disable(module.id.clone()),
                    });
                }
                self.errors.push(format!(
                    "Incompatible version for module {} interface {interface}. Need {}. Have {}/{}",
                    module.id, needed.version, own.version, provider.id
                ));
            }
        }
        None
    }

    /// The newest module that provides an interface. If several products provide it, that is recorded as an error.
    fn find_provider(
        &mut self,
        module: &Descriptor,
        needed: &InterfaceDescriptor,
    ) -> Result<Option<&'a Arc<Descriptor>>, Ambiguous> {
        let found = self.newest_fitting(|module| provides_interface(module, needed));
        if found.len() > 1 {
            self.errors.push(format!(
                "interface {} required by module {} is provided by multiple products: {}",
                needed.id,
                module.id,
                join_ids(&found)
            ));
            return Err(Ambiguous);
        }
        Ok(found.into_values().next())
    }

    /// The newest fitting module of each product, without products that one of the fitting modules replaces.
    fn newest_fitting(
        &self,
        fits: impl Fn(&Arc<Descriptor>) -> bool,
    ) -> BTreeMap<&'a str, &'a Arc<Descriptor>> {
        let available = self.available;
        let mut found: BTreeMap<&str, &Arc<Descriptor>> = BTreeMap::new();
        let mut replaced = BTreeSet::new();
        for module in available.values().filter(|module| fits(module)) {
            replaced.extend(module.replaces.iter().flatten().map(String::as_str));
            let newest = found.entry(module.product()).or_insert(module);
            if compare_ids(&module.id, &newest.id).is_gt() {
                *newest = module;
            }
        }
        found.retain(|product, _| !replaced.contains(product));
        found
    }
}

fn provides_interface(module: &Descriptor, needed: &InterfaceDescriptor) -> bool {
    module.provides().iter().any(|interface| interface.is_regular() && interface.satisfies(needed))
}
