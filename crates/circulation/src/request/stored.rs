//! The stored form of a request, with copies of members of other records, by which clients search.

use serde_json::Value;

use super::RequestFacts;
use crate::document::{object, set, text, value_at};
use crate::facts::{Item, Patron};

pub(super) fn add_search_fields(facts: &RequestFacts, record: &mut Value, item: Option<&Item>) {
    let words = |text: Option<&str>| text.map(Value::from);
    if let Some(instance) = &facts.instance {
        let own = |key: &'static str| (key, value_at(&instance.record, &[key]).cloned());
        set(record, "instance", object([own("title"), own("identifiers")]));
    }
    if let Some(item) = item {
        set(record, "item", object([("barcode", words(item.barcode()))]));
    }
    if let Some(requester) = &facts.desk.patron {
        set(record, "requester", person(requester));
    }
    if let (Some(proxy), true) = (&facts.desk.proxy, text(record, &["proxyUserId"]).is_some()) {
        set(record, "proxy", person(&proxy.patron));
    }
    let call_number = item.and_then(|item| item.value("effectiveCallNumberComponents"));
    let components = call_number.map(|parts| {
        object(["callNumber", "prefix", "suffix"].map(|key| (key, text(parts, &[key]).map(Value::from))))
    });
    let point = facts.service_point_name(text(record, &["pickupServicePointId"]));
    let search = object([
        ("callNumberComponents", components),
        ("shelvingOrder", item.and_then(|item| item.value("effectiveShelvingOrder").cloned())),
        ("pickupServicePointName", words(point)),
    ]);
    set(record, "searchIndex", search);
}

fn person(patron: &Patron) -> Value {
    let personal = |key: &'static str| (key, patron.personal(key).map(Value::from));
    object([
        personal("firstName"),
        personal("lastName"),
        personal("middleName"),
        ("barcode", patron.barcode().map(Value::from)),
    ])
}
