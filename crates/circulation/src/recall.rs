//! The due date of a recalled loan, by the loan policy's minimum guaranteed period, recall return interval and interval for overdue
//! loans.
//!
//! The first recall of a loan shortens it, whether it is made during the loan or waits already at check-out. As in FOLIO, cancelling
//! the recall does not restore the date; the recall mark is removed when the loan is renewed or its due date is changed.

use jiff::Timestamp;
use octavo_kernel::{Fault, Outcome, Refusal};

use crate::document::{remove, set, set_time};
use crate::due_date::{ManagedDueDate, Management, managed_due_date, policy_refusal};
use crate::facts::{Facts, Loan, QueuedRequest};
use crate::moment::utc;
use crate::plan::Plan;
use crate::policy::{GoverningLoanPolicy, LoanPolicy, Period, PeriodDefect};
use crate::trace::Step;

pub(crate) struct Recalled<'a> {
    pub(crate) governing: &'a GoverningLoanPolicy<'a>,
    pub(crate) patron_expires: Option<Timestamp>,
    /// Whether the item is on loan. Then FOLIO takes the schedule's limit for the new due date, else for the loan date.
    pub(crate) is_out: bool,
}

/// Changes due date and flag of a loan that no recall has changed yet.
pub(crate) fn shorten_loan(
    facts: &Facts,
    recalled: &Recalled<'_>,
    loan: &mut Loan,
    plan: &mut Plan,
) -> Outcome<ManagedDueDate> {
    let before = loan.due_date();
    let due = due_date(facts.now(), loan, recalled.governing.policy)?;
    let loan_date = loan.loan_date().map(|date| date.timestamp()).filter(|_| !recalled.is_out);
    let management = Management {
        governing: recalled.governing,
        hours: facts.service_point_hours(loan.checkout_service_point_id()),
        current_time: facts.now(),
        loan_date: loan_date.unwrap_or(due),
        is_renewal: false,
        patron_expires: recalled.patron_expires,
    };
    let managed = managed_due_date(due, &management, &mut plan.trace)?;
    set_time(&mut loan.record, "dueDate", managed.due);
    set(&mut loan.record, "dueDateChangedByRecall", true);
    remove(&mut loan.record, "reminders");
    plan.add_step(Step::DueDateChanged { from: before, to: managed.due });
    Ok(managed)
}

/// Shortens a new loan if another patron's recall of the item waits.
pub(crate) fn shorten_if_recalled(
    facts: &Facts,
    recalled: &Recalled<'_>,
    rest_of_queue: &[&QueuedRequest],
    loan: &mut Loan,
    plan: &mut Plan,
) -> Outcome<Option<ManagedDueDate>> {
    let item_id = loan.item_id().unwrap_or_default();
    let waits = rest_of_queue.iter().any(|request| request.is_recall() && request.is_for_item(item_id));
    if !waits || loan.due_date_was_changed_by_recall() {
        return Ok(None);
    }
    shorten_loan(facts, recalled, loan, plan).map(Some)
}

/// The due date before closed-library management.
fn due_date(now: Timestamp, loan: &Loan, policy: &LoanPolicy) -> Outcome<Timestamp> {
    let recalls = &policy.request_management.recalls;
    let current = loan.due_date().unwrap_or(now);
    let (overdue, extends) = (current < now, recalls.allow_recalls_to_extend_overdue_loans);
    let alternate = recalls.alternate_recall_return_interval.as_ref().filter(|_| overdue && extends);
    let due = match (alternate, &recalls.recall_return_interval) {
        (Some(period), _) => add_period(period, now, policy, "alternateRecallReturnInterval"),
        (None, Some(period)) => add_period(period, now, policy, "recallReturnInterval"),
        (None, None) => Ok(now),
    };
    let guaranteed = match (&recalls.minimum_guaranteed_loan_period, loan.loan_date()) {
        (Some(period), Some(begun)) => {
            add_period(period, begun.timestamp(), policy, "minimumGuaranteedLoanPeriod").map(Some)
        }
        _ => Ok(None),
    };
    let (due, guaranteed) = match (due, guaranteed) {
        (Ok(due), Ok(guaranteed)) => (due, guaranteed),
        (due, guaranteed) => {
            let refusals = due.err().into_iter().chain(guaranteed.err());
            return Err(Fault::refused(refusals.collect()));
        }
    };
    if (overdue || due > current) && !extends {
        return Ok(current);
    }
    Ok(guaranteed.map_or(due, |guaranteed| guaranteed.max(due)))
}

fn add_period(
    period: &Period,
    from: Timestamp,
    policy: &LoanPolicy,
    key: &str,
) -> Result<Timestamp, Refusal> {
    let refused = |defect| {
        let message = match defect {
            PeriodDefect::Missing => format!("the \"{key}\" in the loan policy is not recognized"),
            PeriodDefect::UnknownInterval(interval) => {
                format!("the interval \"{interval}\" in \"{key}\" is not recognized")
            }
            PeriodDefect::InvalidDuration(duration) => {
                format!("the duration \"{duration}\" in \"{key}\" is invalid")
            }
        };
        policy_refusal(policy, message)
    };
    period.add_to(&utc(from)).map(|at| at.timestamp()).map_err(refused)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::desk::messages;

    fn policy(recalls: &Value) -> LoanPolicy {
        let record = json!({"id": "p", "name": "Term", "requestManagement": {"recalls": recalls}});
        serde_json::from_value(record).unwrap()
    }

    fn loan(due: &str) -> Loan {
        Loan { record: json!({"loanDate": "2026-02-20T10:00:00.000+00:00", "dueDate": due}).into() }
    }

    fn days(days: i64) -> Value {
        json!({"duration": days, "intervalId": "Days"})
    }

    /// Lent on 20 February; it is 2 March.
    #[test]
    fn what_the_policy_says_of_recalled_loans() {
        let (out, overdue) = ("2026-03-13T22:00:00.000+00:00", "2026-02-27T22:00:00.000+00:00");
        for (recalls, due, expected) in [
            (json!({}), out, "2026-03-02T10:00:00Z"),
            (json!({"recallReturnInterval": days(3)}), out, "2026-03-05T10:00:00Z"),
            (json!({"recallReturnInterval": days(30)}), out, "2026-03-13T22:00:00Z"),
            (
                json!({"recallReturnInterval": days(3), "minimumGuaranteedLoanPeriod": days(14)}),
                out,
                "2026-03-06T10:00:00Z",
            ),
            (
                json!({"recallReturnInterval": days(3), "minimumGuaranteedLoanPeriod": days(12)}),
                out,
                "2026-03-05T10:00:00Z",
            ),
            // The guarantee lasts longer than the loan itself: what was promised counts.
            (json!({"minimumGuaranteedLoanPeriod": days(30)}), out, "2026-03-22T10:00:00Z"),
            (json!({"recallReturnInterval": days(3)}), overdue, "2026-02-27T22:00:00Z"),
            (
                json!({"recallReturnInterval": days(3), "alternateRecallReturnInterval": days(7)}),
                overdue,
                "2026-02-27T22:00:00Z",
            ),
            (
                json!({"allowRecallsToExtendOverdueLoans": true, "recallReturnInterval": days(3)}),
                overdue,
                "2026-03-05T10:00:00Z",
            ),
            (
                json!({"allowRecallsToExtendOverdueLoans": true, "recallReturnInterval": days(3),
                    "alternateRecallReturnInterval": days(7)}),
                overdue,
                "2026-03-09T10:00:00Z",
            ),
            // The other interval is for loans that are overdue.
            (
                json!({"allowRecallsToExtendOverdueLoans": true, "recallReturnInterval": days(3),
                    "alternateRecallReturnInterval": days(7)}),
                out,
                "2026-03-05T10:00:00Z",
            ),
        ] {
            let now = crate::desk::NOW.parse().unwrap();
            let found = due_date(now, &loan(due), &policy(&recalls)).unwrap();
            assert_eq!(found, expected.parse().unwrap(), "{recalls} {due}");
        }
    }

    #[test]
    fn intervals_that_are_none_are_told_all_at_once() {
        let recalls = json!({"recallReturnInterval": {"duration": 3, "intervalId": "Moons"},
            "minimumGuaranteedLoanPeriod": {"duration": 0, "intervalId": "Days"}});
        let now = crate::desk::NOW.parse().unwrap();
        let fault = due_date(now, &loan("2026-03-13T22:00:00.000+00:00"), &policy(&recalls)).unwrap_err();
        assert_eq!(
            messages(&fault),
            [
                "the interval \"Moons\" in \"recallReturnInterval\" is not recognized",
                "the duration \"0\" in \"minimumGuaranteedLoanPeriod\" is invalid",
            ]
        );
    }
}
