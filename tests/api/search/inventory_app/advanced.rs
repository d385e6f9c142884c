//! The advanced search: each option with each way to match (ui-inventory `src/constants.js`), and rows joined by `and`, `or` and `not`.

use super::{Differences, asked, inventory, searched, titles};

/// The queries of *exact phrase*, *contains all*, *starts with* and *contains any*; `F` stands for the field.
type Ways = [&'static str; 4];

const WORDS: Ways = [r#"F=="{}""#, r#"F all "{}""#, r#"F all "{}*""#, r#"F any "{}""#];
const VALUES: Ways = [r#"F=="{}""#, r#"F="*{}*""#, r#"F="{}*""#, r#"F any "*{}*""#];
const EXACT_VALUES: Ways = [r#"F=="{}""#, r#"F=="*{}*""#, r#"F=="{}*""#, r#"F any "*{}*""#];
const SUBJECTS: Ways = [r#"F=="{}""#, r#"F all "{}""#, r#"F=="{}*""#, r#"F any "{}""#];
const SHELVING_ORDERS: Ways = [r#"F=="{}""#, r#"F="*{}*""#, r#"F=="{}*""#, r#"F any "*{}*""#];
const AUTHORITIES: Ways = ["F == {}", r#"F=="*{}*""#, r#"F=="{}*""#, r#"F any "*{}*""#];

const MBAH: &str = "Dissent, protest and | Environment and identity";
const VOLUME: &str = "Elpannan och dess | Metod att beräkna | Rapport från inspektionsresa";
const BOUND: &str = "Rapport från inspektionsresa";
const MAGAZINES: &str = "Magazine - Q1 | Magazine - Q2 | Magazine - Q3 | Magazine - Q4";

/// What stands somewhere within a value: two of the four ways find it.
const fn within(titles: &str) -> [&str; 4] {
    ["", titles, "", titles]
}

#[tokio::test]
async fn each_option_of_the_advanced_search_matches_in_four_ways() {
    let library = inventory().await;
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
        (&["title"], WORDS, "web semantic", within("A semantic web")),
        (&["title"], WORDS, "semantic web", ["A semantic web"; 4]),
        (&["isbn"], VALUES, "84405743", within("Agile Organisation, Risiko-")),
        (&["isbn"], VALUES, "9783844057430", ["Agile Organisation, Risiko-"; 4]),
        (&["issn"], VALUES, "02-7596", within("American Bar Association")),
        (&["lccn"], VALUES, "9002", within("The American Journal")),
        (&["identifiers.value"], VALUES, "OCoLC)98", within("Global Africa")),
        (&["oclc"], VALUES, "5575", within("Elpannan och dess")),
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
        (&["itemEffectiveShelvingOrder"], SHELVING_ORDERS, "41801", within("Charts of the")),
        (&["hrid"], EXACT_VALUES, "nst0002", within("Metod att beräkna")),
        (&["id"], VALUES, "2b7c-4f41", within("Charts of the")),
        (&["authorityId"], AUTHORITIES, "2b7c-4f41", within("Charts of the")),
        // Holdings.
        (&["holdingsFullCallNumbers"], VALUES, "1958", within(VOLUME)),
        (&["holdingsNormalizedCallNumbers"], VALUES, "958-A", within(VOLUME)),
        (
            &["holdings.notes.note", "holdings.administrativeNotes"],
            WORDS,
            "cancelled subscription",
            within("ABA Journal"),
        ),
        (&["holdings.administrativeNotes"], WORDS, "note cataloging", within("ABA Journal")),
        (&["holdings.hrid"], EXACT_VALUES, "whol001", within(MAGAZINES)),
        (&["holdings.id"], VALUES, "2b7c-4f41-9a6e-0a6a5f3a8b02", within("Charts of the")),
        // Items.
        (&["items.barcode"], VALUES, "4837", within("ABA Journal")),
        (&["items.barcode"], VALUES, "X575181", [BOUND; 4]),
        (&["itemFullCallNumbers"], VALUES, "105.888", within("A semantic web")),
        (&["itemNormalizedCallNumbers"], VALUES, "2004 ft", within("A semantic web")),
        (
            &["item.notes.note", "item.administrativeNotes"],
            WORDS,
            "note administrative",
            within("ABA Journal"),
        ),
        (&["item.administrativeNotes"], WORDS, "note administrative", within("ABA Journal")),
        (&["item.circulationNotes.note"], WORDS, "sheets count", within("Charts of the")),
        (&["items.hrid"], VALUES, "W-ITEM", within(BOUND)),
        (&["item.id"], VALUES, "5b39-468d", within("The Girl on")),
    ] {
        for (way, expected) in ways.into_iter().zip(expected) {
            let clauses = fields.iter().map(|field| asked(&way.replacen('F', field, 1), typed));
            let query = clauses.collect::<Vec<_>>().join(" or ");
            wrong.note(&query, &titles(&library, &searched(&query)).await, expected);
        }
    }
    wrong.none();
}

#[tokio::test]
async fn rows_of_the_advanced_search_are_joined_from_left_to_right() {
    let library = inventory().await;
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
        wrong.note(query, &titles(&library, &searched(query)).await, expected);
    }
    wrong.none();
}
