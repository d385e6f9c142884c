//! The openings of one day, as mod-calendar shows them.

use std::sync::Arc;

use jiff::civil::{Date, Time};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::json;

use crate::form::whole_minute;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    pub date: Date,
    /// The name of the exception that this day is part of.
    pub exception: Option<Arc<str>>,
    /// Closed all day, or open all day.
    pub all_day: bool,
    /// First and last minute of each opening, in order. None: closed.
    pub hours: Vec<(Time, Time)>,
}

/// The day's last minute, inclusive: mod-calendar's midnight.
pub(crate) const LAST_MINUTE: Time = Time::constant(23, 59, 0, 0);

impl Day {
    /// A day that no calendar of the service point covers: closed, and part of no exception.
    pub fn closed(date: Date) -> Day {
        Day { date, exception: None, all_day: true, hours: Vec::new() }
    }

    pub(crate) fn normal(date: Date, hours: Vec<(Time, Time)>) -> Day {
        let gapless = hours.windows(2).all(|pair| adjoin(pair[0].1, pair[1].0));
        let whole = match (hours.first(), hours.last()) {
            (Some((start, _)), Some((_, end))) => gapless && lasts_all_day(*start, *end),
            _ => true,
        };
        Day { date, exception: None, all_day: whole, hours }
    }

    /// Unlike normal hours, openings of an exception that adjoin do not make one that lasts all day.
    pub(crate) fn exceptional(date: Date, name: Arc<str>, hours: Vec<(Time, Time)>) -> Day {
        let all_day = match hours.as_slice() {
            [] => true,
            [(start, end)] => lasts_all_day(*start, *end),
            _ => false,
        };
        Day { date, exception: Some(name), all_day, hours }
    }

    pub fn is_open(&self) -> bool {
        !self.hours.is_empty()
    }
}

fn lasts_all_day(start: Time, end: Time) -> bool {
    whole_minute(start) == Time::midnight() && whole_minute(end) == LAST_MINUTE
}

/// Whether an opening that starts at `start` follows one that ends at `end` without a minute between them.
fn adjoin(end: Time, start: Time) -> bool {
    let minutes = |time: Time| i32::from(time.hour()) * 60 + i32::from(time.minute());
    minutes(end) + 1 == minutes(start)
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let openings: Vec<_> =
            self.hours.iter().map(|(start, end)| json!({"startTime": start, "endTime": end})).collect();
        let mut day = to.serialize_struct("Day", 6)?;
        day.serialize_field("date", &self.date)?;
        day.serialize_field("allDay", &self.all_day)?;
        day.serialize_field("open", &self.is_open())?;
        day.serialize_field("exceptional", &self.exception.is_some())?;
        match &self.exception {
            Some(name) => day.serialize_field("exceptionName", &**name)?,
            None => day.skip_field("exceptionName")?,
        }
        day.serialize_field("openings", &openings)?;
        day.end()
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::{date, time};

    use super::*;

    fn hours(list: &[(i8, i8, i8, i8)]) -> Vec<(Time, Time)> {
        list.iter().map(|(h, m, to_h, to_m)| (time(*h, *m, 0, 0), time(*to_h, *to_m, 0, 0))).collect()
    }

    #[test]
    fn a_day_lasts_from_midnight_to_one_before_midnight() {
        for (list, normal, exceptional) in [
            (&[][..], true, true),
            (&[(0, 0, 23, 59)], true, true),
            (&[(0, 0, 12, 0), (12, 1, 23, 59)], true, false),
            (&[(0, 0, 12, 0), (12, 2, 23, 59)], false, false),
            (&[(0, 0, 23, 58)], false, false),
            (&[(0, 1, 23, 59)], false, false),
        ] {
            let day = date(2026, 11, 21);
            assert_eq!(Day::normal(day, hours(list)).all_day, normal, "{list:?}");
            assert_eq!(Day::exceptional(day, "x".into(), hours(list)).all_day, exceptional, "{list:?}");
        }
    }

    #[test]
    fn the_name_of_the_exception_is_shown_where_there_is_one() {
        let day = Day::normal(date(2026, 11, 21), hours(&[(9, 0, 17, 30)]));
        let shown = json!({"date": "2026-11-21", "allDay": false, "open": true, "exceptional": false,
            "openings": [{"startTime": "09:00:00", "endTime": "17:30:00"}]});
        assert_eq!(json!(day), shown);
        let closed = Day::exceptional(date(2026, 12, 25), "Christmas".into(), Vec::new());
        let shown = json!({"date": "2026-12-25", "allDay": true, "open": false, "exceptional": true,
            "exceptionName": "Christmas", "openings": []});
        assert_eq!(json!(closed), shown);
    }
}
