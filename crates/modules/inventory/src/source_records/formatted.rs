//! Records as text for people to read: MARC with a field on each line, EDIFACT with a segment on each line. Pure.

use std::fmt::Write as _;

use octavo_marc::{Field, from_json};
use serde_json::{Value, json};

/// Adds the content as formatted text (`formattedContent`), if the content can be parsed.
pub(super) fn with_formatted_content(mut record: Value) -> Value {
    if let Some(text) = formatted_text(&record) {
        record["parsedRecord"]["formattedContent"] = json!(text);
    }
    record
}

fn formatted_text(record: &Value) -> Option<String> {
    let parsed = record.get("parsedRecord")?;
    match record["recordType"].as_str()? {
        "EDIFACT" => edifact(record["rawRecord"]["content"].as_str()?),
        _ => marc(&parsed["content"]),
    }
}

fn marc(content: &Value) -> Option<String> {
    let record = from_json(content).ok()?;
    let mut text = format!("LEADER {}\n", record.leader.as_text());
    for field in &record.fields {
        text.push_str(field.tag());
        text.push(' ');
        match field {
            Field::Control { value, .. } => text.push_str(value),
            Field::Data { indicators: [first, second], subfields, .. } => {
                text.extend([first, second]);
                for subfield in subfields {
                    let _ = write!(text, "${}{}", subfield.code, subfield.value);
                }
            }
        }
        text.push('\n');
    }
    text.push('\n');
    Some(text)
}

/// In EDIFACT, a segment ends with the sixth character that the service string UNA declares, or else with an apostrophe.
fn edifact(content: &str) -> Option<String> {
    let end = match content.strip_prefix("UNA") {
        Some(declared) => declared.chars().nth(5)?,
        None if content.starts_with("UNB") => '\'',
        None => return None,
    };
    let mut text = String::with_capacity(content.len() + content.len() / 20);
    let mut signs = content.chars().peekable();
    while let Some(sign) = signs.next() {
        text.push(sign);
        if sign == end && signs.peek() != Some(&'\n') {
            text.push('\n');
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn a_field_or_a_segment_stands_on_each_line() {
        let content = json!({"leader": "01542ccm a2200361   4500", "fields": [
            {"001": "in1"}, {"245": {"ind1": "1", "ind2": "0", "subfields": [{"a": "Title"}, {"c": "Who"}]}}]});
        for (record, text) in [
            (
                json!({"recordType": "MARC_BIB", "parsedRecord": {"content": content}}),
                Some("LEADER 01542ccm a2200361   4500\n001 in1\n245 10$aTitle$cWho\n\n"),
            ),
            (
                json!({"recordType": "EDIFACT", "parsedRecord": {}, "rawRecord": {"content": "UNA:+.? 'UNB+1'UNZ'\n"}}),
                Some("UNA:+.? '\nUNB+1'\nUNZ'\n"),
            ),
            (json!({"recordType": "EDIFACT", "parsedRecord": {}, "rawRecord": {"content": "no"}}), None),
            (json!({"recordType": "MARC_BIB", "parsedRecord": {"content": {}}}), None),
            (json!({"recordType": "MARC_BIB"}), None),
        ] {
            assert_eq!(super::formatted_text(&record).as_deref(), text, "{record}");
        }
    }
}
