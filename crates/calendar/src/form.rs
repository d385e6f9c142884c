//! How dates, times and weekdays are written: ISO dates of four-digit years, times with seconds, weekdays in capitals.

use jiff::civil::{Date, Time};
use serde::de::{Deserialize, Deserializer, Error};

/// `2026-11-21`
pub fn parse_date(text: &str) -> Option<Date> {
    let plain = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    text.parse().ok().filter(|date: &Date| plain && date.year() >= 0)
}

pub(crate) fn date<'de, D: Deserializer<'de>>(from: D) -> Result<Date, D::Error> {
    let text = String::deserialize(from)?;
    parse_date(&text).ok_or_else(|| D::Error::custom(format!("{text:?} is not a date")))
}

/// `09:00`, `09:00:00` or with parts of a second.
pub(crate) fn time<'de, D: Deserializer<'de>>(from: D) -> Result<Time, D::Error> {
    let text = String::deserialize(from)?;
    text.parse().map_err(|_| D::Error::custom(format!("{text:?} is not a time")))
}

/// A time, cut to the minute.
pub(crate) fn minute<'de, D: Deserializer<'de>>(from: D) -> Result<Time, D::Error> {
    time(from).map(whole_minute)
}

pub(crate) fn whole_minute(time: Time) -> Time {
    Time::constant(time.hour(), time.minute(), 0, 0)
}

/// A text that the database can hold.
pub(crate) fn name<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let text = String::deserialize(from)?;
    match text.contains('\0') {
        true => Err(D::Error::custom("the name contains the character U+0000")),
        false => Ok(text),
    }
}

pub(crate) mod weekday {
    use jiff::civil::Weekday;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    const NAMES: [(Weekday, &str); 7] = [
        (Weekday::Monday, "MONDAY"),
        (Weekday::Tuesday, "TUESDAY"),
        (Weekday::Wednesday, "WEDNESDAY"),
        (Weekday::Thursday, "THURSDAY"),
        (Weekday::Friday, "FRIDAY"),
        (Weekday::Saturday, "SATURDAY"),
        (Weekday::Sunday, "SUNDAY"),
    ];

    pub(crate) fn name(day: Weekday) -> &'static str {
        NAMES[usize::from(day.to_monday_zero_offset().unsigned_abs())].1
    }

    pub(crate) fn serialize<S: Serializer>(day: &Weekday, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(name(*day))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Weekday, D::Error> {
        let text = String::deserialize(from)?;
        let named = NAMES.into_iter().find(|(_, name)| text.eq_ignore_ascii_case(name));
        named
            .map(|(day, _)| day)
            .ok_or_else(|| D::Error::custom(format!("{text:?} is not a day of the week")))
    }
}
