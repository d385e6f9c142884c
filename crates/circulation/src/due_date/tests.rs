//! Tables of due dates. The tenant is in Berlin, where clocks change on 29 March and 25 October 2026.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use octavo_kernel::folio_time;
use serde_json::{Value, json};

use super::*;
use crate::closed_library::ServicePointHours;
use crate::moment::parse_moment;
use crate::policy::{FixedDueDateSchedule, GoverningLoanPolicy};
use crate::rules::AppliedConditions;

fn policy(record: Value) -> LoanPolicy {
    serde_json::from_value(record).unwrap()
}

fn terms(due: &str) -> FixedDueDateSchedule {
    serde_json::from_value(json!({"id": "terms", "schedules": [
        {"from": "2026-01-01T00:00:00Z", "to": "2026-07-01T00:00:00Z", "due": due},
    ]}))
    .unwrap()
}

fn governing<'a>(
    policy: &'a LoanPolicy,
    schedule: Option<&'a FixedDueDateSchedule>,
    alternate_renewal_schedule: Option<&'a FixedDueDateSchedule>,
) -> GoverningLoanPolicy<'a> {
    GoverningLoanPolicy {
        policy,
        schedule,
        alternate_renewal_schedule,
        conditions: AppliedConditions::default(),
    }
}

fn instant(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn period(duration: i64, interval: &str) -> Value {
    json!({"duration": duration, "intervalId": interval})
}

/// Policy's date, then management, as check-out does it.
fn due(policy: &LoanPolicy, schedule: Option<&FixedDueDateSchedule>, loan_date: &str, hold: bool) -> String {
    let governing = governing(policy, schedule, None);
    let loan_date = parse_moment(loan_date).unwrap();
    let mut trace = Vec::new();
    let result = initial_due_date(&governing, &loan_date, hold, &mut trace).and_then(|initial| {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let management = Management {
            governing: &governing,
            hours: ServicePointHours { zone: &zone, calendar: None, service_point_id: Some("desk") },
            current_time: loan_date.timestamp(),
            loan_date: loan_date.timestamp(),
            is_renewal: false,
            patron_expires: Some(instant("2027-01-01T00:00:00Z")),
        };
        managed_due_date(initial.due, &management, &mut trace)
    });
    result.map_or_else(|refusal| refusal.message, |managed| folio_time(managed.due))
}

#[test]
fn when_a_new_loan_is_due() {
    let until_evening = |period: Value| {
        policy(json!({"id": "p", "loansPolicy": {"profileId": "rolling", "period": period,
            "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE"}}))
    };
    let to_the_minute = |period: Value| {
        policy(json!({"id": "p", "loansPolicy": {"profileId": "Rolling", "period": period,
            "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE_TIME"}}))
    };
    for (policy, loan_date, expected) in [
        (until_evening(period(3, "Weeks")), "2026-03-01T10:00:00Z", "2026-03-22T22:59:59.000+00:00"),
        // three weeks on it is summer time, whose days end an hour earlier in UTC
        (until_evening(period(3, "Weeks")), "2026-03-20T10:00:00Z", "2026-04-10T21:59:59.000+00:00"),
        (until_evening(period(1, "Days")), "2026-10-24T10:00:00Z", "2026-10-25T22:59:59.000+00:00"),
        // borrowed late in the evening in Berlin, already the next day there
        (until_evening(period(1, "Days")), "2026-06-01T22:30:00Z", "2026-06-03T21:59:59.000+00:00"),
        (until_evening(period(1, "Months")), "2026-01-31T10:00:00Z", "2026-02-28T22:59:59.000+00:00"),
        // 24 hours over the change of clocks
        (to_the_minute(period(1, "Days")), "2026-03-28T12:00:00+01:00", "2026-03-29T11:00:00.000+00:00"),
        (to_the_minute(period(2, "Hours")), "2026-03-29T00:30:00Z", "2026-03-29T02:30:00.000+00:00"),
        (to_the_minute(period(2, "Hours")), "2026-10-25T00:30:00.7Z", "2026-10-25T02:30:00.700+00:00"),
        // the patron expires at New Year
        (until_evening(period(3, "Months")), "2026-11-01T10:00:00Z", "2027-01-01T00:00:00.000+00:00"),
    ] {
        assert_eq!(due(&policy, None, loan_date, false), expected, "{loan_date} {policy:?}");
    }
}

#[test]
fn schedules_name_or_limit_the_due_date() {
    let terms = terms("2026-04-30T21:59:59Z");
    let fixed = policy(json!({"loansPolicy": {"profileId": "Fixed", "fixedDueDateScheduleId": "terms"},
        "requestManagement": {"holds": {"alternateCheckoutLoanPeriod": period(1, "Weeks")}}}));
    let rolling = policy(json!({"loansPolicy": {"profileId": "Rolling", "period": period(2, "Months"),
        "fixedDueDateScheduleId": "terms", "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE_TIME"},
        "requestManagement": {"holds": {"alternateCheckoutLoanPeriod": period(1, "Weeks")}}}));
    let outside = "loan date falls outside of the date ranges in the loan policy";
    for (policy, schedule, loan_date, hold, expected) in [
        (&fixed, Some(&terms), "2026-02-01T10:00:00Z", false, "2026-04-30T21:59:59.000+00:00"),
        (&fixed, Some(&terms), "2026-02-01T10:00:00Z", true, "2026-02-08T22:59:59.000+00:00"),
        (&fixed, Some(&terms), "2026-08-01T10:00:00Z", false, outside),
        (&fixed, None, "2026-02-01T10:00:00Z", false, outside),
        (&rolling, Some(&terms), "2026-02-01T10:00:00Z", false, "2026-04-01T10:00:00.000+00:00"),
        (&rolling, Some(&terms), "2026-03-15T10:00:00Z", false, "2026-04-30T21:59:59.000+00:00"),
        (&rolling, Some(&terms), "2026-03-15T10:00:00Z", true, "2026-03-22T10:00:00.000+00:00"),
        (&rolling, Some(&terms), "2026-08-01T10:00:00Z", false, outside),
        (&rolling, None, "2026-08-01T10:00:00Z", false, "2026-10-01T10:00:00.000+00:00"),
    ] {
        assert_eq!(due(policy, schedule, loan_date, hold), expected, "{loan_date} {hold}");
    }
}

#[test]
fn what_is_wrong_with_a_loan_policy() {
    for (loans_policy, expected) in [
        (json!(null), "profile \"\" in the loan policy is not recognised"),
        (json!({"profileId": "Weekly"}), "profile \"Weekly\" in the loan policy is not recognised"),
        (json!({"profileId": "Rolling"}), "the loan period in the loan policy is not recognised"),
        (
            json!({"profileId": "Rolling", "period": period(3, "Moons")}),
            "the interval \"Moons\" in the loan policy is not recognised",
        ),
        (
            json!({"profileId": "Rolling", "period": period(-3, "Days")}),
            "the duration \"-3\" in the loan policy is invalid",
        ),
    ] {
        let policy = policy(json!({"id": "p", "name": "n", "loansPolicy": loans_policy}));
        assert_eq!(due(&policy, None, "2026-02-01T10:00:00Z", false), expected);
    }
}

#[test]
fn when_a_renewed_loan_is_due() {
    let term = terms("2026-04-30T21:59:59Z");
    let holidays = terms("2026-05-05T10:00:00Z");
    let now = instant("2026-03-01T10:00:00Z");
    let current = instant("2026-03-10T22:59:59Z");
    let rolling = |renewals: Value| {
        policy(json!({"loansPolicy": {"profileId": "Rolling", "period": period(3, "Weeks")},
            "renewalsPolicy": renewals,
            "requestManagement": {"holds": {"alternateRenewalLoanPeriod": period(2, "Days")}}}))
    };
    let fixed =
        |renewals: Value| policy(json!({"loansPolicy": {"profileId": "Fixed"}, "renewalsPolicy": renewals}));
    let outside = "renewal date falls outside of date ranges in fixed loan policy";
    for (policy, schedule, alternate, hold, expected) in [
        (rolling(json!({"renewFromId": "SYSTEM_DATE"})), None, None, false, "2026-03-22T10:00:00.000+00:00"),
        (
            rolling(json!({"renewFromId": "CURRENT_DUE_DATE"})),
            None,
            None,
            false,
            "2026-03-31T22:59:59.000+00:00",
        ),
        (rolling(json!({"renewFromId": "SYSTEM_DATE"})), None, None, true, "2026-03-03T10:00:00.000+00:00"),
        (
            rolling(
                json!({"renewFromId": "SYSTEM_DATE", "differentPeriod": true, "period": period(1, "Months")}),
            ),
            None,
            None,
            false,
            "2026-04-01T10:00:00.000+00:00",
        ),
        (
            rolling(
                json!({"renewFromId": "SYSTEM_DATE", "differentPeriod": true, "period": period(3, "Months")}),
            ),
            Some(&term),
            Some(&holidays),
            false,
            "2026-05-05T10:00:00.000+00:00",
        ),
        (
            rolling(
                json!({"renewFromId": "SYSTEM_DATE", "differentPeriod": true, "period": period(3, "Months")}),
            ),
            Some(&term),
            None,
            false,
            "2026-04-30T21:59:59.000+00:00",
        ),
        (rolling(json!({})), None, None, false, "cannot determine when to renew from"),
        (
            rolling(json!({"renewFromId": "SYSTEM_DATE", "differentPeriod": true})),
            None,
            None,
            false,
            "the loan period in the loan policy is not recognised",
        ),
        (fixed(json!({})), Some(&term), None, false, "2026-04-30T21:59:59.000+00:00"),
        (
            fixed(json!({"differentPeriod": true})),
            Some(&term),
            Some(&holidays),
            false,
            "2026-05-05T10:00:00.000+00:00",
        ),
        (fixed(json!({"differentPeriod": true})), Some(&term), None, false, outside),
        (fixed(json!({})), None, None, false, outside),
    ] {
        let governing = governing(&policy, schedule, alternate);
        let found = renewal_due_date(&governing, now, current, hold, &mut Vec::new());
        assert_eq!(found.map_or_else(|refusal| refusal.message, folio_time), expected, "{policy:?}");
    }

    let rolling = rolling(json!({"renewFromId": "CURRENT_DUE_DATE"}));
    let governing = governing(&rolling, Some(&term), None);
    let found = renewal_due_date(&governing, now, instant("2026-08-01T00:00:00Z"), false, &mut Vec::new());
    assert_eq!(found.unwrap_err().message, "renewal date falls outside of date ranges in the loan policy");
}
