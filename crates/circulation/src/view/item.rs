//! The item as it stands in loans and in the answer to a check-in.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::document::{object, text};
use crate::facts::Item;

/// `service_points` are records by id; the one to which the item travels is named.
pub fn item_summary(item: &Item, service_points: &HashMap<String, Value>) -> Value {
    let words = |text: Option<&str>| text.map(Value::from);
    let contributors: Vec<Value> =
        item.contributors.iter().map(|contributor| json!({"name": contributor.name})).collect();
    let destination = item.in_transit_destination();
    object([
        ("id", words(Some(item.id()))),
        ("holdingsRecordId", words(item.holdings_record_id())),
        ("instanceId", words(item.instance_id.as_deref())),
        ("title", words(item.title.as_deref())),
        ("barcode", words(item.barcode())),
        ("contributors", Some(contributors.into())),
        ("callNumber", words(text(&item.record, &["effectiveCallNumberComponents", "callNumber"]))),
        ("enumeration", item.value("enumeration")),
        ("chronology", item.value("chronology")),
        ("displaySummary", item.value("displaySummary")),
        ("volume", item.value("volume")),
        ("copyNumber", words(item.copy_number())),
        ("callNumberComponents", item.value("effectiveCallNumberComponents").map(|parts| components(&parts))),
        (
            "status",
            Some(object([
                ("name", words(Some(item.status()))),
                ("date", words(text(&item.record, &["status", "date"]))),
            ])),
        ),
        ("inTransitDestinationServicePointId", words(destination)),
        (
            "inTransitDestinationServicePoint",
            destination
                .and_then(|id| service_points.get(id))
                .map(|record| object(["id", "name"].map(|key| (key, words(text(record, &[key])))))),
        ),
        ("location", item.location.as_ref().map(|location| json!({"name": location.name}))),
        ("materialType", item.material_type_name.as_ref().map(|name| json!({"name": name}))),
    ])
}

fn components(parts: &Value) -> Value {
    object(["callNumber", "prefix", "suffix"].map(|key| (key, text(parts, &[key]).map(Value::from))))
}
