//! What the modules publish and heed that are built in, as FOLIO's modules declare it (`folio/pubsub.tsv`).

use std::collections::BTreeMap;

use octavo_engine::Tenant;
use octavo_modules_base::descriptor::ModuleId;
use octavo_modules_base::facts::FACTS;

use super::role::Role;

/// That a module publishes events of a type, or heeds them.
#[derive(Debug, Clone)]
pub(super) struct Declared {
    /// With its version.
    pub(super) module: String,
    pub(super) role: Role,
    pub(super) event_type: &'static str,
    pub(super) callback: &'static str,
}

/// A module's name, its role, an event type, the address at which it heeds them.
fn rows() -> impl Iterator<Item = [&'static str; 4]> {
    include_str!("../../../folio/pubsub.tsv").lines().skip(1).map(|line| {
        let mut columns = line.split('\t');
        [(); 4].map(|()| columns.next().unwrap_or_default())
    })
}

/// What the modules of a tenant declare.
pub(super) fn of(tenant: &Tenant) -> impl Iterator<Item = Declared> {
    rows().filter(|row| tenant.has(row[0])).filter_map(|[module, role, event_type, callback]| {
        let module = FACTS.modules.get(module)?.id();
        Some(Declared { module, role: Role::read(role)?, event_type, callback })
    })
}

/// The types of these events, each with the module that publishes it.
pub(super) fn publishers(tenant: &Tenant) -> BTreeMap<&'static str, String> {
    let mut found = BTreeMap::new();
    for declared in of(tenant).filter(|declared| declared.role == Role::Publisher) {
        found.entry(declared.event_type).or_insert(declared.module);
    }
    found
}

/// The product in a module's id: `mod-users` of `mod-users-19.3.1`.
pub(super) fn product(module: &str) -> &str {
    ModuleId::split(module).map_or(module, |(product, _)| product)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_name_modules_and_their_routes() {
        let mut count = 0;
        for [module, role, event_type, callback] in rows() {
            let facts = &FACTS.modules[module];
            let routes = facts.provides.iter().flat_map(|interface| &interface.routes);
            match Role::read(role).unwrap() {
                Role::Publisher => assert_eq!(callback, ""),
                Role::Subscriber => assert_eq!(routes.filter(|route| route.path == callback).count(), 1),
            }
            assert!(!event_type.is_empty());
            count += 1;
        }
        assert_eq!(count, 31);
    }
}
