//! SRU 1.2 and 2.0: titles for other programs.

use octavo_testkit::{ApiKey, Desk, Octavo, Reply, encode};
use serde_json::json;

use crate::inventory::shelf::instance;

async fn send_query(desk: &Desk, query: &str) -> Reply {
    desk.get(&format!("/octavo/sru?{query}")).await.expect(200)
}

/// The texts of all elements of a name without its prefix, in order.
fn texts(reply: &Reply, name: &str) -> Vec<String> {
    let text = reply.text();
    let document = roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{error}\n{reply}"));
    let named = document.descendants().filter(|node| node.tag_name().name() == name);
    named.map(|node| node.text().unwrap_or_default().to_owned()).collect()
}

async fn titles(desk: &Desk) {
    for (title, author) in
        [("Small gods", "Pratchett, Terry"), ("Small things", "Roy, Arundhati"), ("Emma", "Austen, Jane")]
    {
        let names = desk.find("/contributor-name-types", "name==\"Personal name\"").await.json();
        let kind = &names["contributorNameTypes"][0]["id"];
        let contributors = json!([{"name": author, "contributorNameTypeId": kind, "primary": true}]);
        instance(desk, json!({"title": title, "contributors": contributors})).await;
    }
    instance(desk, json!({"title": "Small secrets", "discoverySuppress": true})).await;
}

#[tokio::test]
async fn titles_are_found_by_the_indexes_of_context_sets() {
    let desk = Desk::open().await;
    titles(&desk).await;
    let cases: &[(&str, &[&str])] = &[
        ("dc.title=small sortby dc.title", &["Small gods", "Small things"]),
        ("dc.title=small sortby dc.title/sort.descending", &["Small things", "Small gods"]),
        ("dc.title=small and dc.creator=roy", &["Small things"]),
        ("title=small not bath.author=roy", &["Small gods"]),
        ("cql.anywhere all \"austen emma\"", &["Emma"]),
        ("secrets", &[]),
    ];
    for (query, expected) in cases {
        for version in ["version=1.2&operation=searchRetrieve&", ""] {
            let reply = send_query(&desk, &format!("{version}recordSchema=dc&query={}", encode(query))).await;
            assert_eq!(texts(&reply, "numberOfRecords"), [expected.len().to_string()], "{query} {reply}");
            assert_eq!(texts(&reply, "title"), *expected, "{query}");
        }
    }
}

#[tokio::test]
async fn records_come_in_pages_as_marcxml() {
    let desk = Desk::open().await;
    titles(&desk).await;
    let first = send_query(&desk, "query=small&maximumRecords=1").await;
    assert_eq!(
        (texts(&first, "numberOfRecords"), texts(&first, "recordPosition")),
        (vec!["2".into()], vec!["1".into()])
    );
    assert_eq!(texts(&first, "nextRecordPosition"), ["2"]);
    assert!(first.text().contains("http://www.loc.gov/MARC21/slim"), "{first}");
    let second = send_query(&desk, "query=small&maximumRecords=1&startRecord=2").await;
    assert_eq!(
        (texts(&second, "recordPosition"), texts(&second, "nextRecordPosition")),
        (vec!["2".into()], vec![])
    );
    let packed =
        send_query(&desk, "version=1.2&operation=searchRetrieve&query=emma&recordPacking=string").await;
    assert!(texts(&packed, "recordData")[0].contains("<marc:record"), "{packed}");
    let none = send_query(&desk, "query=small&maximumRecords=0").await;
    assert_eq!((texts(&none, "numberOfRecords"), texts(&none, "record")), (vec!["2".into()], vec![]));
}

#[tokio::test]
async fn what_is_wrong_is_a_diagnostic() {
    let desk = Desk::open().await;
    titles(&desk).await;
    for (query, number) in [
        ("version=7&query=x", 5),
        ("version=1.2&operation=scan", 4),
        ("version=1.2&operation=searchRetrieve", 7),
        ("query=%28cats", 10),
        ("query=xyz.title%3Dcats", 15),
        ("query=dc.shoesize%3D9", 16),
        ("query=dc.title%20within%20%221%202%22", 19),
        ("query=small&startRecord=3", 61),
        ("query=small&recordSchema=mods", 66),
        ("query=small%20sortby%20dc.subject", 88),
    ] {
        let reply = send_query(&desk, query).await;
        assert_eq!(texts(&reply, "uri"), [format!("info:srw/diagnostic/1/{number}")], "{query} {reply}");
    }
}

#[tokio::test]
async fn a_program_with_a_key_is_told_what_there_is_and_searches() {
    let desk = Desk::open().await;
    titles(&desk).await;
    let tenant = desk.header("x-okapi-tenant").unwrap().to_owned();
    let key = ApiKey::create_accepted(&desk, "library", "octavo-sru", &["sru.records.collection.get"]).await;
    let stranger = Octavo::start_another().await.client();
    let explained = stranger.get(&format!("/sru/{}", encode(&key))).await.expect(200);
    assert!(
        texts(&explained, "index").len() > 20 && texts(&explained, "database") == [tenant],
        "{explained}"
    );
    let found =
        stranger.get(&format!("/sru?query=emma&recordSchema=dc&apikey={}", encode(&key))).await.expect(200);
    assert_eq!(texts(&found, "title"), ["Emma"]);
    stranger.get("/sru?query=emma&apikey=x").await.expect(401);
}
