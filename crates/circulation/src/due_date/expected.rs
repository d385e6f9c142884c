//! The due date of a loan by its policy and opening hours alone, without waiting holds and the patron's expiration.

use jiff::{SignedDuration, Timestamp, Zoned};

use super::{Management, initial_due_date, managed_due_date};
use crate::closed_library::ServicePointHours;
use crate::moment::utc;
use crate::policy::GoverningLoanPolicy;

/// Loan dates for which one answer holds: `from` included, `until` not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoanDateSpan {
    pub from: Timestamp,
    pub until: Timestamp,
    pub expected: ExpectedDueDate,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpectedDueDate {
    DueAt(Timestamp),
    /// The due date is this long after the loan date.
    DueAfter(SignedDuration),
    /// The item is not loanable, for this reason.
    NotLent(String),
}

/// The due date, or why it would not be lent.
pub fn expected_due_date(
    governing: &GoverningLoanPolicy<'_>,
    place: ServicePointHours<'_>,
    loan_date: &Zoned,
) -> Result<Timestamp, String> {
    if !governing.policy.loanable {
        return Err("Item is not loanable".to_owned());
    }
    let management = Management {
        governing,
        hours: place,
        current_time: loan_date.timestamp(),
        loan_date: loan_date.timestamp(),
        is_renewal: false,
        patron_expires: None,
    };
    initial_due_date(governing, loan_date, false, &mut Vec::new())
        .and_then(|initial| managed_due_date(initial.due, &management, &mut Vec::new()))
        .map(|managed| managed.due)
        .map_err(|refusal| refusal.message)
}

/// The due dates of loans from `from` on by a policy, computed for each `step`. If two neighbours differ, as at closing time or midnight,
/// the time between them is halved until it is a second, which no span contains.
pub fn due_dates_ahead(
    governing: &GoverningLoanPolicy<'_>,
    place: ServicePointHours<'_>,
    from: Timestamp,
    step: SignedDuration,
    steps: usize,
) -> Vec<LoanDateSpan> {
    let attempt = |at| Attempt { at, outcome: expected_due_date(governing, place, &utc(at)) };
    let mut times = std::iter::successors(Some(from), |at| at.checked_add(step).ok()).take(steps + 1);
    let mut spans = Vec::new();
    let Some(mut first) = times.next().map(attempt) else { return spans };
    for at in times {
        let second = attempt(at);
        fill_spans(&mut spans, &first, &second, &attempt);
        first = second;
    }
    spans
}

struct Attempt {
    at: Timestamp,
    outcome: Result<Timestamp, String>,
}

const SECOND: SignedDuration = SignedDuration::from_secs(1);

fn fill_spans(
    spans: &mut Vec<LoanDateSpan>,
    first: &Attempt,
    second: &Attempt,
    attempt: &impl Fn(Timestamp) -> Attempt,
) {
    let (from, until) = (first.at, second.at);
    let apart = until.duration_since(from);
    let expected = match (&first.outcome, &second.outcome) {
        (Ok(first), Ok(second)) if first == second => ExpectedDueDate::DueAt(*first),
        (Ok(first), Ok(second)) if second.duration_since(*first) == apart => {
            ExpectedDueDate::DueAfter(first.duration_since(from))
        }
        (Err(first), Err(second)) if first == second => ExpectedDueDate::NotLent(first.clone()),
        _ if apart <= SECOND => return,
        _ => {
            let middle = attempt(from + SignedDuration::from_secs(apart.as_secs() / 2));
            fill_spans(spans, first, &middle, attempt);
            return fill_spans(spans, &middle, second, attempt);
        }
    };
    match spans.last_mut() {
        Some(last) if last.until == from && last.expected == expected => last.until = until,
        _ => spans.push(LoanDateSpan { from, until, expected }),
    }
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;
    use serde_json::{Value, json};

    use super::*;
    use crate::desk::{policies, three_weeks};

    const QUARTER: SignedDuration = SignedDuration::from_mins(15);

    fn instant(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    /// From half past ten in the evening in Berlin, for an hour and three quarters.
    fn ahead(change: impl Fn(&mut Value)) -> Vec<LoanDateSpan> {
        let mut policy = three_weeks();
        change(&mut policy);
        let policies = policies(
            "priority: last-line\nfallback-policy: l three-weeks r any n none o fine i lost",
            policy,
        );
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let place = ServicePointHours { zone: &zone, calendar: None, service_point_id: Some("desk-1") };
        let governing = policies.loan_policy_by_id("three-weeks").unwrap();
        due_dates_ahead(&governing, place, instant("2026-03-02T21:30:00Z"), QUARTER, 7)
    }

    #[test]
    fn a_day_of_loans_is_one_span_and_the_second_before_midnight_is_left_open() {
        let day = |from, until, due| LoanDateSpan {
            from: instant(from),
            until: instant(until),
            expected: ExpectedDueDate::DueAt(instant(due)),
        };
        assert_eq!(
            ahead(|_| {}),
            [
                day("2026-03-02T21:30:00Z", "2026-03-02T22:59:59Z", "2026-03-23T22:59:59Z"),
                day("2026-03-02T23:00:00Z", "2026-03-02T23:15:00Z", "2026-03-24T22:59:59Z"),
            ]
        );
    }

    #[test]
    fn a_loan_of_hours_is_due_so_long_after_it_was_made() {
        let spans = ahead(|policy| {
            policy["loansPolicy"]["period"] = json!({"duration": 3, "intervalId": "Hours"});
            policy["loansPolicy"]["closedLibraryDueDateManagementId"] = json!("CURRENT_DUE_DATE_TIME");
        });
        let [span] = &spans[..] else { panic!("{spans:?}") };
        assert_eq!(span.expected, ExpectedDueDate::DueAfter(SignedDuration::from_hours(3)));
        assert_eq!(
            (span.from, span.until),
            (instant("2026-03-02T21:30:00Z"), instant("2026-03-02T23:15:00Z"))
        );
    }

    #[test]
    fn what_is_not_lent_has_no_due_date_but_a_reason() {
        let [span] = &ahead(|policy| policy["loanable"] = json!(false))[..] else { panic!() };
        assert_eq!(span.expected, ExpectedDueDate::NotLent("Item is not loanable".into()));
        let open_day = json!("END_OF_THE_NEXT_OPEN_DAY");
        let spans =
            ahead(|policy| policy["loansPolicy"]["closedLibraryDueDateManagementId"] = open_day.clone());
        let [span] = &spans[..] else { panic!("{spans:?}") };
        assert_eq!(span.expected, ExpectedDueDate::NotLent("Calendar open periods are not found".into()));
    }
}
