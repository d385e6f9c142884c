//! A record as it stands in a file: without what the server keeps for itself, and without secrets.

use octavo_record::{Reading, RecordType};
use serde_json::{Map, Value, json};

use super::kinds::{Calls, Kind, RULES_TEXT, Shape};

/// Stands in a file where the tenant has a secret.
pub(super) const SECRET: &str = "(secret, not exported)";

/// How the names of members end that hold secrets, in lower case.
const SECRETIVE: &[&str] = &["password", "secret", "apikey", "api_key", "privatekey", "encryptionkey"];

/// One record, of a file or of the tenant.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Record {
    pub(super) key: String,
    pub(super) label: String,
    /// The document in the form that files have.
    pub(super) document: Value,
}

impl Record {
    pub(super) fn new(kind: &Kind, document: Value) -> Record {
        let text = |member: &&str| match &document[*member] {
            Value::String(text) => Some(text.clone()),
            Value::Null => None,
            other => Some(other.to_string()),
        };
        let label: Vec<String> = kind.label.iter().filter_map(text).collect();
        let key = document[kind.key].as_str().unwrap_or_default().to_lowercase();
        Record { key, label: label.join(" / "), document }
    }

    /// The record's name in messages, with a blank before it; empty if it has none.
    pub(super) fn display_name(&self) -> String {
        match (self.label.is_empty(), self.key.is_empty() || self.key == self.label) {
            (true, true) => String::new(),
            (true, false) => format!(" {}", self.key),
            (false, true) => format!(" \"{}\"", self.label),
            (false, false) => format!(" \"{}\" ({})", self.label, self.key),
        }
    }
}

/// Whether a stored record is configuration.
pub(super) fn is_wanted(kind: &Kind, stored: &Value) -> bool {
    kind.is_configuration.is_none_or(|only| only(stored))
}

/// Converts a stored record to the form of files.
pub(super) fn to_file_form(kind: &Kind, stored: &Value) -> Value {
    let mut document = stored.clone();
    if let Some(members) = document.as_object_mut() {
        for member in ["metadata", "_version"].iter().chain(kind.computed_members) {
            members.remove(*member);
        }
        if matches!(kind.calls, Calls::SingleRecord(_)) || kind.shape == Shape::Rules {
            members.remove("id");
        }
    }
    if let Some(rules) = document[RULES_TEXT].as_str().filter(|_| kind.shape == Shape::Rules) {
        document[RULES_TEXT] = with_final_line_end(rules).into();
    }
    // A setting may have any value; in other records null is absence.
    if kind.table != "settings" {
        remove_nulls(&mut document);
    }
    for member in kind.unordered_arrays {
        if let Some(values) = document.get_mut(*member).and_then(Value::as_array_mut) {
            values.sort_by_key(Value::to_string);
        }
    }
    hide_secrets(&mut document);
    document
}

/// The text with a line end at its end, as a text file has it.
fn with_final_line_end(text: &str) -> String {
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{end}")
}

fn remove_nulls(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(remove_nulls);
        }
        Value::Array(values) => values.iter_mut().for_each(remove_nulls),
        _ => {}
    }
}

/// Converts a record of a file to the record that the server would store, in the form of files; or returns messages about its mistakes.
pub(super) fn check_file_record(
    kind: &Kind,
    record: &RecordType,
    sent: &Value,
) -> Result<Value, Vec<String>> {
    let Some(members) = sent.as_object() else { return Err(vec!["is no JSON object".to_owned()]) };
    let mut body = sent.clone();
    if let Some(default) = record.hooks.default {
        default(&mut body);
    }
    let refusals = match record.schema().check(body, Reading::FromClient) {
        Ok(checked) => {
            let stored = record.parse_stored(Some(&checked.0.to_string())).unwrap_or(checked.0);
            let mut document = to_file_form(kind, &stored);
            if let Some(key) = document[kind.key].as_str().map(str::to_lowercase) {
                document[kind.key] = json!(key);
            }
            // The server numbers custom fields in the order of the file.
            if kind.calls == Calls::CustomFields && !sent["order"].is_null() {
                document["order"] = sent["order"].clone();
            }
            let unknown = |member: &&String| {
                document.get(member.as_str()).is_none() && !sent[member.as_str()].is_null()
            };
            let unknown: Vec<String> = members
                .keys()
                .filter(unknown)
                .map(|member| format!("has an unknown member: {member}"))
                .collect();
            return if unknown.is_empty() { Ok(document) } else { Err(unknown) };
        }
        Err(refusals) => refusals,
    };
    let about = |refusal: &octavo_kernel::Refusal| {
        let keys: Vec<&str> = refusal.parameters.iter().map(|(key, _)| key.as_str()).collect();
        if keys.is_empty() {
            refusal.message.clone()
        } else {
            format!("{}: {}", keys.join(", "), refusal.message)
        }
    };
    Err(refusals.iter().map(about).collect())
}

/// Puts [`SECRET`] in the place of secrets.
fn hide_secrets(document: &mut Value) {
    let entry = |member: &str| document[member].as_str().unwrap_or_default();
    let is_entry = document["value"].is_string() && document["module"].is_string();
    let secret_entry = is_entry
        && (is_secretive(entry("code"))
            || serde_json::from_str::<Value>(entry("value")).is_ok_and(|mut value| hide_members(&mut value)));
    if secret_entry {
        document["value"] = json!(SECRET);
    }
    hide_members(document);
}

/// Replaces all secrets in a value; returns whether there was one.
fn hide_members(value: &mut Value) -> bool {
    match value {
        Value::Object(members) => {
            let mut hidden = false;
            for (name, member) in members.iter_mut() {
                if member.is_string() && is_secretive(name) {
                    *member = json!(SECRET);
                    hidden = true;
                } else {
                    hidden |= hide_members(member);
                }
            }
            hidden
        }
        Value::Array(values) => values.iter_mut().map(hide_members).filter(|hidden| *hidden).count() > 0,
        _ => false,
    }
}

fn is_secretive(name: &str) -> bool {
    let name = name.to_lowercase();
    SECRETIVE.iter().any(|end| name.ends_with(end))
}

/// Puts the tenant's secrets where a file has [`SECRET`]; an empty text where the tenant has none. Returns whether there was such a
/// place without a secret.
pub(super) fn fill_in_secrets(document: &mut Value, stored: Option<&Value>) -> bool {
    match document {
        Value::String(text) if text == SECRET => {
            let secret = stored.and_then(Value::as_str).filter(|known| *known != SECRET);
            *document = json!(secret.unwrap_or_default());
            secret.is_none_or(str::is_empty)
        }
        Value::Object(members) => {
            let fill = |(name, member): (&String, &mut Value)| {
                fill_in_secrets(member, stored.and_then(|stored| stored.get(name)))
            };
            members.iter_mut().map(fill).filter(|open| *open).count() > 0
        }
        Value::Array(values) => {
            let fill = |(at, value): (usize, &mut Value)| {
                fill_in_secrets(value, stored.and_then(|stored| stored.get(at)))
            };
            values.iter_mut().enumerate().map(fill).filter(|open| *open).count() > 0
        }
        _ => false,
    }
}

/// Makes the body of a call for an authority source file, whose members have other names than those of the stored record.
pub(super) fn source_file_body(document: &Value, before: Option<&Value>) -> Value {
    let mut body = Map::new();
    for (member, value) in document.as_object().into_iter().flatten() {
        let (name, value) = match member.as_str() {
            "codes" => ("code", value[0].clone()),
            "source" => continue,
            other => (other, value.clone()),
        };
        if before.is_none_or(|before| before[member] != document[member]) {
            body.insert(name.to_owned(), value);
        }
    }
    Value::Object(body)
}

#[cfg(test)]
mod tests {
    use super::super::kinds::kind_by_name;
    use super::*;

    #[test]
    fn secrets_are_neither_shown_nor_lost() {
        let entry =
            |code: &str, value: &str| json!({"module": "M", "configName": "c", "code": code, "value": value});
        for (kind, stored, hidden) in [
            ("mail-server", json!({"host": "h", "password": "p"}), json!({"host": "h", "password": SECRET})),
            ("mail-server", json!({"host": "h", "password": ""}), json!({"host": "h", "password": SECRET})),
            ("remote-storages", json!({"name": "n", "apiKey": "k"}), json!({"name": "n", "apiKey": SECRET})),
            ("configuration-entries", entry("EMAIL_PASSWORD", "p"), entry("EMAIL_PASSWORD", SECRET)),
            ("configuration-entries", entry("a", "{\"clientSecret\":\"p\"}"), entry("a", SECRET)),
            (
                "configuration-entries",
                entry("RESET_PASSWORD_UI_PATH", "/p"),
                entry("RESET_PASSWORD_UI_PATH", "/p"),
            ),
            ("configuration-entries", entry("a", "{\"b\":1}"), entry("a", "{\"b\":1}")),
            (
                "settings",
                json!({"scope": "s", "key": "k", "value": [{"password": "p", "port": 1}]}),
                json!({"scope": "s", "key": "k", "value": [{"password": SECRET, "port": 1}]}),
            ),
        ] {
            let kind = kind_by_name(kind).unwrap();
            let mut document = to_file_form(kind, &stored);
            if let Some(key) = document[kind.key].as_str().map(str::to_lowercase) {
                document[kind.key] = json!(key);
            }
            assert_eq!(document, hidden);
            let open = fill_in_secrets(&mut document, Some(&stored));
            assert_eq!((&document, open), (&stored, stored["password"] == ""));
        }
        let mut new = json!({"password": SECRET});
        assert!(fill_in_secrets(&mut new, None));
        assert_eq!(new, json!({"password": ""}));
    }

    #[test]
    fn a_line_can_be_put_behind_the_circulation_rules() {
        let kind = kind_by_name("circulation-rules").unwrap();
        for (stored, written) in [("", ""), ("m a: l b", "m a: l b\n"), ("m a: l b\n", "m a: l b\n")] {
            let stored = json!({"id": "1", "rulesAsText": stored});
            assert_eq!(to_file_form(kind, &stored), json!({"rulesAsText": written}));
        }
    }
}
