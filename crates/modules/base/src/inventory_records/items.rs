//! What is derived when an item is written. Facts: mod-inventory-storage 27.1.3.

use octavo_record::Related;
use serde_json::{Value, json};

use super::effective::set_effective_values;

pub(super) fn derive(item: &mut Value, related: &Related<'_>) {
    // A missing holdings record is refused later, when the item is written.
    set_effective_values(item, related.get("holdingsRecordId").unwrap_or(&Value::Null));
    set_status_date(item, related);
    let Some(fresh_id) = related.fresh_id else { return };
    for note in item.get_mut("circulationNotes").and_then(Value::as_array_mut).into_iter().flatten() {
        if note["id"].is_null() {
            note["id"] = json!(fresh_id());
        }
    }
}

/// The status is dated when it changes. A client can set its date only in new items that it sends in a batch.
fn set_status_date(item: &mut Value, related: &Related<'_>) {
    let kept = related.stored.filter(|stored| stored["status"]["name"] == item["status"]["name"]);
    let date = kept.map_or_else(|| json!(related.now), |stored| stored["status"]["date"].clone());
    match (date, item["status"].as_object_mut()) {
        (Value::Null, Some(status)) => drop(status.remove("date")),
        (date, _) => item["status"]["date"] = date,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: &str = "2026-11-21T10:00:00.000+00:00";

    fn dated(status: &str, stored: Option<&Value>) -> Value {
        let mut item = json!({"status": {"name": status}});
        set_status_date(&mut item, &Related { stored, now: NOW, ..Related::default() });
        item["status"]["date"].clone()
    }

    #[test]
    fn the_status_is_dated_when_it_changes() {
        let stored = json!({"status": {"name": "Available", "date": "before"}});
        assert_eq!(dated("Available", None), NOW);
        assert_eq!(dated("Available", Some(&stored)), "before");
        assert_eq!(dated("Missing", Some(&stored)), NOW);
        assert_eq!(dated("Available", Some(&json!({"status": {"name": "Available"}}))), Value::Null);
    }

    #[test]
    fn circulation_notes_get_ids() {
        let mut item =
            json!({"status": {"name": "Available"}, "circulationNotes": [{"note": "a"}, {"id": "b"}]});
        let related = Related { now: NOW, fresh_id: Some(uuid::Uuid::nil), ..Related::default() };
        derive(&mut item, &related);
        assert_eq!(item["circulationNotes"][0]["id"], "00000000-0000-0000-0000-000000000000");
        assert_eq!(item["circulationNotes"][1]["id"], "b");
    }
}
