//! Dashboards: everyone's own, others' access by levels, widgets.

use octavo_testkit::{Library, fresh_id};
use serde_json::{Value, json};

use super::{get, texts};

/// What FOLIO's set of permissions for users of dashboards contains, without the administrator's.
const USER_PERMISSIONS: &[&str] = &[
    "servint.dashboards.user.get",
    "servint.dashboards.user.put",
    "servint.dashboards.item.get",
    "servint.dashboards.item.post",
    "servint.dashboards.item.put",
    "servint.dashboards.item.delete",
    "servint.dashboards.collection.get",
    "servint.dashboards.displayData.get",
    "servint.dashboards.displayData.put",
    "servint.widgetInstances.collection.get",
    "servint.widgetInstances.item.get",
    "servint.widgetInstances.item.post",
    "servint.widgetInstances.item.put",
    "servint.widgetInstances.item.delete",
];

const OWN_DASHBOARDS: &str = "/servint/dashboard/my-dashboards";

fn id(record: &Value) -> String {
    record["id"].as_str().unwrap_or_else(|| panic!("no id: {record}")).to_owned()
}

fn widget(dashboard: &str) -> Value {
    json!({
        "name": "Loans", "definitionName": "Search", "definitionVersion": "1.0", "configuration": "{}",
        "owner": {"id": dashboard},
    })
}

#[tokio::test]
async fn each_user_has_a_dashboard_from_the_first_call_on() {
    let library = Library::furnished().await;
    let user = library.as_user(USER_PERMISSIONS).await;
    let (first, second, third) =
        tokio::join!(user.get(OWN_DASHBOARDS), user.get(OWN_DASHBOARDS), user.get(OWN_DASHBOARDS));
    for reply in [first, second, third].map(|reply| reply.expect(200).json()) {
        assert_eq!(reply.as_array().unwrap().len(), 1, "three at a time make one: {reply}");
    }
    let own = get(&user, OWN_DASHBOARDS).await;
    assert_eq!(own[0]["dashboard"]["name"], "My dashboard");
    assert_eq!(own[0]["dashboard"]["widgets"], json!([]));
    assert_eq!(own[0]["access"]["value"], "manage");
    assert_eq!(own[0]["user"], json!({"id": user.user}));
    assert_eq!((&own[0]["userDashboardWeight"], &own[0]["defaultUserDashboard"]), (&json!(0), &json!(true)));

    let second = user.post("/servint/dashboard", &json!({"name": "Second"})).await.expect(200).json();
    let own = get(&user, &format!("{OWN_DASHBOARDS}?sort=userDashboardWeight")).await;
    assert_eq!(own[1]["dashboard"]["id"], second["id"]);
    assert_eq!((&own[1]["userDashboardWeight"], &own[1]["defaultUserDashboard"]), (&json!(1), &json!(false)));

    let order = json!([
        {"id": own[0]["id"], "user": {"id": user.user}, "userDashboardWeight": 5},
        {"id": own[1]["id"], "user": {"id": user.user}, "userDashboardWeight": 0, "defaultUserDashboard": true},
    ]);
    let own =
        user.put(&format!("{OWN_DASHBOARDS}?sort=userDashboardWeight"), &order).await.expect(200).json();
    let shown: Vec<_> = own
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (&one["dashboard"]["name"], &one["defaultUserDashboard"]))
        .collect();
    assert_eq!(shown, [(&json!("Second"), &json!(true)), (&json!("My dashboard"), &json!(false))]);
    for (entry, status) in [
        (json!({"user": {"id": user.user}}), 400),
        (json!({"id": own[0]["id"]}), 400),
        (json!({"id": own[0]["id"], "user": {"id": fresh_id()}}), 403),
    ] {
        user.put(OWN_DASHBOARDS, &json!([entry])).await.expect(status);
    }
    user.put(OWN_DASHBOARDS, &json!({})).await.expect(400);
    // A program without a token is nobody.
    library.get(OWN_DASHBOARDS).await.expect(403);
}

/// What users of each level may do, by the status of the answer.
#[tokio::test]
async fn who_may_view_may_not_edit_and_who_may_edit_may_not_manage() {
    let library = Library::furnished().await;
    let owner = library.as_user(USER_PERMISSIONS).await;
    let made = owner.post("/servint/dashboard", &json!({"name": "Shared"})).await.expect(200).json();
    let path = format!("/servint/dashboard/{}", id(&made));
    let kept = owner.post("/servint/widgets/instances", &widget(&id(&made))).await.expect(201).json();
    let kept = format!("/servint/widgets/instances/{}", id(&kept));
    let [viewer, editor, manager, stranger] = [
        library.as_user(USER_PERMISSIONS).await,
        library.as_user(USER_PERMISSIONS).await,
        library.as_user(USER_PERMISSIONS).await,
        library.as_user(USER_PERMISSIONS).await,
    ];
    let administrator = library.as_user(&[USER_PERMISSIONS, &["servint.dashboards.admin"]].concat()).await;
    let access = json!([
        {"user": {"id": viewer.user}, "access": "view"},
        {"user": {"id": editor.user}, "access": {"value": "edit"}},
        {"user": {"id": manager.user}, "access": "Manage"},
        {"user": {"id": owner.user}, "access": "view"},
    ]);
    let users = owner.post(&format!("{path}/users?perPage=100"), &access).await.expect(200).json();
    assert_eq!(users.as_array().unwrap().len(), 4);
    assert_eq!(users[0]["dashboard"], json!({"id": made["id"]}));

    for (user, named, [view, edit, manage]) in [
        (&stranger, json!({}), [403, 403, 403]),
        (&viewer, json!({"access": "view"}), [200, 403, 403]),
        (&editor, json!({"access": "edit"}), [200, 200, 403]),
        (&manager, json!({"access": "manage"}), [200, 200, 200]),
        (&owner, json!({"access": "manage"}), [200, 200, 200]),
        (&administrator, json!({"access": null}), [200, 200, 200]),
    ] {
        for read in ["", "/users", "/widgets", "/displayData"] {
            user.get(&format!("{path}{read}")).await.expect(view);
        }
        let told = user.get(&format!("{path}/my-access")).await.expect(view);
        if view == 200 {
            assert_eq!(told.json(), named);
        }
        user.get(&kept).await.expect(view);
        user.put(&path, &json!({"description": "changed"})).await.expect(edit);
        user.put(&format!("{path}/displayData"), &json!({"layoutData": "{}"})).await.expect(edit);
        user.put(&kept, &json!({"name": "Changed"})).await.expect(edit);
        let new = user.post("/servint/widgets/instances", &widget(&id(&made))).await;
        if edit == 200 {
            let new = format!("/servint/widgets/instances/{}", id(&new.expect(201).json()));
            user.delete(&new).await.expect(204);
        } else {
            new.expect(403);
        }
        user.post(&format!("{path}/users"), &json!([])).await.expect(manage);
        let all = if user.user == administrator.user { 200 } else { 403 };
        user.get("/servint/dashboard").await.expect(all);
        user.get("/servint/widgets/instances").await.expect(all);
    }
    stranger.delete(&path).await.expect(403);
    editor.delete(&path).await.expect(403);
    manager.delete(&path).await.expect(204);
    owner.get(&path).await.expect(403);
    administrator.get(&path).await.expect(404);
    administrator.get(&kept).await.expect(404);
}

#[tokio::test]
async fn a_widget_is_moved_only_to_a_dashboard_that_one_may_edit() {
    let library = Library::furnished().await;
    let (owner, other) = (library.as_user(USER_PERMISSIONS).await, library.as_user(USER_PERMISSIONS).await);
    let dashboard = async |of: &octavo_testkit::Library, name: &str| {
        id(&of.post("/servint/dashboard", &json!({"name": name})).await.expect(200).json())
    };
    let (own, second) = (dashboard(&owner, "One").await, dashboard(&owner, "Two").await);
    let foreign = dashboard(&other, "Foreign").await;
    let made = owner.post("/servint/widgets/instances", &widget(&own)).await.expect(201).json();
    let path = format!("/servint/widgets/instances/{}", id(&made));
    for to in [json!({"id": foreign}), json!(foreign)] {
        owner.put(&path, &json!({"owner": to})).await.expect(403);
    }
    assert_eq!(get(&owner, &path).await["owner"]["id"], json!(own));
    owner.put(&path, &json!({"owner": {"id": second}})).await.expect(200);
    assert_eq!(get(&owner, &path).await["owner"]["id"], json!(second));
}

#[tokio::test]
async fn access_is_given_changed_and_taken_away_but_for_ones_own() {
    let library = Library::furnished().await;
    let (owner, other) = (library.as_user(USER_PERMISSIONS).await, library.as_user(USER_PERMISSIONS).await);
    let made = owner.post("/servint/dashboard", &json!({"name": "Shared"})).await.expect(200).json();
    let path = format!("/servint/dashboard/{}", id(&made));
    let users = format!("{path}/users?sort=dateCreated");
    let level = async |user| {
        let all = get(&owner, &users).await;
        let found = all.as_array().unwrap().iter().find(|one| one["user"]["id"] == json!(user)).cloned();
        found.map(|one| (id(&one), one["access"]["value"].as_str().unwrap().to_owned()))
    };
    let change = async |entry: Value| owner.post(&users, &json!([entry])).await;
    change(json!({"user": {"id": other.user}, "access": "view"})).await.expect(200);
    let (access, view) = level(other.user).await.unwrap();
    assert_eq!(view, "view");
    change(json!({"user": {"id": other.user}, "access": "manage"})).await.expect(200);
    assert_eq!(level(other.user).await.unwrap().1, "view", "an access that is there is changed by its id");
    change(json!({"id": access, "access": "edit"})).await.expect(200);
    assert_eq!(level(other.user).await.unwrap().1, "edit");
    change(json!({"id": access, "access": "none such"})).await.expect(200);
    assert_eq!(level(other.user).await.unwrap().1, "edit", "an unknown level changes nothing");
    change(json!({"user": {"id": fresh_id()}, "access": "none such"})).await.expect(422);
    change(json!({"access": "view"})).await.expect(422);
    let (own, _) = level(owner.user).await.unwrap();
    change(json!({"id": own, "_delete": true})).await.expect(200);
    assert_eq!(level(owner.user).await.unwrap().1, "manage");
    change(json!({"id": access, "_delete": true})).await.expect(200);
    assert_eq!(level(other.user).await, None);
    let gone = format!("/servint/dashboard/{}/users", fresh_id());
    owner.post(&gone, &json!([])).await.expect(403);
}

#[tokio::test]
async fn a_dashboard_is_made_of_name_and_widgets_and_a_change_adds_widgets_at_the_end() {
    let library = Library::furnished().await;
    let user = library.as_user(USER_PERMISSIONS).await;
    let sent = json!({"name": "W", "description": "mine"});
    let made = user.post("/servint/dashboard", &sent).await.expect(200).json();
    assert_eq!(made.get("description"), None, "{made}");
    let path = format!("/servint/dashboard/{}", id(&made));
    let new = |name: &str| json!({"name": name, "definitionName": "d", "definitionVersion": "1", "configuration": "{}"});
    let mut last = new("last");
    last["weight"] = json!(7);
    let changed = json!({"description": "mine", "widgets": [last]});
    let changed = user.put(&path, &changed).await.expect(200).json();
    assert_eq!(changed["description"], "mine");
    let widgets = json!({"widgets": [{"id": changed["widgets"][0]["id"]}, new("A"), new("B")]});
    user.put(&path, &widgets).await.expect(200);
    let all = get(&user, &format!("{path}/widgets?sort=weight")).await;
    assert_eq!(texts(&all, "name"), ["last", "A", "B"]);
    assert_eq!((&all[1]["weight"], &all[2]["weight"]), (&json!(8), &json!(9)));
}

#[tokio::test]
async fn widgets_come_one_after_the_other_and_tell_their_definition() {
    let library = Library::furnished().await;
    let user = library.as_user(USER_PERMISSIONS).await;
    let widgets =
        json!([{"name": "A", "definitionName": "d", "definitionVersion": "1", "configuration": "{}"}]);
    let made =
        user.post("/servint/dashboard", &json!({"name": "W", "widgets": widgets})).await.expect(200).json();
    assert_eq!(made["widgets"][0]["weight"], 0);
    let dashboard = id(&made);
    let second = user.post("/servint/widgets/instances", &widget(&dashboard)).await.expect(201).json();
    assert_eq!(second["weight"], 1);
    assert_eq!(second["definition"], json!({"name": "Search", "version": "1.0"}));
    assert_eq!(second["owner"], json!({"id": dashboard}));
    let mut given = widget(&dashboard);
    given["weight"] = json!(7);
    user.post("/servint/widgets/instances", &given).await.expect(201);
    let all = get(&user, &format!("/servint/dashboard/{dashboard}/widgets?sort=weight;desc")).await;
    assert_eq!(texts(&all, "name"), ["Loans", "Loans", "A"]);
    user.post("/servint/widgets/instances", &widget(&fresh_id().to_string())).await.expect(404);
    user.post("/servint/widgets/instances", &json!({"name": "x"})).await.expect(404);
    let mut nameless = widget(&dashboard);
    nameless["name"] = Value::Null;
    let refused = user.post("/servint/widgets/instances", &nameless).await.expect(422).json();
    assert_eq!(refused["message"], "Property [name] of class [class org.olf.WidgetInstance] cannot be null");

    assert_eq!(texts(&get(&library, "/servint/widgets/types").await, "name"), ["SimpleSearch"]);
    for path in ["/servint/widgets/definitions", "/servint/widgets/definitions/global"] {
        assert_eq!(get(&library, path).await, json!([]));
    }
    for action in ["triggerTypeImport", "triggerTypeImportClean", "ensureDisplayData"] {
        assert_eq!(get(&library, &format!("/servint/admin/{action}")).await, json!({"status": "OK"}));
    }
    library.get("/servint/admin/other").await.expect(404);
}
