//! A user with what the snapshot knows of their group.

use octavo_circulation::facts::Patron;
use serde_json::Value;

use crate::circulation::Desk;

pub(in crate::circulation) fn patron_of(record: Value, desk: &Desk) -> Patron {
    let group = desk.group(record["patronGroup"].as_str());
    Patron { record, group }
}
