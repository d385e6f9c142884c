//! The way of FOLIO's user interface, which asks mod-login-saml 2.8.0.

use octavo_testkit::{Library, Said};
use serde_json::json;

use super::issuer::parameters;
use super::{Begun, House, cookie};

const INTERFACE: &str = "https://folio.example.org";

#[tokio::test]
async fn folios_user_interface_logs_in_through_the_issuer() {
    let house = House::of(Library::guarded().await).await;
    let browser = house.library.with("cookie", "folioAccessToken=a.b.c");
    assert_eq!(browser.get("/saml/check").await.expect(200).json(), json!({"active": false}));
    let page = json!({"stripesUrl": format!("{INTERFACE}/users?query=x")});
    browser.post("/saml/login", &page).await.says(500, "Internal Server Error");
    let admin = house.library.as_user(&["octavo.sso.settings.put"]).await;
    let settings = house.settings(&json!({"userInterfaceUrl": INTERFACE}));
    admin.put(super::SETTINGS, &settings).await.expect(200);
    assert_eq!(browser.get("/saml/check").await.expect(200).json(), json!({"active": true}));

    let begin = async || {
        let path = format!("/_/invoke/tenant/{}/saml/login", house.library.tenant);
        let reply = browser.post(&path, &page).await.expect(200);
        let answer = reply.json();
        assert_eq!(answer["bindingMethod"], "GET");
        let begun = Begun::at(answer["location"].as_str().unwrap(), &reply);
        house.issuer.vouch(&begun);
        begun
    };
    let begun = begin().await;
    let arrived = house.arrive(&begun, &format!("code=c-1&state={}", begun.state)).await.expect(302);
    let location = arrived.header("location").unwrap();
    assert!(location.starts_with(&format!("{INTERFACE}/sso-landing?")), "{location}");
    let given = parameters(location);
    assert_eq!((&given["fwd"][..], &given["tenantId"][..]), ("/users", house.library.tenant.as_str()));
    assert!(given["accessTokenExpiration"].ends_with('Z') && given["refreshTokenExpiration"].ends_with('Z'));
    assert!(
        cookie(&arrived, "folioAccessToken").is_some() && cookie(&arrived, "folioRefreshToken").is_some()
    );

    house.issuer.claims(json!({"sub": "s-1", "preferred_username": "nobody"}));
    let begun = begin().await;
    let refused = house.arrive(&begun, &format!("code=c-1&state={}", begun.state)).await;
    refused.says(400, "No user found");
    house.issuer.say("/token", Said::text(500, ""));
    let begun = begin().await;
    let refused = house.arrive(&begun, &format!("code=c-1&state={}", begun.state)).await;
    refused.says(500, "The log-in service does not answer");
}

#[tokio::test]
async fn only_the_user_interface_that_the_settings_name_is_led_back_to() {
    let house = House::open().await;
    house.set(json!({"userInterfaceUrl": INTERFACE})).await;
    let message = "This user interface is not among the settings of single sign-on";
    for bad in ["https://evil.example", "https://folio.example.org.evil.example/", "/users", ""] {
        house.library.post("/saml/login", &json!({"stripesUrl": bad})).await.says(400, message);
    }
    house.library.post("/saml/login", &json!({})).await.expect(422);
    house.set(json!({"userInterfaceUrl": ""})).await;
    house.library.post("/saml/login", &json!({"stripesUrl": INTERFACE})).await.says(400, message);
}

#[tokio::test]
async fn the_settings_are_shown_in_the_words_of_mod_login_saml_and_what_is_of_saml_alone_is_not_built() {
    let house = House::open().await;
    house.set(json!({"claim": "email", "field": "email"})).await;
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
