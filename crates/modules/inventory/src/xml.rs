//! JSON written as XML, as FOLIO's edge modules do.

use serde_json::Value;

pub(crate) const PROLOG: &str = "<?xml version='1.0' encoding='UTF-8'?>\n";

/// As in FOLIO, a list is an element with elements of the same name.
pub(crate) fn value(out: &mut String, name: &str, shown: &Value) {
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

pub(crate) fn element(out: &mut String, name: &str, inside: impl FnOnce(&mut String)) {
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
