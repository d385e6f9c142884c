//! Passwords: given, checked, changed, forgotten; and what wrong ones lead to.

use octavo_testkit::{Library, fresh_id};
use serde_json::json;

use super::{credentials, error_code, log_in, user};

#[tokio::test]
async fn a_password_is_given_once_and_removed() {
    let library = Library::open().await;
    let id = user(&library, "jane", "Quiet please").await;
    let existence = format!("/authn/credentials-existence?userId={id}");
    assert_eq!(library.get(&existence).await.expect(200).json(), json!({"credentialsExist": true}));
    library
        .post("/authn/credentials", &json!({"userId": id, "password": "again"}))
        .await
        .refused(&format!("There already exists credentials for user id '{id}'"));
    let none = library.post("/authn/credentials", &json!({"userId": id, "password": ""})).await;
    assert_eq!(none.refused_keys(), ["'userId'"]);
    library
        .post("/authn/credentials", &credentials("nobody", "x"))
        .await
        .says(400, "Error looking up user: No user found by username nobody");

    library.delete(&format!("/authn/credentials?userId={id}")).await.expect(204);
    library
        .delete(&format!("/authn/credentials?userId={id}"))
        .await
        .says(404, &format!("No credentials for userId {id} found"));
    log_in(&library, "jane", "Quiet please").await.says(400, "No credentials match that login");
}

#[tokio::test]
async fn names_are_known_without_regard_to_case_and_passwords_with_it() {
    let library = Library::open().await;
    user(&library, "Jane", "Quiet please").await;
    let reply = library.post("/authn/login", &credentials("jane", "Quiet please")).await.expect(201);
    assert_eq!(reply.header("x-okapi-token"), reply.json()["okapiToken"].as_str());
    assert_eq!(error_code(&log_in(&library, "jane", "quiet please").await), "password.incorrect");
}

#[tokio::test]
async fn the_fifth_failure_blocks_the_user() {
    let library = Library::open().await;
    let id = user(&library, "jane", "right").await;
    let mut codes = Vec::new();
    for _ in 0..4 {
        codes.push(error_code(&log_in(&library, "jane", "wrong").await.expect(422)));
    }
    assert_eq!(
        codes,
        ["password.incorrect", "password.incorrect", "password.incorrect.warn.user", "password.incorrect"]
    );
    let attempts = library.get(&format!("/authn/loginAttempts/{id}")).await.expect(200).json();
    assert_eq!(attempts["attemptCount"], 4);
    let fifth = log_in(&library, "jane", "wrong").await;
    assert_eq!(error_code(&fifth), "password.incorrect.block.user");
    let fifth = fifth.refused("Fifth failed attempt");
    let blocked = log_in(&library, "jane", "right").await.refused("User must be flagged as active");
    for reply in [&fifth, &blocked] {
        assert_eq!(reply.json()["errors"][0]["parameters"], json!([]), "{reply}");
    }
    let attempts = library.get(&format!("/authn/loginAttempts/{id}")).await.expect(200).json();
    assert_eq!(attempts["attemptCount"], 0);
    assert_eq!(library.get(&format!("/users/{id}")).await.json()["active"], false);
}

#[tokio::test]
async fn a_success_forgets_the_failures_before_it() {
    let library = Library::open().await;
    let id = user(&library, "jane", "right").await;
    for _ in 0..3 {
        for _ in 0..4 {
            log_in(&library, "jane", "wrong").await.expect(422);
        }
        log_in(&library, "jane", "right").await.expect(201);
        let attempts = library.get(&format!("/authn/loginAttempts/{id}")).await.expect(200).json();
        assert_eq!(attempts["attemptCount"], 0);
    }
}

#[tokio::test]
async fn only_a_user_who_is_said_to_be_active_logs_in() {
    let library = Library::open().await;
    for (name, active, status) in [
        ("jane", json!({"active": true}), 201),
        ("joan", json!({"active": false}), 422),
        ("june", json!({}), 422),
    ] {
        let mut record = active.clone();
        record["username"] = json!(name);
        let user = library.post("/users", &record).await.expect(201).json();
        let secret = json!({"userId": user["id"], "password": "right"});
        library.post("/authn/credentials", &secret).await.expect(201);
        assert_eq!(log_in(&library, name, "right").await.status, status, "{active}");
    }
}

/// A token ends with the member too.
#[tokio::test]
async fn a_token_of_a_user_who_is_not_said_to_be_active_is_refused() {
    let library = Library::guarded().await;
    let client = library.as_user(&["users.item.get", "users.item.put"]).await;
    let me = client.get("/bl-users/_self?include=groups").await.expect(200).json()["user"].clone();
    let id = me["id"].as_str().unwrap().to_owned();
    let mut silent = me.clone();
    silent.as_object_mut().unwrap().remove("active");
    client.put(&format!("/users/{id}"), &silent).await.expect(204);
    let refused = client.get("/bl-users/_self?include=groups").await;
    refused.says(401, &format!("Invalid token: user with id {id} is not active"));
}

#[tokio::test]
async fn configuration_entries_say_how_many_attempts_there_are() {
    let library = Library::open().await;
    user(&library, "jane", "right").await;
    let attempts = json!({"module": "ANY", "configName": "any", "code": "login.fail.attempts", "value": "2"});
    let entry = library.post("/configurations/entries", &attempts).await.expect(201).json();
    assert_eq!(error_code(&log_in(&library, "jane", "wrong").await), "password.incorrect");
    assert_eq!(error_code(&log_in(&library, "jane", "wrong").await), "password.incorrect.block.user");

    user(&library, "joan", "right").await;
    let path = format!("/configurations/entries/{}", entry["id"].as_str().unwrap());
    let mut never = attempts.clone();
    never["value"] = json!("0");
    library.put(&path, &never).await.expect(204);
    for _ in 0..7 {
        assert_ne!(error_code(&log_in(&library, "joan", "wrong").await), "password.incorrect.block.user");
    }
}

#[tokio::test]
async fn whoever_knows_a_password_may_change_it() {
    let library = Library::open().await;
    let id = user(&library, "jane", "old").await;
    let change = |old: &str, new: &str| json!({"username": "jane", "password": old, "newPassword": new});
    library.post("/authn/update", &change("wrong", "new")).await.says(401, "Invalid credentials");
    library
        .post("/authn/update", &change("old", ""))
        .await
        .says(400, "You must provide a new password that isn't empty");
    library.post("/bl-users/settings/myprofile/password", &change("old", "new")).await.expect(204);
    log_in(&library, "jane", "old").await.refused("Password does not match");
    log_in(&library, "jane", "new").await.expect(201);

    for (password, result) in [("old", "invalid"), ("new", "invalid"), ("newer", "valid")] {
        let asked = json!({"userId": id, "password": password});
        let reply = library.post("/authn/password/repeatable", &asked).await.expect(200);
        assert_eq!(reply.json()["result"], result, "{password}");
    }
}

#[tokio::test]
async fn an_id_counts_before_a_name() {
    let library = Library::open().await;
    let jane = user(&library, "jane", "right").await;
    user(&library, "joan", "left").await;
    let named = |id, name: Option<&str>| json!({"userId": id, "username": name, "password": "right"});
    library.post("/authn/login", &named(jane, Some("joan"))).await.expect(201);
    let mut change = named(jane, Some("joan"));
    change["newPassword"] = json!("right again");
    library.post("/authn/update", &change).await.expect(204);
    log_in(&library, "jane", "right again").await.expect(201);
    log_in(&library, "joan", "left").await.expect(201);

    let nobody = fresh_id();
    for name in [Some("joan"), None] {
        let refused = library.post("/authn/login", &named(nobody, name)).await.expect(422).json();
        let error = &refused["errors"][0];
        assert_eq!(error["message"], "Error verifying user existence: No user found by username null");
        let parameters = name.map(|name| json!({"key": "username", "value": name}));
        assert_eq!(error["parameters"], json!(Vec::from_iter(parameters)));
    }
}

#[tokio::test]
async fn a_configuration_entry_says_how_many_passwords_may_not_be_used_again() {
    let library = Library::open().await;
    let id = user(&library, "jane", "first").await;
    for (old, new) in [("first", "second"), ("second", "third")] {
        let change = json!({"username": "jane", "password": old, "newPassword": new});
        library.post("/authn/update", &change).await.expect(204);
    }
    let entry = json!({"module": "LOGIN", "configName": "password.history.number", "value": "10"});
    let entry = library.post("/configurations/entries", &entry).await.expect(201).json();
    let path = format!("/configurations/entries/{}", entry["id"].as_str().unwrap());
    for (number, known) in [
        ("10", vec!["first", "second", "third"]),
        ("2", vec!["second", "third"]),
        ("1", vec!["third"]),
        ("0", vec!["third"]),
        ("many", vec!["first", "second", "third"]),
    ] {
        let mut entry = entry.clone();
        entry["value"] = json!(number);
        library.put(&path, &entry).await.expect(204);
        for password in ["first", "second", "third", "fourth"] {
            let asked = json!({"userId": id, "password": password});
            let reply = library.post("/authn/password/repeatable", &asked).await.expect(200);
            let expected = if known.contains(&password) { "invalid" } else { "valid" };
            assert_eq!(reply.json()["result"], expected, "{number} {password}");
        }
    }
}

#[tokio::test]
async fn a_password_that_is_known_is_refused_once_it_is_another() {
    let library = Library::open().await;
    let id = user(&library, "jane", "old").await;
    for _ in 0..2 {
        log_in(&library, "jane", "old").await.expect(201);
    }
    assert_eq!(error_code(&log_in(&library, "jane", "older").await), "password.incorrect");
    let change = json!({"username": "jane", "password": "old", "newPassword": "new"});
    library.post("/authn/update", &change).await.expect(204);
    assert_eq!(error_code(&log_in(&library, "jane", "old").await), "password.incorrect");
    log_in(&library, "jane", "new").await.expect(201);

    let path = format!("/users/{id}");
    let mut jane = library.get(&path).await.expect(200).json();
    jane["active"] = json!(false);
    library.put(&path, &jane).await.expect(204);
    log_in(&library, "jane", "new").await.refused("User must be flagged as active");
    jane["active"] = json!(true);
    library.put(&path, &jane).await.expect(204);
    log_in(&library, "jane", "new").await.expect(201);
    library.delete(&format!("/authn/credentials?userId={id}")).await.expect(204);
    log_in(&library, "jane", "new").await.says(400, "No credentials match that login");
}

#[tokio::test]
async fn a_user_has_one_reset_action_and_an_id_names_one() {
    let library = Library::open().await;
    let (jane, joan) = (user(&library, "jane", "forgotten").await, user(&library, "joan", "lost").await);
    let path = "/authn/password-reset-action";
    let action = |id, user| json!({"id": id, "userId": user, "expirationTime": "2999-01-01T00:00:00Z"});
    let (first, second) = (fresh_id(), fresh_id());
    library.post(path, &action(first, jane)).await.expect(201);
    for user in [jane, joan] {
        let taken = library.post(path, &action(first, user)).await.expect(400);
        assert!(taken.text().contains("auth_password_action_pkey"), "{taken}");
        assert_eq!(library.get(&format!("{path}/{first}")).await.expect(200).json()["userId"], json!(jane));
    }
    library.post(path, &action(second, jane)).await.expect(201);
    library.get(&format!("{path}/{first}")).await.expect(404);
}

#[tokio::test]
async fn a_reset_action_is_good_once_and_for_its_time() {
    let library = Library::open().await;
    let id = user(&library, "jane", "forgotten").await;
    let action = |id| format!("/authn/password-reset-action/{id}");
    let reset = |id| json!({"passwordResetActionId": id, "newPassword": "new"});
    for (expires, status) in [("2020-01-01T00:00:00Z", 400), ("2999-01-01T00:00:00Z", 201)] {
        let action_id = fresh_id();
        let sent = json!({"id": action_id, "userId": id, "expirationTime": expires});
        let made = library.post("/authn/password-reset-action", &sent).await.expect(201);
        assert_eq!(made.json(), json!({"passwordExists": true}));
        assert_eq!(library.get(&action(action_id)).await.expect(200).json()["userId"], json!(id));
        library.post("/authn/reset-password", &reset(action_id)).await.expect(status);
        library.post("/authn/reset-password", &reset(action_id)).await.expect(400);
    }
    log_in(&library, "jane", "new").await.expect(201);
}
