//! mod-calendar: calendars as clients see them, the opening hours that follow, and what the desk makes of them. The meaning
//! of calendars is tested beside it in `octavo-calendar`.

mod calendars;
mod dates;
mod desk;

use octavo_testkit::Reply;
use serde_json::{Value, json};
use uuid::Uuid;

/// Open on weekdays from nine to five.
fn calendar(start: &str, end: &str, assignments: &[Uuid]) -> Value {
    let hours =
        |day: &str| json!({"startDay": day, "startTime": "09:00:00", "endDay": day, "endTime": "17:00:00"});
    let days = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"];
    json!({"name": "Weekdays", "startDate": start, "endDate": end, "assignments": assignments,
        "normalHours": days.map(hours), "exceptions": []})
}

/// The codes of a refusal in mod-calendar's dialect.
fn codes(reply: &Reply) -> Vec<String> {
    let body = reply.json();
    assert_eq!(body["status"], reply.status, "{reply}");
    assert!(body["timestamp"].as_str().is_some_and(|at| at.ends_with('Z')), "{reply}");
    reply.field_values("errors", "code")
}
