//! The ids of the types that the rules name.

use std::collections::HashMap;

use serde_json::Value;

/// The id that FOLIO's importer writes if it finds no type of the name. No reference record has this id.
pub(super) const NO_TYPE: &str = "fe19bae4-da28-472b-be90-d442e2428ead";

/// Types of a tenant by collection, as the storage interface calls it: `identifierTypes`, `contributorTypes`.
#[derive(Debug, Default)]
pub struct Lookups {
    collections: HashMap<String, Vec<Entry>>,
    /// The codes with which numbers of a source file of authorities begin, and its id.
    source_files: HashMap<String, String>,
}

#[derive(Debug)]
pub(super) struct Entry {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) code: String,
}

impl Lookups {
    /// Collections that the mapping looks into.
    pub const COLLECTIONS: [&'static str; 16] = [
        "identifierTypes",
        "classificationTypes",
        "contributorTypes",
        "contributorNameTypes",
        "instanceTypes",
        "instanceFormats",
        "electronicAccessRelationships",
        "instanceNoteTypes",
        "alternativeTitleTypes",
        "issuanceModes",
        "holdingsTypes",
        "callNumberTypes",
        "locations",
        "holdingsNoteTypes",
        "authorityNoteTypes",
        "authoritySourceFiles",
    ];

    pub fn add(&mut self, collection: &str, record: &Value) {
        let text = |name: &str| record[name].as_str().unwrap_or_default().trim().to_owned();
        let entry = Entry { id: text("id"), name: text("name"), code: text("code") };
        let codes = record["codes"].as_array().into_iter().flatten().filter_map(Value::as_str);
        self.source_files.extend(codes.map(|code| (code.to_owned(), entry.id.clone())));
        self.collections.entry(collection.to_owned()).or_default().push(entry);
    }

    /// The source file that the number of an authority is from. Its code is all the letters before the digits: `nb` is not a number of `n`.
    pub(super) fn source_file(&self, number: &str) -> Option<&str> {
        let plain = number.chars().filter(char::is_ascii_alphanumeric);
        let code: String = plain.take_while(char::is_ascii_alphabetic).collect();
        self.source_files.get(&code).map(String::as_str)
    }

    pub(super) fn all(&self, collection: &str) -> &[Entry] {
        self.collections.get(collection).map_or(&[], Vec::as_slice)
    }

    pub(super) fn id_by_name(&self, collection: &str, name: &str) -> Option<&str> {
        let found = self.all(collection).iter().find(|entry| equals_ignoring_case(&entry.name, name));
        found.map(|entry| entry.id.as_str())
    }

    pub(super) fn id_by_code(&self, collection: &str, code: &str) -> Option<&str> {
        let found = self.all(collection).iter().find(|entry| equals_ignoring_case(&entry.code, code));
        found.map(|entry| entry.id.as_str())
    }

    /// The instance type with this name or code.
    pub(super) fn instance_type_id(&self, text: &str) -> Option<&str> {
        let mut types = self.all("instanceTypes").iter().filter(|entry| !entry.name.is_empty());
        let found = types
            .find(|entry| equals_ignoring_case(&entry.name, text) || equals_ignoring_case(&entry.code, text));
        found.map(|entry| entry.id.as_str())
    }
}

pub(super) fn equals_ignoring_case(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other) || lower(one).eq(lower(other))
}

fn lower(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(char::to_lowercase)
}
