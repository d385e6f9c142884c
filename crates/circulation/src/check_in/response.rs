//! The answer to a check-in: the loan, the item, the values for a staff slip.

use octavo_kernel::json_text;
use serde_json::Value;

use super::Desk;
use crate::facts::{Item, QueuedRequest};
use crate::view::{Fields, LoanView, StaffSlip, item_summary, loan_view, staff_slip_context};

impl Desk<'_> {
    pub(super) fn response(
        &self,
        loan: Option<&Value>,
        item: &Item,
        request: Option<&QueuedRequest>,
        in_house_use: bool,
    ) -> String {
        let facts = self.facts;
        let service_points = &facts.service_points;
        let slip = staff_slip_context(&StaffSlip {
            now: facts.now(),
            item,
            request,
            from_service_point_id: Some(self.service_point_id),
            service_points,
            person_names: &facts.person_names,
        });
        let mut response = Fields::with_nulls([
            ("item", Some(item_summary(item, service_points).into())),
            ("staffSlipContext", Some(slip.into())),
            ("inHouseUse", Some(in_house_use.into())),
        ]);
        if let Some(loan) = loan {
            let view = LoanView {
                computed: &["returnDate", "systemReturnDate"],
                ..LoanView::after_operation(facts, loan, item, facts.patron.as_ref())
            };
            response.set("loan", loan_view(&view));
        }
        json_text(&response)
    }
}
