//! Authorities: each heading of one is a document of its own, which shares the other members of the record.
//!
//! Facts: `AuthorityEventPreProcessor` of mod-search 3.2.6 and its processors of authorities.

use std::sync::LazyLock;

use serde_json::Value;

use super::paths::{PathNode, walk};
use super::title::known_identifiers;
use super::types::IdentifierKind;
use super::{ReferenceTypes, TakeValue, ValueKind, authority_fields, field_of_processor};
use crate::fields::HeadingKind;
use crate::text::numbers;

/// A heading of an authority.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heading<'a> {
    /// The member that holds it, with its number among [`authority_fields`]; none for an authority that has no heading.
    pub field: Option<usize>,
    /// Its index in the member: 0 for the first heading.
    pub position: usize,
    /// Whether the member is a list.
    pub is_in_list: bool,
    pub text: &'a str,
}

impl Heading<'_> {
    /// The id of the document, from that of the authority: `sftTopicalTerm1_` with the id, `other0_` for one without headings.
    #[must_use]
    pub fn document_id(&self, authority: &str) -> String {
        let member = self.field.map_or("other", |field| authority_fields().list()[field].name);
        format!("{member}{}_{authority}", self.position)
    }

    /// A number that distinguishes the heading from others of the same authority, also after others were added.
    #[must_use]
    pub fn part_number(&self) -> u64 {
        let member = self.field.map_or(0, |field| field as u64 + 1);
        (member << 32) | self.position as u64
    }

    /// What the heading is; none for an authority that has no heading.
    #[must_use]
    pub fn kind(&self) -> Option<HeadingKind> {
        authority_fields().list().get(self.field?)?.heading
    }
}

/// The headings of an authority, in the order of the declared fields. One that has none gives a single one without text, so that
/// the authority is found by its identifiers all the same.
#[must_use]
pub fn headings(authority: &Value) -> Vec<Heading<'_>> {
    let mut found = Vec::new();
    for (number, field) in authority_fields().list().iter().enumerate() {
        if field.heading.is_none() {
            continue;
        }
        match authority.get(field.name) {
            Some(Value::String(text)) if !text.is_empty() => {
                found.push(Heading { field: Some(number), position: 0, is_in_list: false, text });
            }
            Some(Value::Array(list)) => {
                let texts = list.iter().enumerate().filter_map(|(place, text)| Some((place, text.as_str()?)));
                let texts = texts.filter(|(_, text)| !text.is_empty());
                found.extend(texts.map(|(place, text)| Heading {
                    field: Some(number),
                    position: place,
                    is_in_list: true,
                    text,
                }));
            }
            _ => {}
        }
    }
    if found.is_empty() {
        found.push(Heading { field: None, position: 0, is_in_list: false, text: "" });
    }
    found
}

struct Plan {
    /// Members that are not headings.
    shared: PathNode,
    tenant: Option<usize>,
    is_shared: Option<usize>,
    heading_type: usize,
    is_title: usize,
    reference: usize,
    heading: usize,
    lccn: usize,
}

static PLAN: LazyLock<Plan> = LazyLock::new(|| {
    let fields = authority_fields();
    let of = |processor| field_of_processor(fields, processor);
    let given = |name: &str| matches!(name, "tenantId" | "shared");
    Plan {
        shared: PathNode::tree(fields, |field| {
            Some(field.name).filter(|name| field.heading.is_none() && !given(name))
        }),
        tenant: fields.field_number("tenantId"),
        is_shared: fields.field_number("shared"),
        heading_type: of("headingTypeProcessor"),
        is_title: of("titleHeadingRefProcessor"),
        reference: of("authRefTypeProcessor"),
        heading: of("headingRefProcessor"),
        lccn: of("lccnAuthorityProcessor"),
    }
});

/// Hands over each value of each field of [`authority_fields`] for the document of one heading.
///
/// `tenant` is that of the record, and `shared` whether it is the central one of a consortium. Values can come several times.
pub fn heading_values(
    authority: &Value,
    heading: &Heading<'_>,
    (tenant, shared): (&str, bool),
    types: &ReferenceTypes,
    take: TakeValue<'_>,
) {
    let plan = &*PLAN;
    if let (Some(field), Some(is_shared)) = (plan.tenant, plan.is_shared) {
        take(field, ValueKind::Value, tenant);
        take(is_shared, ValueKind::Value, if shared { "true" } else { "false" });
    }
    walk(authority, Some(&plan.shared), None, take);
    let kind = heading.kind();
    take(plan.heading_type, ValueKind::Value, kind.map_or("Other", |kind| kind.heading_type));
    take(plan.is_title, ValueKind::Value, if kind.is_some_and(|kind| kind.title) { "true" } else { "false" });
    if let (Some(field), Some(kind)) = (heading.field, kind) {
        take(field, ValueKind::Value, heading.text);
        take(plan.reference, ValueKind::Value, kind.reference);
        take(plan.heading, ValueKind::Value, heading.text);
    }
    for (_, value) in
        known_identifiers(authority, types).filter(|(number, _)| *number == IdentifierKind::Lccn)
    {
        for lccn in numbers::lccn(value) {
            take(plan.lccn, ValueKind::Value, &lccn);
        }
    }
}
