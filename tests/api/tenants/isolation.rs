//! Nothing of one tenant is seen in another.

use octavo_testkit::{Library, fresh_id};
use serde_json::json;

#[tokio::test]
async fn the_same_id_is_two_records_in_two_tenants() {
    let (here, there) = (Library::open().await, Library::open().await);
    let id = fresh_id();
    let path = format!("/groups/{id}");
    here.post("/groups", &json!({"id": id, "group": "ours"})).await.expect(201);
    there.get(&path).await.expect(404);
    there.post("/groups", &json!({"id": id, "group": "theirs"})).await.expect(201);
    assert_eq!(here.get(&path).await.json()["group"], "ours");
    assert_eq!(there.get(&path).await.json()["group"], "theirs");
    there.delete("/groups?query=cql.allRecords=1").await;
    there.delete(&path).await;
    assert_eq!(here.get("/groups").await.total(), 1);
}

#[tokio::test]
async fn references_do_not_reach_into_another_tenant() {
    let (here, there) = (Library::open().await, Library::open().await);
    let id = fresh_id();
    here.post("/groups", &json!({"id": id, "group": "ours"})).await.expect(201);
    let reply = there.post("/users", &json!({"patronGroup": id})).await;
    assert!(reply.status == 422 || reply.status == 400, "{reply}");
}

/// Connections are lent from tenant to tenant: each sees its own schema, however they are mixed.
#[tokio::test]
async fn many_tenants_at_once_are_not_mixed_up() {
    let libraries = [Library::open().await, Library::open().await, Library::open().await];
    let clients: Vec<_> = (0..60)
        .map(|at| {
            let library = libraries[at % 3].clone();
            tokio::spawn(async move {
                let name = format!("{} {at}", library.tenant);
                let group = library.post("/groups", &json!({"group": name})).await.expect(201).json();
                let path = format!("/groups/{}", group["id"].as_str().unwrap());
                assert_eq!(library.get(&path).await.expect(200).json()["group"], json!(name));
            })
        })
        .collect();
    for client in clients {
        client.await.unwrap();
    }
    for library in libraries {
        let groups = library.get("/groups?limit=100").await.field_values("usergroups", "group");
        assert!(groups.len() == 20 && groups.iter().all(|name| name.starts_with(library.tenant.as_str())));
    }
}
