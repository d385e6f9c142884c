//! Requests for modules outside of this process: which of a tenant's modules takes one, and which filters it passes, by the descriptors
//! that the operator has posted.

mod before;
mod forward;
mod headers;
pub(crate) mod streamed;

use std::sync::Arc;

use hyper::http::request::Parts;
use octavo_engine::Tenant;
use octavo_modules_base::descriptor::{Descriptor, RoutingEntry};
use octavo_modules_base::outside;

pub(crate) use before::{Filtered, filter_answer, filter_request, has_response_filter};
pub(crate) use forward::{ForwardedAnswer, ForwardedBody, Forwarding};

use crate::access::Requirements;

/// A route or a filter of a module outside of this process, and the module.
#[derive(Debug)]
pub(crate) struct ModuleRoute {
    pub(crate) module: Arc<Descriptor>,
    pub(crate) entry: RoutingEntry,
    /// How many characters of the path pattern come before the first parameter or `*`. Of several patterns that match, the one with most is
    /// used.
    fixed_chars: usize,
    /// Whether clients have to name the module in `x-okapi-module-id`, since several modules provide the interface.
    multiple: bool,
}

/// All routes and filters of outside modules that a tenant has.
#[derive(Debug, Default)]
pub(crate) struct ModuleRoutes {
    handlers: Vec<Arc<ModuleRoute>>,
    /// In the order in which requests pass them.
    filters: Vec<Arc<ModuleRoute>>,
}

/// The handler and the filters of outside modules for one request.
#[derive(Debug, Default)]
pub(crate) struct FoundRoutes {
    pub(crate) handler: Option<Arc<ModuleRoute>>,
    pub(crate) filters: Vec<Arc<ModuleRoute>>,
}

impl FoundRoutes {
    pub(crate) fn has_any(&self) -> bool {
        self.handler.is_some() || !self.filters.is_empty()
    }
}

impl ModuleRoutes {
    pub(crate) fn for_tenant(tenant: &Tenant) -> Arc<ModuleRoutes> {
        tenant.module_state.get_or_create(|| ModuleRoutes::new(&outside::modules(tenant)))
    }

    fn new(modules: &[Arc<Descriptor>]) -> ModuleRoutes {
        let taker = |module: &Arc<Descriptor>, entry: &RoutingEntry, multiple| {
            let path = entry.static_path();
            let fixed = path.find(['{', '*']).unwrap_or(path.len());
            Arc::new(ModuleRoute {
                module: Arc::clone(module),
                entry: entry.clone(),
                fixed_chars: fixed,
                multiple,
            })
        };
        let mut takers = ModuleRoutes::default();
        for module in modules {
            for interface in module.provides() {
                let multiple = interface.kind() == "multiple";
                if multiple || interface.is_regular() {
                    takers
                        .handlers
                        .extend(interface.routes().iter().map(|entry| taker(module, entry, multiple)));
                }
            }
            takers.filters.extend(module.filters().iter().map(|entry| taker(module, entry, false)));
        }
        takers.handlers.sort_by_key(|taker| std::cmp::Reverse(taker.fixed_chars));
        takers.filters.sort_by(|one, other| one.entry.phase_level().cmp(other.entry.phase_level()));
        takers
    }

    fn find(&self, method: &str, path: &str, module: Option<&str>) -> FoundRoutes {
        let takes = |taker: &&Arc<ModuleRoute>| taker.entry.matches_request(method, path);
        let addressed = |taker: &&Arc<ModuleRoute>| match module {
            Some(module) => taker.multiple && taker.module.id == module,
            None => !taker.multiple,
        };
        let handler = self.handlers.iter().filter(addressed).find(takes).cloned();
        FoundRoutes { handler, filters: self.filters.iter().filter(takes).cloned().collect() }
    }
}

/// Finds the handler and the filters of outside modules for a request of this tenant.
pub(crate) fn find(tenant: &Tenant, head: &Parts, path: &str) -> FoundRoutes {
    if tenant.outside_descriptors.is_empty() {
        return FoundRoutes::default();
    }
    let module = head.headers.get("x-okapi-module-id").and_then(|value| value.to_str().ok());
    ModuleRoutes::for_tenant(tenant).find(head.method.as_str(), path, module)
}

impl ModuleRoute {
    /// What a caller needs to use it. Unlike routes of built-in modules, a route without permissions is open to everybody, as the
    /// descriptor says.
    pub(crate) fn requirements<'a>(&'a self, tenant: &str, path: &str, has_token: bool) -> Requirements<'a> {
        let about_own = || {
            let pattern = self.entry.path_pattern.as_ref()?.replace("{tenantId}", tenant);
            let own = RoutingEntry {
                path_pattern: Some(pattern),
                methods: Some(vec!["*".to_owned()]),
                ..Default::default()
            };
            own.matches_request("GET", path).then_some(self.entry.permissions_required_tenant.as_ref()?)
        };
        let required =
            about_own().filter(|_| has_token).map_or(self.entry.required_permissions(), Vec::as_slice);
        Requirements::from_permissions(required.iter().map(String::as_str).collect())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn takers() -> ModuleRoutes {
        let handler =
            |path: &str| json!({"methods": ["GET"], "pathPattern": path, "permissionsRequired": []});
        let descriptor = json!({
            "id": "mod-x-1.0.0",
            "provides": [
                {"id": "x", "version": "1.0", "handlers": [handler("/x/{id}"), handler("/x/own"), handler("/x*")]},
                {"id": "y", "version": "1.0", "interfaceType": "multiple", "handlers": [handler("/y")]},
                {"id": "_z", "version": "1.0", "interfaceType": "system", "handlers": [handler("/z")]},
            ],
            "filters": [
                {"methods": ["*"], "pathPattern": "/x*", "phase": "post", "type": "headers"},
                {"methods": ["*"], "pathPattern": "/*", "phase": "pre", "type": "headers"},
            ],
        });
        ModuleRoutes::new(&[Arc::new(Descriptor::read(descriptor).unwrap())])
    }

    fn handler(method: &str, path: &str, module: Option<&str>) -> Option<String> {
        let found = takers().find(method, path, module);
        found.handler.map(|taker| taker.entry.static_path().to_owned())
    }

    #[test]
    fn the_pattern_with_most_that_is_fixed_takes_a_request() {
        for (path, taker) in [("/x/own", "/x/own"), ("/x/1", "/x/{id}"), ("/x/1/2", "/x*"), ("/xy", "/x*")] {
            assert_eq!(handler("GET", path, None).as_deref(), Some(taker), "{path}");
        }
        assert_eq!(handler("POST", "/x/own", None), None);
        assert_eq!(handler("GET", "/z", None), None, "Octavo alone calls system interfaces");
    }

    #[test]
    fn of_an_interface_that_several_provide_the_client_names_the_module() {
        assert_eq!(handler("GET", "/y", None), None);
        assert_eq!(handler("GET", "/y", Some("mod-x-1.0.0")).as_deref(), Some("/y"));
        assert_eq!(handler("GET", "/y", Some("mod-x-2.0.0")), None);
        assert_eq!(handler("GET", "/x/own", Some("mod-x-1.0.0")), None);
    }

    #[test]
    fn filters_come_in_the_order_of_their_phases() {
        let phases = |path| {
            let found = takers().find("DELETE", path, None).filters;
            found.iter().map(|taker| taker.entry.phase.clone().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(phases("/x/1"), ["pre", "post"]);
        assert_eq!(phases("/users"), ["pre"]);
    }
}
