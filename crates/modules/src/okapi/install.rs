//! Enabling and disabling modules for a tenant, with their dependencies, reference records and permissions.

use std::collections::BTreeSet;
use std::sync::Arc;

use octavo_engine::{Context, Request, Response, Tenant};
use octavo_kernel::{Fault, Outcome};
use serde::Deserialize;
use serde_json::{Value, json};

use super::timers::timers;
use super::{descriptors, seed};
use crate::facts::{FACTS, ModuleFacts};

#[derive(Debug, Deserialize)]
struct Wanted {
    id: String,
    #[serde(default)]
    action: Option<String>,
}

/// `tenantParameters`
#[derive(Debug, Default, Clone, Copy)]
pub struct Parameters {
    pub load_reference: bool,
}

impl Parameters {
    fn read(text: &str) -> Parameters {
        let on = |name: &str| text.split(',').any(|pair| pair.trim() == format!("{name}=true"));
        Parameters { load_reference: on("loadReference") }
    }
}

/// `POST /_/proxy/tenants/{t}/install`
pub(super) async fn install(request: Request) -> Outcome<Response> {
    let tenant = descriptors::tenant(&request).await?;
    let wanted: Vec<Wanted> =
        serde_json::from_slice(&request.body).map_err(|error| Fault::bad_request(error.to_string()))?;
    let parameters = Parameters::read(request.query("tenantParameters").unwrap_or_default());
    let check = request.query("depCheck") != Some("false");
    let plan = plan(&tenant, &wanted, check)?;
    if !request.truth("simulate") {
        for step in &plan {
            let context = within(&request.context, &tenant);
            match step.action {
                Action::Enable => enable(&context, step.module, parameters).await?,
                Action::Disable => disable(&context, step.module, request.truth("purge")).await?,
                Action::UpToDate => {}
            }
        }
    }
    let told: Vec<Value> =
        plan.iter().map(|s| json!({"id": s.module.id(), "action": s.action.as_str()})).collect();
    Ok(Response::json(200, &Value::Array(told)))
}

/// `POST /_/proxy/tenants/{t}/modules`: one module, its dependencies must be there.
pub(super) async fn enable_one(request: Request) -> Outcome<Response> {
    let tenant = descriptors::tenant(&request).await?;
    let wanted: Wanted =
        serde_json::from_slice(&request.body).map_err(|e| Fault::bad_request(e.to_string()))?;
    let module = find(&wanted.id)?;
    if let Some(missing) = missing(module, &|name| tenant.has(name) || name == module.name) {
        return Err(Fault::bad_request(missing));
    }
    enable(&within(&request.context, &tenant), module, Parameters::default()).await?;
    let location = format!("{}/{}", request.path, module.id());
    Ok(Response::json(201, &json!({"id": module.id()})).with("location", location))
}

pub(super) async fn disable_one(request: Request) -> Outcome<Response> {
    let tenant = descriptors::tenant(&request).await?;
    let id = request.parameter(1);
    let module =
        FACTS.module(id).filter(|module| tenant.has(module.name)).ok_or_else(|| Fault::text(404, id))?;
    disable(&within(&request.context, &tenant), module, request.truth("purge")).await?;
    Ok(Response::no_content())
}

fn within(context: &Context, tenant: &Arc<Tenant>) -> Context {
    Context { tenant: Arc::clone(tenant), ..context.clone() }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Enable,
    Disable,
    UpToDate,
}

impl Action {
    fn as_str(self) -> &'static str {
        match self {
            Action::Enable => "enable",
            Action::Disable => "disable",
            Action::UpToDate => "uptodate",
        }
    }
}

struct Step {
    module: &'static ModuleFacts,
    action: Action,
}

/// What has to be done, dependencies before those that need them.
fn plan(tenant: &Tenant, wanted: &[Wanted], check: bool) -> Outcome<Vec<Step>> {
    let mut plan = Vec::new();
    let mut planned = BTreeSet::new();
    let mut disabled = Vec::new();
    for one in wanted {
        let module = find(&one.id)?;
        match one.action.as_deref() {
            Some("disable") => disabled.push(module),
            Some("enable" | "uptodate" | "suggest") => {
                if tenant.has(module.name) {
                    plan.push(Step { module, action: Action::UpToDate });
                } else {
                    with_dependencies(tenant, module, check, &mut planned, &mut plan)?;
                }
            }
            Some(other) => return Err(Fault::bad_request(format!("Not supported action {other}"))),
            None => return Err(Fault::bad_request(format!("Missing action for id {}", one.id))),
        }
    }
    plan.extend(
        in_order_of_removal(disabled).into_iter().map(|module| Step { module, action: Action::Disable }),
    );
    Ok(plan)
}

fn find(id: &str) -> Outcome<&'static ModuleFacts> {
    FACTS.module(id).ok_or_else(|| Fault::bad_request(format!("Module {id} not found")))
}

fn with_dependencies(
    tenant: &Tenant,
    module: &'static ModuleFacts,
    check: bool,
    planned: &mut BTreeSet<&'static str>,
    plan: &mut Vec<Step>,
) -> Outcome<()> {
    if tenant.has(module.name) || !planned.insert(module.name) {
        return Ok(());
    }
    if check {
        for requirement in module.requires.iter().filter(|requirement| !requirement.optional) {
            let mut providers = FACTS.providers(requirement.interface).peekable();
            let first = providers.peek().copied();
            let there =
                providers.any(|provider| tenant.has(provider.name) || planned.contains(provider.name));
            match first {
                Some(_) if there => {}
                Some(provider) => with_dependencies(tenant, provider, check, planned, plan)?,
                None => {
                    return Err(Fault::bad_request(format!(
                        "Missing dependency: {} requires {}: {}",
                        module.id(),
                        requirement.interface,
                        requirement.versions
                    )));
                }
            }
        }
    }
    plan.push(Step { module, action: Action::Enable });
    Ok(())
}

/// The first requirement that nothing enabled satisfies.
fn missing(module: &ModuleFacts, enabled: &dyn Fn(&str) -> bool) -> Option<String> {
    let lacking = |interface: &str| !FACTS.providers(interface).any(|provider| enabled(provider.name));
    let requirement = module.requires.iter().find(|r| !r.optional && lacking(r.interface))?;
    Some(format!(
        "Missing dependency: {} requires {}: {}",
        module.id(),
        requirement.interface,
        requirement.versions
    ))
}

/// Those that need others go first.
fn in_order_of_removal(mut modules: Vec<&'static ModuleFacts>) -> Vec<&'static ModuleFacts> {
    let needs = |module: &ModuleFacts, other: &ModuleFacts| {
        module.requires.iter().any(|r| other.provides.iter().any(|interface| interface.id == r.interface))
    };
    let mut ordered = Vec::with_capacity(modules.len());
    while !modules.is_empty() {
        let free = modules.iter().position(|module| {
            !modules.iter().any(|other| other.name != module.name && needs(other, module))
        });
        ordered.push(modules.remove(free.unwrap_or(0)));
    }
    ordered
}

/// Enables a module: the order is such that an interrupted call can be sent again.
pub async fn enable(context: &Context, module: &'static ModuleFacts, parameters: Parameters) -> Outcome<()> {
    seed::reference_records(context, module.name, parameters.load_reference).await?;
    let platform = &context.platform;
    let declared = platform.modules.iter().find(|declared| declared.name == module.name);
    if let Some(enabled) = declared.and_then(|declared| declared.enabled) {
        enabled(context.clone()).await?;
    }
    platform.tenants.enable(&context.tenant.id, module.name, true).await?;
    let built = timers().filter(|timer| timer.module == module.name && timer.answer.is_some());
    let built: Vec<_> = built.map(|timer| (timer.module, timer.id.clone(), timer.schedule.clone())).collect();
    platform.timers.start(Some(&context.tenant.id), &built).await?;
    let tenant = platform.tenants.get(context.tenant.id.as_str()).await?;
    crate::permissions::register(&Context { tenant, ..context.clone() }, module).await
}

async fn disable(context: &Context, module: &'static ModuleFacts, purge: bool) -> Outcome<()> {
    let platform = &context.platform;
    let tenant = &context.tenant.id;
    platform.tenants.enable(tenant, module.name, false).await?;
    platform.timers.stop(tenant, module.name).await?;
    crate::permissions::retire(context, module).await?;
    if purge {
        let declared = platform.modules.iter().find(|declared| declared.name == module.name);
        let tables = declared.map(|declared| declared.tables()).unwrap_or_default();
        platform.tenants.purge(tenant, &tables).await?;
    }
    platform.changed(&format!("{tenant} tenant"));
    Ok(())
}
