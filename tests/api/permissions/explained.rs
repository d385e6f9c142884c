//! Why somebody has a permission.

use octavo_modules::users::USER;
use octavo_testkit::{Library, fresh_id};
use serde_json::json;

#[tokio::test]
async fn a_permission_is_explained_by_the_sets_that_lead_to_it() {
    let library = Library::furnished().await;
    let user = fresh_id();
    library.store(&USER, json!({"id": user, "username": "somebody", "active": true})).await;
    for (name, parts) in
        [("desk.work", json!(["users.all"])), ("branch.work", json!(["desk.work", "tags.all"]))]
    {
        let set = json!({"permissionName": name, "displayName": name, "subPermissions": parts, "mutable": true, "visible": true});
        library.post("/perms/permissions", &set).await.expect(201);
    }
    let held = json!(["branch.work", "users.item.get"]);
    library.post("/perms/users", &json!({"userId": user, "permissions": held})).await.expect(201);
    let path =
        |permission: &str| format!("/perms/users/{user}/explain?indexField=userId&permission={permission}");
    let why = library.get(&path("users.item.get")).await.expect(200);
    assert_eq!(why.round_trips(), 2, "{why}");
    let why = why.json();
    assert_eq!(
        why["chains"],
        json!([["branch.work", "desk.work", "users.all", "users.item.get"], ["users.item.get"]])
    );
    for (member, expected) in [("granted", true), ("active", true), ("defined", true), ("deprecated", false)]
    {
        assert_eq!(why[member], expected, "{member}: {why}");
    }
    let without = library.get(&path("tags.item.get")).await.expect(200).json();
    assert_eq!(without["granted"], true, "by tags.all: {without}");
    let without = library.get(&path("perms.users.get")).await.expect(200).json();
    assert_eq!((&without["granted"], &without["chains"]), (&json!(false), &json!([])));
    let contained = without["containedIn"].as_array().unwrap();
    assert!(["perms.all", "perms.users"].iter().all(|set| contained.contains(&json!(set))), "{without}");
    let unknown = library.get(&path("no.such")).await.expect(200).json();
    assert_eq!((&unknown["defined"], &unknown["containedIn"]), (&json!(false), &json!([])));
}

#[tokio::test]
async fn what_cannot_be_explained_is_said() {
    let library = Library::guarded().await;
    let id = fresh_id();
    let path = format!("/perms/users/{id}/explain?permission=users.all");
    library.as_user(&["perms.users.get"]).await.get(&path).await.expect(403);
    let head = library.as_user(&["octavo.permissions.explain.get"]).await;
    head.get(&path).await.says(404, &format!("No user with id {id}"));
    head.get(&format!("/perms/users/{id}/explain")).await.says(400, "The parameter permission is missing");
    let odd = head.get("/perms/users/x/explain?permission=users.all").await;
    odd.says(400, "ERROR: invalid input syntax for type uuid: \"x\" (22P02)");
}
