//! What Octavo calls by itself: the `_tenant` and `_timer` interfaces of modules outside of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use octavo_testkit::{ModuleAnswer, OutsideModule, SeenRequest, eventually};
use serde_json::{Value, json};

use super::{OkapiLibrary, module, new_name};

/// A module with a `_tenant` interface of this version and these routes.
fn tenant_interface_descriptor(name: &str, version: &str, interface: &str, handlers: &Value) -> Value {
    let mut descriptor = module(name, version);
    let tenant =
        json!({"id": "_tenant", "version": interface, "interfaceType": "system", "handlers": handlers});
    descriptor["provides"].as_array_mut().unwrap().push(tenant);
    descriptor
}

fn received_calls(module: &OutsideModule) -> Vec<(String, String, Value)> {
    module
        .seen_requests()
        .into_iter()
        .map(|seen: SeenRequest| (seen.method.clone(), seen.path.clone(), seen.json()))
        .collect()
}

fn expected_call(method: &str, path: &str, body: Value) -> (String, String, Value) {
    (method.to_owned(), path.to_owned(), body)
}

#[tokio::test]
async fn version_1_is_called_when_a_module_comes_changes_and_goes() {
    let house = OkapiLibrary::without_modules().await;
    let name = new_name();
    let handlers = json!([
        {"methods": ["POST"], "pathPattern": "/_/tenant"},
        {"methods": ["POST"], "pathPattern": "/_/tenant/disable"},
        {"methods": ["DELETE"], "pathPattern": "/_/tenant"},
    ]);
    let there = OutsideModule::start(async |_| ModuleAnswer::text(201, "")).await;
    let [old, new] = ["1.0.0", "1.1.0"].map(|version| format!("mod-{name}-{version}"));
    for version in ["1.0.0", "1.1.0"] {
        house.add_module(&tenant_interface_descriptor(&name, version, "1.2", &handlers)).await;
        house.deploy_module(&format!("mod-{name}-{version}"), &there).await;
    }
    let wanted = json!([{"id": old, "action": "enable"}]);
    let install = house.tenant_path("install?tenantParameters=loadSample%3Dtrue");
    house.operator.post(&install, &wanted).await.expect(200);
    house.enable_module(&new).await;
    house.install_modules(&json!([{"id": new, "action": "disable"}])).await.expect(200);
    house.enable_module(&new).await;
    let purge = json!([{"id": new, "action": "disable"}]);
    house.operator.post(&house.tenant_path("install?purge=true"), &purge).await.expect(200);
    let parameters = json!([{"key": "loadSample", "value": "true"}]);
    assert_eq!(
        received_calls(&there),
        [
            expected_call("POST", "/_/tenant", json!({"module_to": old, "parameters": parameters})),
            expected_call("POST", "/_/tenant", json!({"module_to": new, "module_from": old})),
            expected_call("POST", "/_/tenant/disable", json!({"module_from": new})),
            expected_call("POST", "/_/tenant", json!({"module_to": new})),
            expected_call("DELETE", "/_/tenant", Value::Null),
        ]
    );
    let told = &there.seen_requests()[0];
    assert_eq!(told.header("x-okapi-tenant"), Some(house.library.tenant.as_str()));
    assert!(told.header("x-okapi-url").is_some() && told.header("x-okapi-token").is_some());
}

#[tokio::test]
async fn version_2_is_a_job_that_is_asked_after() {
    let house = OkapiLibrary::without_modules().await;
    let name = new_name();
    let handlers = json!([
        {"methods": ["POST"], "pathPattern": "/_/tenant"},
        {"methods": ["GET", "DELETE"], "pathPattern": "/_/tenant/{id}"},
    ]);
    let questions = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&questions);
    let there = OutsideModule::start(move |seen| {
        let counted = Arc::clone(&counted);
        async move {
            match (seen.method.as_str(), seen.json()["purge"] == true) {
                ("POST", _) => {
                    ModuleAnswer::json(201, &json!({"id": "job1"})).with("location", "/_/tenant/job1")
                }
                ("GET", _) if counted.fetch_add(1, Ordering::Relaxed) < 2 => {
                    ModuleAnswer::json(200, &json!({"complete": false}))
                }
                ("GET", _) => ModuleAnswer::json(200, &json!({"complete": true})),
                _ => ModuleAnswer::text(204, ""),
            }
        }
    })
    .await;
    let id = format!("mod-{name}-1.0.0");
    house.add_deploy_and_enable(&tenant_interface_descriptor(&name, "1.0.0", "2.0", &handlers), &there).await;
    assert_eq!(
        received_calls(&there)[0],
        expected_call("POST", "/_/tenant", json!({"module_to": id, "purge": false}))
    );
    let methods: Vec<String> =
        there.seen_requests().into_iter().map(|seen| format!("{} {}", seen.method, seen.path)).collect();
    assert_eq!(
        methods[1..],
        ["GET /_/tenant/job1", "GET /_/tenant/job1", "GET /_/tenant/job1", "DELETE /_/tenant/job1"]
    );
    house.operator.delete(&house.tenant_path(&format!("modules/{id}?purge=true"))).await.says(204, "");
    let last = there.seen_at("/_/tenant").pop().unwrap();
    assert_eq!(last.json(), json!({"module_from": id, "purge": true}));
}

#[tokio::test]
async fn a_job_that_fails_is_told_with_its_messages() {
    let house = OkapiLibrary::without_modules().await;
    let name = new_name();
    let handlers = json!([
        {"methods": ["POST"], "pathPattern": "/_/tenant"},
        {"methods": ["GET", "DELETE"], "pathPattern": "/_/tenant/{id}"},
    ]);
    let there = OutsideModule::start(async |seen| match seen.method.as_str() {
        "POST" => ModuleAnswer::json(201, &json!({"id": "1"})).with("location", "/_/tenant/1"),
        "GET" => ModuleAnswer::json(
            200,
            &json!({"complete": true, "error": "SQL error", "messages": ["drop x", "create x"]}),
        ),
        _ => ModuleAnswer::text(204, ""),
    })
    .await;
    let id = format!("mod-{name}-1.0.0");
    house.add_module(&tenant_interface_descriptor(&name, "1.0.0", "2.0", &handlers)).await;
    let wanted = json!([{"id": id, "action": "enable"}]);
    let none = format!("No running instances for module {id}. Can not invoke /_/tenant");
    house.install_modules(&wanted).await.says(400, &none);
    house.operator.post(&house.tenant_path("install?invoke=false"), &wanted).await.expect(200);
    house
        .operator
        .post(&house.tenant_path("install?invoke=false"), &json!([{"id": id, "action": "disable"}]))
        .await
        .expect(200);
    house.deploy_module(&id, &there).await;
    let said = format!("Tenant operation failed for module {id}: SQL error\ndrop x\ncreate x");
    house.install_modules(&wanted).await.says(500, &said);
    assert!(house.enabled_modules().await.is_empty());
}

#[tokio::test]
async fn timers_of_a_module_are_called_as_long_as_the_tenant_has_it() {
    let house = OkapiLibrary::without_modules().await;
    let name = new_name();
    let there = OutsideModule::start(async |_| ModuleAnswer::text(200, "")).await;
    let mut descriptor = module(&name, "1.0.0");
    let timer = json!({"id": "_timer", "version": "1.0", "interfaceType": "system", "handlers": [
        {"methods": ["POST"], "pathPattern": format!("/{name}/tidy"), "unit": "millisecond", "delay": 1,
         "modulePermissions": ["users.item.get"]},
    ]});
    descriptor["provides"].as_array_mut().unwrap().push(timer);
    house.add_deploy_and_enable(&descriptor, &there).await;
    let path = house.tenant_path("timers");
    let timers = house.operator.get(&path).await.expect(200).json();
    assert_eq!([&timers[0]["id"], &timers[0]["state"]], [&json!(format!("mod-{name}_0")), &json!("waiting")]);
    let tidy = format!("/{name}/tidy");
    eventually("the timer is called", async || {
        house.library.octavo.run_due_timer().await;
        !there.seen_at(&tidy).is_empty()
    })
    .await;
    assert_eq!(there.seen_requests()[0].header("x-okapi-tenant"), Some(house.library.tenant.as_str()));
    let id = format!("mod-{name}-1.0.0");
    house.operator.delete(&house.tenant_path(&format!("modules/{id}"))).await.expect(204);
    assert_eq!(house.operator.get(&path).await.expect(200).json(), json!([]));
}
