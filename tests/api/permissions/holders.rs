//! Permissions users: granted, added to, taken from; who may grant what.

use octavo_testkit::{Library, fresh_id};
use serde_json::json;

#[tokio::test]
async fn a_permission_knows_who_holds_it() {
    let library = Library::furnished().await;
    let (id, user) = (fresh_id(), fresh_id());
    let sent = json!({"id": id, "userId": user, "permissions": ["users.all", "users.all"]});
    let made = library.post("/perms/users", &sent).await.expect(201).json();
    assert_eq!(made["permissions"], json!(["users.all"]));

    let granted = |name: &str| {
        let (library, query) = (library.clone(), format!("permissionName=={name}"));
        async move {
            library.find("/perms/permissions", &query).await.expect(200).json()["permissions"][0]["grantedTo"]
                .clone()
        }
    };
    assert_eq!(granted("users.all").await, json!([id]));
    let held = format!("/perms/users/{id}/permissions");
    let tags = json!({"permissionName": "tags.all"});
    library.post(&held, &tags).await.expect(200);
    assert_eq!(granted("tags.all").await, json!([id]));
    library
        .post(&format!("/perms/users/{user}/permissions?indexField=userId"), &tags)
        .await
        .refused(&format!("User with userId {user} already has permission tags.all"));
    let names = library.get(&held).await.expect(200).json();
    assert_eq!(names, json!({"permissionNames": ["users.all", "tags.all"], "totalRecords": 2}));
    let expanded = library.get(&format!("{held}?expanded=true")).await.json();
    assert!(expanded["permissionNames"].as_array().unwrap().contains(&json!("users.item.get")));

    library.delete(&format!("{held}/tags.all")).await.expect(204);
    library
        .delete(&format!("{held}/tags.all"))
        .await
        .says(400, &format!("User with id {id} does not contain tags.all"));
    assert_eq!(granted("tags.all").await, json!([]));
    library.delete(&format!("/perms/users/{id}")).await.expect(204);
    assert_eq!(granted("users.all").await, json!([]));
    library.get(&format!("/perms/users/{id}")).await.says(404, &format!("No user with id {id}"));
}

#[tokio::test]
async fn only_what_exists_is_granted() {
    let library = Library::furnished().await;
    let (id, user) = (fresh_id(), fresh_id());
    let sent = json!({"id": id, "userId": user, "permissions": ["users.all", "no.such"]});
    library.post("/perms/users", &sent).await.refused(&format!(
        "Unable to update derived fields: Attempting to add non-existent permissions no.such to permission user with id {id}"
    ));
    library.post("/perms/users", &json!({"id": id, "userId": user, "permissions": []})).await.expect(201);
    library
        .post(&format!("/perms/users/{id}/permissions"), &json!({"permissionName": "no.such"}))
        .await
        .says(400, "Permission by name 'no.such' does not exist");
    let twice = library.post("/perms/users", &json!({"userId": user, "permissions": []})).await.expect(400);
    assert!(twice.text().contains("permissions_users_userid_idx_unique"), "{twice}");
}

#[tokio::test]
async fn an_id_that_is_none_is_refused_as_in_folio() {
    let library = Library::open().await;
    let no_uuid = "ERROR: invalid input syntax for type uuid: \"x\" (22P02)";
    library.get("/perms/users/x").await.says(400, no_uuid);
    library.get("/perms/users/x?indexField=userId").await.says(404, "No user with userId x");
    for path in ["/perms/users/123?indexField=bad", "/perms/users/123/permissions?indexField=bad"] {
        library.get(path).await.says(400, "Invalid value 'bad' for indexField");
    }
    let body = json!({"id": "x", "userId": fresh_id(), "permissions": []});
    library.put("/perms/users/x", &body).await.says(400, "Invalid UUID string: x");
    let set = json!({"id": "x", "permissionName": "x"});
    library.put("/perms/permissions/x", &set).await.says(400, "Invalid UUID string: x");
    for path in ["/perms/users/x", "/perms/permissions/x"] {
        library.delete(path).await.says(400, "Invalid UUID string: x");
    }
}

#[tokio::test]
async fn nobody_hands_on_what_they_may_not() {
    let library = Library::furnished().await;
    let grant = |permissions: &[&str]| json!({"userId": fresh_id(), "permissions": permissions});
    let clerk = library.as_user(&["perms.users.item.post", "users.all"]).await;
    let id = clerk.user.unwrap();
    clerk.post("/perms/users", &grant(&["users.all", "users.item.get"])).await.expect(201);
    clerk
        .post("/perms/users", &grant(&["tags.all", "okapi.all"]))
        .await
        .says(403, &format!("Cannot add okapi permission okapi.all not owned by operating user {id}"));
    clerk
        .post("/perms/users", &grant(&["tags.all"]))
        .await
        .says(403, &format!("Cannot add immutable permission tags.all not owned by operating user {id}"));
    let head = library.as_user(&["perms.users.item.post", "perms.users.assign.immutable"]).await;
    head.post("/perms/users", &grant(&["tags.all"])).await.expect(201);
}

#[tokio::test]
async fn a_grant_takes_effect_at_once() {
    let library = Library::furnished().await;
    let user = library.as_user(&[]).await;
    user.get("/tags").await.expect(403);
    let path = format!("/perms/users/{}/permissions", user.user.unwrap());
    let path = format!("{path}?indexField=userId");
    library.post(&path, &json!({"permissionName": "tags.all"})).await.expect(200);
    user.get("/tags").await.expect(200);
}
