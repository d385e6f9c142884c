//! `totalRecords` and its four modes (RAML Module Builder 35.2).

use octavo_modules::users::USER;
use octavo_testkit::{Library, fresh_id};
use serde_json::json;

async fn with_users(count: usize) -> Library {
    let library = Library::open().await;
    let users =
        (0..count).map(|at| json!({"id": fresh_id(), "username": format!("user {at}"), "type": "patron"}));
    library.store_all(&USER, users.collect()).await;
    library
}

#[tokio::test]
async fn few_records_are_counted_exactly_in_every_mode() {
    let library = with_users(30).await;
    for mode in ["auto", "exact", "estimated"] {
        let page =
            library.get(&format!("/users?query=type==patron&limit=5&totalRecords={mode}")).await.expect(200);
        assert_eq!(page.total(), 30, "{mode}");
    }
    let page = library.get("/users?totalRecords=none").await.expect(200);
    assert!(page.json().get("totalRecords").is_none(), "{page}");
}

#[tokio::test]
async fn many_records_are_counted_exactly_only_when_asked() {
    let library = with_users(1_500).await;
    let total = async |query: &str| library.get(&format!("/users?{query}")).await.expect(200).total();
    assert_eq!(total("totalRecords=exact&limit=1").await, 1_500);
    assert_eq!(total("limit=0").await, 1_500, "without a page the count is all that was asked for");
    for mode in ["auto", "estimated"] {
        let estimate = total(&format!("totalRecords={mode}&limit=1")).await;
        assert!(estimate >= 1_000, "{mode}: {estimate}");
        let estimate = total(&format!("totalRecords={mode}&limit=1&query=type==patron")).await;
        assert!(estimate >= 1_000, "{mode}: {estimate}");
    }
    assert!(total("limit=400&offset=1050").await >= 1_450, "never less than what was seen");
    assert_eq!(total("limit=1000&offset=1400").await, 1_500, "the last page shows the end");
}
