//! A date and time as messages write it: `YYYYMMDDZZZZHHMMSS`, where ZZZZ is four spaces for local time, or `   Z` for UTC.

use jiff::civil::{DateTime, date};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zone {
    Local,
    Utc,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    pub at: DateTime,
    pub zone: Zone,
}

impl Moment {
    /// `None` for what is no date, such as eighteen spaces.
    pub fn read(text: &str) -> Option<Moment> {
        if text.len() != 18 || !text.is_ascii() {
            return None;
        }
        let (day, rest) = text.split_at(8);
        let (zone, time) = rest.split_at(4);
        let number = |digits: &str| -> Option<i16> {
            digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
        };
        let small = |digits: &str| number(digits).and_then(|number| i8::try_from(number).ok());
        let zone = match zone.trim() {
            "Z" => Zone::Utc,
            // Other zones are local: the standard names none but these, and machines write what they like.
            _ => Zone::Local,
        };
        let checked =
            jiff::civil::Date::new(number(&day[..4])?, small(&day[4..6])?, small(&day[6..])?).ok()?;
        let time =
            jiff::civil::Time::new(small(&time[..2])?, small(&time[2..4])?, small(&time[4..])?, 0).ok()?;
        Some(Moment { at: checked.to_datetime(time), zone })
    }

    /// In local time.
    pub fn write(at: DateTime) -> String {
        // The format has four digits of the year.
        let at = if (0..=9999).contains(&at.year()) { at } else { date(9999, 12, 31).to_datetime(at.time()) };
        at.strftime("%Y%m%d    %H%M%S").to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_local_or_utc() {
        let at = date(1996, 2, 12).at(10, 2, 39, 0);
        assert_eq!(Moment::read("19960212    100239"), Some(Moment { at, zone: Zone::Local }));
        assert_eq!(Moment::read("19960212   Z100239"), Some(Moment { at, zone: Zone::Utc }));
        assert_eq!(Moment::write(at), "19960212    100239");
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in [
            "",
            "                  ",
            "19960230    100239",
            "19960212    250000",
            "1996-212    100239",
            "19960212    1002é",
        ] {
            assert_eq!(Moment::read(text), None, "{text}");
        }
    }
}
