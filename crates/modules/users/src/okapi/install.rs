//! Enabling and disabling modules for a tenant, with their dependencies, reference and sample records, and permissions.

use std::collections::BTreeSet;
use std::sync::Arc;

use octavo_engine::{Context, Request, Response, Tenant};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::facts::{FACTS, ModuleFacts};
use octavo_modules_base::timers::timers;
use serde::Deserialize;
use serde_json::{Value, json};

use super::posted::{Posted, rank, split};
use super::{descriptors, list, object, seed, user_interfaces};
use crate::permissions::{register, retire};

#[derive(Debug, Deserialize)]
struct Wanted {
    id: String,
    #[serde(default)]
    action: Option<String>,
}

#[derive(Debug, Default, Clone, Copy)]
pub struct Parameters {
    pub load_reference: bool,
    pub load_sample: bool,
}

impl Parameters {
    fn read(text: &str) -> Parameters {
        let on = |name: &str| text.split(',').any(|pair| pair.trim() == format!("{name}=true"));
        Parameters { load_reference: on("loadReference"), load_sample: on("loadSample") }
    }
}

pub(super) async fn install(request: Request) -> Outcome<Response> {
    let tenant = descriptors::tenant(&request).await?;
    let wanted: Vec<Wanted> = list(&request)?.into_iter().map(object).collect::<Outcome<_>>()?;
    let parameters = Parameters::read(request.query("tenantParameters").unwrap_or_default());
    let posted = user_interfaces::all(&request.context.platform).await?;
    let offer = Offer { tenant: &tenant, user_interfaces: user_interfaces::facts(&posted) };
    let plan = plan(&offer, &wanted, checks(&request))?;
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
    Ok(Response::json(200, &plan.iter().map(|step| step.told(&tenant)).collect()))
}

/// Enables one module, whose dependencies must be enabled.
pub(super) async fn enable_one(request: Request) -> Outcome<Response> {
    let tenant = descriptors::tenant(&request).await?;
    let wanted: Wanted = object(request.json()?)?;
    let posted = user_interfaces::all(&request.context.platform).await?;
    let offer = Offer { tenant: &tenant, user_interfaces: user_interfaces::facts(&posted) };
    let module = offer.find(&wanted.id)?;
    let missing = module.missing(&|name| tenant.has(name) || name == module.name);
    if let Some(missing) = missing.filter(|_| checks(&request)) {
        return Err(Fault::bad_request(missing));
    }
    enable(&within(&request.context, &tenant), module, Parameters::default()).await?;
    let location = format!("{}/{}", request.path, module.id());
    Ok(Response::json(201, &json!({"id": module.id()})).with("location", location))
}

pub(super) async fn disable_one(request: Request) -> Outcome<Response> {
    let tenant = descriptors::tenant(&request).await?;
    let id = request.parameter(1);
    let posted = user_interfaces::of_tenant(&request.context.platform, &tenant).await?;
    let posted = user_interfaces::facts(&posted);
    let enabled = posted.iter().find(|module| module.id() == id);
    let module = enabled.or_else(|| FACTS.module(id).filter(|module| tenant.has(module.name)));
    let module = module.ok_or_else(|| Fault::missing(id))?;
    disable(&within(&request.context, &tenant), module, request.truth("purge")).await?;
    Ok(Response::no_content())
}

/// Enables a user interface by its descriptor, which is kept.
pub async fn enable_user_interface(context: &Context, descriptor: Value) -> Outcome<()> {
    let posted = Posted::read(descriptor)?;
    user_interfaces::keep(&context.platform, std::slice::from_ref(&posted)).await?;
    enable(context, &posted.facts(), Parameters::default()).await
}

fn checks(request: &Request) -> bool {
    request.query("depCheck") != Some("false")
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

struct Step<'a> {
    module: &'a ModuleFacts<'a>,
    action: Action,
}

impl Step<'_> {
    fn told(&self, tenant: &Tenant) -> Value {
        let id = self.module.id();
        let before = enabled_version(tenant, self.module).filter(|before| *before != id);
        match before.filter(|_| self.action == Action::Enable) {
            Some(before) => json!({"id": id, "from": before, "action": self.action.as_str()}),
            None => json!({"id": id, "action": self.action.as_str()}),
        }
    }
}

/// The id of the version of a user interface that a tenant has.
fn enabled_version<'a>(tenant: &'a Tenant, module: &ModuleFacts<'_>) -> Option<&'a str> {
    let version_of = |id: &&String| split(id).is_some_and(|(product, _)| product == module.name);
    tenant.modules.iter().find(version_of).map(String::as_str)
}

/// The modules that a tenant can enable.
struct Offer<'a> {
    tenant: &'a Tenant,
    user_interfaces: Vec<ModuleFacts<'a>>,
}

impl Offer<'_> {
    /// Finds a module by its id, or by its name alone, which means its newest version.
    fn find(&self, id: &str) -> Outcome<&ModuleFacts<'_>> {
        let named = self.user_interfaces.iter().filter(|module| module.name == id || module.id() == id);
        let newest = named.max_by(|a, b| rank(a.version).cmp(&rank(b.version)));
        newest
            .or_else(|| FACTS.module(id))
            .ok_or_else(|| Fault::bad_request(format!("Module {id} not found")))
    }

    /// The same, but the version that the tenant has comes first.
    fn find_enabled(&self, id: &str) -> Outcome<&ModuleFacts<'_>> {
        let mut enabled = self.user_interfaces.iter().filter(|module| module.is_enabled(self.tenant));
        enabled.find(|module| module.name == id).map_or_else(|| self.find(id), Ok)
    }
}

/// The necessary changes; dependencies come before the modules that need them.
fn plan<'a>(offer: &'a Offer<'_>, wanted: &[Wanted], check: bool) -> Outcome<Vec<Step<'a>>> {
    let tenant = offer.tenant;
    let mut plan = Vec::new();
    let mut planned = BTreeSet::new();
    let mut disabled = Vec::new();
    for one in wanted {
        let module = offer.find(&one.id)?;
        match one.action.as_deref() {
            Some("disable") => disabled.push(offer.find_enabled(&one.id)?),
            Some("enable" | "uptodate" | "suggest") => {
                if module.is_enabled(tenant) {
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

fn with_dependencies<'a>(
    tenant: &Tenant,
    module: &'a ModuleFacts<'a>,
    check: bool,
    planned: &mut BTreeSet<&'a str>,
    plan: &mut Vec<Step<'a>>,
) -> Outcome<()> {
    if module.is_enabled(tenant) || !planned.insert(module.name) {
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
                None => return Err(Fault::bad_request(module.missing(&|_| true).unwrap_or_default())),
            }
        }
    }
    plan.push(Step { module, action: Action::Enable });
    Ok(())
}

/// Modules in the order of their removal: those that need others come first.
fn in_order_of_removal<'a>(mut modules: Vec<&'a ModuleFacts<'a>>) -> Vec<&'a ModuleFacts<'a>> {
    let needs = |module: &ModuleFacts<'_>, other: &ModuleFacts<'_>| {
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
pub async fn enable(context: &Context, module: &ModuleFacts<'_>, parameters: Parameters) -> Outcome<()> {
    let platform = &context.platform;
    let id = &context.tenant.id;
    // Others may have been enabled since the request came.
    let current = Context { tenant: platform.tenants.get(id.as_str()).await?, ..context.clone() };
    let others = user_interfaces::of_tenant(platform, &current.tenant).await?;
    let others = user_interfaces::facts(&others);
    if module.posted.is_some() {
        register(&current, module, &others).await?;
        return platform.tenants.enable_user_interface(id, module.name, &module.id()).await;
    }
    seed::reference_records(context, module.name, parameters.load_reference).await?;
    if parameters.load_sample {
        seed::sample_records(context, module.name).await?;
    }
    let declared = platform.modules.iter().find(|declared| declared.name == module.name);
    if let Some(enabled) = declared.and_then(|declared| declared.enabled) {
        enabled(context.clone()).await?;
    }
    register(&current, module, &others).await?;
    platform.tenants.enable(id, module.name, true).await?;
    let timers = timers(platform.modules);
    let built = timers.iter().filter(|timer| timer.module == module.name && timer.answer.is_some());
    let built: Vec<_> = built.map(|timer| (timer.module, timer.id.clone(), timer.schedule.clone())).collect();
    platform.timers.start(Some(id), &built).await
}

async fn disable(context: &Context, module: &ModuleFacts<'_>, purge: bool) -> Outcome<()> {
    let platform = &context.platform;
    let tenant = &context.tenant.id;
    match module.posted {
        Some(_) => platform.tenants.disable_user_interface(tenant, module.name).await?,
        None => {
            platform.tenants.enable(tenant, module.name, false).await?;
            platform.timers.stop(tenant, module.name).await?;
        }
    }
    retire(context, module).await?;
    if purge {
        let declared = platform.modules.iter().find(|declared| declared.name == module.name);
        let tables = declared.map(|declared| declared.tables()).unwrap_or_default();
        platform.tenants.purge(tenant, &tables).await?;
    }
    platform.changed(&format!("{tenant} tenant"));
    Ok(())
}
