//! What a desk takes along for the time without a connection: which due dates to expect, and what kind of thing has which
//! barcode. Nothing about patrons.

mod due_dates;
mod items;

use octavo_engine::Request;
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Row;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::circulation::Desk;

pub(super) use due_dates::answer as due_dates;
pub(super) use items::answer as items;

/// What the rules ask about an item.
struct Kind {
    material_type: String,
    loan_type: String,
    location: String,
}

/// Columns of `item i`, read by [`Kind::at`].
const KIND: &str = "i.\"materialTypeId\", coalesce(i.\"temporaryLoanTypeId\", i.\"permanentLoanTypeId\"), i.\"effectiveLocationId\"";

impl Kind {
    fn at(row: &Row, at: usize) -> Option<Kind> {
        let id = |at| row.maybe_uuid(at).map(|id| id.to_string());
        Some(Kind { material_type: id(at)?, loan_type: id(at + 1)?, location: id(at + 2)? })
    }

    fn shown(&self) -> Value {
        json!({
            "materialTypeId": self.material_type, "loanTypeId": self.loan_type, "locationId": self.location,
        })
    }
}

/// The service point where the desk stands, and the locations that it serves.
fn place<'a>(request: &'a Request, desk: &Desk) -> Outcome<(&'a str, Vec<Uuid>)> {
    let id = request.query("servicePointId").unwrap_or_default();
    if !desk.service_points.contains_key(id) {
        return Err(Fault::bad_request("servicePointId is not a service point"));
    }
    Ok((id, desk.locations_served_by(id).filter_map(|id| Uuid::parse_str(id).ok()).collect()))
}

octavo_pg::statements!(within = [due_dates, items]);
