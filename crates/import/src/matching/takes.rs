//! Whether a stored record is one of those that a lookup asks for. A statement for a whole chunk finds records for any of its
//! lookups; this tells which belong to which.

use octavo_marc::Field;
use serde_json::Value;
use uuid::Uuid;

use super::lookup::{Existing, Lookup, Shape, Values, Within};
use super::paths;
use crate::need::Stored;

impl Lookup {
    /// For records of the inventory, as they are stored.
    pub fn takes(&self, record: &Value) -> bool {
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
        within && paths::values(record, path, only.as_ref()).iter().any(|found| self.agrees(&fold(found)))
    }

    /// For MARC records.
    pub fn takes_marc(&self, stored: &Stored) -> bool {
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
            ("999", [Some('f'), Some('f')], Some('s')) => self.agrees(&stored.matched.to_string()),
            ("999", [Some('f'), Some('f')], Some('i')) => {
                stored.describes.is_some_and(|id| self.agrees(&id.to_string()))
            }
            ("001", ..) if stored.number.is_some() => {
                stored.number.as_deref().is_some_and(|number| self.agrees(number))
            }
            _ => stored.record.fields.iter().any(|field| self.agrees_with(field, tag, *indicators, *code)),
        }
    }

    fn agrees_with(&self, field: &Field, tag: &str, wanted: [Option<char>; 2], code: Option<char>) -> bool {
        match field {
            _ if field.tag() != tag => false,
            Field::Control { value, .. } => self.agrees(value),
            Field::Data { indicators, subfields, .. } => {
                let same = wanted
                    .iter()
                    .zip(indicators)
                    .all(|(wanted, found)| wanted.is_none_or(|wanted| wanted == *found));
                same && subfields
                    .iter()
                    .any(|subfield| Some(subfield.code) == code && self.agrees(&subfield.value))
            }
        }
    }

    fn agrees(&self, found: &str) -> bool {
        match &self.values {
            Values::Texts(texts) => self.shape.agrees(found, texts),
            Values::Dates { from, to } => {
                found >= from.as_str() && found <= format!("{}t23:59:59.999", to.to_lowercase()).as_str()
            }
        }
    }
}

impl Shape {
    fn agrees(&self, found: &str, incoming: &[String]) -> bool {
        if self.qualifier.as_ref().is_some_and(|qualifier| !qualifier.holds(found)) {
            return false;
        }
        let inventory = matches!(self.existing, Existing::Member { .. });
        let reduced = self.part.map(|part| part.of(found));
        let found = reduced.as_deref().unwrap_or(found);
        incoming.iter().any(|value| {
            let reduced = self.part.map(|part| part.of(value));
            let value = reduced.as_deref().unwrap_or(value);
            if inventory {
                self.comparison.holds(found, &fold(value))
            } else {
                self.comparison.holds(found, value)
            }
        })
    }
}

/// The inventory compares texts without regard to the case of letters.
fn fold(text: &str) -> String {
    text.trim().to_lowercase()
}
