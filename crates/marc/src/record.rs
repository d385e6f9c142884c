//! A MARC record, independent of the format that it was read from.

use crate::Leader;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Record {
    pub leader: Leader,
    pub fields: Vec<Field>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Field {
    Control { tag: String, value: String },
    Data { tag: String, indicators: [char; 2], subfields: Vec<Subfield> },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subfield {
    pub code: char,
    pub value: String,
}

impl Field {
    pub fn tag(&self) -> &str {
        match self {
            Field::Control { tag, .. } | Field::Data { tag, .. } => tag,
        }
    }

    /// Whether fields of this tag hold one text instead of indicators and subfields.
    pub(crate) fn is_control(tag: &str) -> bool {
        tag.starts_with("00")
    }
}

impl Record {
    /// The text of the first control field with this tag.
    pub fn control_field(&self, tag: &str) -> Option<&str> {
        self.fields.iter().find_map(|field| match field {
            Field::Control { tag: found, value } if found == tag => Some(value.as_str()),
            _ => None,
        })
    }

    /// The values of a subfield in every field with this tag.
    pub fn values<'a>(&'a self, tag: &'a str, code: char) -> impl Iterator<Item = &'a str> {
        let subfields =
            self.fields.iter().filter(move |field| field.tag() == tag).flat_map(|field| match field {
                Field::Data { subfields, .. } => subfields.as_slice(),
                Field::Control { .. } => &[],
            });
        subfields.filter(move |subfield| subfield.code == code).map(|subfield| subfield.value.as_str())
    }

    /// The number that the record had in its source system, with the code of the organization that gave it: `(003)001`.
    pub fn control_number(&self) -> Option<String> {
        let number = self.control_field("001").map(str::trim).filter(|number| !number.is_empty())?;
        let whose = self.control_field("003").map(str::trim).filter(|whose| !whose.is_empty());
        Some(whose.map_or_else(|| number.to_owned(), |whose| format!("({whose}){number}")))
    }
}
