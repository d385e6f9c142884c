//! The request as clients of mod-circulation see it.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::document::{at, object, remove, set, text, whole_object};
use crate::facts::{Item, Patron};
use crate::request::Instance;

/// A stored request and what it refers to. What is `None` is not there or not known, and is left out.
#[derive(Debug, Clone)]
pub struct RequestView<'a> {
    pub request: &'a Value,
    pub item: Option<&'a Item>,
    pub instance: Option<&'a Instance>,
    /// The open loan of the item.
    pub loan: Option<&'a Value>,
    pub requester: Option<&'a Patron>,
    pub proxy: Option<&'a Patron>,
    /// Service point records by id.
    pub service_points: &'a HashMap<String, Value>,
}

pub fn request_view(view: &RequestView<'_>) -> Value {
    let mut request = view.request.clone();
    remove(&mut request, "awaitingPickupRequestClosedDate");
    if let Some(item) = view.item {
        set(&mut request, "item", item_words(item, view.service_points));
    }
    if let Some(instance) = view.instance {
        set(&mut request, "instance", instance_words(instance));
    }
    if let Some(due) = view.loan.and_then(|loan| text(loan, &["dueDate"])) {
        set(&mut request, "loan", json!({"dueDate": due}));
    }
    if let Some(requester) = view.requester {
        set(&mut request, "requester", person(requester));
        let kind = text(view.request, &["deliveryAddressTypeId"]);
        if let Some(address) = kind.and_then(|kind| requester.address_of_type(kind)) {
            set(&mut request, "deliveryAddress", address_words(address));
        }
    }
    if let (Some(proxy), true) = (view.proxy, text(view.request, &["proxyUserId"]).is_some()) {
        set(&mut request, "proxy", person(proxy));
    }
    let point = text(view.request, &["pickupServicePointId"]).and_then(|id| view.service_points.get(id));
    if let Some(record) = point {
        let fields =
            ["name", "code", "discoveryDisplayName", "description", "shelvingLagTime", "pickupLocation"];
        let point = whole_object(fields.map(|field| (field, at(record, &[field]).cloned())));
        set(&mut request, "pickupServicePoint", point);
    }
    request
}

fn item_words(item: &Item, service_points: &HashMap<String, Value>) -> Value {
    let words = |text: Option<&str>| text.map(Value::from);
    let parts = item.value("effectiveCallNumberComponents").unwrap_or_default();
    let part = |key: &'static str| (key, text(&parts, &[key]).map(Value::from));
    let location = item.location.as_ref();
    let retrieval = location.and_then(|location| location.primary_service_point_id.as_deref());
    let retrieval_point = retrieval.and_then(|id| service_points.get(id));
    object([
        ("barcode", words(item.barcode())),
        ("enumeration", item.value("enumeration")),
        ("chronology", item.value("chronology")),
        ("displaySummary", item.value("displaySummary")),
        ("volume", item.value("volume")),
        ("copyNumber", words(item.copy_number())),
        ("status", words(Some(item.status()))),
        ("callNumber", text(&parts, &["callNumber"]).map(Value::from)),
        (
            "callNumberComponents",
            (!parts.is_null()).then(|| object([part("callNumber"), part("prefix"), part("suffix")])),
        ),
        (
            "location",
            location.map(|location| {
                object([
                    ("name", words(location.name.as_deref())),
                    ("libraryName", words(location.library_name.as_deref())),
                    ("code", words(location.code.as_deref())),
                ])
            }),
        ),
        ("retrievalServicePointId", words(retrieval)),
        ("retrievalServicePointName", retrieval_point.and_then(|record| words(text(record, &["name"])))),
        ("loanTypeId", words(item.loan_type_id())),
        ("loanTypeName", words(item.loan_type_name.as_deref())),
    ])
}

fn instance_words(instance: &Instance) -> Value {
    let own = |key: &str| at(&instance.record, &[key]).cloned();
    let list = |key: &str| own(key).and_then(|list| list.as_array().cloned()).unwrap_or_default();
    let names: Vec<Value> =
        list("contributors").iter().map(|contributor| json!({"name": contributor["name"]})).collect();
    let identifiers: Vec<Value> = list("identifiers")
        .iter()
        .map(|one| object(["value", "identifierTypeId"].map(|key| (key, at(one, &[key]).cloned()))))
        .collect();
    object([
        ("title", own("title")),
        ("identifiers", Some(identifiers.into())),
        ("contributorNames", Some(names.into())),
        ("publication", Some(list("publication").into())),
        ("editions", Some(list("editions").into())),
    ])
}

fn person(patron: &Patron) -> Value {
    let personal = |key: &'static str| (key, patron.personal(key).map(Value::from));
    let group = patron.group.as_ref().map(|group| {
        object([
            ("id", Some(group.id.as_str().into())),
            ("group", group.name.clone().map(Value::from)),
            ("desc", group.description.clone().map(Value::from)),
        ])
    });
    object([
        personal("lastName"),
        personal("firstName"),
        personal("middleName"),
        personal("preferredFirstName"),
        ("barcode", patron.barcode().map(Value::from)),
        ("patronGroupId", patron.patron_group_id().map(Value::from)),
        ("patronGroup", group),
    ])
}

fn address_words(address: &Value) -> Value {
    let fields =
        ["addressTypeId", "addressLine1", "addressLine2", "city", "region", "postalCode", "countryId"];
    object(fields.map(|field| (field, at(address, &[field]).cloned())))
}
