//! JSON as text.

use serde::Serialize;

/// Bytes that are allocated at first: enough for the JSON text of most documents.
const INITIAL_CAPACITY: usize = 2 << 10;

/// Writes a value as JSON text. `Value::to_string` gives the same text through a formatter, piece by piece, with more allocations.
/// What cannot be written as JSON (a map whose keys are no texts) gives an empty text, which no reader takes for JSON.
pub fn json_text(value: &(impl Serialize + ?Sized)) -> String {
    let mut text = Vec::with_capacity(INITIAL_CAPACITY);
    let written = serde_json::to_writer(&mut text, value);
    written.ok().and_then(|()| String::from_utf8(text).ok()).unwrap_or_default()
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
