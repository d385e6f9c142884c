//! Writes the data that is kept about a person, as JSON or as a page to read and print.

use octavo_kernel::json_text;
use serde_json::{Value, json};
use uuid::Uuid;

use super::page;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Json,
    Page,
}

impl Form {
    pub(super) fn content_type(self) -> &'static str {
        match self {
            Form::Json => "application/json",
            Form::Page => "text/html; charset=utf-8",
        }
    }
}

/// Writes the answer piece by piece. `text` is what has been written and not sent yet.
pub(super) struct DataWriter {
    form: Form,
    pub(super) text: String,
    pub(super) is_ended: bool,
    /// Whether an element has been written before: in the list of kinds, and in the list of a kind's records.
    follows: (bool, bool),
}

impl DataWriter {
    pub(super) fn begin(form: Form, id: Uuid, at: &str) -> DataWriter {
        let text = match form {
            Form::Json => format!("{{\"userId\":\"{id}\",\"date\":\"{at}\",\"kept\":["),
            Form::Page => page::head(id, at),
        };
        DataWriter { form, text, is_ended: false, follows: (false, false) }
    }

    pub(super) fn begin_kind(&mut self, name: &str, table: &str) {
        match self.form {
            Form::Json => {
                let comma = if self.follows.0 { "," } else { "" };
                let (name, table) = (json_text(&json!(name)), json_text(&json!(table)));
                self.text += &format!("{comma}{{\"kind\":{name},\"table\":{table},\"records\":[");
            }
            Form::Page => page::begin_kind(&mut self.text, name),
        }
        self.follows = (true, false);
    }

    /// A record as JSON text.
    pub(super) fn append_record(&mut self, document: &str) {
        match self.form {
            Form::Json => {
                self.text.push_str(if self.follows.1 { "," } else { "" });
                self.text.push_str(document);
            }
            Form::Page => page::append_record(&mut self.text, document),
        }
        self.follows.1 = true;
    }

    pub(super) fn end_kind(&mut self) {
        match self.form {
            Form::Json => self.text.push_str("]}"),
            Form::Page => self.text.push_str("</section>\n"),
        }
    }

    /// Ends the answer with a list of what is kept and not given, and why.
    pub(super) fn end(&mut self, not_given: &[(&str, &str)]) {
        match self.form {
            Form::Json => {
                let reasons: Vec<Value> =
                    not_given.iter().map(|(kind, why)| json!({"kind": kind, "reason": why})).collect();
                self.text += &format!("],\"notGiven\":{}}}", json_text(&Value::Array(reasons)));
            }
            Form::Page => page::end(&mut self.text, not_given),
        }
        self.is_ended = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOT_GIVEN: &[(&str, &str)] = &[("print entry", "it is <paper>")];

    fn write_sample(form: Form) -> String {
        let mut written = DataWriter::begin(form, Uuid::nil(), "2026-11-28T07:00:00.000+00:00");
        for (name, records) in [
            ("user", &[r#"{"id":"1","personal":{"lastName":"<b>Ada & \"Co\""}}"#][..]),
            ("loan", &[r#"{"id":"2"}"#, r#"{"id":"3","notes":["one",{"text":"two"}],"none":null}"#]),
        ] {
            written.begin_kind(name, name);
            records.iter().for_each(|record| written.append_record(record));
            written.end_kind();
        }
        written.end(NOT_GIVEN);
        assert!(written.is_ended);
        written.text
    }

    #[test]
    fn json_is_one_document_of_kinds() {
        let read: Value = serde_json::from_str(&write_sample(Form::Json)).unwrap();
        assert_eq!(read["kept"][0]["records"][0]["personal"]["lastName"], "<b>Ada & \"Co\"");
        assert_eq!(read["kept"][1]["kind"], "loan");
        assert_eq!(read["kept"][1]["records"].as_array().unwrap().len(), 2);
        assert_eq!(read["notGiven"], json!([{"kind": "print entry", "reason": "it is <paper>"}]));
    }

    #[test]
    fn the_page_has_every_value_and_none_as_html() {
        let page = write_sample(Form::Page);
        for part in [
            "<h2>User</h2>",
            "<tr><th>Personal: last name</th><td>&lt;b&gt;Ada &amp; \"Co\"</td></tr>",
            "<tr><th>Notes 1</th><td>one</td></tr>",
            "<tr><th>Notes 2: text</th><td>two</td></tr>",
            "<li><b>Print entry</b>: it is &lt;paper&gt;.</li>",
        ] {
            assert!(page.contains(part), "{part}\n{page}");
        }
        assert!(!page.contains("<b>Ada") && !page.contains("null"), "{page}");
        assert!(page.trim_end().ends_with("</html>"), "{page}");
    }
}
