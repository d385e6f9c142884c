//! What the desk is told: loan, item, the words for a slip.

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
        let mut response = Fields::whole([
            ("item", Some(item_summary(item, service_points).into())),
            ("staffSlipContext", Some(slip.into())),
            ("inHouseUse", Some(in_house_use.into())),
        ]);
        if let Some(loan) = loan {
            let patron_group = facts.patron.as_ref().and_then(|patron| patron.group.as_ref());
            let view = loan_view(&LoanView {
                loan,
                item: Some(item),
                borrower: facts.patron.as_ref(),
                patron_group_at_checkout: patron_group,
                policies: &facts.policies,
                service_points,
                with_service_points: false,
                amount_remaining_to_pay: 0.0,
                due_date_changed_by_hold: false,
                due_date_changed_by_near_expire_user: false,
                computed: &["returnDate", "systemReturnDate"],
            });
            response.set("loan", view);
        }
        json_text(&response)
    }
}
