//! Which headers go on to modules outside of this process, and which of theirs go back to clients.

use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Map, Value};

/// Headers that belong to one connection, or are written anew for the next.
const CONNECTION_HEADERS: [&str; 11] = [
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// The cookies that hold a user's tokens.
const TOKEN_COOKIES: [&str; 2] = ["folioAccessToken", "folioRefreshToken"];

/// The client's headers that a module gets. Headers that begin with `x-okapi-` are set by the gateway alone. The user's own token is not
/// forwarded: the module gets a token of its own.
pub(super) fn request_headers(of_client: &HeaderMap) -> HeaderMap {
    let mut onward = HeaderMap::with_capacity(of_client.len());
    for (name, value) in of_client {
        let kept_back = CONNECTION_HEADERS.contains(&name.as_str())
            || named_by_connection(of_client, name)
            || name.as_str().starts_with("x-okapi-")
            || name == "authorization";
        match name.as_str() {
            _ if kept_back => {}
            "cookie" => {
                if let Some(others) = other_cookies(value) {
                    onward.append(name.clone(), others);
                }
            }
            _ => {
                onward.append(name.clone(), value.clone());
            }
        }
    }
    onward
}

fn other_cookies(value: &HeaderValue) -> Option<HeaderValue> {
    let pairs = value.to_str().ok()?.split(';').map(str::trim);
    let is_other = |pair: &&str| !TOKEN_COOKIES.contains(&pair.split('=').next().unwrap_or_default().trim());
    let others: Vec<&str> = pairs.filter(|pair| !pair.is_empty()).filter(is_other).collect();
    if others.is_empty() { None } else { HeaderValue::from_str(&others.join("; ")).ok() }
}

/// Whether the header `connection` says that another belongs to the connection.
fn named_by_connection(headers: &HeaderMap, name: &HeaderName) -> bool {
    let values = headers.get_all("connection").iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|named| named.trim().eq_ignore_ascii_case(name.as_str()))
}

/// The headers of a module's answer that the client gets. Left out are headers between the gateway and modules, the module's token, and
/// those by which the gateway itself answers web pages (CORS).
pub(super) fn response_headers(of_module: &HeaderMap, token: &str) -> HeaderMap {
    const BETWEEN: [&str; 7] = [
        "x-okapi-module-tokens",
        "x-okapi-module-permissions",
        "x-okapi-permissions-required",
        "x-okapi-permissions-desired",
        "x-okapi-extra-permissions",
        "x-okapi-filter",
        "x-okapi-permissions",
    ];
    let mut back = HeaderMap::with_capacity(of_module.len());
    for (name, value) in of_module {
        let kept_back = CONNECTION_HEADERS.contains(&name.as_str())
            || BETWEEN.contains(&name.as_str())
            || named_by_connection(of_module, name)
            || name.as_str().starts_with("access-control-")
            || (name == "x-okapi-token" && value.as_bytes() == token.as_bytes());
        if !kept_back {
            back.append(name.clone(), value.clone());
        }
    }
    back
}

/// The headers as a JSON object, for filters after the handler.
pub(super) fn to_json(headers: &HeaderMap) -> String {
    let text = |value: &HeaderValue| value.to_str().ok().map(|text| Value::from(text.to_owned()));
    let pairs = headers.iter().filter_map(|(name, value)| Some((name.to_string(), text(value)?)));
    Value::Object(pairs.collect::<Map<_, _>>()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect()
    }

    fn names(headers: &HeaderMap) -> Vec<String> {
        let mut names: Vec<String> =
            headers.iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
        names.sort();
        names
    }

    #[test]
    fn tokens_and_what_is_the_gateways_to_say_stay_here() {
        let of_client = headers(&[
            ("accept", "text/plain"),
            ("authorization", "Bearer t"),
            ("x-okapi-token", "t"),
            ("x-okapi-permissions", "[\"x.all\"]"),
            ("x-okapi-user-id", "1"),
            ("cookie", "a=b; folioAccessToken=t; folioRefreshToken=u"),
            ("connection", "close, x-mine"),
            ("x-mine", "1"),
            ("transfer-encoding", "chunked"),
        ]);
        assert_eq!(names(&request_headers(&of_client)), ["accept: text/plain", "cookie: a=b"]);
        assert!(request_headers(&headers(&[("cookie", "folioAccessToken=t")])).is_empty());
    }

    #[test]
    fn a_modules_token_does_not_come_back() {
        let of_module = headers(&[
            ("content-type", "text/plain"),
            ("x-okapi-token", "t"),
            ("access-control-allow-origin", "*"),
            ("content-length", "3"),
        ]);
        assert_eq!(names(&response_headers(&of_module, "t")), ["content-type: text/plain"]);
        assert_eq!(
            names(&response_headers(&of_module, "u")),
            ["content-type: text/plain", "x-okapi-token: t"]
        );
    }
}
