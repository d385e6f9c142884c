//! The route table: which module answers a method and path, with which permissions. A value, made from the facts and the
//! declared modules.

use std::collections::HashMap;
use std::sync::Arc;

use matchit::Router;
use octavo_engine::{Call, Dialect, Method, Module, Notation, Serve};
use octavo_kernel::Fault;
use octavo_modules_base::facts::{Facts, Route};
use octavo_pg::Work;
use percent_encoding::percent_decode_str;

use crate::metrics::{Counts, CountsByModule};

/// One handler of one module.
#[derive(Debug)]
pub struct Entry {
    pub module: &'static str,
    /// `multiple` interfaces are addressed with `X-Okapi-Module-Id`.
    pub multiple: bool,
    pub pattern: &'static str,
    pub method: Method,
    pub required: Vec<&'static str>,
    /// Instead of `required`, where the path is about the caller's own tenant.
    pub required_for_own_tenant: Option<&'static [&'static str]>,
    pub desired: Vec<&'static str>,
    pub serve: Serve,
    /// What the record engine would do at this path. Differs from `serve` if the module answers the path of a record type with code of its
    /// own.
    pub record_serve: Serve,
    /// The kind of work for which the request gets its connections.
    pub(crate) work: Work,
    /// Whether the answer may come from a replica of the database.
    pub may_be_late: bool,
    pub dialect: Dialect,
    pub(crate) notation: Notation,
    /// Whether the module declares its routes as the system's (for the operator), and as open to callers without a token.
    pub(crate) of_the_system: bool,
    pub(crate) for_strangers: bool,
    /// The module's counters.
    pub(crate) counts: Arc<Counts>,
}

#[derive(Debug, Default)]
pub struct RouteTable {
    router: Router<usize>,
    /// Paths of which FOLIO gives only the beginning (`/groups*`), the longest first.
    prefix_patterns: Vec<(Vec<String>, usize)>,
    /// Entries by path, in the order of the modules' names.
    paths: Vec<Vec<Entry>>,
    pub(crate) counts: CountsByModule,
}

impl Entry {
    /// The permissions that a caller of this tenant needs.
    pub(crate) fn required_from(&self, tenant: &str, parameters: &[String]) -> &[&'static str] {
        self.required_if_own(tenant, parameters).unwrap_or(&self.required)
    }

    /// Whether only an operator has the permissions that are asked for.
    pub(crate) fn is_of_the_system(&self, tenant: &str, parameters: &[String]) -> bool {
        self.of_the_system && !self.required.is_empty() && self.required_if_own(tenant, parameters).is_none()
    }

    /// The permissions that a caller needs instead of `required`, if the path is about their own tenant and the route declares others for
    /// that.
    fn required_if_own(&self, tenant: &str, parameters: &[String]) -> Option<&'static [&'static str]> {
        let own = parameters.first().is_none_or(|named| named == tenant);
        self.required_for_own_tenant.filter(|_| own)
    }
}

/// A handler with the values of its path's parameters.
#[derive(Debug)]
pub struct Found<'a> {
    pub entry: &'a Entry,
    pub parameters: Vec<String>,
}

impl RouteTable {
    pub fn new(facts: &Facts, modules: &[&'static Module]) -> RouteTable {
        let mut table = RouteTable::default();
        let mut places: HashMap<String, usize> = HashMap::new();
        for module in facts.modules.values() {
            let declared = modules.iter().find(|declared| declared.name == module.name);
            let counts = Arc::clone(table.counts.entry(module.name).or_default());
            for interface in
                module.provides.iter().filter(|i| i.kind != "system" && !i.kind.starts_with("filter"))
            {
                for route in &interface.routes {
                    for method in &route.methods {
                        let stored = declared
                            .map_or(Serve::NotBuilt, |declared| record_serve(declared, *method, route));
                        let call = declared.and_then(|declared| find_call(declared, *method, route));
                        let serve = call.map_or(stored, Serve::Call);
                        let entry = Entry {
                            module: module.name,
                            multiple: interface.kind == "multiple",
                            pattern: route.path,
                            method: *method,
                            required: route.required.clone(),
                            required_for_own_tenant: serve.own_tenant_permissions(),
                            desired: route.desired.clone(),
                            serve,
                            record_serve: stored,
                            work: serve.work(route.path),
                            may_be_late: serve
                                .may_be_late(declared.is_some_and(|declared| declared.never_late)),
                            dialect: declared.map_or(Dialect::Rmb, |declared| declared.dialect),
                            notation: notation(declared.copied(), route.path),
                            of_the_system: declared.is_some_and(|declared| declared.is_system_module),
                            for_strangers: declared.is_some_and(|declared| declared.allows_no_token),
                            counts: Arc::clone(&counts),
                        };
                        table.add(&mut places, entry);
                    }
                }
            }
        }
        table.prefix_patterns.sort_by_key(|(segments, _)| std::cmp::Reverse(segments.len()));
        table
    }

    fn add(&mut self, places: &mut HashMap<String, usize>, entry: Entry) {
        let (path, tail) = router_pattern(entry.pattern);
        let place = match places.get(&path) {
            Some(place) => *place,
            None => {
                let place = self.paths.len();
                self.paths.push(Vec::new());
                if let Err(error) = self.router.insert(&path, place) {
                    // Would be a mistake in the facts; a test adds them all.
                    tracing::error!(path, %error, "a route is left out");
                }
                places.insert(path.clone(), place);
                place
            }
        };
        if tail && !self.prefix_patterns.iter().any(|(_, known)| *known == place) {
            self.prefix_patterns.push((path.split('/').skip(1).map(str::to_owned).collect(), place));
        }
        self.paths[place].push(entry);
    }

    /// The handler that the tenant has for a method and path.
    pub fn find(
        &self,
        method: Method,
        path: &str,
        enabled: impl Fn(&Entry) -> bool,
        module_id: Option<&str>,
    ) -> Option<Found<'_>> {
        let fits = |entry: &&Entry| {
            let addressed = module_id.is_some_and(|id| id.starts_with(&format!("{}-", entry.module)));
            entry.method == method && enabled(entry) && (!entry.multiple || addressed)
        };
        // A client that sends `DELETE /locations/` has lost the id of one location; it does not mean all of them.
        let path = if method == Method::Delete { path } else { path.trim_end_matches('/') };
        if let Ok(matched) = self.router.at(path)
            && let Some(entry) = self.paths[*matched.value].iter().find(fits)
        {
            let parameters = matched.params.iter().map(|(_, value)| decode(value)).collect();
            return Some(Found { entry, parameters });
        }
        let segments: Vec<&str> = path.split('/').skip(1).collect();
        self.prefix_patterns.iter().find_map(|(pattern, place)| {
            let parameters = match_prefix(pattern, &segments)?;
            let entry = self.paths[*place].iter().find(fits)?;
            Some(Found { entry, parameters })
        })
    }

    /// All handlers of all modules, implemented or not.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.paths.iter().flatten()
    }
}

/// How a module writes JSON. Octavo's own routes of a FOLIO module answer in one line.
fn notation(module: Option<&'static Module>, path: &str) -> Notation {
    match module {
        Some(module) if !path.starts_with("/octavo/") => module.notation,
        _ => Notation::COMPACT,
    }
}

/// The module's own code for a route, which is used before any record type.
fn find_call(module: &'static Module, method: Method, route: &Route) -> Option<&'static Call> {
    module.calls.iter().find(|call| call.method == method && call.path == route.path)
}

/// What is done with records at a route, if it is one of a record type.
fn record_serve(module: &'static Module, method: Method, route: &Route) -> Serve {
    let path = route.path.trim_end_matches('*');
    for record in module.records {
        if path == record.path {
            return match method {
                Method::Get => Serve::List(record),
                Method::Post => Serve::Create(record),
                Method::Delete => Serve::DeleteWhere(record),
                Method::Put | Method::Patch => Serve::NotBuilt,
            };
        }
        let item = path.strip_prefix(record.path).and_then(|rest| rest.strip_prefix('/'));
        if item.is_some_and(|item| item.starts_with('{') && item.ends_with('}') && !item.contains('/')) {
            return match method {
                Method::Get => Serve::Get(record),
                Method::Put => Serve::Replace(record),
                Method::Delete => Serve::Delete(record),
                Method::Post | Method::Patch => Serve::NotBuilt,
            };
        }
    }
    Serve::NotBuilt
}

/// FOLIO's pattern as the router writes it: parameters numbered, so that different names at one place agree. Whether
/// more segments may follow.
fn router_pattern(pattern: &str) -> (String, bool) {
    let (base, tail) = match pattern.strip_suffix('*') {
        Some(base) => (base.trim_end_matches('/'), true),
        None => (pattern, false),
    };
    let mut path = String::new();
    let mut count = 0;
    for segment in base.split('/').skip(1) {
        path.push('/');
        if is_parameter(segment) {
            path.push_str(&format!("{{p{count}}}"));
            count += 1;
        } else {
            path.push_str(segment);
        }
    }
    (path, tail)
}

fn is_parameter(segment: &str) -> bool {
    segment.starts_with('{') && segment.ends_with('}')
}

/// The parameters' values, if the path begins with the pattern.
fn match_prefix(pattern: &[String], segments: &[&str]) -> Option<Vec<String>> {
    if segments.len() < pattern.len() {
        return None;
    }
    let mut parameters = Vec::new();
    for (wanted, segment) in pattern.iter().zip(segments) {
        match is_parameter(wanted) {
            true => parameters.push(decode(segment)),
            false if wanted == segment => {}
            false => return None,
        }
    }
    Some(parameters)
}

/// Decodes `%41`.
fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// 404 as Okapi words it since 5.1.0, without path and tenant.
pub(crate) fn no_module() -> Fault {
    Fault::text(404, "No suitable module found for path and tenant")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folios_patterns_become_the_routers() {
        assert_eq!(router_pattern("/users/{id}"), ("/users/{p0}".into(), false));
        assert_eq!(router_pattern("/groups/{id}*"), ("/groups/{p0}".into(), true));
        assert_eq!(router_pattern("/oa/settings/*"), ("/oa/settings".into(), true));
    }

    #[test]
    fn every_route_of_the_facts_is_found_at_its_own_path() {
        let facts = &octavo_modules_base::facts::FACTS;
        let table = RouteTable::new(facts, octavo_modules::MODULES);
        for entry in table.entries() {
            let path = entry.pattern.replace(['*', '{', '}'], "");
            let only = |candidate: &Entry| candidate.module == entry.module;
            let id = format!("{}-1", entry.module);
            let found = table.find(entry.method, &path, only, Some(&id)).expect(entry.pattern);
            assert_eq!((found.entry.module, found.entry.method), (entry.module, entry.method), "{path}");
        }
        let tail = table.find(Method::Get, "/groups/1/more/2", |_| true, None).unwrap();
        assert_eq!((tail.entry.pattern, tail.parameters), ("/groups/{id}*", vec!["1".to_owned()]));
    }

    #[test]
    fn percent_signs_are_decoded() {
        assert_eq!(decode("a%20b%C3%A4%zz%"), "a bä%zz%");
    }
}
