//! What mod-users asks of a user beyond the schema, and what it says when it is not so.

use octavo_testkit::{Library, fresh_id};
use serde_json::{Value, json};

#[tokio::test]
async fn what_a_user_names_must_exist() {
    let library = Library::open().await;
    let kind = fresh_id();
    let address =
        |kind: &str| json!({"personal": {"lastName": "Doe", "addresses": [{"addressTypeId": kind}]}});
    library
        .post("/users", &address(&kind.to_string()))
        .await
        .says(400, "You cannot add addresses with non-existent address types");
    library.post("/addresstypes", &json!({"id": kind, "addressType": "Home"})).await.expect(201);
    library.post("/users", &address(&kind.to_string())).await.expect(201);
    let twice = json!({"personal": {"lastName": "Doe", "addresses": [{"addressTypeId": kind}, {"addressTypeId": kind}]}});
    library.post("/users", &twice).await.says(400, "Users are limited to one address per addresstype");
    library
        .delete(&format!("/addresstypes/{kind}"))
        .await
        .says(400, &format!("Cannot remove address type '{kind}' as it is being used"));
}

#[tokio::test]
async fn a_change_answers_with_text_where_making_answers_with_a_refusal() {
    let library = Library::open().await;
    let (jane, joan) = (fresh_id(), fresh_id());
    library.post("/users", &json!({"id": jane, "username": " jane "})).await.expect(201);
    library.post("/users", &json!({"id": joan, "username": "joan"})).await.expect(201);
    library
        .post("/users", &json!({"username": "JANE"}))
        .await
        .refused("User with this username already exists");
    library.post("/users", &json!({"id": jane})).await.refused("User with this id already exists");
    let path = format!("/users/{joan}");
    let taken = library.put(&path, &json!({"id": joan, "username": "Jane"})).await;
    taken.says(400, "User with this username already exists");
    let other = library.put(&path, &json!({"id": jane, "username": "joan"})).await;
    other.says(400, "You cannot change the value of the id field");
    library.post("/users", &json!({"username": "june", "externalSystemId": "June@Home"})).await.expect(201);
    let taken = library.put(&path, &json!({"id": joan, "externalSystemId": "june@HOME"})).await;
    let key = "lower(f_unaccent(jsonb ->> 'externalSystemId'::text))";
    taken.says(400, &format!("Key ({key})=(june@home) already exists."));
    let nobody = fresh_id().to_string();
    library.put(&format!("/users/{nobody}"), &json!({"id": nobody})).await.says(404, &nobody);
    library.delete(&format!("/users/{nobody}")).await.says(404, &nobody);
}

#[tokio::test]
async fn a_name_loses_its_blanks_when_the_user_is_made_and_keeps_them_in_a_change() {
    let library = Library::open().await;
    let jane = fresh_id();
    let path = format!("/users/{jane}");
    let name = async || library.get(&path).await.expect(200).json()["username"].clone();
    library.post("/users", &json!({"id": jane, "username": " jane "})).await.expect(201);
    assert_eq!(name().await, "jane");
    library.put(&path, &json!({"id": jane, "username": " jane "})).await.expect(204);
    assert_eq!(name().await, " jane ");
}

#[tokio::test]
async fn a_change_is_refused_for_its_custom_fields_first() {
    let library = Library::open().await;
    let (jane, kind) = (fresh_id(), fresh_id());
    library.post("/users", &json!({"id": jane})).await.expect(201);
    let mut changed = json!({"id": fresh_id(), "customFields": {"pet": "cat"},
        "personal": {"lastName": "Doe", "addresses": [{"addressTypeId": kind}, {"addressTypeId": kind}]}});
    let path = format!("/users/{jane}");
    library.put(&path, &changed).await.expect(422);
    library.post("/users", &changed).await.says(400, "Users are limited to one address per addresstype");
    changed.as_object_mut().unwrap().remove("customFields");
    library.put(&path, &changed).await.says(400, "Users are limited to one address per addresstype");
}

#[tokio::test]
async fn a_proxy_relation_that_exists_is_refused_by_the_id_that_was_sent() {
    let library = Library::open().await;
    let relation = json!({"id": fresh_id(), "userId": fresh_id(), "proxyUserId": fresh_id()});
    library.post("/proxiesfor", &relation).await.expect(201);
    let mut again = relation.clone();
    again["id"] = json!(fresh_id());
    let mut nameless = relation.clone();
    nameless.as_object_mut().unwrap().remove("id");
    for (sent, id) in [(&again, &again["id"]), (&nameless, &Value::Null)] {
        let refused = library.post("/proxiesfor", sent).await.expect(422).json();
        let error = &refused["errors"][0];
        assert_eq!(error["message"], "Proxy relationship already exists");
        assert_eq!(error["parameters"], json!([{"key": "proxyFor", "value": id}]));
    }
}

#[tokio::test]
async fn the_home_tenant_of_a_user_is_stored_without_an_answer_and_found_by_what_is_said() {
    let library = Library::open().await;
    let home = json!({"id": fresh_id(), "userId": fresh_id(), "username": "jane", "tenantId": "west",
        "centralTenantId": "central"});
    let made = library.post("/user-tenants", &home).await.expect(201);
    assert_eq!(made.text(), "");
    let found = library.get("/user-tenants?username=jane&tenantId=&email=%20").await.expect(200);
    assert_eq!(found.total(), 1, "{found}");
    assert_eq!(library.get("/user-tenants?tenantId=east").await.expect(200).total(), 0);
    let either = "/user-tenants?tenantId=east&username=jane&queryOp=OR";
    assert_eq!(library.get(either).await.expect(200).total(), 1);
}

#[tokio::test]
async fn only_a_library_with_one_home_tenant_leaves_its_consortium() {
    let library = Library::open().await;
    let home = || json!({"id": fresh_id(), "userId": fresh_id(), "tenantId": "west"});
    let refused = "User-tenant table in member ECS tenant should contain 1 record";
    library.delete("/user-tenants").await.says(500, refused);
    library.post("/user-tenants", &home()).await.expect(201);
    library.delete("/user-tenants").await.expect(204);
    for _ in 0..2 {
        library.post("/user-tenants", &home()).await.expect(201);
    }
    library.delete("/user-tenants").await.says(500, refused);
    assert_eq!(library.get("/user-tenants").await.expect(200).total(), 2);
}

#[tokio::test]
async fn departments_count_their_users() {
    let library = Library::open().await;
    let law = fresh_id();
    library.post("/departments", &json!({"id": law, "name": "Law", "code": "L"})).await.expect(201);
    library
        .post("/departments", &json!({"name": "law", "code": "X"}))
        .await
        .refused("Department with this name already exists");
    library.post("/users", &json!({"departments": [law]})).await.expect(201);
    assert_eq!(library.get(&format!("/departments/{law}")).await.json()["usageNumber"], 1);
}

#[tokio::test]
async fn departments_of_users_exist_and_stay() {
    let library = Library::open().await;
    let (law, nowhere, jane) = (fresh_id(), fresh_id(), fresh_id());
    library.post("/departments", &json!({"id": law, "name": "Law", "code": "L"})).await.expect(201);
    let user = |departments: Value| json!({"id": jane, "username": "jane", "departments": departments});
    let missing = format!("Key (departments)=({nowhere}) is not present in table \"departments\".");
    library.post("/users", &user(json!([law, nowhere]))).await.refused(&missing);
    library.post("/users", &user(json!([law]))).await.expect(201);
    let path = format!("/users/{jane}");
    library.put(&path, &user(json!([law, nowhere]))).await.says(400, &missing);
    library.delete(&format!("/departments/{law}")).await.says(
        400,
        &format!("Cannot delete departments.id = {law} because id is still referenced from table users."),
    );
    library.put(&path, &user(json!([]))).await.expect(204);
    library.delete(&format!("/departments/{law}")).await.expect(204);
}

#[tokio::test]
async fn a_pin_is_set_checked_and_removed() {
    let library = Library::open().await;
    let pin = |pin: &str| json!({"id": "7f0a6ff6-4ea2-4f2a-8a5b-6b7bdd3c1b11", "pin": pin});
    library.post("/patron-pin/verify", &pin("1234")).await.expect(422);
    library.post("/patron-pin", &pin("9999")).await.expect(201);
    library.post("/patron-pin", &pin("1234")).await.expect(201);
    library.post("/patron-pin/verify", &pin("9999")).await.expect(422);
    library.post("/patron-pin/verify", &pin("1234")).await.expect(200);
    library.send("DELETE", "/patron-pin", pin("").to_string()).await.expect(200);
    library.post("/patron-pin/verify", &pin("1234")).await.expect(422);
}

#[tokio::test]
async fn tags_speak_the_dialect_of_their_module() {
    let library = Library::furnished().await;
    let nowhere = fresh_id();
    let reply = library.get(&format!("/tags/{nowhere}")).await.expect(404);
    let error = json!({"message": format!("Tag with id [{nowhere}] was not found"), "type": "-1", "code": "NOT_FOUND_ERROR"});
    assert_eq!(reply.json(), json!({"errors": [error]}));
    for path in ["/tags/1", "/tags?limit=0", "/tags?query=a%20b%20c%20=%20("] {
        let reply = library.get(path).await.expect(422);
        assert_eq!(reply.json()["errors"][0]["code"], "VALIDATION_ERROR", "{reply}");
    }
    let unknown = json!({"label": "blue", "colour": "blue"});
    let made = library.post("/tags", &unknown).await.expect(201).json();
    assert_eq!(made.get("colour"), None);
    library.post("/tags", &unknown).await.refused("Key (label)=(blue) already exists.");
}

#[tokio::test]
async fn users_whose_time_has_passed_are_active_no_longer() {
    let library = Library::open().await;
    let mut users = Vec::new();
    for (until, active, expected) in [
        (json!("2020-01-01T00:00:00.000+00:00"), json!(true), json!(false)),
        (json!("2999-01-01T00:00:00.000+00:00"), json!(true), json!(true)),
        (json!(null), json!(true), json!(true)),
        (json!("2020-01-01T00:00:00.000+00:00"), json!(false), json!(false)),
    ] {
        let user = fresh_id();
        let mut record = json!({"id": user, "active": active, "personal": {"lastName": "Doe"}});
        if until.is_string() {
            record["expirationDate"] = until;
        }
        library.post("/users", &record).await.expect(201);
        users.push((user, expected));
    }
    library.run_job("/users/expire/timer").await;
    for (user, expected) in users {
        let user = library.get(&format!("/users/{user}")).await.expect(200).json();
        assert_eq!(user["active"], expected, "{user}");
    }
    let found = library.get("/users?query=active==true").await.expect(200);
    assert_eq!(found.total(), 2, "{found}");
}
