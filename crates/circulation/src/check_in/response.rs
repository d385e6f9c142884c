//! What the desk is told: loan, item, the words for a slip.

use serde_json::{Value, json};

use super::Desk;
use crate::document::set;
use crate::facts::{Item, QueuedRequest};
use crate::view::{LoanView, StaffSlip, item_summary, loan_view, staff_slip_context};

impl Desk<'_> {
    pub(super) fn response(
        &self,
        loan: Option<&Value>,
        item: &Item,
        request: Option<&QueuedRequest>,
        in_house_use: bool,
    ) -> Value {
        let facts = self.facts;
        let service_points = &facts.service_points;
        let slip = staff_slip_context(&StaffSlip {
            now: facts.now(),
            item,
            request,
            from_service_point_id: Some(self.service_point_id),
            service_points,
        });
        let mut response = json!({
            "item": item_summary(item, service_points),
            "staffSlipContext": slip,
            "inHouseUse": in_house_use,
        });
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
            set(&mut response, "loan", view);
        }
        response
    }
}
