//! FOLIO's reference records by their ids, names and codes.

use std::collections::HashMap;

use octavo_testkit::Client;
use serde_json::Value;

use super::super::marc::Field;

const LISTS: [&str; 10] = [
    "alternative-title-types",
    "classification-types",
    "contributor-name-types",
    "contributor-types",
    "electronic-access-relationships",
    "identifier-types",
    "instance-formats",
    "instance-note-types",
    "instance-types",
    "modes-of-issuance",
];

struct Entry {
    list: &'static str,
    name: String,
    code: String,
}

/// Names are in lower case: rules and reference records write some of them differently.
pub(super) struct Names {
    by_id: HashMap<String, Entry>,
}

impl Names {
    pub(super) async fn load(client: &Client) -> Names {
        let mut by_id = HashMap::new();
        for list in LISTS {
            let all = client.get(&format!("/{list}?limit=1000")).await.expect(200).json();
            let all = all.as_object().unwrap().values().find_map(Value::as_array).unwrap();
            for record in all {
                let text = |member: &str| record[member].as_str().unwrap_or_default();
                let entry = Entry { list, name: text("name").to_lowercase(), code: text("code").to_owned() };
                by_id.insert(text("id").to_owned(), entry);
            }
        }
        Names { by_id }
    }

    fn entries_of_list(&self, list: &'static str) -> impl Iterator<Item = &Entry> {
        self.by_id.values().filter(move |entry| entry.list == list)
    }

    pub(super) fn has_name(&self, list: &'static str, name: &str) -> bool {
        self.entries_of_list(list).any(|entry| entry.name == name)
    }

    pub(super) fn name_by_code(&self, list: &'static str, code: &str) -> Option<String> {
        self.entries_of_list(list)
            .find(|entry| entry.code.eq_ignore_ascii_case(code))
            .map(|entry| entry.name.clone())
    }

    pub(super) fn name_by_code_or_name(&self, list: &'static str, told: &str) -> Option<String> {
        let named = self.entries_of_list(list).find(|entry| entry.name == told.to_lowercase());
        named.map(|entry| entry.name.clone()).or_else(|| self.name_by_code(list, told))
    }

    /// What a contributor did: by the first $4 that is a code, else by the first term that is a name, whatever punctuation ends it.
    pub(super) fn relator_name(&self, field: &Field, term: &str) -> Option<String> {
        let types = || self.entries_of_list("contributor-types");
        let by_code = field.values("4").find_map(|code| types().find(|entry| entry.code == code));
        let by_name =
            || field.values(term).find_map(|text| types().find(|entry| is_called(&entry.name, text)));
        by_code.or_else(by_name).map(|entry| entry.name.clone())
    }

    /// The same value with names instead of ids, and without empty members.
    pub(super) fn replace_ids(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => {
                Value::from(self.by_id.get(text).map_or(text.as_str(), |entry| &entry.name))
            }
            Value::Array(list) => list.iter().map(|value| self.replace_ids(value)).collect(),
            Value::Object(members) => {
                let says =
                    |value: &&Value| !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty());
                let members = members.iter().filter(|(_, value)| says(value));
                Value::Object(members.map(|(name, value)| (name.clone(), self.replace_ids(value))).collect())
            }
            other => other.clone(),
        }
    }
}

fn is_called(name: &str, text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let bare = text.strip_suffix(['.', ',', ';']).unwrap_or(&text);
    match name.strip_suffix('.') {
        Some(without) => name == text || name == bare || without == text,
        None => name == bare,
    }
}
