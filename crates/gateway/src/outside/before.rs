//! Filters: modules that requests pass before the handler takes them (phases `auth` and `pre`), and answers after it (`post`). They see
//! only requests that Octavo's own check has let in, and can only refuse more.

use std::time::Duration;

use hyper::body::Bytes;
use hyper::header::CONTENT_TYPE;
use octavo_kernel::{Fault, Outcome};
use octavo_remote::{Answered, Progress, whole};
use tokio::time::timeout;

use super::Taker;
use super::forward::{Passage, Passed, PassedBody};
use super::headers::{as_json, back};

/// What became of a request on its way through the filters before the handler.
pub(crate) enum Filtered {
    /// It goes on with this body.
    On(Bytes),
    /// A filter has answered it.
    Answered(Box<Passed>),
}

/// How long a module may take that only notes what passes.
const NOTING: Duration = Duration::from_secs(5);

fn is_after(taker: &Taker) -> bool {
    taker.entry.phase.as_deref() == Some("post")
}

/// The filters before the handler, which requires and desires these permissions.
pub(crate) async fn filter_request(
    passage: &mut Passage<'_>,
    filters: &[std::sync::Arc<Taker>],
    mut body: Bytes,
    (required, desired): (&[&str], &[String]),
    most: usize,
) -> Outcome<Filtered> {
    for taker in filters.iter().filter(|taker| !is_after(taker)) {
        let mut more = told(taker);
        if taker.entry.phase.as_deref() == Some("auth") {
            more.push(("x-okapi-permissions-required", required.join(",")));
            more.push(("x-okapi-permissions-desired", desired.join(",")));
        }
        let Some((answered, token)) = one(passage, taker, &body, &more, most).await? else { continue };
        let stops = answered.headers.contains_key("x-okapi-stop");
        if !(200..300).contains(&answered.status) || stops {
            let headers = back(&answered.headers, &token);
            let body = PassedBody::Whole(answered.body.into());
            return Ok(Filtered::Answered(Box::new(Passed { status: answered.status, headers, body })));
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
    Ok(Filtered::On(body))
}

/// The filters after the handler: they may change the body, and see status and headers.
pub(crate) async fn filter_answer(
    passage: &Passage<'_>,
    filters: &[std::sync::Arc<Taker>],
    (status, headers): (u16, hyper::HeaderMap),
    mut body: Bytes,
    most: usize,
) -> Outcome<Passed> {
    for taker in filters.iter().filter(|taker| is_after(taker)) {
        let mut more = told(taker);
        more.push(("x-okapi-handler-result", status.to_string()));
        more.push(("x-okapi-handler-headers", as_json(&headers)));
        let Some((answered, _)) = one(passage, taker, &body, &more, most).await? else { continue };
        if replaces_body(taker) {
            body = answered.body.into();
        }
    }
    Ok(Passed { status, headers, body: PassedBody::Whole(body) })
}

pub(crate) fn has_any_after(filters: &[std::sync::Arc<Taker>]) -> bool {
    filters.iter().any(|taker| is_after(taker))
}

fn told(taker: &Taker) -> Vec<(&'static str, String)> {
    let phase = taker.entry.phase.as_deref().unwrap_or("pre");
    vec![("x-okapi-filter", format!("{phase} {}", taker.entry.static_path()))]
}

fn replaces_body(taker: &Taker) -> bool {
    matches!(taker.entry.kind.as_deref(), None | Some("request-response" | "request-response-1.0" | "system"))
}

/// One filter's answer and token; `None` of one that only notes what passes.
async fn one(
    passage: &Passage<'_>,
    taker: &Taker,
    body: &Bytes,
    more: &[(&'static str, String)],
    most: usize,
) -> Outcome<Option<(Answered, String)>> {
    let kind = taker.entry.kind.as_deref().unwrap_or_default();
    let body = if kind == "headers" { Bytes::new() } else { body.clone() };
    let answering = async {
        let (answer, token) = passage.send(taker, whole(body), more, &Progress::default()).await?;
        let answered = answer.whole(most).await.map_err(|failure| {
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
            if !matches!(timeout(NOTING, answering).await, Ok(Ok(_))) {
                tracing::warn!(module = taker.module.id, "a module that notes requests did not answer");
            }
            Ok(None)
        }
        _ => answering.await.map(Some),
    }
}
