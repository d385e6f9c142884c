//! Jobs by the clock. For a module that is built in FOLIO's facts say when and by which route, and the module's call of that route is the
//! job; a module outside of the process is called at the route that its descriptor names.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use octavo_engine::{Dialect, Method, Module, Platform, Request, ResponseFuture, RestRule, Schedule, Tenant};
use octavo_kernel::{Outcome, TenantId};

use crate::descriptor::Descriptor;
use crate::facts::{FACTS, ModuleFacts, Route};
use crate::outside;

pub struct Timer {
    /// The module without its version.
    pub module: Cow<'static, str>,
    /// `mod-circulation_9`: the module, and the number of the route among its timers.
    pub id: String,
    pub path: Cow<'static, str>,
    pub method: Method,
    pub schedule: Schedule,
    pub job: Job,
    pub rest: Option<&'static RestRule>,
}

#[derive(Clone)]
pub enum Job {
    NotBuilt,
    BuiltIn(fn(Request) -> ResponseFuture, Dialect),
    /// The route with this number among the timers of a module outside of the process.
    Outside(Arc<Descriptor>, usize),
}

impl Timer {
    pub fn is_built(&self) -> bool {
        !matches!(self.job, Job::NotBuilt)
    }
}

/// Every timer of FOLIO's facts, with the jobs that these modules have for them.
pub fn timers(modules: &[&Module]) -> Vec<Timer> {
    FACTS.modules.values().flat_map(|facts| built_in_module_timers(facts, modules)).collect()
}

/// The tables in which a change may give work to a timer that pauses until such a change, and the table that counts changes of the
/// settings.
pub fn watched_tables(modules: &[&Module]) -> Vec<&'static str> {
    let rests = modules.iter().flat_map(|module| module.calls).filter_map(|call| call.rest_rule);
    let tables: BTreeSet<&str> =
        rests.flat_map(|rest| rest.tables).copied().chain(["snapshot_count"]).collect();
    tables.into_iter().collect()
}

/// The timers of the modules that a tenant has.
pub fn tenant_timers(modules: &[&Module], tenant: &Tenant) -> Vec<Timer> {
    let enabled = FACTS.modules.values().filter(|facts| tenant.has_module(facts.name));
    let outside = outside::modules(tenant);
    enabled
        .flat_map(|facts| built_in_module_timers(facts, modules))
        .chain(outside.iter().flat_map(outside_module_timers))
        .collect()
}

fn built_in_module_timers(facts: &'static ModuleFacts, modules: &[&Module]) -> Vec<Timer> {
    let module = modules.iter().find(|module| module.name == facts.name);
    let timer = |(number, route): (usize, &'static Route)| {
        let calls = module.into_iter().flat_map(|module| module.calls);
        let call =
            calls.into_iter().find(|call| route.methods.contains(&call.method) && call.path == route.path);
        let dialect = module.map_or(Dialect::Rmb, |module| module.dialect);
        Some(Timer {
            module: Cow::Borrowed(facts.name),
            id: format!("{}_{number}", facts.name),
            path: Cow::Borrowed(route.path),
            method: call.map_or(Method::Post, |call| call.method),
            schedule: Schedule::parse(route.schedule)?,
            job: call.map_or(Job::NotBuilt, |call| Job::BuiltIn(call.answer, dialect)),
            rest: call.and_then(|call| call.rest_rule),
        })
    };
    facts.timers().filter_map(timer).collect()
}

/// Starts those of the timers that have a job, in a tenant or in all; see [`octavo_engine::Timers::start`].
pub async fn start_timers(platform: &Platform, tenant: Option<&TenantId>, timers: &[Timer]) -> Outcome<()> {
    let built = timers.iter().filter(|timer| timer.is_built());
    let built: Vec<_> =
        built.map(|timer| (&*timer.module, timer.id.clone(), timer.schedule.clone())).collect();
    platform.timers.start(tenant, &built).await
}

pub fn outside_module_timers(module: &Arc<Descriptor>) -> Vec<Timer> {
    let routes = module.system_interface("_timer").map_or(&[][..], |interface| interface.routes());
    let timer = |(number, route): (usize, &crate::descriptor::RoutingEntry)| {
        let method = route.methods.iter().flatten().find_map(|method| method.parse().ok());
        Some(Timer {
            module: Cow::Owned(module.product().to_owned()),
            id: format!("{}_{number}", module.product()),
            path: Cow::Owned(route.static_path().to_owned()),
            method: method.unwrap_or(Method::Post),
            schedule: route.timetable()?,
            job: Job::Outside(Arc::clone(module), number),
            rest: None,
        })
    };
    routes.iter().enumerate().filter_map(timer).collect()
}
