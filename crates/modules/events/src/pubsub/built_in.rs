//! The events that built-in modules publish and subscribe to, as FOLIO's modules declare them (`folio/pubsub.tsv`).

use std::collections::BTreeMap;

use octavo_engine::Tenant;
use octavo_modules_base::descriptor::ModuleId;
use octavo_modules_base::facts::FACTS;

use super::role::Role;

/// A module's declaration that it publishes events of a type, or subscribes to them.
#[derive(Debug, Clone)]
pub(super) struct Declaration {
    /// The module's id with its version: `mod-users-19.3.1`.
    pub(super) module: String,
    pub(super) role: Role,
    pub(super) event_type: &'static str,
    pub(super) callback: &'static str,
}

/// The rows of `folio/pubsub.tsv`: the module's name, its role, the event type, and the path at which it receives the events.
fn declaration_rows() -> impl Iterator<Item = [&'static str; 4]> {
    include_str!("../../../folio/pubsub.tsv").lines().skip(1).map(|line| {
        let mut columns = line.split('\t');
        [(); 4].map(|()| columns.next().unwrap_or_default())
    })
}

/// The declarations of the built-in modules that a tenant has enabled.
pub(super) fn declarations_of_tenant(tenant: &Tenant) -> impl Iterator<Item = Declaration> {
    declaration_rows().filter(|row| tenant.has_module(row[0])).filter_map(
        |[module, role, event_type, callback]| {
            let module = FACTS.modules.get(module)?.id();
            Some(Declaration { module, role: Role::read(role)?, event_type, callback })
        },
    )
}

/// The event types that built-in modules publish, each with the id of a module that publishes it.
pub(super) fn publishers(tenant: &Tenant) -> BTreeMap<&'static str, String> {
    let mut found = BTreeMap::new();
    for declared in declarations_of_tenant(tenant).filter(|declared| declared.role == Role::Publisher) {
        found.entry(declared.event_type).or_insert(declared.module);
    }
    found
}

/// The module's name in its id: `mod-users` in `mod-users-19.3.1`.
pub(super) fn product_name(module: &str) -> &str {
    ModuleId::split(module).map_or(module, |(product, _)| product)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_name_modules_and_their_routes() {
        let mut count = 0;
        for [module, role, event_type, callback] in declaration_rows() {
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
