//! The log of security: log-ins, refusals and changes of rights.

use std::time::Duration;

use octavo_pg::Statement;
use octavo_testkit::{Library, encode, eventually, fresh_id, on_runtime};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

const READ_PERMISSION: &str = "octavo.security-events.collection.get";

/// The events that a query finds, the newest first.
async fn find_events(reader: &Library, query: &str) -> Vec<Value> {
    let path = format!("/octavo/security-events?limit=1000&query={}", encode(query));
    let list = reader.get(&path).await.expect(200).json();
    list["securityEvents"].as_array().unwrap().clone()
}

fn event_types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["event"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn log_ins_and_log_outs_are_told_without_what_was_typed() {
    let library = Library::open().await;
    let user = fresh_id();
    library.post("/users", &json!({"id": user, "username": "ada", "active": true})).await.expect(201);
    let password = |password: &str| json!({"username": "ada", "password": password});
    library.post("/authn/credentials", &password("secret-1")).await.expect(201);
    library.post("/authn/login", &password("secret-2")).await.expect(422);
    library.post("/authn/login", &json!({"username": "secret-3", "password": "x"})).await.expect(422);
    let token = library.post("/authn/login", &password("secret-1")).await.expect(201).json();
    let signed_in = library.with_token(token["okapiToken"].as_str().unwrap());
    signed_in.post("/authn/logout", &json!({})).await.expect(204);
    let events = find_events(&library, "cql.allRecords=1").await;
    let mut told = event_types(&events);
    told.sort_unstable();
    assert_eq!(told, ["Log-in", "Log-in failed", "Log-in failed", "Log-out", "Password set"]);
    let of_user = find_events(&library, "username==ada").await;
    assert_eq!(of_user.len(), 4, "{of_user:?}");
    assert!(of_user.iter().all(|event| event["userId"] == user.to_string() && event["username"] == "ada"));
    let all = json!(events).to_string();
    assert!(!all.contains("secret"), "{all}");
    assert!(events.iter().all(|event| event["address"] == "127.0.0.1"), "{events:?}");
}

#[tokio::test]
async fn refusals_are_told_and_bounded() {
    let library = Library::guarded().await;
    let clerk = library.as_user(&["tags.collection.get"]).await;
    let reader = library.as_user(&[READ_PERMISSION]).await;
    for _ in 0..50 {
        clerk.get("/users").await.expect(403);
    }
    clerk.get("/octavo/security-events").await.expect(403);
    library.with_token("a.b.c").get("/users").await.expect(401);
    let refused = find_events(&reader, "event==\"Permission refused\"").await;
    // Another minute may have begun meanwhile.
    assert!((20..=41).contains(&refused.len()), "{}", refused.len());
    assert!(refused.iter().all(|event| event["userId"] == clerk.user.unwrap().to_string()));
    assert!(refused.iter().any(|event| event["description"] == "GET /users: users.collection.get"));
    assert!(refused.iter().any(|event| event["furtherOmitted"] == true));
    let tokens = find_events(&reader, "event==\"Token refused\"").await;
    assert_eq!(tokens.len(), 1, "{tokens:?}");
    assert_eq!(tokens[0]["description"], "GET /users");
}

#[tokio::test]
async fn changes_of_rights_are_told_with_who_made_them() {
    let library = Library::furnished().await;
    let chief = library.as_user(&[]).await.user.unwrap();
    let acting = library.acting_as(chief);
    let clerk = library.as_user(&["tags.all"]).await.user.unwrap();
    let named = |id: &str| json!({"permissionName": id});
    let path = format!("/perms/users/{clerk}/permissions?indexField=userId");
    acting.post(&path, &named("users.all")).await.expect(200);
    acting.delete(&format!("/perms/users/{clerk}/permissions/tags.all?indexField=userId")).await.expect(204);
    let set = json!({"permissionName": "desk", "mutable": true, "subPermissions": ["users.all"]});
    let made = acting.post("/perms/permissions", &set).await.expect(201).json();
    acting.delete(&format!("/perms/permissions/{}", made["id"].as_str().unwrap())).await.expect(204);
    let entry = json!({"module": "edge", "configName": "api-keys", "code": "vufind", "enabled": true,
        "value": format!("{:064x} edge-rtac", 7)});
    acting.post("/configurations/entries", &entry).await.expect(201);
    let mut user = library.get(&format!("/users/{clerk}")).await.expect(200).json();
    user["active"] = json!(false);
    acting.put(&format!("/users/{clerk}"), &user).await.expect(204);

    let mut events = find_events(&library, &format!("byUserId=={chief}")).await;
    events.reverse();
    let told: Vec<[&str; 2]> = events
        .iter()
        .map(|event| ["event", "description"].map(|key| event[key].as_str().unwrap_or_default()))
        .collect();
    assert_eq!(
        told,
        [
            ["Permissions of user changed", "Added: users.all."],
            ["Permissions of user changed", "Removed: tags.all."],
            ["Permission set changed", "desk: Added: users.all."],
            ["Permission set changed", "desk: Deleted. Removed: users.all."],
            ["API key changed", "vufind: Added."],
            ["User made inactive", ""],
        ]
    );
    assert!(events[..2].iter().all(|event| event["userId"] == clerk.to_string()), "{events:?}");
    let all = json!(events).to_string();
    assert!(!all.contains("00007"), "the fingerprint of a key is told: {all}");
}

async fn query_number(library: &Library, sql: String) -> i64 {
    let context = library.context().await;
    on_runtime(async move {
        let mut session = context.session().await.unwrap();
        session.read::<Option<i64>>(Statement::new(sql)).await.unwrap().unwrap()
    })
    .await
}

#[tokio::test]
async fn what_an_operator_did_is_told_even_if_they_hang_up() {
    let library = Library::open().await;
    let (id, context) = (library.tenant.as_str().to_owned(), library.context().await);
    let lock = format!("begin; select 1 from octavo.tenants where id = '{id}' for no key update");
    let (mut session, pid) = on_runtime(async move {
        let mut session = context.session().await.unwrap();
        session.script(&lock).await.unwrap();
        let pid: Option<i64> = session.read(Statement::new("select pg_backend_pid()::int8")).await.unwrap();
        (session, pid.unwrap())
    })
    .await;

    let (body, operator) = (json!({"id": id}).to_string(), library.operator().await);
    let request = format!(
        "PUT /_/proxy/tenants/{id} HTTP/1.1\r\nHost: localhost\r\nX-Okapi-Token: {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        operator.header("x-okapi-token").unwrap(),
        body.len(),
    );
    let mut stream = TcpStream::connect(library.address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let waiting = format!("select count(*) from pg_stat_activity where {pid} = any (pg_blocking_pids(pid))");
    eventually("the change waits", async || query_number(&library, waiting.clone()).await == 1).await;
    drop(stream);
    // The server notices that nobody waits for the answer.
    tokio::time::sleep(Duration::from_millis(300)).await;
    on_runtime(async move { session.script("commit").await.unwrap() }).await;

    let query = "event==\"Operator action\"";
    eventually("the change is told", async || !find_events(&library, query).await.is_empty()).await;
    let events = find_events(&library, query).await;
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!(events[0]["description"], "PUT /_/proxy/tenants/{tenantId}");
}
