//! One step of an installation: a tenant gets a module, another version or another provider of it, or has it no longer. The order is
//! such that an interrupted step can be done again: permissions, what the module does for the tenant, and then the tenant's list.

use std::sync::Arc;

use octavo_engine::{Context, Enabled, Tenant};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::descriptor::{Descriptor, Kind, built_in, built_in_named};
use octavo_modules_base::timers;

use super::parameters::Options;
use super::tenant_interface::Told;
use super::{catalogue, seed};
use crate::permissions::{register, retire};

/// What the gateway's own checks stand on.
const FOUNDATIONS: [&str; 4] = ["mod-authtoken", "mod-login", "mod-permissions", "mod-users"];

/// Refuses what cannot be enabled beside or instead of a module that is built in.
pub(super) fn may_be_enabled(module: &Descriptor) -> Outcome<()> {
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

pub(super) fn within(context: &Context, tenant: &Arc<Tenant>) -> Context {
    Context { tenant: Arc::clone(tenant), ..context.clone() }
}

/// `from` is a module that the tenant has, `to` the one that it gets; if both are given, they are of one product.
pub(super) async fn exchange(
    context: &Context,
    from: Option<&Arc<Descriptor>>,
    to: Option<&Arc<Descriptor>>,
    options: &Options,
) -> Outcome<()> {
    let platform = &context.platform;
    let id = &context.tenant.id;
    // Others may have been enabled since the request came.
    let current = within(context, &platform.tenants.get(id.as_str()).await?);
    let announces = built_in_named("mod-permissions").is_some_and(|module| options.invokes(&module.id));
    if let Some(to) = to {
        may_be_enabled(to)?;
        if announces && to.kind() == Kind::Outside {
            announce(&current, to).await?;
        }
    }
    tell(&current, from, to, options).await?;
    if let Some(to) = to.filter(|to| announces && to.kind() != Kind::Outside) {
        announce(&current, to).await?;
    }
    let before = from.filter(|from| to.is_none_or(|to| to.kind() != from.kind()));
    platform.tenants.exchange(id, before.map(|from| enabled(from)), to.map(|to| enabled(to))).await?;
    if let Some(from) = from.filter(|from| to.is_none_or(|to| to.id != from.id)) {
        platform.timers.stop(id, from.product()).await?;
    }
    if let Some(to) = to {
        start_timers(context, to).await?;
    }
    match (from, to) {
        (Some(from), None) => {
            if announces {
                retire(&current, &from.facts()).await?;
            }
            if options.purge && from.kind() == Kind::BuiltIn {
                purge(context, from).await?;
            }
        }
        _ => return Ok(()),
    }
    platform.changed(&format!("{id} tenant"));
    Ok(())
}

fn enabled(module: &Descriptor) -> Enabled<'_> {
    let (product, id) = (module.product(), module.id.as_str());
    match module.kind() {
        Kind::BuiltIn => Enabled::BuiltIn(product),
        Kind::UserInterface => Enabled::UserInterface { product, id },
        Kind::Outside => Enabled::Outside { product, id },
    }
}

async fn announce(current: &Context, module: &Descriptor) -> Outcome<()> {
    let others = catalogue::of_tenant(&current.platform, &current.tenant).await?;
    let others: Vec<_> = others
        .values()
        .filter(|other| other.kind() != Kind::BuiltIn && other.product() != module.product())
        .map(|other| other.facts())
        .collect();
    register(current, &module.facts(), &others).await
}

/// What the modules themselves do for the change.
async fn tell(
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
            Some(to) => fill(context, to, options).await,
            None => Ok(()),
        },
        Kind::Outside => {
            let outside = |module: &&Descriptor| module.kind() == Kind::Outside;
            let from = from.map(|from| &**from).filter(outside);
            let to = to.map(|to| &**to);
            if let Some(to) = to.filter(|_| options.purge) {
                let purging = Told { from: Some(to), to: None, purge: true };
                if let Err(fault) = purging.tell(context, options).await {
                    tracing::info!(module = to.id, %fault, "a module was not purged before it was enabled");
                }
                return Told { from: None, to: Some(to), purge: false }.tell(context, options).await;
            }
            Told { from, to, purge: to.is_none() && options.purge }.tell(context, options).await
        }
    }
}

/// Brings a module that is built in the records that it begins with.
async fn fill(context: &Context, module: &Descriptor, options: &Options) -> Outcome<()> {
    let name = module.product();
    if options.purge {
        purge(context, module).await?;
    }
    seed::reference_records(context, name, options.has_parameter("loadReference")).await?;
    if options.has_parameter("loadSample") {
        seed::sample_records(context, name).await?;
    }
    let declared = context.platform.modules.iter().find(|declared| declared.name == name);
    match declared.and_then(|declared| declared.enabled) {
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
    let timers = match module.kind() {
        Kind::BuiltIn => timers::timers(platform.modules),
        Kind::Outside => timers::of_outside(module),
        Kind::UserInterface => return Ok(()),
    };
    let built = timers.iter().filter(|timer| timer.module == module.product() && timer.is_built());
    let built: Vec<_> =
        built.map(|timer| (&*timer.module, timer.id.clone(), timer.schedule.clone())).collect();
    platform.timers.start(Some(&context.tenant.id), &built).await
}
