//! Calls with an API key instead of a tenant and a token: FOLIO's edge modules, as far as modules declare them. They are answered at
//! Octavo's own address, so a path may be both a module's and an edge module's: the edge module is meant where a key is given, and
//! where neither a tenant nor a token is. Facts: edge-common 4.7.0 (`ApiKeyHelper`, `Handler`).

mod asking;

use hyper::http::request::Parts;
use octavo_engine::{Body, EdgeCall, EdgeModule, EdgeRequest, Method, Platform};
use percent_encoding::percent_decode_str;

use crate::headers::header_text;

/// A call of an edge module that a request makes.
pub(crate) struct EdgeFound {
    pub(crate) edge: &'static EdgeModule,
    call: &'static EdgeCall,
    key: Option<String>,
    request: EdgeRequest,
}

/// The edge modules that all modules declare.
pub(crate) fn edges(platform: &Platform) -> impl Iterator<Item = &'static EdgeModule> {
    platform.modules.iter().flat_map(|module| module.edges)
}

pub(crate) fn find(
    mut edges: impl Iterator<Item = &'static EdgeModule>,
    head: &Parts,
    query: &[(String, String)],
) -> Option<EdgeFound> {
    let key = query.iter().find(|(name, _)| is_key(name)).map(|(_, key)| key.as_str());
    let key = key.or_else(|| header_text(&head.headers, "authorization").and_then(key_from_header));
    if key.is_none() && names_tenant(head) {
        return None;
    }
    let method: Method = head.method.as_str().parse().ok()?;
    edges.find_map(|edge| {
        edge.calls.iter().filter(|call| call.method == method).find_map(|call| {
            let (parameters, in_path) = match_pattern(call.path, head.uri.path())?;
            let request = EdgeRequest {
                parameters,
                query: query.iter().filter(|(name, _)| !is_key(name)).cloned().collect(),
                accept: header_text(&head.headers, "accept").unwrap_or_default().to_owned(),
                body: Body::default(),
            };
            let key = key.map(str::to_owned).or(in_path).filter(|key| !key.is_empty());
            Some(EdgeFound { edge, call, key, request })
        })
    })
}

fn is_key(name: &str) -> bool {
    name.eq_ignore_ascii_case("apikey")
}

/// `apikey KEY`, or the key alone. A token has dots.
fn key_from_header(value: &str) -> Option<&str> {
    match value.trim().split_once(' ') {
        Some((kind, key)) => kind.eq_ignore_ascii_case("apikey").then(|| key.trim()),
        None => Some(value.trim()).filter(|key| !key.contains('.')),
    }
}

/// Whether the client states its tenant: by a tenant header, a token or a cookie. Such a request is for a module and not for an edge
/// module.
fn names_tenant(head: &Parts) -> bool {
    ["x-okapi-tenant", "x-okapi-token", "authorization", "cookie"]
        .iter()
        .any(|name| head.headers.contains_key(*name))
}

const KEY_IN_PATH: &str = "{apiKeyPath}";

/// The parameters in a path that fits a pattern, and the key among them.
fn match_pattern(pattern: &str, path: &str) -> Option<(Vec<String>, Option<String>)> {
    let (mut parameters, mut key) = (Vec::new(), None);
    let mut segments = path_segments(path);
    for wanted in path_segments(pattern) {
        let segment = segments.next()?;
        let decoded = || percent_decode_str(segment).decode_utf8_lossy().into_owned();
        match wanted {
            KEY_IN_PATH => key = Some(decoded()),
            _ if wanted.starts_with('{') => parameters.push(decoded()),
            _ if wanted == segment => {}
            _ => return None,
        }
    }
    segments.next().is_none().then_some((parameters, key))
}

/// The segments of a path. Two slashes count as one, as with FOLIO's edge modules that stand on Spring.
fn path_segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|segment| !segment.is_empty())
}

/// The path as it may be written to the log: without the key.
pub(crate) fn without_key(edges: impl Iterator<Item = &'static EdgeModule>, path: &str) -> &str {
    let patterns = edges.flat_map(|edge| edge.calls).map(|call| call.path);
    let mut with_key = patterns.filter(|pattern| pattern.contains(KEY_IN_PATH));
    match with_key.find(|pattern| match_pattern(pattern, path).is_some()) {
        Some(pattern) => pattern,
        None => path,
    }
}

#[cfg(test)]
mod tests {
    use octavo_engine::{Context, EdgeRouteRequest};
    use octavo_modules::MODULES;
    use octavo_modules_base::facts::FACTS;

    use super::*;

    const fn call(method: Method, path: &'static str) -> EdgeCall {
        let ask = |_: &Context, _: &EdgeRequest| -> octavo_engine::EdgeRouteRequestFuture<'_> {
            Box::pin(async { Ok(EdgeRouteRequest::default()) })
        };
        EdgeCall { method, path, route: (method, "/things/{id}"), make_request: ask }
    }

    static EDGE: EdgeModule = EdgeModule {
        name: "edge-things",
        calls: &[
            call(Method::Get, "/things/{id}"),
            call(Method::Put, "/things/{id}"),
            call(Method::Get, "/records/{apiKeyPath}/{id}"),
        ],
        render_response: |_, answered| answered,
    };

    /// The key, and the parameters, of a request that is an edge module's.
    fn find_edge_call(method: &str, uri: &str, headers: &[(&str, &str)]) -> Option<(String, Vec<String>)> {
        let request = hyper::Request::builder().method(method).uri(uri);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let (head, ()) = request.body(()).unwrap().into_parts();
        let query: Vec<(String, String)> =
            form_urlencoded::parse(head.uri.query().unwrap_or_default().as_bytes()).into_owned().collect();
        let found = find([&EDGE].into_iter(), &head, &query)?;
        assert!(found.request.query.iter().all(|(name, _)| name == "a"), "{:?}", found.request.query);
        Some((found.key.unwrap_or_default(), found.request.parameters))
    }

    #[test]
    fn a_request_with_a_key_or_without_tenant_and_token_is_an_edge_modules() {
        const TENANT: (&str, &str) = ("x-okapi-tenant", "t");
        let cases: &[(&str, &str, &[(&str, &str)], Option<&str>)] = &[
            ("GET", "/things/1?apikey=k%3D&a=1", &[], Some("k=")),
            ("GET", "/things/1/?apiKey=k", &[TENANT], Some("k")),
            ("GET", "/things//1?apikey=k", &[], Some("k")),
            ("PUT", "/things/1", &[TENANT, ("authorization", "ApiKey k=")], Some("k=")),
            ("PUT", "/things/1", &[("authorization", "k=")], Some("k=")),
            ("GET", "/things/1", &[], Some("")),
            ("GET", "/things/1?apikey=", &[TENANT], Some("")),
            ("GET", "/records/k%3D/1", &[], Some("k=")),
            ("GET", "//things//1?apikey=k", &[], Some("k")),
            ("GET", "/things/1", &[TENANT], None),
            ("GET", "/things/1", &[("x-okapi-token", "a.b.c")], None),
            ("GET", "/things/1", &[("authorization", "Bearer a.b.c")], None),
            ("GET", "/things/1", &[("authorization", "a.b.c")], None),
            ("GET", "/things/1", &[("cookie", "folioAccessToken=a.b.c")], None),
            ("POST", "/things/1?apikey=k", &[], None),
            ("GET", "/things?apikey=k", &[], None),
            ("GET", "/things/?apikey=k", &[], None),
            ("GET", "/things/1/2?apikey=k", &[], None),
            ("GET", "/other/1?apikey=k", &[], None),
        ];
        for (method, uri, headers, key) in cases {
            let key = key.map(|key| (key.to_owned(), vec!["1".to_owned()]));
            assert_eq!(find_edge_call(method, uri, headers), key, "{method} {uri} {headers:?}");
        }
    }

    #[test]
    fn a_key_in_a_path_is_not_logged() {
        let logged = |path| without_key([&EDGE].into_iter(), path);
        assert_eq!(logged("/records/secret/1"), "/records/{apiKeyPath}/{id}");
        assert_eq!(logged("/things/1"), "/things/1");
    }

    #[test]
    fn every_route_that_an_edge_module_calls_is_a_fact() {
        for edge in MODULES.iter().flat_map(|module| module.edges) {
            for EdgeCall { path, route: (method, pattern), .. } in edge.calls {
                let route = FACTS.route(*method, pattern);
                assert!(route.is_some_and(|route| !route.required.is_empty()), "{} {path}", edge.name);
            }
        }
    }
}
