//! The computed fields of an instance alone.

use std::sync::LazyLock;

use serde_json::Value;

use super::types::IdentifierKind;
use super::{ReferenceTypes, TakeValue, ValueKind, computed_field, list, text};
use crate::text::numbers;

struct FieldNumbers {
    sort_title: usize,
    sort_contributors: usize,
    public_notes: usize,
    tags: usize,
    statistical_codes: usize,
    uniform_title: usize,
    isbn: usize,
    issn: usize,
    oclc: usize,
    lccn: usize,
}

static FIELD_NUMBERS: LazyLock<FieldNumbers> = LazyLock::new(|| FieldNumbers {
    sort_title: computed_field("sortTitleProcessor"),
    sort_contributors: computed_field("sortContributorsProcessor"),
    public_notes: computed_field("publicNotesProcessor"),
    tags: computed_field("tagsProcessor"),
    statistical_codes: computed_field("statisticalCodesProcessor"),
    uniform_title: computed_field("uniformTitleProcessor"),
    isbn: computed_field("isbnProcessor"),
    issn: computed_field("issnProcessor"),
    oclc: computed_field("oclcProcessor"),
    lccn: computed_field("lccnInstanceProcessor"),
});

pub(super) fn values(instance: &Value, types: &ReferenceTypes, take: TakeValue<'_>) {
    let numbers = &*FIELD_NUMBERS;
    let filled = |member| text(instance, member).filter(|text| !text.trim().is_empty());
    if let Some(title) = filled("indexTitle").or_else(|| filled("title")) {
        take(numbers.sort_title, ValueKind::Value, title);
    }
    if let Some(name) = first_contributor(instance) {
        take(numbers.sort_contributors, ValueKind::Value, name);
    }
    public_notes(instance, "notes", numbers.public_notes, take);
    tags(instance, numbers.tags, take);
    statistical_codes(instance, numbers.statistical_codes, take);
    for title in list(instance, "alternativeTitles") {
        if text(title, "alternativeTitleTypeId").is_some_and(|id| types.is_uniform_title(id))
            && let Some(title) = text(title, "alternativeTitle")
        {
            take(numbers.uniform_title, ValueKind::Value, title);
        }
    }
    identifiers(instance, types, take);
}

/// The name of the primary contributor; if none is primary, of the first.
fn first_contributor(instance: &Value) -> Option<&str> {
    let is_primary = |name: &&Value| name.get("primary").and_then(Value::as_bool) == Some(true);
    let primary = list(instance, "contributors").find(is_primary);
    text(primary.or_else(|| list(instance, "contributors").next())?, "name")
}

fn identifiers(instance: &Value, types: &ReferenceTypes, take: TakeValue<'_>) {
    for (number, value) in known_identifiers(instance, types) {
        let (field, values) = match number {
            IdentifierKind::Isbn => (FIELD_NUMBERS.isbn, numbers::isbn(value)),
            IdentifierKind::Issn => (FIELD_NUMBERS.issn, numbers::issn(value)),
            IdentifierKind::Oclc => (FIELD_NUMBERS.oclc, numbers::oclc(value).into_iter().collect()),
            IdentifierKind::Lccn => (FIELD_NUMBERS.lccn, numbers::lccn(value)),
        };
        for value in &values {
            take(field, ValueKind::Value, value);
        }
    }
}

/// The identifiers of a record that are numbers of a known kind, without blanks around them.
pub(super) fn known_identifiers<'a>(
    record: &'a Value,
    types: &'a ReferenceTypes,
) -> impl Iterator<Item = (IdentifierKind, &'a str)> {
    list(record, "identifiers").filter_map(|identifier| {
        let number = types.identifier_kind(text(identifier, "identifierTypeId")?)?;
        Some((number, text(identifier, "value")?.trim()))
    })
}

/// The notes of a list that are not for staff alone.
pub(super) fn public_notes(record: &Value, member: &str, field: usize, take: TakeValue<'_>) {
    for note in list(record, member) {
        if note.get("staffOnly").and_then(Value::as_bool) != Some(true)
            && let Some(note) = text(note, "note")
        {
            take(field, ValueKind::Value, note);
        }
    }
}

/// The tags of an instance, holdings record or item.
pub(super) fn tags(record: &Value, field: usize, take: TakeValue<'_>) {
    let tags = record.get("tags").into_iter().flat_map(|tags| list(tags, "tagList"));
    for tag in tags.filter_map(Value::as_str).map(str::trim).filter(|tag| !tag.is_empty()) {
        take(field, ValueKind::Value, tag);
    }
}

/// The statistical codes of an instance, holdings record or item.
pub(super) fn statistical_codes(record: &Value, field: usize, take: TakeValue<'_>) {
    let codes = list(record, "statisticalCodeIds").filter_map(Value::as_str);
    for code in codes.filter(|code| !code.trim().is_empty()) {
        take(field, ValueKind::Value, code);
    }
}
