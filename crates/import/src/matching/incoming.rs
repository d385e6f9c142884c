//! The values of an incoming record that a match profile compares.

use octavo_marc::{Field, Record};

use super::lookup::Values;
use super::{Incoming, Matching};
use crate::reference::Reference;

/// The most values of one record that are looked up.
const MAX_VALUES: usize = 1_000;

impl Matching {
    /// `None` if the record has no value, or names a type that the tenant does not have: then the record matches nothing.
    pub(crate) fn values(&self, record: &Record, reference: &Reference) -> Option<Values> {
        let mut texts = match &self.incoming {
            Incoming::Nothing => return None,
            Incoming::Dates { from, to } => {
                return Some(Values::Dates { from: from.clone(), to: to.clone() });
            }
            Incoming::Text(text) => vec![text.clone()],
            Incoming::Marc { .. } => self.marc_values(record),
        };
        if let Some(list) = self.type_list {
            for text in &mut texts {
                match reference.id_by_name(list, text) {
                    Some(id) => id.clone_into(text),
                    None => text.clear(),
                }
            }
        }
        texts.retain(|text| !text.is_empty());
        (!texts.is_empty()).then_some(Values::Texts(texts))
    }

    fn marc_values(&self, record: &Record) -> Vec<String> {
        let Incoming::Marc { tag, indicators, code, qualifier, part } = &self.incoming else {
            return Vec::new();
        };
        let mut found: Vec<&str> = Vec::new();
        for field in record.fields.iter().filter(|field| field.tag() == tag) {
            match field {
                Field::Control { value, .. } => found.push(value),
                Field::Data { indicators: there, subfields, .. } => {
                    if indicators.iter().zip(there).all(|(wanted, found)| wanted.matches(*found)) {
                        let with_code = subfields.iter().filter(|subfield| Some(subfield.code) == *code);
                        found.extend(with_code.map(|subfield| subfield.value.as_str()));
                    }
                }
            }
        }
        let qualified = found.into_iter().filter(|value| qualifier.as_ref().is_none_or(|by| by.holds(value)));
        let compared =
            qualified.map(|value| part.map_or_else(|| value.to_owned(), |part| part.extract(value)));
        let mut distinct: Vec<String> = Vec::new();
        for value in compared {
            if distinct.len() < MAX_VALUES && !distinct.contains(&value) {
                distinct.push(value);
            }
        }
        distinct
    }
}
