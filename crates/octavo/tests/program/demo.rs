//! The demo library as FOLIO's own user interface finds it.

use octavo_pg::{Database, Options, embedded};
use octavo_testkit::{Client, eventually};
use serde_json::{Value, json};

use crate::octavo::{Folder, Octavo};

async fn log_in_as_administrator(octavo: &Octavo) -> (Client, Value) {
    let stranger = octavo.tenantless_client().with("x-okapi-tenant", "diku");
    let who = json!({"username": "diku_admin", "password": "admin"});
    let reply = stranger.post("/bl-users/login?expandPermissions=true", &who).await.expect(201);
    (stranger.with("x-okapi-token", reply.header("x-okapi-token").unwrap()), reply.json())
}

#[tokio::test]
async fn folios_apps_are_there_at_once_and_patrons_have_a_record_of_permissions() {
    let folder = Folder::new();
    let octavo = Octavo::start_with(&folder.data_dir(), &["--demo"]);
    let (desk, answer) = log_in_as_administrator(&octavo).await;
    let told = answer["permissions"]["permissions"].as_array().unwrap();
    let has = |wanted: &str| {
        told.iter().any(|permission| permission == wanted || permission["permissionName"] == wanted)
    };
    for app in ["checkout", "checkin", "users", "inventory", "requests"] {
        assert!(has(&format!("module.{app}.enabled")), "{app}");
    }
    for name in [
        "settings.enabled",
        "settings.circulation.enabled",
        "ui-users.edit",
        "settings.tenant-settings.enabled",
    ] {
        assert!(has(name), "{name}");
    }
    let modules = desk.get("/_/proxy/tenants/diku/modules").await.expect(200).json();
    let apps = modules.as_array().unwrap().iter();
    let apps: Vec<&str> =
        apps.filter_map(|module| module["id"].as_str()).filter(|id| id.starts_with("folio_")).collect();
    assert_eq!(apps.len(), 20, "{apps:?}");

    let patron =
        desk.find("/users", "barcode==27001000000445").await.expect(200).json()["users"][0]["id"].clone();
    let path = format!("/perms/users/{}?indexField=userId", patron.as_str().unwrap());
    assert_eq!(desk.get(&path).await.expect(200).json()["permissions"], json!([]));
    // Removed by hand, they stay away: additions come once.
    desk.delete("/_/proxy/tenants/diku/modules/folio_tags-8.1.0").await.expect(204);
    octavo.stop();
    let octavo = Octavo::start_with(&folder.data_dir(), &["--demo"]);
    let (desk, _) = log_in_as_administrator(&octavo).await;
    desk.get("/_/proxy/tenants/diku/modules/folio_tags-8.1.0").await.expect(404);
    octavo.stop();
}

/// A folder as the first release left it gets what has come since.
#[tokio::test]
async fn a_demo_library_from_before_is_topped_up_at_its_start() {
    let folder = Folder::new();
    let octavo = Octavo::start_with(&folder.data_dir(), &["--demo"]);
    let config = embedded::running_config(&folder.data_dir()).unwrap();
    let mut session =
        Database::new(config, Options::unlimited(1)).system_session(std::sync::Arc::default()).await.unwrap();
    session.script(UNDO_ADDITIONS).await.unwrap();
    drop(session);
    octavo.stop();
    let octavo = Octavo::start_with(&folder.data_dir(), &["--demo"]);
    let (desk, answer) = log_in_as_administrator(&octavo).await;
    assert!(answer["permissions"]["permissions"].to_string().contains("module.checkout.enabled"));
    let holders = desk.get("/perms/users?limit=0").await.expect(200).total();
    assert_eq!(holders, desk.get("/users?limit=0").await.expect(200).total());
    // The permission that a later release has defined is the administrators' soon after the start.
    let why = "/perms/users/00000000-0000-4000-8000-000000000000/explain?permission=users.all";
    eventually("administrators have the new permission", async || desk.get(why).await.status == 404).await;
    octavo.stop();
}

/// Triggers of the tenant's tables find its other tables by the search path.
const UNDO_ADDITIONS: &str = "\
set search_path = tenant_diku;
delete from octavo.properties where name = 'demo-additions';
update octavo.tenants set permissions = 'those of a release before';
delete from tenant_diku.permissions where \"permissionName\" like 'octavo.permissions.%';
delete from octavo.enabled_user_interfaces;
delete from octavo.user_interfaces;
delete from tenant_diku.permissions where \"moduleName\" like 'folio%';
delete from tenant_diku.permissions_users where json_array_length(doc -> 'permissions') = 0;
update tenant_diku.permissions_users
set doc = jsonb_set(doc::jsonb, '{permissions}', (
  select jsonb_agg(name)
  from json_array_elements_text(doc -> 'permissions') name
  where exists (select from tenant_diku.permissions p where p.\"permissionName\" = name) or name like 'okapi%'
))";
