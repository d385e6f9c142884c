//! Installation, upgrade and removal of modules, and the jobs that tell of them.

use octavo_testkit::{ModuleAnswer, OutsideModule, eventually, fresh_id};
use serde_json::{Value, json};

use super::{OkapiLibrary, module, new_name};

fn enable_action(id: &str) -> Value {
    json!([{"id": id, "action": "enable"}])
}

#[tokio::test]
async fn an_installation_is_carried_out_in_the_background() {
    let house = OkapiLibrary::without_modules().await;
    let started = house
        .operator
        .post(&house.tenant_path("install?async=true"), &enable_action("mod-tags"))
        .await
        .expect(201);
    assert_eq!(started.json(), enable_action("mod-tags-2.2.0"));
    let job = started.header("location").unwrap().to_owned();
    eventually("the job is done", async || {
        house.operator.get(&job).await.expect(200).json()["complete"] == true
    })
    .await;
    let done = house.operator.get(&job).await.json();
    assert_eq!(done["modules"], json!([{"id": "mod-tags-2.2.0", "action": "enable", "stage": "done"}]));
    assert!(done["startDate"].is_string() && done["endDate"].is_string());
    assert_eq!(house.enabled_modules().await, ["mod-tags-2.2.0"]);
    let jobs = house.operator.get(&house.tenant_path("install")).await.expect(200).json();
    assert_eq!(jobs, json!([done]));
    house.operator.delete(&job).await.says(204, "");
    house.operator.get(&job).await.expect(404);
    house.enable_module("mod-tags").await;
    house.operator.delete(&house.tenant_path("install")).await.says(204, "");
    assert_eq!(house.operator.get(&house.tenant_path("install")).await.expect(200).json(), json!([]));
    house.library.get(&house.tenant_path("install")).await.expect(400);
}

#[tokio::test]
async fn a_job_that_runs_is_not_deleted() {
    let house = OkapiLibrary::without_modules().await;
    let name = new_name();
    let slow = OutsideModule::start(async |_| {
        tokio::time::sleep(std::time::Duration::from_secs(2)).await;
        ModuleAnswer::text(201, "")
    })
    .await;
    let mut descriptor = module(&name, "1.0.0");
    let tenant = json!({"id": "_tenant", "version": "1.1", "interfaceType": "system", "handlers": [
        {"methods": ["POST"], "pathPattern": "/_/tenant"},
    ]});
    descriptor["provides"].as_array_mut().unwrap().push(tenant);
    house.add_module(&descriptor).await;
    let id = format!("mod-{name}-1.0.0");
    house.deploy_module(&id, &slow).await;
    let started =
        house.operator.post(&house.tenant_path("install?async=true"), &enable_action(&id)).await.expect(201);
    let job = started.header("location").unwrap();
    let said = format!("Cannot delete non-completed job {}", job.rsplit('/').next().unwrap());
    house.operator.delete(job).await.says(400, &said);
    eventually("the job is done", async || house.operator.get(job).await.json()["complete"] == true).await;
}

#[tokio::test]
async fn errors_end_an_installation_or_are_noted() {
    let house = OkapiLibrary::without_modules().await;
    let names = [new_name(), new_name()];
    let broken = OutsideModule::start(async |_| ModuleAnswer::text(500, "no disk")).await;
    for name in &names {
        let mut descriptor = module(name, "1.0.0");
        let tenant = json!({"id": "_tenant", "version": "1.1", "interfaceType": "system", "handlers": [
            {"methods": ["POST"], "pathPattern": "/_/tenant"},
        ]});
        descriptor["provides"].as_array_mut().unwrap().push(tenant);
        house.add_module(&descriptor).await;
        house.deploy_module(&format!("mod-{name}-1.0.0"), &broken).await;
    }
    let [one, other] = names.each_ref().map(|name| format!("mod-{name}-1.0.0"));
    let wanted = json!([{"id": one, "action": "enable"}, {"id": other, "action": "enable"}, {"id": "mod-tags", "action": "enable"}]);
    let said = format!("POST request for {one} /_/tenant failed with 500: no disk");
    house.install_modules(&wanted).await.says(400, &said);
    assert!(house.enabled_modules().await.is_empty());
    let done = house
        .operator
        .post(&house.tenant_path("install?ignoreErrors=true"), &wanted)
        .await
        .expect(200)
        .json();
    assert_eq!([&done[0]["message"], &done[2]["message"]], [&json!(said), &Value::Null]);
    assert_eq!(house.enabled_modules().await, ["mod-tags-2.2.0"]);
}

#[tokio::test]
async fn all_modules_are_upgraded_at_once() {
    let house = OkapiLibrary::without_modules().await;
    let name = new_name();
    let versions = ["1.0.0", "1.1.0", "2.0.0-rc.1"];
    for version in versions {
        house.add_module(&module(&name, version)).await;
    }
    let [old, new, _] = versions.map(|version| format!("mod-{name}-{version}"));
    house.enable_module(&old).await;
    let upgrade = house.tenant_path("upgrade?preRelease=false");
    let told = json!([{"id": new, "from": old, "action": "enable"}]);
    let simulated =
        house.operator.send("POST", &format!("{upgrade}&simulate=true"), "").await.expect(200).json();
    assert_eq!(simulated, told);
    assert_eq!(house.enabled_modules().await, std::slice::from_ref(&old));
    assert_eq!(house.operator.send("POST", &upgrade, "").await.expect(200).json(), told);
    assert_eq!(house.enabled_modules().await, [new]);
    assert_eq!(house.operator.send("POST", &upgrade, "").await.expect(200).json(), json!([]));
}

#[tokio::test]
async fn one_module_takes_the_place_of_another_by_post() {
    let house = OkapiLibrary::without_modules().await;
    let name = new_name();
    house.add_module(&module(&name, "1.0.0")).await;
    house.add_module(&module(&name, "2.0.0")).await;
    let [old, new] = ["1.0.0", "2.0.0"].map(|version| format!("mod-{name}-{version}"));
    house.operator.post(&house.tenant_path("modules"), &json!({"id": old})).await.expect(201);
    let again = house.operator.post(&house.tenant_path("modules"), &json!({"id": old})).await;
    again.says(400, &format!("Module {old} already provided"));
    let upgraded = house
        .operator
        .post(&house.tenant_path(&format!("modules/{old}")), &json!({"id": new}))
        .await
        .expect(201);
    assert_eq!(upgraded.header("location"), Some(house.tenant_path(&format!("modules/{new}")).as_str()));
    assert_eq!((upgraded.json(), house.enabled_modules().await), (json!({"id": new}), vec![new]));
    house
        .operator
        .post(&house.tenant_path("modules"), &json!({"id": "mod-nothing-1.0.0"}))
        .await
        .says(404, "mod-nothing-1.0.0");
}

#[tokio::test]
async fn what_others_need_is_not_disabled_alone() {
    let house = OkapiLibrary::without_modules().await;
    house.enable_module("mod-users-bl").await;
    let users = house.tenant_path("modules/mod-users-19.3.1");
    let refused = house.operator.delete(&users).await.expect(400).text();
    assert!(refused.contains("interface users required by module mod-users-bl-7.7.3 not found"), "{refused}");
    // An installation takes along what cannot stay.
    let disable = json!([{"id": "mod-users", "action": "disable"}]);
    let done = house.install_modules(&disable).await.expect(200).json();
    let order: Vec<String> = super::ids(&done);
    let place = |id: &str| order.iter().position(|one| one == id).unwrap();
    assert!(place("mod-users-bl-7.7.3") < place("mod-users-19.3.1"), "{order:?}");
    assert!(!house.enabled_modules().await.contains(&"mod-users-bl-7.7.3".to_owned()));
    house.enable_module("mod-users-bl").await;
    house.operator.delete(&house.tenant_path("modules")).await.says(204, "");
    assert!(house.enabled_modules().await.is_empty());
}

#[tokio::test]
async fn what_cannot_be_understood_is_refused_before_anything_is_done() {
    let house = OkapiLibrary::without_modules().await;
    for (query, body, said) in [
        ("", json!([{"id": "mod-tags"}]), "Missing action for id mod-tags"),
        ("", enable_action("mod-nothing-1.0.0"), "Module mod-nothing-1.0.0 not found"),
        ("?parallel=0", enable_action("mod-tags"), "parallel must be 1 or higher"),
        ("?parallel=x", enable_action("mod-tags"), "Bad integer for parameter 'parallel'"),
        ("?purge=yes", enable_action("mod-tags"), "Bad boolean for parameter purge: yes"),
        (
            "?parallel=2&depCheck=false",
            enable_action("mod-tags"),
            "Install Option parallel can not be greater than 1 when Install Option depCheck is false",
        ),
    ] {
        house.operator.post(&house.tenant_path(&format!("install{query}")), &body).await.says(400, said);
    }
    let name = new_name();
    house.add_module(&module(&name, "1.0.0")).await;
    let deploy = house
        .operator
        .post(&house.tenant_path("install?deploy=true"), &enable_action(&format!("mod-{name}")))
        .await;
    assert!(deploy.expect(501).text().starts_with("Octavo starts no processes."));
    assert!(house.enabled_modules().await.is_empty());
    house.operator.get(&house.tenant_path(&format!("install/{}", fresh_id()))).await.expect(404);
}
