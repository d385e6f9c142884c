//! The item as loans and the answer to a check-in show it.

use std::collections::HashMap;

use serde_json::Value;

use super::shown::{Fields, ResponseValue};
use crate::document::text;
use crate::facts::Item;

/// `service_points` are records by id; the one to which the item travels is named. As in FOLIO, empty texts and lists are left out.
pub fn item_summary<'a>(item: &'a Item, service_points: &'a HashMap<String, Value>) -> Fields<'a> {
    let words = |text: Option<&'a str>| text.map(ResponseValue::from);
    let own = |name| words(text(&item.record, &[name]));
    let contributors = item.contributors.iter().map(|contributor| name_object(Some(&contributor.name)));
    let contributors = Some(contributors.collect::<Vec<_>>()).filter(|names| !names.is_empty());
    let destination = item.in_transit_destination();
    let point = destination.and_then(|id| service_points.get(id));
    Fields::present([
        ("id", words(Some(item.id()))),
        ("holdingsRecordId", words(item.holdings_record_id())),
        ("instanceId", words(item.instance_id.as_deref())),
        ("title", words(item.title.as_deref())),
        ("barcode", words(item.barcode())),
        ("contributors", contributors.map(ResponseValue::List)),
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
        ("location", item.location.as_ref().map(|location| name_object(location.name.as_deref()))),
        ("materialType", item.material_type_name.as_deref().map(|name| name_object(Some(name)))),
    ])
}

fn status(item: &Item) -> ResponseValue<'_> {
    let date = text(&item.record, &["status", "date"]);
    Fields::present([("name", Some(item.status().into())), ("date", date.map(ResponseValue::from))]).into()
}

/// An object that is shown with its name alone.
pub(super) fn name_object(name: Option<&str>) -> ResponseValue<'_> {
    Fields::with_nulls([("name", name.map(ResponseValue::from))]).into()
}

fn texts<'a, const N: usize>(record: &'a Value, names: [&'a str; N]) -> ResponseValue<'a> {
    Fields::present(names.map(|name| (name, text(record, &[name]).map(ResponseValue::from)))).into()
}
