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

pub(crate) use before::{Filtered, filter_answer, filter_request, has_any_after};
pub(crate) use forward::{Passage, Passed, PassedBody};

use crate::access::Wanted;

/// A handler or a filter, and whose it is.
#[derive(Debug)]
pub(crate) struct Taker {
    pub(crate) module: Arc<Descriptor>,
    pub(crate) entry: RoutingEntry,
    /// The characters of its pattern before anything that varies: of several that fit, the one with most takes a request.
    fixed: usize,
    /// Whether clients have to name the module, since several provide the interface.
    multiple: bool,
}

/// All takers of a tenant.
#[derive(Debug, Default)]
pub(crate) struct Takers {
    handlers: Vec<Arc<Taker>>,
    /// In the order in which they come.
    filters: Vec<Arc<Taker>>,
}

/// Who takes one request.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) handler: Option<Arc<Taker>>,
    pub(crate) filters: Vec<Arc<Taker>>,
}

impl Found {
    pub(crate) fn is_any(&self) -> bool {
        self.handler.is_some() || !self.filters.is_empty()
    }
}

impl Takers {
    pub(crate) fn of(tenant: &Tenant) -> Arc<Takers> {
        tenant.kept.get(|| Takers::new(&outside::modules(tenant)))
    }

    fn new(modules: &[Arc<Descriptor>]) -> Takers {
        let taker = |module: &Arc<Descriptor>, entry: &RoutingEntry, multiple| {
            let path = entry.static_path();
            let fixed = path.find(['{', '*']).unwrap_or(path.len());
            Arc::new(Taker { module: Arc::clone(module), entry: entry.clone(), fixed, multiple })
        };
        let mut takers = Takers::default();
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
        takers.handlers.sort_by_key(|taker| std::cmp::Reverse(taker.fixed));
        takers.filters.sort_by(|one, other| one.entry.place().cmp(other.entry.place()));
        takers
    }

    fn find(&self, method: &str, path: &str, module: Option<&str>) -> Found {
        let takes = |taker: &&Arc<Taker>| taker.entry.takes(method, path);
        let addressed = |taker: &&Arc<Taker>| match module {
            Some(module) => taker.multiple && taker.module.id == module,
            None => !taker.multiple,
        };
        let handler = self.handlers.iter().filter(addressed).find(takes).cloned();
        Found { handler, filters: self.filters.iter().filter(takes).cloned().collect() }
    }
}

/// Who takes a request of this tenant outside of this process.
pub(crate) fn find(tenant: &Tenant, head: &Parts, path: &str) -> Found {
    if tenant.outside.is_empty() {
        return Found::default();
    }
    let module = head.headers.get("x-okapi-module-id").and_then(|value| value.to_str().ok());
    Takers::of(tenant).find(head.method.as_str(), path, module)
}

impl Taker {
    /// What a caller needs to use it. Other than for modules that are built in, routes without permissions are open to everybody, as
    /// the descriptor says.
    pub(crate) fn wanted<'a>(&'a self, tenant: &str, path: &str, has_token: bool) -> Wanted<'a> {
        let about_own = || {
            let pattern = self.entry.path_pattern.as_ref()?.replace("{tenantId}", tenant);
            let own = RoutingEntry {
                path_pattern: Some(pattern),
                methods: Some(vec!["*".to_owned()]),
                ..Default::default()
            };
            own.takes("GET", path).then_some(self.entry.permissions_required_tenant.as_ref()?)
        };
        let required = about_own().filter(|_| has_token).map_or(self.entry.required(), Vec::as_slice);
        Wanted::outside(required.iter().map(String::as_str).collect())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn takers() -> Takers {
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
        Takers::new(&[Arc::new(Descriptor::read(descriptor).unwrap())])
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
