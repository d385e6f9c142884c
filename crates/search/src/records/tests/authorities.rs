use serde_json::{Value, json};

use super::types;
use crate::records::{View, authority_fields, heading_json, heading_values, headings};

const ID: &str = "55294032-fcf6-45cc-b6da-4420a61ef72c";

fn authority() -> Value {
    json!({
        "id": ID,
        "personalNameTitle": "Twain, Mark, 1835-1910. Tom Sawyer",
        "sftPersonalNameTitle": ["Clemens, Samuel. Tom Sawyer", "", "Tuen, Make. Tom Sawyer"],
        "saftTopicalTerm": ["Boys"],
        "subjectHeadings": "a",
        "identifiers": [{"value": "n 79021164", "identifierTypeId": "c858e4f2-2b6b-4385-842b-60732ee14abb"}],
        "notes": [{"noteTypeId": "t", "note": "N"}],
        "source": "MARC",
        "naturalId": "n79021164",
        "metadata": {"createdDate": "2021-03-01T00:00:00.000+00:00"}
    })
}

/// The values of the document of one heading, as `field value`, sorted.
fn heading_values_as_text(authority: &Value, at: usize) -> Vec<String> {
    let mut found = Vec::new();
    heading_values(authority, &headings(authority)[at], ("diku", false), &types(), &mut |field, _, value| {
        found.push(format!("{}: {value}", authority_fields().list()[field].name));
    });
    found.sort();
    found
}

#[test]
fn each_heading_of_an_authority_is_a_document_of_its_own() {
    let authority = authority();
    let documents: Vec<_> = headings(&authority)
        .iter()
        .map(|heading| {
            let kind = heading.kind().unwrap();
            (heading.document_id("1"), kind.heading_type, kind.reference, kind.title)
        })
        .collect();
    let expected = [
        ("personalNameTitle0_1", "Personal Name", "Authorized", true),
        ("sftPersonalNameTitle0_1", "Personal Name", "Reference", true),
        ("sftPersonalNameTitle2_1", "Personal Name", "Reference", true),
        ("saftTopicalTerm0_1", "Topical", "Auth/Ref", false),
    ];
    assert_eq!(
        documents,
        expected.map(|(id, kind, reference, title)| (id.to_owned(), kind, reference, title))
    );
}

#[test]
fn a_document_holds_its_heading_and_what_all_share() {
    assert_eq!(
        heading_values_as_text(&authority(), 3),
        [
            "authRefType: Auth/Ref",
            "headingRef: Boys",
            "headingType: Topical",
            "id: 55294032-fcf6-45cc-b6da-4420a61ef72c",
            "identifiers.identifierTypeId: c858e4f2-2b6b-4385-842b-60732ee14abb",
            "identifiers.value: n 79021164",
            "isTitleHeadingRef: false",
            "lccn: 79021164",
            "lccn: n79021164",
            "metadata.createdDate: 2021-03-01T00:00:00.000+00:00",
            "naturalId: n79021164",
            "saftTopicalTerm: Boys",
            "shared: false",
            "sourceFileId: NULL",
            "subjectHeadings: a",
            "tenantId: diku",
        ]
    );
}

#[test]
fn an_authority_without_headings_is_found_by_its_identifiers() {
    let authority = json!({"id": "1", "personalName": "", "sftGenreTerm": [], "sourceFileId": "s"});
    let found = headings(&authority);
    assert_eq!((found.len(), found[0].document_id("1"), found[0].kind()), (1, "other0_1".to_owned(), None));
    let expected = [
        "headingType: Other",
        "id: 1",
        "isTitleHeadingRef: false",
        "shared: false",
        "sourceFileId: s",
        "tenantId: diku",
    ];
    assert_eq!(heading_values_as_text(&authority, 0), expected);
}

#[test]
fn an_answer_shows_the_heading_and_where_it_comes_from() {
    let authority = authority();
    let heading = headings(&authority)[1];
    let brief = json!({
        "id": ID, "tenantId": "diku", "shared": false, "sourceFileId": "NULL", "naturalId": "n79021164",
        "headingType": "Personal Name", "authRefType": "Reference", "headingRef": "Clemens, Samuel. Tom Sawyer"
    });
    for view in [View::Search, View::Browse] {
        assert_eq!(heading_json(&authority, &heading, ("diku", false), view), brief);
    }
    let whole = heading_json(&authority, &heading, ("diku", false), View::Whole);
    assert_eq!(whole["sftPersonalNameTitle"], json!(["Clemens, Samuel. Tom Sawyer"]));
    assert_eq!(whole["notes"], json!([{"noteTypeId": "t"}]));
    assert_eq!((whole.get("personalNameTitle"), whole.get("source")), (None, None));
    let authorized = heading_json(&authority, &headings(&authority)[0], ("diku", false), View::Whole);
    assert_eq!(authorized["personalNameTitle"], "Twain, Mark, 1835-1910. Tom Sawyer");
}
