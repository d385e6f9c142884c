//! The item as loans and the answer to a check-in show it.

use std::collections::HashMap;

use serde_json::Value;

use super::shown::{Fields, Shown};
use crate::document::text;
use crate::facts::Item;

/// `service_points` are records by id; the one to which the item travels is named.
pub fn item_summary<'a>(item: &'a Item, service_points: &'a HashMap<String, Value>) -> Fields<'a> {
    let words = |text: Option<&'a str>| text.map(Shown::from);
    let own = |name| item.value(name).map(Shown::from);
    let contributors = item.contributors.iter().map(|contributor| named(Some(&contributor.name)));
    let destination = item.in_transit_destination();
    let point = destination.and_then(|id| service_points.get(id));
    Fields::present([
        ("id", words(Some(item.id()))),
        ("holdingsRecordId", words(item.holdings_record_id())),
        ("instanceId", words(item.instance_id.as_deref())),
        ("title", words(item.title.as_deref())),
        ("barcode", words(item.barcode())),
        ("contributors", Some(Shown::List(contributors.collect()))),
        ("callNumber", words(text(&item.record, &["effectiveCallNumberComponents", "callNumber"]))),
        ("enumeration", own("enumeration")),
        ("chronology", own("chronology")),
        ("displaySummary", own("displaySummary")),
        ("volume", own("volume")),
        ("copyNumber", words(item.copy_number())),
        (
            "callNumberComponents",
            item.value("effectiveCallNumberComponents")
                .map(|parts| texts(parts, ["callNumber", "prefix", "suffix"])),
        ),
        ("status", Some(status(item))),
        ("inTransitDestinationServicePointId", words(destination)),
        ("inTransitDestinationServicePoint", point.map(|record| texts(record, ["id", "name"]))),
        ("location", item.location.as_ref().map(|location| named(location.name.as_deref()))),
        ("materialType", item.material_type_name.as_deref().map(|name| named(Some(name)))),
    ])
}

fn status(item: &Item) -> Shown<'_> {
    let date = text(&item.record, &["status", "date"]);
    Fields::present([("name", Some(item.status().into())), ("date", date.map(Shown::from))]).into()
}

/// An object that is shown with its name alone.
pub(super) fn named(name: Option<&str>) -> Shown<'_> {
    Fields::whole([("name", name.map(Shown::from))]).into()
}

fn texts<'a, const N: usize>(record: &'a Value, names: [&'a str; N]) -> Shown<'a> {
    Fields::present(names.map(|name| (name, text(record, &[name]).map(Shown::from)))).into()
}
