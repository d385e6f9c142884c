//! The computed fields of holdings and items.

use std::sync::LazyLock;

use serde_json::Value;

use super::title::{public_notes, statistical_codes, tags};
use super::{ReferenceTypes, TakeValue, ValueKind, computed_field, list, text};
use crate::text::numbers;

struct FieldNumbers {
    statistical_codes: usize,
    holdings_notes: usize,
    holdings_tags: usize,
    holdings_type: usize,
    holdings_full: usize,
    holdings_normalized: usize,
    holdings_identifiers: usize,
    item_notes: usize,
    item_tags: usize,
    item_full: usize,
    item_normalized: usize,
    item_identifiers: usize,
    call_number_type: usize,
    shelving_order: usize,
}

static FIELD_NUMBERS: LazyLock<FieldNumbers> = LazyLock::new(|| FieldNumbers {
    statistical_codes: computed_field("statisticalCodesProcessor"),
    holdings_notes: computed_field("holdingsPublicNotesProcessor"),
    holdings_tags: computed_field("holdingsTagsProcessor"),
    holdings_type: computed_field("holdingsTypeIdProcessor"),
    holdings_full: computed_field("holdingsCallNumberComponentsProcessor"),
    holdings_normalized: computed_field("holdingsNormalizedCallNumbersProcessor"),
    holdings_identifiers: computed_field("holdingsIdentifiersProcessor"),
    item_notes: computed_field("itemPublicNotesProcessor"),
    item_tags: computed_field("itemTagsProcessor"),
    item_full: computed_field("effectiveCallNumberComponentsProcessor"),
    item_normalized: computed_field("itemNormalizedCallNumbersProcessor"),
    item_identifiers: computed_field("itemIdentifiersProcessor"),
    call_number_type: computed_field("callNumberTypeProcessor"),
    shelving_order: computed_field("itemEffectiveShelvingOrderProcessor"),
});

pub(super) fn holding_values(holding: &Value, take: TakeValue<'_>) {
    let numbers = &*FIELD_NUMBERS;
    public_notes(holding, "notes", numbers.holdings_notes, take);
    tags(holding, numbers.holdings_tags, take);
    statistical_codes(holding, numbers.statistical_codes, take);
    if let Some(id) = text(holding, "holdingsTypeId").map(str::trim).filter(|id| !id.is_empty()) {
        take(numbers.holdings_type, ValueKind::Value, id);
    }
    let parts = ["callNumberPrefix", "callNumber", "callNumberSuffix"].map(|member| text(holding, member));
    if let Some(whole) = full_call_number(parts) {
        take(numbers.holdings_full, ValueKind::Value, &whole);
    }
    // A suffix alone is no call number. Of items, mod-search takes even that.
    if parts[..2].iter().flatten().any(|part| !part.is_empty()) {
        normalized_call_numbers(parts, numbers.holdings_normalized, take);
    }
    identifiers(holding, &["hrid", "id"], numbers.holdings_identifiers, take);
}

pub(super) fn item_values(item: &Value, types: &ReferenceTypes, take: TakeValue<'_>) {
    let numbers = &*FIELD_NUMBERS;
    public_notes(item, "notes", numbers.item_notes, take);
    public_notes(item, "circulationNotes", numbers.item_notes, take);
    tags(item, numbers.item_tags, take);
    statistical_codes(item, numbers.statistical_codes, take);
    identifiers(item, &["hrid", "accessionNumber", "id", "itemIdentifier"], numbers.item_identifiers, take);
    let components = item.get("effectiveCallNumberComponents").unwrap_or(&Value::Null);
    let parts = ["prefix", "callNumber", "suffix"].map(|member| text(components, member));
    if let Some(whole) = full_call_number(parts) {
        take(numbers.item_full, ValueKind::Value, &whole);
    }
    normalized_call_numbers(parts, numbers.item_normalized, take);
    let kind = text(components, "typeId").and_then(|id| call_number_type(id, types));
    if let Some(kind) = kind {
        take(numbers.call_number_type, ValueKind::Value, kind);
    }
    if let Some(order) = shelving_order(item, kind) {
        take(numbers.shelving_order, ValueKind::Value, &order);
        // A list of call numbers shows it in capitals, and what a list shows is searched for. mod-search does not find it then.
        let shown = order.to_uppercase();
        if shown != order {
            take(numbers.shelving_order, ValueKind::Value, &shown);
        }
    }
}

/// Where an item stands on the shelf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShelfPosition {
    /// The text by which call numbers are sorted.
    pub key: String,
    /// Prefix, call number and suffix.
    pub call_number: String,
    /// The type of the call number: `LC`, `LOCAL`; none for types that FOLIO brings and that have no order of their own.
    pub kind: Option<&'static str>,
}

/// Where an item stands on the shelf; nothing if it has no call number.
#[must_use]
pub fn shelf_position(item: &Value, types: &ReferenceTypes) -> Option<ShelfPosition> {
    let components = item.get("effectiveCallNumberComponents")?;
    let call_number =
        full_call_number(["prefix", "callNumber", "suffix"].map(|member| text(components, member)))?;
    let kind = text(components, "typeId").and_then(|id| call_number_type(id, types));
    Some(ShelfPosition { key: shelving_order(item, kind)?, call_number, kind })
}

fn shelving_order(item: &Value, kind: Option<&str>) -> Option<String> {
    let order = text(item, "effectiveShelvingOrder")?;
    let with_own_order = matches!(kind, Some("LC" | "DEWEY" | "NLM" | "SUDOC"));
    let normalized = if with_own_order { order.to_owned() } else { numbers::shelving_order(order) };
    Some(normalized).filter(|order| !order.trim().is_empty())
}

/// The prefix, the call number and the suffix, with a blank between them.
fn full_call_number(parts: [Option<&str>; 3]) -> Option<String> {
    let parts = parts.into_iter().flatten().map(str::trim).filter(|part| !part.is_empty());
    let whole = parts.collect::<Vec<&str>>().join(" ");
    Some(whole).filter(|whole| !whole.is_empty())
}

/// The letters and digits of the call number: with its prefix and without.
fn normalized_call_numbers(parts: [Option<&str>; 3], field: usize, take: TakeValue<'_>) {
    let normalized = |parts: &[Option<&str>]| {
        let parts = parts.iter().flatten().map(|part| numbers::call_number(part));
        parts.fold(String::new(), |whole, part| whole + &part)
    };
    let (whole, without_prefix) = (normalized(&parts), normalized(&parts[1..]));
    if whole != without_prefix {
        take(field, ValueKind::Value, &whole);
    }
    if !without_prefix.is_empty() {
        take(field, ValueKind::Value, &without_prefix);
    }
}

fn identifiers(record: &Value, members: &[&str], field: usize, take: TakeValue<'_>) {
    let former = list(record, "formerIds").filter_map(Value::as_str);
    for id in former.chain(members.iter().filter_map(|member| text(record, member))) {
        if !id.is_empty() {
            take(field, ValueKind::Value, id);
        }
    }
}

/// What the browsing of call numbers calls a type: a word for each of the five that the system brings, and `LOCAL` for those of
/// the library. Types that FOLIO brings besides have none.
fn call_number_type(id: &str, types: &ReferenceTypes) -> Option<&'static str> {
    const SYSTEM: [(&str, &str); 5] = [
        ("95467209-6d7b-468b-94df-0f5d7ad2747d", "LC"),
        ("03dd64d0-5626-4ecd-8ece-4531e0069f35", "DEWEY"),
        ("054d460d-d6b9-4469-9e37-7a78a2266655", "NLM"),
        ("fc388041-6cd0-4806-8a74-ebe3b9ab4c6e", "SUDOC"),
        ("6caca63e-5651-4db6-9247-3205156e9699", "OTHER"),
    ];
    let system = SYSTEM.iter().find(|(known, _)| known.eq_ignore_ascii_case(id)).map(|(_, name)| *name);
    system.or_else(|| Some("LOCAL").filter(|_| !types.is_folio_call_number(id)))
}
