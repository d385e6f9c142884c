//! Records about loans, and about items that are checked in.

use serde_json::Value;

use super::describe::{self, Return};
use crate::document::{Document, text, time};
use crate::notice::DecisionFacts;
use crate::plan::{Logged, Plan, RecordKind, Source, Write};
use crate::status::{LogAction, LogObject};
use crate::trace::Step;

impl DecisionFacts<'_> {
    pub(super) fn log_loans(self, plan: &Plan, found: &mut Vec<Logged>) {
        for (_, check_in) in plan.documents(RecordKind::CheckIn) {
            found.extend(self.checked_in(check_in, plan));
        }
        for event in &plan.events {
            let written = text(&event.payload, &["loanId"]).map(|id| self.writes_of(id, plan));
            // An event about a fee of a loan names it, too.
            if let Some([before, .., after]) = written.as_deref() {
                self.log_loan_event(event.name, before.as_deref(), after.as_deref(), plan, found);
            }
        }
        for loan in &plan.recalled_again {
            let due = time(loan, &["dueDate"]);
            let description = describe::due_date(due, due);
            found.push(self.about_loan(LogAction::RecallRequested, loan, description, plan));
        }
        for (_, loan) in plan.documents(RecordKind::Loan) {
            let action = match text(loan, &["action"]) {
                Some("patronInfoAdded") => LogAction::PatronInfoAdded,
                Some("staffInfoAdded") => LogAction::StaffInfoAdded,
                _ => continue,
            };
            if plan.events.is_empty() {
                let comment = text(loan, &["actionComment"]).unwrap_or_default();
                found.push(self.about_loan(action, loan, comment.to_owned(), plan));
            }
        }
    }

    /// The loan before the plan, and after each time it is written.
    fn writes_of(self, id: &str, plan: &Plan) -> Vec<Option<Document>> {
        let is = |record: &Document| text(record, &["id"]) == Some(id);
        let known = self.facts.loan.iter().chain(&self.facts.open_loans_of_item).map(|loan| &loan.record);
        let before = known.into_iter().find(|record| is(record)).cloned();
        let written = plan.documents(RecordKind::Loan).filter(|(written, _)| *written == id);
        std::iter::once(before).chain(written.map(|(_, loan)| Some(loan.clone()))).collect()
    }

    fn log_loan_event(
        self,
        event: &str,
        was: Option<&Value>,
        after: Option<&Value>,
        plan: &Plan,
        found: &mut Vec<Logged>,
    ) {
        let Some(loan) = after else { return };
        let action = text(loan, &["action"]).unwrap_or_default();
        let comment = text(loan, &["actionComment"]);
        let mut add = |action, description| found.push(self.about_loan(action, loan, description, plan));
        match event {
            "ITEM_CHECKED_OUT" => found.push(self.checked_out(loan, plan)),
            "LOAN_DUE_DATE_CHANGED" => {
                let due = |loan: Option<&Value>| time(loan?, &["dueDate"]);
                let before = due(was).or_else(|| self.due_before(plan));
                let description = describe::due_date(due(after), before);
                add(LogAction::ChangedDueDate, description.clone());
                let renewed = plan.trace.iter().any(|step| matches!(step, Step::LoanRenewed { .. }));
                // Staff who change the due date leave the action as it was.
                let recalled = was.and_then(|loan| text(loan, &["action"])) != Some(action);
                match action {
                    "renewed" if renewed => add(LogAction::Renewed, description),
                    "renewedThroughOverride" if renewed => {
                        add(LogAction::RenewedThroughOverride, description);
                    }
                    "recallrequested" if recalled => add(LogAction::RecallRequested, description),
                    _ => {}
                }
            }
            "ITEM_DECLARED_LOST" => add(LogAction::DeclaredLost, describe::additional(comment)),
            "ITEM_CLAIMED_RETURNED" => add(LogAction::ClaimedReturned, describe::additional(comment)),
            "ITEM_AGED_TO_LOST" => {
                let path = ["agedToLostDelayedBilling", "agedToLostDate"];
                let mut aged = self.about_loan(
                    LogAction::AgeToLost,
                    loan,
                    describe::aged_to_lost(time(loan, &path)),
                    plan,
                );
                aged.service_point_id = None;
                aged.source = Source::system();
                found.push(aged);
            }
            "LOAN_CLOSED" if action == "markedMissing" => {
                add(LogAction::MarkedAsMissing, describe::additional(comment));
            }
            "LOAN_CLOSED" if action == "closedLoan" => add(LogAction::ClosedLoan, String::new()),
            _ => {}
        }
    }

    /// The due date before the change, taken from the trace, for a loan that the facts do not have.
    fn due_before(self, plan: &Plan) -> Option<jiff::Timestamp> {
        plan.trace.iter().find_map(|step| match step {
            Step::DueDateChanged { from, .. } => *from,
            _ => None,
        })
    }

    fn about_loan(self, action: LogAction, loan: &Value, description: String, plan: &Plan) -> Logged {
        let mut logged = Logged { description, ..Logged::new(LogObject::Loan, action) };
        self.set_item(&mut logged, plan, text(loan, &["itemId"]));
        self.set_user(&mut logged, text(loan, &["userId"]));
        logged.loan_id = text(loan, &["id"]).map(str::to_owned);
        let point = text(loan, &["checkinServicePointId"]);
        let point = point.or_else(|| text(loan, &["checkoutServicePointId"]));
        logged.service_point_id = point.map(str::to_owned);
        logged
    }

    fn checked_out(self, loan: &Value, plan: &Plan) -> Logged {
        let action = match text(loan, &["action"]) {
            Some("checkedOutThroughOverride") => LogAction::CheckedOutThroughOverride,
            _ => LogAction::CheckedOut,
        };
        let proxy = self.facts.proxy.as_ref().filter(|_| text(loan, &["proxyUserId"]).is_some());
        let description = describe::check_out(proxy.and_then(|proxy| proxy.patron.barcode()));
        self.about_loan(action, loan, description, plan)
    }

    /// The item that is checked in, and its loan, if it had one.
    fn checked_in(self, check_in: &Value, plan: &Plan) -> Vec<Logged> {
        let item_id = text(check_in, &["itemId"]);
        let closed = plan
            .documents(RecordKind::Loan)
            .map(|(_, loan)| loan)
            .find(|loan| text(loan, &["itemId"]) == item_id && text(loan, &["systemReturnDate"]).is_some());
        let item = self.item_after(plan, item_id);
        let status = item.and_then(|item| text(item, &["status", "name"])).unwrap_or_default();
        let to = item.and_then(|item| text(item, &["inTransitDestinationServicePointId"]));
        let mut arrived = Logged {
            description: describe::item_checked_in(status, self.point_name(to)),
            ..Logged::new(LogObject::NA, LogAction::CheckedIn)
        };
        self.set_item(&mut arrived, plan, item_id);
        arrived.service_point_id = text(check_in, &["servicePointId"]).map(str::to_owned);
        let Some(loan) = closed else { return vec![arrived] };
        self.set_user(&mut arrived, text(loan, &["userId"]));
        arrived.loan_id = text(loan, &["id"]).map(str::to_owned);
        let mut ended = Logged {
            description: describe::loan_closed(&Return {
                item_status: status,
                resolution: None,
                returned: time(loan, &["returnDate"]),
                noted: time(loan, &["systemReturnDate"]),
                due: time(loan, &["dueDate"]),
                zone: &self.facts.time_zone,
            }),
            ..arrived.clone()
        };
        (ended.object, ended.action) = (LogObject::Loan, LogAction::ClosedLoan);
        vec![arrived, ended]
    }
}

/// Whether a plan is that of a check-out or a check-in.
pub(super) fn is_at_desk(plan: &Plan) -> bool {
    let check_in = |write: &Write| matches!(write, Write::Insert { record: RecordKind::CheckIn, .. });
    plan.writes.iter().any(check_in) || plan.events.iter().any(|event| event.name == "ITEM_CHECKED_OUT")
}
