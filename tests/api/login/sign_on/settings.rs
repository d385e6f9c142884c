//! The settings of single sign-on: who may change them, what they have to say, and that the secret is never shown.

use octavo_testkit::{Library, ModuleAnswer};
use serde_json::{Value, json};

use super::{SETTINGS, SignOnLibrary, set_cookie_value};

#[tokio::test]
async fn the_secret_is_kept_and_never_shown() {
    let house = SignOnLibrary::open().await;
    let before = house.library.get(SETTINGS).await.expect(200).json();
    assert_eq!((&before["active"], &before["clientSecretSet"]), (&json!(false), &json!(false)));
    let stored = house.library.put(SETTINGS, &house.settings(&json!({}))).await.expect(200);
    let shown = house.library.get(SETTINGS).await.expect(200);
    assert_eq!(stored.json(), shown.json());
    assert!(!shown.text().contains("s%cr:t") && shown.json()["clientSecret"].is_null(), "{shown}");
    assert_eq!(shown.json()["clientSecretSet"], true);
    let redirect = format!(
        "https://library.example.org/octavo/_/invoke/tenant/{}/octavo/sso/callback",
        house.library.tenant
    );
    assert_eq!(shown.json()["redirectUri"], json!(redirect));

    let mut unsent = house.settings(&json!({"buttonText": "Log in"}));
    unsent.as_object_mut().unwrap().remove("clientSecret");
    house.library.put(SETTINGS, &unsent).await.expect(200);
    for (name, value) in [("issuer", "https://issuer.evil.example"), ("clientId", "other")] {
        let mut changed = unsent.clone();
        changed[name] = json!(value);
        let refused = house.library.put(SETTINGS, &changed).await.expect(422).json();
        assert_eq!(refused["errors"][0]["parameters"][0]["key"], "clientSecret", "{name}: {refused}");
    }
    assert!(set_cookie_value(&house.log_in().await, "folioAccessToken").is_some());
    assert_eq!(house.issuer.token_requests()[0].authorization.as_deref(), Some("octavo:s%25cr%3At"));
    house.put_settings(json!({"clientSecret": ""})).await;
    assert!(set_cookie_value(&house.log_in().await, "folioAccessToken").is_some());
    let asked = &house.issuer.token_requests()[1];
    assert_eq!((asked.authorization.as_deref(), asked.form["client_id"].as_str()), (None, "octavo"));
    assert_eq!(house.library.get(SETTINGS).await.expect(200).json()["clientSecretSet"], false);
}

#[tokio::test]
async fn an_issuer_that_takes_the_secret_in_the_form_gets_it_there() {
    let house = SignOnLibrary::open().await;
    house.issuer.change_metadata(json!({"token_endpoint_auth_methods_supported": ["client_secret_post"]}));
    house.put_settings(json!({})).await;
    assert!(set_cookie_value(&house.log_in().await, "folioAccessToken").is_some());
    let asked = &house.issuer.token_requests()[0];
    assert_eq!((asked.authorization.as_deref(), asked.form["client_secret"].as_str()), (None, "s%cr:t"));
}

#[tokio::test]
async fn settings_that_cannot_work_are_refused() {
    let house = SignOnLibrary::open().await;
    let refused = async |changed: Value| {
        let reply = house.library.put(SETTINGS, &house.settings(&changed)).await.expect(422);
        let error = reply.json()["errors"][0].clone();
        let key = error["parameters"][0]["key"].as_str().unwrap_or_default().to_owned();
        (key, error["message"].as_str().unwrap_or_default().to_owned())
    };
    for (changed, key, message) in [
        (json!({"issuer": ""}), "issuer", "needs this"),
        (json!({"clientId": ""}), "clientId", "needs this"),
        (json!({"claim": ""}), "claim", "needs this"),
        (json!({"publicUrl": ""}), "publicUrl", "needs this"),
        (json!({"publicUrl": "library.example.org"}), "publicUrl", "neither http nor https"),
        (json!({"userInterfaceUrl": "javascript:x"}), "userInterfaceUrl", "The address"),
        (json!({"scopes": "profile"}), "scopes", "lack openid"),
        (json!({"issuer": "http://login.example.org"}), "issuer", "not encrypted"),
        (json!({"issuer": "http://127.0.0.1:1"}), "issuer", "refused"),
        (json!({"issuer": format!("{}/", house.issuer.url())}), "issuer", "calls itself"),
    ] {
        let (at, said) = refused(changed.clone()).await;
        assert!(at == key && said.contains(message), "{changed}: {at}: {said}");
    }
    house.library.put(SETTINGS, &json!({"active": false})).await.expect(200);
    for unreadable in [
        json!({}),
        json!({"active": true, "field": "id"}),
        json!({"active": true, "more": 1}),
        json!({"active": true, "claim": "a".repeat(201)}),
    ] {
        house.library.put(SETTINGS, &unreadable).await.expect(422);
    }
    house
        .issuer
        .answer_with("/.well-known/openid-configuration", ModuleAnswer::text(500, "a secret of the inside"));
    let (_, said) = refused(json!({})).await;
    assert!(said.contains("status 500") && !said.contains("inside"), "{said}");
}

#[tokio::test]
async fn whoever_may_say_who_is_believed_may_do_all_that_others_may() {
    let house = SignOnLibrary::from_library(Library::guarded().await).await;
    let off = json!({"active": false});
    let reader = house.library.as_user(&["octavo.sso.settings.get"]).await;
    reader.get(SETTINGS).await.expect(200);
    reader.put(SETTINGS, &off).await.expect(403);
    house.library.get(SETTINGS).await.expect(400);
    let other = house
        .library
        .as_user(&["octavo.sso.settings.get", "octavo.sso.settings.put", "users.item.delete"])
        .await;
    let admin = house.library.as_user(&["octavo.sso.settings.put"]).await;
    let refused = admin.put(SETTINGS, &off).await.expect(403);
    assert!(refused.text().contains("users.item.delete"), "{refused}");
    other.put(SETTINGS, &off).await.expect(200);
}
