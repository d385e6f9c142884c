//! The values for templates of staff slips: item, request, requester.

use std::collections::HashMap;

use jiff::Timestamp;
use serde_json::Value;

use super::{Fields, ResponseValue};
use crate::document::{computed_time, text, time, value_at};
use crate::facts::{Item, Location, Patron, PersonNames, QueuedRequest};

#[derive(Debug, Clone)]
pub struct StaffSlip<'a> {
    pub now: Timestamp,
    pub item: &'a Item,
    /// The request that the item fulfils.
    pub request: Option<&'a QueuedRequest>,
    /// Where the item was checked in.
    pub from_service_point_id: Option<&'a str>,
    pub service_points: &'a HashMap<String, Value>,
    pub person_names: &'a PersonNames,
}

/// `staffSlipContext` of a check-in.
pub fn staff_slip_context<'a>(slip: &StaffSlip<'a>) -> Fields<'a> {
    slip_context(slip, checked_in_item(slip))
}

/// A slip for an item that is to be fetched or looked for.
pub fn shelf_slip<'a>(slip: &StaffSlip<'a>) -> Fields<'a> {
    let mut item = item_context(slip.item, slip);
    if let Some(at) = time(&slip.item.record, &["lastCheckIn", "dateTime"]) {
        item.set("lastCheckedInDateTime", computed_time(at));
    }
    slip_context(slip, item)
}

fn slip_context<'a>(slip: &StaffSlip<'a>, item: Fields<'a>) -> Fields<'a> {
    let now = computed_time(slip.now).into();
    let mut context = Fields::with_nulls([("item", Some(item.into())), ("currentDateTime", Some(now))]);
    if let Some(request) = slip.request {
        context.set("request", request_context(request, slip));
        if let Some(requester) = &request.requester {
            let address_type = text(&request.record, &["deliveryAddressTypeId"]);
            context.set("requester", user_context(requester, address_type, slip.person_names));
        }
    }
    context
}

fn checked_in_item<'a>(slip: &StaffSlip<'a>) -> Fields<'a> {
    let mut words = item_context(slip.item, slip);
    words.set("lastCheckedInDateTime", computed_time(slip.now));
    if let Some(destination) = slip.item.in_transit_destination() {
        words.set("toServicePoint", slip.service_point_name(Some(destination)));
    }
    if slip.from_service_point_id.is_some() {
        words.set("fromServicePoint", slip.service_point_name(slip.from_service_point_id));
    }
    words
}

impl<'a> StaffSlip<'a> {
    fn service_point_name(&self, id: Option<&str>) -> Option<&'a str> {
        text(self.service_points.get(id?)?, &["name"])
    }
}

/// The values of the title, also for a request without an item.
pub(crate) fn title_context(title: &Item) -> Fields<'_> {
    let contributors: Vec<&str> =
        title.contributors.iter().map(|contributor| contributor.name.as_str()).collect();
    let primary = title.contributors.iter().find(|contributor| contributor.primary);
    Fields::with_nulls([
        ("title", title.title.as_deref().map(ResponseValue::from)),
        ("primaryContributor", primary.map(|contributor| contributor.name.as_str().into())),
        ("allContributors", Some(contributors.join("; ").into())),
    ])
}

pub(crate) fn item_context<'a>(item: &'a Item, slip: &StaffSlip<'a>) -> Fields<'a> {
    let years = item.record.get("yearCaption").and_then(Value::as_array);
    let years: Vec<&str> = years.into_iter().flatten().filter_map(Value::as_str).collect();
    let words = |text: Option<&'a str>| text.map(ResponseValue::from);
    let own = |name| item.value(name).map(ResponseValue::from);
    let mut context = title_context(item);
    for (name, value) in [
        ("barcode", words(item.barcode())),
        ("status", words(Some(item.status()))),
        ("enumeration", own("enumeration")),
        ("volume", own("volume")),
        ("chronology", own("chronology")),
        ("yearCaption", Some(years.join("; ").into())),
        ("materialType", words(item.material_type_name.as_deref())),
        ("loanType", words(item.loan_type_name.as_deref())),
        ("copy", words(Some(item.copy_number().unwrap_or_default()))),
        ("numberOfPieces", own("numberOfPieces")),
        ("displaySummary", own("displaySummary")),
        ("descriptionOfPieces", own("descriptionOfPieces")),
    ] {
        context.set(name, value);
    }
    if let Some(location) = &item.location {
        add_location(&mut context, location, slip);
    }
    if let Some(parts) = value_at(&item.record, &["effectiveCallNumberComponents"]) {
        for (key, part) in
            [("callNumber", "callNumber"), ("callNumberPrefix", "prefix"), ("callNumberSuffix", "suffix")]
        {
            context.set(key, text(parts, &[part]));
        }
    }
    context
}

fn add_location<'a>(context: &mut Fields<'a>, location: &'a Location, slip: &StaffSlip<'a>) {
    for (key, name) in [
        ("effectiveLocationSpecific", &location.name),
        ("effectiveLocationLibrary", &location.library_name),
        ("effectiveLocationCampus", &location.campus_name),
        ("effectiveLocationInstitution", &location.institution_name),
        ("effectiveLocationDiscoveryDisplayName", &location.discovery_display_name),
    ] {
        context.set(key, name.as_deref());
    }
    let primary = location.primary_service_point_id.as_deref();
    if let Some(name) = slip.service_point_name(primary) {
        context.set("effectiveLocationPrimaryServicePointName", name);
    }
}

pub(crate) fn request_context<'a>(request: &'a QueuedRequest, slip: &StaffSlip<'a>) -> Fields<'a> {
    let own = |key: &str| text(&request.record, &[key]).map(ResponseValue::from);
    let date = |key: &str| time(&request.record, &[key]).map(|at| computed_time(at).into());
    let address_type = text(&request.record, &["deliveryAddressTypeId"]);
    let address_type = address_type.and_then(|id| slip.person_names.address_types.get(id));
    Fields::present([
        ("requestID", Some(request.id().into())),
        (
            "servicePointPickup",
            slip.service_point_name(request.pickup_service_point_id()).map(ResponseValue::from),
        ),
        ("requestDate", date("requestDate")),
        ("requestExpirationDate", date("requestExpirationDate")),
        ("holdShelfExpirationDate", date("holdShelfExpirationDate")),
        ("deliveryAddressType", address_type.map(|name| name.as_str().into())),
        ("patronComments", own("patronComments")),
    ])
}

pub(crate) fn user_context<'a>(
    user: &'a Patron,
    delivery_address_type: Option<&str>,
    names: &'a PersonNames,
) -> Fields<'a> {
    let personal = |field: &str| user.personal(field).map(ResponseValue::from);
    let group = user.group.as_ref().and_then(|group| group.name.as_deref());
    let mut context = Fields::with_nulls([
        ("firstName", personal("firstName")),
        ("preferredFirstName", personal("preferredFirstName").or_else(|| personal("firstName"))),
        ("lastName", personal("lastName")),
        ("middleName", personal("middleName")),
        ("barcode", user.barcode().map(ResponseValue::from)),
        ("patronGroup", Some(group.unwrap_or_default().into())),
        ("departments", Some(departments(user, names).into())),
    ]);
    if let Some(address) = user.primary_address() {
        add_address(&mut context, address, names, PRIMARY);
        let country = text(address, &["countryId"]).and_then(country);
        context.set("primaryCountry", country);
    }
    if let Some(address) = delivery_address_type.and_then(|id| user.address_of_type(id)) {
        add_address(&mut context, address, names, DELIVERY);
        context.set("countryId", text(address, &["countryId"]));
    }
    context
}

fn departments(user: &Patron, names: &PersonNames) -> String {
    let ids = value_at(&user.record, &["departments"]).and_then(Value::as_array);
    let known = ids.into_iter().flatten().filter_map(|id| names.departments.get(id.as_str()?));
    known.map(String::as_str).collect::<Vec<_>>().join("; ")
}

/// The names of the values of an address, the last one for its type.
const PRIMARY: [&str; 6] = [
    "primaryAddressLine1",
    "primaryAddressLine2",
    "primaryCity",
    "primaryStateProvRegion",
    "primaryZipPostalCode",
    "primaryDeliveryAddressType",
];
const DELIVERY: [&str; 6] = ["addressLine1", "addressLine2", "city", "region", "postalCode", "addressType"];

fn add_address<'a>(
    context: &mut Fields<'a>,
    address: &'a Value,
    names: &'a PersonNames,
    [line_1, line_2, city, region, postal_code, kind]: [&'a str; 6],
) {
    for (word, field) in [
        (line_1, "addressLine1"),
        (line_2, "addressLine2"),
        (city, "city"),
        (region, "region"),
        (postal_code, "postalCode"),
    ] {
        context.set(word, text(address, &[field]));
    }
    let id = text(address, &["addressTypeId"]);
    context.set(kind, id.and_then(|id| names.address_types.get(id)).map(String::as_str));
}

/// The English name of a country by its code of ISO 3166, as FOLIO's servers write it. Names: Unicode CLDR 39.
fn country(code: &str) -> Option<&'static str> {
    let countries = include_str!("countries.tsv").lines();
    countries.filter_map(|line| line.split_once('\t')).find(|(known, _)| *known == code).map(|(_, name)| name)
}
