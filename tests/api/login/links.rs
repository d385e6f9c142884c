//! Links by which users set a new password: mailed, valid for a while, used once. And names and passwords that were forgotten.

use octavo_modules::permissions::PERMISSION_USER;
use octavo_modules::users::USER;
use octavo_testkit::{Library, MailSink, Reply, fresh_id};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{error_code, log_in};

const LINK: &str = "/bl-users/password-reset/link";
const VALIDATE: &str = "/bl-users/password-reset/validate";
const RESET: &str = "/bl-users/password-reset/reset";

async fn create_user(library: &Library, name: &str) -> Uuid {
    let id = fresh_id();
    let user = json!({"id": id, "username": name, "active": true, "personal": {
        "lastName": "Reader", "firstName": "Ada", "email": format!("{name}@example.com"), "phone": "555 01 23"}});
    library.post("/users", &user).await.expect(201);
    id
}

async fn library_with_mail() -> (Library, MailSink) {
    let library = Library::furnished().await;
    let sink = MailSink::open().await;
    library.post("/smtp-configuration", &sink.configuration()).await.expect(201);
    (library, sink)
}

async fn set_configuration(library: &Library, code: &str, value: &str) {
    let entry = json!({"module": "USERSBL", "configName": "resetPassword", "code": code, "value": value});
    library.post("/configurations/entries", &entry).await.expect(201);
}

async fn link(library: &Library, user: Uuid) -> String {
    let reply = library.post(LINK, &json!({"userId": user})).await.expect(200);
    reply.json()["link"].as_str().unwrap().to_owned()
}

/// The client of whoever opens the link.
fn client_of_link(library: &Library, link: &str) -> Library {
    let token = link.split('?').next().unwrap().rsplit('/').next().unwrap();
    library.with_token(token)
}

async fn set_password(library: &Library, password: &str) -> Reply {
    library.post(RESET, &json!({"newPassword": password})).await
}

/// The e-mails since the last call, their lines joined.
async fn new_mails(library: &Library, sink: &MailSink) -> Vec<String> {
    let before = sink.mails().len();
    library.relay().await;
    sink.mails()[before..]
        .iter()
        .map(|mail| mail.data.replace("=\n", "").replace("=3D", "=").replace("&#61;", "="))
        .collect()
}

#[tokio::test]
async fn a_link_is_mailed_checked_and_used_once() {
    let (library, sink) = library_with_mail().await;
    set_configuration(&library, "FOLIO_HOST", "https://library.example").await;
    let user = create_user(&library, "ada").await;
    let first = link(&library, user).await;
    assert!(first.starts_with("https://library.example/reset-password/"), "{first}");
    assert!(first.ends_with(&format!("?tenant={}", library.tenant)), "{first}");
    let mails = new_mails(&library, &sink).await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].contains(&first) && mails[0].contains("24 hours"), "{}", mails[0]);

    let page = client_of_link(&library, &first);
    page.post(VALIDATE, &Value::Null).await.expect(204);
    set_password(&page, "Quiet-please-1").await.expect(204);
    log_in(&library, "ada", "Quiet-please-1").await.expect(201);
    assert_eq!(new_mails(&library, &sink).await.len(), 1, "the user is told that there is a password now");

    for reply in [page.post(VALIDATE, &Value::Null).await, set_password(&page, "Quiet-please-2").await] {
        assert_eq!(error_code(&reply.expect(422)), "link.used");
    }
    log_in(&library, "ada", "Quiet-please-1").await.expect(201);
}

#[tokio::test]
async fn a_later_link_takes_the_place_of_an_earlier_one() {
    let (library, _) = library_with_mail().await;
    let user = create_user(&library, "ada").await;
    let (first, second) = (link(&library, user).await, link(&library, user).await);
    assert_eq!(
        error_code(&set_password(&client_of_link(&library, &first), "Quiet-please-1").await.expect(422)),
        "link.used"
    );
    set_password(&client_of_link(&library, &second), "Quiet-please-1").await.expect(204);
}

#[tokio::test]
async fn two_who_open_a_link_at_once_set_one_password() {
    let (library, _) = library_with_mail().await;
    let user = create_user(&library, "ada").await;
    let page = client_of_link(&library, &link(&library, user).await);
    let (one, other) =
        tokio::join!(set_password(&page, "Quiet-please-1"), set_password(&page, "Quiet-please-2"));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 422]);
}

#[tokio::test]
async fn a_password_that_breaks_a_rule_leaves_the_link_valid() {
    let (library, _) = library_with_mail().await;
    let user = create_user(&library, "ada").await;
    let page = client_of_link(&library, &link(&library, user).await);
    let refused = set_password(&page, "short").await.expect(422);
    assert!(error_code(&refused).starts_with("password."), "{refused}");
    assert_eq!(refused.json()["errors"][0]["message"], refused.json()["errors"][0]["code"]);
    set_password(&page, "Quiet-please-1").await.expect(204);
}

#[tokio::test]
async fn a_link_is_valid_as_long_as_is_set() {
    let (library, sink) = library_with_mail().await;
    let user = create_user(&library, "ada").await;
    set_configuration(&library, "RESET_PASSWORD_LINK_EXPIRATION_TIME", "0").await;
    set_configuration(&library, "RESET_PASSWORD_LINK_EXPIRATION_UNIT_OF_TIME", "minutes").await;
    let page = client_of_link(&library, &link(&library, user).await);
    for reply in [page.post(VALIDATE, &Value::Null).await, set_password(&page, "Quiet-please-1").await] {
        assert_eq!(error_code(&reply.expect(422)), "link.expired");
    }
    library.post("/authn/credentials", &json!({"userId": user, "password": "right"})).await.expect(201);
    link(&library, user).await;
    let mails = new_mails(&library, &sink).await;
    assert!(mails.len() == 2 && mails.iter().any(|mail| mail.contains("within 0 minutes")), "{mails:?}");
}

#[tokio::test]
async fn a_period_that_cannot_be_read_is_refused() {
    let (library, _) = library_with_mail().await;
    let user = create_user(&library, "ada").await;
    set_configuration(&library, "RESET_PASSWORD_LINK_EXPIRATION_UNIT_OF_TIME", "years").await;
    let reply = library.post(LINK, &json!({"userId": user})).await;
    reply.refused("Can't convert time period to milliseconds");
}

#[tokio::test]
async fn links_are_for_users_with_names() {
    let (library, _) = library_with_mail().await;
    let unknown = fresh_id();
    let reply = library.post(LINK, &json!({"userId": unknown})).await;
    assert_eq!(error_code(&reply), "user.not-found");
    reply.refused(&format!("User with id '{unknown}' not found"));
    let nameless = fresh_id();
    library.post("/users", &json!({"id": nameless, "active": true})).await.expect(201);
    let reply = library.post(LINK, &json!({"userId": nameless})).await;
    assert_eq!(error_code(&reply), "user.absent-username");
    library.post(LINK, &json!({})).await.expect(422);
    assert_eq!(error_code(&library.post(VALIDATE, &Value::Null).await.expect(422)), "link.invalid");
}

#[tokio::test]
async fn a_link_opens_nothing_else_and_only_in_its_tenant() {
    let library = Library::guarded().await;
    let staff = library.as_user(&["users-bl.password-reset-link.generate"]).await;
    let patron = library.as_user(&[]).await.user.unwrap();
    let link = link(&staff, patron).await;
    let page = client_of_link(&library, &link);
    page.post(VALIDATE, &Value::Null).await.expect(204);
    let reply = page.get("/users").await.expect(403);
    assert!(reply.text().ends_with("requires permission: users.collection.get"), "{reply}");
    page.post("/_/proxy/tenants", &json!({"id": "mine"})).await.expect(403);
    let other = Library::guarded().await;
    client_of_link(&other, &link).post(VALIDATE, &Value::Null).await.says(403, "Invalid token");
    library
        .post(RESET, &json!({"newPassword": "Quiet-please-1"}))
        .await
        .says(400, "Token missing, access requires permission: users-bl.password-reset-link.reset");
}

#[tokio::test]
async fn who_was_told_a_link_gains_nothing_that_they_could_not_give() {
    let library = Library::guarded().await;
    let staff = library.as_user(&["users-bl.password-reset-link.generate"]).await;
    let (patron, chief) = (fresh_id(), library.as_user(&["users.item.put"]).await);
    library.store(&USER, json!({"id": patron, "username": "patron", "active": true})).await;
    staff.post(LINK, &json!({"userId": chief.user.unwrap()})).await.expect(403);

    // The patron gets permissions after the link was made.
    let page = client_of_link(&library, &link(&staff, patron).await);
    let held = json!({"userId": patron, "permissions": ["users.item.put"]});
    library.store(&PERMISSION_USER, held).await;
    set_password(&page, "Quiet-please-1").await.expect(403);
}

#[tokio::test]
async fn a_forgotten_password_is_answered_by_mail() {
    let (library, sink) = library_with_mail().await;
    create_user(&library, "ada").await;
    let mut mails = Vec::new();
    for known in ["ada", "ADA@example.com"] {
        library.post("/bl-users/forgotten/password", &json!({"id": known})).await.expect(204);
        mails.extend(new_mails(&library, &sink).await);
    }
    assert_eq!(mails.len(), 2);
    let link = mails[1].split_whitespace().find(|word| word.contains("/reset-password/")).unwrap();
    let link = link.split('"').find(|part| part.contains("/reset-password/")).unwrap();
    set_password(&client_of_link(&library, link), "Quiet-please-1").await.expect(204);
    log_in(&library, "ada", "Quiet-please-1").await.expect(201);
}

#[tokio::test]
async fn a_forgotten_name_is_told_by_mail() {
    let (library, sink) = library_with_mail().await;
    create_user(&library, "ada").await;
    library.post("/bl-users/forgotten/username", &json!({"id": "555 01 23"})).await.expect(204);
    let mails = new_mails(&library, &sink).await;
    assert!(mails.len() == 1 && mails[0].contains("ada"), "{mails:?}");
}

#[tokio::test]
async fn who_forgot_is_found_as_is_set_and_alone() {
    let (library, sink) = library_with_mail().await;
    create_user(&library, "ada").await;
    create_user(&library, "bob").await;
    let ask = async |path: &str, id: &str| {
        library.post(&format!("/bl-users/forgotten/{path}"), &json!({"id": id})).await
    };
    ask("password", "nobody").await.says(400, "User is not found: nobody");
    ask("username", "*").await.says(400, "User is not found: *");
    ask("username", "x\" or username=\"ada").await.expect(400);
    let both = ask("password", "555 01 23").await;
    assert_eq!(error_code(&both), "forgotten.password.found.multiple.users");
    both.refused("Multiple users associated with '555 01 23'");
    assert_eq!(error_code(&ask("username", "555 01 23").await), "forgotten.username.found.multiple.users");

    let entry = json!({"module": "USERSBL", "configName": "fogottenData", "code": "email", "value": "personal.email"});
    library.post("/configurations/entries", &entry).await.expect(201);
    ask("password", "ada").await.says(400, "User is not found: ada");
    ask("password", "ada@example.com").await.expect(204);

    let mut user = library.get("/users?query=username==bob").await.expect(200).json()["users"][0].clone();
    user["active"] = json!(false);
    library.put(&format!("/users/{}", user["id"].as_str().unwrap()), &user).await.expect(204);
    let inactive = ask("password", "bob@example.com").await;
    assert_eq!(error_code(&inactive), "forgotten.password.found.inactive");
    inactive.refused("Users associated with 'bob@example.com' is not active");
    assert_eq!(new_mails(&library, &sink).await.len(), 1);
}

#[tokio::test]
async fn nobody_is_flooded_with_mail() {
    let (library, sink) = library_with_mail().await;
    create_user(&library, "ada").await;
    let mut statuses = Vec::new();
    for _ in 0..8 {
        statuses.push(library.post("/bl-users/forgotten/username", &json!({"id": "ada"})).await.status);
    }
    assert_eq!(statuses[..5], [204; 5]);
    assert!(statuses[5..].contains(&429), "{statuses:?}");
    assert!(new_mails(&library, &sink).await.len() < 8);
    log_in(&library, "ada", "wrong").await.says(400, "No credentials match that login");
}

#[tokio::test]
async fn a_link_is_made_where_no_mail_is_configured() {
    let library = Library::open().await;
    let user = create_user(&library, "ada").await;
    let link = link(&library, user).await;
    assert!(link.starts_with("http://localhost:3000/reset-password/"), "{link}");
    set_password(&client_of_link(&library, &link), "Quiet-please-1").await.expect(204);
}
