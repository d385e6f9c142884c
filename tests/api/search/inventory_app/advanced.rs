//! The advanced search: each option with each way to match (ui-inventory `src/constants.js`), and rows joined by `and`, `or` and `not`.

use super::{Differences, app_query, fill_query, library_with_samples, titles};

/// The queries of *exact phrase*, *contains all*, *starts with* and *contains any*; `F` stands for the field.
type MatchingQueries = [&'static str; 4];

const WORDS: MatchingQueries = [r#"F=="{}""#, r#"F all "{}""#, r#"F all "{}*""#, r#"F any "{}""#];
const VALUES: MatchingQueries = [r#"F=="{}""#, r#"F="*{}*""#, r#"F="{}*""#, r#"F any "*{}*""#];
const EXACT_VALUES: MatchingQueries = [r#"F=="{}""#, r#"F=="*{}*""#, r#"F=="{}*""#, r#"F any "*{}*""#];
const SUBJECTS: MatchingQueries = [r#"F=="{}""#, r#"F all "{}""#, r#"F=="{}*""#, r#"F any "{}""#];
const SHELVING_ORDERS: MatchingQueries = [r#"F=="{}""#, r#"F="*{}*""#, r#"F=="{}*""#, r#"F any "*{}*""#];
const AUTHORITIES: MatchingQueries = ["F == {}", r#"F=="*{}*""#, r#"F=="{}*""#, r#"F any "*{}*""#];

const MBAH: &str = "Dissent, protest and | Environment and identity";
const VOLUME: &str = "Elpannan och dess | Metod att beräkna | Rapport från inspektionsresa";
const BOUND: &str = "Rapport från inspektionsresa";
const MAGAZINES: &str = "Magazine - Q1 | Magazine - Q2 | Magazine - Q3 | Magazine - Q4";

/// The expected titles for a text in the middle of a value: two of the four ways find it.
const fn found_within_value(titles: &str) -> [&str; 4] {
    ["", titles, "", titles]
}

#[tokio::test]
async fn each_option_of_the_advanced_search_matches_in_four_ways() {
    let library = library_with_samples().await;
    let mut wrong = Differences::default();
    for (fields, ways, typed, expected) in [
        // Instances.
        (
            &["keyword"][..],
            WORDS,
            "american journal",
            [
                "The American Journal",
                "American Bar Association | The American Journal",
                "",
                "ABA Journal | American Bar Association | The American Journal",
            ],
        ),
        (&["contributors.name"], VALUES, "mbah, emmanuel", [MBAH; 4]),
        (&["contributors.name"], VALUES, "emmanuel", [MBAH, MBAH, "", MBAH]),
        (&["title"], WORDS, "web semantic", found_within_value("A semantic web")),
        (&["title"], WORDS, "semantic web", ["A semantic web"; 4]),
        (&["isbn"], VALUES, "84405743", found_within_value("Agile Organisation, Risiko-")),
        (&["isbn"], VALUES, "9783844057430", ["Agile Organisation, Risiko-"; 4]),
        (&["issn"], VALUES, "02-7596", found_within_value("American Bar Association")),
        (&["lccn"], VALUES, "9002", found_within_value("The American Journal")),
        (&["identifiers.value"], VALUES, "OCoLC)98", found_within_value("Global Africa")),
        (&["oclc"], VALUES, "5575", found_within_value("Elpannan och dess")),
        (
            &["notes.note", "administrativeNotes"],
            WORDS,
            "references index",
            [
                "",
                "Poverty reduction strategies | A semantic web",
                "",
                "Poverty reduction strategies | A semantic web | The American Journal",
            ],
        ),
        (
            &["administrativeNotes"],
            WORDS,
            "map room",
            ["Charts of the", "Charts of the", "", "Charts of the"],
        ),
        (
            &["subjects.value"],
            SUBJECTS,
            "social conditions",
            [
                "Dissent, protest and",
                "Dissent, protest and",
                "",
                "Dissent, protest and | Poverty reduction strategies",
            ],
        ),
        (&["itemEffectiveShelvingOrder"], SHELVING_ORDERS, "41801", found_within_value("Charts of the")),
        (&["hrid"], EXACT_VALUES, "nst0002", found_within_value("Metod att beräkna")),
        (&["id"], VALUES, "2b7c-4f41", found_within_value("Charts of the")),
        (&["authorityId"], AUTHORITIES, "2b7c-4f41", found_within_value("Charts of the")),
        // Holdings.
        (&["holdingsFullCallNumbers"], VALUES, "1958", found_within_value(VOLUME)),
        (&["holdingsNormalizedCallNumbers"], VALUES, "958-A", found_within_value(VOLUME)),
        (
            &["holdings.notes.note", "holdings.administrativeNotes"],
            WORDS,
            "cancelled subscription",
            found_within_value("ABA Journal"),
        ),
        (&["holdings.administrativeNotes"], WORDS, "note cataloging", found_within_value("ABA Journal")),
        (&["holdings.hrid"], EXACT_VALUES, "whol001", found_within_value(MAGAZINES)),
        (&["holdings.id"], VALUES, "2b7c-4f41-9a6e-0a6a5f3a8b02", found_within_value("Charts of the")),
        // Items.
        (&["items.barcode"], VALUES, "4837", found_within_value("ABA Journal")),
        (&["items.barcode"], VALUES, "X575181", [BOUND; 4]),
        (&["itemFullCallNumbers"], VALUES, "105.888", found_within_value("A semantic web")),
        (&["itemNormalizedCallNumbers"], VALUES, "2004 ft", found_within_value("A semantic web")),
        (
            &["item.notes.note", "item.administrativeNotes"],
            WORDS,
            "note administrative",
            found_within_value("ABA Journal"),
        ),
        (&["item.administrativeNotes"], WORDS, "note administrative", found_within_value("ABA Journal")),
        (&["item.circulationNotes.note"], WORDS, "sheets count", found_within_value("Charts of the")),
        (&["items.hrid"], VALUES, "W-ITEM", found_within_value(BOUND)),
        (&["item.id"], VALUES, "5b39-468d", found_within_value("The Girl on")),
    ] {
        for (way, expected) in ways.into_iter().zip(expected) {
            let clauses = fields.iter().map(|field| fill_query(&way.replacen('F', field, 1), typed));
            let query = clauses.collect::<Vec<_>>().join(" or ");
            wrong.note(&query, &titles(&library, &app_query(&query)).await, expected);
        }
    }
    wrong.assert_none();
}

#[tokio::test]
async fn rows_of_the_advanced_search_are_joined_from_left_to_right() {
    let library = library_with_samples().await;
    let mut wrong = Differences::default();
    for (query, expected) in [
        (
            r#"keyword all "africa" not contributors.name="*mbah*""#,
            "Global Africa | Poverty reduction strategies",
        ),
        (r#"title all "journal" and issn="0002*""#, "American Bar Association | The American Journal"),
        (r#"title all "nod" or title all "temeraire" and isbn="978144*""#, "Temeraire"),
        (
            r#"itemFullCallNumbers="*callnumber*" or items.barcode=="10101""#,
            "Nod | A semantic web | Temeraire",
        ),
    ] {
        wrong.note(query, &titles(&library, &app_query(query)).await, expected);
    }
    wrong.assert_none();
}
