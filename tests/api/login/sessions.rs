//! Tokens in cookies: renewed once each, taken back, never good for anything else.

use octavo_modules::permissions::PERMISSION_USER;
use octavo_testkit::{Library, Reply};
use serde_json::json;

use super::{code, log_in, user};

/// The value of a cookie that a reply sets.
fn cookie(reply: &Reply, name: &str) -> String {
    let start = format!("{name}=");
    let cookies = reply.headers("set-cookie");
    let found = cookies.iter().find_map(|cookie| cookie.strip_prefix(&start));
    found.and_then(|rest| rest.split(';').next()).unwrap_or_else(|| panic!("no {name}: {reply}")).to_owned()
}

async fn refresh(library: &Library, token: &str) -> Reply {
    library.with("cookie", format!("folioRefreshToken={token}")).post("/authn/refresh", &json!({})).await
}

#[tokio::test]
async fn the_cookie_of_a_login_opens_what_its_user_may() {
    let library = Library::guarded().await;
    let clerk = library.as_user(&["users.item.post", "login.item.post"]).await;
    let id = user(&clerk, "jane", "right").await;
    let granted = json!({"userId": id, "permissions": ["usergroups.collection.get"]});
    library.store(&PERMISSION_USER, granted).await;
    let reply = log_in(&library, "jane", "right").await.expect(201);
    let access = library.with("cookie", format!("folioAccessToken={}", cookie(&reply, "folioAccessToken")));
    access.get("/groups").await.expect(200);
    access.get("/users").await.expect(403);
    let token = cookie(&reply, "folioRefreshToken");
    library.with_token(token).get("/groups").await.says(400, "Invalid token");
}

#[tokio::test]
async fn a_refresh_token_that_comes_twice_ends_all_sessions() {
    let library = Library::open().await;
    user(&library, "jane", "right").await;
    let first = cookie(&log_in(&library, "jane", "right").await, "folioRefreshToken");
    let other = cookie(&log_in(&library, "jane", "right").await, "folioRefreshToken");
    let renewed = refresh(&library, &first).await.expect(201);
    assert!(renewed.json()["refreshTokenExpiration"].is_string());
    let second = cookie(&renewed, "folioRefreshToken");

    assert_eq!(code(&refresh(&library, &first).await.expect(422)), "token.refresh.unprocessable");
    for token in [&second, &other] {
        refresh(&library, token).await.expect(422);
    }
    let again = cookie(&log_in(&library, "jane", "right").await, "folioRefreshToken");
    refresh(&library, &again).await.expect(201);
}

#[tokio::test]
async fn of_two_exchanges_at_once_one_succeeds() {
    let library = Library::open().await;
    user(&library, "jane", "right").await;
    let token = cookie(&log_in(&library, "jane", "right").await, "folioRefreshToken");
    let tries = (0..8).map(|_| {
        let (library, token) = (library.clone(), token.clone());
        tokio::spawn(async move { refresh(&library, &token).await.status })
    });
    let mut renewed = 0;
    for attempt in tries.collect::<Vec<_>>() {
        renewed += usize::from(attempt.await.unwrap() == 201);
    }
    assert_eq!(renewed, 1);
}

#[tokio::test]
async fn logging_out_ends_one_session_or_all() {
    let library = Library::open().await;
    user(&library, "jane", "right").await;
    let one = cookie(&log_in(&library, "jane", "right").await, "folioRefreshToken");
    let out =
        library.with("cookie", format!("folioRefreshToken={one}")).post("/authn/logout", &json!({})).await;
    assert_eq!(cookie(&out.expect(204), "folioRefreshToken"), "");
    refresh(&library, &one).await.expect(422);

    let two = cookie(&log_in(&library, "jane", "right").await, "folioRefreshToken");
    let three = cookie(&log_in(&library, "jane", "right").await, "folioRefreshToken");
    let all = library.with("cookie", format!("folioRefreshToken={two}"));
    all.post("/authn/logout-all", &json!({})).await.expect(204);
    refresh(&library, &three).await.expect(422);
}

#[tokio::test]
async fn what_is_no_refresh_token_is_refused() {
    let library = Library::open().await;
    user(&library, "jane", "right").await;
    let access = cookie(&log_in(&library, "jane", "right").await, "folioAccessToken");
    assert_eq!(code(&library.post("/authn/refresh", &json!({})).await.expect(400)), "token.parse.failure");
    for token in [access.as_str(), "nonsense", ""] {
        refresh(&library, token).await.expect(422);
    }
    // Another tenant's token is none here.
    let elsewhere = Library::open().await;
    user(&elsewhere, "jane", "right").await;
    let theirs = cookie(&log_in(&elsewhere, "jane", "right").await, "folioRefreshToken");
    refresh(&library, &theirs).await.expect(422);
    refresh(&elsewhere, &theirs).await.expect(201);
}

#[tokio::test]
async fn an_access_token_that_is_good_for_nothing_keeps_nobody_from_signing_in_going_on_or_out() {
    let library = Library::guarded().await;
    let clerk = library.as_user(&["users.item.post", "login.item.post"]).await;
    let id = user(&clerk, "jane", "right").await;
    library.store(&PERMISSION_USER, json!({"userId": id, "permissions": []})).await;
    let elsewhere = Library::guarded().await;
    let theirs = elsewhere.token(elsewhere.as_user(&[]).await.user.unwrap(), "somebody");
    for bad in ["a.b.c", theirs.as_str()] {
        let stale = format!("folioAccessToken={bad}");
        let jane = json!({"username": "jane", "password": "right"});
        for path in ["/authn/login", "/authn/login-with-expiry", "/bl-users/login-with-expiry"] {
            library.with("cookie", stale.clone()).post(path, &jane).await.expect(201);
        }
        let fresh = cookie(&log_in(&library, "jane", "right").await, "folioRefreshToken");
        let both = library.with("cookie", format!("{stale}; folioRefreshToken={fresh}"));
        let renewed = cookie(&both.post("/authn/refresh", &json!({})).await.expect(201), "folioRefreshToken");
        let both = library.with("cookie", format!("{stale}; folioRefreshToken={renewed}"));
        both.post("/authn/logout", &json!({})).await.expect(204);
        refresh(&library, &renewed).await.expect(422);
    }
}
