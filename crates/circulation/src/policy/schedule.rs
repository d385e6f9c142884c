//! Fixed due date schedules: all loans of a range of dates are due at one instant.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer};

use crate::moment::to_millisecond;

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct FixedDueDateSchedule {
    pub id: String,
    pub name: Option<String>,
    pub schedules: Vec<DateRange>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct DateRange {
    #[serde(deserialize_with = "instant")]
    pub from: Timestamp,
    #[serde(deserialize_with = "instant")]
    pub to: Timestamp,
    #[serde(deserialize_with = "instant")]
    pub due: Timestamp,
}

fn instant<'de, D: Deserializer<'de>>(source: D) -> Result<Timestamp, D::Error> {
    let text = String::deserialize(source)?;
    octavo_kernel::parse_time(&text)
        .map(to_millisecond)
        .ok_or_else(|| serde::de::Error::custom(format!("not a date: {text}")))
}

impl FixedDueDateSchedule {
    /// The due date of the first range that contains the instant, both ends excluded.
    pub fn due_date_for(&self, at: Timestamp) -> Option<Timestamp> {
        let at = to_millisecond(at);
        self.schedules.iter().find(|range| range.from < at && at < range.to).map(|range| range.due)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_range_that_contains_the_date_decides_ends_excluded() {
        let schedule: FixedDueDateSchedule = serde_json::from_value(json!({
            "id": "s", "name": "terms", "schedules": [
                {"from": "2026-01-01T00:00:00Z", "to": "2026-07-01T00:00:00Z", "due": "2026-07-10T21:59:59Z"},
                {"from": "2026-06-01T00:00:00Z", "to": "2027-01-01T00:00:00Z", "due": "2027-01-10T00:00:00Z"},
            ]
        }))
        .unwrap();
        for (at, due) in [
            ("2026-01-01T00:00:00Z", None),
            ("2026-01-01T00:00:00.001Z", Some("2026-07-10T21:59:59Z")),
            ("2026-06-15T00:00:00Z", Some("2026-07-10T21:59:59Z")),
            ("2026-07-01T00:00:00Z", Some("2027-01-10T00:00:00Z")),
            ("2027-01-01T00:00:00Z", None),
        ] {
            let expected = due.map(|due| due.parse().unwrap());
            assert_eq!(schedule.due_date_for(at.parse().unwrap()), expected, "{at}");
        }
    }
}
