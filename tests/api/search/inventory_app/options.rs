//! Each search option of the three segments (ui-inventory `src/filterConfig.js`).

use octavo_testkit::encode;

use super::{
    CHARTS, CHARTS_HOLDINGS, Differences, OFFICE, app_query, fill_query, library_with_samples, titles,
};

/// An option's name and query, and what is typed with the titles that it should find.
type SearchOption<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);

const AFRICA: &str =
    "Dissent, protest and | Environment and identity | Global Africa | Poverty reduction strategies";
const DIN: &str = "Agile Organisation, Risiko- | Organisations- und Prozessentwicklung";
const MAGAZINES: &str = "Magazine - Q1 | Magazine - Q2 | Magazine - Q3 | Magazine - Q4";
const VOLUME: &str = "Elpannan och dess | Metod att beräkna | Rapport från inspektionsresa";

const ISBN: SearchOption<'_> = (
    "ISBN",
    r#"isbn="{}""#,
    &[
        ("9780552142352", "Interesting Times"),
        ("0552142352", "Interesting Times"),
        ("0-552-14235-2", "Interesting Times"),
        ("978384405743*", "Agile Organisation, Risiko-"),
        ("0747-0088", ""),
    ],
);
const ISSN: SearchOption<'_> = (
    "ISSN",
    r#"issn="{}""#,
    &[
        ("0002-7596", "American Bar Association"),
        ("0002-75*", "American Bar Association"),
        ("9780552142352", ""),
    ],
);
const QUERY_SEARCH: SearchOption<'_> = (
    "Query search",
    "{}",
    &[
        (
            r#"contributors.name="Mbah*" or title all "web primer""#,
            "Dissent, protest and | Environment and identity | A semantic web",
        ),
        (r#"items.barcode=="10101" and holdings.hrid=="hold000000000009""#, "A semantic web"),
    ],
);

const INSTANCES: &[SearchOption<'_>] = &[
    (
        "All",
        r#"keyword all "{}" or isbn="{}" or hrid=="{}" or id=="{}""#,
        &[
            ("africa", AFRICA),
            ("falola global", "Dissent, protest and | Poverty reduction strategies"),
            ("0-552-14235-2", "Interesting Times"),
            ("inst000000000012", "The Girl on"),
            ("69640328-788e-43fc-9c3c-af39e243f3b7", "ABA Journal"),
            // Subjects are not searched, and what is suppressed for staff is left out.
            ("deutschland", ""),
            ("bridget", ""),
            (r#"Charts "of the" North"#, "Charts of the"),
        ],
    ),
    (
        "Contributor",
        r#"contributors.name="{}""#,
        &[
            ("mbah", "Dissent, protest and | Environment and identity"),
            (
                "Harald Augustin",
                "Agile Organisation, Risiko- | Organisations- und Prozessentwicklung | Umsetzung der DIN",
            ),
            ("Mbah, Em*", "Dissent, protest and | Environment and identity"),
            ("africa", ""),
        ],
    ),
    (
        "Title (all)",
        r#"title all "{}""#,
        &[
            ("global africa", AFRICA),
            ("green journal", "The American Journal"),
            ("elpannan forutsattningar", "Elpannan och dess"),
            ("journal", "ABA Journal | American Bar Association | The American Journal"),
            ("novik", ""),
        ],
    ),
    (
        "Identifier (all)",
        r#"identifiers.value="{}" or isbn="{}""#,
        &[
            ("AJMEAZ", "The American Journal"),
            ("(OCoLC)981117973", "Global Africa"),
            ("0-262-01210-3", "A semantic web"),
            ("bw", MAGAZINES),
            ("981117973", ""),
        ],
    ),
    ISBN,
    ISSN,
    (
        "LCCN, normalized",
        r#"lccn="{}""#,
        &[
            ("84641839", "ABA Journal"),
            ("med 49002270", "The American Journal"),
            ("49002270", "The American Journal"),
            ("0747-0088", ""),
        ],
    ),
    (
        "OCLC number, normalized",
        r#"oclc="{}""#,
        // A number that stands only as a system control number is no OCLC number.
        &[("836918598", "Metod att beräkna"), ("ocn836918598", "Metod att beräkna"), ("981117973", "")],
    ),
    (
        "Instance notes (all)",
        r#"notes.note all "{}" or administrativeNotes all "{}""#,
        &[
            ("bibliographical references", "Poverty reduction strategies | A semantic web"),
            ("enthalt", "Futures, biometrics and | Poverty reduction strategies"),
            ("map room", "Charts of the"),
            ("africa edited", ""),
        ],
    ),
    (
        "Instance administrative notes",
        r#"administrativeNotes all "{}""#,
        &[("map room", "Charts of the"), ("bibliographical", "")],
    ),
    (
        "Subject",
        r#"subjects.value==/string "{}""#,
        &[
            ("Deutschland", DIN),
            ("africa--social conditions--20th century", "Dissent, protest and"),
            ("Africa", ""),
        ],
    ),
    (
        "Effective call number (item), shelving order",
        r#"itemEffectiveShelvingOrder==/string "{}""#,
        // In capitals, as lists show it, and as the item has it.
        &[
            ("G 41801 C5 VOL. 2", "Charts of the"),
            ("G 41801 C5 vol. 2", "Charts of the"),
            ("SOME-CALLNUMBER", "Nod | Temeraire"),
            ("G 41801 C5", ""),
        ],
    ),
    ("Instance HRID", r#"hrid=="{}""#, &[("bwinst0002", "Metod att beräkna"), ("bwinst", "")]),
    ("Instance UUID", r#"id="{}""#, &[(CHARTS, "Charts of the"), (CHARTS_HOLDINGS, "")]),
    ("Authority UUID", "authorityId == {}", &[(OFFICE, "Charts of the"), (CHARTS, "")]),
    QUERY_SEARCH,
];

const HOLDINGS: &[SearchOption<'_>] = &[
    (
        "Keyword (title, contributor, identifier, HRID, UUID)",
        r#"keyword all "{}" or isbn="{}" or holdings.hrid=="{}" or holdings.id=="{}""#,
        &[
            ("africa", AFRICA),
            ("hold000000000007", "Interesting Times"),
            ("e6d7e91a-4dbc-4a70-9b38-e000d2fbdc79", "Temeraire"),
            ("inst000000000012", ""),
        ],
    ),
    ISBN,
    ISSN,
    (
        "Call number, eye readable",
        r#"holdingsFullCallNumbers="{}""#,
        &[
            ("K1 .M44", "ABA Journal"),
            ("some-callnumber", "Nod | Temeraire"),
            ("A 1958 A 8050", VOLUME),
            ("Folio G1801 .C5 vol. 2", "Charts of the"),
            ("Holdings magazine*", MAGAZINES),
            ("K1M44", ""),
        ],
    ),
    (
        "Call number, normalized",
        r#"holdingsNormalizedCallNumbers="{}""#,
        &[
            ("k1m44", "ABA Journal"),
            ("A1958 A-8050", VOLUME),
            ("G1801C5", "Charts of the"),
            ("foliog1801", "Charts of the"),
            ("1801", ""),
        ],
    ),
    (
        "Holdings notes (all)",
        r#"holdings.notes.note all "{}" or holdings.administrativeNotes all "{}""#,
        &[
            ("subscription cancelled", "ABA Journal"),
            ("cataloging note", "ABA Journal"),
            ("cloth", "Charts of the"),
            ("map room", ""),
        ],
    ),
    (
        "Holdings administrative notes",
        r#"holdings.administrativeNotes all "{}""#,
        &[("cataloging", "ABA Journal"), ("subscription", "")],
    ),
    ("Holdings HRID", r#"holdings.hrid=="{}""#, &[("bwhol0012", "Magazine - Q3"), ("bwinst0002", "")]),
    ("Holdings UUID", r#"holdings.id=="{}""#, &[(CHARTS_HOLDINGS, "Charts of the"), (CHARTS, "")]),
    QUERY_SEARCH,
];

const ITEMS: &[SearchOption<'_>] = &[
    (
        "Keyword (title, contributor, identifier, HRID, UUID)",
        r#"keyword all "{}" or isbn="{}" or item.hrid=="{}" or item.id=="{}""#,
        &[
            ("africa", AFRICA),
            ("item000000000007", "The American Journal"),
            ("100d10bf-2f06-4aa0-be15-0b95b2d9f9e3", "A semantic web"),
            ("hold000000000007", ""),
        ],
    ),
    (
        "Barcode",
        r#"items.barcode=="{}""#,
        // A volume of three titles is an item of one of them; a barcode that others begin with is another.
        &[
            ("X575181", "Rapport från inspektionsresa"),
            ("453987605438", ""),
            ("A148*", "ABA Journal"),
            ("12", "Rapport från inspektionsresa"),
        ],
    ),
    ISBN,
    ISSN,
    (
        "Effective call number (item), eye readable",
        r#"itemFullCallNumbers="{}""#,
        &[
            ("R11.A38", "The American Journal"),
            ("some-callnumber", "Nod | Temeraire"),
            ("Folio WA 900 C5 vol. 2", "Charts of the"),
            ("TK5105*", "A semantic web"),
            ("M1366.S67 T73 2017", ""),
        ],
    ),
    (
        "Effective call number (item), normalized",
        r#"itemNormalizedCallNumbers="{}""#,
        &[
            ("r11a38", "The American Journal"),
            ("5269", "Charts of the"),
            ("folio5269CHA", "Charts of the"),
            ("1801", ""),
        ],
    ),
    (
        "Item notes (all)",
        r#"item.notes.note all "{}" or item.administrativeNotes all "{}""#,
        // The notes of a title that is suppressed for staff are left out with it.
        &[("administrative note", "ABA Journal"), ("signed by the author", ""), ("cloth", "")],
    ),
    (
        "Item administrative notes",
        r#"item.administrativeNotes all "{}""#,
        &[("administrative", "ABA Journal"), ("sheets", "")],
    ),
    (
        "Circulation notes",
        r#"item.circulationNotes.note all "{}""#,
        &[("count sheets", "Charts of the"), ("administrative", "")],
    ),
    (
        "Item HRID",
        r#"items.hrid=="{}""#,
        &[("BW-ITEM-1", "Rapport från inspektionsresa"), ("item000000000011", "The Girl on"), ("BW-1", "")],
    ),
    (
        "Item UUID",
        r#"item.id=="{}""#,
        &[("459afaba-5b39-468d-9072-eb1685e0ddf4", "The Girl on"), (CHARTS, "")],
    ),
    QUERY_SEARCH,
];

#[tokio::test]
async fn each_search_option_finds_what_was_typed() {
    let library = library_with_samples().await;
    let mut wrong = Differences::default();
    for (segment, options) in [("instances", INSTANCES), ("holdings", HOLDINGS), ("items", ITEMS)] {
        for (option, template, tries) in options {
            for (typed, expected) in *tries {
                let asked =
                    if *option == "Query search" { (*typed).to_owned() } else { fill_query(template, typed) };
                let found = titles(&library, &app_query(&asked)).await;
                wrong.note(&format!("{segment}, {option}: {typed}"), &found, expected);
            }
        }
    }
    wrong.assert_none();
}

#[tokio::test]
async fn the_ids_of_what_was_found_are_given_for_export() {
    let library = library_with_samples().await;
    for (kind, query, expected) in [
        (
            "instances",
            r#"contributors.name="mbah""#,
            &["04489a01-f3cd-4f9e-9be4-d9c198703f45", "81825729-e824-4d52-9d15-1695e9bf1831"][..],
        ),
        // All holdings of the titles that are found, not only those of the item.
        (
            "holdings",
            r#"items.barcode=="X575181""#,
            &["13767c78-f8d0-425e-801d-cc5bd475856a", "9e8dc8ce-68f3-4e75-8479-d548ce521157"],
        ),
    ] {
        let path = format!("/search/{kind}/ids?query={}", encode(&app_query(query)));
        let mut ids = library.get(&path).await.expect(200).field_values("ids", "id");
        ids.sort_unstable();
        assert_eq!(ids, expected, "{query}");
    }
}

#[tokio::test]
async fn results_are_sorted_by_title_by_contributors_or_by_relevance() {
    let library = library_with_samples().await;
    let mut wrong = Differences::default();
    for (query, sort, expected) in [
        (r#"title all "africa""#, "sortby title", AFRICA),
        (
            r#"title all "africa""#,
            "sortby title/sort.descending",
            "Poverty reduction strategies | Global Africa | Environment and identity | Dissent, protest and",
        ),
        // Two are by the same contributor, and one is by nobody.
        (
            r#"title all "africa""#,
            "sortby contributors",
            "Poverty reduction strategies | Environment and identity | Dissent, protest and | Global Africa",
        ),
        (
            r#"contributors.name any "falola novik sosa""#,
            "sortby contributors/sort.descending",
            "Transparent water | Temeraire | Dissent, protest and | Poverty reduction strategies",
        ),
        // An index title takes the place of the title.
        (r#"title any "primer temeraire nod""#, "sortby title", "Nod | A semantic web | Temeraire"),
    ] {
        wrong.note(
            &format!("{query} {sort}"),
            &titles(&library, &format!("({query}) {sort}")).await,
            expected,
        );
    }
    wrong.assert_none();
    let by_relevance = titles(&library, r#"title all "global africa""#).await;
    assert!(by_relevance.starts_with("Global Africa | "), "the title itself comes first: {by_relevance}");
}
