//! Converts items between the form that mapping profiles use and the form in which they are stored.

use serde_json::{Map, Value, json};

pub(super) const REQUIRED: [&str; 4] =
    ["status.name", "materialType.id", "permanentLoanType.id", "holdingsRecordId"];

/// Members of stored items with an id, and the object that mapping profiles have in their place.
const BY_OBJECT: [(&str, &str); 5] = [
    ("materialTypeId", "materialType"),
    ("permanentLoanTypeId", "permanentLoanType"),
    ("temporaryLoanTypeId", "temporaryLoanType"),
    ("permanentLocationId", "permanentLocation"),
    ("temporaryLocationId", "temporaryLocation"),
];

pub(super) const ID_MEMBERS: [&str; 9] = [
    "materialTypeId",
    "permanentLoanTypeId",
    "temporaryLoanTypeId",
    "permanentLocationId",
    "temporaryLocationId",
    "itemLevelCallNumberTypeId",
    "itemDamagedStatusId",
    "statisticalCodeIds",
    "holdingsRecordId",
];

pub(super) const STATUSES: [&str; 21] = [
    "Aged to lost",
    "Available",
    "Awaiting pickup",
    "Awaiting delivery",
    "Checked out",
    "Claimed returned",
    "Declared lost",
    "In process",
    "In process (non-requestable)",
    "In transit",
    "Intellectual item",
    "Long missing",
    "Lost and paid",
    "Missing",
    "On order",
    "Order closed",
    "Paged",
    "Restricted",
    "Unavailable",
    "Unknown",
    "Withdrawn",
];

/// Statuses that only circulation may change.
const PROTECTED_STATUSES: [&str; 8] = [
    "Aged to lost",
    "Awaiting delivery",
    "Awaiting pickup",
    "Checked out",
    "Claimed returned",
    "Declared lost",
    "Paged",
    "Recently returned",
];

/// Keeps the stored status if only circulation may change it. Returns the error for the log.
pub(super) fn keep_protected_status(item: &mut Map<String, Value>, stored: &Value) -> Option<String> {
    let before = stored["status"]["name"].as_str()?;
    let after = item.get("status").and_then(|status| status["name"].as_str())?.to_owned();
    if before == after || !PROTECTED_STATUSES.contains(&before) {
        return None;
    }
    let error = format!("Could not change item status '{before}' to '{after}'");
    item.insert("status".to_owned(), stored["status"].clone());
    Some(error)
}

pub(super) fn to_mapping_form(mut item: Map<String, Value>) -> Map<String, Value> {
    for (stored, mapped) in BY_OBJECT {
        if let Some(id) = item.remove(stored) {
            item.insert(mapped.to_owned(), json!({ "id": id }));
        }
    }
    item
}

pub(super) fn to_stored_form(item: &mut Map<String, Value>) {
    for (stored, mapped) in BY_OBJECT {
        if let Some(Value::Object(mut object)) = item.remove(mapped)
            && let Some(id) = object.remove("id")
        {
            item.insert(stored.to_owned(), id);
        }
    }
}
