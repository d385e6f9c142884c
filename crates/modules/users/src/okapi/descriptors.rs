//! Module descriptors as Okapi shows them, made from the facts.

use octavo_engine::{Request, Response, Tenant};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::facts::{FACTS, Interface, ModuleFacts};
use serde_json::{Map, Value, json};
use std::sync::Arc;

use super::user_interfaces;

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let posted = user_interfaces::all(&request.context.platform).await?;
    let posted = user_interfaces::facts(&posted);
    shown(&request, FACTS.all().chain(&posted), |module| json!({"id": module.id(), "name": module.title}))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = request.parameter(0);
    if let Some(module) = FACTS.module(id).filter(|module| module.id() == id) {
        return Ok(Response::json(200, &descriptor(module)));
    }
    match user_interfaces::find(&request.context.platform, id).await? {
        Some(posted) => Ok(Response::json(200, &posted.document)),
        None => Err(Fault::missing(id)),
    }
}

pub(super) async fn of_tenant(request: Request) -> Outcome<Response> {
    let tenant = tenant(&request).await?;
    let posted = user_interfaces::of_tenant(&request.context.platform, &tenant).await?;
    let posted = user_interfaces::facts(&posted);
    let enabled = FACTS.all().filter(|module| tenant.has(module.name)).chain(&posted);
    shown(&request, enabled, |module| json!({"id": module.id()}))
}

pub(super) async fn one_of_tenant(request: Request) -> Outcome<Response> {
    let tenant = tenant(&request).await?;
    let id = request.parameter(1);
    let enabled = match FACTS.module(id) {
        Some(module) => module.id() == id && tenant.has(module.name),
        None => tenant.has(id),
    };
    match enabled {
        true => Ok(Response::json(200, &json!({"id": id}))),
        false => Err(Fault::missing(id)),
    }
}

pub(super) async fn interfaces(request: Request) -> Outcome<Response> {
    let tenant = tenant(&request).await?;
    let (full, kind) = (request.truth("full"), request.query("type"));
    let enabled = FACTS.modules.values().filter(|module| tenant.has(module.name));
    let provided = enabled.flat_map(|module| &module.provides).filter(|interface| {
        !interface.kind.starts_with("filter") && kind.is_none_or(|kind| kind == interface_type(interface))
    });
    let mut shown: Vec<Value> = Vec::new();
    for interface in provided {
        let value = if full {
            full_interface(interface)
        } else {
            json!({"id": interface.id, "version": interface.version})
        };
        if full || !shown.contains(&value) {
            shown.push(value);
        }
    }
    Ok(Response::json(200, &Value::Array(shown)))
}

pub(super) async fn providers(request: Request) -> Outcome<Response> {
    let tenant = tenant(&request).await?;
    let providers = FACTS.providers(request.parameter(1)).filter(|module| tenant.has(module.name));
    let ids: Vec<Value> = providers.map(|module| json!({"id": module.id()})).collect();
    Ok(Response::json(200, &Value::Array(ids)))
}

/// The tenant in the path; 404 with its id, as in Okapi.
pub(super) async fn tenant(request: &Request) -> Outcome<Arc<Tenant>> {
    let id = request.parameter(0);
    request.context.platform.tenants.get(id).await.map_err(|fault| match fault.status {
        400 => Fault::missing(id),
        _ => fault,
    })
}

/// Applies `filter`, `full`, `provide`, `orderBy`, `order`.
fn shown<'a>(
    request: &Request,
    modules: impl Iterator<Item = &'a ModuleFacts<'a>>,
    short: impl Fn(&ModuleFacts<'_>) -> Value,
) -> Outcome<Response> {
    let full = match request.query("full") {
        None | Some("false") => false,
        Some("true") => true,
        Some(other) => return Err(Fault::bad_request(format!("Bad boolean for parameter full: {other}"))),
    };
    if let Some(other) = request.query("orderBy").filter(|by| *by != "id") {
        return Err(Fault::bad_request(format!("unknown orderBy field: {other}")));
    }
    if let Some(other) = request.query("order").filter(|order| !["asc", "desc"].contains(order)) {
        return Err(Fault::bad_request(format!("invalid order value: {other}")));
    }
    let filter = request.query("filter");
    let provide = request.query("provide");
    let mut found: Vec<&ModuleFacts<'_>> = modules
        .filter(|module| filter.is_none_or(|filter| matches(module, filter)))
        .filter(|module| {
            provide.is_none_or(|wanted| module.provides.iter().any(|interface| interface.id == wanted))
        })
        .collect();
    found.sort_by_key(|module| module.id());
    if request.query("orderBy").is_some() && request.query("order") != Some("asc") {
        found.reverse();
    }
    let told = found.into_iter().map(|module| if full { descriptor(module) } else { short(module) });
    Ok(Response::json(200, &told.collect()))
}

/// A filter is a module id: the name must be equal, a version may be given in part.
fn matches(module: &ModuleFacts<'_>, filter: &str) -> bool {
    match filter.strip_prefix(module.name) {
        Some("") => true,
        Some(rest) => rest.strip_prefix('-').is_some_and(|version| module.version.starts_with(version)),
        None => false,
    }
}

/// The descriptor of a module, posted or made from the facts.
fn descriptor(module: &ModuleFacts<'_>) -> Value {
    if let Some(posted) = module.posted {
        return posted.clone();
    }
    let provides: Vec<Value> = module
        .provides
        .iter()
        .filter(|interface| !interface.kind.starts_with("filter"))
        .map(full_interface)
        .collect();
    let needs = |optional: bool| -> Vec<Value> {
        let wanted = module.requires.iter().filter(|requirement| requirement.optional == optional);
        wanted.map(|r| json!({"id": r.interface, "version": r.versions})).collect()
    };
    json!({
        "id": module.id(),
        "name": module.title,
        "provides": provides,
        "requires": needs(false),
        "optional": needs(true),
        "permissionSets": permission_sets(module),
    })
}

/// The permission sets of a module in the form in which `_tenantPermissions` sends them to mod-permissions.
fn permission_sets(module: &ModuleFacts<'_>) -> Vec<Value> {
    let set = |permission: &octavo_modules_base::facts::Permission<'_>| {
        let mut set = Map::new();
        set.insert("permissionName".into(), json!(permission.name));
        set.insert("displayName".into(), json!(permission.display_name));
        if !permission.sub_permissions.is_empty() {
            set.insert("subPermissions".into(), json!(permission.sub_permissions));
        }
        if !permission.replaces.is_empty() {
            set.insert("replaces".into(), json!(permission.replaces));
        }
        set.insert("visible".into(), json!(permission.visible));
        Value::Object(set)
    };
    module.permissions.iter().map(set).collect()
}

fn interface_type(interface: &Interface) -> &str {
    if interface.kind.is_empty() { "proxy" } else { interface.kind }
}

fn full_interface(interface: &Interface) -> Value {
    let handlers: Vec<Value> = interface
        .routes
        .iter()
        .map(|route| {
            let methods: Vec<&str> = route.methods.iter().map(|method| method.as_str()).collect();
            let mut handler = json!({
                "methods": methods,
                "pathPattern": route.path,
                "permissionsRequired": route.required,
            });
            if !route.desired.is_empty() {
                handler["permissionsDesired"] = json!(route.desired);
            }
            handler
        })
        .collect();
    let mut value = json!({"id": interface.id, "version": interface.version, "handlers": handlers});
    if !interface.kind.is_empty() {
        value["interfaceType"] = json!(interface.kind);
    }
    value
}
