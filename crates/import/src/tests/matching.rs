use serde_json::{Value, json};

use super::library::id;
use super::profiles::{field, member, text};
use super::text::marc;
use crate::matching::Matching;
use crate::{Lookup, Reference, StoredMarc, Values, Within};

fn compile_matching(existing_type: &str, criterion: &str, incoming: &Value, existing: &Value) -> Matching {
    Matching::compile(
        &json!({"existingRecordType": existing_type, "matchDetails": [{"matchCriterion": criterion,
        "incomingMatchExpression": incoming, "existingMatchExpression": existing}]}),
    )
    .unwrap()
}

fn with_qualifier(mut expression: Value, qualifier: Value) -> Value {
    expression["qualifier"] = qualifier;
    expression
}

#[test]
fn values_of_the_incoming_record_are_read() {
    let record = marc(
        "001 in1\n020 __ $a978-0-13 (pbk)\n020 __ $a111\n035 _9 $aX1\n035 __ $a(OCoLC)22\n950 __ $aAnnex",
    );
    let mut reference = Reference::default();
    reference.add("locations", &json!({"id": "id-annex", "name": "Annex", "code": "KU/A"}));
    let hrid = || member("instance.hrid");
    for (why, incoming, existing, expected) in [
        ("a control field", field("001"), hrid(), Some(vec!["in1"])),
        ("every field", field("020  a"), hrid(), Some(vec!["978-0-13 (pbk)", "111"])),
        ("with these indicators", field("035 9a"), hrid(), Some(vec!["X1"])),
        ("with any", field("035**a"), hrid(), Some(vec!["X1", "(OCoLC)22"])),
        ("no field", field("040**a"), hrid(), None),
        (
            "that begins with a text",
            with_qualifier(
                field("035**a"),
                json!({"qualifierType": "BEGINS_WITH", "qualifierValue": "(OCoLC)"}),
            ),
            hrid(),
            Some(vec!["(OCoLC)22"]),
        ),
        (
            "that ends with it, only its digits",
            with_qualifier(
                field("020  a"),
                json!({"qualifierType": "ENDS_WITH", "qualifierValue": "(pbk)", "comparisonPart": "NUMERICS_ONLY"}),
            ),
            hrid(),
            Some(vec!["978013"]),
        ),
        (
            "letters and digits",
            with_qualifier(field("035  a"), json!({"comparisonPart": "ALPHANUMERICS_ONLY"})),
            hrid(),
            Some(vec!["OCoLC22"]),
        ),
        ("a text", text("abc"), hrid(), Some(vec!["abc"])),
        (
            "a name of a type",
            text("Annex (KU/A)"),
            member("holdingsrecord.permanentLocationId"),
            Some(vec!["id-annex"]),
        ),
        (
            "a code of the record",
            field("950  a"),
            member("item.permanentLocation.id"),
            Some(vec!["id-annex"]),
        ),
        ("a type that is not there", text("Nowhere"), member("holdingsrecord.permanentLocationId"), None),
    ] {
        let existing_type = match existing["fields"][0]["value"].as_str().unwrap().split('.').next().unwrap()
        {
            "holdingsrecord" => "HOLDINGS",
            "item" => "ITEM",
            _ => "INSTANCE",
        };
        let matching = compile_matching(existing_type, "EXACTLY_MATCHES", &incoming, &existing);
        let expected = expected.map(|texts| Values::Texts(texts.into_iter().map(str::to_owned).collect()));
        assert_eq!(matching.values(&record, &reference), expected, "{why}");
    }
}

#[test]
fn stored_values_are_compared() {
    for (criterion, existing, incoming, expected) in [
        ("EXACTLY_MATCHES", "abc", "ABC", true),
        ("EXACTLY_MATCHES", "abc", "abcd", false),
        ("EXISTING_VALUE_CONTAINS_INCOMING_VALUE", "xabcx", "abc", true),
        ("EXISTING_VALUE_CONTAINS_INCOMING_VALUE", "abc", "xabcx", false),
        ("INCOMING_VALUE_CONTAINS_EXISTING_VALUE", "abc", "xabcx", true),
        ("EXISTING_VALUE_BEGINS_WITH_INCOMING_VALUE", "abcx", "abc", true),
        ("INCOMING_VALUE_BEGINS_WITH_EXISTING_VALUE", "abc", "abcx", true),
        ("EXISTING_VALUE_ENDS_WITH_INCOMING_VALUE", "xabc", "abc", true),
        ("INCOMING_VALUE_ENDS_WITH_EXISTING_VALUE", "abc", "xabc", true),
        ("INCOMING_VALUE_ENDS_WITH_EXISTING_VALUE", "", "xabc", false),
    ] {
        let matching = compile_matching("INSTANCE", criterion, &field("001"), &member("instance.hrid"));
        let lookup = lookup(&matching, Values::Texts(vec![incoming.to_owned()]), Within::Any);
        assert_eq!(
            lookup.matches_document(&json!({"hrid": existing})),
            expected,
            "{criterion}: {existing} {incoming}"
        );
    }
}

fn lookup(matching: &Matching, values: Values, within: Within) -> Lookup {
    Lookup { shape: matching.shape.clone(), values, within, limit: 2 }
}

fn texts(texts: &[&str]) -> Values {
    Values::Texts(texts.iter().map(|text| (*text).to_owned()).collect())
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn members_are_found_where_they_are() {
    let typed = json!({"dataValueType": "VALUE_FROM_RECORD", "fields": [
        {"label": "field", "value": "instance.identifiers[].value"}, {"label": "identifierTypeId", "value": "isbn"}]});
    let existing_digits =
        with_qualifier(member("instance.identifiers[].value"), json!({"comparisonPart": "NUMERICS_ONLY"}));
    let existing_begins = with_qualifier(
        member("instance.hrid"),
        json!({"qualifierType": "BEGINS_WITH", "qualifierValue": "in"}),
    );
    let dates = Values::Dates { from: "2024-01-01".to_owned(), to: "2024-01-31".to_owned() };
    for (why, kind, existing, values, within, record, expected) in [
        (
            "identifiers of a type",
            "INSTANCE",
            &typed,
            texts(&["1"]),
            Within::Any,
            json!({"identifiers": [{"identifierTypeId": "isbn", "value": "1"}]}),
            true,
        ),
        (
            "with what is said of them",
            "INSTANCE",
            &typed,
            texts(&["978-1"]),
            Within::Any,
            json!({"identifiers": [{"identifierTypeId": "isbn", "value": "978-1 (pbk. ;) : 10 EUR"}]}),
            true,
        ),
        (
            "not a part of a word",
            "INSTANCE",
            &typed,
            texts(&["978"]),
            Within::Any,
            json!({"identifiers": [{"identifierTypeId": "isbn", "value": "978-1 (OCoLC)978"}]}),
            false,
        ),
        (
            "not of another",
            "INSTANCE",
            &typed,
            texts(&["1"]),
            Within::Any,
            json!({"identifiers": [{"identifierTypeId": "issn", "value": "1"}]}),
            false,
        ),
        (
            "only digits",
            "INSTANCE",
            &existing_digits,
            texts(&["12"]),
            Within::Any,
            json!({"identifiers": [{"value": "x1-2"}]}),
            true,
        ),
        (
            "qualified",
            "INSTANCE",
            &existing_begins,
            texts(&["xin1"]),
            Within::Any,
            json!({"hrid": "xin1"}),
            false,
        ),
        (
            "the name of a status",
            "ITEM",
            &member("item.status.name"),
            texts(&["available"]),
            Within::Any,
            json!({"status": {"name": "Available"}}),
            true,
        ),
        (
            "the id of a type",
            "ITEM",
            &member("item.materialType.id"),
            texts(&["m"]),
            Within::Any,
            json!({"materialTypeId": "m"}),
            true,
        ),
        (
            "a day",
            "INSTANCE",
            &member("instance.catalogedDate"),
            dates.clone(),
            Within::Any,
            json!({"catalogedDate": "2024-01-31"}),
            true,
        ),
        (
            "a time",
            "INSTANCE",
            &member("instance.metadata.createdDate"),
            dates.clone(),
            Within::Any,
            json!({"metadata": {"createdDate": "2024-01-31T23:00:00.000+00:00"}}),
            true,
        ),
        (
            "another day",
            "INSTANCE",
            &member("instance.catalogedDate"),
            dates,
            Within::Any,
            json!({"catalogedDate": "2024-02-01"}),
            false,
        ),
        (
            "among these",
            "INSTANCE",
            &member("instance.hrid"),
            texts(&["a"]),
            Within::Ids(vec![id(1)]),
            json!({"id": id(1).to_string(), "hrid": "a"}),
            true,
        ),
        (
            "not among these",
            "INSTANCE",
            &member("instance.hrid"),
            texts(&["a"]),
            Within::Ids(vec![id(1)]),
            json!({"id": id(2).to_string(), "hrid": "a"}),
            false,
        ),
        (
            "of these instances",
            "HOLDINGS",
            &member("holdingsrecord.hrid"),
            texts(&["a"]),
            Within::Instances(vec![id(1)]),
            json!({"instanceId": id(1).to_string(), "hrid": "a"}),
            true,
        ),
        (
            "of these holdings",
            "ITEM",
            &member("item.barcode"),
            texts(&["a"]),
            Within::Holdings(vec![id(1)]),
            json!({"holdingsRecordId": id(2).to_string(), "barcode": "a"}),
            false,
        ),
    ] {
        let matching = compile_matching(kind, "EXACTLY_MATCHES", &field("001"), existing);
        assert_eq!(lookup(&matching, values, within).matches_document(&record), expected, "{why}");
    }
}

#[test]
fn marc_records_are_found_by_their_fields() {
    let stored = StoredMarc {
        id: id(1),
        matched: id(2),
        generation: 1,
        describes: Some(id(3)),
        number: Some("in1".to_owned()),
        suppressed: false,
        record: marc("001 in1\n035 __ $a(OCoLC)1\n035 9_ $aX\n999 ff $iother"),
    };
    for (path, value, within, expected) in [
        ("001", "in1".to_owned(), Within::Any, true),
        ("001", "in2".to_owned(), Within::Any, false),
        ("035  a", "(OCoLC)1".to_owned(), Within::Any, true),
        ("035  a", "X".to_owned(), Within::Any, false),
        ("035**a", "X".to_owned(), Within::Any, true),
        ("999ffs", id(2).to_string(), Within::Any, true),
        ("999ffi", id(3).to_string(), Within::Any, true),
        ("999ffi", "other".to_owned(), Within::Any, false),
        ("999ffi", id(3).to_string(), Within::Ids(vec![id(3)]), true),
        ("999ffi", id(3).to_string(), Within::Ids(vec![id(4)]), false),
    ] {
        let matching = compile_matching("MARC_BIBLIOGRAPHIC", "EXACTLY_MATCHES", &field("001"), &field(path));
        let lookup = lookup(&matching, Values::Texts(vec![value.clone()]), within);
        assert_eq!(lookup.matches_marc(&stored), expected, "{path} {value}");
    }
}
