//! Decides whether a stored record matches a lookup. An SQL statement for a whole chunk finds records for any of its lookups; this tells
//! which records belong to which lookup.

use octavo_marc::Field;
use serde_json::Value;
use uuid::Uuid;

use super::lookup::{Existing, Lookup, Shape, Values, Within};
use super::paths;
use crate::need::StoredMarc;

impl Lookup {
    /// Whether an inventory record, as it is stored, matches.
    pub fn matches_document(&self, record: &Value) -> bool {
        let id = |name: &str| record[name].as_str().and_then(|id| Uuid::parse_str(id).ok());
        let within = match &self.within {
            Within::Any => true,
            Within::Ids(ids) => id("id").is_some_and(|id| ids.contains(&id)),
            Within::Instances(ids) => id("instanceId").is_some_and(|id| ids.contains(&id)),
            Within::Holdings(ids) => id("holdingsRecordId").is_some_and(|id| ids.contains(&id)),
        };
        let Existing::Member { path, only } = &self.shape.existing else {
            return false;
        };
        within
            && paths::values(record, path, only.as_ref())
                .iter()
                .any(|found| self.matches_value(&normalize(found)))
    }

    /// Whether a MARC record matches.
    pub fn matches_marc(&self, stored: &StoredMarc) -> bool {
        let within = match &self.within {
            Within::Ids(ids) => stored.describes.is_some_and(|id| ids.contains(&id)),
            _ => true,
        };
        let Existing::Field { tag, indicators, code } = &self.shape.existing else {
            return false;
        };
        if !within {
            return false;
        }
        match (tag.as_str(), indicators, code) {
            ("999", [Some('f'), Some('f')], Some('s')) => self.matches_value(&stored.matched.to_string()),
            ("999", [Some('f'), Some('f')], Some('i')) => {
                stored.describes.is_some_and(|id| self.matches_value(&id.to_string()))
            }
            ("001", ..) if stored.number.is_some() => {
                stored.number.as_deref().is_some_and(|number| self.matches_value(number))
            }
            _ => stored.record.fields.iter().any(|field| self.matches_field(field, tag, *indicators, *code)),
        }
    }

    fn matches_field(&self, field: &Field, tag: &str, wanted: [Option<char>; 2], code: Option<char>) -> bool {
        match field {
            _ if field.tag() != tag => false,
            Field::Control { value, .. } => self.matches_value(value),
            Field::Data { indicators, subfields, .. } => {
                let same = wanted
                    .iter()
                    .zip(indicators)
                    .all(|(wanted, found)| wanted.is_none_or(|wanted| wanted == *found));
                same && subfields
                    .iter()
                    .any(|subfield| Some(subfield.code) == code && self.matches_value(&subfield.value))
            }
        }
    }

    fn matches_value(&self, found: &str) -> bool {
        match &self.values {
            Values::Texts(texts) => self.shape.matches_value(found, texts),
            Values::Dates { from, to } => {
                found >= from.as_str() && found <= format!("{}t23:59:59.999", to.to_lowercase()).as_str()
            }
        }
    }
}

impl Shape {
    fn matches_value(&self, found: &str, incoming: &[String]) -> bool {
        if self.qualifier.as_ref().is_some_and(|qualifier| !qualifier.holds(found)) {
            return false;
        }
        let inventory = matches!(self.existing, Existing::Member { .. });
        let reduced = self.part.map(|part| part.extract(found));
        let found = reduced.as_deref().unwrap_or(found);
        incoming.iter().any(|value| {
            let reduced = self.part.map(|part| part.extract(value));
            let value = reduced.as_deref().unwrap_or(value);
            if inventory {
                self.comparison.holds(found, &normalize(value))
            } else {
                self.comparison.holds(found, value)
            }
        })
    }
}

/// Inventory records are compared without regard to upper and lower case.
fn normalize(text: &str) -> String {
    text.trim().to_lowercase()
}
