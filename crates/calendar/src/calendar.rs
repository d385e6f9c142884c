//! A calendar as clients send it and as it is stored.
//!
//! A calendar is read as FOLIO reads it: unknown members, and ids inside of opening hours, are dropped; weekdays may be in
//! any case; repeated entries count once; normal hours are cut to whole minutes.

use std::collections::HashSet;
use std::hash::Hash;

use jiff::civil::{Date, DateTime, Time, Weekday};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::form;

/// When the service points to which it is assigned are open, from one date to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Calendar {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    #[serde(deserialize_with = "form::name")]
    pub name: String,
    #[serde(deserialize_with = "form::date")]
    pub start_date: Date,
    /// The last day.
    #[serde(deserialize_with = "form::date")]
    pub end_date: Date,
    /// Service points.
    pub assignments: Vec<Uuid>,
    pub normal_hours: Vec<NormalHours>,
    pub exceptions: Vec<ExceptionRange>,
}

/// An opening of every week, over one or more days. With the same day at both ends and an end before the start it lasts
/// all week.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NormalHours {
    #[serde(with = "form::weekday")]
    pub start_day: Weekday,
    #[serde(deserialize_with = "form::minute")]
    pub start_time: Time,
    #[serde(with = "form::weekday")]
    pub end_day: Weekday,
    /// The last minute.
    #[serde(deserialize_with = "form::minute")]
    pub end_time: Time,
}

/// Days on which the normal hours do not count. Without openings the library is closed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExceptionRange {
    #[serde(deserialize_with = "form::name")]
    pub name: String,
    #[serde(deserialize_with = "form::date")]
    pub start_date: Date,
    #[serde(deserialize_with = "form::date")]
    pub end_date: Date,
    pub openings: Vec<ExceptionalOpening>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExceptionalOpening {
    #[serde(deserialize_with = "form::date")]
    pub start_date: Date,
    #[serde(deserialize_with = "form::time")]
    pub start_time: Time,
    #[serde(deserialize_with = "form::date")]
    pub end_date: Date,
    #[serde(deserialize_with = "form::time")]
    pub end_time: Time,
}

impl Calendar {
    /// From a request's body.
    pub fn read(body: &[u8]) -> Result<Calendar, serde_json::Error> {
        serde_json::from_slice(body).map(Calendar::without_duplicates)
    }

    pub fn from_value(value: serde_json::Value) -> Result<Calendar, serde_json::Error> {
        serde_json::from_value(value).map(Calendar::without_duplicates)
    }

    fn without_duplicates(mut self) -> Calendar {
        remove_duplicates(&mut self.assignments);
        remove_duplicates(&mut self.normal_hours);
        remove_duplicates(&mut self.exceptions);
        for exception in &mut self.exceptions {
            remove_duplicates(&mut exception.openings);
        }
        self
    }

    /// The number of assignments, normal hours, exceptions and openings of exceptions.
    pub fn count_parts(&self) -> usize {
        let openings: usize = self.exceptions.iter().map(|exception| exception.openings.len()).sum();
        self.assignments.len() + self.normal_hours.len() + self.exceptions.len() + openings
    }
}

impl ExceptionRange {
    pub fn contains(&self, date: Date) -> bool {
        self.start_date <= date && date <= self.end_date
    }
}

impl ExceptionalOpening {
    pub fn start(&self) -> DateTime {
        self.start_date.to_datetime(self.start_time)
    }

    pub fn end(&self) -> DateTime {
        self.end_date.to_datetime(self.end_time)
    }
}

fn remove_duplicates<T: Clone + Eq + Hash>(list: &mut Vec<T>) {
    let mut seen = HashSet::new();
    list.retain(|one| seen.insert(one.clone()));
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn sent() -> Value {
        json!({
            "id": "00000000-0000-0000-0000-000000000001", "name": "Main", "colour": "red",
            "startDate": "2026-01-01", "endDate": "2026-12-31",
            "assignments": ["00000000-0000-0000-0000-00000000000a", "00000000-0000-0000-0000-00000000000A"],
            "normalHours": [
                {"calendarId": "x", "startDay": "monday", "startTime": "09:00:59", "endDay": "Monday", "endTime": "20:00"},
                {"startDay": "MONDAY", "startTime": "09:00", "endDay": "MONDAY", "endTime": "20:00:00"},
            ],
            "exceptions": [{"name": "Holiday", "startDate": "2026-05-01", "endDate": "2026-05-01", "openings": []}],
        })
    }

    #[test]
    fn it_is_stored_in_one_form() {
        let stored = json!({
            "id": "00000000-0000-0000-0000-000000000001", "name": "Main",
            "startDate": "2026-01-01", "endDate": "2026-12-31",
            "assignments": ["00000000-0000-0000-0000-00000000000a"],
            "normalHours": [
                {"startDay": "MONDAY", "startTime": "09:00:00", "endDay": "MONDAY", "endTime": "20:00:00"},
            ],
            "exceptions": [{"name": "Holiday", "startDate": "2026-05-01", "endDate": "2026-05-01", "openings": []}],
        });
        assert_eq!(json!(Calendar::from_value(sent()).unwrap()), stored);
    }

    #[test]
    fn what_is_missing_or_malformed_is_told() {
        for (pointer, value, told) in [
            ("/name", json!(null), "invalid type: null"),
            ("/name", json!("a\u{0}b"), "U+0000"),
            ("/id", json!("x"), "UUID"),
            ("/startDate", json!("2026-02-30"), "\"2026-02-30\" is not a date"),
            ("/startDate", json!("-002026-02-03"), "is not a date"),
            ("/endDate", json!("2026-1-1"), "is not a date"),
            ("/assignments", json!(null), "invalid type: null"),
            ("/assignments", json!(["desk"]), "UUID"),
            ("/normalHours/0/startDay", json!("MON"), "\"MON\" is not a day of the week"),
            ("/normalHours/0/endTime", json!("24:00"), "\"24:00\" is not a time"),
            ("/normalHours/0/endTime", json!(9), "invalid type: integer"),
            ("/exceptions/0", json!({}), "missing field"),
        ] {
            let mut body = sent();
            *body.pointer_mut(pointer).unwrap() = value;
            let error = Calendar::from_value(body).unwrap_err().to_string();
            assert!(error.contains(told), "{pointer}: {error}");
        }
    }
}
