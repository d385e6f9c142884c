//! Records as mod-circulation shows them: stored loans and items with the records that they refer to.

mod in_transit;
mod item;
mod loan;
mod request;
mod shown;
pub(crate) mod staff_slip;

pub use in_transit::{InTransit, item_in_transit};
pub use item::item_summary;
pub use loan::{LoanView, loan_view};
pub use request::{Person, RequestView, instance_words, item_words, loan_words, pickup_words, request_view};
pub use shown::{Fields, Shown};
pub use staff_slip::{StaffSlip, shelf_slip, staff_slip_context};

use serde_json::Value;

use crate::document::at;

/// The members of a service point that are shown.
const SERVICE_POINT: [&str; 6] =
    ["name", "code", "discoveryDisplayName", "description", "shelvingLagTime", "pickupLocation"];

fn service_point_summary(record: &Value) -> Fields<'_> {
    Fields::whole(SERVICE_POINT.map(|field| (field, at(record, &[field]).map(Shown::from))))
}

#[cfg(test)]
mod tests;
