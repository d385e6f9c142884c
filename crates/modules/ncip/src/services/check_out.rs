//! `CheckOutItem`: an item is lent at the service point that the library has set for the agency.

use octavo_kernel::{Xml, parse_time};
use serde_json::{Value, json};

use super::patron::{Blocks, find, is_blocked};
use super::{item_barcode, sender_or_requester, user_number};
use crate::agency::Settings;
use crate::library::Library;
use crate::message::Message;
use crate::problem::Failure;
use crate::words::{self, element, leaf, optional_leaf};

pub(super) async fn perform(library: &Library<'_>, message: &Message) -> Result<Xml, Failure> {
    let (number, barcode) = (patron_number(message)?, item_barcode(message)?);
    let agency = sender_or_requester(message)?;
    let user = find(library, number).await?;
    if is_blocked(library, &user, Blocks::Borrowing).await? {
        return Err(Failure::Doing("BLOCKED".to_owned()));
    }
    let settings = Settings::load(library, agency).await?;
    let body = json!({
        "itemBarcode": barcode, "userBarcode": user["barcode"],
        "servicePointId": settings.id(library, "checkout.service.point.code").await?,
    });
    let loan = library.post("/circulation/check-out-by-barcode", &body).await?;
    let mut xml = Xml::default();
    words::id_element(&mut xml, "Item", Some(agency), "Item Barcode", barcode);
    words::id_element(&mut xml, "User", Some(agency), "User Barcode", number);
    optional_leaf(&mut xml, "DateDue", due_date_text(&loan).as_deref());
    if let Some(call_number) = loan["item"]["callNumber"].as_str() {
        element(&mut xml, "ItemOptionalFields", |xml| {
            element(xml, "ItemDescription", |xml| leaf(xml, "CallNumber", call_number));
        });
    }
    Ok(xml)
}

/// The patron's number, or what the patron has typed in to be known.
fn patron_number(message: &Message) -> Result<&str, Failure> {
    user_number(message).or_else(|missing| {
        let inputs = message.authentication_inputs();
        let of = |kind: &str| {
            inputs.iter().find(|(given, _)| given.eq_ignore_ascii_case(kind)).map(|(_, value)| *value)
        };
        of("Barcode Id").or_else(|| of("Username")).ok_or(missing)
    })
}

/// `2026-12-01T22:59:59.000Z`
fn due_date_text(loan: &Value) -> Option<String> {
    let due = parse_time(loan["dueDate"].as_str()?)?;
    Some(due.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string())
}
