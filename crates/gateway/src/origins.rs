//! Which web pages may use the server. A browser sends requests for any page that it shows, with the cookies of whoever sits
//! before it, and says in `Origin` or `Sec-Fetch-Site` whose page it was; and a page can give its own host name this server's
//! address. So pages of the server itself and of listed origins are answered, and requests to listed host names.
//!
//! Programs that are no browsers send neither header, and are answered. To pages that are let in it says what Okapi says: the
//! methods and headers that FOLIO's clients use.

use std::net::IpAddr;

use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request};
use octavo_kernel::{Fault, Outcome};

use crate::clients::Client;
use crate::limits::TrustSettings;

/// Whether the request is the one that a browser sends before another (CORS preflight).
pub(crate) fn is_preflight<B>(request: &Request<B>) -> bool {
    request.method() == Method::OPTIONS && request.headers().contains_key("origin")
}

/// The origin of the web page that sent the request, if a page did. An error if that page may not use this server (403), or if the request
/// is for a host name that is not this server's (421).
pub(crate) fn admit<B>(
    request: &Request<B>,
    client: &Client,
    trust: &TrustSettings,
) -> Outcome<Option<HeaderValue>> {
    let headers = request.headers();
    let host = headers.get("host").map(|host| host.to_str().unwrap_or_default());
    let named = request.uri().authority().map(|authority| authority.as_str()).into_iter().chain(host);
    if !named.clone().all(|host| is_own_host(host_name(host), &trust.allowed_hosts)) {
        let message =
            "No such host here: the names that this server answers to are in the setting allowed-hosts";
        return Err(Fault::text(421, message));
    }
    let Some(origin) = headers.get("origin") else {
        let elsewhere =
            headers.get("sec-fetch-site").is_some_and(|site| site != "same-origin" && site != "none");
        let reads = [Method::GET, Method::HEAD, Method::OPTIONS].contains(request.method());
        return if elsewhere && !reads { Err(foreign_origin()) } else { Ok(None) };
    };
    let text = origin.to_str().unwrap_or_default();
    let listed = || trust.allowed_origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(text));
    if is_own_origin(text, host, client) || listed() {
        Ok(Some(origin.clone()))
    } else {
        Err(foreign_origin())
    }
}

fn foreign_origin() -> Fault {
    Fault::text(
        403,
        "Pages of this origin may not use this server: the setting allowed-origins lists those that may",
    )
}

/// The server's own pages: scheme, name and port of the origin are those that the request was sent to.
fn is_own_origin(origin: &str, host: Option<&str>, client: &Client) -> bool {
    let of = |scheme| {
        origin.strip_prefix(scheme).filter(|rest| host.is_some_and(|host| host.eq_ignore_ascii_case(rest)))
    };
    let (plain, encrypted) = (of("http://").is_some(), of("https://").is_some());
    match client.is_encrypted {
        Some(true) => encrypted,
        Some(false) => plain,
        // A proxy that does not state the scheme: both are accepted.
        None => plain || encrypted,
    }
}

/// The host name without the port.
fn host_name(host: &str) -> &str {
    let end = match host.starts_with('[') {
        true => host.find(']').map(|at| at + 1),
        false => host.find(':'),
    };
    &host[..end.unwrap_or(host.len())]
}

/// Whether a host name is this server's. Addresses and `localhost` always are: no foreign page has such a host name.
fn is_own_host(name: &str, allowed: &[String]) -> bool {
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    let listed = |name: &str| allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(name));
    name.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok() || listed(name)
}

pub(crate) fn add_preflight_headers(
    origin: Option<&HeaderValue>,
    asked: Option<&HeaderValue>,
    to: &mut HeaderMap,
) {
    add_cors_headers(origin, to);
    to.insert("access-control-allow-methods", HeaderValue::from_static("PUT,PATCH,DELETE,GET,POST"));
    let headers = asked.cloned().unwrap_or(HeaderValue::from_static(
        "Origin,Authorization,X-Okapi-Tenant,X-Okapi-Request-Id,X-Okapi-Module-Id,X-Okapi-Token,Content-Type,Accept",
    ));
    to.insert("access-control-allow-headers", headers);
    to.insert("access-control-max-age", HeaderValue::from_static("7200"));
}

/// Adds the headers that every answer to an allowed page needs. Browsers send cookies only if the answer names the origin.
pub(crate) fn add_cors_headers(origin: Option<&HeaderValue>, to: &mut HeaderMap) {
    let Some(origin) = origin else { return };
    to.insert("access-control-allow-origin", origin.clone());
    to.insert("access-control-allow-credentials", HeaderValue::from_static("true"));
    to.insert(HeaderName::from_static("vary"), HeaderValue::from_static("origin"));
    to.insert(
        "access-control-expose-headers",
        HeaderValue::from_static(
            "Location,ETag,X-Okapi-Trace,X-Okapi-Token,Authorization,X-Okapi-Request-Id,X-Okapi-Module-Id,X-Octavo-Position",
        ),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The status with which it is refused; 200 where it is not.
    fn admit_status(method: &str, pairs: &[(&'static str, &str)], is_encrypted: Option<bool>) -> u16 {
        let mut request = Request::builder().method(method).uri("/users");
        for (name, value) in pairs {
            request = request.header(*name, *value);
        }
        let doors = TrustSettings {
            allowed_origins: vec!["http://localhost:3000".to_owned()],
            allowed_hosts: vec!["folio.example.org".to_owned()],
            ..TrustSettings::default()
        };
        let client = Client { address: [127, 0, 0, 1].into(), is_local: false, is_encrypted };
        admit(&request.body(()).unwrap(), &client, &doors).map_or_else(|fault| fault.status, |_| 200)
    }

    #[test]
    fn only_own_pages_and_listed_ones_may_ask() {
        let ours = ("host", "folio.example.org");
        for (origin, encrypted, expected) in [
            ("https://folio.example.org", None, 200),
            ("http://folio.example.org", None, 200),
            ("https://folio.example.org", Some(true), 200),
            ("http://folio.example.org", Some(true), 403),
            ("https://folio.example.org", Some(false), 403),
            ("https://folio.example.org:8443", None, 403),
            ("http://localhost:3000", Some(true), 200),
            ("http://localhost:3001", None, 403),
            ("https://folio.example.org.evil.example", None, 403),
            ("https://evil.example", None, 403),
            ("null", None, 403),
            ("", None, 403),
        ] {
            for method in ["GET", "POST", "OPTIONS"] {
                assert_eq!(
                    admit_status(method, &[ours, ("origin", origin)], encrypted),
                    expected,
                    "{method} {origin}"
                );
            }
        }
    }

    #[test]
    fn a_change_that_a_browser_sends_for_another_site_is_refused_without_an_origin_too() {
        for (site, get, post) in
            [("cross-site", 200, 403), ("same-site", 200, 403), ("same-origin", 200, 200), ("none", 200, 200)]
        {
            let pairs = [("host", "127.0.0.1:9130"), ("sec-fetch-site", site)];
            assert_eq!(
                (admit_status("GET", &pairs, None), admit_status("POST", &pairs, None)),
                (get, post),
                "{site}"
            );
        }
        assert_eq!(admit_status("DELETE", &[("host", "127.0.0.1:9130")], None), 200);
    }

    #[test]
    fn a_host_name_is_listed_or_none() {
        for (host, expected) in [
            ("folio.example.org", 200),
            ("FOLIO.example.org:9130", 200),
            ("localhost:9130", 200),
            ("127.0.0.1", 200),
            ("[::1]:9130", 200),
            ("evil.example:9130", 421),
            ("localhost.evil.example", 421),
            ("127.0.0.1.evil.example", 421),
            ("", 421),
        ] {
            assert_eq!(admit_status("GET", &[("host", host)], None), expected, "{host}");
        }
        assert_eq!(admit_status("GET", &[], None), 200);
    }
}
