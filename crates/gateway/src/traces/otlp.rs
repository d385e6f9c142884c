//! Traces as a collector takes them: OTLP 1.x as JSON, with names of OpenTelemetry's semantic conventions where there are any.

use octavo_pg::Step;
use serde_json::{Value, json};

use super::Trace;

/// The kinds of spans and the state of an error, by the protocol's numbers.
const INTERNAL: u8 = 1;
const SERVER: u8 = 2;
const CLIENT: u8 = 3;
const ERROR: u8 = 2;

/// The body of one call of the collector.
pub(super) fn to_json(traces: &[Trace], instance: &str) -> Value {
    let spans: Vec<Value> = traces.iter().flat_map(spans).collect();
    let version = env!("CARGO_PKG_VERSION");
    json!({"resourceSpans": [{
        "resource": {"attributes": [
            text_attribute("service.name", "octavo"), text_attribute("service.version", version), text_attribute("service.instance.id", instance),
        ]},
        "scopeSpans": [{"scope": {"name": "octavo", "version": version}, "spans": spans}],
    }]})
}

/// The rejected spans that a collector's answer names.
pub(super) fn rejected_spans(answer: &[u8]) -> u64 {
    let answer: Value = serde_json::from_slice(answer).unwrap_or_default();
    match &answer["partialSuccess"]["rejectedSpans"] {
        Value::String(number) => number.parse().unwrap_or(0),
        number => number.as_u64().unwrap_or(0),
    }
}

fn spans(trace: &Trace) -> Vec<Value> {
    let mut spans = vec![request_span(trace)];
    spans.extend(trace.steps.iter().enumerate().map(|(at, step)| step_span(trace, at, step)));
    spans
}

fn request_span(trace: &Trace) -> Value {
    let mut attributes = vec![
        text_attribute("http.request.method", &trace.method),
        number_attribute("http.response.status_code", u64::from(trace.status)),
        text_attribute("octavo.request_id", &trace.request_id),
    ];
    attributes.extend(trace.route.map(|route| text_attribute("http.route", route)));
    attributes.extend(trace.module.map(|module| text_attribute("octavo.module", module)));
    attributes.extend(trace.tenant.as_deref().map(|tenant| text_attribute("octavo.tenant", tenant)));
    attributes.extend(
        (trace.steps_left_out > 0).then(|| number_attribute("octavo.steps_left_out", trace.steps_left_out)),
    );
    let name = trace.route.map_or_else(|| trace.method.clone(), |route| format!("{} {route}", trace.method));
    let begun = trace.position.at.as_nanosecond();
    let mut span = json!({
        "traceId": format!("{:032x}", trace.position.trace), "spanId": hex(trace.position.span), "name": name,
        "kind": SERVER, "startTimeUnixNano": begun.to_string(),
        "endTimeUnixNano": (begun + trace.took.as_nanos().cast_signed()).to_string(), "attributes": attributes,
    });
    if let Some(parent) = trace.position.parent {
        span["parentSpanId"] = Value::from(hex(parent));
    }
    if trace.status >= 500 {
        span["status"] = json!({"code": ERROR});
    }
    span
}

fn step_span(trace: &Trace, at: usize, step: &Step) -> Value {
    let is_sql = step.name == Step::DATABASE;
    let around = trace
        .steps
        .iter()
        .position(|one| is_sql && one.name != Step::DATABASE && one.contains_start_of(step));
    let parent = around.map_or(trace.position.span, |around| step_id(trace, around));
    let begun = trace.position.at.as_nanosecond()
        + step.begun.saturating_duration_since(trace.begun).as_nanos().cast_signed();
    let attributes = match is_sql {
        true => vec![
            text_attribute("db.system.name", "postgresql"),
            number_attribute("octavo.statements", step.statements as u64),
            number_attribute("octavo.rows", step.rows as u64),
        ],
        false => Vec::new(),
    };
    json!({
        "traceId": format!("{:032x}", trace.position.trace), "spanId": hex(step_id(trace, at)), "parentSpanId": hex(parent),
        "name": step.name, "kind": if is_sql { CLIENT } else { INTERNAL }, "startTimeUnixNano": begun.to_string(),
        "endTimeUnixNano": (begun + step.took.as_nanos().cast_signed()).to_string(), "attributes": attributes,
    })
}

/// The id of a step's span: that of the request's span plus a multiple of an odd number, so that no two are the same.
fn step_id(trace: &Trace, at: usize) -> u64 {
    const TURN: u64 = 0x9e37_79b9_7f4a_7c15;
    let id = trace.position.span.wrapping_add(TURN.wrapping_mul(at as u64 + 1));
    if id == 0 { u64::MAX } else { id }
}

fn hex(id: u64) -> String {
    format!("{id:016x}")
}

fn text_attribute(key: &str, value: &str) -> Value {
    json!({"key": key, "value": {"stringValue": value}})
}

fn number_attribute(key: &str, value: u64) -> Value {
    // 64-bit numbers are texts in the protocol's JSON.
    json!({"key": key, "value": {"intValue": value.to_string()}})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_collector_rejects_is_counted() {
        for (answer, count) in [
            (r#"{"partialSuccess":{"rejectedSpans":"5","errorMessage":"no"}}"#, 5),
            (r#"{"partialSuccess":{"rejectedSpans":7}}"#, 7),
            (r#"{"partialSuccess":{}}"#, 0),
            ("", 0),
        ] {
            assert_eq!(rejected_spans(answer.as_bytes()), count, "{answer}");
        }
    }
}
