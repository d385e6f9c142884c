//! One step of an installation: a tenant gets a module, another version or another provider of it, or has it no longer. The order is
//! such that an interrupted step can be done again: permissions, what the module does for the tenant, and then the tenant's list.

use std::sync::Arc;

use octavo_engine::{Context, EnabledModule, Tenant};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::descriptor::{Descriptor, Kind, built_in, find_built_in};
use octavo_modules_base::timers;

use super::parameters::Options;
use super::tenant_interface::TenantChange;
use super::{catalogue, seed};
use crate::permissions::{deprecate_permissions, register_permissions};

/// The modules that the gateway's own checks need.
const FOUNDATIONS: [&str; 4] = ["mod-authtoken", "mod-login", "mod-permissions", "mod-users"];

/// Refuses a module outside of the process that would take the place of one of the modules in [`FOUNDATIONS`].
pub(super) fn refuse_foundation_replacement(module: &Descriptor) -> Outcome<()> {
    if module.kind() != Kind::Outside {
        return Ok(());
    }
    let takes_place = |other: &&Arc<Descriptor>| {
        let own = other.provides().iter().filter(|interface| interface.is_regular());
        let same =
            |id: &str| module.provides().iter().any(|interface| interface.is_regular() && interface.id == id);
        module.takes_the_place_of(other.product()) || own.into_iter().any(|interface| same(&interface.id))
    };
    let foundations = built_in().filter(|other| FOUNDATIONS.contains(&other.product()));
    match foundations.into_iter().find(takes_place) {
        None => Ok(()),
        Some(other) => Err(Fault::bad_request(format!(
            "{} cannot take the place of {}: log-in and permissions of Octavo stand on it",
            module.id, other.id
        ))),
    }
}

pub(super) fn context_for_tenant(context: &Context, tenant: &Arc<Tenant>) -> Context {
    Context { tenant: Arc::clone(tenant), ..context.clone() }
}

/// Does one step of an installation. `from` is a module that the tenant has, `to` the one that it gets. If both are given, they are of the
/// same product.
pub(super) async fn exchange_module(
    context: &Context,
    from: Option<&Arc<Descriptor>>,
    to: Option<&Arc<Descriptor>>,
    options: &Options,
) -> Outcome<()> {
    let platform = &context.platform;
    let id = &context.tenant.id;
    // Others may have been enabled since the request came.
    let current = context_for_tenant(context, &platform.tenants.get(id.as_str()).await?);
    let announces = find_built_in("mod-permissions").is_some_and(|module| options.invokes(&module.id));
    if let Some(to) = to {
        refuse_foundation_replacement(to)?;
        if announces && to.kind() == Kind::Outside {
            register_module_permissions(&current, to).await?;
        }
    }
    apply_module_change(&current, from, to, options).await?;
    if let Some(to) = to.filter(|to| announces && to.kind() != Kind::Outside) {
        register_module_permissions(&current, to).await?;
    }
    let before = from.filter(|from| to.is_none_or(|to| to.kind() != from.kind()));
    platform.tenants.replace_module(id, before.map(|from| enabled(from)), to.map(|to| enabled(to))).await?;
    if let Some(from) = from.filter(|from| to.is_none_or(|to| to.id != from.id)) {
        platform.timers.stop(id, from.product()).await?;
    }
    if let Some(to) = to {
        start_timers(context, to).await?;
    }
    match (from, to) {
        (Some(from), None) => {
            if announces {
                deprecate_permissions(&current, &from.facts()).await?;
            }
            if options.purge && from.kind() == Kind::BuiltIn {
                purge(context, from).await?;
            }
        }
        _ => return Ok(()),
    }
    platform.apply_notification(&format!("{id} tenant"));
    Ok(())
}

fn enabled(module: &Descriptor) -> EnabledModule<'_> {
    let (product, id) = (module.product(), module.id.as_str());
    match module.kind() {
        Kind::BuiltIn => EnabledModule::BuiltIn(product),
        Kind::UserInterface => EnabledModule::UserInterface { product, id },
        Kind::Outside => EnabledModule::Outside { product, id },
    }
}

async fn register_module_permissions(current: &Context, module: &Descriptor) -> Outcome<()> {
    let others = catalogue::of_tenant(&current.platform, &current.tenant).await?;
    let others: Vec<_> = others
        .values()
        .filter(|other| other.kind() != Kind::BuiltIn && other.product() != module.product())
        .map(|other| other.facts())
        .collect();
    register_permissions(current, &module.facts(), &others).await
}

/// Lets the module do its part of the change: a built-in module loads its records, a module outside is called at its `_tenant` interface.
async fn apply_module_change(
    context: &Context,
    from: Option<&Arc<Descriptor>>,
    to: Option<&Arc<Descriptor>>,
    options: &Options,
) -> Outcome<()> {
    let Some(module) = to.or(from) else { return Ok(()) };
    if !options.invokes(&module.id) {
        return Ok(());
    }
    match module.kind() {
        Kind::UserInterface => Ok(()),
        Kind::BuiltIn => match to {
            Some(to) => load_initial_records(context, to, options).await,
            None => Ok(()),
        },
        Kind::Outside => {
            let outside = |module: &&Descriptor| module.kind() == Kind::Outside;
            let from = from.map(|from| &**from).filter(outside);
            let to = to.map(|to| &**to);
            if let Some(to) = to.filter(|_| options.purge) {
                let purging = TenantChange { from: Some(to), to: None, purge: true };
                if let Err(fault) = purging.send(context, options).await {
                    tracing::info!(module = to.id, %fault, "a module was not purged before it was enabled");
                }
                return TenantChange { from: None, to: Some(to), purge: false }.send(context, options).await;
            }
            TenantChange { from, to, purge: to.is_none() && options.purge }.send(context, options).await
        }
    }
}

/// Loads the records that a built-in module begins with.
async fn load_initial_records(context: &Context, module: &Descriptor, options: &Options) -> Outcome<()> {
    let name = module.product();
    if options.purge {
        purge(context, module).await?;
    }
    seed::reference_records(context, name, options.has_parameter("loadReference")).await?;
    if options.has_parameter("loadSample") {
        seed::sample_records(context, name).await?;
    }
    let declared = context.platform.modules.iter().find(|declared| declared.name == name);
    match declared.and_then(|declared| declared.on_enable) {
        Some(enabled) => enabled(context.clone()).await,
        None => Ok(()),
    }
}

async fn purge(context: &Context, module: &Descriptor) -> Outcome<()> {
    let declared = context.platform.modules.iter().find(|declared| declared.name == module.product());
    let tables = declared.map(|declared| declared.tables()).unwrap_or_default();
    context.platform.tenants.purge(&context.tenant.id, &tables).await
}

async fn start_timers(context: &Context, module: &Arc<Descriptor>) -> Outcome<()> {
    let platform = &context.platform;
    let mut timers = match module.kind() {
        Kind::BuiltIn => timers::timers(platform.modules),
        Kind::Outside => timers::outside_module_timers(module),
        Kind::UserInterface => return Ok(()),
    };
    timers.retain(|timer| timer.module == module.product());
    timers::start_timers(platform, Some(&context.tenant.id), &timers).await
}
