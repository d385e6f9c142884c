//! A module outside of Octavo calls back through the gateway, with its own permissions beside the user's.

use octavo_testkit::{Client, ModuleAnswer, OutsideModule, SeenRequest, fresh_id};
use serde_json::{Value, json};

use super::{OkapiLibrary, module, new_name};

/// Calls back as the request says in its query (`path`), and tells status and text.
async fn call_back(seen: SeenRequest) -> ModuleAnswer {
    let address = seen.header("x-okapi-url").unwrap().trim_start_matches("http://").parse().unwrap();
    let mut client = Client::new(address);
    for name in ["x-okapi-tenant", "x-okapi-token"] {
        client = client.with(name, seen.header(name).unwrap());
    }
    let path = seen.path.split_once("?path=").unwrap().1.to_owned();
    let reply = client.get(&path).await;
    let body = json!({"status": reply.status, "text": reply.text(), "token": seen.header("x-okapi-token")});
    ModuleAnswer::json(200, &body).with("x-okapi-token", seen.header("x-okapi-token").unwrap())
}

struct CalledModule {
    house: OkapiLibrary,
    name: String,
}

impl CalledModule {
    /// A module whose handler has these permissions.
    async fn with_permissions(permissions: &Value) -> CalledModule {
        let (house, name) = (OkapiLibrary::open().await, new_name());
        let mut descriptor = module(&name, "1.0.0");
        descriptor["provides"][0]["handlers"][0]["modulePermissions"] = permissions.clone();
        let there = OutsideModule::start(call_back).await;
        house.add_deploy_and_enable(&descriptor, &there).await;
        CalledModule { house, name }
    }

    async fn get(&self, client: &Client, path: &str) -> Value {
        client.get(&format!("/{}?path={path}", self.name)).await.expect(200).json()
    }
}

#[tokio::test]
async fn a_module_has_its_own_permissions_and_the_users() {
    let called = CalledModule::with_permissions(&json!(["tags.collection.get", "okapi.all"])).await;
    let library = &called.house.library;
    let user = library.as_user(&["usergroups.collection.get"]).await;
    user.get("/tags").await.expect(403);
    for (path, status) in [("/tags", 200), ("/groups", 200), ("/users", 403), ("/_/proxy/tenants", 403)] {
        assert_eq!(called.get(&user, path).await["status"], status, "{path}");
    }
    let id = user.user.unwrap();
    let text = format!("Access for user 'user-{id}' ({id}) requires permission: users.collection.get");
    assert_eq!(called.get(&user, "/users").await["text"], text);
    // Nobody is asked for by a request without a token, but the module itself.
    let stranger = library.as_user(&[]).await.without("x-okapi-token");
    assert_eq!(called.get(&stranger, "/tags").await["status"], 200);
    assert_eq!(called.get(&stranger, "/groups").await["status"], 403);
}

#[tokio::test]
async fn a_modules_token_ends_with_the_user_the_session_and_the_module() {
    let called = CalledModule::with_permissions(&json!(["tags.collection.get"])).await;
    let library = &called.house.library;
    let user = library.as_user(&[]).await;
    let reply = user.get(&format!("/{}?path=/tags", called.name)).await.expect(200);
    assert_eq!(reply.header("x-okapi-token"), None, "the client does not see it");
    let token = reply.json()["token"].as_str().unwrap().to_owned();
    let module = library.with("x-okapi-token", token.as_str());
    module.get("/tags").await.expect(200);
    assert_eq!(module.without("x-okapi-tenant").get("/tags").await.expect(200).status, 200);
    module.with("x-okapi-user-id", fresh_id().to_string()).get("/tags").await.says(403, "Invalid token");
    let other = OkapiLibrary::open().await;
    other.library.with("x-okapi-token", token.as_str()).get("/tags").await.says(403, "Invalid token");
    let modules = called.house.tenant_path("modules");
    let own = format!("mod-{}-1.0.0", called.name);
    called.house.operator.delete(&format!("{modules}/{own}")).await.expect(204);
    module.get("/tags").await.says(401, "Invalid token");
    called.house.operator.post(&modules, &json!({"id": own})).await.expect(201);
    module.get("/tags").await.expect(200);
    let id = user.user.unwrap();
    let admin = library.as_user(&["users.item.delete"]).await;
    admin.delete(&format!("/users/{id}")).await.expect(204);
    let gone = format!("Invalid token: user with id {id} does not exist");
    module.get("/tags").await.says(401, &gone);
}
