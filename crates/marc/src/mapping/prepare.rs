//! Changes to a record before its fields are mapped.

use super::rules::Mapping;
use crate::{Field, Record, Subfield};

/// Copies the number that the record had in its source system from 001 to a field 035, as FOLIO's importer does: 001 is for the
/// instance's own number.
pub(super) fn with_former_number(record: &Record) -> Record {
    let mut record = record.clone();
    if let Some(number) = record.control_number()
        && !record.values("035", 'a').any(|value| value.trim() == number)
    {
        record.fields.push(Field::Data {
            tag: "035".to_owned(),
            indicators: [' ', ' '],
            subfields: vec![Subfield { code: 'a', value: number }],
        });
    }
    record
}

/// The tag of the field that a linked field (880) stands for.
pub(super) fn linked_tag<'a>(
    mappings: Option<&'a Vec<Mapping>>,
    subfields: &'a [Subfield],
) -> Option<&'a str> {
    let (codes, replacements) = mappings?.iter().find_map(|mapping| mapping.replacement.as_ref())?;
    let linked = subfields.iter().find(|subfield| codes.contains(&subfield.code))?;
    let digits = linked.value.get(..3)?;
    let replaced = replacements.iter().find(|replacement| replacement.source_digits == digits);
    Some(replaced.map_or(digits, |replacement| replacement.target_field.as_str()))
}
