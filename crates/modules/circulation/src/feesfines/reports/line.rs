//! A line of a report. It has every column; one without a value is empty.

use octavo_circulation::Money;
use octavo_circulation::fees::comment_for;
use octavo_kernel::parse_time;
use octavo_template::Locale;
use serde_json::{Map, Value};

#[derive(Debug)]
pub(super) struct Line(Map<String, Value>);

impl Line {
    /// `columns` are separated by blanks.
    pub(super) fn blank(columns: &str) -> Line {
        Line(columns.split_whitespace().map(|column| (column.to_owned(), Value::from(""))).collect())
    }

    /// Sets a column. As in FOLIO, it is left out if its record exists but has no value for it.
    pub(super) fn set(&mut self, column: &str, text: Option<impl Into<String>>) {
        match text {
            Some(text) => {
                self.0.insert(column.to_owned(), Value::String(text.into()));
            }
            None => {
                self.0.remove(column);
            }
        }
    }

    pub(super) fn set_members(&mut self, record: &Value, columns: &[(&str, &str)]) {
        for (column, member) in columns {
            self.set(column, record[*member].as_str());
        }
    }

    pub(super) fn into_json(self) -> Value {
        Value::Object(self.0)
    }
}

pub(super) fn money(amount: &Value) -> Option<String> {
    Money::read(amount).map(|amount| amount.to_string())
}

pub(super) fn date(instant: &Value, locale: &Locale) -> Option<String> {
    let at = instant.as_str().and_then(parse_time);
    Some(at.map_or_else(String::new, |at| locale.date_time(at)))
}

/// The part of an action's comment for `STAFF` or `PATRON`, or an empty text.
pub(super) fn comment<'a>(action: &'a Value, to: &str) -> Option<&'a str> {
    Some(comment_for(action, to))
}

/// `Lovelace, Ada King`
pub(super) fn name(user: &Value) -> String {
    let part = |member: &str| user["personal"][member].as_str().filter(|part| !part.trim().is_empty());
    let mut name = part("lastName").unwrap_or_default().to_owned();
    for (before, member) in [(", ", "firstName"), (" ", "middleName")] {
        if let Some(part) = part(member) {
            name.push_str(before);
            name.push_str(part);
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn comments_tell_staff_and_patrons_apart() {
        for (comments, staff, patron) in [
            (json!("STAFF : torn \n PATRON : sorry"), "torn", "sorry"),
            (json!("PATRON : paid : in full"), "", "paid : in full"),
            (json!("a plain remark"), "", ""),
            (json!(null), "", ""),
        ] {
            let action = json!({"comments": comments});
            assert_eq!((comment(&action, "STAFF"), comment(&action, "PATRON")), (Some(staff), Some(patron)));
        }
    }

    #[test]
    fn names_are_written_last_name_first() {
        for (personal, expected) in [
            (json!({"lastName": "Lovelace", "firstName": "Ada", "middleName": "King"}), "Lovelace, Ada King"),
            (json!({"lastName": "Lovelace", "firstName": " "}), "Lovelace"),
            (json!(null), ""),
        ] {
            assert_eq!(name(&json!({"personal": personal})), expected);
        }
    }

    #[test]
    fn a_line_has_every_column_but_those_that_a_record_leaves_open() {
        let mut line = Line::blank("source paidAmount patronId");
        line.set_members(&json!({"source": "Clerk, Carla"}), &[("source", "source"), ("patronId", "userId")]);
        assert_eq!(line.into_json(), json!({"source": "Clerk, Carla", "paidAmount": ""}));
    }
}
