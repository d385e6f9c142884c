//! An item in transit, as in the report.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::SERVICE_POINT;
use crate::document::{computed_time, object, set, text, time, value_at};
use crate::facts::{Item, QueuedRequest};

#[derive(Debug, Clone)]
pub struct InTransit<'a> {
    pub item: &'a Item,
    /// The loan from which it came back.
    pub loan: Option<&'a Value>,
    /// The request that it is on its way to, with the requester.
    pub request: Option<&'a QueuedRequest>,
    pub service_points: &'a HashMap<String, Value>,
}

impl InTransit<'_> {
    /// The name of the service point of the check-in, by which the report is sorted.
    pub fn returned_at(&self) -> Option<&str> {
        text(self.point(self.loan.and_then(|loan| text(loan, &["checkinServicePointId"])))?, &["name"])
    }

    fn point(&self, id: Option<&str>) -> Option<&Value> {
        self.service_points.get(id?)
    }

    fn named_point(&self, id: Option<&str>) -> Option<Value> {
        let record = self.point(id)?;
        Some(object(["id", "name"].map(|key| (key, value_at(record, &[key]).cloned()))))
    }
}

/// As in FOLIO, empty texts and lists are left out.
pub fn item_in_transit(view: &InTransit<'_>) -> Value {
    let item = view.item;
    let words = |text: Option<&str>| text.map(Value::from);
    let own = |key| words(text(&item.record, &[key]));
    let contributors: Value =
        item.contributors.iter().map(|contributor| json!({"name": contributor.name})).collect();
    let parts = item.value("effectiveCallNumberComponents");
    let part = |key| parts.and_then(|parts| text(parts, &[key])).map(Value::from);
    let destination = item.in_transit_destination();
    let mut entry = object([
        ("id", words(Some(item.id()))),
        ("title", words(item.title.as_deref())),
        ("barcode", words(item.barcode())),
        ("contributors", unless_empty(Some(&contributors))),
        ("callNumber", part("callNumber")),
        ("enumeration", own("enumeration")),
        ("displaySummary", own("displaySummary")),
        ("volume", own("volume")),
        ("yearCaption", unless_empty(item.value("yearCaption"))),
        ("status", Some(json!({"name": item.status()}))),
        ("inTransitDestinationServicePointId", words(destination)),
        ("inTransitDestinationServicePoint", view.named_point(destination)),
        ("copyNumber", words(item.copy_number())),
    ]);
    if parts.is_some() {
        let all = object(["callNumber", "prefix", "suffix"].map(|key| (key, part(key))));
        set(&mut entry, "effectiveCallNumberComponents", all);
    }
    if let Some(location) = &item.location {
        let location = object([
            ("name", words(location.name.as_deref())),
            ("code", words(location.code.as_deref())),
            ("libraryName", words(location.library_name.as_deref())),
        ]);
        set(&mut entry, "location", location);
    }
    if let Some(request) = view.request {
        set(&mut entry, "request", request_json(request, view));
    }
    if let Some(loan) = view.loan {
        set(&mut entry, "loan", loan_json(loan, view));
    }
    if let Some(last) = value_at(&item.record, &["lastCheckIn"]) {
        let at = time(last, &["dateTime"]).map(|at| computed_time(at).into());
        let point = view.named_point(text(last, &["servicePointId"]));
        set(&mut entry, "lastCheckIn", object([("dateTime", at), ("servicePoint", point)]));
    }
    entry
}

fn request_json(request: &QueuedRequest, view: &InTransit<'_>) -> Value {
    let date = |key: &str| time(&request.record, &[key]).map(|at| computed_time(at).into());
    let point = view.point(request.pickup_service_point_id());
    let group = request.requester.as_ref().and_then(|requester| requester.group.as_ref());
    object([
        ("requestType", Some(request.request_type().into())),
        ("requestDate", date("requestDate")),
        ("requestExpirationDate", date("requestExpirationDate")),
        ("requestPickupServicePointName", point.and_then(|point| value_at(point, &["name"]).cloned())),
        ("tags", unless_empty(value_at(&request.record, &["tags", "tagList"]))),
        ("requestPatronGroup", group.and_then(|group| group.description.clone()).map(Value::from)),
    ])
}

fn unless_empty(list: Option<&Value>) -> Option<Value> {
    list.filter(|list| list.as_array().is_some_and(|list| !list.is_empty())).cloned()
}

fn loan_json(loan: &Value, view: &InTransit<'_>) -> Value {
    let point = view.point(text(loan, &["checkinServicePointId"]));
    let point =
        point.map(|record| object(SERVICE_POINT.map(|field| (field, value_at(record, &[field]).cloned()))));
    let returned = time(loan, &["returnDate"]).map(|at| computed_time(at).into());
    object([("checkInServicePoint", point), ("checkInDateTime", returned)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk;

    #[test]
    fn what_is_known_is_told_and_nothing_else() {
        let facts = desk::facts();
        let mut item = facts.item.clone().unwrap();
        item.send_to(Some("desk-2"), facts.now());
        let bare =
            InTransit { item: &item, loan: None, request: None, service_points: &facts.service_points };
        let entry = item_in_transit(&bare);
        assert_eq!(
            entry["inTransitDestinationServicePoint"],
            json!({"id": "desk-2", "name": "Name of desk-2"})
        );
        assert_eq!(entry["effectiveCallNumberComponents"], json!({"callNumber": "QA 76", "prefix": "A"}));
        assert_eq!(entry["contributors"], json!([{"name": "Menabrea, L. F."}]));
        for absent in ["loan", "request", "lastCheckIn", "volume"] {
            assert!(entry.get(absent).is_none(), "{absent}: {entry}");
        }
        let mut bare_item = item.clone();
        bare_item.contributors.clear();
        set(&mut bare_item.record, "yearCaption", json!([]));
        set(&mut bare_item.record, "enumeration", "");
        let entry = item_in_transit(&InTransit { item: &bare_item, ..bare.clone() });
        for absent in ["contributors", "yearCaption", "enumeration"] {
            assert!(entry.get(absent).is_none(), "{absent}: {entry}");
        }
        let loan = json!({"checkinServicePointId": "desk-1", "returnDate": "2026-03-01T09:00:00.000+00:00"});
        let request = desk::queued_hold("r1", "bob", 1);
        let full = InTransit { loan: Some(&loan), request: Some(&request), ..bare };
        let entry = item_in_transit(&full);
        assert_eq!(full.returned_at(), Some("Name of desk-1"));
        assert_eq!(entry["loan"]["checkInDateTime"], "2026-03-01T09:00:00.000Z");
        assert_eq!(entry["request"]["requestPickupServicePointName"], "Name of desk-1");
        assert!(entry["request"].get("requestPatronGroup").is_none(), "the group has no description");
    }
}
