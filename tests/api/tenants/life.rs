//! From `POST /_/proxy/tenants` to its `DELETE`.

use octavo_testkit::{Client, fresh_id, octavo, on_runtime};
use serde_json::{Value, json};

async fn operator_client() -> Client {
    octavo().await.operator().await
}

/// A client of the tenant, which has no mod-authtoken.
fn tenant_client(okapi: &Client, tenant: &str) -> Client {
    Client::new(okapi.address).with("x-okapi-tenant", tenant)
}

/// A tenant made as clients make it.
async fn tenant() -> (Client, String) {
    let okapi = operator_client().await;
    let id = format!("t{}", fresh_id().simple());
    okapi.post("/_/proxy/tenants", &json!({"id": id, "name": "A library"})).await.expect(201);
    (okapi, id)
}

fn module_ids(body: &Value) -> Vec<&str> {
    body.as_array().unwrap().iter().map(|module| module["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_tenant_is_made_shown_renamed_and_removed() {
    let (okapi, id) = tenant().await;
    let path = format!("/_/proxy/tenants/{id}");
    assert_eq!(okapi.get(&path).await.expect(200).json(), json!({"id": id, "name": "A library"}));
    let all = okapi.get("/_/proxy/tenants").await.expect(200).json();
    assert!(all.as_array().unwrap().iter().any(|tenant| tenant["id"] == json!(id)));
    okapi.put(&path, &json!({"id": id, "name": "Another"})).await.expect(200);
    assert_eq!(okapi.get(&path).await.json()["name"], "Another");
    okapi.delete(&path).await.says(204, "");
    okapi.get(&path).await.says(404, &id);
    okapi.delete(&path).await.says(404, &id);
    tenant_client(&okapi, &id).get("/users").await.says(400, &format!("No such Tenant {id}"));
}

/// Else the next start would define all permissions once more, which locks them for seconds.
#[tokio::test]
async fn a_new_tenant_is_told_of_permissions_by_the_release_that_made_it() {
    let (_, id) = tenant().await;
    let platform = octavo().await.platform.clone();
    let marks = on_runtime(async move {
        let mut session = platform.database.system_session(std::sync::Arc::default()).await.unwrap();
        let mark = "select permissions from octavo.tenants where id = $1";
        session.read::<Option<Option<String>>>(octavo_pg::Statement::new(mark).text(id)).await.unwrap()
    })
    .await;
    assert!(marks.flatten().is_some());
}

#[tokio::test]
async fn a_tenant_needs_a_plain_and_new_name() {
    let (okapi, id) = tenant().await;
    let again = okapi.post("/_/proxy/tenants", &json!({"id": id})).await;
    again.says(400, &format!("Duplicate tenant id {id}"));
    for bad in ["", "Upper", "a b", "a\"b", "a;b", "ä", "../a", "a\u{0}"] {
        let reply = okapi.post("/_/proxy/tenants", &json!({"id": bad})).await;
        reply.says(400, &format!("Invalid tenant id {bad}"));
    }
    let made = okapi.post("/_/proxy/tenants", &json!({"name": "Without id"})).await.expect(201).json();
    let path = format!("/_/proxy/tenants/{}", made["id"].as_str().unwrap());
    assert_eq!(okapi.get(&path).await.expect(200).json()["name"], "Without id");
    okapi.delete(&path).await.expect(204);
}

#[tokio::test]
async fn okapis_own_tenant_stays() {
    let reply = operator_client().await.delete("/_/proxy/tenants/supertenant").await;
    reply.says(400, "Can not delete the superTenant supertenant");
}

#[tokio::test]
async fn installing_brings_what_a_module_needs() {
    let (okapi, id) = tenant().await;
    let install = format!("/_/proxy/tenants/{id}/install");
    let library = tenant_client(&okapi, &id);
    library.get("/groups").await.expect(404);
    let wanted = json!([{"id": "mod-circulation-24.2.5", "action": "enable"}]);
    let simulated = okapi.post(&format!("{install}?simulate=true"), &wanted).await.expect(200).json();
    library.get("/groups").await.expect(404);
    let done = okapi.post(&install, &wanted).await.expect(200).json();
    assert_eq!(done, simulated);
    let ids = module_ids(&done);
    for needed in ["mod-circulation-24.2.5", "mod-users-19.3.1", "mod-inventory-storage-27.1.3"] {
        assert!(ids.contains(&needed), "{ids:?}");
    }
    let enabled = okapi.get(&format!("/_/proxy/tenants/{id}/modules")).await.expect(200).json();
    let (mut enabled, mut ids) = (module_ids(&enabled), ids);
    enabled.sort_unstable();
    ids.sort_unstable();
    assert_eq!(enabled, ids);
    library.get("/groups").await.expect(200);
    okapi.delete(&format!("/_/proxy/tenants/{id}")).await.expect(204);
}

#[tokio::test]
async fn reference_records_come_when_asked_for_and_stay_as_they_were_changed() {
    let (okapi, id) = tenant().await;
    let library = tenant_client(&okapi, &id);
    let install = format!("/_/proxy/tenants/{id}/install?tenantParameters=loadReference=true");
    let wanted = json!([{"id": "mod-users-19.3.1", "action": "enable"}]);
    okapi.post(&install, &wanted).await.expect(200);
    let groups = library.get("/groups?limit=100").await.expect(200).json();
    let group = groups["usergroups"][0].clone();
    let path = format!("/groups/{}", group["id"].as_str().unwrap());
    library.put(&path, &json!({"group": "renamed"})).await.expect(204);

    let disable = json!([{"id": "mod-users-19.3.1", "action": "disable"}]);
    okapi.post(&format!("/_/proxy/tenants/{id}/install"), &disable).await.expect(200);
    library.get(&path).await.expect(404);
    okapi.post(&install, &wanted).await.expect(200);
    assert_eq!(library.get(&path).await.expect(200).json()["group"], "renamed");
    assert_eq!(library.get("/groups?limit=100").await.total(), groups["totalRecords"].as_i64().unwrap());
    okapi.delete(&format!("/_/proxy/tenants/{id}")).await.expect(204);
}

/// What FOLIO's modules write by SQL when they are enabled.
#[tokio::test]
async fn a_few_types_are_there_without_reference_records() {
    let (okapi, id) = tenant().await;
    let library = tenant_client(&okapi, &id);
    let wanted = json!([{"id": "mod-inventory-storage-27.1.3", "action": "enable"}]);
    let install = format!("/_/proxy/tenants/{id}/install?tenantParameters=loadReference=");
    okapi.post(&format!("{install}false"), &wanted).await.expect(200);
    let types = [("/instance-formats", 1, 57), ("/identifier-types", 6, 30), ("/material-types", 0, 8)];
    for (path, few, _) in types {
        assert_eq!(library.get(&format!("{path}?limit=0")).await.expect(200).total(), few, "{path}");
    }
    okapi.delete(&format!("/_/proxy/tenants/{id}/modules/mod-inventory-storage-27.1.3")).await.expect(204);
    okapi.post(&format!("{install}true"), &wanted).await.expect(200);
    for (path, _, all) in types {
        assert_eq!(library.get(&format!("{path}?limit=0")).await.expect(200).total(), all, "{path}");
    }
    okapi.delete(&format!("/_/proxy/tenants/{id}")).await.expect(204);
}

#[tokio::test]
async fn sample_records_come_when_asked_for_and_stay_as_they_were_changed() {
    let (okapi, id) = tenant().await;
    let library = tenant_client(&okapi, &id);
    let install =
        format!("/_/proxy/tenants/{id}/install?tenantParameters=loadReference=true,loadSample=true");
    let wanted = json!([{"id": "mod-inventory-storage-27.1.3", "action": "enable"}]);
    okapi.post(&install, &wanted).await.expect(200);
    for (path, count) in [
        ("/instance-storage/instances", 36),
        ("/holdings-storage/holdings", 20),
        ("/item-storage/items", 25),
        ("/inventory-storage/bound-with-parts", 10),
        ("/instance-storage/instance-relationships", 5),
    ] {
        assert_eq!(library.get(path).await.expect(200).total(), count, "{path}");
    }
    let path = "/item-storage/items/459afaba-5b39-468d-9072-eb1685e0ddf4";
    let mut item = library.get(path).await.expect(200).json();
    assert_eq!(item["effectiveLocationId"], "53cf956f-c1df-410b-8bea-27f712cca7c0");
    assert_eq!(item["effectiveCallNumberComponents"]["callNumber"], "MCN FICTION");
    item["barcode"] = json!("changed");
    library.put(path, &item).await.expect(204);

    let disable = json!([{"id": "mod-inventory-storage-27.1.3", "action": "disable"}]);
    okapi.post(&format!("/_/proxy/tenants/{id}/install"), &disable).await.expect(200);
    okapi.post(&install, &wanted).await.expect(200);
    assert_eq!(library.get(path).await.expect(200).json()["barcode"], "changed");
    assert_eq!(library.get("/item-storage/items").await.expect(200).total(), 25);
    okapi.delete(&format!("/_/proxy/tenants/{id}")).await.expect(204);
}

#[tokio::test]
async fn purging_a_module_removes_its_records() {
    let (okapi, id) = tenant().await;
    let library = tenant_client(&okapi, &id);
    let (install, enable) =
        (format!("/_/proxy/tenants/{id}/install"), json!([{"id": "mod-users-19.3.1", "action": "enable"}]));
    okapi.post(&install, &enable).await.expect(200);
    library.post("/groups", &json!({"group": "staff"})).await.expect(201);
    let disable = json!([{"id": "mod-users-19.3.1", "action": "disable"}]);
    okapi.post(&format!("{install}?purge=true"), &disable).await.expect(200);
    okapi.post(&install, &enable).await.expect(200);
    assert_eq!(library.get("/groups").await.expect(200).total(), 0);
    okapi.delete(&format!("/_/proxy/tenants/{id}")).await.expect(204);
}

#[tokio::test]
async fn what_cannot_be_installed_is_refused_whole() {
    let (okapi, id) = tenant().await;
    let install = format!("/_/proxy/tenants/{id}/install");
    let reply = okapi
        .post(&install, &json!([{"id": "mod-users-19.3.1", "action": "enable"}, {"id": "mod-none-1"}]))
        .await;
    assert_eq!(reply.status, 400, "{reply}");
    let explode = json!([{"id": "mod-users-19.3.1", "action": "explode"}]);
    assert!(okapi.post(&install, &explode).await.expect(400).text().contains("explode"));
    okapi.post(&install, &json!({})).await.expect(400);
    okapi.post("/_/proxy/tenants/nobody/install", &json!([])).await.expect(404);
    assert_eq!(module_ids(&okapi.get(&format!("/_/proxy/tenants/{id}/modules")).await.json()), [""; 0]);
    okapi.delete(&format!("/_/proxy/tenants/{id}")).await.expect(204);
}

/// Connections remember the statements that they prepared for the tenant of that name before.
#[tokio::test]
async fn a_tenant_of_the_same_name_starts_empty() {
    let (okapi, id) = tenant().await;
    let library = tenant_client(&okapi, &id);
    let enable = json!([{"id": "mod-users-19.3.1", "action": "enable"}]);
    for _ in 0..2 {
        okapi.post(&format!("/_/proxy/tenants/{id}/install"), &enable).await.expect(200);
        assert_eq!(library.get("/groups").await.expect(200).total(), 0);
        let group = library.post("/groups", &json!({"group": "staff"})).await.expect(201).json();
        library.get(&format!("/groups/{}", group["id"].as_str().unwrap())).await.expect(200);
        okapi.delete(&format!("/_/proxy/tenants/{id}")).await.expect(204);
        library.get("/groups").await.says(400, &format!("No such Tenant {id}"));
        okapi.post("/_/proxy/tenants", &json!({"id": id})).await.expect(201);
    }
    okapi.delete(&format!("/_/proxy/tenants/{id}")).await.expect(204);
}

/// Two clients who make the same tenant at once: one has made it, the other is told.
#[tokio::test]
async fn a_race_for_a_tenant_has_one_winner() {
    let okapi = operator_client().await;
    let id = format!("t{}", fresh_id().simple());
    let racers: Vec<_> = (0..4)
        .map(|_| {
            let (okapi, body) = (okapi.clone(), json!({"id": id}));
            tokio::spawn(async move { okapi.post("/_/proxy/tenants", &body).await })
        })
        .collect();
    let mut made = 0;
    for racer in racers {
        let reply = racer.await.unwrap();
        match reply.status {
            201 => made += 1,
            _ => drop(reply.says(400, &format!("Duplicate tenant id {id}"))),
        }
    }
    assert_eq!(made, 1);
    okapi.delete(&format!("/_/proxy/tenants/{id}")).await.expect(204);
}
