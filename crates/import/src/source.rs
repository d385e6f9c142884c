//! The MARC record as a mapping reads it: with all fields, or with only one of the fields that have a certain tag.

use octavo_marc::{Field, Record};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    record: &'a Record,
    /// Restricts the fields with this tag to the one at this position in the record; to none if the position is `None`.
    only: Option<(&'a str, Option<usize>)>,
}

impl<'a> Source<'a> {
    pub(crate) fn from_record(record: &'a Record) -> Source<'a> {
        Source { record, only: None }
    }

    /// One source for each field with the tag; if there is none, one source without such a field.
    pub(crate) fn split_by_tag(record: &'a Record, tag: &'a str) -> Vec<Source<'a>> {
        let with_tag = record.fields.iter().enumerate().filter(|(_, field)| field.tag() == tag);
        let mut sources: Vec<Source<'a>> =
            with_tag.map(|(place, _)| Source { record, only: Some((tag, Some(place))) }).collect();
        if sources.is_empty() {
            sources.push(Source { record, only: Some((tag, None)) });
        }
        sources
    }

    pub(crate) fn leader(&self) -> String {
        self.record.leader.as_text()
    }

    pub(crate) fn fields(self, tag: &str) -> impl Iterator<Item = &'a Field> {
        let place = self.only.and_then(|(of, place)| (of == tag).then_some(place));
        self.record
            .fields
            .iter()
            .enumerate()
            .filter(move |(at, field)| field.tag() == tag && place.is_none_or(|place| place == Some(*at)))
            .map(|(_, field)| field)
    }
}
