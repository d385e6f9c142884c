//! `/_/proxy/tenants/{t}/timers`: the timers of the modules' descriptors, with the schedules that a tenant has changed.
//!
//! Unlike in Okapi, each timer has a `state`, which tells whether it waits, runs, is stopped or has no job in Octavo, and when it ran
//! last and runs next.

use std::sync::Arc;

use octavo_engine::{Platform, Request, Response, Schedule, Tenant, TimerState, Unit};
use octavo_kernel::{Fault, Outcome, folio_time};
use octavo_modules_base::timers::{Timer, tenant_timers};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{descriptors, parse_object};

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let tenant = match descriptors::tenant(&request).await {
        Ok(tenant) => tenant,
        // As in Okapi, an unknown tenant has no timers.
        Err(fault) if fault.status == 404 => return Ok(Response::json_text(200, "[ ]")),
        Err(fault) => return Err(fault),
    };
    let states = request.context.platform.timers.states(&tenant.id).await?;
    let timers = tenant_timers(request.context.platform.modules, &tenant);
    let shown: Vec<Value> = timers.iter().map(|timer| timer_to_json(timer, states.get(&timer.id))).collect();
    Ok(Response::json(200, &Value::Array(shown)))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let tenant = descriptors::tenant(&request).await?;
    let timer = find(&request.context.platform, &tenant, request.path_parameter(1))?;
    let states = request.context.platform.timers.states(&tenant.id).await?;
    Ok(Response::json(200, &timer_to_json(&timer, states.get(&timer.id))))
}

pub(super) async fn patch(request: Request) -> Outcome<Response> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Descriptor {
        id: String,
        #[serde(default)]
        routing_entry: RoutingEntry,
    }
    let tenant = descriptors::tenant(&request).await?;
    let wanted: Descriptor = parse_object(request.json()?)?;
    change(&request, &tenant, &wanted.id, &wanted.routing_entry).await
}

pub(super) async fn patch_one(request: Request) -> Outcome<Response> {
    let tenant = descriptors::tenant(&request).await?;
    let entry: RoutingEntry = parse_object(request.json()?)?;
    change(&request, &tenant, request.path_parameter(1), &entry).await
}

/// The schedule. Other members that clients send cannot be changed.
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

async fn change(
    request: &Request,
    tenant: &Arc<Tenant>,
    id: &str,
    entry: &RoutingEntry,
) -> Outcome<Response> {
    let platform = &request.context.platform;
    let timer = find(platform, tenant, id)?;
    let changed = entry.read()?;
    let named = (&*timer.module, timer.id.as_str());
    platform.timers.change(&tenant.id, named, changed, &timer.schedule, timer.is_built()).await?;
    Ok(Response::no_content())
}

fn find(platform: &Platform, tenant: &Tenant, id: &str) -> Outcome<Timer> {
    let mut timers = tenant_timers(platform.modules, tenant).into_iter();
    timers.find(|timer| timer.id == id).ok_or_else(|| Fault::not_found_with(id))
}

impl RoutingEntry {
    /// `None` restores the declared schedule.
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

fn timer_to_json(timer: &Timer, state: Option<&TimerState>) -> Value {
    let changed = state.and_then(|state| state.schedule.as_ref());
    let mut entry = json!({"methods": [timer.method.as_str()], "pathPattern": &*timer.path});
    match changed.unwrap_or(&timer.schedule) {
        Schedule::Every { delay, unit } => {
            entry["unit"] = json!(unit.name());
            entry["delay"] = json!(delay.to_string());
        }
        Schedule::Cron { line, zone } => entry["schedule"] = json!({"cron": line, "zone": zone}),
    }
    let name = match state {
        _ if !timer.is_built() => "notBuilt",
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
