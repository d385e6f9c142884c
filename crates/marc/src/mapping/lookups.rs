//! The ids of the types that the rules name.

use std::collections::HashMap;

use serde_json::Value;

/// What stands where FOLIO's importer finds no type of the name. No reference record has this id.
pub(super) const NO_TYPE: &str = "fe19bae4-da28-472b-be90-d442e2428ead";

/// Types of a tenant by collection, as the storage interface calls it: `identifierTypes`, `contributorTypes`.
#[derive(Debug, Default)]
pub struct Lookups {
    collections: HashMap<String, Vec<Entry>>,
}

#[derive(Debug)]
pub(super) struct Entry {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) code: String,
}

impl Lookups {
    /// Collections that the mapping looks into.
    pub const COLLECTIONS: [&'static str; 10] = [
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
    ];

    pub fn add(&mut self, collection: &str, record: &Value) {
        let text = |name: &str| record[name].as_str().unwrap_or_default().trim().to_owned();
        let entry = Entry { id: text("id"), name: text("name"), code: text("code") };
        self.collections.entry(collection.to_owned()).or_default().push(entry);
    }

    pub(super) fn all(&self, collection: &str) -> &[Entry] {
        self.collections.get(collection).map_or(&[], Vec::as_slice)
    }

    pub(super) fn named(&self, collection: &str, name: &str) -> Option<&str> {
        let found = self.all(collection).iter().find(|entry| same(&entry.name, name));
        found.map(|entry| entry.id.as_str())
    }

    pub(super) fn coded(&self, collection: &str, code: &str) -> Option<&str> {
        let found = self.all(collection).iter().find(|entry| same(&entry.code, code));
        found.map(|entry| entry.id.as_str())
    }

    /// The instance type with this name or code.
    pub(super) fn instance_type(&self, text: &str) -> Option<&str> {
        let mut types = self.all("instanceTypes").iter().filter(|entry| !entry.name.is_empty());
        let found = types.find(|entry| same(&entry.name, text) || same(&entry.code, text));
        found.map(|entry| entry.id.as_str())
    }
}

pub(super) fn same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other) || lower(one).eq(lower(other))
}

fn lower(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(char::to_lowercase)
}
