//! What records give to their fields, and how names lead to fields.

mod authorities;
mod names;
mod processors;
mod sample;
mod views;

use serde_json::Value;

use super::{Instance, ReferenceTypes, ValueKind, instance_fields, values};

/// FOLIO's own reference data, as far as these tests need them.
fn types() -> ReferenceTypes {
    let mut types = ReferenceTypes::default();
    for (id, name) in [
        ("8261054f-be78-422d-bd51-4ed9f33c3422", "ISBN"),
        ("fcca2643-406a-482a-b760-7a7f8aec640e", "Invalid ISBN"),
        ("913300b2-03ed-469a-8179-c1092c991227", "ISSN"),
        ("27fd35a6-b8f6-41f2-aa0e-9c663ceb250c", "Invalid ISSN"),
        ("5860f255-a27f-4916-a830-262aa900a6b9", "Linking ISSN"),
        ("439bfbae-75bc-4f74-9fc7-b2a2d47ce3ef", "OCLC"),
        ("c858e4f2-2b6b-4385-842b-60732ee14abb", "LCCN"),
        ("c858e4f2-2b6b-4385-842b-60732ee34abb", "Cancelled LCCN"),
        ("7f907515-a1bf-4513-8a38-92e1a07c539d", "ASIN"),
    ] {
        types.add_identifier_type(id, name);
    }
    types.add_title_type("30512027-cdc9-4c79-af75-1565b3bd888d", "Uniform title");
    types.add_title_type("2ca8538d-a2fd-4e60-b967-1cb220101e22", "Added title page title");
    for (id, source) in [
        ("95467209-6d7b-468b-94df-0f5d7ad2747d", "system"),
        ("512173a7-bd09-490e-b773-17d83f2b63fe", "folio"),
        ("d644be8f-deb5-4c4d-8c9e-2291b7c0f46f", "folio"),
        ("11111111-1111-4111-8111-111111111111", "local"),
    ] {
        types.add_call_number_type(id, source);
    }
    types
}

/// A title of a tenant outside of any consortium.
fn title<'a>(instance: &'a Value, holdings: &'a [Value], items: &'a [Value]) -> Instance<'a> {
    Instance { instance, holdings, items, tenant: None, shared: false, bound_with: false }
}

/// The values of one field, sorted, each once.
fn field_values(record: &Instance<'_>, field: &str) -> Vec<String> {
    let wanted = instance_fields().field_number(field).unwrap_or_else(|| panic!("no field {field}"));
    let mut found = Vec::new();
    values(record, &types(), &mut |number, kind, value| {
        if number == wanted {
            found.push(if kind == ValueKind::Whole { format!("whole: {value}") } else { value.to_owned() });
        }
    });
    found.sort();
    found.dedup();
    found
}
