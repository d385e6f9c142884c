//! FOLIO's user interfaces: their descriptors are added by the operator, and their permission sets come with them.

use octavo_modules::permissions::PERMISSION;
use octavo_testkit::{Client, Library, fresh_id};
use serde_json::{Value, json};

/// A product that no other test has.
fn product() -> String {
    format!("folio_{}", fresh_id().simple())
}

fn interface_descriptor(id: &str, sets: &Value) -> Value {
    json!({"id": id, "name": "Desk", "requires": [{"id": "users", "version": "16.0"}], "permissionSets": sets})
}

/// A library with all of FOLIO's permissions, and its operator.
struct InterfaceLibrary {
    library: Library,
    operator: Client,
}

impl InterfaceLibrary {
    async fn open() -> InterfaceLibrary {
        let library = Library::furnished().await;
        let operator = library.operator().await;
        InterfaceLibrary { library, operator }
    }

    async fn add_descriptor(&self, id: &str, sets: &Value) {
        self.operator.post("/_/proxy/modules", &interface_descriptor(id, sets)).await.expect(201);
    }

    fn tenant_path(&self, rest: &str) -> String {
        format!("/_/proxy/tenants/{}/{rest}", self.library.tenant)
    }

    async fn install_interface(&self, id: &str, action: &str) -> octavo_testkit::Reply {
        self.operator.post(&self.tenant_path("install"), &json!([{"id": id, "action": action}])).await
    }

    async fn permission(&self, name: &str) -> Value {
        let found = self.library.find("/perms/permissions", &format!("permissionName=={name}")).await;
        found.expect(200).json()["permissions"][0].clone()
    }

    /// All that a user of the library may do.
    async fn permissions_of(&self, user: &Library) -> Vec<String> {
        let path = format!("/perms/users/{}/permissions?indexField=userId&expanded=true", user.user.unwrap());
        let held = self.library.get(&path).await.expect(200).json();
        held["permissionNames"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap().to_owned())
            .collect()
    }
}

#[tokio::test]
async fn a_user_interface_is_added_shown_and_removed_by_the_operator() {
    let house = InterfaceLibrary::open().await;
    let (operator, id) = (&house.operator, format!("{}-1.0.0", product()));
    let posted =
        interface_descriptor(&id, &json!([{"permissionName": "module.desk.enabled", "displayName": "Desk"}]));
    let path = format!("/_/proxy/modules/{id}");
    house.library.post("/_/proxy/modules", &posted).await.expect(400);
    house.library.delete(&path).await.expect(400);
    operator.get(&path).await.says(404, &id);

    let made = operator.post("/_/proxy/modules", &posted).await.expect(201);
    assert_eq!((made.json(), made.header("location")), (posted.clone(), Some(path.as_str())));
    assert_eq!(operator.get(&path).await.expect(200).json(), posted);
    let listed = operator.get(&format!("/_/proxy/modules?filter={id}")).await.expect(200).json();
    assert_eq!(listed, json!([{"id": id, "name": "Desk"}]));
    // Once more the same is no mistake; another is.
    operator.post("/_/proxy/modules", &posted).await.expect(201);
    let another = interface_descriptor(&id, &json!([]));
    operator
        .post("/_/proxy/modules", &another)
        .await
        .says(400, &format!("create: module {id} already exists"));
    let built_in = json!({"id": "mod-users-19.3.1"});
    let said = "create: module mod-users-19.3.1 already exists";
    operator.post("/_/proxy/modules", &built_in).await.says(400, said);

    house.install_interface(&id, "enable").await.expect(200);
    let used = format!("delete: module {id} is used by tenant {}", house.library.tenant);
    operator.delete(&path).await.says(400, &used);
    operator.delete(&house.tenant_path(&format!("modules/{id}"))).await.expect(204);
    operator.delete(&path).await.says(204, "");
    operator.delete(&path).await.says(404, &format!("delete: module {id} does not exist"));
    operator.delete("/_/proxy/modules/mod-users-19.3.1").await.expect(400);
}

#[tokio::test]
async fn many_are_added_at_once_or_none() {
    let house = InterfaceLibrary::open().await;
    let ids = [1, 2].map(|number| format!("{}-{number}.0.0", product()));
    let [one, two] = ids.each_ref().map(|id| interface_descriptor(id, &json!([])));
    let bad = json!({"id": "folio_bad-1.0.0", "launchDescriptor": {}});
    house.operator.post("/_/proxy/import/modules", &json!([one, bad])).await.expect(400);
    house.operator.get(&format!("/_/proxy/modules/{}", ids[0])).await.expect(404);
    house.operator.post("/_/proxy/import/modules", &json!([one, two])).await.says(204, "");
    for id in &ids {
        house.operator.get(&format!("/_/proxy/modules/{id}")).await.expect(200);
    }
}

#[tokio::test]
async fn what_a_user_interface_needs_has_to_be_there() {
    let house = InterfaceLibrary::open().await;
    let id = format!("{}-1.0.0", product());
    let posted = json!({"id": id, "requires": [{"id": "orders", "version": "2.0"}]});
    let missing = format!("Missing dependency: {id} requires orders: 2.0");
    house.operator.post("/_/proxy/modules", &posted).await.says(400, &missing);
    house.operator.post("/_/proxy/modules?check=false", &posted).await.expect(201);
    let missing = format!("interface orders required by module {id} not found");
    house.install_interface(&id, "enable").await.says(400, &missing);
    house.operator.post(&house.tenant_path("modules"), &json!({"id": id})).await.says(400, &missing);
    let unchecked = house.tenant_path("install?depCheck=false");
    house.operator.post(&unchecked, &json!([{"id": id, "action": "enable"}])).await.expect(200);

    // What can be had comes along.
    let library = Library::bare().await;
    let id = format!("{}-1.0.0", product());
    house.add_descriptor(&id, &json!([])).await;
    let install = format!("/_/proxy/tenants/{}/install", library.tenant);
    let done =
        house.operator.post(&install, &json!([{"id": id, "action": "enable"}])).await.expect(200).json();
    assert_eq!([&done[0]["id"], &done[1]["id"]], [&json!("mod-users-19.3.1"), &json!(id)]);
}

#[tokio::test]
async fn its_permission_sets_come_and_go_with_it() {
    let house = InterfaceLibrary::open().await;
    let administrator = house.library.as_user(&["perms.all", "okapi.proxy.self.timers.patch"]).await;
    let clerk = house.library.as_user(&["perms.all"]).await;
    let id = format!("{}-1.0.0", product());
    let sets = json!([
        {"permissionName": "ui-desk.all", "displayName": "Desk: all", "subPermissions": ["ui-desk.view"], "visible": true},
        {"permissionName": "ui-desk.view", "displayName": "Desk: view", "subPermissions": ["users.item.get", "x.unknown"]},
    ]);
    house.add_descriptor(&id, &sets).await;
    house.install_interface(&id, "enable").await.expect(200);
    let set = house.permission("ui-desk.all").await;
    assert_eq!(
        (&set["displayName"], &set["visible"], &set["mutable"]),
        (&json!("Desk: all"), &json!(true), &json!(false))
    );
    assert_eq!(
        (id.strip_suffix("-1.0.0"), &set["moduleVersion"]),
        (set["moduleName"].as_str(), &json!("1.0.0"))
    );
    let shown = house.library.get(&house.tenant_path("modules?full=true")).await.expect(200).json();
    let shown = shown.as_array().unwrap().iter().find(|module| module["id"] == json!(id)).unwrap();
    assert_eq!((&shown["name"], &shown["permissionSets"]), (&json!("Desk"), &sets));
    house.library.get(&house.tenant_path(&format!("modules/{id}"))).await.expect(200);

    let held = house.permissions_of(&administrator).await;
    assert!(
        ["ui-desk.all", "ui-desk.view", "users.item.get"]
            .iter()
            .all(|name| held.iter().any(|one| one == name))
    );
    assert!(
        !house.permissions_of(&clerk).await.contains(&"ui-desk.view".to_owned()),
        "a clerk is no administrator"
    );
    // Names, not copies: a set that is given opens what it contains.
    let patron = house.library.as_user(&["ui-desk.all"]).await;
    assert!(house.permissions_of(&patron).await.contains(&"users.item.get".to_owned()));

    house.install_interface(&id, "disable").await.expect(200);
    let set = house.permission("ui-desk.all").await;
    assert_eq!((&set["deprecated"], &set["displayName"]), (&json!(true), &json!("(deprecated) Desk: all")));
    house.library.get(&house.tenant_path(&format!("modules/{id}"))).await.says(404, &id);
    house.operator.post(&house.tenant_path("modules"), &json!({"id": id})).await.expect(201);
    assert_eq!(house.permission("ui-desk.all").await["deprecated"], json!(false));
}

#[tokio::test]
async fn another_version_takes_the_place_of_the_one_before() {
    let house = InterfaceLibrary::open().await;
    let name = product();
    let [old, new] = ["9.1.0", "10.0.0"].map(|version| format!("{name}-{version}"));
    house
        .add_descriptor(
            &old,
            &json!([{"permissionName": "ui-desk.edit"}, {"permissionName": "ui-desk.view"}]),
        )
        .await;
    let sets = json!([{"permissionName": "ui-desk.update", "replaces": ["ui-desk.edit"]}, {"permissionName": "ui-desk.view"}]);
    house.install_interface(&old, "enable").await.expect(200);
    let editor = house.library.as_user(&["ui-desk.edit"]).await;
    house.add_descriptor(&new, &sets).await;
    let done = house.install_interface(&name, "enable").await.expect(200).json();
    assert_eq!(done, json!([{"id": new, "from": old, "action": "enable"}]));
    assert_eq!(house.install_interface(&name, "enable").await.json()[0]["action"], "uptodate");
    assert_eq!(house.permissions_of(&editor).await, ["ui-desk.edit", "ui-desk.update"]);
    assert_eq!(house.permission("ui-desk.edit").await["deprecated"], json!(true));
    assert_eq!(house.permission("ui-desk.view").await["deprecated"], json!(false));
    let modules =
        house.library.get(&house.tenant_path(&format!("modules?filter={name}"))).await.expect(200).json();
    assert_eq!(modules, json!([{"id": new}]));
    house.operator.delete(&format!("/_/proxy/modules/{old}")).await.expect(204);
}

/// Whoever writes a descriptor gets nothing by it for those who have less.
#[tokio::test]
async fn a_descriptor_gives_nobody_more_than_they_had() {
    let house = InterfaceLibrary::open().await;
    let reader = house.library.as_user(&["tags.collection.get", "ui-theirs.view"]).await;
    let theirs = format!("{}-1.0.0", product());
    house.add_descriptor(&theirs, &json!([{"permissionName": "ui-theirs.view"}])).await;
    house.install_interface(&theirs, "enable").await.expect(200);
    let before = house.permissions_of(&reader).await;
    let everything = json!(["okapi.all", "perms.all", "users.all"]);

    // What belongs to a module that is built in is neither made anew nor replaced.
    for set in [
        json!({"permissionName": "tags.collection.get", "subPermissions": everything}),
        json!({"permissionName": "ui-x.all", "subPermissions": everything, "replaces": ["tags.collection.get"]}),
        json!({"permissionName": "okapi.x", "subPermissions": everything}),
    ] {
        let refused = house
            .operator
            .post("/_/proxy/modules", &interface_descriptor("folio_x-1.0.0", &json!([set])))
            .await;
        assert!(refused.expect(400).text().ends_with("belongs to a module that is built in"));
    }
    // What belongs to another user interface: its holders are not given the new one in its place.
    let mine = format!("{}-1.0.0", product());
    let sets = json!([{"permissionName": "ui-mine.all", "subPermissions": everything, "replaces": ["ui-theirs.view"]}]);
    house.add_descriptor(&mine, &sets).await;
    house.install_interface(&mine, "enable").await.expect(200);
    assert_eq!(house.permissions_of(&reader).await, before);
    // The same name: refused, and not enabled.
    let set = |name: &str| json!([{"permissionName": name, "subPermissions": everything}]);
    house
        .library
        .store(
            &PERMISSION,
            json!({"permissionName": "night staff", "subPermissions": [], "mutable": true, "dummy": false}),
        )
        .await;
    for (name, said) in [
        ("ui-theirs.view", "Collision! A Permission named ui-theirs.view is already defined"),
        ("night staff", "PermissionName collision with user-defined permission: night staff"),
    ] {
        let id = format!("{}-1.0.0", product());
        house.add_descriptor(&id, &set(name)).await;
        let refused = house.install_interface(&id, "enable").await.expect(400).text();
        assert!(refused.starts_with(said), "{refused}");
        house.library.get(&house.tenant_path(&format!("modules/{id}"))).await.expect(404);
    }
    assert_eq!(house.permissions_of(&reader).await, before);
}

#[tokio::test]
async fn the_permissions_of_the_operator_open_nothing_inside_of_a_set() {
    let house = InterfaceLibrary::open().await;
    let id = format!("{}-1.0.0", product());
    let contained = json!(["okapi.all", "okapi.proxy.modules.post", "okapi.proxy.tenants.modules.post"]);
    house.add_descriptor(&id, &json!([{"permissionName": "ui-desk.all", "subPermissions": contained}])).await;
    house.install_interface(&id, "enable").await.expect(200);
    let holder = house.library.as_user(&["ui-desk.all"]).await;
    assert!(house.permissions_of(&holder).await.contains(&"okapi.proxy.modules.post".to_owned()));
    holder.post("/_/proxy/modules", &json!({"id": "folio_y-1.0.0"})).await.expect(403);
    holder.post(&house.tenant_path("install"), &json!([])).await.expect(403);
    holder.delete(&format!("/_/proxy/modules/{id}")).await.expect(403);
}

#[tokio::test]
async fn modules_are_shown_under_the_names_that_folio_publishes() {
    let house = InterfaceLibrary::open().await;
    for path in [house.tenant_path("modules?full=true"), "/_/proxy/modules?full=true".to_owned()] {
        let modules = house.operator.get(&path).await.expect(200).json();
        let name = |id: &str| {
            let module = modules.as_array().unwrap().iter().find(|module| module["id"] == id);
            module.unwrap_or_else(|| panic!("{id}"))["name"].clone()
        };
        assert_eq!(
            [name("mod-users-19.3.1"), name("mod-circulation-24.2.5")],
            [json!("users"), json!("Circulation Module")]
        );
    }
}
