//! Which titles come first, and how a search was understood.

use octavo_testkit::{Desk, encode};
use serde_json::{Value, json};

use crate::inventory::shelf::instance;

#[tokio::test]
async fn the_title_itself_comes_first_then_titles_with_the_words_then_others() {
    let desk = Desk::open().await;
    let person = "2b94c631-fca9-4892-a730-03ee529ffe2a";
    let by = |name: &str| json!([{"name": name, "contributorNameTypeId": person}]);
    for (title, contributors) in [
        ("Letters", by("Sea, Old")),
        ("The sea and the old town", by("Nobody")),
        ("Old sea, old sea, old sea", by("Nobody")),
        ("Old sea", by("Nobody")),
        ("A town", by("Old, A.; Sea, B.")),
    ] {
        instance(&desk, json!({"title": title, "contributors": contributors})).await;
    }
    for (query, expected) in [
        (
            "keyword all \"old sea\"",
            &["Old sea", "Old sea, old sea, old sea", "The sea and the old town"][..],
        ),
        ("keyword all \"sea - old\"", &[]),
        ("(keyword all \"old sea\" or hrid==\"x\") and source==FOLIO", &["Old sea"]),
        ("title all \"old sea\"", &["Old sea"]),
        ("title==\"old sea\"", &["Old sea"]),
    ] {
        let found = desk.get(&format!("/search/instances?query={}", encode(query))).await.expect(200).json();
        let titles = found["instances"].as_array().into_iter().flatten();
        let titles: Vec<&str> = titles.filter_map(|one| one["title"].as_str()).collect();
        assert_eq!(titles[..expected.len()], *expected, "{query}");
        assert_eq!(found["totalRecords"], titles.len(), "{query}: each title comes once");
    }
}

#[tokio::test]
async fn a_client_that_asks_is_told_how_its_search_was_understood() {
    let desk = Desk::open().await;
    for title in ["Running", "Runs of the Größe", "Land"] {
        instance(&desk, json!({"title": title, "languages": ["eng"]})).await;
    }
    for (query, expected) in [
        (
            "title=runs and languages==eng not title==\"grosse land\"",
            json!([
                "title = \"runs\" and languages == \"eng\" not title == \"grosse land\" means: (title has the word runs, or a word \
                 of its stem and languages is \"eng\") but not title has \"grosse land\" side by side. Alone it finds 2"
            ]),
        ),
        (
            "title=runs and languages==eng",
            json!([
                "title = \"runs\" means: title has the word runs, or a word of its stem. Alone it finds 2",
                "languages == \"eng\" means: languages is \"eng\". Alone it finds 3"
            ]),
        ),
        ("hrid=\"x*\"", json!(["hrid = \"x*\" means: hrid is like \"x*\". Alone it finds 0"])),
        (
            "title=größe",
            json!([
                "title = \"größe\" means: title has the word grosse, or a word of its stem. Alone it finds 1"
            ]),
        ),
    ] {
        // The test client asks for a trace with each request.
        let reply = desk.get(&format!("/search/instances?query={}", encode(query))).await.expect(200);
        let why: Value = serde_json::from_str(reply.header("x-octavo-why").unwrap_or("[]")).expect("JSON");
        assert_eq!(why, expected, "{query}");
    }
}
