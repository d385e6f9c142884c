//! Availability as XML, in the elements of edge-rtac 2.7.2. Pure.

use serde_json::Value;

const PROLOG: &str = "<?xml version='1.0' encoding='UTF-8'?>\n";

pub(super) fn instances(found: &Value) -> String {
    let mut out = String::from(PROLOG);
    element(&mut out, "instances", |out| {
        for one in list(&found["holdings"]) {
            element(out, "holdings", |out| members_of_holdings(out, one));
        }
        if found["errors"].is_array() {
            element(out, "errors", |out| {
                list(&found["errors"]).iter().for_each(|error| value(out, "error", error));
            });
        }
    });
    out
}

pub(super) fn holdings(one: &Value) -> String {
    let mut out = String::from(PROLOG);
    element(&mut out, "holdings", |out| members_of_holdings(out, one));
    out
}

fn members_of_holdings(out: &mut String, one: &Value) {
    value(out, "instanceId", &one["instanceId"]);
    for copy in list(&one["holdings"]) {
        value(out, "holding", copy);
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// As in FOLIO, a list is an element with elements of the same name.
fn value(out: &mut String, name: &str, shown: &Value) {
    match shown {
        Value::Null => {}
        Value::Object(members) => {
            element(out, name, |out| members.iter().for_each(|(name, member)| value(out, name, member)));
        }
        Value::Array(elements) => {
            element(out, name, |out| elements.iter().for_each(|one| value(out, name, one)));
        }
        Value::String(text) => element(out, name, |out| escaped(out, text)),
        plain => element(out, name, |out| out.push_str(&plain.to_string())),
    }
}

fn element(out: &mut String, name: &str, inside: impl FnOnce(&mut String)) {
    out.push('<');
    out.push_str(name);
    let start = out.len();
    out.push('>');
    inside(out);
    if out.len() == start + 1 {
        out.truncate(start);
        out.push_str("/>");
        return;
    }
    out.push_str("</");
    out.push_str(name);
    out.push('>');
}

/// Escapes a text; characters that XML cannot contain are left out.
fn escaped(out: &mut String, text: &str) {
    for letter in text.chars() {
        match letter {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\t' | '\n' | '\r' => out.push(letter),
            control if control.is_control() => {}
            '\u{fffe}' | '\u{ffff}' => {}
            other => out.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn titles_copies_and_errors_are_elements() {
        let found = json!({
            "holdings": [{"instanceId": "i", "holdings": [{
                "id": "1", "callNumber": "A & <B>\u{0}", "library": {"code": "L"}, "totalHoldRequests": 2, "status": null,
                "holdingsStatements": [{"statement": "v.1"}], "holdingsStatementsForIndexes": [],
            }]}],
            "errors": [{"message": "m", "code": "404"}],
        });
        let text = instances(&found);
        for part in [
            "<instances><holdings><instanceId>i</instanceId><holding>",
            "<callNumber>A &amp; &lt;B&gt;</callNumber>",
            "<library><code>L</code></library>",
            "<totalHoldRequests>2</totalHoldRequests>",
            "<holdingsStatements><holdingsStatements><statement>v.1</statement></holdingsStatements></holdingsStatements>",
            "<holdingsStatementsForIndexes/>",
            "</holding></holdings><errors><error>",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(!text.contains("status"), "{text}");
        assert_eq!(instances(&json!({"holdings": []})), format!("{PROLOG}<instances/>"));
        assert_eq!(
            holdings(&json!({"instanceId": "i"})),
            format!("{PROLOG}<holdings><instanceId>i</instanceId></holdings>")
        );
    }
}
