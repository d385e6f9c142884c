//! Whatever the policy, the hours and the moment: no loan is due before it begins, nor at a time that the policy's
//! closed-library strategy forbids.
//!
//! The desk lends while it is open. Who lends on a closed day may get a due date on the last open day before, as in FOLIO.

use jiff::civil::{Date, Time, date};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::closed_library::{Calendar, OpeningDay, ServicePointHours, SurroundingOpenings};
use crate::policy::{FixedDueDateSchedule, GoverningLoanPolicy};
use crate::rules::AppliedConditions;

/// Open on some days of the week, at the same hours, and closed for a while in between.
#[derive(Debug, Clone)]
struct Hours {
    week: [bool; 7],
    from: i8,
    until: i8,
    closed_from: Date,
    closed_days: i64,
}

impl Hours {
    fn opening_day(&self, day: Date) -> OpeningDay {
        let away = (0..self.closed_days).contains(&days_between(self.closed_from, day));
        let open = self.week[usize::try_from(day.weekday().to_monday_zero_offset()).unwrap()] && !away;
        let hour = |hour: i8| Time::new(hour, 0, 0, 0).unwrap();
        match open {
            true => OpeningDay::open(day, vec![(hour(self.from), hour(self.until))]),
            false => OpeningDay::closed(day),
        }
    }

    fn nearest_open_day(&self, mut day: Date, step: impl Fn(Date) -> Date) -> OpeningDay {
        let neighbour = step(day);
        for _ in 0..60 {
            day = step(day);
            if self.opening_day(day).open {
                return self.opening_day(day);
            }
        }
        OpeningDay::closed(neighbour)
    }
}

impl Calendar for Hours {
    fn surrounding(&self, _: &str, day: Date) -> Option<SurroundingOpenings> {
        Some(SurroundingOpenings {
            previous: self.nearest_open_day(day, |day| day.yesterday().unwrap()),
            requested: self.opening_day(day),
            next: self.nearest_open_day(day, |day| day.tomorrow().unwrap()),
        })
    }
}

fn days_between(from: Date, to: Date) -> i64 {
    i64::from(from.until(to).unwrap().get_days())
}

fn hours() -> impl Strategy<Value = Hours> {
    let week = any::<[bool; 7]>().prop_filter("the library opens", |week| week.contains(&true));
    (week, 6..11_i8, 12..20_i8, 0..120_i64, 0..20_i64).prop_map(|(week, from, until, begins, closed_days)| {
        let closed_from = date(2026, 2, 1).saturating_add(jiff::Span::new().days(begins));
        Hours { week, from, until, closed_from, closed_days }
    })
}

const STRATEGIES: [&str; 6] = [
    "CURRENT_DUE_DATE",
    "CURRENT_DUE_DATE_TIME",
    "END_OF_THE_PREVIOUS_OPEN_DAY",
    "END_OF_THE_NEXT_OPEN_DAY",
    "END_OF_THE_CURRENT_SERVICE_POINT_HOURS",
    "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS",
];

fn policy() -> impl Strategy<Value = Value> {
    let unit = prop::sample::select(vec![
        ("Minutes", 300),
        ("Hours", 100),
        ("Days", 60),
        ("Weeks", 8),
        ("Months", 3),
    ]);
    let period = unit.prop_flat_map(|(unit, most)| {
        (1..most).prop_map(move |many| json!({"duration": many, "intervalId": unit}))
    });
    (period, prop::sample::select(STRATEGIES.to_vec()), 0..90_i64).prop_map(|(period, strategy, offset)| {
        json!({"id": "p", "name": "P", "loanable": true, "loansPolicy": {
            "profileId": "Rolling", "period": period, "closedLibraryDueDateManagementId": strategy,
            "openingTimeOffset": {"duration": offset, "intervalId": "Minutes"},
        }})
    })
}

/// A day of half a year in which clocks change, how far into its hours, and a library that changes its clocks or not.
fn moment() -> impl Strategy<Value = (i64, i64, TimeZone)> {
    let zone = prop::sample::select(vec!["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"]);
    (0..180_i64, 0..=1000_i64, zone).prop_map(|(day, part, zone)| (day, part, TimeZone::get(zone).unwrap()))
}

impl Hours {
    /// While the library is open, if it opens at all.
    fn moment(&self, days: i64, part: i64, zone: &TimeZone) -> Option<Timestamp> {
        let day = date(2026, 2, 1).saturating_add(jiff::Span::new().days(days));
        let opening = self.nearest_open_day(day, |day| day.tomorrow().unwrap());
        let (from, until) = *opening.hours.first()?;
        let at = |time: Time| opening.date.to_datetime(time).to_zoned(zone.clone()).unwrap().timestamp();
        let minutes = (at(until).as_second() - at(from).as_second()) / 60 * part / 1000;
        Some(at(from) + jiff::SignedDuration::from_mins(minutes))
    }
}

fn is_open(hours: &Hours, at: &Zoned) -> bool {
    hours.opening_day(at.date()).hours.iter().any(|(from, until)| *from <= at.time() && at.time() <= *until)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_loan_is_due_before_it_begins_or_when_the_policy_forbids_it(
        hours in hours(),
        record in policy(),
        (day, part, zone) in moment(),
        limit in prop::option::of(1..120_i64),
    ) {
        let Some(lent) = hours.moment(day, part, &zone) else { return Ok(()) };
        let policy: LoanPolicy = serde_json::from_value(record.clone()).unwrap();
        // The schedule's due date is the end of an open day, as who writes schedules means it.
        let last = limit.map(|days| hours.nearest_open_day(lent.to_zoned(zone.clone()).date().saturating_add(jiff::Span::new().days(days)), |day| day.tomorrow().unwrap()));
        let schedule: Option<FixedDueDateSchedule> = last.filter(|last| last.open).map(|last| {
            let due = crate::moment::end_of_date(last.date, &zone);
            serde_json::from_value(json!({"id": "s", "schedules": [
                {"from": "2020-01-01T00:00:00Z", "to": "2030-01-01T00:00:00Z", "due": due.to_string()}]})).unwrap()
        });
        let governing = GoverningLoanPolicy {
            policy: &policy, schedule: schedule.as_ref(), alternate_renewal_schedule: None,
            conditions: AppliedConditions::default(),
        };
        let management = Management {
            governing: &governing, hours: ServicePointHours { zone: &zone, calendar: Some(&hours), service_point_id: Some("desk") },
            current_time: lent, loan_date: lent, is_renewal: false, patron_expires: None,
        };
        let mut trace = Vec::new();
        let initial = initial_due_date(&governing, &crate::moment::utc(lent), false, &mut trace).unwrap();
        // Where the calendar ends, the loan is refused.
        let Ok(managed) = managed_due_date(initial.due, &management, &mut trace) else { return Ok(()) };
        let due = managed.due.to_zoned(zone);
        prop_assert!(managed.due >= lent, "lent {lent}, due {due}, {record}");
        match record["loansPolicy"]["closedLibraryDueDateManagementId"].as_str().unwrap() {
            "END_OF_THE_PREVIOUS_OPEN_DAY" | "END_OF_THE_NEXT_OPEN_DAY" => {
                prop_assert!(hours.opening_day(due.date()).open, "{due} is a closed day, {record}");
            }
            "END_OF_THE_CURRENT_SERVICE_POINT_HOURS" | "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS"
                if schedule.is_none() =>
            {
                prop_assert!(is_open(&hours, &due), "{due} is closed, {record}");
            }
            _ => {}
        }
    }
}
