//! Types and locations of a tenant, found by their names.

use std::collections::HashMap;

use serde_json::Value;

use crate::labels::{equals_ignoring_case, label_matches};

/// Reference records by list, named as FOLIO names the lists among the parameters of a job: `locations`, `materialTypes`, `loantypes`.
#[derive(Debug, Default)]
pub struct Reference {
    lists: HashMap<String, Vec<Entry>>,
    /// Ids of locations by each of their names and codes, in lower case.
    locations: HashMap<String, String>,
}

#[derive(Debug)]
struct Entry {
    id: String,
    name: String,
    code: String,
}

impl Reference {
    /// Lists that a plan looks into.
    pub const LISTS: [&'static str; 20] = [
        "locations",
        "identifierTypes",
        "alternativeTitleTypes",
        "classificationTypes",
        "contributorTypes",
        "contributorNameTypes",
        "instanceFormats",
        "instanceNoteTypes",
        "instanceStatuses",
        "instanceTypes",
        "holdingsTypes",
        "holdingsNoteTypes",
        "electronicAccessRelationships",
        "illPolicies",
        "callNumberTypes",
        "statisticalCodes",
        "materialTypes",
        "itemDamageStatuses",
        "loantypes",
        "itemNoteTypes",
    ];

    pub fn add(&mut self, list: &str, record: &Value) {
        let text = |name: &str| record[name].as_str().unwrap_or_default().trim().to_owned();
        let entry = Entry { id: text("id"), name: text("name"), code: text("code") };
        if list == "locations" {
            let called = [
                entry.code.clone(),
                format!("({})", entry.code),
                entry.name.clone(),
                format!("{} ({})", entry.name, entry.code),
            ];
            for called in called {
                self.locations.entry(called.to_lowercase()).or_insert_with(|| entry.id.clone());
            }
        }
        self.lists.entry(list.to_owned()).or_default().push(entry);
    }

    pub(crate) fn is_empty(&self, list: &str) -> bool {
        self.lists.get(list).is_none_or(Vec::is_empty)
    }

    /// The id of a location, found by its name, its code, or both: `Annex (KU/CC/DI/A)`.
    pub(crate) fn location_id(&self, value: &str) -> Option<&str> {
        if let Some(id) = self.locations.get(&value.to_lowercase()) {
            return Some(id);
        }
        let mut entries = self.lists.get("locations")?.iter().filter(|entry| entry.name.contains('('));
        let found = entries.find(|entry| label_matches(&format!("{} ({})", entry.name, entry.code), value));
        found.map(|entry| entry.id.as_str())
    }

    pub(crate) fn id_by_name(&self, list: &str, name: &str) -> Option<&str> {
        if list == "locations" {
            return self.location_id(name);
        }
        let found = self.lists.get(list)?.iter().find(|entry| equals_ignoring_case(&entry.name, name));
        found.map(|entry| entry.id.as_str())
    }
}
