//! The descriptors of the modules that are built in, made from the facts.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use octavo_engine::Schedule;

use super::{CronEntry, Descriptor, InterfaceDescriptor, PermissionSet, RoutingEntry};
use crate::facts::{FACTS, Interface, ModuleFacts, Permission, Route};

static BUILT_IN: LazyLock<BTreeMap<&'static str, Arc<Descriptor>>> = LazyLock::new(|| {
    FACTS.modules.iter().map(|(name, module)| (*name, Arc::new(descriptor(module)))).collect()
});

pub fn built_in() -> impl Iterator<Item = &'static Arc<Descriptor>> {
    BUILT_IN.values()
}

/// The module of this product that is built in.
pub fn find_built_in(product: &str) -> Option<&'static Arc<Descriptor>> {
    BUILT_IN.get(product)
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

fn descriptor(module: &ModuleFacts<'_>) -> Descriptor {
    let needs = |optional: bool| {
        let wanted = module.requires.iter().filter(|requirement| requirement.optional == optional);
        let needed = |id: &str, version: &str| InterfaceDescriptor {
            id: id.to_owned(),
            version: version.to_owned(),
            ..InterfaceDescriptor::default()
        };
        wanted.map(|wanted| needed(wanted.interface, wanted.versions)).collect::<Vec<_>>()
    };
    // The facts write a filter of requests as an interface.
    let provided = module.provides.iter().filter(|interface| !interface.kind.starts_with("filter"));
    Descriptor {
        id: module.id(),
        name: Some(module.title.to_owned()),
        tags: None,
        requires: Some(needs(false)),
        provides: Some(provided.map(interface).collect()),
        optional: Some(needs(true)),
        filters: None,
        permission_sets: Some(module.permissions.iter().map(permission_set).collect()),
        env: None,
        metadata: None,
        ui_descriptor: None,
        launch_descriptor: None,
        replaces: None,
    }
}

fn interface(interface: &Interface) -> InterfaceDescriptor {
    InterfaceDescriptor {
        id: interface.id.to_owned(),
        version: interface.version.to_owned(),
        interface_type: (!interface.kind.is_empty()).then(|| interface.kind.to_owned()),
        handlers: Some(interface.routes.iter().map(route).collect()),
        scope: None,
    }
}

fn route(route: &Route) -> RoutingEntry {
    let mut entry = RoutingEntry {
        methods: Some(route.methods.iter().map(|method| method.as_str().to_owned()).collect()),
        path_pattern: Some(route.path.to_owned()),
        permissions_required: Some(texts(&route.required)),
        permissions_desired: (!route.desired.is_empty()).then(|| texts(&route.desired)),
        ..RoutingEntry::default()
    };
    match Schedule::parse(route.schedule) {
        Some(Schedule::Every { delay, unit }) => {
            entry.unit = Some(unit.name().to_owned());
            entry.delay = Some(delay.to_string());
        }
        Some(Schedule::Cron { line, zone }) => {
            entry.schedule = Some(CronEntry { cron: line, zone: Some(zone) });
        }
        None => {}
    }
    entry
}

/// In the form in which `_tenantPermissions` sends it to mod-permissions.
fn permission_set(permission: &Permission<'_>) -> PermissionSet {
    let list = |names: &[&str]| (!names.is_empty()).then(|| texts(names));
    PermissionSet {
        permission_name: permission.name.to_owned(),
        replaces: list(&permission.replaces),
        display_name: Some(permission.display_name.to_owned()),
        description: None,
        sub_permissions: list(&permission.sub_permissions),
        visible: Some(permission.visible),
    }
}
