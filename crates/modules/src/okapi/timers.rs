//! `/_/proxy/tenants/{t}/timers`: what modules have done by the clock, from their descriptors, with the schedules that a
//! tenant has changed.
//!
//! Beyond what Okapi shows, each timer says in `state` whether it waits, runs, is stopped, or has nothing built to run;
//! and when it ran last and runs next.

use std::sync::{Arc, LazyLock};

use octavo_engine::{Answering, Dialect, Method, Request, Response, Schedule, Tenant, TimerState, Unit};
use octavo_kernel::{Fault, Outcome, folio_time};
use serde::Deserialize;
use serde_json::{Value, json};

use super::descriptors;
use crate::MODULES;
use crate::facts::FACTS;

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

fn of_module(facts: &'static crate::facts::ModuleFacts) -> Vec<Timer> {
    let module = MODULES.iter().find(|module| module.name == facts.name);
    let timer = |(number, route): (usize, &'static crate::facts::Route)| {
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

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let tenant = match descriptors::tenant(&request).await {
        Ok(tenant) => tenant,
        // Okapi knows no timers of a tenant that it does not know.
        Err(fault) if fault.status == 404 => return Ok(Response::json_text(200, "[ ]")),
        Err(fault) => return Err(fault),
    };
    let states = request.context.platform.timers.states(&tenant.id).await?;
    let enabled = timers().filter(|timer| tenant.has(timer.module));
    let shown: Vec<Value> = enabled.map(|timer| shown(timer, states.get(&timer.id))).collect();
    Ok(Response::json(200, &Value::Array(shown)))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let tenant = descriptors::tenant(&request).await?;
    let timer = find(&tenant, request.parameter(1))?;
    let states = request.context.platform.timers.states(&tenant.id).await?;
    Ok(Response::json(200, &shown(timer, states.get(&timer.id))))
}

/// The id is in the body.
pub(super) async fn patch(request: Request) -> Outcome<Response> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Descriptor {
        id: String,
        #[serde(default)]
        routing_entry: RoutingEntry,
    }
    let tenant = descriptors::tenant(&request).await?;
    let wanted: Descriptor = read(&request)?;
    change(&request, &tenant, &wanted.id, &wanted.routing_entry).await
}

/// The id is in the path.
pub(super) async fn patch_one(request: Request) -> Outcome<Response> {
    let tenant = descriptors::tenant(&request).await?;
    let entry: RoutingEntry = read(&request)?;
    change(&request, &tenant, request.parameter(1), &entry).await
}

/// When; the rest of what Okapi's clients send is not theirs to change.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct RoutingEntry {
    unit: Option<String>,
    delay: Option<Value>,
    schedule: Option<CronEntry>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct CronEntry {
    cron: String,
    zone: Option<String>,
}

fn read<T: for<'de> Deserialize<'de>>(request: &Request) -> Outcome<T> {
    serde_json::from_slice(&request.body).map_err(|error| Fault::bad_request(error.to_string()))
}

async fn change(
    request: &Request,
    tenant: &Arc<Tenant>,
    id: &str,
    entry: &RoutingEntry,
) -> Outcome<Response> {
    let timer = find(tenant, id)?;
    let changed = entry.read()?;
    let timers = &request.context.platform.timers;
    let named = (timer.module, timer.id.as_str());
    timers.change(&tenant.id, named, changed, &timer.schedule, timer.answer.is_some()).await?;
    Ok(Response::no_content())
}

fn find(tenant: &Tenant, id: &str) -> Outcome<&'static Timer> {
    timer(id).filter(|timer| tenant.has(timer.module)).ok_or_else(|| Fault::text(404, id))
}

impl RoutingEntry {
    /// `None` asks for the declared schedule again.
    fn read(&self) -> Outcome<Option<Schedule>> {
        let wrong = |what: &str| Fault::bad_request(format!("Timer: {what}"));
        if let Some(entry) = &self.schedule {
            let zone = entry.zone.as_deref().unwrap_or("UTC");
            let cron = Schedule::cron(&entry.cron, zone);
            return cron.map(Some).ok_or_else(|| wrong(&format!("bad schedule {} {zone}", entry.cron)));
        }
        let delay = match &self.delay {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(text.parse().map_err(|_| wrong(&format!("bad delay {text}")))?),
            Some(other) => Some(other.as_i64().ok_or_else(|| wrong(&format!("bad delay {other}")))?),
        };
        let unit = match self.unit.as_deref() {
            None => None,
            Some(name) => Some(Unit::parse(name).ok_or_else(|| wrong(&format!("bad unit {name}")))?),
        };
        match (delay, unit) {
            (None, None) => Ok(None),
            // Okapi counts milliseconds where no unit is named.
            (Some(delay), unit) => {
                Ok(Some(Schedule::Every { delay, unit: unit.unwrap_or(Unit::Millisecond) }))
            }
            (None, Some(unit)) => Ok(Some(Schedule::Every { delay: 0, unit })),
        }
    }
}

fn shown(timer: &Timer, state: Option<&TimerState>) -> Value {
    let changed = state.and_then(|state| state.schedule.as_ref());
    let mut entry = json!({"methods": ["POST"], "pathPattern": timer.path});
    match changed.unwrap_or(&timer.schedule) {
        Schedule::Every { delay, unit } => {
            entry["unit"] = json!(unit.name());
            entry["delay"] = json!(delay.to_string());
        }
        Schedule::Cron { line, zone } => entry["schedule"] = json!({"cron": line, "zone": zone}),
    }
    let name = match state {
        _ if timer.answer.is_none() => "notBuilt",
        Some(state) if state.running => "running",
        Some(state) if state.next_run.is_some() => "waiting",
        _ => "stopped",
    };
    let mut shown = json!({
        "id": timer.id,
        "routingEntry": entry,
        "modified": changed.is_some(),
        "state": name,
    });
    if let Some(state) = state {
        for (key, at) in [("nextRun", state.next_run), ("lastRun", state.last_run)] {
            if let Some(at) = at {
                shown[key] = json!(folio_time(at));
            }
        }
        if let Some(outcome) = &state.last_outcome {
            shown["lastOutcome"] = json!(outcome);
        }
    }
    shown
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
