//! Search, facets and browsing of authorities, each heading of which is found by itself.

use octavo_modules::search;
use octavo_testkit::{Desk, Library, encode, eventually, on_runtime};
use serde_json::{Value, json};

use super::browse::page_text;
use crate::inventory::shelf::instance;

const LCNAF: &str = "af045f2f-e851-4613-984c-4bc13430454a";
const LCCN: &str = "c858e4f2-2b6b-4385-842b-60732ee14abb";

async fn authority(desk: &Desk, record: Value) -> Value {
    desk.post("/authority-storage/authorities", &record).await.expect(201).json()
}

/// Two persons, one of them with a title, and a subject; a book by the first and about the last.
async fn library_with_authorities() -> (Desk, [Value; 3]) {
    let desk = Desk::open().await;
    let records = create_authorities(&desk).await;
    (desk, records)
}

async fn create_authorities(desk: &Desk) -> [Value; 3] {
    let twain = authority(
        desk,
        json!({
            "source": "MARC", "naturalId": "n79021164", "sourceFileId": LCNAF, "subjectHeadings": "a",
            "personalName": "Twain, Mark, 1835-1910", "sftPersonalName": ["Clemens, Samuel Langhorne", "Make Teviin"],
            "saftPersonalName": ["Snodgrass, Quintus Curtius"],
            "identifiers": [{"value": "  n 79021164", "identifierTypeId": LCCN}],
        }),
    )
    .await;
    let sawyer = json!({
        "source": "MARC", "naturalId": "n1", "subjectHeadings": "b",
        "personalNameTitle": "Twain, Mark, 1835-1910. Tom Sawyer",
    });
    let sawyer = authority(desk, sawyer).await;
    let humor = json!({
        "source": "MARC", "naturalId": "sh1", "subjectHeadings": "a",
        "topicalTerm": "Humor", "sftTopicalTerm": ["Wit"], "saftTopicalTerm": ["\u{c9}pigrammes"],
    });
    let humor = authority(desk, humor).await;
    let by = json!({"name": "Twain, Mark", "contributorNameTypeId": "2b94c631-fca9-4892-a730-03ee529ffe2a"});
    let with = |mut value: Value, authority: &Value| {
        value["authorityId"] = authority["id"].clone();
        value
    };
    instance(
        desk,
        json!({
            "title": "Roughing it", "contributors": [with(by.clone(), &twain)],
            "subjects": [with(json!({"value": "Humor"}), &humor)],
        }),
    )
    .await;
    instance(desk, json!({"title": "Life on the Mississippi", "contributors": [with(by, &twain)]})).await;
    [twain, sawyer, humor]
}

/// The headings of an answer, sorted unless the query sorts.
async fn find_headings(desk: &Desk, query: &str) -> String {
    let reply = desk.get(&format!("/search/authorities?query={}", encode(query))).await;
    if reply.status != 200 {
        return reply.to_string();
    }
    let mut found = reply.field_values("authorities", "headingRef");
    assert_eq!(reply.total(), found.len() as i64, "{query}");
    if !query.contains("sortBy") {
        found.sort();
    }
    found.join(" | ")
}

#[tokio::test]
async fn headings_are_found_by_their_words_and_by_what_they_are() {
    let (desk, [_, sawyer, _]) = library_with_authorities().await;
    let mut wrong = Vec::new();
    let twain = "Twain, Mark, 1835-1910";
    let by_id = format!("id=={}", sawyer["id"].as_str().unwrap());
    for (query, expected) in [
        ("keyword all \"mark twain\"", format!("{twain} | {twain}. Tom Sawyer")),
        ("keyword all \"clemens\"", "Clemens, Samuel Langhorne".to_owned()),
        ("keyword all \"twain clemens\"", String::new()),
        ("keyword == \"n 79021164\"", String::new()),
        ("personalName all \"twain\"", twain.to_owned()),
        ("sftPersonalName = \"make\"", "Make Teviin".to_owned()),
        ("saftTopicalTerm = epigrammes", "\u{c9}pigrammes".to_owned()),
        ("headingRef == \"twain, mark*\"", format!("{twain} | {twain}. Tom Sawyer")),
        ("headingType == \"Topical\" and authRefType == \"Authorized\"", "Humor".to_owned()),
        ("keyword all twain and isTitleHeadingRef == true", format!("{twain}. Tom Sawyer")),
        ("authRefType == \"Auth/Ref\"", "Snodgrass, Quintus Curtius | \u{c9}pigrammes".to_owned()),
        ("subjectHeadings == b", format!("{twain}. Tom Sawyer")),
        ("sourceFileId == NULL and authRefType == Reference", "Wit".to_owned()),
        ("lccn == \"n79021164\" and authRefType == Authorized", twain.to_owned()),
        (&by_id, format!("{twain}. Tom Sawyer")),
        (
            "cql.allRecords=1 and headingType==Topical sortBy headingRef/sort.descending",
            "Wit | Humor | \u{c9}pigrammes".to_owned(),
        ),
        ("headingType==Topical sortBy authRefType", "\u{c9}pigrammes | Humor | Wit".to_owned()),
    ] {
        let found = find_headings(&desk, query).await;
        if found != expected {
            wrong.push(format!("{query}\n  finds    {found}\n  expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn a_heading_is_shown_with_its_number_of_titles() {
    let library = Library::furnished().await;
    let desk = Desk::furnish(&library, |_| {}).await;
    let [twain, ..] = create_authorities(&desk).await;
    let path = |query: &str, more: &str| format!("/search/authorities?query={}{more}", encode(query));
    let shown = async |query: &str, more: &str| {
        desk.get(&path(query, more)).await.expect(200).json()["authorities"][0].clone()
    };
    let mut brief = json!({
        "id": twain["id"], "tenantId": library.tenant.as_str(), "shared": false, "sourceFileId": LCNAF, "naturalId": "n79021164",
        "headingType": "Personal Name", "authRefType": "Authorized", "headingRef": "Twain, Mark, 1835-1910",
        "numberOfTitles": 2,
    });
    assert_eq!(shown("personalName=twain", "").await, brief);
    brief.as_object_mut().unwrap().remove("numberOfTitles");
    assert_eq!(shown("personalName=twain", "&includeNumberOfTitles=false").await, brief);
    assert_eq!(shown("topicalTerm=humor", "").await["numberOfTitles"], 1);
    let reference = shown("keyword=clemens", "&expandAll=true").await;
    assert_eq!(reference["sftPersonalName"], json!(["Clemens, Samuel Langhorne"]));
    assert_eq!(reference["subjectHeadings"], "a");
    assert_eq!((reference.get("numberOfTitles"), reference.get("personalName")), (None, None));
}

#[tokio::test]
async fn values_of_headings_are_counted() {
    let (desk, _) = library_with_authorities().await;
    let path = |query: &str, facet: &str| {
        format!("/search/authorities/facets?query={}&facet={facet}", encode(query))
    };
    for (query, facet, expected) in [
        ("cql.allRecords=1", "headingType", json!([["Personal Name", 5], ["Topical", 3]])),
        ("headingType==Topical", "headingType", json!([["Topical", 3], ["Personal Name", 5]])),
        ("headingType==Topical", "sourceFileId", json!([["NULL", 3]])),
        ("cql.allRecords=1", "subjectHeadings:1", json!([["a", 7]])),
    ] {
        let found = desk.get(&path(query, facet)).await.expect(200).json();
        let name = facet.split(':').next().unwrap();
        let values = found["facets"][name]["values"].as_array().unwrap().iter();
        let values: Vec<Value> = values.map(|one| json!([one["id"], one["totalRecords"]])).collect();
        assert_eq!(json!(values), expected, "{query} {facet}");
    }
    let unknown = desk.get(&path("cql.allRecords=1", "languages")).await.expect(400).json();
    assert_eq!(unknown["errors"][0]["message"], "Invalid facet value");
}

/// The headings of a page, with the number of titles of authorized ones.
async fn browse_headings(desk: &Desk, query: &str, more: &str) -> String {
    let line = |item: &Value| {
        let shown = &item["authority"];
        assert!(shown.is_null() || shown["headingRef"] == item["headingRef"], "{item}");
        let titles = shown["numberOfTitles"].as_u64().map(|titles| format!(" {titles}"));
        format!("{}{}", item["headingRef"].as_str().unwrap(), titles.unwrap_or_default())
    };
    page_text(desk, "authorities", query, more, line).await
}

#[tokio::test]
async fn headings_are_browsed_in_the_order_of_the_alphabet() {
    let (desk, _) = library_with_authorities().await;
    let mut wrong = Vec::new();
    let invalid = "400 Invalid CQL query for browsing.";
    for (query, more, expected) in [
        (
            "headingRef >= \"make\" or headingRef < \"make\"",
            "&limit=4",
            "6: Clemens, Samuel Langhorne | Humor 1 | [make] | Make Teviin, next Make Teviin",
        ),
        (
            "headingRef >= \"humor\" or headingRef < \"humor\"",
            "&limit=3&precedingRecordsCount=1",
            "6: Clemens, Samuel Langhorne | [Humor 1] | Make Teviin, next Make Teviin",
        ),
        ("headingRef < \"twain\"", "&limit=2", "6: Humor 1 | Make Teviin, prev Humor, next Make Teviin"),
        (
            "headingRef > \"twain\" and isTitleHeadingRef==true",
            "",
            "1: Twain, Mark, 1835-1910. Tom Sawyer 0, prev Twain, Mark, 1835-1910. Tom Sawyer",
        ),
        (
            "(headingRef >= \"h\" or headingRef < \"h\") and headingType==(\"Topical\" or \"Genre\") and authRefType==Reference",
            "",
            "1: [h] | Wit",
        ),
        ("headingRef >= \"\"", "", "0: "),
        ("headingRef >= \"a\" and keyword==\"b\"", "", invalid),
        ("headingRef == \"a\"", "", invalid),
        ("personalName >= \"a\"", "", invalid),
    ] {
        let found = browse_headings(&desk, query, more).await;
        if found != expected {
            wrong.push(format!("{query} {more}\n  finds    {found}\n  expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn what_becomes_of_an_authority_is_found_at_once() {
    let (desk, [twain, ..]) = library_with_authorities().await;
    assert_eq!(find_headings(&desk, "keyword=clemens").await, "Clemens, Samuel Langhorne");
    let place = format!("/authority-storage/authorities/{}", twain["id"].as_str().unwrap());
    let mut changed = twain.clone();
    changed["sftPersonalName"] = json!(["Conte, Louis de", "Make Teviin"]);
    desk.put(&place, &changed).await.expect(204);
    assert_eq!(find_headings(&desk, "keyword=clemens").await, "");
    assert_eq!(find_headings(&desk, "sftPersonalName=conte").await, "Conte, Louis de");
    desk.delete(&place).await.expect(204);
    assert_eq!(find_headings(&desk, "keyword=conte or keyword=teviin or personalName=twain").await, "");
}

#[tokio::test]
async fn a_job_gives_the_id_of_each_authority_once() {
    let (desk, [twain, ..]) = library_with_authorities().await;
    let job = json!({"query": format!("sourceFileId=={LCNAF}"), "entityType": "AUTHORITY"});
    let job = desk.post("/search/resources/jobs", &job).await.expect(200).json();
    let path = format!("/search/resources/jobs/{}/ids", job["id"].as_str().unwrap());
    let ids = desk.get(&path).await.expect(200).json();
    assert_eq!(ids, json!({"ids": [{"id": twain["id"]}], "totalRecords": 1}));
}

#[tokio::test]
async fn the_index_of_authorities_is_compared_with_the_database_and_made_anew() {
    let library = Library::furnished().await;
    let desk = Desk::furnish(&library, |_| {}).await;
    let humor = authority(&desk, json!({
        "source": "MARC", "naturalId": "sh1", "subjectHeadings": "a", "topicalTerm": "Humor", "sftTopicalTerm": ["Wit"],
    })).await;
    assert_eq!(find_headings(&desk, "keyword=humor").await, "Humor");
    library
        .script(format!(
            "alter table authority disable trigger search_changed; \
             update authority set doc = jsonb_set(doc::jsonb, '{{topicalTerm}}', '\"Comedy\"') where id = '{}'; \
             alter table authority enable trigger search_changed",
            humor["id"].as_str().unwrap()
        ))
        .await;
    let context = library.context().await;
    // What has changed while transactions of other libraries were open counts as waiting until the index is written again.
    let differ = async || {
        let other =
            json!({"source": "MARC", "naturalId": "sh2", "subjectHeadings": "a", "topicalTerm": "Dunnocks"});
        authority(&desk, other).await;
        find_headings(&desk, "keyword=dunnocks").await;
        let context = context.clone();
        on_runtime(async move {
            let (database, derived) = (&context.platform.database, &context.platform.settings.derived_folder);
            let compared = search::verify(database, &context.tenant.id, derived).await.unwrap();
            compared
                .iter()
                .map(|found| (found.resource, found.missing.len(), found.stale.len()))
                .collect::<Vec<_>>()
        })
        .await
            == [("titles", 0, 0), ("authorities", 0, 1)]
    };
    eventually("one authority is stale", differ).await;
    let reindex = json!({"resourceName": "authority"});
    desk.post("/search/index/inventory/reindex", &reindex).await.expect(200);
    eventually("it is found by its new heading", async || {
        find_headings(&desk, "keyword=comedy").await == "Comedy"
    })
    .await;
}
