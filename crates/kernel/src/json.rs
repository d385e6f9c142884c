//! JSON as text.

use serde_json::Value;

/// What most documents need.
const ROOM: usize = 2 << 10;

/// A value's text. `to_string` says the same through a formatter, piece by piece, and allocates on the way.
pub fn json_text(value: &Value) -> String {
    let mut text = Vec::with_capacity(ROOM);
    match serde_json::to_writer(&mut text, value) {
        Ok(()) => String::from_utf8(text).unwrap_or_else(|_| value.to_string()),
        Err(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::json_text;

    #[test]
    fn it_is_what_display_says() {
        let value = json!({"a": [1, 2.5, null, true], "b": {"c": "\"\u{0}é\n"}});
        assert_eq!(json_text(&value), value.to_string());
    }
}
