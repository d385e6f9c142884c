//! Serves the desk's files under `/desk`, and redirects a browser that asks for `/` there. To a client that does not ask for a page,
//! `/` is a path of FOLIO's interface.

use std::borrow::Cow;

use hyper::body::Bytes;
use hyper::header::{HeaderMap, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};

use crate::outgoing::ResponseBody;

pub(crate) fn answer<B>(request: &Request<B>) -> Option<Response<ResponseBody>> {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return None;
    }
    let path = request.uri().path();
    if path == "/" && header_lists(request.headers(), "accept", "text/html") {
        return Some(redirect_to_desk());
    }
    let below =
        path.strip_prefix(octavo_desk::ROOT).filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
    let known = request.headers().get("if-none-match").and_then(|value| value.to_str().ok());
    let file = octavo_desk::find_file(below, header_lists(request.headers(), "accept-encoding", "br"), known);
    let body = match file.body {
        Cow::Borrowed(carried) => Bytes::from_static(carried),
        Cow::Owned(read) => Bytes::from(read),
    };
    let mut reply = Response::new(ResponseBody::from_bytes(body));
    *reply.status_mut() = StatusCode::from_u16(file.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    for (name, value) in file.headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            reply.headers_mut().insert(name, value);
        }
    }
    Some(reply)
}

fn redirect_to_desk() -> Response<ResponseBody> {
    let mut reply = Response::new(ResponseBody::default());
    *reply.status_mut() = StatusCode::SEE_OTHER;
    reply.headers_mut().insert("location", HeaderValue::from_static(octavo_desk::ROOT));
    reply
}

/// Whether a header of the form `a, b;q=0.5` has this among its values.
fn header_lists(headers: &HeaderMap, name: &'static str, wanted: &str) -> bool {
    let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|one| {
        let mut parts = one.split(';').map(str::trim);
        parts.next() == Some(wanted) && !parts.any(|part| matches!(part, "q=0" | "q=0.0"))
    })
}
