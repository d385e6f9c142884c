//! How a library's directory is reached: who may say so, what is refused, and that the password is never shown.

use octavo_testkit::Library;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::{SETTINGS, SilentDirectory, settings_by_name};

fn searched() -> Value {
    json!({
        "active": false,
        "url": "ldaps://ldap.example.org",
        "searchBase": "dc=example,dc=org",
        "searchFilter": "(uid={value})",
        "bindDn": "cn=octavo,dc=example,dc=org",
        "bindPassword": "s%cr:t",
    })
}

fn with(mut settings: Value, changed: &Value) -> Value {
    for (name, value) in changed.as_object().into_iter().flatten() {
        settings[name] = value.clone();
    }
    settings
}

fn without(mut settings: Value, name: &str) -> Value {
    settings.as_object_mut().unwrap().remove(name);
    settings
}

#[tokio::test]
async fn the_password_is_kept_for_its_server_and_never_shown() {
    let library = Library::open().await;
    let before = library.get(SETTINGS).await.expect(200).json();
    assert_eq!((&before["active"], &before["bindPasswordSet"]), (&json!(false), &json!(false)));
    let stored = library.put(SETTINGS, &searched()).await.expect(200);
    let shown = library.get(SETTINGS).await.expect(200);
    assert_eq!(stored.json(), shown.json());
    assert!(!shown.text().contains("s%cr:t") && shown.json()["bindPassword"].is_null(), "{shown}");
    let unsent = without(searched(), "bindPassword");
    for (changed, status) in [
        (json!({"searchBase": "ou=people,dc=example,dc=org"}), 200),
        (json!({"url": "ldaps://ldap.evil.example"}), 422),
        (json!({"url": "ldap://ldap.example.org", "unencrypted": true}), 422),
        (json!({"authorities": "others"}), 422),
        (json!({"bindDn": "cn=other,dc=example,dc=org"}), 422),
    ] {
        let reply = library.put(SETTINGS, &with(unsent.clone(), &changed)).await.expect(status);
        let refused = reply.json()["errors"][0]["parameters"][0]["key"] == "bindPassword";
        assert_eq!(refused, status == 422, "{changed}: {reply}");
    }
    assert_eq!(library.get(SETTINGS).await.expect(200).json()["bindPasswordSet"], true);
    let removed = with(searched(), &json!({"bindPassword": ""}));
    assert_eq!(library.put(SETTINGS, &removed).await.expect(200).json()["bindPasswordSet"], false);
}

#[tokio::test]
async fn settings_that_cannot_work_are_refused() {
    let library = Library::open().await;
    let silent = SilentDirectory::start().await;
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let named_at = |url: &str, changed: Value| with(settings_by_name(url), &changed);
    let searched = |changed: Value| with(with(searched(), &json!({"active": true})), &changed);
    for (settings, key, message) in [
        (named_at("", json!({})), "url", "is not like"),
        (named_at("https://ldap.example.org", json!({})), "url", "is not like"),
        (named_at("ldaps://ldap.example.org", json!({})), "url", "always encrypted"),
        (named_at(&format!("ldap://{closed}"), json!({})), "url", "refused"),
        (named_at(&silent.url, json!({"userDn": "uid=jane"})), "userDn", "{value}"),
        (named_at(&silent.url, json!({"searchBase": "dc=org"})), "userDn", "either named or searched"),
        (named_at(&silent.url, json!({"unencrypted": false})), "url", "does not answer within 5 seconds"),
        (searched(json!({"searchBase": ""})), "searchBase", "is needed"),
        (searched(json!({"searchFilter": "(uid=jane)"})), "searchFilter", "{value}"),
        (searched(json!({"searchFilter": "(uid={value}"})), "searchFilter", "RFC 4515"),
        (searched(json!({"bindPassword": ""})), "bindPassword", "needs a password"),
        (searched(json!({"bindDn": ""})), "bindDn", "of an account"),
        (searched(json!({"authorities": "none"})), "authorities", "no certificate"),
    ] {
        let reply = library.put(SETTINGS, &settings).await.expect(422);
        let error = &reply.json()["errors"][0];
        assert_eq!(error["parameters"][0]["key"], key, "{settings}: {reply}");
        assert!(error["message"].as_str().unwrap().contains(message), "{settings}: {reply}");
        assert!(!reply.text().contains("s%cr:t"), "{reply}");
    }
    for unreadable in [
        json!({}),
        json!({"active": true, "field": "id"}),
        json!({"active": true, "more": 1}),
        json!({"active": true, "searchFilter": "a".repeat(1001)}),
    ] {
        library.put(SETTINGS, &unreadable).await.expect(422);
    }
    assert_eq!(library.get(SETTINGS).await.expect(200).json()["active"], false);
}

#[tokio::test]
async fn whoever_may_say_which_directory_is_believed_may_do_all_that_others_may() {
    let library = Library::guarded().await;
    let off = json!({"active": false});
    let reader = library.as_user(&["octavo.ldap.settings.get"]).await;
    reader.get(SETTINGS).await.expect(200);
    reader.put(SETTINGS, &off).await.expect(403);
    library.get(SETTINGS).await.expect(400);
    let all = ["octavo.ldap.settings.get", "octavo.ldap.settings.put", "users.item.delete"];
    let other = library.as_user(&all).await;
    let admin = library.as_user(&["octavo.ldap.settings.put"]).await;
    let refused = admin.put(SETTINGS, &off).await.expect(403);
    assert!(refused.text().contains("users.item.delete"), "{refused}");
    other.put(SETTINGS, &off).await.expect(200);
}
