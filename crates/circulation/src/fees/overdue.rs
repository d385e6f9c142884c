//! The overdue fine: the time past the due date, in intervals.

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;

use crate::Money;
use crate::closed_library::{Calendar, OpeningDay};
use crate::policy::OverdueFinePolicy;
use crate::trace::{FineReckoned, Step};

/// The facts that determine the length of an overdue period.
#[derive(Debug, Clone)]
pub struct Overdue<'a> {
    pub due: Timestamp,
    /// The time of the return or renewal.
    pub until: Timestamp,
    /// Whether a recall changed the due date.
    pub recalled: bool,
    /// The loan policy's grace period in minutes.
    pub grace_minutes: i64,
    pub zone: &'a TimeZone,
    pub calendar: Option<&'a dyn Calendar>,
    /// The primary service point of the item's location, whose opening hours are used if closed time does not count.
    pub service_point_id: Option<&'a str>,
}

/// The fine; `None` if the policy is incomplete.
pub fn overdue_fine(policy: &OverdueFinePolicy, overdue: &Overdue<'_>) -> Option<Money> {
    compute_fine(policy, overdue, &mut Vec::new())
}

/// Computes the overdue fine and adds the steps of the computation to the trace.
pub(super) fn compute_fine(
    policy: &OverdueFinePolicy,
    overdue: &Overdue<'_>,
    trace: &mut Vec<Step>,
) -> Option<Money> {
    let fine = policy.fine(overdue.recalled)?;
    if overdue.due >= overdue.until {
        return None;
    }
    let minutes = minutes_to_charge(policy, overdue, trace);
    if minutes <= 0 {
        return None;
    }
    let intervals = (minutes + fine.interval_minutes - 1) / fine.interval_minutes;
    let uncut = Money::product(fine.quantity, intervals)?;
    let amount = if fine.maximum.is_positive() { uncut.min(fine.maximum) } else { uncut };
    trace.push(Step::FineReckoned(FineReckoned {
        quantity: fine.quantity.to_string(),
        interval_minutes: fine.interval_minutes,
        intervals,
        amount: uncut.to_string(),
        most: fine.maximum.is_positive().then(|| fine.maximum.to_string()),
    }));
    amount.is_positive().then_some(amount)
}

/// The minutes that are charged. Once the grace period is over, it counts, too.
fn minutes_to_charge(policy: &OverdueFinePolicy, overdue: &Overdue<'_>, trace: &mut Vec<Step>) -> i64 {
    let all = minutes_between(overdue.due, overdue.until);
    let (due, until) = (overdue.due, overdue.until);
    trace.push(Step::Overdue { due, until, minutes: all, recalled: overdue.recalled });
    let minutes = match overdue.service_point_id {
        Some(id) if !policy.counts_closed_time() => {
            let hours = hours_between(overdue, id);
            let minutes = hours.iter().filter_map(|(_, minutes)| *minutes).sum();
            let (open, closed) = (
                days_where(&hours, |minutes| minutes.is_some()),
                days_where(&hours, |minutes| minutes.is_none()),
            );
            trace.push(Step::ClosedTimeLeftOut { service_point_id: id.to_owned(), minutes, open, closed });
            minutes
        }
        _ => all,
    };
    let grace_minutes = overdue.grace_minutes;
    if overdue.recalled && policy.ignores_grace_period_of_recalls() {
        return minutes;
    }
    let passed = minutes > grace_minutes;
    if grace_minutes > 0 || !passed {
        trace.push(Step::GracePeriod { minutes: grace_minutes, passed });
    }
    if passed { minutes } else { 0 }
}

/// The most days that an explanation names.
const MOST_DAYS_NAMED: usize = 60;

fn days_where(hours: &[(Date, Option<i64>)], which: fn(&Option<i64>) -> bool) -> Vec<Date> {
    hours.iter().filter(|(_, minutes)| which(minutes)).map(|(date, _)| *date).take(MOST_DAYS_NAMED).collect()
}

/// The minutes between two instants, both cut to whole minutes.
fn minutes_between(from: Timestamp, until: Timestamp) -> i64 {
    until.as_second().div_euclid(60) - from.as_second().div_euclid(60)
}

/// Each day with its minutes within opening hours, `None` if it is closed. Without a calendar of the service point there are no days.
fn hours_between(overdue: &Overdue<'_>, service_point_id: &str) -> Vec<(Date, Option<i64>)> {
    let Some(calendar) = overdue.calendar else { return Vec::new() };
    let local = |at: Timestamp| at.to_zoned(overdue.zone.clone()).date();
    let (mut date, last) = (local(overdue.due), local(overdue.until));
    let mut days = Vec::new();
    while date <= last {
        let Some(openings) = calendar.surrounding(service_point_id, date) else { break };
        let open = openings.requested.open;
        days.push((date, open.then(|| open_minutes_of(&openings.requested, overdue))));
        // The calendar gives the next open day, however long the library is closed.
        if !openings.next.open || openings.next.date <= date {
            break;
        }
        let next = openings.next.date;
        let mut between = date.tomorrow();
        while let Ok(closed) = between
            && closed < next.min(last.tomorrow().unwrap_or(last))
            && days.len() < MOST_DAYS_NAMED
        {
            days.push((closed, None));
            between = closed.tomorrow();
        }
        date = next;
    }
    days
}

fn open_minutes_of(day: &OpeningDay, overdue: &Overdue<'_>) -> i64 {
    let whole_day = [(Time::midnight(), None)];
    let hours = day.hours.iter().map(|(from, to)| (*from, Some(*to)));
    let hours: Vec<(Time, Option<Time>)> =
        if day.hours.is_empty() { whole_day.to_vec() } else { hours.collect() };
    let minutes = |(from, to): (Time, Option<Time>)| {
        let from = instant(day.date, from, overdue.zone)?.max(overdue.due);
        let to = match to {
            Some(to) => instant(day.date, to, overdue.zone)?,
            None => instant(day.date.tomorrow().ok()?, Time::midnight(), overdue.zone)?,
        };
        let to = to.min(overdue.until);
        (from < to).then(|| minutes_between(from, to))
    };
    hours.into_iter().filter_map(minutes).sum()
}

fn instant(date: Date, time: Time, zone: &TimeZone) -> Option<Timestamp> {
    date.to_datetime(time).to_zoned(zone.clone()).ok().map(|zoned| zoned.timestamp())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use serde_json::{Value, json};

    use super::*;
    use crate::closed_library::SurroundingOpenings;

    fn policy(change: Value) -> OverdueFinePolicy {
        let mut record = json!({"id": "fine", "countClosed": true, "maxOverdueFine": 0.0, "maxOverdueRecallFine": 0.0,
            "overdueFine": {"quantity": 0.5, "intervalId": "day"},
            "overdueRecallFine": {"quantity": 2, "intervalId": "hour"}});
        let Value::Object(changes) = change else { panic!("a change has members") };
        for (key, value) in changes {
            record[key] = value;
        }
        serde_json::from_value(record).unwrap()
    }

    static GREENWICH: TimeZone = TimeZone::UTC;

    fn overdue<'a>(due: &str, until: &str) -> Overdue<'a> {
        Overdue {
            due: due.parse().unwrap(),
            until: until.parse().unwrap(),
            recalled: false,
            grace_minutes: 0,
            zone: &GREENWICH,
            calendar: None,
            service_point_id: None,
        }
    }

    fn minutes<'a>(count: i64) -> Overdue<'a> {
        let mut overdue = overdue("2026-03-02T10:00:00Z", "2026-03-02T10:00:00Z");
        overdue.until += jiff::SignedDuration::from_mins(count);
        overdue
    }

    fn fine_as_text(policy: &OverdueFinePolicy, overdue: &Overdue<'_>) -> Option<String> {
        overdue_fine(policy, overdue).map(|fine| fine.to_string())
    }

    #[test]
    fn every_interval_that_has_begun_is_charged() {
        for (interval, overdue_minutes, fine) in [
            ("minute", 5, Some("2.50")),
            ("hour", 60, Some("0.50")),
            ("hour", 61, Some("1.00")),
            ("day", 1, Some("0.50")),
            ("day", 1440, Some("0.50")),
            ("day", 1441, Some("1.00")),
            ("week", 10_081, Some("1.00")),
            ("month", 44_640, Some("0.50")),
            ("month", 44_641, Some("1.00")),
            ("year", 525_601, Some("1.00")),
            ("day", 0, None),
            ("day", -5, None),
        ] {
            let policy = policy(json!({"overdueFine": {"quantity": 0.5, "intervalId": interval}}));
            assert_eq!(
                fine_as_text(&policy, &minutes(overdue_minutes)).as_deref(),
                fine,
                "{overdue_minutes} by {interval}"
            );
        }
    }

    #[test]
    fn both_ends_are_cut_to_minutes() {
        let policy = policy(json!({"overdueFine": {"quantity": 1, "intervalId": "minute"}}));
        for (due, until, fine) in [
            ("2026-03-02T10:00:59Z", "2026-03-02T10:01:00Z", Some("1.00")),
            ("2026-03-02T10:00:00Z", "2026-03-02T10:00:59Z", None),
            ("2026-03-02T10:00:01Z", "2026-03-02T10:02:00Z", Some("2.00")),
        ] {
            assert_eq!(fine_as_text(&policy, &overdue(due, until)).as_deref(), fine, "{due} {until}");
        }
    }

    #[test]
    fn a_fine_grows_up_to_its_maximum_and_without_end_where_that_is_nothing() {
        let day = 24 * 60;
        for (most, fine) in [(json!(2.25), "2.25"), (json!(0), "5.00"), (json!(100), "5.00")] {
            assert_eq!(
                fine_as_text(&policy(json!({"maxOverdueFine": most})), &minutes(10 * day)).as_deref(),
                Some(fine)
            );
        }
        // fractions of a cent add up before they are rounded
        let policy = policy(json!({"overdueFine": {"quantity": 0.005, "intervalId": "minute"}}));
        assert_eq!(fine_as_text(&policy, &minutes(3)).as_deref(), Some("0.02"));
        assert_eq!(fine_as_text(&policy, &minutes(200)).as_deref(), Some("1.00"));
    }

    #[test]
    fn a_policy_that_leaves_something_open_charges_nothing() {
        for missing in [
            json!({"maxOverdueFine": null}),
            json!({"overdueFine": null}),
            json!({"overdueFine": {"quantity": 1}}),
            json!({"overdueFine": {"intervalId": "day"}}),
            json!({"overdueFine": {"quantity": 0, "intervalId": "day"}}),
            json!({"overdueFine": {"quantity": 1, "intervalId": "fortnight"}}),
        ] {
            assert_eq!(fine_as_text(&policy(missing.clone()), &minutes(60)), None, "{missing}");
        }
    }

    #[test]
    fn a_recalled_item_costs_what_recalls_cost() {
        let recalled = Overdue { recalled: true, ..minutes(61) };
        assert_eq!(fine_as_text(&policy(json!({})), &recalled).as_deref(), Some("4.00"));
        assert_eq!(
            fine_as_text(&policy(json!({"maxOverdueRecallFine": 3})), &recalled).as_deref(),
            Some("3.00")
        );
        assert_eq!(fine_as_text(&policy(json!({"overdueRecallFine": null})), &recalled), None);
    }

    #[test]
    fn within_the_grace_period_nothing_is_charged_and_after_it_everything() {
        let by_minute = json!({"overdueFine": {"quantity": 1, "intervalId": "minute"},
            "overdueRecallFine": {"quantity": 1, "intervalId": "minute"}});
        let with_grace = |recalled, count| Overdue { grace_minutes: 30, recalled, ..minutes(count) };
        let policy_of = |ignored: Value| {
            let mut record = by_minute.clone();
            record["gracePeriodRecall"] = ignored;
            policy(record)
        };
        for (ignored, recalled, count, fine) in [
            (json!(true), false, 30, None),
            (json!(true), false, 31, Some("31.00")),
            (json!(true), true, 30, Some("30.00")),
            (json!(false), true, 30, None),
            (json!(false), true, 31, Some("31.00")),
        ] {
            assert_eq!(fine_as_text(&policy_of(ignored), &with_grace(recalled, count)).as_deref(), fine);
        }
    }

    /// Open from 9 to 12 and 14 to 17, never on Sundays; knows one service point.
    #[derive(Debug)]
    struct Weekdays;

    impl Calendar for Weekdays {
        fn surrounding(&self, service_point_id: &str, day: Date) -> Option<SurroundingOpenings> {
            let opening = |day: Date| {
                let hours = [(9, 12), (14, 17)]
                    .map(|(from, to)| (Time::constant(from, 0, 0, 0), Time::constant(to, 0, 0, 0)));
                match day.weekday() {
                    jiff::civil::Weekday::Sunday => OpeningDay::closed(day),
                    _ => OpeningDay::open(day, hours.to_vec()),
                }
            };
            let open = |mut day: Date, step: fn(Date) -> Date| {
                loop {
                    day = step(day);
                    if opening(day).open {
                        return opening(day);
                    }
                }
            };
            (service_point_id == "desk-1").then(|| SurroundingOpenings {
                previous: open(day, |day| day.yesterday().unwrap()),
                requested: opening(day),
                next: open(day, |day| day.tomorrow().unwrap()),
            })
        }
    }

    #[test]
    fn where_closed_time_does_not_count_only_opening_hours_do() {
        let policy =
            policy(json!({"countClosed": false, "overdueFine": {"quantity": 1, "intervalId": "minute"}}));
        assert_eq!(date(2026, 3, 1).weekday(), jiff::civil::Weekday::Sunday);
        for (due, until, service_point, fine) in [
            // in the morning's hours
            ("2026-03-02T10:00:00Z", "2026-03-02T10:30:00Z", Some("desk-1"), Some("30.00")),
            // over lunch
            ("2026-03-02T11:50:00Z", "2026-03-02T14:10:00Z", Some("desk-1"), Some("20.00")),
            // over night, from closing to opening
            ("2026-03-02T17:00:00Z", "2026-03-03T09:00:00Z", Some("desk-1"), None),
            // from Saturday to Monday, over a Sunday
            ("2026-02-28T16:00:00Z", "2026-03-02T09:30:00Z", Some("desk-1"), Some("90.00")),
            // due on a Sunday
            ("2026-03-01T10:00:00Z", "2026-03-02T10:00:00Z", Some("desk-1"), Some("60.00")),
            // a whole day lies between
            ("2026-03-02T16:30:00Z", "2026-03-04T09:30:00Z", Some("desk-1"), Some("420.00")),
            // the calendar knows nothing of it
            ("2026-03-02T10:00:00Z", "2026-03-02T10:30:00Z", Some("desk-2"), None),
            // a location without a primary service point has no hours: all of the time counts
            ("2026-03-02T12:00:00Z", "2026-03-02T13:00:00Z", None, Some("60.00")),
        ] {
            let overdue =
                Overdue { calendar: Some(&Weekdays), service_point_id: service_point, ..overdue(due, until) };
            assert_eq!(fine_as_text(&policy, &overdue).as_deref(), fine, "{due} {until} {service_point:?}");
        }
    }

    #[test]
    fn hours_are_those_of_the_tenants_time_zone() {
        let policy =
            policy(json!({"countClosed": false, "overdueFine": {"quantity": 1, "intervalId": "minute"}}));
        let berlin = TimeZone::get("Europe/Berlin").unwrap();
        let overdue = Overdue {
            calendar: Some(&Weekdays),
            service_point_id: Some("desk-1"),
            zone: &berlin,
            // opened at 8 o'clock of Greenwich
            ..overdue("2026-03-02T07:00:00Z", "2026-03-02T08:30:00Z")
        };
        assert_eq!(fine_as_text(&policy, &overdue).as_deref(), Some("30.00"));
    }
}
