//! The strategies that look at opening hours rather than days.
//!
//! The hours of the three days become one timetable: adjacent openings are merged, and the time between two openings is a closed
//! interval.

use jiff::Timestamp;
use jiff::civil::Time;
use jiff::tz::TimeZone;
use octavo_kernel::Refusal;

use super::{Circumstances, OpeningDay, SurroundingOpenings, timetable_absent};
use crate::moment::utc;
use crate::policy::Period;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Interval {
    start: Timestamp,
    end: Timestamp,
    open: bool,
}

struct Timetable(Vec<Interval>);

/// Due while closed: the end of the hours in which the desk works now, or of the next ones.
pub(super) fn end_of_current(
    due: Timestamp,
    circumstances: &Circumstances<'_>,
    openings: &SurroundingOpenings,
) -> Result<Timestamp, Refusal> {
    let zone = circumstances.zone;
    let timetable = Timetable::from_openings(openings, zone);
    let due_index = timetable.find(due).ok_or_else(timetable_absent)?;
    if timetable.0[due_index].open {
        return Ok(due);
    }
    let now_index = timetable.find(circumstances.current_time).ok_or_else(timetable_absent)?;
    let before_due = timetable.0[due_index - 1];
    if works_through_midnight(timetable.0[0], before_due, zone) {
        return Ok(before_due.end);
    }
    // A closed interval has an opening after it.
    let now = timetable.0[now_index];
    Ok(if now.open { now.end } else { timetable.0[now_index + 1].end })
}

/// Due while closed: some time after the next hours begin, but not in a gap and not past the last hours.
pub(super) fn beginning_of_next(
    due: Timestamp,
    circumstances: &Circumstances<'_>,
    openings: &SurroundingOpenings,
) -> Result<Timestamp, Refusal> {
    let timetable = Timetable::from_openings(openings, circumstances.zone);
    let due_index = timetable.find(due).ok_or_else(timetable_absent)?;
    if timetable.0[due_index].open {
        return Ok(due);
    }
    let next = timetable.0.get(due_index + 1).ok_or_else(timetable_absent)?;
    let moved = with_offset(next.start, circumstances.opening_time_offset);
    Ok(match timetable.find(moved) {
        None => timetable.0[timetable.0.len() - 1].end,
        Some(index) if timetable.0[index].open => moved,
        Some(index) => timetable.0[index - 1].end,
    })
}

/// The end of the interval, open or closed, before the one that contains the instant.
pub(super) fn end_of_interval_before(
    at: Timestamp,
    zone: &TimeZone,
    openings: &SurroundingOpenings,
) -> Result<Timestamp, Refusal> {
    let timetable = Timetable::from_openings(openings, zone);
    let index = timetable.find(at).ok_or_else(timetable_absent)?;
    // FOLIO's first interval is its own predecessor.
    Ok(timetable.0[index.saturating_sub(1)].end)
}

impl Timetable {
    fn from_openings(openings: &SurroundingOpenings, zone: &TimeZone) -> Timetable {
        let days = [&openings.previous, &openings.requested, &openings.next];
        let mut intervals: Vec<Interval> = Vec::new();
        for (start, end) in days.iter().flat_map(|day| open_hours(day, zone)) {
            match intervals.last_mut() {
                Some(last) if last.end == start => last.end = end,
                Some(last) if last.end < start => {
                    let gap = Interval { start: last.end, end: start, open: false };
                    intervals.extend([gap, Interval { start, end, open: true }]);
                }
                _ => intervals.push(Interval { start, end, open: true }),
            }
        }
        Timetable(intervals)
    }

    fn find(&self, at: Timestamp) -> Option<usize> {
        self.0.iter().position(|interval| interval.start <= at && at < interval.end)
    }
}

fn open_hours(day: &OpeningDay, zone: &TimeZone) -> Vec<(Timestamp, Timestamp)> {
    let instant = |date: jiff::civil::Date, time: Time| {
        date.to_datetime(time).to_zoned(zone.clone()).map(|zoned| zoned.timestamp()).ok()
    };
    if !day.open {
        return Vec::new();
    }
    if day.all_day {
        let next = day.date.tomorrow().ok();
        let whole =
            instant(day.date, Time::midnight()).zip(next.and_then(|next| instant(next, Time::midnight())));
        return whole.into_iter().collect();
    }
    day.hours.iter().filter_map(|(from, to)| instant(day.date, *from).zip(instant(day.date, *to))).collect()
}

/// The first opening lasts to the end of its day, and the one before the gap begins its day.
fn works_through_midnight(first: Interval, before_due: Interval, zone: &TimeZone) -> bool {
    let end = first.end.to_zoned(zone.clone());
    let start = before_due.start.to_zoned(zone.clone());
    let days = end.date().until(start.date()).map_or(i32::MAX, |span| span.get_days().abs());
    let minute = |time: Time| (time.hour(), time.minute());
    days <= 1 && minute(end.time()) == (23, 59) && minute(start.time()) == (0, 0)
}

/// FOLIO adds the offset as so many hours of the clock; a policy without one adds nothing.
fn with_offset(start: Timestamp, offset: &Period) -> Timestamp {
    offset.add_to(&utc(start)).map_or(start, |moved| moved.timestamp())
}
