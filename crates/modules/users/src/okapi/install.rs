//! Modules of a tenant: installed, upgraded, enabled and disabled (Okapi 5.3.0).

use std::sync::Arc;

use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::descriptor::{Descriptor, Kind, ModuleId, find_built_in, latest};
use octavo_modules_base::facts::ModuleFacts;
use serde_json::{Value, json};

use super::catalogue::{self, Modules};
use super::exchange::{context_for_tenant, exchange_module, refuse_foundation_replacement};
use super::jobs::Job;
use super::parameters::Options;
use super::resolution::{Action, TenantModule, dependency_errors, not_found_message, product, resolve};
use super::{body_list, descriptors, parse_object};

/// Which records a built-in module gets when it is enabled.
#[derive(Debug, Default, Clone, Copy)]
pub struct Parameters {
    pub load_reference: bool,
    pub load_sample: bool,
}

/// Enables a module that is built in.
pub async fn enable(context: &Context, module: &ModuleFacts<'_>, parameters: Parameters) -> Outcome<()> {
    let module =
        find_built_in(module.name).ok_or_else(|| Fault::bad_request(not_found_message(module.name)))?;
    let pairs = [("loadReference", parameters.load_reference), ("loadSample", parameters.load_sample)];
    let on = pairs.iter().filter(|(_, on)| *on).map(|(name, _)| format!("{name}=true"));
    let options = Options { parameters: Some(on.collect::<Vec<_>>().join(",")), ..Options::default() };
    exchange_module(context, None, Some(module), &options).await
}

/// Enables a user interface by its descriptor, which is kept.
pub async fn enable_user_interface(context: &Context, descriptor: Value) -> Outcome<()> {
    let posted = Arc::new(super::modules::parse_posted(descriptor)?);
    catalogue::insert_descriptors(&context.platform, std::slice::from_ref(&*posted)).await?;
    exchange_module(context, None, Some(&posted), &Options::default()).await
}

pub(super) async fn install(request: Request) -> Outcome<Response> {
    let wanted: Vec<TenantModule> =
        body_list(&request)?.into_iter().map(parse_object).collect::<Outcome<_>>()?;
    if let Some(one) = wanted.iter().find(|one| one.action.is_none()) {
        return Err(Fault::bad_request(format!("Missing action for id {}", one.id)));
    }
    run_installation(&request, Some(wanted)).await
}

/// Replaces all modules of the tenant by their newest versions.
pub(super) async fn upgrade(request: Request) -> Outcome<Response> {
    if !request.body.is_empty() {
        return Err(Fault::text(500, "/_/proxy/tenants/{tenant_id}/upgrade does not take a request body"));
    }
    run_installation(&request, None).await
}

async fn run_installation(request: &Request, wanted: Option<Vec<TenantModule>>) -> Outcome<Response> {
    let options = Options::read(request)?;
    let tenant = descriptors::tenant(request).await?;
    let context = context_for_tenant(&request.context, &tenant);
    let mut available = catalogue::all(&context.platform).await?;
    available.retain(|id, _| options.versions.include(id));
    let enabled: Modules = available
        .iter()
        .filter(|(_, module)| catalogue::is_enabled(&tenant, module))
        .map(|(id, module)| (id.clone(), Arc::clone(module)))
        .collect();
    let wanted = wanted.unwrap_or_else(|| plan_upgrades(&available, &enabled));
    let plan = resolve(&available, &enabled, wanted, options.check, options.reinstall)?;
    if options.simulate {
        return Ok(Response::json(200, &json!(plan)));
    }
    check_plan(&context, &available, &plan, &options).await?;
    let job = Job::new(&context, plan);
    job.insert(&context.platform, &tenant).await?;
    if !options.in_background {
        let done = job.run(context, available, options).await?;
        return Ok(Response::json(200, &json!(done.reported_modules())));
    }
    let told = json!(job.reported_modules());
    let location = format!("/_/proxy/tenants/{}/install/{}", tenant.id, job.id);
    tokio::spawn(octavo_engine::outbox::catch_panics(job.run(context, available, options)));
    Ok(Response::json(201, &told).with_header("location", location))
}

fn plan_upgrades(available: &Modules, enabled: &Modules) -> Vec<TenantModule> {
    let newest = |id: &str| latest(id, available.keys().map(String::as_str)).to_owned();
    let newer = enabled.keys().map(|id| (id, newest(id))).filter(|(id, newest)| *id != newest);
    newer.map(|(id, newest)| TenantModule::new(&newest, Some(id), Action::Enable)).collect()
}

/// Refuses a plan of which a part cannot be done, before anything is changed.
async fn check_plan(
    context: &Context,
    available: &Modules,
    plan: &[TenantModule],
    options: &Options,
) -> Outcome<()> {
    let enabled = plan.iter().filter(|one| one.action == Some(Action::Enable));
    for module in enabled.filter_map(|one| available.get(&one.id)) {
        refuse_foundation_replacement(module)?;
        let starts = options.deploy && module.kind() == Kind::Outside;
        if starts && context.platform.discovery.addresses(&module.id).await?.in_turn().next().is_none() {
            return Err(no_processes_fault(&module.id));
        }
    }
    Ok(())
}

/// 501 for requests that would start a process.
pub(super) fn no_processes_fault(module: &str) -> Fault {
    Fault::text(
        501,
        format!(
            "Octavo starts no processes. Start {module} yourself, and post its address to /_/discovery/modules"
        ),
    )
}

/// Enables one module, whose dependencies must be enabled.
pub(super) async fn enable_one(request: Request) -> Outcome<Response> {
    let options = Options::read(&request)?;
    let wanted: TenantModule = parse_object(request.json()?)?;
    let id = change(&request, &options, None, Some(&wanted.id)).await?;
    let location = format!("{}/{id}", request.path);
    Ok(Response::json(201, &json!(TenantModule { id, ..wanted })).with_header("location", location))
}

/// Replaces a module by another one, mostly by another version of it.
pub(super) async fn upgrade_one(request: Request) -> Outcome<Response> {
    let options = Options::read(&request)?;
    let wanted: TenantModule = parse_object(request.json()?)?;
    let id = change(&request, &options, Some(request.path_parameter(1)), Some(&wanted.id)).await?;
    let location = format!("/_/proxy/tenants/{}/modules/{id}", request.path_parameter(0));
    Ok(Response::json(201, &json!(TenantModule { id, ..wanted })).with_header("location", location))
}

pub(super) async fn disable_one(request: Request) -> Outcome<Response> {
    let options = Options::read(&request)?;
    change(&request, &options, Some(request.path_parameter(1)), None).await?;
    Ok(Response::no_content())
}

/// Disables all modules, those that need others first.
pub(super) async fn disable_all(request: Request) -> Outcome<Response> {
    let options = Options::read(&request)?;
    let tenant = descriptors::tenant(&request).await?;
    let enabled = catalogue::of_tenant(&request.context.platform, &tenant).await?;
    let all = enabled.keys().map(|id| TenantModule::new(id, None, Action::Disable)).collect();
    let sorted = resolve(&enabled, &enabled, all, true, false)?;
    for one in &sorted {
        let context = context_for_tenant(
            &request.context,
            &request.context.platform.tenants.get(tenant.id.as_str()).await?,
        );
        exchange_module(&context, enabled.get(&one.id), None, &options).await?;
    }
    Ok(Response::no_content())
}

/// Changes one module of a tenant. Returns the id of the module that it then has.
async fn change(
    request: &Request,
    options: &Options,
    from: Option<&str>,
    to: Option<&str>,
) -> Outcome<String> {
    let tenant = descriptors::tenant(request).await?;
    let context = context_for_tenant(&request.context, &tenant);
    let available = catalogue::all(&context.platform).await?;
    let find = |id: &str| {
        let id = match ModuleId::split(id) {
            Some(_) => id,
            None => latest(id, available.keys().map(String::as_str)),
        };
        available.get(id).ok_or_else(|| Fault::not_found_with(id))
    };
    let from = from.map(find).transpose()?.filter(|from| catalogue::is_enabled(&tenant, from));
    if let (None, Some(from), None) = (&from, request.parameters.get(1), to) {
        return Err(Fault::not_found_with(from));
    }
    let to = to.map(find).transpose()?;
    let before = from.or_else(|| {
        // A tenant has one module of a product.
        let to = to?;
        let same = |module: &&Arc<Descriptor>| module.id != to.id && product(&module.id) == to.product();
        available.values().filter(same).find(|module| catalogue::is_enabled(&tenant, module))
    });
    if options.check {
        check_dependencies(&catalogue::of_tenant(&context.platform, &tenant).await?, before, to)?;
    }
    match (before, to) {
        // Two different products are changed one after the other, each by a call of its own.
        (Some(from), Some(to)) if from.product() != to.product() => {
            exchange_module(&context, None, Some(to), options).await?;
            let then = context_for_tenant(&context, &context.platform.tenants.get(tenant.id.as_str()).await?);
            exchange_module(&then, Some(from), None, options).await?;
        }
        _ => exchange_module(&context, before, to, options).await?,
    }
    Ok(to.map(|to| to.id.clone()).unwrap_or_default())
}

/// Refuses a change that would add errors in the dependencies of the tenant's modules.
fn check_dependencies(
    enabled: &Modules,
    from: Option<&Arc<Descriptor>>,
    to: Option<&Arc<Descriptor>>,
) -> Outcome<()> {
    let mut then = enabled.clone();
    if let Some(from) = from {
        then.remove(&from.id);
    }
    if let Some(to) = to {
        if then.contains_key(&to.id) {
            return Err(Fault::bad_request(format!("Module {} already provided", to.id)));
        }
        then.insert(to.id.clone(), Arc::clone(to));
    }
    let before = dependency_errors(enabled);
    let errors: Vec<String> =
        dependency_errors(&then).into_iter().filter(|one| !before.contains(one)).collect();
    match errors.is_empty() {
        true => Ok(()),
        false => Err(Fault::bad_request(errors.join(". "))),
    }
}
