//! Two servers on one database: what one remembers, the other's changes make it forget.

use std::sync::Arc;

use octavo_engine::Snapshot;
use octavo_modules::permissions::PERMISSION;
use octavo_modules::users::GROUP;
use octavo_testkit::{Library, Octavo, Reply, eventually, on_runtime};
use serde_json::json;

async fn status(library: &Library, path: &str) -> u16 {
    let reply: Reply = library.get(path).await;
    reply.status
}

#[tokio::test]
async fn a_permission_that_is_granted_on_one_counts_on_the_other() {
    let library = Library::guarded().await;
    let other = Octavo::start_another().await;
    library.store(&PERMISSION, json!({"permissionName": "usergroups.collection.get"})).await;
    let grants = ["perms.users.get", "perms.users.item.put", "perms.users.assign.immutable"];
    let desk = library.as_user(&grants).await;
    let patron = library.as_user(&[]).await.through(&other);
    assert_eq!(status(&patron, "/groups").await, 403);

    let user = patron.user.unwrap();
    let found = desk.find("/perms/users", &format!("userId=={user}")).await.expect(200).json();
    let mut record = found["permissionUsers"][0].clone();
    let path = format!("/perms/users/{}", record["id"].as_str().unwrap());
    record["permissions"] = json!(["usergroups.collection.get"]);
    let reply = desk.put(&path, &record).await;
    assert!([200, 204].contains(&reply.status), "{reply}");
    eventually("the permission is there", async || status(&patron, "/groups").await == 200).await;

    record["permissions"] = json!([]);
    desk.put(&path, &record).await;
    eventually("the permission is gone", async || status(&patron, "/groups").await == 403).await;
}

#[tokio::test]
async fn a_module_that_is_enabled_on_one_answers_on_the_other() {
    let library = Library::bare().await;
    let other = library.through(&Octavo::start_another().await);
    assert_eq!(status(&other, "/groups").await, 404);
    let wanted = json!([{"id": "mod-users-19.3.1", "action": "enable"}]);
    let install = format!("/_/proxy/tenants/{}/install", library.tenant);
    let operator = library.operator().await;
    operator.post(&install, &wanted).await.expect(200);
    eventually("the module answers", async || status(&other, "/groups").await == 200).await;
    operator.delete(&format!("/_/proxy/tenants/{}", library.tenant)).await.expect(204);
    eventually("the tenant is gone", async || status(&other, "/groups").await == 400).await;
}

#[tokio::test]
async fn what_decisions_read_is_read_anew_after_a_change_elsewhere() {
    let library = Library::open().await;
    let other = library.through(&Octavo::start_another().await);
    assert_eq!(names(&other).await, [""; 0]);
    let group = library.post("/groups", &json!({"group": "staff"})).await.expect(201).json();
    eventually("the group is in the snapshot", async || names(&other).await == ["staff"]).await;
    library.delete(&format!("/groups/{}", group["id"].as_str().unwrap())).await.expect(204);
    eventually("the group is gone", async || names(&other).await.is_empty()).await;
}

#[tokio::test]
async fn what_is_deleted_by_query_is_gone_for_decisions_elsewhere() {
    let library = Library::open().await;
    let other = library.through(&Octavo::start_another().await);
    let path = "/request-policy-storage/request-policies";
    for name in ["Hold", "Page"] {
        library.post(path, &json!({"name": name, "requestTypes": [name]})).await.expect(201);
    }
    eventually("both are in the snapshot", async || policies(&other).await == 2).await;
    library.delete(&format!("{path}?query=name==Hold")).await.expect(204);
    eventually("one is gone", async || policies(&other).await == 1).await;
    let refused = library.delete(&format!("{path}?query=name==")).await;
    assert_eq!(refused.status, 400, "{refused}");
    assert_eq!(library.get(path).await.total(), 1);
}

async fn policies(library: &Library) -> usize {
    snapshot(library).await.table("request_policy").count()
}

async fn snapshot(library: &Library) -> Arc<Snapshot> {
    let (platform, tenant) = (library.octavo.platform.clone(), library.tenant.clone());
    on_runtime(async move { platform.snapshot(&tenant).await.expect("a snapshot") }).await
}

async fn names(library: &Library) -> Vec<String> {
    let snapshot = snapshot(library).await;
    snapshot.all(&GROUP).map(|(_, group)| group["group"].as_str().unwrap_or_default().to_owned()).collect()
}
