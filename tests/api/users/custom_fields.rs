//! Custom fields of users (folio-custom-fields 2.1.0 in mod-users 19.3.1): definitions, and the values that users have.

mod collection;

use octavo_testkit::{Client, Library, Reply, fresh_id};
use serde_json::{Value, json};

/// A client whose requests name mod-users, because several modules of FOLIO have custom fields.
fn custom_fields_client(library: &Library) -> Client {
    library.with("x-okapi-module-id", "mod-users-19.3.1")
}

fn text(name: &str) -> Value {
    json!({"name": name, "type": "TEXTBOX_SHORT", "entityType": "user"})
}

fn choice(kind: &str, name: &str, options: &[&str]) -> Value {
    let values: Vec<Value> = options.iter().map(|option| json!({"value": option})).collect();
    json!({"name": name, "type": kind, "entityType": "user",
        "selectField": {"multiSelect": kind == "MULTI_SELECT_DROPDOWN", "options": {"values": values}}})
}

async fn create_field(library: &Client, field: &Value) -> Value {
    library.post("/custom-fields", field).await.expect(201).json()
}

fn field_path(field: &Value) -> String {
    format!("/custom-fields/{}", field["id"].as_str().unwrap())
}

/// The message of a reply with exactly one error.
fn single_error_message(reply: Reply) -> String {
    let error = reply.expect(422).json();
    assert_eq!(error["type"], "1", "{error}");
    error["message"].as_str().unwrap_or_default().to_owned()
}

async fn user(library: &Client, values: Value) -> String {
    let user = json!({"personal": {"lastName": "Doe"}, "customFields": values});
    let user = library.post("/users", &user).await.expect(201).json();
    format!("/users/{}", user["id"].as_str().unwrap())
}

async fn values(library: &Client, user: &str) -> Value {
    library.get(user).await.expect(200).json()["customFields"].clone()
}

#[tokio::test]
async fn the_server_gives_a_field_its_place_its_ref_id_and_ids_of_its_options() {
    let library = custom_fields_client(&Library::open().await);
    let food = create_field(&library, &choice("RADIO_BUTTON", "Favourite Food", &["Bread", "Apples"])).await;
    assert_eq!((&food["refId"], &food["order"]), (&json!("favouriteFood"), &json!(1)));
    assert_eq!(food["visible"], true);
    assert_eq!(
        food["selectField"]["options"]["values"][1],
        json!({"id": "opt_2", "value": "Apples", "default": false})
    );
    let mut sent = text("Favourite food");
    sent["refId"] = json!("mine");
    sent["order"] = json!(77);
    let second = create_field(&library, &sent).await;
    assert_eq!((&second["refId"], &second["order"]), (&json!("favouriteFood_2"), &json!(2)));
    assert_eq!(second["textField"]["fieldFormat"], "TEXT");
    let listed = library.get("/custom-fields").await.expect(200);
    assert_eq!(listed.field_values("customFields", "refId"), ["favouriteFood", "favouriteFood_2"]);
    let found =
        library.find("/custom-fields", "entityType==user sortby name/sort.descending").await.expect(200);
    assert_eq!(
        (found.total(), found.field_values("customFields", "order")),
        (2, vec!["1".to_owned(), "2".to_owned()])
    );
    assert_eq!(library.get(&field_path(&food)).await.expect(200).json(), food);
    let nobody = fresh_id();
    library
        .get(&format!("/custom-fields/{nobody}"))
        .await
        .says(404, &format!("CustomField not found by id: {nobody}"));
}

#[tokio::test]
async fn options_are_sorted_and_new_ones_numbered_after_the_last() {
    let library = custom_fields_client(&Library::open().await);
    let mut field = choice("SINGLE_SELECT_DROPDOWN", "School", &["West", "East"]);
    field["selectField"]["options"]["sortingOrder"] = json!("ASC");
    let mut field = create_field(&library, &field).await;
    let values = field["selectField"]["options"]["values"].as_array_mut().unwrap();
    assert_eq!(values[0]["value"], "East");
    values.remove(0);
    values.push(json!({"value": "North"}));
    library.put(&field_path(&field), &field).await.expect(204);
    let stored = library.get(&field_path(&field)).await.json();
    assert_eq!(
        stored["selectField"]["options"]["values"],
        json!([{"id": "opt_3", "value": "North", "default": false}, {"id": "opt_2", "value": "West", "default": false}])
    );
}

#[tokio::test]
async fn a_definition_that_its_type_does_not_allow_is_refused_with_the_reason() {
    let library = custom_fields_client(&Library::open().await);
    let with = |mut field: Value, change: &dyn Fn(&mut Value)| {
        change(&mut field);
        field
    };
    let radio = |options: &[&str]| choice("RADIO_BUTTON", "Food", options);
    let many: Vec<String> = (0..201).map(|at| at.to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let common =
        "id, name, refId, type, entityType, visible, required, isRepeatable, order, helpText, metadata";
    for (field, message) in [
        (text(&"a".repeat(66)), "The 'name' length cannot be more than 65".to_owned()),
        (
            with(text("a"), &|f| f["helpText"] = json!("a".repeat(101))),
            "The 'helpText' length cannot be more than 100".into(),
        ),
        (
            with(text("a"), &|f| f["checkboxField"] = json!({"default": true})),
            format!(
                "Attribute checkboxField is not allowed, following attributes are allowed for field of type TEXTBOX_SHORT : [{common}, textField]"
            ),
        ),
        (
            json!({"name": "Born", "type": "DATE_PICKER", "entityType": "user", "textField": {"fieldFormat": "TEXT"}}),
            format!(
                "Attribute textField is not allowed, following attributes are allowed for field of type DATE_PICKER : [{common}]"
            ),
        ),
        (
            json!({"name": "Newsletter", "type": "SINGLE_CHECKBOX", "entityType": "user"}),
            "The 'checkBox' property should be defined for 'SINGLE_CHECKBOX' custom field type.".into(),
        ),
        (
            with(radio(&["a"]), &|f| f["isRepeatable"] = json!(true)),
            "Repeatable is not supported by custom field of type RADIO_BUTTON".into(),
        ),
        (
            with(radio(&["a"]), &|f| f["selectField"] = Value::Null),
            "The 'selectField' property should be defined".into(),
        ),
        (radio(&[]), "The options amount should be in range 1 - 5".into()),
        (radio(&["a", "b", "c", "d", "e", "f"]), "The options amount should be in range 1 - 5".into()),
        (
            choice("MULTI_SELECT_DROPDOWN", "Many", &many),
            "The options amount should be in range 1 - 200".into(),
        ),
        (radio(&[" "]), "The option value cannot be blank or have more than 100 length".into()),
        (radio(&["a", "a"]), "Option values should be unique".into()),
        (
            with(radio(&["a", "b"]), &|f| {
                for at in 0..2 {
                    f["selectField"]["options"]["values"][at]["id"] = json!("opt_7");
                }
            }),
            "Option IDs should be unique".into(),
        ),
        (
            with(radio(&["a", "b"]), &|f| {
                for at in 0..2 {
                    f["selectField"]["options"]["values"][at]["default"] = json!(true);
                }
            }),
            "The max defaults amount is 1".into(),
        ),
        (
            with(radio(&["a"]), &|f| f["selectField"]["multiSelect"] = json!(true)),
            "The 'multiSelect' property should be 'false'".into(),
        ),
    ] {
        assert_eq!(single_error_message(library.post("/custom-fields", &field).await), message);
    }
    for (field, status) in [
        (json!({"type": "DATE_PICKER", "entityType": "user"}), 422),
        (json!({"name": "a", "type": "COLOUR", "entityType": "user"}), 400),
        (with(text("a"), &|f| f["colour"] = json!("red")), 422),
    ] {
        let reply = library.post("/custom-fields", &field).await;
        assert!([status, 400, 422].contains(&reply.status), "{reply}");
    }
    assert_eq!(library.get("/custom-fields").await.total(), 0);
}

#[tokio::test]
async fn the_type_and_the_format_of_a_field_stay_as_they_are() {
    let library = custom_fields_client(&Library::open().await);
    let field = create_field(&library, &text("Room")).await;
    let mut other = field.clone();
    other["type"] = json!("TEXTBOX_LONG");
    let refused = library.put(&field_path(&field), &other).await.expect(422).json();
    assert_eq!(
        refused["message"],
        "The type of the custom field can not be changed: newType = TEXTBOX_LONG, oldType = TEXTBOX_SHORT"
    );
    assert_eq!(refused["parameters"], json!([{"key": "type", "value": "\"TEXTBOX_LONG\""}]));
    let mut other = field.clone();
    other["textField"]["fieldFormat"] = json!("EMAIL");
    assert_eq!(
        single_error_message(library.put(&field_path(&field), &other).await),
        "The format of the custom field can not be changed: newFormat = EMAIL, oldFormat = TEXT"
    );
    let mut renamed = field.clone();
    renamed["name"] = json!("Room of the class");
    library.put(&field_path(&field), &renamed).await.expect(204);
    let stored = library.get(&field_path(&field)).await.json();
    assert_eq!((&stored["name"], &stored["refId"]), (&json!("Room of the class"), &json!("room")));
    let nobody = format!("/custom-fields/{}", fresh_id());
    library.put(&nobody, &field).await.expect(404);
    library.delete(&nobody).await.expect(404);
}

#[tokio::test]
async fn users_have_values_that_their_fields_take() {
    let library = custom_fields_client(&Library::open().await);
    let formatted = |name: &str, format: &str| {
        let mut field = text(name);
        field["textField"] = json!({"fieldFormat": format});
        field
    };
    let mut aliases = text("Aliases");
    aliases["isRepeatable"] = json!(true);
    for field in [
        text("Room"),
        json!({"name": "Story", "type": "TEXTBOX_LONG", "entityType": "user"}),
        aliases,
        formatted("Mail", "EMAIL"),
        formatted("Page", "URL"),
        formatted("Shoes", "NUMBER"),
        json!({"name": "Born", "type": "DATE_PICKER", "entityType": "user"}),
        json!({"name": "News", "type": "SINGLE_CHECKBOX", "entityType": "user", "checkboxField": {"default": false}}),
        choice("SINGLE_SELECT_DROPDOWN", "School", &["West", "East"]),
        choice("MULTI_SELECT_DROPDOWN", "Likes", &["Films", "Music"]),
        choice("RADIO_BUTTON", "Food", &["Bread"]),
    ] {
        create_field(&library, &field).await;
    }
    let good = json!({
        "room": "7", "story": "s".repeat(1500), "aliases": ["Jo", "Joe"], "mail": "a@example.org", "page": "https://example.org/a",
        "shoes": "42,5", "born": "2001-02-28", "news": false, "school": "opt_1", "likes": ["opt_1", "opt_2"], "food": "opt_1",
    });
    let jane = user(&library, good.clone()).await;
    assert_eq!(values(&library, &jane).await, good);
    for (values, message, key) in [
        (json!({"pet": "cat"}), "Custom field with refId pet is not found", "customFields"),
        (json!({"room": 7}), "Field with type TEXTBOX_SHORT must be a string", "room"),
        (json!({"room": null}), "Field with type TEXTBOX_SHORT must be a string", "room"),
        (json!({"room": ["7"]}), "Field with type TEXTBOX_SHORT must be a string", "room"),
        (json!({"room": " "}), "Invalid Text format", "room"),
        (json!({"room": "r".repeat(151)}), "Maximum length of the value is 150", "room"),
        (json!({"story": "r".repeat(1501)}), "Maximum length of the value is 1500", "story"),
        (json!({"mail": "jane"}), "Invalid Email format: jane", "mail"),
        (json!({"page": "jane"}), "Invalid URL: jane", "page"),
        (json!({"shoes": "many"}), "Invalid Number format: many", "shoes"),
        (json!({"born": "2001-02-29"}), "Invalid date format: 2001-02-29", "born"),
        (json!({"news": "yes"}), "Field with type SINGLE_CHECKBOX must be a boolean", "news"),
        (json!({"school": "opt_3"}), "Field school can only have following values: [opt_1, opt_2]", "school"),
        (json!({"school": ["opt_1"]}), "Field with type SINGLE_SELECT_DROPDOWN must be a string", "school"),
        (
            json!({"likes": ["opt_1", "x"]}),
            "Field likes can only have following values: [opt_1, opt_2]",
            "likes",
        ),
        (json!({"food": true}), "Field with type RADIO_BUTTON must be a string", "food"),
    ] {
        let id = jane.strip_prefix("/users/").unwrap();
        let sent = json!({"id": id, "customFields": values});
        for reply in
            [library.put(&jane, &sent).await, library.post("/users", &json!({"customFields": values})).await]
        {
            assert_eq!(reply.refused_keys(), [key], "{reply}");
            reply.refused(message);
        }
    }
    let both =
        library.post("/users", &json!({"customFields": {"pet": "cat", "shoes": "x"}})).await.expect(422);
    assert_eq!(both.refusals().len(), 2);
    // An empty text is no value, and a required field may be left out.
    let nobody = user(&library, json!({"room": "", "likes": "opt_1"})).await;
    assert_eq!(values(&library, &nobody).await, json!({"likes": "opt_1"}));
}

#[tokio::test]
async fn a_field_that_is_deleted_takes_its_values_along_and_the_others_move_up() {
    let library = custom_fields_client(&Library::open().await);
    let (room, shoes) =
        (create_field(&library, &text("Room")).await, create_field(&library, &text("Shoes")).await);
    let jane = user(&library, json!({"room": "7", "shoes": "42"})).await;
    user(&library, json!({"shoes": "39"})).await;
    let stats = library.get(&format!("{}/stats", field_path(&room))).await.expect(200).json();
    assert_eq!(stats, json!({"fieldId": room["id"], "entityType": "user", "count": 1}));
    library.delete(&field_path(&room)).await.says(204, "");
    assert_eq!(values(&library, &jane).await, json!({"shoes": "42"}));
    library.get(&format!("{}/stats", field_path(&room))).await.expect(404);
    assert_eq!(library.get(&field_path(&shoes)).await.json()["order"], 1);
    let id = jane.strip_prefix("/users/").unwrap();
    let again = library.put(&jane, &json!({"id": id, "customFields": {"room": "7"}})).await;
    again.refused("Custom field with refId room is not found");
}

#[tokio::test]
async fn an_option_that_is_removed_leaves_the_default_or_nothing() {
    let library = custom_fields_client(&Library::open().await);
    let mut likes =
        create_field(&library, &choice("MULTI_SELECT_DROPDOWN", "Likes", &["Films", "Music", "Games"])).await;
    let mut school = choice("SINGLE_SELECT_DROPDOWN", "School", &["West", "East"]);
    school["selectField"]["options"]["values"][1]["default"] = json!(true);
    let mut school = create_field(&library, &school).await;
    let all = user(&library, json!({"likes": ["opt_1", "opt_2", "opt_3"], "school": "opt_1"})).await;
    let two = user(&library, json!({"likes": ["opt_1", "opt_2"]})).await;
    let one = user(&library, json!({"likes": "opt_1", "school": "opt_2"})).await;
    let of_option = |field: &Value, option: &str| format!("{}/options/{option}/stats", field_path(field));
    let stats = library.get(&of_option(&likes, "opt_1")).await.expect(200).json();
    let expected =
        json!({"optionId": "opt_1", "customFieldId": likes["id"], "entityType": "user", "count": 3});
    assert_eq!(stats, expected);
    for field in [&mut likes, &mut school] {
        field["selectField"]["options"]["values"].as_array_mut().unwrap().remove(0);
        library.put(&field_path(field), field).await.expect(204);
    }
    assert_eq!(values(&library, &all).await, json!({"likes": ["opt_2", "opt_3"], "school": "opt_2"}));
    assert_eq!(values(&library, &two).await, json!({"likes": "opt_2"}));
    assert_eq!(values(&library, &one).await, json!({"school": "opt_2"}));
    let id = likes["id"].as_str().unwrap();
    assert_eq!(
        single_error_message(library.get(&of_option(&likes, "opt_1")).await),
        format!("Option with id 'opt_1' not found in custom field '{id}'")
    );
    let room = create_field(&library, &text("Room")).await;
    assert_eq!(
        single_error_message(library.get(&of_option(&room, "opt_1")).await),
        "The type of the custom field must be one of:SINGLE_SELECT_DROPDOWN, MULTI_SELECT_DROPDOWN, RADIO_BUTTON"
    );
}

#[tokio::test]
async fn fields_defined_at_once_get_places_and_names_of_their_own() {
    let library = custom_fields_client(&Library::open().await);
    let defined: tokio::task::JoinSet<_> = (0..8)
        .map(|_| {
            let library = library.clone();
            async move { create_field(&library, &text("Room")).await }
        })
        .collect();
    defined.join_all().await;
    let all = library.get("/custom-fields?limit=20").await.expect(200);
    assert_eq!(all.field_values("customFields", "order"), ["1", "2", "3", "4", "5", "6", "7", "8"]);
    let mut names = all.field_values("customFields", "refId");
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 8);
}

#[tokio::test]
async fn users_are_found_by_their_values() {
    let library = custom_fields_client(&Library::open().await);
    create_field(&library, &text("Room")).await;
    create_field(&library, &choice("MULTI_SELECT_DROPDOWN", "Likes", &["Films", "Music"])).await;
    user(&library, json!({"room": "Blue room", "likes": ["opt_1", "opt_2"]})).await;
    user(&library, json!({"room": "Red room", "likes": ["opt_2"]})).await;
    for (query, count) in [
        ("customFields.room==\"blue room\"", 1),
        ("customFields.room=room", 2),
        ("customFields.room==*RED*", 1),
        ("customFields.likes==*opt_1*", 1),
        ("customFields.likes=opt_2", 2),
        ("customFields.pet==cat", 0),
    ] {
        assert_eq!(library.find("/users", query).await.expect(200).total(), count, "{query}");
    }
}
