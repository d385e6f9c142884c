//! Any text is a template or has a defect with its place; a template is written, or is too long, with any words.

#![no_main]

use octavo_template::{Escape, Template};
use serde_json::json;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let context = json!({
        "a": "<x>", "b": {"a": 1, "c": [true, null]}, "list": [{"a": "y"}, {"b": []}], "no": false, "c": [[1], [2, 3]],
    });
    match Template::parse(text) {
        Ok(template) => {
            template.names();
            drop(template.render(&context, Escape::Html));
        }
        Err(defect) => assert!(defect.line <= text.matches('\n').count() + 1, "{defect}"),
    }
});
