//! What FOLIO's MARC authority app asks at Quesnelia (stripes-authority-components v4.0.2): its search options, filters and lists.

use octavo_testkit::{Client, Library, encode};
use serde_json::{Value, json};

use super::browse::page_text;

const LCNAF: &str = "af045f2f-e851-4613-984c-4bc13430454a";
const LCCN: &str = "c858e4f2-2b6b-4385-842b-60732ee14abb";

/// An authority of each kind of heading, with headings that see it and see it also.
async fn library_with_authorities() -> Library {
    let library = Library::with_samples().await;
    for (natural, code, heading) in [
        (
            "n79021164",
            "a",
            json!({
                "personalName": "Twain, Mark, 1835-1910", "sftPersonalName": ["Clemens, Samuel Langhorne"],
                "saftPersonalName": ["Snodgrass, Quintus Curtius"], "sourceFileId": LCNAF,
                "identifiers": [{"value": "n  79021164", "identifierTypeId": LCCN}],
            }),
        ),
        ("n2", "b", json!({"personalNameTitle": "Twain, Mark, 1835-1910. Tom Sawyer"})),
        (
            "n3",
            "a",
            json!({"corporateName": "Hydrographic Office", "sftCorporateName": ["Admiralty. Hydrographic Department"]}),
        ),
        ("n4", "a", json!({"corporateNameTitle": "Hydrographic Office. Admiralty manual"})),
        (
            "n5",
            "a",
            json!({"meetingName": "Congress of Vienna", "saftMeetingName": ["Congress of Aix-la-Chapelle"]}),
        ),
        ("n6", "a", json!({"meetingNameTitle": "Congress of Vienna. Final act"})),
        ("n7", "a", json!({"geographicName": "North Sea", "sftGeographicName": ["German Ocean"]})),
        ("n8", "a", json!({"uniformTitle": "Beowulf", "sftUniformTitle": ["Beowulf (Anglo-Saxon poem)"]})),
        ("sj1", "b", json!({"topicalTerm": "Humor", "sftTopicalTerm": ["Wit"]})),
        ("gf1", "a", json!({"genreTerm": "Sea charts", "sftGenreTerm": ["Nautical charts"]})),
    ] {
        let mut record = json!({"source": "MARC", "naturalId": natural, "subjectHeadings": code});
        record.as_object_mut().unwrap().extend(heading.as_object().cloned().unwrap_or_default());
        library.post("/authority-storage/authorities", &record).await.expect(201);
    }
    library
}

/// The headings that a query finds, in the order of the answer.
async fn headings(client: &Client, query: &str) -> String {
    let query = format!("{query} sortBy headingRef/sort.ascending");
    let reply = client
        .get(&format!("/search/authorities?limit=100&offset=0&query={}", encode(&query)))
        .await
        .expect(200);
    reply.field_values("authorities", "headingRef").join(" | ")
}

/// The fields of a kind of heading, the authority's own, those that see it and those that see it also, joined by `or`.
fn heading_query(names: &[&str], comparison: &str) -> String {
    let clauses = names.iter().flat_map(|name| {
        let capital = format!("{}{}", name[..1].to_uppercase(), &name[1..]);
        [(*name).to_owned(), format!("sft{capital}"), format!("saft{capital}")]
    });
    let clauses: Vec<String> = clauses.map(|name| format!("{name}{comparison}")).collect();
    format!("({})", clauses.join(" or "))
}

#[tokio::test]
async fn each_search_option_finds_its_kind_of_heading() {
    let library = library_with_authorities().await;
    let mut wrong = Vec::new();
    for (option, typed, expected) in [
        ("keyword", "twain, mark", "Twain, Mark, 1835-1910 | Twain, Mark, 1835-1910. Tom Sawyer"),
        ("keyword", "n5", "Congress of Aix-la-Chapelle | Congress of Vienna"),
        ("identifier", "n3", "Hydrographic Office"),
        ("identifier", "n  79021164", "Twain, Mark, 1835-1910"),
        (
            "lccn",
            "n79021164",
            "Clemens, Samuel Langhorne | Snodgrass, Quintus Curtius | Twain, Mark, 1835-1910",
        ),
        ("person", "samuel langhorne", "Clemens, Samuel Langhorne"),
        ("person", "twain", "Twain, Mark, 1835-1910"),
        ("corporate", "hydrographic", "Admiralty. Hydrographic Department | Hydrographic Office"),
        ("corporate", "congress", "Congress of Aix-la-Chapelle | Congress of Vienna"),
        ("geographic", "sea", "North Sea"),
        ("geographic", "german ocean", "German Ocean"),
        ("name and title", "twain", "Twain, Mark, 1835-1910. Tom Sawyer"),
        ("name and title", "congress", "Congress of Vienna. Final act"),
        ("name and title", "office", "Hydrographic Office. Admiralty manual"),
        ("uniform title", "beowulf", "Beowulf | Beowulf (Anglo-Saxon poem)"),
        ("subject", "wit", "Wit"),
        ("children's subject", "humor", "Humor"),
        ("children's subject", "north sea", ""),
        ("genre", "charts", "Nautical charts | Sea charts"),
        ("genre", "sea", "Sea charts"),
    ] {
        let is = format!("==\"{typed}\"");
        let query = match option {
            "keyword" => format!("(keyword{is} or naturalId=\"{typed}\")"),
            "identifier" => {
                format!("((identifiers.value{is} or naturalId=\"{typed}\") and authRefType==\"Authorized\")")
            }
            "lccn" => format!("lccn=\"{typed}\""),
            "person" => heading_query(&["personalName"], &is),
            "corporate" => heading_query(&["corporateName", "meetingName"], &is),
            "geographic" => heading_query(&["geographicName"], &is),
            "name and title" => {
                heading_query(&["personalNameTitle", "corporateNameTitle", "meetingNameTitle"], &is)
            }
            "uniform title" => heading_query(&["uniformTitle"], &is),
            "subject" => heading_query(&["topicalTerm"], &is),
            "children's subject" => {
                format!("((keyword{is} or naturalId=\"{typed}\") and subjectHeadings==\"b\")")
            }
            _ => heading_query(&["genreTerm"], &is),
        };
        let found = headings(&library, &query).await;
        if found != expected {
            wrong.push(format!("{option}: {query}\n  finds    {found}\n  expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn each_filter_offers_headings_and_finds_as_many_as_it_says() {
    let library = library_with_authorities().await;
    for (facet, expected) in [
        (
            "headingType",
            "Corporate Name 3, Personal Name 4, Conference Name 3, Genre 2, Geographic Name 2, Topical 2, Uniform Title 2",
        ),
        ("subjectHeadings", "a 15, b 3"),
        ("sourceFileId", &format!("NULL 15, {LCNAF} 3")),
        ("shared", "false 18"),
    ] {
        let path = format!("/search/authorities/facets?facet={facet}&query={}", encode("id=*"));
        let values = library.get(&path).await.expect(200).json()["facets"][facet]["values"].clone();
        let mut offered = Vec::new();
        for value in values.as_array().into_iter().flatten() {
            let id = value["id"].as_str().unwrap_or_default();
            let query = format!("({facet}==(\"{id}\"))");
            let found = headings(&library, &query).await.split(" | ").count();
            assert_eq!(Some(found as u64), value["totalRecords"].as_u64(), "{query}");
            offered.push(format!("{id} {found}"));
        }
        let mut expected: Vec<&str> = expected.split(", ").collect();
        offered.sort();
        expected.sort_unstable();
        assert_eq!(offered, expected, "{facet}");
    }
    let typed = heading_query(&["personalName"], "==\"*\"");
    for (references, expected) in [
        (r#"(authRefType==("Authorized" or "Reference" or "Auth/Ref"))"#, 3),
        (r#"(authRefType==("Authorized" or "Auth/Ref"))"#, 2),
        (r#"(authRefType==("Authorized" or "Reference"))"#, 2),
    ] {
        let found = headings(&library, &format!("{typed} and {references}")).await;
        assert_eq!(found.split(" | ").count(), expected, "{references}: {found}");
    }
}

#[tokio::test]
async fn each_list_is_opened_around_what_was_typed() {
    let library = library_with_authorities().await;
    let line = |line: &Value| line["headingRef"].as_str().unwrap_or_default().to_owned();
    for (typed, is_title, kinds, expected) in [
        (
            "twain, mark, 1835-1910",
            false,
            r#""Personal Name""#,
            "2: Clemens, Samuel Langhorne | [Twain, Mark, 1835-1910]",
        ),
        (
            "d",
            false,
            r#""Conference Name" or "Corporate Name""#,
            "3: Admiralty. Hydrographic Department | Congress of Vienna | [d] | Hydrographic Office",
        ),
        ("north sea", false, r#""Geographic Name""#, "2: German Ocean | [North Sea]"),
        (
            "hydrographic office. admiralty manual",
            true,
            r#""Conference Name" or "Corporate Name" or "Personal Name""#,
            "3: Congress of Vienna. Final act | [Hydrographic Office. Admiralty manual] | Twain, Mark, 1835-1910. Tom Sawyer",
        ),
        ("beowulf", false, r#""Uniform Title""#, "2: [Beowulf] | Beowulf (Anglo-Saxon poem)"),
        ("humor", false, r#""Topical""#, "2: [Humor] | Wit"),
        ("p", false, r#""Genre""#, "2: Nautical charts | [p] | Sea charts"),
    ] {
        let query = format!(
            "(headingRef>=\"{typed}\" or headingRef<\"{typed}\") and isTitleHeadingRef=={is_title} and headingType==({kinds})"
        );
        let found =
            page_text(&library, "authorities", &query, "&limit=100&precedingRecordsCount=5", line).await;
        let lines = found.split(", prev").next().unwrap_or_default();
        assert_eq!(lines, expected, "{query}");
    }
}
