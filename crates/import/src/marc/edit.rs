//! Inserts fields into a MARC record at the right position, and answers questions about fields.

use octavo_marc::{Field, Record, Subfield};

pub(super) fn is_control_tag(tag: &str) -> bool {
    tag.starts_with("00")
}

/// Inserts a control field before the first one with a higher tag; data fields come after control fields.
pub(super) fn add_control(record: &mut Record, tag: &str, value: &str) {
    let field = Field::Control { tag: tag.to_owned(), value: value.to_owned() };
    let place = record.fields.iter().position(|field| !is_control_tag(field.tag()) || field.tag() > tag);
    let place = place.unwrap_or(record.fields.len());
    record.fields.insert(place, field);
}

/// Inserts a data field in the order of tags. From 400 to 899 only the first digit counts: there cataloguers order fields by their meaning.
pub(super) fn add_data(record: &mut Record, field: Field) {
    let tag = field.tag().to_owned();
    let by_tag = matches!(tag.as_bytes().first(), Some(b'0' | b'1' | b'2' | b'3' | b'9'));
    let comes_after = |other: &Field| {
        let other = other.tag();
        !is_control_tag(other)
            && if by_tag { other > tag.as_str() } else { other.as_bytes().first() > tag.as_bytes().first() }
    };
    let place = record.fields.iter().position(comes_after).unwrap_or(record.fields.len());
    record.fields.insert(place, field);
}

pub(super) fn remove_tag(record: &mut Record, tag: &str) {
    record.fields.retain(|field| field.tag() != tag);
}

pub(super) fn subfields(field: &Field) -> &[Subfield] {
    match field {
        Field::Data { subfields, .. } => subfields,
        Field::Control { .. } => &[],
    }
}

pub(super) fn has_code(field: &Field, code: char) -> bool {
    subfields(field).iter().any(|subfield| subfield.code == code)
}

/// Whether the field is the one for ids of FOLIO, 999 with both indicators f.
pub(super) fn is_folio_id_field(field: &Field) -> bool {
    matches!(field, Field::Data { tag, indicators: ['f', 'f'], .. } if tag == "999")
}

/// The id in a subfield of 999 ff: in `i` that of the instance, holdings or authority, in `s` that of the MARC record.
pub(crate) fn folio_id(record: &Record, code: char) -> Option<&str> {
    let fields = record.fields.iter().filter(|field| is_folio_id_field(field));
    let mut values = fields.flat_map(subfields).filter(|subfield| subfield.code == code);
    values.find_map(|subfield| Some(subfield.value.trim()).filter(|value| !value.is_empty()))
}
