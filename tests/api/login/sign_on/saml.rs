//! The way of FOLIO's user interface, which asks mod-login-saml 2.8.0.

use octavo_testkit::{Library, ModuleAnswer};
use serde_json::json;

use super::issuer::parameters;
use super::{SignOnLibrary, StartedLogIn, set_cookie_value};

const USER_INTERFACE_URL: &str = "https://folio.example.org";

#[tokio::test]
async fn folios_user_interface_logs_in_through_the_issuer() {
    let house = SignOnLibrary::from_library(Library::guarded().await).await;
    let browser = house.library.with("cookie", "folioAccessToken=a.b.c");
    assert_eq!(browser.get("/saml/check").await.expect(200).json(), json!({"active": false}));
    let page = json!({"stripesUrl": format!("{USER_INTERFACE_URL}/users?query=x")});
    browser.post("/saml/login", &page).await.says(500, "Internal Server Error");
    let admin = house.library.as_user(&["octavo.sso.settings.put"]).await;
    let settings = house.settings(&json!({"userInterfaceUrl": USER_INTERFACE_URL}));
    admin.put(super::SETTINGS, &settings).await.expect(200);
    assert_eq!(browser.get("/saml/check").await.expect(200).json(), json!({"active": true}));

    let begin = async || {
        let path = format!("/_/invoke/tenant/{}/saml/login", house.library.tenant);
        let reply = browser.post(&path, &page).await.expect(200);
        let answer = reply.json();
        assert_eq!(answer["bindingMethod"], "GET");
        let begun = StartedLogIn::from_location(answer["location"].as_str().unwrap(), &reply);
        house.issuer.expect_log_in(&begun);
        begun
    };
    let begun = begin().await;
    let arrived =
        house.return_from_issuer(&begun, &format!("code=c-1&state={}", begun.state)).await.expect(302);
    let location = arrived.header("location").unwrap();
    assert!(location.starts_with(&format!("{USER_INTERFACE_URL}/sso-landing?")), "{location}");
    let given = parameters(location);
    assert_eq!((&given["fwd"][..], &given["tenantId"][..]), ("/users", house.library.tenant.as_str()));
    assert!(given["accessTokenExpiration"].ends_with('Z') && given["refreshTokenExpiration"].ends_with('Z'));
    assert!(
        set_cookie_value(&arrived, "folioAccessToken").is_some()
            && set_cookie_value(&arrived, "folioRefreshToken").is_some()
    );

    house.issuer.set_claims(json!({"sub": "s-1", "preferred_username": "nobody"}));
    let begun = begin().await;
    let refused = house.return_from_issuer(&begun, &format!("code=c-1&state={}", begun.state)).await;
    refused.says(400, "No user found");
    house.issuer.answer_with("/token", ModuleAnswer::text(500, ""));
    let begun = begin().await;
    let refused = house.return_from_issuer(&begun, &format!("code=c-1&state={}", begun.state)).await;
    refused.says(500, "The log-in service does not answer");
}

#[tokio::test]
async fn only_the_user_interface_that_the_settings_name_is_led_back_to() {
    let house = SignOnLibrary::open().await;
    house.put_settings(json!({"userInterfaceUrl": USER_INTERFACE_URL})).await;
    let message = "This user interface is not among the settings of single sign-on";
    for bad in ["https://evil.example", "https://folio.example.org.evil.example/", "/users", ""] {
        house.library.post("/saml/login", &json!({"stripesUrl": bad})).await.says(400, message);
    }
    house.library.post("/saml/login", &json!({})).await.expect(422);
    house.put_settings(json!({"userInterfaceUrl": ""})).await;
    house.library.post("/saml/login", &json!({"stripesUrl": USER_INTERFACE_URL})).await.says(400, message);
}

#[tokio::test]
async fn the_settings_are_shown_in_the_words_of_mod_login_saml_and_what_is_of_saml_alone_is_not_built() {
    let house = SignOnLibrary::open().await;
    house.put_settings(json!({"claim": "email", "field": "email"})).await;
    let shown = house.library.get("/saml/configuration").await.expect(200).json();
    assert_eq!(
        shown,
        json!({
            "idpUrl": house.issuer.url(),
            "samlAttribute": "email",
            "userProperty": "personal.email",
            "metadataInvalidated": false,
            "okapiUrl": "https://library.example.org/octavo",
        })
    );
    for (method, path) in [
        ("PUT", "/saml/configuration"),
        ("GET", "/saml/regenerate"),
        ("GET", "/saml/validate"),
        ("POST", "/saml/callback"),
        ("POST", "/saml/callback-with-expiry"),
    ] {
        house.library.send(method, path, "").await.expect(501);
    }
    let guarded = Library::guarded().await;
    guarded.as_user(&[]).await.get("/saml/configuration").await.expect(403);
}
