//! What concerns the whole system, or a tenant other than the caller's, is the operator's alone.

use octavo_testkit::{Client, Entry, Library, Reply, routes};
use serde_json::json;

/// Okapi's routes, but for the one that asks for nothing.
fn okapi_routes() -> impl Iterator<Item = &'static Entry> {
    routes().filter(|entry| entry.module == "okapi" && !entry.required.is_empty())
}

/// The path of a route, about a tenant where it names one.
fn path_for_tenant(entry: &Entry, tenant: &str) -> String {
    let tenant_first = entry.pattern.replace("{tenantId}", tenant);
    tenant_first
        .split('/')
        .map(|part| if part.starts_with('{') { "x" } else { part })
        .collect::<Vec<_>>()
        .join("/")
}

async fn send_request(client: &Client, entry: &Entry, tenant: &str) -> Reply {
    client.send(entry.method.as_str(), &path_for_tenant(entry, tenant), "").await
}

/// Every permission of Okapi's, whoever gave them.
fn okapi_permissions() -> Vec<&'static str> {
    let asked = okapi_routes().flat_map(|entry| entry.required.iter().copied());
    asked.chain(["okapi.all", "okapi.proxy.self.timers.patch"]).collect()
}

#[tokio::test]
async fn to_be_on_this_machine_is_no_right() {
    let (open, guarded) = (Library::open().await, Library::guarded().await);
    let nobody = Client::new(open.address);
    for client in [&nobody, &*open, &*guarded] {
        for entry in okapi_routes().filter(|entry| entry.required_for_own_tenant.is_none()) {
            for tenant in [&open.tenant, &guarded.tenant] {
                let said = format!("Token missing, access requires permission: {}", entry.required[0]);
                send_request(client, entry, tenant.as_str()).await.says(400, &said);
            }
        }
    }
    let made = json!({"id": "strangers"});
    nobody.post("/_/proxy/tenants", &made).await.expect(400);
    let remove = format!("/_/proxy/tenants/{}/modules/mod-authtoken-2.15.1", guarded.tenant);
    guarded.delete(&remove).await.expect(400);
    guarded.get("/users").await.expect(400);
}

#[tokio::test]
async fn an_open_tenant_opens_no_other() {
    let (open, other) = (Library::open().await, Library::open().await);
    for entry in okapi_routes().filter(|entry| entry.pattern.contains("{tenantId}")) {
        send_request(&open, entry, other.tenant.as_str()).await.expect(400);
    }
    // Its own it may look at, until mod-authtoken comes.
    open.get(&format!("/_/proxy/tenants/{}/modules", open.tenant)).await.expect(200);
}

#[tokio::test]
async fn an_administrator_gets_nothing_of_the_system_nor_of_another_tenant() {
    let (ours, theirs) = (Library::guarded().await, Library::guarded().await);
    let administrator = ours.as_user(&okapi_permissions()).await;
    let id = administrator.user.unwrap();
    let lacks = |entry: &Entry| {
        format!("Access for user 'user-{id}' ({id}) requires permission: {}", entry.required[0])
    };
    for entry in okapi_routes() {
        let about_a_tenant = entry.pattern.contains("{tenantId}");
        if about_a_tenant || entry.required_for_own_tenant.is_none() {
            send_request(&administrator, entry, theirs.tenant.as_str()).await.says(403, &lacks(entry));
        }
        // The same under the other tenant's name, by header and by path.
        let there = administrator.with("x-okapi-tenant", theirs.tenant.as_str());
        send_request(&there, entry, theirs.tenant.as_str()).await.says(403, "Invalid token");
        let invoked =
            format!("/_/invoke/tenant/{}{}", theirs.tenant, path_for_tenant(entry, theirs.tenant.as_str()));
        administrator.send(entry.method.as_str(), &invoked, "").await.says(403, "Invalid token");
        if entry.required_for_own_tenant.is_none() {
            send_request(&administrator, entry, ours.tenant.as_str()).await.says(403, &lacks(entry));
        }
    }
    let seen = theirs.operator().await.get(&format!("/_/proxy/tenants/{}", theirs.tenant)).await.expect(200);
    assert_eq!(seen.json()["id"], theirs.tenant.as_str());
}

#[tokio::test]
async fn what_an_administrator_may_for_their_own_tenant_stays() {
    let library = Library::guarded().await;
    let administrator = library.as_user(&["okapi.proxy.self.timers.patch"]).await;
    let own = format!("/_/proxy/tenants/{}", library.tenant);
    for path in ["modules", "modules?full=true", "interfaces", "interfaces/users", "timers"] {
        administrator.get(&format!("{own}/{path}")).await.expect(200);
    }
    let timer = json!({"id": "mod-circulation_9", "routingEntry": {"unit": "hour", "delay": "2"}});
    administrator.send("PATCH", &format!("{own}/timers"), timer.to_string()).await.expect(204);
}

#[tokio::test]
async fn the_operator_does_what_is_the_systems_and_nothing_inside_of_a_tenant() {
    let library = Library::guarded().await;
    let operator = library.operator().await;
    operator.get("/_/proxy/tenants").await.expect(200);
    operator.get(&format!("/_/proxy/tenants/{}/timers", library.tenant)).await.expect(200);
    let there = operator.with("x-okapi-tenant", library.tenant.as_str());
    for entry in
        routes().filter(|entry| entry.module != "okapi" && !entry.multiple && !entry.required.is_empty())
    {
        let path = path_for_tenant(entry, "x");
        let reply = there.send(entry.method.as_str(), path.trim_end_matches('*'), "").await;
        reply.says(403, "Invalid token");
    }
    // One of another making is none.
    let token = operator.header("x-okapi-token").unwrap();
    let claims = octavo_modules::tokens::parse_unverified(token).unwrap();
    let forged = octavo_modules::tokens::sign(&claims, b"another key");
    let ended = octavo_modules::tokens::Claims { jti: Some(octavo_testkit::fresh_id()), ..claims };
    for token in [forged, library.sign(&ended)] {
        operator.with("x-okapi-token", token).get("/_/proxy/tenants").await.says(401, "Invalid token");
    }
}
