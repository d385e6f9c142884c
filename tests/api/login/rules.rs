//! Rules for passwords (mod-password-validator 3.2.0).

use octavo_testkit::{Library, fresh_id};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{log_in, user};

async fn validate_password(library: &Library, user: Uuid, password: &str) -> Value {
    let body = json!({"userId": user, "password": password});
    library.post("/password/validate", &body).await.expect(200).json()
}

async fn rule(library: &Library, name: &str) -> Value {
    let found = library.find("/tenant/rules", &format!("name=={name}")).await.expect(200);
    found.json()["rules"][0].clone()
}

fn invalid_result(message: &str) -> Value {
    json!({"result": "invalid", "messages": [message]})
}

#[tokio::test]
async fn a_password_is_told_the_first_strong_rule_that_it_breaks() {
    let library = Library::furnished().await;
    let ada = user(&library, "ada", "First-Password1").await;
    assert_eq!(
        validate_password(&library, ada, "Quiet-Please7").await,
        json!({"result": "valid", "messages": []})
    );
    for (password, message) in [
        ("Abc-12", "password.length.invalid"),
        ("PASSWORD", "password.alphabetical.invalid"),
        ("Password", "password.number.invalid"),
        ("Password1", "password.specialCharacter.invalid"),
        ("My-ada-1815", "password.usernameDuplicate.invalid"),
        ("First-Password1", "password.lastTenPasswords.invalid"),
        ("Quiet  Please-7", "password.consecutiveWhitespaces.invalid"),
    ] {
        assert_eq!(validate_password(&library, ada, password).await, invalid_result(message), "{password}");
    }
}

#[tokio::test]
async fn soft_rules_are_all_told_and_disabled_ones_not() {
    let library = Library::furnished().await;
    let ada = user(&library, "ada", "First-Password1").await;
    for (name, change) in [
        ("password_length", json!({"validationType": "Soft"})),
        ("alphabetical_letters", json!({"validationType": "Soft"})),
        ("numeric_symbol", json!({"state": "Disabled"})),
        ("repeating_characters", json!({"state": "Enabled", "validationType": "Soft", "extra": 1})),
    ] {
        let mut changed = rule(&library, name).await;
        changed.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let stored = library.put("/tenant/rules", &changed).await.expect(200).json();
        assert_eq!((&stored["id"], &stored["extra"]), (&changed["id"], &Value::Null));
    }
    let messages =
        ["password.length.invalid", "password.alphabetical.invalid", "password.specialCharacter.invalid"];
    assert_eq!(
        validate_password(&library, ada, "zz").await,
        json!({"result": "invalid", "messages": messages})
    );
    assert_eq!(
        validate_password(&library, ada, "Aa-Bbcdd").await,
        invalid_result("password.repeatingSymbols.invalid")
    );
}

#[tokio::test]
async fn whom_the_password_is_for_has_to_be_known() {
    let library = Library::furnished().await;
    let unknown = json!({"userId": "WrongId", "password": "x"});
    let reply = library.post("/password/validate", &unknown).await.expect(404).json();
    let parameters = json!([{"key": "userId", "value": "WrongId"}]);
    assert_eq!(
        reply,
        json!({"message": "User with given id not found", "type": "-2", "parameters": parameters})
    );
    for (body, message) in [
        (json!({"password": "x"}), "userId must not be null"),
        (json!({"userId": fresh_id()}), "password must not be null"),
    ] {
        library.post("/password/validate", &body).await.refused(message);
    }
}

#[tokio::test]
async fn rules_are_stored_and_those_that_cannot_be_asked_are_refused() {
    let library = Library::furnished().await;
    let all = library.get("/tenant/rules").await.expect(200);
    assert_eq!((all.total(), all.field_values("rules", "name").len()), (10, 10));
    let mut own = json!({
        "name": "no_spring", "type": "RegExp", "validationType": "Strong", "state": "Enabled", "moduleName": "own",
        "expression": "(?!.*spring).*", "orderNo": 20, "errMessageId": "own.spring",
    });
    own = library.post("/tenant/rules", &own).await.expect(200).json();
    let path = format!("/tenant/rules/{}", own["id"].as_str().unwrap());
    assert_eq!(library.get(&path).await.expect(200).json(), own);
    own["name"] = json!("other");
    assert_eq!(library.post("/tenant/rules", &own).await.expect(200).json()["name"], "no_spring");
    assert_eq!(library.put("/tenant/rules", &own).await.expect(200).json()["name"], "other");
    let ada = user(&library, "ada", "First-Password1").await;
    assert_eq!(validate_password(&library, ada, "In-spring-1815-A").await, invalid_result("own.spring"));
    library.get(&format!("/tenant/rules/{}", fresh_id())).await.expect(404);
    library.post("/tenant/rules", &json!({"name": "x"})).await.expect(422);
    for (kind, field, value) in [
        ("RegExp", "expression", "(open"),
        ("Programmatic", "implementationReference", "/elsewhere"),
        ("PwnedPassword", "description", ""),
    ] {
        own["type"] = json!(kind);
        own[field] = json!(value);
        library.put("/tenant/rules", &own).await.expect(422);
    }
}

#[tokio::test]
async fn users_who_change_their_password_keep_the_rules() {
    let library = Library::furnished().await;
    let ada = user(&library, "ada", "First-Password1").await;
    let change = |new: &str| json!({"userId": ada, "username": "ada", "password": "First-Password1", "newPassword": new});
    let path = "/bl-users/settings/myprofile/password";
    let reply = library.post(path, &change("short")).await.expect(400).json();
    let error = json!({"message": "password.length.invalid", "code": "password.length.invalid"});
    assert_eq!(reply, json!({"errors": [error], "total_records": 1}));
    log_in(&library, "ada", "First-Password1").await.expect(201);
    library.post(path, &change("Second-Password2")).await.expect(204);
    log_in(&library, "ada", "Second-Password2").await.expect(201);
}
