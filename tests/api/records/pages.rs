//! Pages of a collection.

use std::collections::BTreeSet;

use octavo_testkit::Library;
use serde_json::json;

async fn with_groups(count: usize) -> Library {
    let library = Library::open().await;
    for at in 0..count {
        library.post("/groups", &json!({"group": format!("group {at:02}")})).await.expect(201);
    }
    library
}

#[tokio::test]
async fn ten_records_are_a_page_unless_said_otherwise() {
    let library = with_groups(12).await;
    let page = library.get("/groups").await.expect(200);
    assert_eq!((page.field_values("usergroups", "id").len(), page.total()), (10, 12));
    let page = library.get("/groups?limit=12").await.expect(200);
    assert_eq!((page.field_values("usergroups", "id").len(), page.total()), (12, 12));
}

#[tokio::test]
async fn pages_make_up_the_whole_and_do_not_overlap() {
    let library = with_groups(11).await;
    for query in ["cql.allRecords=1", "group=group", "cql.allRecords=1 sortBy desc"] {
        let mut seen = BTreeSet::new();
        for offset in [0, 4, 8, 12] {
            let query = octavo_testkit::encode(query);
            let page =
                library.get(&format!("/groups?limit=4&offset={offset}&query={query}")).await.expect(200);
            seen.extend(page.field_values("usergroups", "group"));
        }
        assert_eq!(seen.len(), 11, "{query}");
    }
}

#[tokio::test]
async fn beyond_the_end_there_is_nothing() {
    let library = with_groups(3).await;
    let page = library.get("/groups?offset=3").await.expect(200);
    assert_eq!((page.field_values("usergroups", "id").len(), page.total()), (0, 3));
    let empty = library.find("/groups", "group==nobody").await.expect(200);
    assert_eq!((empty.field_values("usergroups", "id").len(), empty.total()), (0, 0));
}
