//! The FOLIO record that the mapping fills field by field.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

/// Lists whose elements are objects: of a target that names the list alone, as rules of earlier releases do, FOLIO's importer makes an
/// object without members, which it then leaves out.
const LISTS_OF_OBJECTS: [&str; 14] = [
    "alternativeTitles",
    "classifications",
    "contributors",
    "electronicAccess",
    "holdingsStatements",
    "holdingsStatementsForIndexes",
    "holdingsStatementsForSupplements",
    "identifiers",
    "notes",
    "precedingTitles",
    "publication",
    "series",
    "subjects",
    "succeedingTitles",
];
/// Lists whose elements are texts.
const LISTS_OF_TEXT: [&str; 9] = [
    "administrativeNotes",
    "editions",
    "formerIds",
    "instanceFormatIds",
    "languages",
    "natureOfContentTermIds",
    "physicalDescriptions",
    "publicationFrequency",
    "publicationRange",
];
/// The "see from" and "see also" tracings of authorities are lists of texts too.
const TRACINGS: [&str; 2] = ["sft", "saft"];
const BOOLEAN_MEMBERS: [&str; 2] = ["primary", "staffOnly"];

#[derive(Debug, Default)]
pub(super) struct Building {
    pub(super) record: Map<String, Value>,
    seen: HashSet<String>,
}

/// An element of a list of the record.
#[derive(Debug, Clone)]
pub(super) struct Object {
    list: String,
    at: usize,
}

impl Building {
    /// Returns true at the first call for a tag: some mappings take only the first field with a tag.
    pub(super) fn first_time(&mut self, tag: &str) -> bool {
        self.seen.insert(tag.to_owned())
    }

    /// Writes a text to its member: into the current object if that is in the right list, else into a new object of that list.
    pub(super) fn insert_text(
        &mut self,
        path: &(String, Option<String>),
        text: &str,
        current: Option<&Object>,
    ) -> Option<Object> {
        let (name, member) = path;
        let Some(member) = member else {
            if is_list_of_text(name) {
                self.list(name).push(json!(text));
            } else if !LISTS_OF_OBJECTS.contains(&name.as_str()) {
                self.record.insert(name.clone(), json!(text));
            }
            return None;
        };
        let value =
            if BOOLEAN_MEMBERS.contains(&member.as_str()) { json!(text == "true") } else { json!(text) };
        let list = self.list(name);
        let at = match current {
            Some(object) if object.list == *name => object.at,
            _ => {
                list.push(json!({}));
                list.len() - 1
            }
        };
        list[at][member] = value;
        Some(Object { list: name.clone(), at })
    }

    fn list(&mut self, name: &str) -> &mut Vec<Value> {
        let list = self.record.entry(name).or_insert_with(|| json!([]));
        if !list.is_array() {
            *list = json!([]);
        }
        match list {
            Value::Array(list) => list,
            _ => unreachable!("it has just been made one"),
        }
    }
}

fn is_list_of_text(name: &str) -> bool {
    LISTS_OF_TEXT.contains(&name) || TRACINGS.iter().any(|prefix| name.starts_with(prefix))
}
