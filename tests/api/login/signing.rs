//! Tokens that other programs have signed, exchanged and revoked (mod-authtoken).

use octavo_modules::tokens::{Kind, parse_unverified};
use octavo_testkit::{Library, fresh_id};
use serde_json::{Value, json};

const SIGN_PERMISSIONS: &[&str] = &["auth.signtoken", "auth.signrefreshtoken"];

/// A client who may sign, and the payload for a user without permissions.
async fn signing_client() -> (Library, Library, Value) {
    let library = Library::guarded().await;
    let signer = library.as_user(SIGN_PERMISSIONS).await;
    let user = library.as_user(&[]).await.user.unwrap();
    (library, signer, json!({"payload": {"sub": format!("user-{user}"), "user_id": user}}))
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_pair_of_tokens_is_signed_exchanged_and_revoked() {
    let (library, signer, payload) = signing_client().await;
    let pair = signer.post("/token/sign", &payload).await.expect(201).json();
    assert_eq!(pair["tenantId"], library.tenant.as_str());
    assert!(
        pair["accessTokenExpiration"].as_str().unwrap() < pair["refreshTokenExpiration"].as_str().unwrap()
    );
    let user = library.with_token(text(&pair["accessToken"]));
    user.get("/bl-users/_self?include=groups").await.expect(200);

    let refresh = json!({"refreshToken": pair["refreshToken"]});
    let next = signer.post("/token/refresh", &refresh).await.expect(201).json();
    let user = library.with_token(text(&next["accessToken"]));
    user.get("/bl-users/_self?include=groups").await.expect(200);

    signer.post("/token/invalidate", &json!({"refreshToken": next["refreshToken"]})).await.expect(204);
    user.get("/bl-users/_self?include=groups").await.says(401, "Invalid token");
    for token in [&pair, &next] {
        let refresh = json!({"refreshToken": token["refreshToken"]});
        signer.post("/token/refresh", &refresh).await.says(401, "Invalid token");
    }
    signer.post("/token/refresh", &json!({"refreshToken": "x"})).await.says(401, "Invalid token");
    signer
        .post("/token/refresh", &json!({"refreshToken": pair["accessToken"]}))
        .await
        .says(401, "Invalid token");
    signer.post("/token/refresh", &json!({})).await.expect(400);
}

#[tokio::test]
async fn all_sessions_of_a_user_end_at_once() {
    let (library, signer, payload) = signing_client().await;
    let pairs = [
        signer.post("/token/sign", &payload).await.expect(201).json(),
        signer.post("/token/sign", &payload).await.expect(201).json(),
    ];
    let lasting = text(&signer.post("/token", &payload).await.expect(201).json()["token"]);
    assert_eq!(parse_unverified(&lasting).unwrap().kind, Kind::LegacyAccess);
    let client = |token: &str| library.with_token(token);
    client(&lasting).get("/bl-users/_self?include=groups").await.expect(200);
    client(&text(&pairs[0]["accessToken"])).post("/token/invalidate-all", &Value::Null).await.expect(204);
    for token in [text(&pairs[0]["accessToken"]), text(&pairs[1]["accessToken"]), lasting] {
        client(&token).get("/bl-users/_self?include=groups").await.says(401, "Invalid token");
    }
    let refresh = json!({"refreshToken": pairs[1]["refreshToken"]});
    signer.post("/token/refresh", &refresh).await.says(401, "Invalid token");
    // The user may begin anew.
    let pair = signer.post("/token/sign", &payload).await.expect(201).json();
    client(&text(&pair["accessToken"])).get("/bl-users/_self?include=groups").await.expect(200);
}

#[tokio::test]
async fn a_refresh_token_alone_is_signed_and_exchanged() {
    let (library, signer, payload) = signing_client().await;
    let wanted = json!({"userId": payload["payload"]["user_id"], "sub": payload["payload"]["sub"]});
    let token = signer.post("/refreshtoken", &wanted).await.expect(201).json();
    let pair = signer.post("/token/refresh", &token).await.expect(201).json();
    library.with_token(text(&pair["accessToken"])).get("/bl-users/_self?include=groups").await.expect(200);
    signer.post("/refreshtoken", &json!({"sub": "x"})).await.expect(400);
}

#[tokio::test]
async fn a_token_of_nobody_opens_what_it_names() {
    let library = Library::guarded().await;
    let signer = library.as_user(&["auth.signtoken", "tags.collection.get"]).await;
    let payload = |permissions: &[&str]| json!({"payload": {"sub": "a machine", "dummy": true, "extra_permissions": permissions}});
    for (path, kind) in [("/token/sign", Kind::DummyExpiring), ("/token", Kind::Dummy)] {
        let token =
            text(&signer.post(path, &payload(&["tags.collection.get"])).await.expect(201).json()["token"]);
        let claims = parse_unverified(&token).unwrap();
        assert_eq!((claims.kind, claims.exp.is_some()), (kind, kind == Kind::DummyExpiring));
        let machine = library.with_token(token);
        machine.get("/tags").await.expect(200);
        machine
            .get("/users")
            .await
            .says(403, "Access for user 'a machine' (null) requires permission: users.collection.get");
    }
    signer.post("/token/sign", &payload(&["users.collection.get"])).await.expect(403);
}

#[tokio::test]
async fn nobody_signs_more_than_they_could_give() {
    let (library, signer, _) = signing_client().await;
    let chief = library.as_user(&["users.item.put"]).await.user.unwrap();
    let payload = json!({"payload": {"sub": "chief", "user_id": chief}});
    for path in ["/token", "/token/sign"] {
        signer.post(path, &payload).await.expect(403);
    }
    signer.post("/refreshtoken", &json!({"userId": chief, "sub": "chief"})).await.expect(403);
    let unknown = json!({"payload": {"sub": "x", "user_id": fresh_id()}});
    signer.post("/token/sign", &unknown).await.expect(400);
    signer.post("/token/sign", &json!({"payload": {"user_id": chief}})).await.expect(400);
    library.as_user(&[]).await.post("/token/sign", &payload).await.expect(403);
}
