//! The data for a desk without a connection: the expected due dates, and the types of the items by barcode. They name no patrons.

mod due_dates;
mod items;

use octavo_engine::Request;
use octavo_kernel::{Fault, Outcome};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::circulation::Desk;

pub(super) use due_dates::answer as due_dates;
pub(super) use items::answer as items;

/// The properties of an item that the circulation rules use.
struct ItemKind {
    material_type: String,
    loan_type: String,
    location: String,
}

/// Columns of `item i`, read as [`KindRow`].
const KIND: &str = "i.\"materialTypeId\", coalesce(i.\"temporaryLoanTypeId\", i.\"permanentLoanTypeId\"), i.\"effectiveLocationId\"";

type KindRow = (Option<Uuid>, Option<Uuid>, Option<Uuid>);

impl ItemKind {
    fn from_row((material_type, loan_type, location): KindRow) -> Option<ItemKind> {
        let text = |id: Uuid| id.to_string();
        Some(ItemKind {
            material_type: material_type.map(text)?,
            loan_type: loan_type.map(text)?,
            location: location.map(text)?,
        })
    }

    fn to_json(&self) -> Value {
        json!({
            "materialTypeId": self.material_type, "loanTypeId": self.loan_type, "locationId": self.location,
        })
    }
}

/// The service point where the desk stands, and the locations that it serves.
fn service_point_and_locations<'a>(request: &'a Request, desk: &Desk) -> Outcome<(&'a str, Vec<Uuid>)> {
    let id = request.query("servicePointId").unwrap_or_default();
    if !desk.service_points.contains_key(id) {
        return Err(Fault::bad_request("servicePointId is not a service point"));
    }
    Ok((id, desk.locations_served_by(id).filter_map(|id| Uuid::parse_str(id).ok()).collect()))
}

octavo_pg::statements!(within = [due_dates, items]);
