//! Jobs by the clock: FOLIO's facts say when and by which route, the module's call of that route is the job.

use octavo_engine::{Answering, Dialect, Method, Module, Request, Schedule};

use crate::facts::{FACTS, ModuleFacts, Route};

pub struct Timer {
    pub module: &'static str,
    /// `mod-circulation_9`: the module, and the number of the route among its timers.
    pub id: String,
    pub path: &'static str,
    pub method: Method,
    pub schedule: Schedule,
    /// `None` if Octavo has no such job yet.
    pub answer: Option<fn(Request) -> Answering>,
    pub dialect: Dialect,
}

/// Every timer of FOLIO's facts, with the jobs that these modules have for them.
pub fn timers(modules: &[&Module]) -> Vec<Timer> {
    FACTS.modules.values().flat_map(|facts| of_module(facts, modules)).collect()
}

pub fn timer(modules: &[&Module], id: &str) -> Option<Timer> {
    timers(modules).into_iter().find(|timer| timer.id == id)
}

fn of_module(facts: &'static ModuleFacts, modules: &[&Module]) -> Vec<Timer> {
    let module = modules.iter().find(|module| module.name == facts.name);
    let timer = |(number, route): (usize, &'static Route)| {
        let calls = module.into_iter().flat_map(|module| module.calls);
        let call =
            calls.into_iter().find(|call| route.methods.contains(&call.method) && call.path == route.path);
        Some(Timer {
            module: facts.name,
            id: format!("{}_{number}", facts.name),
            path: route.path,
            method: call.map_or(Method::Post, |call| call.method),
            schedule: Schedule::parse(route.schedule)?,
            answer: call.map(|call| call.answer),
            dialect: module.map_or(Dialect::Rmb, |module| module.dialect),
        })
    };
    facts.timers().filter_map(timer).collect()
}
