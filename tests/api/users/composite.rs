//! A user with everything that a first screen needs; and what keeps a user from being removed.

use octavo_modules::circulation_storage::LOAN;
use octavo_modules::permissions::PERMISSION;
use octavo_testkit::reference::CIRC_DESK;
use octavo_testkit::{Library, fresh_id};
use serde_json::{Value, json};

/// The service point *Online* of FOLIO's reference records.
const ONLINE: &str = "7c5abc9f-f3d7-4856-b8d7-6712462ca007";

#[tokio::test]
async fn logging_in_answers_with_the_whole_user() {
    let library = Library::furnished().await;
    let (id, group) = (fresh_id(), "503a81cd-6c26-400f-b620-14c08943697c");
    library
        .post("/users", &json!({"id": id, "username": "jane", "active": true, "patronGroup": group}))
        .await
        .expect(201);
    library.post("/authn/credentials", &json!({"userId": id, "password": "right"})).await.expect(201);
    let credentials = json!({"username": "jane", "password": "right"});
    library.post("/bl-users/login", &credentials).await.expect(404);
    library.post("/perms/users", &json!({"userId": id, "permissions": ["tags.all"]})).await.expect(201);

    let reply = library.post("/bl-users/login", &credentials).await.expect(201);
    assert!(reply.header("x-okapi-token").is_some());
    let whole = reply.json();
    assert_eq!(whole["user"]["id"], json!(id));
    assert_eq!(whole["patronGroup"]["id"], group);
    assert_eq!(whole["permissions"]["permissions"], json!(["tags.all"]));
    assert_eq!(whole["tenant"], library.tenant.as_str());

    let expanded = library.post("/bl-users/login-with-expiry?expandPermissions=true", &credentials).await;
    let whole = expanded.expect(201).json();
    let held: Vec<&str> = whole["permissions"]["permissions"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|permission| permission["permissionName"].as_str())
        .collect();
    assert!(held.contains(&"tags.all") && held.contains(&"tags.item.get"), "{held:?}");
    assert!(whole["tokenExpiration"]["accessTokenExpiration"].is_string());

    library
        .post("/bl-users/login", &json!({"username": "jane"}))
        .await
        .says(400, "Improperly formatted request");
    let wrong = library.post("/bl-users/login", &json!({"username": "jane", "password": "x"})).await;
    wrong.refused("Password does not match");
    let own = library.acting_as(id).get("/bl-users/_self?include=perms").await.expect(200).json();
    assert_eq!(own["permissions"], json!({"permissions": ["tags.all"]}));
    assert_eq!((own.get("patronGroup"), &own["proxiesFor"]), (None, &json!([])));
    let by_id = library.get(&format!("/bl-users/by-id/{id}?include=groups")).await.expect(200).json();
    assert_eq!(by_id["patronGroup"]["id"], group);
    assert_eq!(by_id["permissions"], json!({"permissions": []}));
    library
        .get("/bl-users/by-username/nobody")
        .await
        .says(404, "No record found for query '/users?query=username==nobody'");
}

#[tokio::test]
async fn what_is_not_found_is_told_as_the_call_that_found_nothing() {
    let library = Library::furnished().await;
    let nothing = |call: &str| format!("No record found for query '{call}'");
    library.get("/bl-users").await.says(404, &nothing("/users?offset=0&limit=10"));
    let nobody = fresh_id();
    library.get(&format!("/bl-users/by-id/{nobody}")).await.says(
        404,
        &format!(
            "{{\n  \"endpoint\" : \"/users/{nobody}\",\n  \"statusCode\" : 404,\n  \"errorMessage\" : \"Not found\"\n}}"
        ),
    );
    let none = library.get("/bl-users?query=username%3D%3D%22a%20b%22&limit=5&include=groups").await;
    none.says(404, &nothing("/users?query=username%3D%3D%22a%20b%22&offset=0&limit=5"));
    let (jane, joan) = (fresh_id(), fresh_id());
    for (id, name) in [(jane, "jane"), (joan, "joan")] {
        library.post("/users", &json!({"id": id, "username": name, "active": true})).await.expect(201);
    }
    let sorted = "query=cql.allRecords%3D1%20sortby%20username";
    let of_both = format!("userId%3D%3D{jane}%20or%20userId%3D%3D{joan}");
    let found = library.get(&format!("/bl-users?{sorted}")).await;
    found.says(404, &nothing(&format!("/perms/users?query={of_both}")));
    let found = library.get(&format!("/bl-users?{sorted}&include=proxiesfor")).await;
    found.says(404, &nothing(&format!("/proxiesfor?query={of_both}")));
    let by_id = format!("/bl-users/by-id/{jane}");
    for path in [by_id.as_str(), "/bl-users/by-username/jane", "/bl-users/_self"] {
        let client = library.acting_as(jane);
        let plain = client.get(path).await.expect(200).json();
        assert_eq!(plain["permissions"], json!({"permissions": []}), "{path}");
        let expanded = client.get(&format!("{path}?include=perms&expandPermissions=true")).await;
        expanded.says(404, &nothing(&format!("/perms/users?query=userId=={jane}")));
    }
    library.post("/perms/users", &json!({"userId": jane, "permissions": []})).await.expect(201);
    let found = library.get(&format!("/bl-users?{sorted}")).await.expect(200).json();
    let users = found["compositeUsers"].as_array().unwrap();
    let proxies: Vec<&Value> = users.iter().map(|user| &user["proxiesFor"]).collect();
    assert_eq!(proxies, [&json!([]), &json!([])]);
    let beyond = library.get("/bl-users?offset=2").await.expect(200).json();
    assert_eq!(beyond["compositeUsers"], json!([]));
    library.get(&format!("{by_id}?include=perms&expandPermissions=true")).await.expect(200);
}

#[tokio::test]
async fn the_default_service_point_comes_with_the_others() {
    let library = Library::furnished().await;
    let jane = fresh_id();
    library.post("/users", &json!({"id": jane, "username": "jane", "active": true})).await.expect(201);
    let served = json!({"userId": jane, "servicePointsIds": [ONLINE], "defaultServicePointId": CIRC_DESK});
    library.post("/service-points-users", &served).await.expect(201);
    let shown = library.get(&format!("/bl-users/by-id/{jane}")).await.expect(200).json();
    let points = shown["servicePointsUser"]["servicePoints"].as_array().unwrap();
    let ids: Vec<&str> = points.iter().filter_map(|point| point["id"].as_str()).collect();
    assert_eq!(ids, [ONLINE, CIRC_DESK]);
}

#[tokio::test]
async fn a_user_with_open_loans_stays() {
    let library = Library::open().await;
    let (id, loan) = (fresh_id(), fresh_id());
    library.post("/users", &json!({"id": id, "username": "jane", "barcode": "7"})).await.expect(201);
    let lent = json!({"id": loan, "userId": id, "itemId": fresh_id(), "loanDate": "2026-01-01T00:00:00Z",
        "status": {"name": "Open"}, "action": "checkedout"});
    library.store(&LOAN, lent).await;
    let open = json!({"userId": id, "userBarcode": "7", "hasOpenTransactions": true,
        "loans": 1, "requests": 0, "feesFines": 0, "proxies": 0, "blocks": 0});
    let path = format!("/bl-users/by-id/{id}");
    assert_eq!(library.get("/bl-users/by-username/jane/open-transactions").await.expect(200).json(), open);
    assert_eq!(library.delete(&path).await.expect(409).json(), open);
    library.delete(&format!("/loan-storage/loans/{loan}")).await.expect(204);
    library.delete(&path).await.expect(204);
    library.delete(&path).await.says(404, &format!("User with id '{id}' not found"));
}

#[tokio::test]
async fn each_include_adds_its_part() {
    let library = Library::furnished().await;
    let (id, friend, point) = (fresh_id(), fresh_id(), CIRC_DESK);
    for (id, name) in [(id, "jane"), (friend, "june")] {
        library.post("/users", &json!({"id": id, "username": name, "active": true})).await.expect(201);
    }
    let proxy = json!({"userId": id, "proxyUserId": friend, "status": "Active", "requestForSponsor": "Yes",
        "notificationsTo": "Sponsor", "accrueTo": "Sponsor"});
    library.post("/proxiesfor", &proxy).await.expect(201);
    let served = json!({"userId": id, "servicePointsIds": [point], "defaultServicePointId": point});
    library.post("/service-points-users", &served).await.expect(201);
    for path in
        [format!("/bl-users/by-id/{id}"), "/bl-users/by-username/JANE".into(), "/bl-users/_self".into()]
    {
        let client = library.acting_as(id);
        let get =
            async |include: &str| client.get(&format!("{path}?include={include}")).await.expect(200).json();
        let plain = get("groups").await;
        assert_eq!((plain.get("servicePointsUser"), &plain["proxiesFor"]), (None, &json!([])), "{path}");
        assert_eq!(get("proxiesfor").await["proxiesFor"][0]["proxyUserId"], json!(friend), "{path}");
        let points = get("servicepoints").await["servicePointsUser"].clone();
        assert_eq!(points["servicePoints"][0]["id"], json!(point), "{path}");
        assert_eq!(points["defaultServicePointId"], json!(point), "{path}");
        let both = client.get(&format!("{path}?include=perms&include=proxiesfor")).await.expect(200).json();
        assert_eq!(both["proxiesFor"].as_array().unwrap().len(), 1, "{path}");
    }
}

#[tokio::test]
async fn a_user_comes_with_permissions_and_changes_with_them() {
    let library = Library::furnished().await;
    let user = json!({"username": "jane", "active": true});
    let body = json!({"user": user, "permissions": {"permissions": ["tags.all"]}});
    let made = library.post("/bl-users", &body).await.expect(201).json();
    let id = made["user"]["id"].as_str().unwrap().to_owned();
    let shown = async || library.get(&format!("/bl-users/by-id/{id}")).await.expect(200).json();
    assert_eq!(shown().await["permissions"]["permissions"], json!(["tags.all"]));
    library.post("/bl-users", &body).await.refused("User with this username already exists");

    let mut user = made["user"].clone();
    user["barcode"] = json!("77");
    let path = format!("/bl-users/{id}");
    library.put(&path, &json!({"user": user})).await.expect(204);
    assert_eq!(shown().await["user"]["barcode"], "77");
    assert_eq!(shown().await["permissions"]["permissions"], json!(["tags.all"]), "not sent: left alone");
    let body = json!({"user": user, "permissions": {"permissions": ["notes.all"]}});
    library.put(&path, &body).await.expect(204);
    assert_eq!(shown().await["permissions"]["permissions"], json!(["notes.all"]));

    library.put(&path, &json!({})).await.expect(422);
    library
        .put(&path, &json!({"user": user, "proxiesFor": [{"userId": id}]}))
        .await
        .refused("is written by /proxiesfor");
    let other = fresh_id();
    library.put(&format!("/bl-users/{other}"), &json!({"user": {"id": other}})).await.expect(404);
    let unknown = json!({"user": user, "permissions": {"permissions": ["no.such"]}});
    library.put(&path, &unknown).await.expect(422);
    assert_eq!(shown().await["permissions"]["permissions"], json!(["notes.all"]));
}

#[tokio::test]
async fn permissions_come_from_who_may_give_them() {
    let library = Library::guarded().await;
    let body = |name: &str, permissions: serde_json::Value| json!({"user": {"username": name}, "permissions": permissions});
    let tags = json!({"permissions": ["tags.item.get"]});
    library.store(&PERMISSION, json!({"permissionName": "tags.item.get"})).await;
    let plain = library.as_user(&["users-bl.item.post"]).await;
    plain.post("/bl-users", &body("a", json!({}))).await.expect(201);
    plain.post("/bl-users", &body("b", tags.clone())).await.expect(403);
    let giver = library.as_user(&["users-bl.item.post", "perms.users.item.post"]).await;
    giver.post("/bl-users", &body("b", tags.clone())).await.expect(403);
    let holder = library.as_user(&["users-bl.item.post", "perms.users.item.post", "tags.item.get"]).await;
    holder.post("/bl-users", &body("b", tags)).await.expect(201);
}
