//! `sortBy`: without regard to case and accents, byte by byte otherwise; what lacks the field comes last.

use octavo_testkit::Library;
use serde_json::json;

#[tokio::test]
async fn records_come_in_the_order_asked_for() {
    let library = Library::open().await;
    let staff = library.post("/groups", &json!({"group": "staff"})).await.expect(201).json();
    for (username, last_name, barcode, group) in [
        ("a", Some("Zola"), "10", Some(&staff["id"])),
        ("b", Some("Ärger"), "9", None),
        ("c", Some("anders"), "100", None),
        ("d", Some("Zola"), "1", None),
        ("e", None, "x", None),
    ] {
        let mut user = json!({"username": username, "barcode": barcode});
        if let Some(name) = last_name {
            user["personal"] = json!({"lastName": name});
        }
        if let Some(group) = group {
            user["patronGroup"] = group.clone();
        }
        library.post("/users", &user).await.expect(201);
    }
    for (sort, order) in [
        ("username", "a b c d e"),
        ("username/sort.ascending", "a b c d e"),
        ("username/sort.descending", "e d c b a"),
        ("personal.lastName username", "c b a d e"),
        ("personal.lastName username/sort.descending", "c b d a e"),
        ("personal.lastName/sort.descending username", "e a d b c"),
        ("barcode", "d a c b e"),
        ("barcode/number", "d b a c e"),
        ("barcode/sort.descending/number", "e c a b d"),
        ("patronGroup.group username", "a b c d e"),
    ] {
        let found = library.find("/users", &format!("cql.allRecords=1 sortBy {sort}")).await.expect(200);
        assert_eq!(found.field_values("users", "username").join(" "), order, "{sort}");
    }
    library.find("/users", "cql.allRecords=1 sortBy username/sort.sideways").await.expect(400);
}
