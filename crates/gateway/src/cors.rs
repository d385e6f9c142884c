//! Cross-origin requests of browsers, as Okapi answers them: any origin, the methods and headers that FOLIO's clients use.

use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request};

/// A browser that asks first.
pub(crate) fn is_preflight<B>(request: &Request<B>) -> bool {
    request.method() == Method::OPTIONS && request.headers().contains_key("origin")
}

pub(crate) fn preflight(origin: Option<&HeaderValue>, asked: Option<&HeaderValue>, to: &mut HeaderMap) {
    allow(origin, to);
    to.insert("access-control-allow-methods", HeaderValue::from_static("PUT,PATCH,DELETE,GET,POST"));
    let headers = asked.cloned().unwrap_or(HeaderValue::from_static(
        "Origin,Authorization,X-Okapi-Tenant,X-Okapi-Request-Id,X-Okapi-Module-Id,X-Okapi-Token,Content-Type,Accept",
    ));
    to.insert("access-control-allow-headers", headers);
    to.insert("access-control-max-age", HeaderValue::from_static("600"));
}

/// On every answer to a browser. Cookies are sent only where the origin is named.
pub(crate) fn allow(origin: Option<&HeaderValue>, to: &mut HeaderMap) {
    let Some(origin) = origin else { return };
    to.insert("access-control-allow-origin", origin.clone());
    to.insert("access-control-allow-credentials", HeaderValue::from_static("true"));
    to.insert(HeaderName::from_static("vary"), HeaderValue::from_static("origin"));
    to.insert(
        "access-control-expose-headers",
        HeaderValue::from_static("Location,X-Okapi-Trace,X-Okapi-Token,Authorization,X-Okapi-Request-Id"),
    );
}
