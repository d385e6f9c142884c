//! Filters: outside modules that get a request before the handler (phases `auth` and `pre`) or its answer afterwards (`post`). They get
//! only requests that Octavo's own check has admitted, and can only refuse more.

use std::time::Duration;

use hyper::body::Bytes;
use hyper::header::CONTENT_TYPE;
use octavo_kernel::{Fault, Outcome};
use octavo_remote::{FullAnswer, Progress, full_body};
use tokio::time::timeout;

use super::ModuleRoute;
use super::forward::{ForwardedAnswer, ForwardedBody, Forwarding};
use super::headers::{response_headers, to_json};

/// What became of a request on its way through the filters before the handler.
pub(crate) enum Filtered {
    /// The request goes on to the handler, with this body.
    Continue(Bytes),
    /// A filter has answered it.
    Answered(Box<ForwardedAnswer>),
}

/// How long a filter that only logs requests (`request-log`) may take.
const LOG_TIMEOUT: Duration = Duration::from_secs(5);

fn is_response_filter(taker: &ModuleRoute) -> bool {
    taker.entry.phase.as_deref() == Some("post")
}

/// Sends the request through the filters before the handler. `required` and `desired` are the handler's permissions.
pub(crate) async fn filter_request(
    passage: &mut Forwarding<'_>,
    filters: &[std::sync::Arc<ModuleRoute>],
    mut body: Bytes,
    (required, desired): (&[&str], &[String]),
    most: usize,
) -> Outcome<Filtered> {
    for taker in filters.iter().filter(|taker| !is_response_filter(taker)) {
        let mut more = filter_headers(taker);
        if taker.entry.phase.as_deref() == Some("auth") {
            more.push(("x-okapi-permissions-required", required.join(",")));
            more.push(("x-okapi-permissions-desired", desired.join(",")));
        }
        let Some((answered, token)) = call_filter(passage, taker, &body, &more, most).await? else {
            continue;
        };
        let stops = answered.headers.contains_key("x-okapi-stop");
        if !(200..300).contains(&answered.status) || stops {
            let headers = response_headers(&answered.headers, &token);
            let body = ForwardedBody::Whole(answered.body.into());
            return Ok(Filtered::Answered(Box::new(ForwardedAnswer {
                status: answered.status,
                headers,
                body,
            })));
        }
        for (name, value) in &answered.headers {
            if name.as_str().starts_with("x-") && !name.as_str().starts_with("x-okapi-") {
                passage.headers.insert(name, value.clone());
            }
        }
        if replaces_body(taker) {
            if let Some(content_type) = answered.headers.get(CONTENT_TYPE) {
                passage.headers.insert(CONTENT_TYPE, content_type.clone());
            }
            body = answered.body.into();
        }
    }
    Ok(Filtered::Continue(body))
}

/// Sends the answer through the filters after the handler. They get status and headers, and may change the body.
pub(crate) async fn filter_answer(
    passage: &Forwarding<'_>,
    filters: &[std::sync::Arc<ModuleRoute>],
    (status, headers): (u16, hyper::HeaderMap),
    mut body: Bytes,
    most: usize,
) -> Outcome<ForwardedAnswer> {
    for taker in filters.iter().filter(|taker| is_response_filter(taker)) {
        let mut more = filter_headers(taker);
        more.push(("x-okapi-handler-result", status.to_string()));
        more.push(("x-okapi-handler-headers", to_json(&headers)));
        let Some((answered, _)) = call_filter(passage, taker, &body, &more, most).await? else { continue };
        if replaces_body(taker) {
            body = answered.body.into();
        }
    }
    Ok(ForwardedAnswer { status, headers, body: ForwardedBody::Whole(body) })
}

pub(crate) fn has_response_filter(filters: &[std::sync::Arc<ModuleRoute>]) -> bool {
    filters.iter().any(|taker| is_response_filter(taker))
}

fn filter_headers(taker: &ModuleRoute) -> Vec<(&'static str, String)> {
    let phase = taker.entry.phase.as_deref().unwrap_or("pre");
    vec![("x-okapi-filter", format!("{phase} {}", taker.entry.static_path()))]
}

fn replaces_body(taker: &ModuleRoute) -> bool {
    matches!(taker.entry.kind.as_deref(), None | Some("request-response" | "request-response-1.0" | "system"))
}

/// The answer of one filter, and the module token that it was sent; `None` for a filter that only logs requests.
async fn call_filter(
    passage: &Forwarding<'_>,
    taker: &ModuleRoute,
    body: &Bytes,
    more: &[(&'static str, String)],
    most: usize,
) -> Outcome<Option<(FullAnswer, String)>> {
    let kind = taker.entry.kind.as_deref().unwrap_or_default();
    let body = if kind == "headers" { Bytes::new() } else { body.clone() };
    let answering = async {
        let (answer, token) = passage.send(taker, full_body(body), more, &Progress::default()).await?;
        let answered = answer.read_to_end(most).await.map_err(|failure| {
            Fault::text(502, format!("proxyClient failure: {}: {failure}", taker.module.id))
        })?;
        Ok((answered, token))
    };
    match kind {
        "redirect" | "internal" => {
            let message = format!("Filters of type {kind} are not built in Octavo: {}", taker.module.id);
            Err(Fault::text(501, message))
        }
        "request-log" => {
            if !matches!(timeout(LOG_TIMEOUT, answering).await, Ok(Ok(_))) {
                tracing::warn!(module = taker.module.id, "a module that notes requests did not answer");
            }
            Ok(None)
        }
        _ => answering.await.map(Some),
    }
}
