//! The lists of the app: call numbers, of all types or one, contributors and subjects. Each line leads to as many titles as it says.

use octavo_testkit::encode;
use serde_json::Value;

use super::{Differences, fill_query, library_with_samples};
use crate::search::browse::page_text;

fn line_heading(line: &Value) -> &str {
    ["fullCallNumber", "name", "value"].iter().find_map(|member| line[*member].as_str()).unwrap_or_default()
}

/// The search that the app makes when somebody chooses a line.
fn query_of_line(list: &str, line: &Value) -> String {
    match list {
        "call-numbers" => fill_query(
            r#"itemEffectiveShelvingOrder==/string "{}""#,
            line["shelfKey"].as_str().unwrap_or_default(),
        ),
        "contributors" => {
            let by = fill_query(r#"contributors.name==/string "{}""#, line_heading(line));
            format!("({by}) and contributors.contributorNameTypeId=={}", line["contributorNameTypeId"])
        }
        _ => fill_query(r#"subjects.value==/string "{}""#, line_heading(line)),
    }
}

#[tokio::test]
async fn each_line_of_a_list_leads_to_as_many_titles_as_it_says() {
    let library = library_with_samples().await;
    let mut wrong = Differences::default();
    for (list, all, lines) in [
        ("call-numbers", r#"(itemEffectiveShelvingOrder > "!")"#, 16),
        ("contributors", r#"(name > "!")"#, 50),
        ("subjects", r#"(value > "!")"#, 95),
    ] {
        let path =
            format!("/browse/{list}/instances?limit=100&precedingRecordsCount=5&query={}", encode(all));
        let found =
            library.get(&path).await.expect(200).json()["items"].as_array().cloned().unwrap_or_default();
        wrong.note(list, &found.len().to_string(), &lines.to_string());
        for line in found {
            let query = format!("({}) sortby title", query_of_line(list, &line));
            let path = format!("/search/instances?limit=1&query={}", encode(&query));
            let total = library.get(&path).await.expect(200).total();
            wrong.note(&query, &total.to_string(), &line["totalRecords"].to_string());
        }
    }
    wrong.assert_none();
}

#[tokio::test]
async fn each_list_is_opened_around_what_was_typed() {
    let library = library_with_samples().await;
    let mut wrong = Differences::default();
    let line = |line: &Value| format!("{} {}", line_heading(line), line["totalRecords"]);
    for (list, query, more, expected) in [
        (
            "call-numbers",
            r#"(callNumber>="some-callnumber" or callNumber<"some-callnumber")"#,
            "&limit=3&precedingRecordsCount=1",
            "17: R11.A38 1 | [some-callnumber 2] | TK5105.88815 . A58 2004 FT MEADE 1, prev R11.A38 V. 30 1961 C.1, \
             next TK5105.88815 . A58 2004 FT MEADE",
        ),
        (
            "call-numbers",
            r#"(callNumber>="l" or callNumber<"l") and items.effectiveLocationId==("53cf956f-c1df-410b-8bea-27f712cca7c0")"#,
            "&limit=100&precedingRecordsCount=5",
            "4: Folio 526.9 CHA vol. 2 1 | Folio G1801 .C5 vol. 2 1 | [l 0] | MCN FICTION 1 | PR6056.I4588 B749 2016 1 | \
             Folio WA 900 C5 vol. 2 1",
        ),
        // A call number whose suffix was not typed is another one.
        (
            "call-numbers",
            r#"(typedCallNumber>="G1801 .C5" or typedCallNumber<"G1801 .C5")"#,
            "&limit=100&callNumberType=lc",
            "1: [G1801 .C5 0] | Folio G1801 .C5 vol. 2 1",
        ),
        (
            "call-numbers",
            r#"(typedCallNumber>="526.9" or typedCallNumber<"526.9")"#,
            "&limit=100&callNumberType=dewey",
            "1: [526.9 0] | Folio 526.9 CHA vol. 2 1",
        ),
        (
            "call-numbers",
            r#"(typedCallNumber>="WA 900 C5" or typedCallNumber<"WA 900 C5")"#,
            "&limit=100&callNumberType=nlm",
            "1: [WA 900 C5 0] | Folio WA 900 C5 vol. 2 1",
        ),
        (
            "contributors",
            r#"(name>="Falola, Toyin" or name<"Falola, Toyin")"#,
            "&limit=4&precedingRecordsCount=2",
            "50: Da, Gaofeng 1 | Europäische Kommission Generaldirektion Mobilität und Verkehr 1 | [Falola, Toyin 2] | \
             Fielding, Helen 1, prev Da, Gaofeng, next Fielding, Helen",
        ),
        (
            "contributors",
            r#"(name>="m" or name<"m") and contributorNameTypeId==("2e48e713-17f3-4c13-a9f8-23845bb210aa")"#,
            "&limit=4&precedingRecordsCount=2",
            "11: Freiburger Barockorchester 1 | Hydrographic Office 1 | [m 0] | MobiCom 23. 2017 Snowbird, Utah 1, \
             prev Freiburger Barockorchester, next MobiCom 23. 2017 Snowbird, Utah",
        ),
        (
            "subjects",
            r#"(value>="Deutschland" or value<"Deutschland")"#,
            "&limit=4&precedingRecordsCount=2",
            "95: Cattle--Environmental aspects--Cameroon--Bamenda Highlands 1 | Clinical medicine-Periodicals 1 | \
             [Deutschland 2] | Diary fiction 1, prev Cattle--Environmental aspects--Cameroon--Bamenda Highlands, \
             next Diary fiction",
        ),
    ] {
        let found = page_text(&library, &format!("{list}/instances"), query, more, line).await;
        wrong.note(&format!("{list} {query}{more}"), &found, expected);
    }
    wrong.assert_none();
}

#[tokio::test]
async fn the_filters_of_lists_offer_their_values() {
    let library = library_with_samples().await;
    for (path, query, facet, expected) in [
        // Titles with items that have a call number, of any type or one.
        (
            "instances",
            r#"(items.effectiveShelvingOrder="" NOT items.effectiveShelvingOrder=="")"#,
            "items.effectiveLocationId",
            vec![11, 3, 1],
        ),
        (
            "instances",
            r#"(callNumberType="lc" and items.effectiveShelvingOrder="" NOT items.effectiveShelvingOrder=="")"#,
            "items.effectiveLocationId",
            vec![1],
        ),
        // Lines of the list of contributors: persons, corporations, meetings, and a type that the library does not have.
        ("contributors", "(cql.allRecords=1)", "contributorNameTypeId", vec![33, 11, 4, 2]),
    ] {
        let path = format!("/search/{path}/facets?facet={facet}:6&query={}", encode(query));
        let found = library.get(&path).await.expect(200).json()["facets"][facet]["values"].clone();
        let counts: Vec<u64> = found
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|value| value["totalRecords"].as_u64())
            .collect();
        assert_eq!(counts, expected, "{query}");
    }
}
