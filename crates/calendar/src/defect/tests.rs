//! Each rule with what breaks it; the whole messages, with plain spaces.

use serde_json::{Value, json};

use super::*;

const DESK: &str = "00000000-0000-0000-0000-00000000000a";
const GATE: &str = "00000000-0000-0000-0000-00000000000b";

fn good() -> Value {
    json!({
        "name": "Term", "startDate": "2021-01-01", "endDate": "2021-04-30", "assignments": [DESK, GATE],
        "normalHours": [
            {"startDay": "MONDAY", "startTime": "09:00", "endDay": "FRIDAY", "endTime": "11:59"},
            {"startDay": "FRIDAY", "startTime": "12:00", "endDay": "FRIDAY", "endTime": "20:00"},
        ],
        "exceptions": [
            {"name": "Holiday", "startDate": "2021-01-01", "endDate": "2021-01-04", "openings": [
                {"startDate": "2021-01-02", "startTime": "09:00", "endDate": "2021-01-02", "endTime": "12:00"},
                {"startDate": "2021-01-03", "startTime": "00:00", "endDate": "2021-01-03", "endTime": "14:59"},
            ]},
            {"name": "Break", "startDate": "2021-03-01", "endDate": "2021-03-01", "openings": []},
        ],
    })
}

fn read(value: Value) -> Calendar {
    Calendar::from_value(value).unwrap()
}

fn codes_and_messages(calendar: &Calendar, rivals: &[Calendar]) -> Vec<(&'static str, String)> {
    let plain = |message: String| message.replace(['\u{a0}', '\u{202f}'], " ");
    let found = defects(calendar, rivals);
    found.into_iter().map(|defect| (defect.code.as_str(), plain(defect.message))).collect()
}

#[test]
fn a_good_calendar_has_no_defects() {
    assert_eq!(codes_and_messages(&read(good()), &[]), []);
}

fn exception(name: &str, start: &str, end: &str, openings: &[Value]) -> Value {
    json!({"name": name, "startDate": start, "endDate": end, "openings": openings})
}

fn opening(start: &str, from: &str, end: &str, to: &str) -> Value {
    json!({"startDate": start, "startTime": from, "endDate": end, "endTime": to})
}

fn monday(from: &str, to: &str) -> Value {
    json!({"startDay": "MONDAY", "startTime": from, "endDay": "MONDAY", "endTime": to})
}

#[test]
fn each_rule_has_its_words() {
    let cases = [
        ("name", json!(" \t"), "calendarNoName", "Please provide a non-empty calendar name"),
        (
            "normalHours",
            json!([monday("00:00", "12:30"), monday("04:00", "14:59"), monday("16:00", "17:00")]),
            "calendarInvalidNormalOpenings",
            "The following openings conflict with each other: Mon 12:00 AM - Mon 12:30 PM and Mon 4:00 AM - Mon 2:59 PM",
        ),
        (
            "exceptions",
            json!([exception("", "2021-01-01", "2021-01-02", &[])]),
            "calendarInvalidExceptionName",
            "At least one exception is missing a name",
        ),
        (
            "exceptions",
            json!([exception("Late", "2021-01-04", "2021-01-01", &[])]),
            "calendarInvalidExceptionDateOrder",
            "The start date (Jan 4, 2021) is after the end date (Jan 1, 2021) for exception “Late”",
        ),
        (
            "exceptions",
            json!([exception("Long", "2021-01-01", "2021-05-16", &[])]),
            "calendarInvalidExceptionDateBoundary",
            "The exception “Long” (Jan 1, 2021 to May 16, 2021) is not fully enclosed by the calendar's start and end dates (Jan 1, 2021 to Apr 30, 2021)",
        ),
        (
            "exceptions",
            json!([
                exception("A", "2021-01-01", "2021-01-01", &[]),
                exception("B", "2021-01-01", "2021-01-02", &[]),
            ]),
            "calendarInvalidExceptions",
            "The following exceptions conflict with each other: “A” on Jan 1, 2021 and “B” from Jan 1, 2021 to Jan 2, 2021",
        ),
        (
            "exceptions",
            json!([exception(
                "A",
                "2021-01-01",
                "2021-01-01",
                &[opening("2021-01-01", "00:00", "2021-01-02", "14:59")]
            )]),
            "calendarInvalidExceptionOpeningBoundary",
            "The exception “A” has an opening outside of the exception's bounds: Jan 1, 2021 12:00 AM to Jan 2, 2021 2:59 PM",
        ),
        (
            "exceptions",
            json!([exception(
                "A",
                "2021-01-01",
                "2021-01-02",
                &[
                    opening("2021-01-01", "00:00", "2021-01-02", "14:59"),
                    opening("2021-01-02", "14:59", "2021-01-02", "16:00"),
                ]
            )]),
            "calendarInvalidExceptionOpenings",
            "The following openings within “A” conflict with each other: Jan 1, 2021 12:00 AM to Jan 2, 2021 2:59 PM and Jan 2, 2021 2:59 PM to Jan 2, 2021 4:00 PM",
        ),
        (
            "exceptions",
            json!([exception(
                "A",
                "2021-01-01",
                "2021-01-02",
                &[opening("2021-01-01", "12:00", "2021-01-01", "09:00")]
            )]),
            "calendarInvalidExceptionOpenings",
            "The following openings within “A” conflict with each other: Jan 1, 2021 12:00 PM to Jan 1, 2021 9:00 AM",
        ),
    ];
    for (member, value, code, message) in cases {
        let mut calendar = good();
        calendar[member] = value;
        assert_eq!(codes_and_messages(&read(calendar), &[]), [(code, message.to_owned())]);
    }
}

#[test]
fn all_defects_are_told_at_once_in_folios_order() {
    let mut calendar = good();
    calendar["name"] = json!("");
    calendar["startDate"] = json!("2021-06-01");
    calendar["normalHours"][1]["startTime"] = json!("11:59");
    calendar["exceptions"][1]["name"] = json!("");
    let codes: Vec<&str> =
        codes_and_messages(&read(calendar), &[]).into_iter().map(|(code, _)| code).collect();
    assert_eq!(
        codes,
        [
            "calendarNoName",
            "calendarInvalidDateRange",
            "calendarInvalidNormalOpenings",
            "calendarInvalidExceptionName",
            "calendarInvalidExceptionDateBoundary",
            "calendarInvalidExceptionDateBoundary",
        ]
    );
}

#[test]
fn calendars_of_one_service_point_do_not_share_a_day() {
    let rival = |start: &str, end: &str, points: &[&str]| {
        let mut rival = good();
        rival["startDate"] = json!(start);
        rival["endDate"] = json!(end);
        rival["assignments"] = json!(points);
        rival["exceptions"] = json!([]);
        read(rival)
    };
    let calendar = read(good());
    for (start, end, points, overlaps) in [
        ("2021-04-30", "2021-12-31", &[GATE][..], true),
        ("2020-01-01", "2021-01-01", &[DESK, GATE], true),
        ("2021-05-01", "2021-12-31", &[DESK], false),
        ("2020-01-01", "2020-12-31", &[DESK], false),
        ("2021-01-01", "2021-12-31", &[], false),
        ("2021-01-01", "2021-12-31", &["00000000-0000-0000-0000-00000000000c"], false),
    ] {
        let found = defects(&calendar, &[rival(start, end, points)]);
        assert_eq!(found.len(), usize::from(overlaps), "{start} {points:?}");
        for defect in found {
            assert_eq!(defect.code, Code::DateOverlap);
            assert_eq!(defect.data, Some(json!({"conflictingServicePointIds": points})));
        }
    }
    let [(_, message)] = &codes_and_messages(&calendar, &[rival("2021-04-30", "2021-12-31", &[DESK])])[..]
    else {
        panic!()
    };
    let expected = "This calendar overlaps with another calendar (“Term” from Apr 30, 2021 to Dec 31, 2021)";
    assert_eq!(message, expected);
}

#[test]
fn a_calendar_has_bounds() {
    let mut calendar = read(good());
    calendar.assignments = (0..10_001).map(uuid::Uuid::from_u128).collect();
    assert_eq!(codes_and_messages(&calendar, &[])[0].0, "invalidRequest");
}
