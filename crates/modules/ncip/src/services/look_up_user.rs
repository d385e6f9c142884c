//! `LookupUser`: name, addresses, privileges and numbers of a patron, as far as the message wishes.

use octavo_cql::quote_term;
use octavo_kernel::Xml;
use serde_json::Value;

use super::patron::{Blocks, find, id, is_blocked};
use super::{USER, sender};
use crate::agency::Settings;
use crate::library::Library;
use crate::message::Message;
use crate::problem::Failure;
use crate::words::{self, element, leaf, optional_leaf};

/// Kinds of `AuthenticationInput` that name a patron, with the field of users that has the number.
const NUMBERS: &[(&str, &str)] =
    &[("barcode", "barcode"), ("externalsystemid", "externalSystemId"), ("username", "username")];
const PIN: &str = "pin";
/// How many numbers of patrons are looked up for one message at most.
const MOST_NUMBERS: usize = 10;

/// What an agency learns about a patron beside the user record.
struct PatronPrivileges {
    status: String,
    group: Option<String>,
    /// The code of the service point that is the patron's own.
    library: Option<String>,
}

pub(super) async fn perform(library: &Library<'_>, message: &Message) -> Result<Xml, Failure> {
    let agency = sender(message)?;
    let inputs: Vec<(String, &str)> = message
        .authentication_inputs()
        .into_iter()
        .map(|(kind, value)| (kind.to_lowercase(), value))
        .collect();
    let user = find_patron(library, message, &inputs).await?;
    if let Some((_, pin)) = inputs.iter().find(|(kind, _)| kind == PIN) {
        let body = serde_json::json!({"id": user["id"], "pin": pin});
        let verified = library.post("/patron-pin/verify", &body).await;
        verified.map_err(|_| Failure::Doing("PIN check failed".to_owned()))?;
    }
    let settings = Settings::load(library, agency).await?;
    let wishes = |part: &str| message.wishes("UserElementType", part);
    let standing = match wishes("User Privilege") {
        true => Some(load_privileges(library, &user, &settings).await?),
        false => None,
    };
    let postal = match wishes("User Address Information") {
        true => postal_addresses(library, &user["personal"], &settings).await?,
        false => Vec::new(),
    };
    let mut xml = Xml::default();
    words::id_element(
        &mut xml,
        "User",
        Some(agency),
        "barcode",
        user["barcode"].as_str().unwrap_or_default(),
    );
    if message.texts(&["UserElementType"]).is_empty() {
        return Ok(xml);
    }
    element(&mut xml, "UserOptionalFields", |xml| {
        if wishes("Name Information") {
            name(xml, &user["personal"]);
        }
        if wishes("User Address Information") {
            electronic_addresses(xml, &user["personal"], &settings);
            for (role, address) in &postal {
                postal_address(xml, role, address);
            }
        }
        if let Some(standing) = &standing {
            privileges(xml, standing, agency);
        }
        if wishes("User Id") {
            words::id_element(xml, "User", None, "uuid", id(&user));
        }
    });
    Ok(xml)
}

async fn find_patron(
    library: &Library<'_>,
    message: &Message,
    inputs: &[(String, &str)],
) -> Result<Value, Failure> {
    if let Some(number) = message.text(USER) {
        return find(library, number).await;
    }
    let numbers = inputs.iter().filter_map(|(kind, value)| {
        let (_, field) = NUMBERS.iter().find(|(known, _)| known == kind)?;
        Some((field, value))
    });
    for (field, value) in numbers.take(MOST_NUMBERS) {
        let found = library.first("/users", "users", &format!("{field}=={}", quote_term(value))).await?;
        if let Some(user) = found {
            return Ok(user);
        }
    }
    Err(Failure::Input(
        "User id missing from request or user id provided in authentication input does not exist",
    ))
}

async fn load_privileges(
    library: &Library<'_>,
    user: &Value,
    settings: &Settings,
) -> Result<PatronPrivileges, String> {
    let is_blocked = is_blocked(library, user, Blocks::BorrowingAndRequests).await?;
    let status =
        settings.require(if is_blocked { "user.priv.blocked.status" } else { "user.priv.ok.status" })?;
    let text = |record: &Value, name: &str| record[name].as_str().map(str::to_owned);
    let group = match user["patronGroup"].as_str() {
        Some(group) => text(&library.get(&format!("/groups/{group}")).await?, "group"),
        None => None,
    };
    let cql = format!("userId=={}", quote_term(id(user)));
    let own = library.first("/service-points-users", "servicePointsUsers", &cql).await?.unwrap_or_default();
    let library = match own["defaultServicePointId"].as_str() {
        Some(point) => text(&library.get(&format!("/service-points/{point}")).await?, "code"),
        None => None,
    };
    Ok(PatronPrivileges { status: status.to_owned(), group, library })
}

/// Writes the patron's name whole and in parts, as mod-ncip does; the protocol's schema has one or the other.
fn name(xml: &mut Xml, personal: &Value) {
    let text = |name: &str| personal[name].as_str().filter(|text| !text.is_empty());
    let first = text("preferredFirstName").or(text("firstName"));
    let last = text("lastName").unwrap_or_default();
    element(xml, "NameInformation", |xml| {
        element(xml, "PersonalNameInformation", |xml| {
            let whole: Vec<&str> = first.into_iter().chain([last]).collect();
            leaf(xml, "UnstructuredPersonalUserName", &whole.join(" "));
            element(xml, "StructuredPersonalUserName", |xml| {
                optional_leaf(xml, "GivenName", first);
                leaf(xml, "Surname", last);
            });
        });
    });
}

fn electronic_addresses(xml: &mut Xml, personal: &Value, settings: &Settings) {
    let email = settings.get("user.email.type").unwrap_or_default();
    for (member, kind) in [("email", email), ("phone", "TEL"), ("mobilePhone", "TEL")] {
        let Some(address) = personal[member].as_str() else { continue };
        in_role(xml, "OTH", |xml| {
            element(xml, "ElectronicAddress", |xml| {
                leaf(xml, "ElectronicAddressType", kind);
                leaf(xml, "ElectronicAddressData", address);
            });
        });
    }
}

/// The patron's addresses with the names of their types. They are sent only to agencies for which the library's settings allow it.
async fn postal_addresses<'a>(
    library: &Library<'_>,
    personal: &'a Value,
    settings: &Settings,
) -> Result<Vec<(String, &'a Value)>, String> {
    let told = settings
        .get("response.includes.physical.address")
        .is_some_and(|told| !told.eq_ignore_ascii_case("false"));
    let addresses: Vec<&Value> =
        personal["addresses"].as_array().into_iter().flatten().filter(|_| told).collect();
    if addresses.is_empty() {
        return Ok(Vec::new());
    }
    let types = library.find("/addresstypes", "addressTypes", "cql.allRecords=1").await?;
    let named = |address: &Value| {
        let kind = types.iter().find(|kind| kind["id"] == address["addressTypeId"]);
        kind.and_then(|kind| kind["addressType"].as_str()).unwrap_or_default().to_owned()
    };
    Ok(addresses.into_iter().map(|address| (named(address), address)).collect())
}

fn postal_address(xml: &mut Xml, role: &str, address: &Value) {
    let lines =
        [("Line1", "addressLine1"), ("Locality", "city"), ("Region", "region"), ("PostalCode", "postalCode")];
    in_role(xml, role, |xml| {
        element(xml, "PhysicalAddress", |xml| {
            element(xml, "StructuredAddress", |xml| {
                for (name, member) in lines {
                    optional_leaf(xml, name, address[member].as_str());
                }
            });
            leaf(xml, "PhysicalAddressType", "Postal Address");
        });
    });
}

fn in_role(xml: &mut Xml, role: &str, inside: impl FnOnce(&mut Xml)) {
    element(xml, "UserAddressInformation", |xml| {
        leaf(xml, "UserAddressRoleType", role);
        inside(xml);
    });
}

fn privileges(xml: &mut Xml, standing: &PatronPrivileges, agency: &str) {
    let PatronPrivileges { status, group, library } = standing;
    for (kind, value, description) in [
        ("PROFILE", group.as_deref(), "User Profile"),
        ("LIBRARY", library.as_deref(), "User Library"),
        ("STATUS", Some(status.as_str()), "User Status"),
    ] {
        element(xml, "UserPrivilege", |xml| {
            leaf(xml, "AgencyId", agency);
            leaf(xml, "AgencyUserPrivilegeType", kind);
            element(xml, "UserPrivilegeStatus", |xml| {
                leaf(xml, "UserPrivilegeStatusType", value.unwrap_or_default());
            });
            leaf(xml, "UserPrivilegeDescription", description);
        });
    }
}
