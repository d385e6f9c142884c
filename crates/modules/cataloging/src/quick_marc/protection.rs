//! Marks the fields that a library protects from being overlaid, for the editor. Pure.

use serde_json::{Value, json};

/// A protection setting for fields; `*` matches any value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setting {
    pub field: String,
    pub indicators: [String; 2],
    pub subfield: String,
    pub data: String,
}

impl Setting {
    pub(super) fn read(record: &Value) -> Setting {
        let text = |member: &str| record[member].as_str().unwrap_or_default().to_owned();
        Setting {
            field: text("field"),
            indicators: [text("indicator1"), text("indicator2")],
            subfield: text("subfield"),
            data: text("data"),
        }
    }

    fn is_for_tag(&self, tag: &str) -> bool {
        is_any(&self.field) || self.field == tag
    }

    fn protects(&self, field: &Value) -> bool {
        let (tag, content) = (field["tag"].as_str().unwrap_or_default(), &field["content"]);
        if ("001"..="009").contains(&tag) {
            let blank =
                self.indicators.iter().all(|one| one.trim().is_empty()) && self.subfield.trim().is_empty();
            let of_tag = blank && is_any(&self.field) || self.field == tag;
            return of_tag && (content.is_object() || is_any(&self.data) || content == &json!(self.data));
        }
        let text = content.as_str().unwrap_or_default();
        let indicator = |at: usize| {
            let wanted = self.indicators[at].as_str();
            is_any(wanted) || field["indicators"][at] == if wanted.is_empty() { "\\" } else { wanted }
        };
        self.is_for_tag(tag)
            && indicator(0)
            && indicator(1)
            && (is_any(&self.subfield) || text.contains(&format!("${}", self.subfield)))
            && self.matches_data(text)
    }

    /// Whether a subfield of the field begins with the setting's data.
    fn matches_data(&self, content: &str) -> bool {
        if is_any(&self.data) {
            return true;
        }
        let mut parts = content.split('$').skip(1);
        parts.any(|part| {
            let mut chars = part.chars();
            let code = chars.next().map(String::from).unwrap_or_default();
            let of_code = is_any(&self.subfield) || self.subfield == code;
            of_code && chars.as_str().strip_prefix(' ').is_some_and(|value| value.starts_with(&self.data))
        })
    }
}

fn is_any(text: &str) -> bool {
    text == "*"
}

pub(super) fn mark_protected(fields: &mut [Value], settings: &[Setting]) {
    for field in fields {
        field["isProtected"] = json!(settings.iter().any(|setting| setting.protects(field)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The settings that come with FOLIO.
    fn system_settings() -> Vec<Setting> {
        let setting = |field: &str, indicator: &str, subfield: &str| {
            Setting::read(&json!({
                "field": field, "indicator1": indicator, "indicator2": indicator, "subfield": subfield, "data": "*",
            }))
        };
        vec![setting("001", "", ""), setting("999", "f", "*")]
    }

    #[test]
    fn settings_protect_fields() {
        let setting = |field: &str, one: &str, two: &str, subfield: &str, data: &str| {
            Setting::read(
                &json!({"field": field, "indicator1": one, "indicator2": two, "subfield": subfield, "data": data}),
            )
        };
        let title = json!({"tag": "245", "content": "$a Cats $c me", "indicators": ["1", "\\"]});
        let number = json!({"tag": "001", "content": "in1", "indicators": []});
        let cases = [
            (&title, setting("245", "*", "*", "*", "*"), true),
            (&title, setting("245", "1", "", "c", "*"), true),
            (&title, setting("245", "1", "", "b", "*"), false),
            (&title, setting("245", "0", "*", "*", "*"), false),
            (&title, setting("*", "*", "*", "a", "Cats"), true),
            (&title, setting("*", "*", "*", "c", "Cats"), false),
            (&title, setting("246", "*", "*", "*", "*"), false),
            (&number, setting("001", "", "", "", "*"), true),
            (&number, setting("001", "", "", "", "in2"), false),
            (&number, setting("*", "", "", "", "in1"), true),
            (&number, setting("*", "*", "*", "*", "*"), false),
        ];
        for (field, setting, expected) in cases {
            assert_eq!(setting.protects(field), expected, "{field} {setting:?}");
        }
        let mut own = [json!({"tag": "999", "content": "$s x", "indicators": ["f", "f"]}), title.clone()];
        mark_protected(&mut own, &system_settings());
        assert_eq!((&own[0]["isProtected"], &own[1]["isProtected"]), (&json!(true), &json!(false)));
    }
}
