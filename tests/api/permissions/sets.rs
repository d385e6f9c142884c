//! Permission sets of a library's own, and permissions of modules that come and go.

use octavo_modules::permissions::PERMISSION;
use octavo_testkit::Library;
use serde_json::{Value, json};

async fn find_permission(library: &Library, name: &str) -> Value {
    let found = library.find("/perms/permissions", &format!("permissionName=={name}")).await.expect(200);
    found.json()["permissions"][0].clone()
}

#[tokio::test]
async fn a_set_is_made_changed_and_removed() {
    let library = Library::furnished().await;
    let sent =
        json!({"permissionName": "desk", "displayName": "Desk", "subPermissions": ["users.all", "tags.all"]});
    let made = library.post("/perms/permissions", &sent).await.expect(201).json();
    assert_eq!((&made["mutable"], &made["visible"]), (&json!(true), &json!(true)));
    assert!(
        find_permission(&library, "tags.all").await["childOf"].as_array().unwrap().contains(&json!("desk"))
    );
    library.post("/perms/permissions", &sent).await.refused("Permission with name desk already exists");

    let path = format!("/perms/permissions/{}", made["id"].as_str().unwrap());
    let mut change = made.clone();
    change["subPermissions"] = json!(["users.all", "no.such"]);
    library.put(&path, &change).await.refused(
        "Unable to update derived fields: Attempting to add non-existent permissions no.such as sub-permissions to permission desk",
    );
    change["subPermissions"] = json!(["users.all"]);
    change.as_object_mut().unwrap().remove("mutable");
    let changed = library.put(&path, &change).await.expect(200).json();
    assert_eq!(changed["mutable"], true);
    assert_eq!(changed["metadata"]["createdDate"], made["metadata"]["createdDate"]);
    assert!(made["metadata"]["createdDate"].is_string(), "{made}");
    assert!(
        !find_permission(&library, "tags.all").await["childOf"].as_array().unwrap().contains(&json!("desk"))
    );
    change["permissionName"] = json!("counter");
    library.put(&path, &change).await.says(400, "permission name property cannot change");

    let holder = library.as_user(&["desk"]).await;
    holder.get("/users").await.expect(200);
    library.delete(&path).await.expect(204);
    holder.get("/users").await.expect(403);
    library.get(&path).await.expect(404);
}

/// Permissions of a module that is removed, or of a user interface, may be held by name.
#[tokio::test]
async fn names_that_are_held_already_need_no_definition() {
    let library = Library::furnished().await;
    let set = json!({"permissionName": "desk", "subPermissions": ["gone", "users.all"], "mutable": true});
    let set = library.store(&PERMISSION, set).await;
    let user = library.as_user(&["gone"]).await.user.unwrap();
    let found = library.find("/perms/users", &format!("userId=={user}")).await.expect(200).json();
    let held = &found["permissionUsers"][0];
    for (path, list, record) in [
        ("/perms/permissions", "subPermissions", json!({"id": set["id"], "permissionName": "desk"})),
        ("/perms/users", "permissions", json!({"id": held["id"], "userId": user})),
    ] {
        let path = format!("{path}/{}", record["id"].as_str().unwrap());
        let with = |names: &[&str]| {
            let mut record = record.clone();
            record[list] = json!(names);
            record
        };
        library.put(&path, &with(&["gone", "tags.all"])).await.expect(200);
        let refused = library.put(&path, &with(&["gone", "tags.all", "no.such"])).await.expect(422);
        assert!(refused.text().contains("non-existent permissions no.such "), "{refused}");
        let stored = library.get(&path).await.expect(200).json();
        assert_eq!(stored[list], json!(["gone", "tags.all"]), "{path}");
    }
}

#[tokio::test]
async fn a_name_that_is_only_contained_in_others_is_taken() {
    let library = Library::furnished().await;
    let contained = json!({"permissionName": "later", "subPermissions": [], "mutable": false, "dummy": true});
    library.store(&PERMISSION, contained).await;
    let sent = json!({"permissionName": "later", "subPermissions": []});
    library.post("/perms/permissions", &sent).await.refused("Permission with name later already exists");
}

#[tokio::test]
async fn permissions_of_modules_stay_as_they_are() {
    let library = Library::furnished().await;
    let users = find_permission(&library, "users.all").await;
    let path = format!("/perms/permissions/{}", users["id"].as_str().unwrap());
    let body = json!({"id": users["id"], "permissionName": "users.all", "subPermissions": []});
    library.put(&path, &body).await.says(400, "cannot change an immutable permission");
    library.delete(&path).await.says(400, "cannot delete an immutable permission");
    let derived = json!({"permissionName": "x", "grantedTo": []});
    library.post("/perms/permissions", &derived).await.expect(422);
}

#[tokio::test]
async fn what_a_module_leaves_behind_is_deprecated_then_purged() {
    let library = Library::furnished().await;
    let holder = library.as_user(&["tags.all", "users.all"]).await;
    let id = library.find("/perms/users", &format!("userId=={}", holder.user.unwrap())).await;
    let id = id.json()["permissionUsers"][0]["id"].as_str().unwrap().to_owned();
    let install = format!("/_/proxy/tenants/{}/install", library.tenant);
    let disable = json!([{"id": "mod-tags-2.2.0", "action": "disable"}]);
    library.operator().await.post(&install, &disable).await.expect(200);
    let left = find_permission(&library, "tags.all").await;
    assert_eq!((&left["deprecated"], &left["displayName"]), (&json!(true), &json!("(deprecated) tags.all")));

    let purged = library.post("/perms/purge-deprecated", &json!({})).await.expect(200).json();
    assert!(purged["permissionNames"].as_array().unwrap().contains(&json!("tags.all")));
    let held = library.get(&format!("/perms/users/{id}/permissions")).await.json();
    assert_eq!(held["permissionNames"], json!(["users.all"]));
}

#[tokio::test]
async fn pages_go_by_length_and_start_too() {
    let library = Library::furnished().await;
    let all = library
        .get("/perms/permissions?length=5&start=3&query=cql.allRecords=1%20sortby%20permissionName")
        .await;
    let all = all.expect(200).field_values("permissions", "permissionName");
    let same = library
        .get("/perms/permissions?limit=5&offset=2&query=cql.allRecords=1%20sortby%20permissionName")
        .await;
    assert_eq!(all, same.field_values("permissions", "permissionName"));
    assert_eq!(all.len(), 5);
    let whole = library.get("/perms/permissions?query=permissionName==tags.all&expandSubs=true").await.json();
    assert_eq!(whole["permissions"][0]["subPermissions"][0]["moduleName"], "mod-tags");
}
