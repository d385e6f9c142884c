//! Availability as XML, in the elements of edge-rtac 2.7.2. Pure.

use octavo_kernel::Xml;
use serde_json::Value;

use crate::xml::write_value;

pub(super) fn instances(found: &Value) -> String {
    let mut out = Xml::document();
    out.element("instances", &[], |out| {
        for one in list(&found["holdings"]) {
            out.element("holdings", &[], |out| members_of_holdings(out, one));
        }
        if found["errors"].is_array() {
            out.element("errors", &[], |out| {
                list(&found["errors"]).iter().for_each(|error| write_value(out, "error", error));
            });
        }
    });
    out.into_text()
}

pub(super) fn holdings(one: &Value) -> String {
    let mut out = Xml::document();
    out.element("holdings", &[], |out| members_of_holdings(out, one));
    out.into_text()
}

fn members_of_holdings(out: &mut Xml, one: &Value) {
    write_value(out, "instanceId", &one["instanceId"]);
    for copy in list(&one["holdings"]) {
        write_value(out, "holding", copy);
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
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
        assert_eq!(
            instances(&json!({"holdings": []})),
            "<?xml version='1.0' encoding='UTF-8'?>\n<instances/>"
        );
        assert_eq!(
            holdings(&json!({"instanceId": "i"})),
            "<?xml version='1.0' encoding='UTF-8'?>\n<holdings><instanceId>i</instanceId></holdings>"
        );
    }
}
