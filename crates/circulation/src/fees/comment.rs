//! The two readers of a comment on a fee.

use serde_json::Value;

/// What an action's comment says to `STAFF` or `PATRON`; mostly nothing.
pub fn comment_to<'a>(action: &'a Value, whom: &str) -> &'a str {
    let parts = action["comments"].as_str().unwrap_or_default().split(" \n ");
    let mut told = parts.filter_map(|part| part.split_once(" : "));
    told.find(|(reader, _)| *reader == whom).map_or("", |(_, text)| text)
}
