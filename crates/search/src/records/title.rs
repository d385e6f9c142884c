//! The computed fields of an instance alone.

use std::sync::LazyLock;

use serde_json::Value;

use super::types::Number;
use super::{Kind, Take, Types, computed, list, text};
use crate::text::numbers;

struct Numbers {
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

static NUMBERS: LazyLock<Numbers> = LazyLock::new(|| Numbers {
    sort_title: computed("sortTitleProcessor"),
    sort_contributors: computed("sortContributorsProcessor"),
    public_notes: computed("publicNotesProcessor"),
    tags: computed("tagsProcessor"),
    statistical_codes: computed("statisticalCodesProcessor"),
    uniform_title: computed("uniformTitleProcessor"),
    isbn: computed("isbnProcessor"),
    issn: computed("issnProcessor"),
    oclc: computed("oclcProcessor"),
    lccn: computed("lccnInstanceProcessor"),
});

pub(super) fn values(instance: &Value, types: &Types, take: Take<'_>) {
    let numbers = &*NUMBERS;
    let filled = |member| text(instance, member).filter(|text| !text.trim().is_empty());
    if let Some(title) = filled("indexTitle").or_else(|| filled("title")) {
        take(numbers.sort_title, Kind::Value, title);
    }
    if let Some(name) = first_contributor(instance) {
        take(numbers.sort_contributors, Kind::Value, name);
    }
    public_notes(instance, "notes", numbers.public_notes, take);
    tags(instance, numbers.tags, take);
    codes(instance, numbers.statistical_codes, take);
    for title in list(instance, "alternativeTitles") {
        if text(title, "alternativeTitleTypeId").is_some_and(|id| types.is_uniform_title(id))
            && let Some(title) = text(title, "alternativeTitle")
        {
            take(numbers.uniform_title, Kind::Value, title);
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

fn identifiers(instance: &Value, types: &Types, take: Take<'_>) {
    for (number, value) in typed(instance, types) {
        let (field, values) = match number {
            Number::Isbn => (NUMBERS.isbn, numbers::isbn(value)),
            Number::Issn => (NUMBERS.issn, numbers::issn(value)),
            Number::Oclc => (NUMBERS.oclc, numbers::oclc(value).into_iter().collect()),
            Number::Lccn => (NUMBERS.lccn, numbers::lccn(value)),
        };
        for value in &values {
            take(field, Kind::Value, value);
        }
    }
}

/// The identifiers of a record that are numbers of a known kind, without blanks around them.
pub(super) fn typed<'a>(record: &'a Value, types: &'a Types) -> impl Iterator<Item = (Number, &'a str)> {
    list(record, "identifiers").filter_map(|identifier| {
        let number = types.number(text(identifier, "identifierTypeId")?)?;
        Some((number, text(identifier, "value")?.trim()))
    })
}

/// The notes of a list that are not for staff alone.
pub(super) fn public_notes(record: &Value, member: &str, field: usize, take: Take<'_>) {
    for note in list(record, member) {
        if note.get("staffOnly").and_then(Value::as_bool) != Some(true)
            && let Some(note) = text(note, "note")
        {
            take(field, Kind::Value, note);
        }
    }
}

/// The tags of an instance, holdings record or item.
pub(super) fn tags(record: &Value, field: usize, take: Take<'_>) {
    let tags = record.get("tags").into_iter().flat_map(|tags| list(tags, "tagList"));
    for tag in tags.filter_map(Value::as_str).map(str::trim).filter(|tag| !tag.is_empty()) {
        take(field, Kind::Value, tag);
    }
}

/// The statistical codes of an instance, holdings record or item.
pub(super) fn codes(record: &Value, field: usize, take: Take<'_>) {
    let codes = list(record, "statisticalCodeIds").filter_map(Value::as_str);
    for code in codes.filter(|code| !code.trim().is_empty()) {
        take(field, Kind::Value, code);
    }
}
