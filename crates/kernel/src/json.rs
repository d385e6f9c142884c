//! JSON as text.

use serde::Serialize;

/// What most documents need.
const ROOM: usize = 2 << 10;

/// The text of anything that is written as JSON. `to_string` of a value says the same through a formatter, piece by piece, and
/// allocates on the way. Empty, which nobody takes for JSON, for what cannot be written: maps whose keys are no text.
pub fn json_text(value: &(impl Serialize + ?Sized)) -> String {
    let mut text = Vec::with_capacity(ROOM);
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
