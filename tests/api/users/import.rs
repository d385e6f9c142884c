//! Users that another system sends (mod-user-import).

use octavo_testkit::reference::CIRC_DESK;
use octavo_testkit::{Library, Reply, encode, fresh_id};
use serde_json::{Value, json};

fn person(name: &str) -> Value {
    json!({"username": name, "externalSystemId": format!("{name}-7"), "active": true, "patronGroup": "undergrad",
        "personal": {"lastName": name, "preferredContactTypeId": "email"}})
}

async fn import_users(library: &Library, users: &[Value], more: Value) -> Reply {
    let mut body = json!({"users": users, "totalRecords": users.len()});
    for (name, value) in more.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    library.post("/user-import", &body).await
}

async fn user(library: &Library, name: &str) -> Value {
    let found = library
        .get(&format!("/users?query={}", encode(&format!("username==\"{name}\""))))
        .await
        .expect(200)
        .json();
    assert_eq!(found["totalRecords"], 1, "{name}");
    found["users"][0].clone()
}

/// How many were created, were updated and failed, and the message.
fn import_counts(reply: &Reply) -> (i64, i64, i64, String) {
    let body = reply.json();
    let number = |name: &str| body[name].as_i64().unwrap();
    let counts = (number("createdRecords"), number("updatedRecords"), number("failedRecords"));
    assert_eq!(number("totalRecords"), counts.0 + counts.1 + counts.2);
    assert_eq!(body["failedUsers"].as_array().unwrap().len() as i64, counts.2);
    (counts.0, counts.1, counts.2, body["message"].as_str().unwrap().to_owned())
}

fn expected_counts(created: i64, updated: i64, failed: i64) -> (i64, i64, i64, String) {
    (created, updated, failed, "Users were imported successfully.".to_owned())
}

#[tokio::test]
async fn nobody_is_imported_from_an_empty_list() {
    let library = Library::furnished().await;
    let reply = import_users(&library, &[], json!({})).await.expect(200);
    let expected = json!({"message": "No users to import.", "failedUsers": [], "totalRecords": 0});
    assert_eq!(reply.json(), expected);
    library.post("/user-import", &json!({"users": []})).await.expect(422);
    library.post("/user-import", &json!({"users": [{}], "totalRecords": 1})).await.expect(422);
}

#[tokio::test]
async fn users_are_created_and_then_changed_by_their_external_ids() {
    let library = Library::furnished().await;
    let source = json!({"sourceType": "uni"});
    let reply = import_users(&library, &[person("ada"), person("bob")], source.clone()).await.expect(200);
    assert_eq!(import_counts(&reply), expected_counts(2, 0, 0));
    let ada = user(&library, "ada").await;
    assert_eq!((&ada["externalSystemId"], &ada["active"]), (&json!("uni_ada-7"), &json!(true)));
    assert_eq!(ada["personal"]["preferredContactTypeId"], "002");
    let group = library.get(&format!("/groups/{}", ada["patronGroup"].as_str().unwrap())).await.expect(200);
    assert_eq!(group.json()["group"], "undergrad");
    let id = ada["id"].as_str().unwrap();
    let held = library.get(&format!("/perms/users/{id}?indexField=userId")).await.expect(200).json();
    assert_eq!(held["permissions"], json!([]));

    let mut renamed = person("ada");
    renamed["username"] = json!("ada lovelace");
    let reply = import_users(&library, &[renamed, person("cleo")], source).await.expect(200);
    assert_eq!(import_counts(&reply), expected_counts(1, 1, 0));
    assert_eq!(user(&library, "ada lovelace").await["id"], ada["id"]);
}

#[tokio::test]
async fn who_cannot_be_imported_is_reported_and_the_others_are_imported() {
    let library = Library::furnished().await;
    import_users(&library, &[person("ada"), person("bob")], json!({})).await.expect(200);
    let with = |name: &str, member: &str, value: Value| {
        let mut user = person(name);
        user[member] = value;
        user
    };
    let users = [
        with("cleo", "patronGroup", json!("wizards")),
        with("dan", "departments", json!(["History", "Alchemy"])),
        with("eve", "customFields", json!({"hobby": "chess"})),
        with("finn", "username", json!("ADA")),
        with("ada", "username", json!("bob")),
        person("gus"),
    ];
    let reply = import_users(&library, &users, json!({})).await.expect(200);
    assert_eq!(import_counts(&reply), expected_counts(1, 0, 5));
    let failed = reply.json()["failedUsers"].clone();
    let why: Vec<&str> =
        failed.as_array().unwrap().iter().map(|user| user["errorMessage"].as_str().unwrap()).collect();
    assert_eq!(
        why,
        [
            "Patron group does not exist in the system: [wizards]",
            "Departments do not exist in the system: [Alchemy, History]",
            "Custom fields do not exist in the system: [hobby].",
            "Failed to create new user with externalSystemId: finn-7",
            "Failed to update user with externalSystemId: ada-7: User with this username already exists",
        ]
    );
    assert_eq!(failed[0]["username"], "cleo");
    assert_eq!(failed[0]["externalSystemId"], "cleo-7");
    user(&library, "gus").await;
    user(&library, "ada").await;
}

#[tokio::test]
async fn those_missing_become_inactive_if_all_others_were_imported() {
    let library = Library::furnished().await;
    import_users(&library, &[person("ada"), person("bob")], json!({"sourceType": "uni"})).await.expect(200);
    import_users(&library, &[person("cleo")], json!({"sourceType": "staff"})).await.expect(200);
    library.post("/users", &json!({"username": "own", "active": true})).await.expect(201);
    let active = async |name: &str| user(&library, name).await["active"] == true;
    let more = json!({"sourceType": "uni", "deactivateMissingUsers": true});

    let mut broken = person("dan");
    broken["patronGroup"] = json!("wizards");
    let reply = import_users(&library, &[person("ada"), broken], more.clone()).await.expect(200);
    let skipped = "Users were imported successfully. Users were not deactivated because of import failures.";
    assert_eq!(import_counts(&reply), (0, 1, 1, skipped.to_owned()));
    assert!(active("bob").await);

    let reply = import_users(&library, &[person("ada")], more.clone()).await.expect(200);
    assert_eq!(import_counts(&reply), (0, 1, 0, "Deactivated missing users.".to_owned()));
    assert_eq!((active("ada").await, active("bob").await), (true, false));
    assert!(active("cleo").await && active("own").await, "of another source, and of none");

    let reply = import_users(&library, &[person("ada"), person("bob")], more).await.expect(200);
    assert_eq!(import_counts(&reply), expected_counts(0, 2, 0));
    assert!(active("bob").await);
}

#[tokio::test]
async fn what_was_not_sent_is_kept_if_so_wished() {
    let library = Library::furnished().await;
    let mut ada = person("ada");
    ada["barcode"] = json!("77");
    ada["personal"]["addresses"] =
        json!([{"addressTypeId": "Home", "city": "Bonn"}, {"addressTypeId": "Moon"}]);
    import_users(&library, &[ada], json!({})).await.expect(200);
    let mut moved = person("ada");
    moved["personal"]["addresses"] = json!([{"addressTypeId": "Work", "city": "Ulm"}]);
    let cities = async || {
        let user = user(&library, "ada").await;
        let addresses = user["personal"]["addresses"].as_array().unwrap().clone();
        (user["barcode"].clone(), addresses.iter().map(|address| address["city"].clone()).collect::<Vec<_>>())
    };
    import_users(&library, &[moved.clone()], json!({"updateOnlyPresentFields": true})).await.expect(200);
    assert_eq!(cities().await, (json!("77"), vec![json!("Bonn"), json!("Ulm")]));
    import_users(&library, &[moved], json!({})).await.expect(200);
    assert_eq!(cities().await, (Value::Null, vec![json!("Ulm")]));
}

#[tokio::test]
async fn departments_come_along() {
    let library = Library::furnished().await;
    let mut ada = person("ada");
    ada["departments"] = json!(["Old History"]);
    let included =
        json!({"included": {"departments": [{"name": "Old History"}, {"name": "Law", "code": "L"}]}});
    assert_eq!(
        import_counts(&import_users(&library, &[ada.clone()], included).await.expect(200)),
        expected_counts(1, 0, 0)
    );
    let departments = async || {
        let reply = library.get("/departments?query=cql.allRecords=1%20sortBy%20name").await.expect(200);
        reply
            .field_values("departments", "name")
            .into_iter()
            .zip(reply.field_values("departments", "code"))
            .collect::<Vec<_>>()
    };
    let pair = |name: &str, code: &str| (name.to_owned(), code.to_owned());
    assert_eq!(departments().await, [pair("Law", "L"), pair("Old History", "OLD_HISTORY")]);

    ada["departments"] = json!(["Rights"]);
    let included = json!({"included": {"departments": [{"name": "Rights", "code": "L"}]}});
    assert_eq!(
        import_counts(&import_users(&library, &[ada.clone()], included).await.expect(200)),
        expected_counts(0, 1, 0)
    );
    assert_eq!(departments().await, [pair("Old History", "OLD_HISTORY"), pair("Rights", "L")]);

    let included = json!({"included": {"customFields": [{"refId": "hobby"}]}});
    let reply = import_users(&library, &[ada], included).await.expect(500);
    assert_eq!(import_counts(&reply), (0, 0, 1, "Failed to import users.".to_owned()));
    let why = "Failed to prepare custom fields: Custom fields do not exist in the system: [hobby].";
    assert_eq!(reply.json()["error"], why);
}

#[tokio::test]
async fn custom_fields_that_come_along_change_those_of_the_library() {
    let library = Library::furnished().await;
    let fields = library.with("x-okapi-module-id", "mod-users-19.3.1");
    let faculty = json!({
        "name": "Faculty", "type": "SINGLE_SELECT_DROPDOWN", "entityType": "user", "visible": true,
        "selectField": {"multiSelect": false, "options": {"values": [{"value": "Arts", "default": true}]}},
    });
    let id = fields.post("/custom-fields", &faculty).await.expect(201).json()["id"].clone();
    let note = json!({"name": "Note", "type": "TEXTBOX_SHORT", "entityType": "user", "visible": true});
    fields.post("/custom-fields", &note).await.expect(201);
    let mut ada = person("ada");
    ada["customFields"] = json!({"faculty": "Law", "note": "Law"});
    let reply = import_users(&library, &[ada.clone()], json!({})).await.expect(200);
    assert_eq!(import_counts(&reply).2, 1, "there is no such option yet");

    let options = json!({"values": [{"value": "Law"}, {"value": "Arts"}]});
    let sent = json!([
        {"refId": "faculty", "helpText": "Where they study", "selectField": {"options": options}},
        {"refId": "note", "visible": false},
    ]);
    let included = json!({"included": {"customFields": sent}});
    assert_eq!(
        import_counts(&import_users(&library, &[ada], included).await.expect(200)),
        expected_counts(1, 0, 0)
    );
    assert_eq!(user(&library, "ada").await["customFields"], json!({"faculty": "opt_2", "note": "Law"}));
    let id = id.as_str().unwrap();
    let faculty = fields.get(&format!("/custom-fields/{id}")).await.expect(200).json();
    assert_eq!((&faculty["name"], &faculty["helpText"]), (&json!("Faculty"), &json!("Where they study")));
    let values = json!([
        {"id": "opt_1", "value": "Arts", "default": false},
        {"id": "opt_2", "value": "Law", "default": false},
    ]);
    assert_eq!(faculty["selectField"]["options"]["values"], values);
}

#[tokio::test]
async fn a_request_preference_follows_the_import() {
    let library = Library::furnished().await;
    let with = |preference: Value| {
        let mut user = person("ada");
        user["personal"]["addresses"] = json!([{"addressTypeId": "Home", "city": "Bonn"}]);
        user["requestPreference"] = preference;
        user
    };
    let stored = async || {
        let path = "/request-preference-storage/request-preference";
        library.get(path).await.expect(200).json()["requestPreferences"].as_array().unwrap().clone()
    };
    let desk = json!({"holdShelf": true, "delivery": false, "defaultServicePointId": CIRC_DESK});
    import_users(&library, &[with(desk)], json!({})).await.expect(200);
    let first = stored().await;
    assert_eq!(first[0]["defaultServicePointId"], CIRC_DESK);
    let home = json!({"holdShelf": true, "delivery": true, "fulfillment": "Delivery", "defaultDeliveryAddressTypeId": "Home"});
    import_users(&library, &[with(home)], json!({})).await.expect(200);
    let second = stored().await;
    assert_eq!(
        (second.len(), &second[0]["id"], &second[0]["fulfillment"]),
        (1, &first[0]["id"], &json!("Delivery"))
    );
    assert!(second[0]["defaultDeliveryAddressTypeId"].as_str().unwrap().len() == 36);

    for (preference, why) in [
        (
            json!({"holdShelf": true, "delivery": false, "fulfillment": "Delivery"}),
            "fulfillment must be not specified",
        ),
        (json!({"holdShelf": true, "delivery": true}), "fulfillment must not be null"),
        (
            json!({"holdShelf": true, "delivery": false, "defaultServicePointId": fresh_id()}),
            "Provided defaultServicePointId value does not exist in service point collection",
        ),
        (
            json!({"holdShelf": true, "delivery": true, "fulfillment": "Delivery", "defaultDeliveryAddressTypeId": "Moon"}),
            "Provided defaultDeliveryAddressTypeId value does not exist in addresses collection",
        ),
    ] {
        let reply = import_users(&library, &[with(preference)], json!({})).await.expect(200);
        assert_eq!(
            reply.json()["failedUsers"][0]["errorMessage"],
            format!("User Preference validation failed: {why}")
        );
    }
    import_users(&library, &[person("ada")], json!({"updateOnlyPresentFields": true})).await.expect(200);
    assert_eq!(stored().await.len(), 1);
    import_users(&library, &[person("ada")], json!({})).await.expect(200);
    assert_eq!(stored().await.len(), 0);
}

#[tokio::test]
async fn many_users_are_imported_at_once() {
    let library = Library::furnished().await;
    let users: Vec<Value> = (0..250).map(|number| person(&format!("reader{number}"))).collect();
    assert_eq!(
        import_counts(&import_users(&library, &users, json!({})).await.expect(200)),
        expected_counts(250, 0, 0)
    );
    assert_eq!(
        import_counts(&import_users(&library, &users, json!({})).await.expect(200)),
        expected_counts(0, 250, 0)
    );
    let more = json!({"deactivateMissingUsers": true});
    import_users(&library, &users[..20], more).await.expect(200);
    let active = library.get("/users?query=active==true&limit=0").await.expect(200).total();
    assert_eq!(active, 20);
}
