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
pub use request::{Person, RequestView, instance_json, item_json, loan_json, pickup_json, request_view};
pub use shown::{Fields, ResponseValue};
pub use staff_slip::{StaffSlip, shelf_slip, staff_slip_context};

use serde_json::Value;

use crate::document::value_at;

/// The members of a service point that are shown.
const SERVICE_POINT: [&str; 6] =
    ["name", "code", "discoveryDisplayName", "description", "shelvingLagTime", "pickupLocation"];

fn service_point_summary(record: &Value) -> Fields<'_> {
    Fields::with_nulls(
        SERVICE_POINT.map(|field| (field, value_at(record, &[field]).map(ResponseValue::from))),
    )
}

#[cfg(test)]
mod tests;
