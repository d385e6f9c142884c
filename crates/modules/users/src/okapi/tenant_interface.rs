//! Calls of a module's `_tenant` interface, versions 1.0 to 1.2 and 2.0, when a tenant gets it, another version of it, or has it no
//! longer (Okapi 5.3.0).

use std::time::Duration;

use octavo_engine::Context;
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::descriptor::{Descriptor, InterfaceDescriptor, RoutingEntry};
use octavo_modules_base::outside::SystemCall;
use serde_json::{Value, json};

use super::parameters::Options;

/// A change of a tenant's modules, as the `_tenant` interface of the module gets it.
pub(super) struct TenantChange<'a> {
    pub(super) from: Option<&'a Descriptor>,
    pub(super) to: Option<&'a Descriptor>,
    pub(super) purge: bool,
}

/// How long a module may take for one call. Those with version 1 of the interface do all their work in one.
const CALL_TIMEOUT: Duration = Duration::from_secs(600);
/// Between two questions whether a module's job is done: 0.3 seconds at first, and a quarter more each time, as in Okapi.
const FIRST_PAUSE: Duration = Duration::from_millis(300);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// How often a module is asked whether its job is done: for some three hours.
const MAX_POLLS: usize = 1000;

/// Which calls one version of the interface needs.
struct Calls<'a> {
    method: &'static str,
    start: RoutingEntry,
    /// With `{id}` of the job: whether it is done, and its removal. Version 2 alone.
    job: Option<[&'a RoutingEntry; 2]>,
}

impl TenantChange<'_> {
    pub(super) async fn send(&self, context: &Context, options: &Options) -> Outcome<()> {
        let Some(module) = self.to.or(self.from) else { return Ok(()) };
        let Some(interface) = module.system_interface("_tenant") else { return Ok(()) };
        let Some(calls) = self.calls(module, interface)? else { return Ok(()) };
        let body = match calls.method {
            "DELETE" => String::new(),
            _ => self.body(&interface.version, options).to_string(),
        };
        let start = &calls.start;
        let path = start.static_path().to_owned();
        let (answered, at) = call(context, module, (calls.method, start, &path, body), None).await?;
        if !answered.headers.contains_key("location") {
            return Ok(());
        }
        let (id, method) = (&module.id, calls.method);
        let Some([question, removal]) = calls.job else {
            let message = format!("Unexpected Location header in response for module {id}: {method} {path}");
            return Err(Fault::text(500, message));
        };
        let job: Value = serde_json::from_slice(&answered.body).unwrap_or_default();
        let plain =
            |job: &&str| job.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
        let Some(job) = job["id"].as_str().filter(plain) else {
            let message = format!("Missing id property in JSON response for module {id}: {method} {path}");
            return Err(Fault::text(500, message));
        };
        let of_job = |entry: &RoutingEntry| entry.static_path().replace("{id}", job);
        let mut pause = FIRST_PAUSE;
        for _ in 0..MAX_POLLS {
            let (answered, _) =
                call(context, module, ("GET", question, &of_job(question), String::new()), Some(&at)).await?;
            let state: Value = serde_json::from_slice(&answered.body).unwrap_or_default();
            if state["complete"] == true {
                call(context, module, ("DELETE", removal, &of_job(removal), String::new()), Some(&at))
                    .await?;
                return job_outcome(id, &state);
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 5 / 4).min(LONGEST_PAUSE);
        }
        Err(Fault::text(500, format!("Tenant operation failed for module {id}: it does not end")))
    }

    fn body(&self, version: &str, options: &Options) -> Value {
        let mut body = json!({});
        if let Some(to) = self.to {
            body["module_to"] = json!(to.id);
        }
        if let Some(from) = self.from {
            body["module_from"] = json!(from.id);
        }
        if version == "2.0" {
            body["purge"] = json!(self.purge);
        }
        if let Some(parameters) = options.parameters().filter(|_| ["1.2", "2.0"].contains(&version)) {
            body["parameters"] = parameters;
        }
        body
    }

    fn calls<'a>(
        &self,
        module: &Descriptor,
        interface: &'a InterfaceDescriptor,
    ) -> Outcome<Option<Calls<'a>>> {
        let method = if self.purge { "DELETE" } else { "POST" };
        let one = |start: &RoutingEntry| Calls { method, start: start.clone(), job: None };
        match interface.version.as_str() {
            "1.0" if self.to.is_none() && !self.purge => Ok(None),
            "1.0" if !self.purge => {
                let old = RoutingEntry { path: Some("/_/tenant".to_owned()), ..RoutingEntry::default() };
                Ok(Some(one(self.version_1_route(interface, method).unwrap_or(&old))))
            }
            "1.0" | "1.1" | "1.2" => Ok(self.version_1_route(interface, method).map(one)),
            "2.0" => {
                let find = |method, part| {
                    let mut routes = system_routes(interface).iter();
                    routes.find(|route| has_method(route, method) && route.static_path().contains(part))
                };
                let Some(start) = find("POST", "/") else { return Ok(None) };
                let job = match (find("GET", "{id}"), find("DELETE", "{id}")) {
                    (None, _) => None,
                    (Some(question), Some(removal)) => Some([question, removal]),
                    (Some(_), None) => {
                        return Err(Fault::text(
                            500,
                            format!(
                                "Missing DELETE method for tenant interface version 2 for module {}",
                                module.id
                            ),
                        ));
                    }
                };
                Ok(Some(Calls { method: "POST", start: start.clone(), job }))
            }
            other => Err(Fault::bad_request(format!("Unsupported interface _tenant: {other}"))),
        }
    }

    /// The route for this change in version 1 of the interface.
    fn version_1_route<'a>(
        &self,
        interface: &'a InterfaceDescriptor,
        method: &str,
    ) -> Option<&'a RoutingEntry> {
        let fits = |route: &&RoutingEntry| match (method, route.static_path()) {
            ("DELETE", _) => true,
            (_, "/_/tenant/disable") => self.to.is_none(),
            _ => self.to.is_some(),
        };
        system_routes(interface).iter().filter(|route| has_method(route, method)).find(fits)
    }
}

fn system_routes(interface: &InterfaceDescriptor) -> &[RoutingEntry] {
    match interface.interface_type.as_deref() {
        Some("system") => interface.routes(),
        _ => &[],
    }
}

fn has_method(route: &RoutingEntry, method: &str) -> bool {
    route.methods.iter().flatten().any(|own| own == "*" || own == method)
}

async fn call(
    context: &Context,
    module: &Descriptor,
    (method, entry, path, body): (&str, &RoutingEntry, &str, String),
    at: Option<&str>,
) -> Outcome<(octavo_remote::FullAnswer, String)> {
    let now = context.now.as_second();
    let tenant = &context.tenant.id;
    let call = SystemCall {
        tenant,
        module,
        entry,
        method,
        path,
        body,
        now,
        time_limit: CALL_TIMEOUT,
        instance_url: at,
    };
    call.send(&context.platform).await
}

fn job_outcome(module: &str, state: &Value) -> Outcome<()> {
    let Some(error) = state["error"].as_str() else { return Ok(()) };
    let messages = state["messages"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let lines: Vec<&str> = std::iter::once(error).chain(messages).collect();
    Err(Fault::text(500, format!("Tenant operation failed for module {module}: {}", lines.join("\n"))))
}
