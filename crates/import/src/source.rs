//! The MARC record as a mapping reads it: whole, or with one of the fields of a tag instead of all of them.

use octavo_marc::{Field, Record};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    record: &'a Record,
    /// Only this field (its place in the record) of those with its tag; no field of the tag where the place is `None`.
    only: Option<(&'a str, Option<usize>)>,
}

impl<'a> Source<'a> {
    pub(crate) fn whole(record: &'a Record) -> Source<'a> {
        Source { record, only: None }
    }

    /// One source for each field of the tag; one without any if the record has none.
    pub(crate) fn split(record: &'a Record, tag: &'a str) -> Vec<Source<'a>> {
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
