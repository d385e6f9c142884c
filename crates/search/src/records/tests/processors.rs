use serde_json::{Value, json};

use super::{field_values, title};
use crate::fields::Index;
use crate::records::instance_fields;

const ISBN: &str = "8261054f-be78-422d-bd51-4ed9f33c3422";
const LC: &str = "95467209-6d7b-468b-94df-0f5d7ad2747d";
const UDC: &str = "d644be8f-deb5-4c4d-8c9e-2291b7c0f46f";
const LOCAL: &str = "11111111-1111-4111-8111-111111111111";

/// The values of a field of an instance alone.
fn alone(instance: &Value, field: &str) -> Vec<String> {
    field_values(&title(instance, &[], &[]), field)
}

fn of_holding(holding: Value, field: &str) -> Vec<String> {
    field_values(&title(&json!({}), &[holding], &[]), field)
}

fn of_item(item: Value, field: &str) -> Vec<String> {
    field_values(&title(&json!({}), &[], &[item]), field)
}

#[test]
fn each_declared_member_gives_its_value() {
    let fields = instance_fields().list();
    let given = |name: &&str| !matches!(name.rsplit('.').next(), Some("tenantId" | "shared" | "isBoundWith"));
    let searched = fields.iter().filter(|field| field.processor.is_none() && field.index != Index::Source);
    for name in searched.map(|field| field.name).filter(given) {
        let (part, path) = name.split_once('.').unwrap_or(("", name));
        let nested = |path: &str| path.rsplit('.').fold(json!("v"), |inner, key| json!({key: [inner]}));
        let found = match part {
            "holdings" => of_holding(nested(path), name),
            "items" => of_item(nested(path), name),
            _ => alone(&nested(name), name),
        };
        assert_eq!(found, ["v"], "{name}");
    }
}

#[test]
fn a_title_is_sorted_by_its_index_title_if_that_is_not_blank() {
    for (instance, sorted) in [
        (json!({"title": "The title", "indexTitle": "Title"}), &["Title"][..]),
        (json!({"title": "The title", "indexTitle": " "}), &["The title"]),
        (json!({"title": "The title", "indexTitle": null}), &["The title"]),
        (json!({"title": ""}), &[]),
    ] {
        assert_eq!(alone(&instance, "sort_title"), sorted);
    }
}

#[test]
fn a_title_is_sorted_by_its_primary_contributor_or_else_by_the_first() {
    let named = |first: Value, second: Value| {
        let contributors = json!([{"name": "A", "primary": first}, {"name": "B", "primary": second}]);
        json!({"contributors": contributors})
    };
    assert_eq!(alone(&named(json!(false), json!(true)), "sort_contributors"), ["B"]);
    assert_eq!(alone(&named(json!(null), json!(false)), "sort_contributors"), ["A"]);
    assert_eq!(alone(&json!({"contributors": []}), "sort_contributors"), [""; 0]);
}

#[test]
fn notes_for_staff_alone_are_no_public_notes() {
    let notes =
        json!([{"note": "a"}, {"note": "b", "staffOnly": false}, {"note": "c", "staffOnly": true}, {}]);
    assert_eq!(alone(&json!({"notes": notes}), "publicNotes"), ["a", "b"]);
    assert_eq!(of_holding(json!({"notes": notes}), "holdingsPublicNotes"), ["a", "b"]);
    let circulation = json!([{"note": "d", "staffOnly": false}, {"note": "e", "staffOnly": true}]);
    assert_eq!(
        of_item(json!({"notes": notes, "circulationNotes": circulation}), "itemPublicNotes"),
        ["a", "b", "d"]
    );
    assert_eq!(of_item(json!({"notes": notes}), "items.notes.note"), ["a", "b", "c"]);
}

#[test]
fn identifiers_are_numbers_by_the_name_of_their_type() {
    let with = |kind: &str, value: &str| json!({"identifiers": [{"identifierTypeId": kind, "value": value}]});
    for (kind, value, field, found) in [
        (ISBN, " 0262012103 ", "isbn", &["0262012103", "9780262012102"][..]),
        (
            "fcca2643-406a-482a-b760-7a7f8aec640e",
            "978-0-471-44250-9",
            "isbn",
            &["047144250X", "9780471442509"],
        ),
        (ISBN, "0262012103", "issn", &[]),
        ("913300b2-03ed-469a-8179-c1092c991227", " 0040-781x ", "issn", &["0040-781X", "0040781X"]),
        ("5860f255-a27f-4916-a830-262aa900a6b9", "0040-781X", "issn", &["0040-781X", "0040781X"]),
        ("439bfbae-75bc-4f74-9fc7-b2a2d47ce3ef", "(OCoLC)ocm0060710867", "oclc", &["60710867"]),
        ("c858e4f2-2b6b-4385-842b-60732ee14abb", "n 2003075732", "lccn", &["2003075732", "n2003075732"]),
        // FOLIO's name of the type has one `l` more than mod-search asks for.
        ("c858e4f2-2b6b-4385-842b-60732ee34abb", "n 2003075732", "lccn", &[]),
        ("7f907515-a1bf-4513-8a38-92e1a07c539d", "B01LO7PJOE", "isbn", &[]),
        ("7f907515-a1bf-4513-8a38-92e1a07c539d", " B01LO7PJOE", "identifiers.value", &[" B01LO7PJOE"]),
    ] {
        assert_eq!(alone(&with(kind, value), field), found, "{value} as {field}");
    }
}

#[test]
fn uniform_titles_are_alternative_titles_of_one_type() {
    let instance = json!({"alternativeTitles": [
        {"alternativeTitleTypeId": "30512027-cdc9-4c79-af75-1565b3bd888d", "alternativeTitle": "Bible"},
        {"alternativeTitleTypeId": "2ca8538d-a2fd-4e60-b967-1cb220101e22", "alternativeTitle": "Other"},
        {"alternativeTitle": "Without type"}
    ]});
    assert_eq!(alone(&instance, "uniformTitle"), ["Bible"]);
}

#[test]
fn tags_and_statistical_codes_come_from_all_three_records() {
    let record =
        |tag: &str, code: &str| json!({"tags": {"tagList": [tag, " "]}, "statisticalCodeIds": [code, ""]});
    let (instance, holding, item) = (record(" one ", "x"), record("two", "y"), record("three", "x"));
    let (holdings, items) = ([holding], [item]);
    let title = title(&instance, &holdings, &items);
    assert_eq!(field_values(&title, "instanceTags"), ["one"]);
    assert_eq!(field_values(&title, "holdingsTags"), ["two"]);
    assert_eq!(field_values(&title, "itemTags"), ["three"]);
    assert_eq!(field_values(&title, "statisticalCodes"), ["x", "y"]);
    assert_eq!(field_values(&title, "statisticalCodeIds"), ["", "x"]);
}

#[test]
fn call_numbers_are_taken_with_prefix_and_suffix_and_without_signs() {
    let components = |prefix: &str, number: &str, suffix: &str| {
        let components = json!({"prefix": prefix, "callNumber": number, "suffix": suffix});
        json!({"effectiveCallNumberComponents": components})
    };
    let item = components(" Rare ", "QA 76.9", "v.1");
    assert_eq!(of_item(item.clone(), "itemFullCallNumbers"), ["Rare QA 76.9 v.1"]);
    assert_eq!(of_item(item, "itemNormalizedCallNumbers"), ["qa769v1", "rareqa769v1"]);
    assert_eq!(of_item(components("", "", "v.1"), "itemNormalizedCallNumbers"), ["v1"]);
    assert_eq!(of_item(components("", "...", ""), "itemNormalizedCallNumbers"), [""; 0]);
    let holding = json!({"callNumberPrefix": "Rare", "callNumber": "QA 76.9", "callNumberSuffix": null});
    assert_eq!(of_holding(holding.clone(), "holdingsFullCallNumbers"), ["Rare QA 76.9"]);
    assert_eq!(of_holding(holding, "holdingsNormalizedCallNumbers"), ["qa769", "rareqa769"]);
    assert_eq!(of_holding(json!({"callNumberSuffix": "v.1"}), "holdingsNormalizedCallNumbers"), [""; 0]);
}

#[test]
fn the_type_of_a_call_number_decides_how_its_shelving_order_is_kept() {
    let item = |kind: Value| {
        let components = json!({"typeId": kind});
        json!({"effectiveShelvingOrder": "qa 3769 é \"x\"", "effectiveCallNumberComponents": components})
    };
    for (kind, name, order) in [
        (json!(LC), &["LC"][..], &["QA 3769 É \"X\"", "qa 3769 é \"x\""][..]),
        (json!(LC.to_uppercase()), &["LC"], &["QA 3769 É \"X\"", "qa 3769 é \"x\""]),
        (json!("6caca63e-5651-4db6-9247-3205156e9699"), &["OTHER"], &["QA 3769    X"]),
        (json!(LOCAL), &["LOCAL"], &["QA 3769    X"]),
        (json!(UDC), &[], &["QA 3769    X"]),
        (json!(null), &[], &["QA 3769    X"]),
    ] {
        assert_eq!(of_item(item(kind.clone()), "callNumberType"), name, "{kind}");
        assert_eq!(of_item(item(kind.clone()), "itemEffectiveShelvingOrder"), order, "{kind}");
    }
    assert_eq!(of_item(json!({"effectiveShelvingOrder": " "}), "itemEffectiveShelvingOrder"), [""; 0]);
}

#[test]
fn identifiers_of_holdings_and_items_are_all_that_a_desk_may_be_given() {
    let holding = json!({"id": "h", "hrid": "h1", "formerIds": ["f", ""], "holdingsTypeId": " t "});
    assert_eq!(of_holding(holding.clone(), "holdingsIdentifiers"), ["f", "h", "h1"]);
    assert_eq!(of_holding(holding, "holdingsTypeId"), ["t"]);
    let item = json!({
        "id": "i", "hrid": "i1", "formerIds": ["f"], "accessionNumber": "a", "itemIdentifier": "n", "barcode": "b"
    });
    assert_eq!(of_item(item, "itemIdentifiers"), ["a", "f", "i", "i1", "n"]);
}

#[test]
fn defaults_stand_for_members_that_are_missing_or_null() {
    let items = [json!({"discoverySuppress": null}), json!({"discoverySuppress": true}), json!({})];
    let instance = json!({"discoverySuppress": true});
    let title = title(&instance, &[], &items);
    assert_eq!(field_values(&title, "staffSuppress"), ["false"]);
    assert_eq!(field_values(&title, "discoverySuppress"), ["true"]);
    assert_eq!(field_values(&title, "items.discoverySuppress"), ["false", "true"]);
    assert_eq!(field_values(&title, "holdings.discoverySuppress"), [""; 0]);
}

#[test]
fn what_the_caller_knows_beside_the_records_is_taken_from_it() {
    let (instance, copies) = (json!({"shared": false, "tenantId": "other"}), [json!({})]);
    let mut title = title(&instance, &copies, &[]);
    assert_eq!(field_values(&title, "tenantId"), [""; 0]);
    (title.tenant, title.shared, title.bound_with) = (Some("diku"), true, true);
    for (field, value) in
        [("tenantId", &["diku"][..]), ("holdings.tenantId", &["diku"]), ("items.tenantId", &[])]
    {
        assert_eq!(field_values(&title, field), value, "{field}");
    }
    assert_eq!(
        (field_values(&title, "shared"), field_values(&title, "isBoundWith")),
        (vec!["true".into()], vec!["true".into()])
    );
}

#[test]
fn text_of_links_is_left_out_where_all_text_is_searched() {
    let instance = json!({
        "id": "i", "statusId": "s", "statisticalCodeIds": ["c"], "title": " T ",
        "editions": ["E"], "version": 2,
        "notes": [{"note": "N", "instanceNoteTypeId": "t"}], "items": ["x"], "holdingsRecords2": ["x"]
    });
    assert_eq!(alone(&instance, "allInstances"), ["N", "T", "whole: E", "whole: i"]);
    let holding =
        json!({"id": "h", "formerIds": ["f"], "callNumber": "C", "holdingsStatements": [{"statement": "S"}]});
    assert_eq!(of_holding(holding, "allHoldings"), ["whole: C", "whole: S", "whole: h"]);
    let item = json!({
        "id": "i", "formerIds": ["f"], "materialTypeId": "m", "notes": [{"note": "N"}],
        "status": {"name": "Available"}
    });
    assert_eq!(of_item(item, "allItems"), ["N", "whole: Available", "whole: f", "whole: i"]);
}
