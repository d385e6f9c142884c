//! The request as clients of mod-circulation see it. Parts that many requests share (item, title, pickup service point) are written once
//! and borrowed by each.

use std::collections::HashMap;

use octavo_kernel::{Members, Words, words};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::service_point_summary;
use crate::document::{object, text};
use crate::facts::{Item, PatronGroup};

/// A stored request and the records that it refers to. Those that are `None` are left out.
#[derive(Debug, Clone)]
pub struct RequestView<'a> {
    pub request: Members<'a>,
    /// Made by [`item_words`].
    pub item: Option<&'a RawValue>,
    /// Made by [`instance_words`].
    pub instance: Option<&'a RawValue>,
    /// Made by [`loan_words`], about the open loan of the item.
    pub loan: Option<&'a RawValue>,
    pub requester: Option<&'a Person>,
    pub proxy: Option<&'a Person>,
    /// Made by [`pickup_words`].
    pub pickup: Option<&'a RawValue>,
}

/// The requester or the proxy.
#[derive(Debug, Clone)]
pub struct Person {
    words: Words,
    addresses: Option<Words>,
}

pub fn request_view(view: RequestView<'_>) -> Members<'_> {
    let mut request = view.request;
    let address = view.requester.and_then(|person| person.address(&request.text("deliveryAddressTypeId")?));
    let proxy = view.proxy.filter(|_| request.word("proxyUserId").is_some());
    for (key, shown) in [
        ("item", view.item),
        ("instance", view.instance),
        ("loan", view.loan),
        ("requester", view.requester.map(|person| &*person.words)),
        ("proxy", proxy.map(|person| &*person.words)),
        ("pickupServicePoint", view.pickup),
    ] {
        if let Some(shown) = shown {
            request.lend(key, shown);
        }
    }
    if let Some(address) = address {
        request.set("deliveryAddress", address);
    }
    request
}

impl Person {
    pub fn of(user: &Members<'_>, group: Option<&PatronGroup>) -> Person {
        let personal = user.within("personal");
        let group = group.map(|group| {
            words(&object([
                ("id", Some(group.id.as_str().into())),
                ("group", group.name.clone().map(Value::from)),
                ("desc", group.description.clone().map(Value::from)),
            ]))
        });
        let names = ["lastName", "firstName", "middleName"];
        let names = names.map(|name| (name, personal.word(name))).into_iter();
        let shown: Members = names
            .chain([
                ("barcode", user.word("barcode")),
                ("patronGroupId", user.word("patronGroup")),
                ("patronGroup", group.as_deref()),
            ])
            .collect();
        Person { words: words(&shown), addresses: personal.get("addresses").map(ToOwned::to_owned) }
    }

    fn address(&self, kind: &str) -> Option<Words> {
        let addresses: Vec<Members> = serde_json::from_str(self.addresses.as_ref()?.get()).ok()?;
        let address =
            addresses.iter().find(|address| address.text("addressTypeId").as_deref() == Some(kind))?;
        Some(words(&picked(address, &ADDRESS)))
    }
}

const ADDRESS: [&str; 7] =
    ["addressTypeId", "addressLine1", "addressLine2", "city", "region", "postalCode", "countryId"];

fn picked<'a>(from: &'a Members<'_>, fields: &[&'a str]) -> Members<'a> {
    fields.iter().map(|field| (*field, from.get(field))).collect()
}

/// The pickup service point, as requests show it.
pub fn pickup_words(record: &Value) -> Words {
    words(&service_point_summary(record))
}

pub fn loan_words(loan: &Members<'_>) -> Option<Words> {
    let due: Members = [("dueDate", Some(loan.word("dueDate")?))].into_iter().collect();
    Some(words(&due))
}

/// `service_points` are records by id.
pub fn item_words(item: &Item, service_points: &HashMap<String, Value>) -> Words {
    let word = |text: Option<&str>| text.map(Value::from);
    let parts = item.value("effectiveCallNumberComponents");
    let part = |key| (key, parts.and_then(|parts| text(parts, &[key])).map(Value::from));
    let location = item.location.as_ref();
    let retrieval = location.and_then(|location| location.primary_service_point_id.as_deref());
    let retrieval_point = retrieval.and_then(|id| service_points.get(id));
    words(&object([
        ("barcode", word(item.barcode())),
        ("enumeration", item.value("enumeration").cloned()),
        ("chronology", item.value("chronology").cloned()),
        ("displaySummary", item.value("displaySummary").cloned()),
        ("volume", item.value("volume").cloned()),
        ("copyNumber", word(item.copy_number())),
        ("status", word(Some(item.status()))),
        part("callNumber"),
        ("callNumberComponents", parts.map(|_| object([part("callNumber"), part("prefix"), part("suffix")]))),
        (
            "location",
            location.map(|location| {
                object([
                    ("name", word(location.name.as_deref())),
                    ("libraryName", word(location.library_name.as_deref())),
                    ("code", word(location.code.as_deref())),
                ])
            }),
        ),
        ("retrievalServicePointId", word(retrieval)),
        ("retrievalServicePointName", retrieval_point.and_then(|record| word(text(record, &["name"])))),
        ("loanTypeId", word(item.loan_type_id())),
        ("loanTypeName", word(item.loan_type_name.as_deref())),
    ]))
}

pub fn instance_words(instance: &Members<'_>) -> Words {
    let contributors = instance.each("contributors");
    let named = |contributor: &Members| json!({"name": contributor.get("name")});
    let names = words(&contributors.iter().map(named).collect::<Vec<Value>>());
    let identifiers = instance.each("identifiers");
    let identifiers: Vec<Members> =
        identifiers.iter().map(|one| picked(one, &["value", "identifierTypeId"])).collect();
    let identifiers = words(&identifiers);
    let none = words(&json!([]));
    let list = |key| Some(instance.get(key).filter(|list| list.get().starts_with('[')).unwrap_or(&none));
    let shown: Members = [
        ("title", instance.get("title")),
        ("identifiers", Some(&*identifiers)),
        ("contributorNames", Some(&*names)),
        ("publication", list("publication")),
        ("editions", list("editions")),
    ]
    .into_iter()
    .collect();
    words(&shown)
}
