//! The words that the templates of staff slips may use: item, request, requester.

use std::collections::HashMap;

use jiff::Timestamp;
use serde_json::Value;

use super::{Fields, Shown};
use crate::document::{at, own_time, text, time};
use crate::facts::{Item, Location, Patron, QueuedRequest};

#[derive(Debug, Clone)]
pub struct StaffSlip<'a> {
    pub now: Timestamp,
    pub item: &'a Item,
    /// The request that the item fulfils.
    pub request: Option<&'a QueuedRequest>,
    /// Where the item was checked in.
    pub from_service_point_id: Option<&'a str>,
    /// Service point records by id.
    pub service_points: &'a HashMap<String, Value>,
}

/// `staffSlipContext` of a check-in.
pub fn staff_slip_context<'a>(slip: &StaffSlip<'a>) -> Fields<'a> {
    context(slip, checked_in_item(slip))
}

/// A slip for an item that is to be fetched or looked for.
pub fn shelf_slip<'a>(slip: &StaffSlip<'a>) -> Fields<'a> {
    let mut item = item_words(slip.item, slip);
    if let Some(at) = time(&slip.item.record, &["lastCheckIn", "dateTime"]) {
        item.set("lastCheckedInDateTime", own_time(at));
    }
    context(slip, item)
}

fn context<'a>(slip: &StaffSlip<'a>, item: Fields<'a>) -> Fields<'a> {
    let now = own_time(slip.now).into();
    let mut context = Fields::whole([("item", Some(item.into())), ("currentDateTime", Some(now))]);
    if let Some(request) = slip.request {
        context.set("request", request_words(request, slip));
        if let Some(requester) = &request.requester {
            let address_type = text(&request.record, &["deliveryAddressTypeId"]);
            context.set("requester", user_words(requester, address_type));
        }
    }
    context
}

fn checked_in_item<'a>(slip: &StaffSlip<'a>) -> Fields<'a> {
    let mut words = item_words(slip.item, slip);
    words.set("lastCheckedInDateTime", own_time(slip.now));
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

pub(crate) fn item_words<'a>(item: &'a Item, slip: &StaffSlip<'a>) -> Fields<'a> {
    let contributors: Vec<&str> =
        item.contributors.iter().map(|contributor| contributor.name.as_str()).collect();
    let primary = item.contributors.iter().find(|contributor| contributor.primary);
    let years = item.record.get("yearCaption").and_then(Value::as_array);
    let years: Vec<&str> = years.into_iter().flatten().filter_map(Value::as_str).collect();
    let words = |text: Option<&'a str>| text.map(Shown::from);
    let own = |name| item.value(name).map(Shown::from);
    let mut context = Fields::whole([
        ("title", words(item.title.as_deref())),
        ("primaryContributor", words(primary.map(|contributor| contributor.name.as_str()))),
        ("allContributors", Some(contributors.join("; ").into())),
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
    ]);
    if let Some(location) = &item.location {
        add_location(&mut context, location, slip);
    }
    if let Some(parts) = at(&item.record, &["effectiveCallNumberComponents"]) {
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

pub(crate) fn request_words<'a>(request: &'a QueuedRequest, slip: &StaffSlip<'a>) -> Fields<'a> {
    let own = |key: &str| text(&request.record, &[key]).map(Shown::from);
    let date = |key: &str| time(&request.record, &[key]).map(|at| own_time(at).into());
    Fields::present([
        ("requestID", Some(request.id().into())),
        ("servicePointPickup", slip.service_point_name(request.pickup_service_point_id()).map(Shown::from)),
        ("requestDate", date("requestDate")),
        ("requestExpirationDate", date("requestExpirationDate")),
        ("holdShelfExpirationDate", date("holdShelfExpirationDate")),
        ("deliveryAddressType", request.delivery_address_type_name.as_deref().map(Shown::from)),
        ("patronComments", own("patronComments")),
    ])
}

pub(crate) fn user_words<'a>(user: &'a Patron, delivery_address_type: Option<&str>) -> Fields<'a> {
    let personal = |field: &str| user.personal(field).map(Shown::from);
    let group = user.group.as_ref().and_then(|group| group.name.as_deref());
    let mut context = Fields::whole([
        ("firstName", personal("firstName")),
        ("preferredFirstName", personal("preferredFirstName").or_else(|| personal("firstName"))),
        ("lastName", personal("lastName")),
        ("middleName", personal("middleName")),
        ("barcode", user.barcode().map(Shown::from)),
        ("patronGroup", Some(group.unwrap_or_default().into())),
        ("departments", Some(user.departments.join("; ").into())),
    ]);
    if let Some(address) = user.primary_address() {
        add_address(
            &mut context,
            address,
            [
                ("primaryAddressLine1", "addressLine1"),
                ("primaryAddressLine2", "addressLine2"),
                ("primaryCity", "city"),
                ("primaryStateProvRegion", "region"),
                ("primaryZipPostalCode", "postalCode"),
                ("primaryCountry", "countryId"),
                ("primaryDeliveryAddressType", "addressTypeName"),
            ],
        );
    }
    if let Some(address) = delivery_address_type.and_then(|id| user.address_of_type(id)) {
        add_address(
            &mut context,
            address,
            [
                ("addressLine1", "addressLine1"),
                ("addressLine2", "addressLine2"),
                ("city", "city"),
                ("region", "region"),
                ("postalCode", "postalCode"),
                ("countryId", "countryId"),
                ("addressType", "addressTypeName"),
            ],
        );
    }
    context
}

fn add_address<'a>(context: &mut Fields<'a>, address: &'a Value, fields: [(&'a str, &str); 7]) {
    for (key, field) in fields {
        context.set(key, text(address, &[field]));
    }
}
