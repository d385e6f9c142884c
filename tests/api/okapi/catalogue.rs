//! `/_/proxy/modules`: what may be added, and how it is listed.

use octavo_testkit::{ModuleAnswer, OutsideModule};
use serde_json::json;

use super::{OkapiLibrary, ids, module, new_name};

#[tokio::test]
async fn a_module_is_added_with_all_that_its_descriptor_says() {
    let house = OkapiLibrary::without_modules().await;
    let name = new_name();
    let mut posted = module(&name, "1.0.0");
    posted["launchDescriptor"] = json!({"dockerImage": "folioorg/x"});
    posted["filters"] = json!([{"methods": ["*"], "pathPattern": "/*", "phase": "pre", "type": "headers"}]);
    let made = house.operator.post("/_/proxy/modules", &posted).await.expect(201);
    let path = format!("/_/proxy/modules/mod-{name}-1.0.0");
    assert_eq!((made.header("location"), made.json()), (Some(path.as_str()), posted.clone()));
    assert_eq!(house.operator.get(&path).await.expect(200).json(), posted);
    house.library.post("/_/proxy/modules", &module(&new_name(), "1.0.0")).await.expect(400);
    house
        .operator
        .post("/_/proxy/modules", &json!({"id": "mod-x"}))
        .await
        .says(400, "Missing semantic version for: mod-x");
}

#[tokio::test]
async fn what_a_module_requires_has_to_be_there_in_a_fitting_version() {
    let house = OkapiLibrary::without_modules().await;
    let [one, other] = [new_name(), new_name()];
    let mut needing = module(&other, "1.0.0");
    needing["requires"] = json!([{"id": one, "version": "2.0"}]);
    let id = format!("mod-{other}-1.0.0");
    let add = "/_/proxy/modules";
    let missing = format!("Missing dependency: {id} requires {one}: 2.0");
    house.operator.post(add, &needing).await.says(400, &missing);
    house.add_module(&module(&one, "1.0.0")).await;
    let have =
        format!("Incompatible version for module {id} interface {one}. Need 2.0. Have 1.0/mod-{one}-1.0.0");
    house.operator.post(add, &needing).await.says(400, &have);
    house
        .operator
        .post(&format!("{add}?check=maybe"), &needing)
        .await
        .says(400, "Bad boolean for parameter check: maybe");
    house.operator.post(&format!("{add}?check=false"), &needing).await.expect(201);
}

#[tokio::test]
async fn what_others_need_is_not_removed() {
    let house = OkapiLibrary::without_modules().await;
    let [one, other] = [new_name(), new_name()];
    house.add_module(&module(&one, "1.0.0")).await;
    let mut needing = module(&other, "1.0.0");
    needing["requires"] = json!([{"id": one, "version": "1.0"}]);
    house.add_module(&needing).await;
    let path = |name: &str| format!("/_/proxy/modules/mod-{name}-1.0.0");
    let said =
        format!("delete: module mod-{one}-1.0.0: Missing dependency: mod-{other}-1.0.0 requires {one}: 1.0");
    house.operator.delete(&path(&one)).await.says(400, &said);
    house.operator.delete(&path(&other)).await.says(204, "");
    house.operator.delete(&path(&one)).await.says(204, "");
}

#[tokio::test]
async fn lists_are_filtered_ordered_and_cut_as_asked() {
    let house = OkapiLibrary::without_modules().await;
    let name = new_name();
    for version in ["1.0.0", "2.0.0-rc.1", "2.0.0", "10.0.0"] {
        let mut one = module(&name, version);
        one["optional"] = json!([{"id": format!("{name}-other"), "version": "1.0"}]);
        one["provides"][0]["scope"] = json!(["patrons"]);
        house.add_module(&one).await;
    }
    let versions = async |query: &str| {
        let path = format!("/_/proxy/modules?filter=mod-{name}{query}");
        let listed = ids(&house.operator.get(&path).await.expect(200).json());
        listed.iter().map(|id| id[name.len() + 5..].to_owned()).collect::<Vec<_>>().join(" ")
    };
    let all = "1.0.0 2.0.0-rc.1 2.0.0 10.0.0";
    let turned = "10.0.0 2.0.0 2.0.0-rc.1 1.0.0";
    let provided = format!("&provide={name}");
    let in_version = format!("&provide={name}%3D1.0");
    let in_other = format!("&provide={name}%3D1.1");
    let in_scope = format!("&provide={name}&scope=patrons");
    let out_of_scope = format!("&provide={name}&scope=staff");
    let required = format!("&require={name}-other");
    for (query, expected) in [
        ("", all),
        ("-2", "2.0.0-rc.1 2.0.0"),
        ("&orderBy=id", turned),
        ("&orderBy=id&order=desc", turned),
        ("&orderBy=id&order=asc", all),
        ("&latest=1", "10.0.0"),
        ("&latest=2", "2.0.0 10.0.0"),
        ("&preRelease=false", "1.0.0 2.0.0 10.0.0"),
        ("&preRelease=only", "2.0.0-rc.1"),
        (&provided, all),
        (&in_version, all),
        (&in_other, ""),
        (&in_scope, all),
        (&out_of_scope, ""),
        (&required, all),
        ("&require=nothing-of-the-kind", ""),
    ] {
        assert_eq!(versions(query).await, expected, "{query}");
    }
    for (query, said) in [
        ("orderBy=name", "unknown orderBy field: name"),
        ("orderBy=id&order=up", "invalid order value: up"),
        ("full=perhaps", "Bad boolean for parameter full: perhaps"),
        ("latest=x", "Bad format for parameter latest. For input string: \"x\""),
        (
            "preRelease=1",
            "Expected \"true\", \"false\", \"only\" or undefined/null for parameter preRelease, but got: 1",
        ),
    ] {
        house.operator.get(&format!("/_/proxy/modules?{query}")).await.says(400, said);
    }
}

#[tokio::test]
async fn old_versions_from_before_releases_are_cleaned_up() {
    let house = OkapiLibrary::without_modules().await;
    let call = "/_/proxy/cleanup/modules";
    house.operator.post(call, &json!({})).await.says(400, "Missing value for parameter 'saveReleases'");
    let text = "Bad integer for parameter 'saveSnapshots'";
    house.operator.post(&format!("{call}?saveReleases=1&saveSnapshots=x"), &json!({})).await.says(400, text);
    // Other tests have snapshots, too: as many are kept as there can be.
    house
        .operator
        .post(&format!("{call}?saveReleases=1000&saveSnapshots=1000"), &json!({}))
        .await
        .says(204, "");
}

#[tokio::test]
async fn descriptors_are_pulled_from_another_okapi() {
    let house = OkapiLibrary::without_modules().await;
    let [name, lacking] = [new_name(), new_name()];
    let mut without = module(&lacking, "1.0.0");
    without["requires"] = json!([{"id": "nothing-of-the-kind", "version": "1.0"}]);
    let list = json!([module(&name, "1.0.0"), without, {"id": "no version"}, {"id": "mod-users-19.3.1"}]);
    let other = OutsideModule::start(move |seen| {
        let list = list.clone();
        async move {
            match seen.path.as_str() {
                "/_/version" => ModuleAnswer::text(200, "5.3.0"),
                _ => ModuleAnswer::json(200, &list),
            }
        }
    })
    .await;
    let pull = json!({"urls": ["http://127.0.0.1:1", other.url()]});
    let pulled = house.operator.post("/_/proxy/pull/modules", &pull).await.expect(200).json();
    assert_eq!(pulled, json!([{"id": format!("mod-{name}-1.0.0"), "name": name}]));
    house.operator.get(&format!("/_/proxy/modules/mod-{name}-1.0.0")).await.expect(200);
    house.operator.get(&format!("/_/proxy/modules/mod-{lacking}-1.0.0")).await.expect(404);
    let told = other.seen_at("/_/proxy/modules")[0].json();
    assert!(told.as_array().unwrap().contains(&json!("mod-users-19.3.1")), "{told}");

    let nowhere = json!({"urls": ["http://127.0.0.1:1", "file:///etc/passwd"]});
    house.operator.post("/_/proxy/pull/modules", &nowhere).await.says(404, "pull: none of remote URLs work");
    house.library.post("/_/proxy/pull/modules", &pull).await.expect(400);
}
