//! Calendars as records. Their paths have code of their own; the record engine only stores the calendars of the demo library.

use octavo_calendar::{Calendar, defects};
use octavo_kernel::Refusal;
use octavo_record::{Field, Hooks, RecordType};
use serde_json::{Value, json};

pub static CALENDAR: RecordType = RecordType {
    name: "calendar",
    table: "calendars",
    path: "/calendar/calendars",
    collection: "calendars",
    schema: include_str!("../../../folio/records/mod-calendar/calendar.tsv"),
    fields: &[Field::exact("startDate"), Field::exact("endDate")],
    snapshot: true,
    hooks: Hooks { default: Some(normalise_calendar), validate: Some(refusals), ..Hooks::NONE },
    ..RecordType::BASE
};

/// Writes a calendar in the form in which all are stored. The schema refuses one that cannot be read.
fn normalise_calendar(body: &mut Value) {
    if let Ok(calendar) = Calendar::from_value(body.clone()) {
        *body = json!(calendar);
    }
}

fn refusals(record: &Value) -> Vec<Refusal> {
    match Calendar::from_value(record.clone()) {
        Err(error) => vec![Refusal::new(error.to_string())],
        Ok(calendar) => defects(&calendar, &[])
            .into_iter()
            .map(|defect| Refusal::new(defect.message).code(defect.code.as_str()))
            .collect(),
    }
}
