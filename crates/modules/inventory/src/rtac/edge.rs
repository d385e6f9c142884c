//! edge-rtac 2.7.2: availability for discovery systems that have no token. They send an API key and get XML or JSON. As with FOLIO's edge
//! module, the answer to a failure is one without holdings.

use octavo_engine::{Context, Edge, EdgeAsk, EdgeAsking, EdgeCall, EdgeRequest, Method, Response};
use octavo_kernel::Fault;
use serde_json::{Value, json};

use super::xml;

pub(super) const EDGE: Edge = Edge {
    name: "edge-rtac",
    calls: &[call("/rtac/{id}"), call("/rtac"), call("/prod/rtac/folioRTAC")],
    shown,
};

const fn call(path: &'static str) -> EdgeCall {
    EdgeCall { method: Method::Get, path, route: (Method::Post, "/rtac-batch"), ask }
}

/// What a client asks for, by path or by query.
#[derive(Debug)]
struct Asked<'a> {
    instances: Vec<&'a str>,
    /// Whether several instances are asked for by a list, or one by the path.
    several: bool,
    as_xml: bool,
}

impl Asked<'_> {
    fn read(request: &EdgeRequest) -> Option<Asked<'_>> {
        let one = request.query("mms_id").or(request.parameters.first().map(String::as_str));
        let list = request.query("instanceIds");
        let several = one.is_none();
        let instances = one.or(list).unwrap_or_default().split(',').map(str::trim).collect();
        Some(Asked { instances, several, as_xml: as_xml(&request.accept)? })
    }
}

fn ask<'a>(_: &'a Context, request: &'a EdgeRequest) -> EdgeAsking<'a> {
    Box::pin(async move {
        let asked = Asked::read(request).ok_or_else(|| Fault::text(406, ""))?;
        let full_periodicals = request.query("fullPeriodicals") == Some("true");
        let body = json!({"instanceIds": asked.instances, "fullPeriodicals": full_periodicals});
        Ok(EdgeAsk { body: body.to_string().into_bytes(), ..EdgeAsk::default() })
    })
}

fn shown(request: &EdgeRequest, answered: Response) -> Response {
    let Some(asked) = Asked::read(request) else {
        return Response::text(406, format!("Unsupported media type: {}", request.accept));
    };
    let nothing = json!({"holdings": []});
    let text = match (answered.status, serde_json::from_slice::<Value>(&answered.body)) {
        (200, Ok(found)) => found_shown(&found, &asked),
        // No instance has such an id.
        (404, _) => found_shown(&nothing, &asked),
        _ => found_shown(&nothing, &Asked { several: true, ..asked }),
    };
    let content_type = if asked.as_xml { "application/xml" } else { "application/json" };
    Response { status: 200, content_type, body: text.into_bytes(), ..answered }
}

fn found_shown(found: &Value, asked: &Asked<'_>) -> String {
    let one = || found["holdings"].get(0).cloned().unwrap_or(json!({"instanceId": asked.instances.first()}));
    match (asked.several, asked.as_xml) {
        (true, true) => xml::instances(found),
        (true, false) => found.to_string(),
        (false, true) => xml::holdings(&one()),
        (false, false) => one().to_string(),
    }
}

/// Whether the client prefers XML, which is also the default.
fn as_xml(accept: &str) -> Option<bool> {
    let mut liked: Vec<(f64, bool)> = Vec::new();
    for entry in accept.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
        let mut parts = entry.split(';').map(str::trim);
        let kind = parts.next().unwrap_or_default().to_ascii_lowercase();
        let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse().ok()).unwrap_or(1.0);
        match kind.as_str() {
            "*/*" | "application/*" | "text/*" | "application/xml" | "text/xml" => liked.push((weight, true)),
            "application/json" => liked.push((weight, false)),
            _ => {}
        }
    }
    if accept.trim().is_empty() {
        return Some(true);
    }
    // Of equal preferences, the first one counts.
    liked.into_iter().rev().max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, as_xml)| as_xml)
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
        ] {
            assert_eq!(as_xml(accept), expected, "{accept}");
        }
    }
}
