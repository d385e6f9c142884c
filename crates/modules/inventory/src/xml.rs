//! Writes JSON as XML in the way of FOLIO's edge modules.

use octavo_kernel::Xml;
use serde_json::Value;

/// As in FOLIO, a list is an element with elements of the same name.
pub(crate) fn write_value(out: &mut Xml, name: &str, shown: &Value) {
    match shown {
        Value::Null => {}
        Value::Object(members) => {
            out.element(name, &[], |out| {
                members.iter().for_each(|(name, member)| write_value(out, name, member));
            });
        }
        Value::Array(elements) => {
            out.element(name, &[], |out| elements.iter().for_each(|one| write_value(out, name, one)));
        }
        Value::String(text) => out.leaf(name, text),
        plain => out.leaf(name, &plain.to_string()),
    }
}
