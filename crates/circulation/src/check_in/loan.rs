//! Closes the open loan of the item.

use octavo_kernel::folio_time;
use serde_json::json;

use super::{Desk, Resolution};
use crate::document::{set, set_time};
use crate::facts::{Item, Loan};
use crate::fees::{Occasion, charge_overdue_fine};
use crate::loan_in_question::close_loan;
use crate::plan::{Plan, RecordKind};
use crate::renew::remove_aged_to_lost_billing;
use crate::status::ItemStatus;
use crate::trace::Step;

impl Desk<'_> {
    /// `before` is the item as it came in, `after` as it leaves the desk.
    pub(super) fn close_loan(&self, loan: &Loan, before: &Item, after: &Item, plan: &mut Plan) -> Loan {
        let action = match self.resolution.filter(|_| before.is(ItemStatus::ClaimedReturned)) {
            Some(Resolution::FoundByLibrary) => "checkedInFoundByLibrary",
            Some(Resolution::ReturnedByPatron) => "checkedInReturnedByPatron",
            None => "checkedin",
        };
        let mut closed = loan.record.clone();
        close_loan(&mut closed, action, None);
        set_time(&mut closed, "returnDate", self.check_in_date);
        set_time(&mut closed, "systemReturnDate", self.facts.now());
        set(&mut closed, "checkinServicePointId", self.service_point_id);
        set(&mut closed, "itemStatus", after.status());
        if before.is(ItemStatus::AgedToLost) {
            remove_aged_to_lost_billing(&mut closed);
        }
        self.facts.set_metadata(&mut closed);
        plan.update(RecordKind::Loan, loan.id(), closed.clone());
        plan.add_step(Step::LoanClosed { loan_id: loan.id().to_owned(), action: action.into() });
        if let Some(user_id) = loan.user_id() {
            plan.insert_session(self.facts, user_id, loan.id(), "Check-in", self.session_id);
        }
        Loan { record: closed }
    }

    /// `before` is the item as it came in.
    pub(super) fn charge_for_delay(&self, loan: &Loan, closed: &Loan, before: &Item, plan: &mut Plan) {
        if self.resolution != Some(Resolution::FoundByLibrary) {
            let occasion = Occasion::Return { service_point_id: self.service_point_id };
            charge_overdue_fine(self.facts, closed, before, occasion, plan);
        }
        plan.publish(
            "ITEM_CHECKED_IN",
            json!({
                "userId": loan.user_id(),
                "loanId": loan.id(),
                "returnDate": folio_time(self.check_in_date),
            }),
        );
    }
}
