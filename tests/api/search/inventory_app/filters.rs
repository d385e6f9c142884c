//! The filters of the three segments: what each offers with its number of titles, and that many titles are found by it.

use std::collections::BTreeMap;

use octavo_testkit::{Library, encode};
use serde_json::Value;

use super::{Differences, app_query, library_with_samples, titles};

/// A field that the app filters by, where the names of its values are (path, collection), and what it offers.
type Filter<'a> = (&'a str, Option<(&'a str, &'a str)>, &'a str);

const LOCATIONS: Option<(&str, &str)> = Some(("/locations", "locations"));
const STATISTICAL_CODES: Option<(&str, &str)> = Some(("/statistical-codes", "statisticalCodes"));

const INSTANCES: &[Filter<'_>] = &[
    ("items.effectiveLocationId", LOCATIONS, "Main Library 11, Annex 3, SECOND FLOOR 1"),
    ("languages", None, "eng 18, ger 6, swe 3, ang 1, dut 1, fre 1, ita 1, lat 1, por 1, spa 1, und 1"),
    (
        "instanceTypeId",
        Some(("/instance-types", "instanceTypes")),
        "text 31, performed music 2, computer program 1, other 1, three-dimensional form 1, two-dimensional moving image 1",
    ),
    (
        "instanceFormatIds",
        Some(("/instance-formats", "instanceFormats")),
        "audio -- audio disc 1, computer -- online resource 1, volume nc rdacarrier 1",
    ),
    ("modeOfIssuanceId", Some(("/modes-of-issuance", "issuanceModes")), "single unit 4"),
    (
        "natureOfContentTermIds",
        Some(("/nature-of-content-terms", "natureOfContentTerms")),
        "journal 2, textbook 1",
    ),
    ("staffSuppress", None, "false 36, true 1"),
    ("discoverySuppress", None, "false 36, true 1"),
    ("source", None, "FOLIO 36, MARC 1"),
    ("statusId", Some(("/instance-statuses", "instanceStatuses")), "Cataloged 4"),
    ("instanceTags", None, "maps 1"),
    ("statisticalCodeIds", STATISTICAL_CODES, "Book, print (books) 1"),
    ("shared", None, "false 37"),
    ("holdings.tenantId", None, ""),
];

const HOLDINGS: &[Filter<'_>] = &[
    (
        "holdings.permanentLocationId",
        LOCATIONS,
        "Main Library 14, Annex 3, SECOND FLOOR 2, Popular Reading Collection 1",
    ),
    ("holdings.holdingsTypeId", Some(("/holdings-types", "holdingsTypes")), "Physical 3, Monograph 2"),
    ("holdings.discoverySuppress", None, "false 17, true 1"),
    ("holdings.statisticalCodeIds", STATISTICAL_CODES, "Book, print (books) 1, Serials, print (serials) 1"),
    ("holdings.sourceId", Some(("/holdings-sources", "holdingsRecordsSources")), "FOLIO 8"),
    ("holdingsTags", None, "atlas 1"),
];

const ITEMS: &[Filter<'_>] = &[
    ("items.status.name", None, "Available 12, Checked out 3"),
    ("items.materialTypeId", Some(("/material-types", "mtypes")), "book 7, text 6, dvd 1"),
    // A title counts with each of its items: one has an item that is suppressed and others that are not.
    ("items.discoverySuppress", None, "false 14, true 1"),
    ("items.statisticalCodeIds", STATISTICAL_CODES, "Book, print (books) 1, Serials, print (serials) 1"),
    ("itemTags", None, "fragile 1, important 1"),
];

/// The names of values by their ids.
async fn names_by_id(library: &Library, of: Option<(&str, &str)>) -> BTreeMap<String, String> {
    let Some((path, collection)) = of else { return BTreeMap::new() };
    let reply = library.get(&format!("{path}?limit=1000")).await.expect(200);
    reply.field_values(collection, "id").into_iter().zip(reply.field_values(collection, "name")).collect()
}

#[tokio::test]
async fn each_filter_offers_its_values_and_finds_as_many_titles_as_it_says() {
    let library = library_with_samples().await;
    let mut wrong = Differences::default();
    for (field, of, expected) in INSTANCES.iter().chain(HOLDINGS).chain(ITEMS) {
        let names = names_by_id(&library, *of).await;
        // The query that the app sends while nothing is asked for.
        let path = format!("/search/instances/facets?facet={field}&query={}", encode("id = *"));
        let values = library.get(&path).await.expect(200).json()["facets"][field]["values"].clone();
        let mut offered = Vec::new();
        for value in values.as_array().into_iter().flatten() {
            let (id, count) =
                (value["id"].as_str().unwrap_or_default(), value["totalRecords"].as_u64().unwrap_or(0));
            let query = format!("({field}==\"{id}\") sortby title");
            let path = format!("/search/instances?limit=1&query={}", encode(&query));
            let found = library.get(&path).await.expect(200).total();
            wrong.note(&query, &found.to_string(), &count.to_string());
            offered.push((std::cmp::Reverse(count), names.get(id).map_or(id, String::as_str).to_owned()));
        }
        offered.sort();
        let offered: Vec<String> =
            offered.iter().map(|(count, name)| format!("{name} {}", count.0)).collect();
        wrong.note(field, &offered.join(", "), expected);
    }
    wrong.assert_none();
}

#[tokio::test]
async fn filters_are_combined_with_each_other_and_with_what_was_typed() {
    let library = library_with_samples().await;
    let mut wrong = Differences::default();
    for (query, expected) in [
        // Two values of one filter, one of another.
        (
            r#"languages==("ger" or "swe") and instanceTypeId=="6312d172-f0cf-40f6-b27d-9fa8feaf332f""#,
            "Agile Organisation, Risiko- | Elpannan och dess | Metod att beräkna | Organisations- und Prozessentwicklung | \
             Rapport från inspektionsresa | Umsetzung der DIN",
        ),
        (r#"(contributors.name="augustin") and languages=="eng""#, ""),
        (
            r#"(title all "journal") and items.status.name==("Checked out" or "Available")"#,
            "ABA Journal | The American Journal",
        ),
        (
            r#"items.status.name=="Checked out" and items.materialTypeId=="1a54b431-2e4f-452d-9cae-9cee66c9a892""#,
            "Interesting Times | Nod",
        ),
        // Two filters that the app sets itself when somebody goes from a list to the titles.
        (
            r#"contributors.contributorNameTypeId=="e8b311a6-3b21-43f2-a269-dd9310cb2d0a""#,
            "MobiCom'17 5 mmNets'17, | The Girl on",
        ),
        (r#"authorityId=="5f0b6a0e-2b7c-4f41-9a6e-0a6a5f3a8b03""#, "Charts of the"),
    ] {
        let query = query.to_owned();
        wrong.note(&query, &titles(&library, &app_query(&query)).await, expected);
    }
    wrong.note(
        "suppressed",
        &titles(&library, r#"(staffSuppress=="true") sortby title"#).await,
        "Bridget Jones's Baby:",
    );
    wrong.assert_none();
    // While something is typed and a value is chosen, all values of the chosen filter are offered.
    let chosen = app_query(
        r#"(title all "journal") and items.effectiveLocationId==("53cf956f-c1df-410b-8bea-27f712cca7c0" or "fcd64ce1-6995-48f0-840e-89ffa2288371")"#,
    );
    let path = format!(
        "/search/instances/facets?facet=items.effectiveLocationId,languages:6&query={}",
        encode(&chosen)
    );
    let facets: Value = library.get(&path).await.expect(200).json()["facets"].clone();
    assert_eq!(facets["items.effectiveLocationId"]["values"][0]["totalRecords"], 2, "{facets}");
    assert_eq!(facets["languages"]["values"][0]["id"], "eng", "{facets}");
}

#[tokio::test]
async fn records_are_found_by_the_days_on_which_they_were_created_and_updated() {
    let library = library_with_samples().await;
    let day = |hours: i64| {
        let then = library.octavo.now() + jiff::SignedDuration::from_hours(hours);
        then.strftime("%Y-%m-%dT%H:%M:%S%.3f").to_string()
    };
    for (record, count) in [("", 37), ("holdings.", 18), ("items.", 14)] {
        for date in ["createdDate", "updatedDate"] {
            let field = format!("{record}metadata.{date}");
            // The app sends instants of universal time without a zone.
            for (from, to, expected) in [(-24, 24, count), (-72, -48, 0), (48, 72, 0)] {
                let query = format!("({field}>=\"{}\" and {field}<=\"{}\") sortby title", day(from), day(to));
                let path = format!("/search/instances?limit=1&query={}", encode(&query));
                assert_eq!(library.get(&path).await.expect(200).total(), expected, "{query}");
            }
        }
    }
}
