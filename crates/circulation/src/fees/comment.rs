//! Comments on fees, which have a part for staff and one for patrons.

use serde_json::Value;

/// The part of an action's comment for `STAFF` or `PATRON`, often empty.
pub fn comment_for<'a>(action: &'a Value, whom: &str) -> &'a str {
    let parts = action["comments"].as_str().unwrap_or_default().split(" \n ");
    let mut told = parts.filter_map(|part| part.split_once(" : "));
    told.find(|(reader, _)| *reader == whom).map_or("", |(_, text)| text)
}
