//! edge-rtac 2.7.2: availability for discovery systems that have no token. They send an API key and get XML or JSON. As with FOLIO's edge
//! module, the answer to a failure is one without holdings.

use std::cmp::Reverse;

use octavo_engine::{
    Context, EdgeCall, EdgeModule, EdgeRequest, EdgeRouteRequest, EdgeRouteRequestFuture, Method, Response,
};
use octavo_kernel::Fault;
use serde_json::{Value, json};

use super::xml;

pub(super) const EDGE: EdgeModule = EdgeModule {
    name: "edge-rtac",
    calls: &[call("/rtac/{id}"), call("/rtac"), call("/prod/rtac/folioRTAC")],
    render_response: adapt_response,
};

const fn call(path: &'static str) -> EdgeCall {
    EdgeCall { method: Method::Get, path, route: (Method::Post, "/rtac-batch"), make_request: ask }
}

/// The parameters of a client's request, from the path and the query.
#[derive(Debug)]
struct AvailabilityRequest<'a> {
    instances: Vec<&'a str>,
    /// Whether the client sends a list of instances instead of a single one.
    several: bool,
    as_xml: bool,
}

impl AvailabilityRequest<'_> {
    fn read(request: &EdgeRequest) -> Option<AvailabilityRequest<'_>> {
        let one = request.query("mms_id").or(request.parameters.first().map(String::as_str));
        let list = request.query("instanceIds");
        let several = one.is_none();
        let instances = one.or(list).unwrap_or_default().split(',').map(str::trim).collect();
        Some(AvailabilityRequest { instances, several, as_xml: prefers_xml(&request.accept)? })
    }
}

fn ask<'a>(_: &'a Context, request: &'a EdgeRequest) -> EdgeRouteRequestFuture<'a> {
    Box::pin(async move {
        let asked = AvailabilityRequest::read(request).ok_or_else(|| Fault::text(406, ""))?;
        let full_periodicals = request.query("fullPeriodicals") == Some("true");
        let body = json!({"instanceIds": asked.instances, "fullPeriodicals": full_periodicals});
        Ok(EdgeRouteRequest { body: body.to_string().into_bytes(), ..EdgeRouteRequest::default() })
    })
}

fn adapt_response(request: &EdgeRequest, answered: Response) -> Response {
    let Some(asked) = AvailabilityRequest::read(request) else {
        let text = format!("Unsupported media type: {}", request.accept);
        return Response { content_type: "text/xml", ..Response::text(406, text) };
    };
    let nothing = json!({"holdings": []});
    let text = match (answered.status, serde_json::from_slice::<Value>(&answered.body)) {
        (200, Ok(found)) => render_answer(&found, &asked),
        // No instance has such an id.
        (404, _) => render_answer(&nothing, &asked),
        _ => render_answer(&nothing, &AvailabilityRequest { several: true, ..asked }),
    };
    let content_type = if asked.as_xml { "application/xml" } else { "application/json" };
    Response { status: 200, content_type, body: text.into_bytes(), ..answered }
}

fn render_answer(found: &Value, asked: &AvailabilityRequest<'_>) -> String {
    let none = || json!({"instanceId": asked.instances.first(), "holdings": []});
    let one = || found["holdings"].get(0).cloned().unwrap_or_else(none);
    match (asked.several, asked.as_xml) {
        (true, true) => xml::instances(found),
        (true, false) => json!({"holdings": found["holdings"], "errors": found["errors"]}).to_string(),
        (false, true) => xml::holdings(&one()),
        (false, false) => one().to_string(),
    }
}

const XML: &[&str] = &["application/xml", "text/xml"];
const JSON: &[&str] = &["application/json"];

/// Whether the client prefers XML to JSON. XML if the client sends no preferences. `None` if it accepts neither.
fn prefers_xml(accept: &str) -> Option<bool> {
    if accept.trim().is_empty() {
        return Some(true);
    }
    let entries: Vec<(String, f64)> = accept.split(',').map(parse_entry).collect();
    // The most specific entry for a format counts (RFC 9110, 12.5.1); a weight of 0 says that the format is not accepted.
    let preference = |format: &[&str]| {
        let matching = entries.iter().enumerate().filter_map(|(place, (range, weight))| {
            Some((specificity(range, format)?, *weight, Reverse(place)))
        });
        let (_, weight, place) = matching.max_by(|one, other| {
            one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)).then(one.2.cmp(&other.2))
        })?;
        (weight > 0.0).then_some((weight, place))
    };
    match (preference(XML), preference(JSON)) {
        (None, None) => None,
        // Of equal preferences, the first one counts.
        (Some(xml), Some(json)) => Some(xml.0.total_cmp(&json.0).then(xml.1.cmp(&json.1)).is_ge()),
        (xml, _) => Some(xml.is_some()),
    }
}

/// The media range of an entry of `Accept` in lower case, and its weight.
fn parse_entry(entry: &str) -> (String, f64) {
    let mut parts = entry.split(';').map(str::trim);
    let range = parts.next().unwrap_or_default().to_ascii_lowercase();
    let weight = parts
        .find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q="))?.trim().parse().ok());
    (range, weight.unwrap_or(1.0))
}

/// How specifically a media range names one of these media types; `None` if it does not include any.
fn specificity(range: &str, format: &[&str]) -> Option<u8> {
    let family = range.strip_suffix("/*");
    let has_family = |kind: &&str| kind.split('/').next() == family;
    match range {
        "*/*" => Some(0),
        _ if family.is_some() => format.iter().any(has_family).then_some(1),
        _ => format.contains(&range).then_some(2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_client_likes_best_it_gets() {
        for (accept, expected) in [
            ("", Some(true)),
            ("*/*", Some(true)),
            ("application/json", Some(false)),
            ("text/xml, application/json", Some(true)),
            ("application/json, application/xml;q=0.9, */*;q=0.8", Some(false)),
            ("application/xml;q=0.5,application/json", Some(false)),
            ("text/html", None),
            ("text/*", Some(true)),
            ("application/*", Some(true)),
            ("application/json, */*", Some(false)),
            ("application/json;q=0.5, */*", Some(true)),
            // A weight of 0 excludes a format.
            ("application/xml;q=0", None),
            ("application/json; q=0.0", None),
            ("*/*;q=0", None),
            ("application/xml;q=0, application/json;q=0.1", Some(false)),
            ("application/xml;q=0, text/xml;q=0, */*", Some(false)),
            ("*/*, application/json;q=0", Some(true)),
            ("application/json;Q=0, application/*;q=0, text/xml", Some(true)),
            ("application/*;q=0, application/json", Some(false)),
        ] {
            assert_eq!(prefers_xml(accept), expected, "{accept}");
        }
    }
}
