//! Jobs by the clock: FOLIO's facts say when and by which route, the module's call of that route is the job.

use std::sync::LazyLock;

use octavo_engine::{Answering, Dialect, Method, Request, Schedule};

use crate::MODULES;
use crate::facts::{FACTS, ModuleFacts, Route};

/// A job by the clock.
pub struct Timer {
    pub module: &'static str,
    /// `mod-circulation_9`: the module, and the number of the route among its timers.
    pub id: String,
    pub path: &'static str,
    pub method: Method,
    pub schedule: Schedule,
    /// `None` where nothing is built yet: it never runs.
    pub answer: Option<fn(Request) -> Answering>,
    pub dialect: Dialect,
}

static TIMERS: LazyLock<Vec<Timer>> = LazyLock::new(|| FACTS.modules.values().flat_map(of_module).collect());

pub fn timers() -> impl Iterator<Item = &'static Timer> {
    TIMERS.iter()
}

pub fn timer(id: &str) -> Option<&'static Timer> {
    TIMERS.iter().find(|timer| timer.id == id)
}

fn of_module(facts: &'static ModuleFacts) -> Vec<Timer> {
    let module = MODULES.iter().find(|module| module.name == facts.name);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_timer_of_the_facts_has_a_schedule_and_okapis_number() {
        let told: usize = FACTS.modules.values().map(|module| module.timers().count()).sum();
        assert_eq!(timers().count(), told);
        let age = timers().find(|timer| timer.path == "/circulation/scheduled-age-to-lost").unwrap();
        assert_eq!(
            (age.id.as_str(), age.schedule.to_string()),
            ("mod-circulation_9", "every 30 minute".into())
        );
        assert!(age.answer.is_some());
    }
}
