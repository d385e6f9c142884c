//! Whom the server does not let in, although an issuer may say so.

use octavo_testkit::{Library, ModuleAnswer, fresh_id};
use serde_json::{Value, json};

use super::{SignOnLibrary, refusal_code, set_cookie_value};

#[tokio::test]
async fn a_token_that_is_not_as_it_should_be_lets_nobody_in() {
    let house = SignOnLibrary::open().await;
    house.put_settings(json!({})).await;
    for mistake in [
        json!({"nonce": "of another log-in"}),
        json!({"nonce": null}),
        json!({"aud": "another client"}),
        json!({"aud": ["octavo", "another client"]}),
        json!({"iss": "https://evil.example"}),
        json!({"exp": 1}),
        json!({"iat": 9_000_000_000_i64}),
        json!({"sub": ""}),
    ] {
        house.issuer.change_claims(mistake.clone());
        assert_eq!(refusal_code(&house.log_in().await), "untrusted", "{mistake}");
    }
    house.issuer.change_claims(json!({}));
    assert!(set_cookie_value(&house.log_in().await, "folioAccessToken").is_some(), "without a mistake");
}

#[tokio::test]
async fn only_one_active_user_is_let_in() {
    let house = SignOnLibrary::open().await;
    for (name, active, email) in [("gone", false, "gone@example.org"), ("twin", true, "jane@example.org")] {
        let personal = json!({"lastName": name, "email": email});
        let user = json!({"id": fresh_id(), "username": name, "active": active, "personal": personal});
        house.library.post("/users", &user).await.expect(201);
    }
    let verified = |email: &str| json!({"sub": "s-1", "email": email, "email_verified": true});
    let by_name = json!({"claim": "preferred_username", "field": "username"});
    let by_email = json!({"claim": "email", "field": "email"});
    let cases: [(&Value, Value, &str); 8] = [
        (&by_name, json!({"preferred_username": "nobody"}), "unknown-user"),
        (&by_name, json!({"preferred_username": "jané"}), "unknown-user"),
        (&by_name, json!({"preferred_username": "gone"}), "inactive-user"),
        (&by_name, json!({"preferred_username": " "}), "no-claim"),
        (&by_name, json!({"preferred_username": ["jane"]}), "no-claim"),
        (&by_email, verified("jane@example.org"), "several-users"),
        (&by_email, verified("gone@example.org"), "inactive-user"),
        (&by_email, json!({"email": "gone@example.org"}), "email-not-verified"),
    ];
    for (settings, claims, expected) in cases {
        house.put_settings(settings.clone()).await;
        let mut with_subject = claims.clone();
        with_subject["sub"] = json!("s-1");
        house.issuer.set_claims(with_subject);
        assert_eq!(refusal_code(&house.log_in().await), expected, "{claims}");
    }
}

#[tokio::test]
async fn an_answer_counts_only_for_the_log_in_that_this_browser_has_begun() {
    let house = SignOnLibrary::open().await;
    house.put_settings(json!({})).await;
    let (one, other) = (house.start_log_in("/desk").await, house.start_log_in("/desk").await);
    let elsewhere = SignOnLibrary::open().await;
    let code = |state: &str| format!("code=c-1&state={state}");
    house.issuer.expect_log_in(&one);
    let cut = &one.state[..one.state.len() - 1];
    for query in [code(&other.state), code(cut), code(""), "code=c-1".to_owned(), code(&one.nonce)] {
        assert_eq!(refusal_code(&house.return_from_issuer(&one, &query).await), "expired", "{query}");
    }
    let without_cookie = house.library.get(&format!("/octavo/sso/callback?{}", code(&one.state))).await;
    assert_eq!(refusal_code(&without_cookie), "expired");
    let there = elsewhere.return_from_issuer(&one, &code(&one.state)).await;
    assert_eq!(refusal_code(&there), "expired", "another library's");
    assert_eq!(house.issuer.token_requests().len(), 0, "no code was exchanged");
    assert!(
        set_cookie_value(&house.return_from_issuer(&one, &code(&one.state)).await, "folioAccessToken")
            .is_some()
    );
}

#[tokio::test]
async fn what_the_issuer_answers_instead_lets_nobody_in() {
    let house = SignOnLibrary::open().await;
    house.put_settings(json!({})).await;
    let begun = house.start_log_in("/desk").await;
    let denied = format!("error=access_denied&error_description=%3Cb%3E&state={}", begun.state);
    assert_eq!(refusal_code(&house.return_from_issuer(&begun, &denied).await), "declined");
    let begun = house.start_log_in("/desk").await;
    assert_eq!(
        refusal_code(&house.return_from_issuer(&begun, &format!("state={}", begun.state)).await),
        "untrusted",
        "no code"
    );
    let begun = house.start_log_in("/desk").await;
    let mixed_up = format!("code=c-1&iss=https%3A%2F%2Fevil.example&state={}", begun.state);
    assert_eq!(refusal_code(&house.return_from_issuer(&begun, &mixed_up).await), "untrusted");
    assert_eq!(house.issuer.token_requests().len(), 0);
    for (path, said, expected) in [
        ("/token", ModuleAnswer::json(400, &json!({"error": "invalid_grant"})), "unreachable"),
        ("/token", ModuleAnswer::text(200, "no JSON"), "unreachable"),
        ("/token", ModuleAnswer::json(200, &json!({"access_token": "a-1"})), "unreachable"),
        ("/token", ModuleAnswer::json(200, &json!({"id_token": "a.b.c"})), "untrusted"),
        ("/token", ModuleAnswer::text(200, "a".repeat(300_000)), "unreachable"),
        ("/token", ModuleAnswer::text(302, "").with("location", "https://evil.example"), "unreachable"),
    ] {
        let told = format!("{path} {}", said.status);
        house.issuer.answer_with(path, said);
        assert_eq!(refusal_code(&house.log_in().await), expected, "{told}");
    }
}

#[tokio::test]
async fn an_issuer_that_names_itself_has_to_do_so_every_time() {
    let house = SignOnLibrary::open().await;
    house.issuer.change_metadata(json!({"authorization_response_iss_parameter_supported": true}));
    house.put_settings(json!({})).await;
    assert_eq!(refusal_code(&house.log_in().await), "untrusted");
    let begun = house.start_log_in("/desk").await;
    house.issuer.expect_log_in(&begun);
    let issuer = octavo_testkit::encode(&house.issuer.url());
    let query = format!("code=c-1&iss={issuer}&state={}", begun.state);
    assert!(set_cookie_value(&house.return_from_issuer(&begun, &query).await, "folioAccessToken").is_some());
}

#[tokio::test]
async fn where_it_is_off_or_the_issuer_is_down_nobody_is_sent_anywhere() {
    let house = SignOnLibrary::open().await;
    let start = "/octavo/sso/start";
    assert_eq!(refusal_code(&house.library.get(start).await), "off");
    assert_eq!(house.library.get("/octavo/sso").await.expect(200).json()["active"], false);
    house.put_settings(json!({})).await;
    let begun = house.start_log_in("/desk").await;
    house.issuer.expect_log_in(&begun);
    house.put_settings(json!({"active": false})).await;
    assert_eq!(
        refusal_code(&house.return_from_issuer(&begun, &format!("code=c&state={}", begun.state)).await),
        "off"
    );
    house.put_settings(json!({})).await;

    let down = SignOnLibrary::open().await;
    down.put_settings(json!({})).await;
    down.issuer.answer_with("/.well-known/openid-configuration", ModuleAnswer::text(503, "down"));
    assert_eq!(refusal_code(&down.library.get(start).await), "unreachable");
}

#[tokio::test]
async fn nobody_is_led_to_another_site() {
    let library = Library::open().await;
    for bad in ["//evil.example", "https://evil.example", "/\\evil.example", "desk", "/a b", ""] {
        let path = format!("/octavo/sso/start?returnTo={}", octavo_testkit::encode(bad));
        library.get(&path).await.says(400, "returnTo has to be a path of this server, such as /desk");
    }
}
