//! The ids of everything that a query finds.

use octavo_testkit::{Desk, encode};
use serde_json::json;

use crate::inventory::shelf::{holdings, instance};

#[tokio::test]
async fn ids_of_titles_and_of_their_holdings_are_listed_as_json_or_one_a_line() {
    let desk = Desk::open().await;
    let sula = instance(&desk, json!({"title": "Sula"})).await;
    let jazz = instance(&desk, json!({"title": "Jazz"})).await;
    let copies = [
        holdings(&desk, &sula, json!({"callNumber": "A"})).await,
        holdings(&desk, &sula, json!({"callNumber": "B"})).await,
        holdings(&desk, &jazz, json!({})).await,
    ];
    let mut ids: Vec<&str> = copies[..2].iter().filter_map(|copy| copy["id"].as_str()).collect();
    ids.sort_unstable();
    let path = |kind: &str, query: &str| format!("/search/{kind}/ids?query={}", encode(query));
    let found = desk.get(&path("instances", "title=sula")).await.expect(200);
    assert_eq!(found.json(), json!({"ids": [{"id": sula["id"]}], "totalRecords": 1}));
    // All holdings of a title that is found, not only those that match.
    let found = desk.get(&path("holdings", "holdingsFullCallNumbers==A")).await.expect(200);
    assert_eq!(found.json(), json!({"ids": [{"id": ids[0]}, {"id": ids[1]}], "totalRecords": 2}));
    let none = desk.get(&path("instances", "title=nothing")).await.expect(200);
    assert_eq!(none.json(), json!({"ids": [], "totalRecords": 0}));
    let lines =
        desk.with("content-type", "text/plain").get(&path("holdings", "title=sula")).await.expect(200);
    assert_eq!(lines.text(), format!("{}\n{}\n", ids[0], ids[1]));
    assert!(lines.header("content-type").is_some_and(|kind| kind.starts_with("text/plain")), "{lines}");
    let all = desk.get(&path("instances", "cql.allRecords=1")).await.expect(200);
    assert_eq!(all.total(), 2);
    for query in ["", "colour==red", "title=a sortby colour"] {
        desk.get(&path("instances", query)).await.expect(400);
    }
    desk.get("/search/holdings/ids").await.expect(400);
}
