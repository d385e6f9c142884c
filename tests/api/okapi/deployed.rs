//! `/_/discovery`, `/_/deployment` and `/_/env`.

use octavo_testkit::{ModuleAnswer, OutsideModule, fresh_id};
use serde_json::json;

use super::{OkapiLibrary, new_name};

#[tokio::test]
async fn an_instance_is_added_shown_moved_and_removed() {
    let house = OkapiLibrary::without_modules().await;
    let (module, id) = (format!("mod-{}-1.0.0", new_name()), fresh_id().to_string());
    let instance = json!({"srvcId": module, "instId": id, "url": "http://127.0.0.1:1"});
    let made = house.operator.post("/_/discovery/modules", &instance).await.expect(201);
    let path = format!("/_/discovery/modules/{module}/{id}");
    assert_eq!((made.header("location"), made.json()), (Some(path.as_str()), instance.clone()));
    assert_eq!(house.operator.get(&path).await.expect(200).json(), instance);
    let of_module = format!("/_/discovery/modules/{module}");
    assert_eq!(house.operator.get(&of_module).await.expect(200).json(), json!([instance]));
    let all = house.operator.get("/_/discovery/modules").await.expect(200).json();
    assert!(all.as_array().unwrap().contains(&instance));
    let again = house.operator.post("/_/discovery/modules", &instance).await;
    again.says(400, &format!("Duplicate instId {id}"));
    let moved = json!({"srvcId": module, "instId": id, "url": "http://127.0.0.1:2"});
    assert_eq!(house.operator.put(&path, &moved).await.expect(200).json(), moved);
    assert_eq!(house.operator.get(&path).await.json(), moved);
    house.operator.delete(&path).await.says(204, "");
    house.operator.delete(&path).await.says(404, &id);
    house.operator.get(&path).await.says(404, &id);
    house.operator.get(&of_module).await.says(404, &module);
    house.operator.delete(&of_module).await.says(404, &module);
    house.library.get("/_/discovery/modules").await.expect(400);
}

#[tokio::test]
async fn what_is_no_running_instance_is_refused() {
    let house = OkapiLibrary::without_modules().await;
    for (body, status, said) in [
        (json!({"instId": "x"}), 400, "Needs srvcId"),
        (json!({"srvcId": "mod-x-1.0.0", "url": "http://a"}), 400, "Needs instId"),
        (json!({"srvcId": "mod-x-1.0.0", "instId": "x", "descriptor": {}}), 400, "missing nodeId"),
        (json!({"srvcId": "mod-x-1.0.0", "nodeId": "nowhere"}), 404, "Node nowhere not found"),
        (
            json!({"srvcId": "mod-x-1.0.0", "nodeId": "localhost"}),
            501,
            "Octavo starts no processes. Start mod-x-1.0.0 yourself, and post its address to /_/discovery/modules",
        ),
        (
            json!({"srvcId": "mod-x-1.0.0", "instId": "x", "url": "file:///etc/passwd"}),
            400,
            "The address cannot be read: it should be such as http://host:8081",
        ),
        (
            json!({"srvcId": "mod-x-1.0.0", "instId": "x", "url": "ftp://host"}),
            400,
            "The address is neither http nor https: it should be such as http://host:8081",
        ),
        (
            json!({"srvcId": "mod-x-1.0.0", "instId": "x", "url": "http://me:secret@host"}),
            400,
            "The address holds a user's name: it should be such as http://host:8081",
        ),
    ] {
        house.operator.post("/_/discovery/modules", &body).await.says(status, said);
    }
}

#[tokio::test]
async fn health_tells_which_instances_answer() {
    let house = OkapiLibrary::without_modules().await;
    let module = format!("mod-{}-1.0.0", new_name());
    let there = OutsideModule::start(async |_| ModuleAnswer::text(404, "")).await;
    let ids = [fresh_id().to_string(), fresh_id().to_string()];
    for (id, url) in [(&ids[0], there.url()), (&ids[1], "http://127.0.0.1:1".to_owned())] {
        let instance = json!({"srvcId": module, "instId": id, "url": url});
        house.operator.post("/_/discovery/modules", &instance).await.expect(201);
    }
    let path = format!("/_/discovery/health/{module}");
    let one = house.operator.get(&format!("{path}/{}", ids[0])).await.expect(200).json();
    assert_eq!(one, json!({"instId": ids[0], "srvcId": module, "healthMessage": "OK", "healthStatus": true}));
    let both = house.operator.get(&path).await.expect(200).json();
    let of = |id: &str| both.as_array().unwrap().iter().find(|one| one["instId"] == id).unwrap().clone();
    assert_eq!(
        (of(&ids[0])["healthStatus"].clone(), of(&ids[1])["healthStatus"].clone()),
        (json!(true), json!(false))
    );
    assert!(of(&ids[1])["healthMessage"].as_str().unwrap().starts_with("Fail: "));
    house.operator.get("/_/discovery/health").await.expect(200);
    house.operator.get("/_/discovery/health/mod-nothing-1.0.0").await.says(404, "mod-nothing-1.0.0");
}

#[tokio::test]
async fn there_is_one_node_which_can_be_named() {
    let house = OkapiLibrary::without_modules().await;
    let nodes = house.operator.get("/_/discovery/nodes").await.expect(200).json();
    let mut node = nodes[0].clone();
    assert_eq!((nodes.as_array().unwrap().len(), &node["nodeId"]), (1, &json!("localhost")));
    let path = "/_/discovery/nodes/localhost";
    house.operator.get("/_/discovery/nodes/nowhere").await.says(404, "Node nowhere not found");
    let other = json!({"nodeId": "other", "url": node["url"]});
    house.operator.put(path, &other).await.says(400, "Can not change nodeId for node localhost");
    let other = json!({"nodeId": "localhost", "url": "http://other"});
    house.operator.put(path, &other).await.says(400, "Can not change the URL for node localhost");
    node["nodeName"] = json!("circulation desk");
    assert_eq!(house.operator.put(path, &node).await.expect(200).json(), node);
    assert_eq!(house.operator.get("/_/discovery/nodes/circulation%20desk").await.expect(200).json(), node);
    let mut too_long = node.clone();
    too_long["nodeName"] = json!("x".repeat(256));
    house.operator.put(path, &too_long).await.says(400, "nodeName has 255 characters at most");
    assert_eq!(house.operator.get(path).await.expect(200).json(), node);
}

#[tokio::test]
async fn no_process_is_started() {
    let house = OkapiLibrary::without_modules().await;
    let path = "/_/deployment/modules";
    assert_eq!(house.operator.get(path).await.expect(200).json(), json!([]));
    house.operator.get(&format!("{path}/x")).await.says(404, "not found: x");
    house.operator.delete(&format!("{path}/x")).await.says(404, "not found: x");
    house.operator.post(path, &json!({})).await.says(400, "Needs srvcId");
    let wanted = json!({"srvcId": "mod-x-1.0.0", "descriptor": {"exec": "rm"}});
    assert!(
        house
            .operator
            .post(path, &wanted)
            .await
            .expect(501)
            .text()
            .starts_with("Octavo starts no processes.")
    );
}

#[tokio::test]
async fn variables_for_modules_are_kept() {
    let house = OkapiLibrary::without_modules().await;
    let name = new_name();
    let path = format!("/_/env/{name}");
    for (body, said) in [(json!({"value": "x"}), "missing name"), (json!({"name": name}), "missing value")] {
        house.operator.post("/_/env", &body).await.says(400, said);
    }
    let variable = json!({"name": name, "value": "db.example.org", "description": "The database's host"});
    let made = house.operator.post("/_/env", &variable).await.expect(201);
    assert_eq!((made.header("location"), made.json()), (Some(path.as_str()), variable.clone()));
    house.operator.post("/_/env", &variable).await.expect(400);
    assert_eq!(house.operator.get(&path).await.expect(200).json(), variable);
    assert!(house.operator.get("/_/env").await.expect(200).json().as_array().unwrap().contains(&variable));
    house.library.get(&path).await.expect(400);
    house.operator.delete(&path).await.says(204, "");
    house.operator.delete(&path).await.says(404, &name);
    house.operator.get(&path).await.says(404, &name);

    let odd = json!({"name": format!("{name}/é x"), "value": "x"});
    let made = house.operator.post("/_/env", &odd).await.expect(201);
    let path = format!("{path}%2F%C3%A9%20x");
    assert_eq!(made.header("location"), Some(path.as_str()));
    assert_eq!(house.operator.get(&path).await.expect(200).json(), odd);
    house.operator.delete(&path).await.says(204, "");
}
