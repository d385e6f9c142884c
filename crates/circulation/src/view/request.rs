//! The request as clients of mod-circulation see it. Parts that many requests share (item, title, pickup service point) are written once
//! and borrowed by each.

use std::collections::HashMap;

use octavo_kernel::{Members, RawJson, raw_json};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::service_point_summary;
use crate::document::{object, text};
use crate::facts::{Item, PatronGroup};

/// A stored request and the records that it refers to. Those that are `None` are left out.
#[derive(Debug, Clone)]
pub struct RequestView<'a> {
    pub request: Members<'a>,
    /// Made by [`item_json`].
    pub item: Option<&'a RawValue>,
    /// Made by [`instance_json`].
    pub instance: Option<&'a RawValue>,
    /// Made by [`loan_json`], about the open loan of the item.
    pub loan: Option<&'a RawValue>,
    pub requester: Option<&'a Person>,
    pub proxy: Option<&'a Person>,
    /// Made by [`pickup_json`].
    pub pickup: Option<&'a RawValue>,
}

/// The requester or the proxy.
#[derive(Debug, Clone)]
pub struct Person {
    json: RawJson,
    addresses: Option<RawJson>,
}

/// As in FOLIO, the copies by which storage finds a request (`searchIndex`) are not shown.
pub fn request_view(view: RequestView<'_>) -> Members<'_> {
    let mut request = view.request;
    request.remove("searchIndex");
    let address = view.requester.and_then(|person| person.address(&request.text("deliveryAddressTypeId")?));
    let proxy = view.proxy.filter(|_| request.raw_text("proxyUserId").is_some());
    for (key, shown) in [
        ("item", view.item),
        ("instance", view.instance),
        ("loan", view.loan),
        ("requester", view.requester.map(|person| &*person.json)),
        ("proxy", proxy.map(|person| &*person.json)),
        ("pickupServicePoint", view.pickup),
    ] {
        if let Some(shown) = shown {
            request.set_borrowed(key, shown);
        }
    }
    if let Some(address) = address {
        request.set("deliveryAddress", address);
    }
    request
}

impl Person {
    pub fn from_user(user: &Members<'_>, group: Option<&PatronGroup>) -> Person {
        let personal = user.object("personal");
        let group = group.map(|group| {
            raw_json(&object([
                ("id", Some(group.id.as_str().into())),
                ("group", group.name.clone().map(Value::from)),
                ("desc", group.description.clone().map(Value::from)),
            ]))
        });
        let names = ["lastName", "firstName", "middleName"];
        let names = names.map(|name| (name, personal.raw_text(name))).into_iter();
        let shown: Members = names
            .chain([
                ("barcode", user.raw_text("barcode")),
                ("patronGroupId", user.raw_text("patronGroup")),
                ("patronGroup", group.as_deref()),
            ])
            .collect();
        Person { json: raw_json(&shown), addresses: personal.get("addresses").map(ToOwned::to_owned) }
    }

    fn address(&self, kind: &str) -> Option<RawJson> {
        let addresses: Vec<Members> = serde_json::from_str(self.addresses.as_ref()?.get()).ok()?;
        let address =
            addresses.iter().find(|address| address.text("addressTypeId").as_deref() == Some(kind))?;
        Some(raw_json(&pick_members(address, &ADDRESS)))
    }
}

const ADDRESS: [&str; 7] =
    ["addressTypeId", "addressLine1", "addressLine2", "city", "region", "postalCode", "countryId"];

fn pick_members<'a>(from: &'a Members<'_>, fields: &[&'a str]) -> Members<'a> {
    fields.iter().map(|field| (*field, from.get(field))).collect()
}

/// The pickup service point, as requests show it.
pub fn pickup_json(record: &Value) -> RawJson {
    raw_json(&service_point_summary(record))
}

pub fn loan_json(loan: &Members<'_>) -> Option<RawJson> {
    let due: Members = [("dueDate", Some(loan.raw_text("dueDate")?))].into_iter().collect();
    Some(raw_json(&due))
}

/// `service_points` are records by id.
pub fn item_json(item: &Item, service_points: &HashMap<String, Value>) -> RawJson {
    let word = |text: Option<&str>| text.map(Value::from);
    let parts = item.value("effectiveCallNumberComponents");
    let part = |key| (key, parts.and_then(|parts| text(parts, &[key])).map(Value::from));
    let own = |key| (key, word(text(&item.record, &[key])));
    let location = item.location.as_ref();
    let retrieval = location.and_then(|location| location.primary_service_point_id.as_deref());
    let retrieval_point = retrieval.and_then(|id| service_points.get(id));
    raw_json(&object([
        ("barcode", word(item.barcode())),
        ("enumeration", item.value("enumeration").cloned()),
        own("chronology"),
        own("displaySummary"),
        own("volume"),
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

/// As in FOLIO, empty lists are left out.
pub fn instance_json(instance: &Members<'_>) -> RawJson {
    let contributors = instance.elements("contributors");
    let named = |contributor: &Members| json!({"name": contributor.get("name")});
    let names = raw_json(&contributors.iter().map(named).collect::<Vec<Value>>());
    let identifiers = instance.elements("identifiers");
    let identifiers: Vec<Members> =
        identifiers.iter().map(|one| pick_members(one, &["value", "identifierTypeId"])).collect();
    let identifiers = raw_json(&identifiers);
    let list = |key| instance.get(key).filter(|list| has_elements(list));
    let shown: Members = [
        ("title", instance.get("title")),
        ("identifiers", Some(&*identifiers).filter(|list| has_elements(list))),
        ("contributorNames", Some(&*names).filter(|list| has_elements(list))),
        ("publication", list("publication")),
        ("editions", list("editions")),
    ]
    .into_iter()
    .collect();
    raw_json(&shown)
}

fn has_elements(list: &RawValue) -> bool {
    list.get().strip_prefix('[').is_some_and(|rest| !rest.trim_start().starts_with(']'))
}
