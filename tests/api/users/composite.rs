//! A user with everything that a first screen needs; and what keeps a user from being removed.

use octavo_modules::circulation_storage::LOAN;
use octavo_testkit::{Library, fresh_id};
use serde_json::json;

#[tokio::test]
async fn logging_in_answers_with_the_whole_user() {
    let library = Library::furnished().await;
    let (id, group) = (fresh_id(), "503a81cd-6c26-400f-b620-14c08943697c");
    library
        .post("/users", &json!({"id": id, "username": "jane", "active": true, "patronGroup": group}))
        .await
        .expect(201);
    library.post("/authn/credentials", &json!({"userId": id, "password": "right"})).await.expect(201);
    let credentials = json!({"username": "jane", "password": "right"});
    library.post("/bl-users/login", &credentials).await.expect(404);
    library.post("/perms/users", &json!({"userId": id, "permissions": ["tags.all"]})).await.expect(201);

    let reply = library.post("/bl-users/login", &credentials).await.expect(201);
    assert!(reply.header("x-okapi-token").is_some());
    let whole = reply.json();
    assert_eq!(whole["user"]["id"], json!(id));
    assert_eq!(whole["patronGroup"]["id"], group);
    assert_eq!(whole["permissions"]["permissions"], json!(["tags.all"]));
    assert_eq!(whole["tenant"], library.tenant.as_str());

    let expanded = library.post("/bl-users/login-with-expiry?expandPermissions=true", &credentials).await;
    let whole = expanded.expect(201).json();
    let held: Vec<&str> = whole["permissions"]["permissions"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|permission| permission["permissionName"].as_str())
        .collect();
    assert!(held.contains(&"tags.all") && held.contains(&"tags.item.get"), "{held:?}");
    assert!(whole["tokenExpiration"]["accessTokenExpiration"].is_string());

    library
        .post("/bl-users/login", &json!({"username": "jane"}))
        .await
        .says(400, "Improperly formatted request");
    let wrong = library.post("/bl-users/login", &json!({"username": "jane", "password": "x"})).await;
    wrong.refused("Password does not match");
    let own = library.acting_as(id).get("/bl-users/_self?include=perms").await.expect(200).json();
    assert_eq!(own["permissions"], json!({"permissions": ["tags.all"]}));
    assert_eq!(own.get("patronGroup"), None);
    library
        .get("/bl-users/by-username/nobody")
        .await
        .says(404, "No record found for query '/users?query=username==nobody'");
}

#[tokio::test]
async fn a_user_with_open_loans_stays() {
    let library = Library::open().await;
    let (id, loan) = (fresh_id(), fresh_id());
    library.post("/users", &json!({"id": id, "username": "jane", "barcode": "7"})).await.expect(201);
    let lent = json!({"id": loan, "userId": id, "itemId": fresh_id(), "loanDate": "2026-01-01T00:00:00Z",
        "status": {"name": "Open"}, "action": "checkedout"});
    library.store(&LOAN, lent).await;
    let open = json!({"userId": id, "userBarcode": "7", "hasOpenTransactions": true,
        "loans": 1, "requests": 0, "feesFines": 0, "proxies": 0, "blocks": 0});
    let path = format!("/bl-users/by-id/{id}");
    assert_eq!(library.get("/bl-users/by-username/jane/open-transactions").await.expect(200).json(), open);
    assert_eq!(library.delete(&path).await.expect(409).json(), open);
    library.delete(&format!("/loan-storage/loans/{loan}")).await.expect(204);
    library.delete(&path).await.expect(204);
    library.delete(&path).await.says(404, &format!("User with id '{id}' not found"));
}
