//! Tokens in cookies: renewed once each, taken back, never good for anything else.

use octavo_modules::permissions::PERMISSION_USER;
use octavo_testkit::{Library, Octavo, Reply, eventually};
use serde_json::json;
use uuid::Uuid;

use super::{error_code, log_in, user};

/// The value of a cookie that a reply sets.
fn cookie(reply: &Reply, name: &str) -> String {
    let start = format!("{name}=");
    let cookies = reply.headers("set-cookie");
    let found = cookies.iter().find_map(|cookie| cookie.strip_prefix(&start));
    found.and_then(|rest| rest.split(';').next()).unwrap_or_else(|| panic!("no {name}: {reply}")).to_owned()
}

/// Jane may see patron groups.
async fn jane(library: &Library) -> Uuid {
    let clerk = library.as_user(&["users.item.post", "login.item.post"]).await;
    let id = user(&clerk, "jane", "right").await;
    let granted = json!({"userId": id, "permissions": ["usergroups.collection.get"]});
    library.store(&PERMISSION_USER, granted).await;
    id
}

/// With the access token that a reply sets.
fn with_access_token(library: &Library, reply: &Reply) -> Library {
    library.with_token(cookie(reply, "folioAccessToken"))
}

async fn exchange_token(library: &Library, token: &str) -> Reply {
    library.with("cookie", format!("folioRefreshToken={token}")).post("/authn/refresh", &json!({})).await
}

#[tokio::test]
async fn the_cookie_of_a_login_opens_what_its_user_may() {
    let library = Library::guarded().await;
    jane(&library).await;
    let reply = log_in(&library, "jane", "right").await.expect(201);
    let access = library.with("cookie", format!("folioAccessToken={}", cookie(&reply, "folioAccessToken")));
    access.get("/groups").await.expect(200);
    access.get("/users").await.expect(403);
    let token = cookie(&reply, "folioRefreshToken");
    library.with_token(token).get("/groups").await.says(400, "Invalid token");
}

#[tokio::test]
async fn a_refresh_token_that_comes_again_later_ends_all_sessions() {
    let library = Library::guarded().await;
    jane(&library).await;
    let login = log_in(&library, "jane", "right").await.expect(201);
    let first = cookie(&login, "folioRefreshToken");
    let other = cookie(&log_in(&library, "jane", "right").await, "folioRefreshToken");
    let renewed = exchange_token(&library, &first).await.expect(201);
    assert!(renewed.json()["refreshTokenExpiration"].is_string());
    let second = cookie(&renewed, "folioRefreshToken");
    let access = with_access_token(&library, &renewed);
    access.get("/groups").await.expect(200);

    let later =
        Octavo::with_clock(|| octavo_testkit::system_clock() + jiff::SignedDuration::from_secs(30)).await;
    let there = library.through(&later);
    assert_eq!(error_code(&exchange_token(&there, &first).await.expect(422)), "token.refresh.unprocessable");
    for token in [&second, &other] {
        exchange_token(&library, token).await.expect(422);
    }
    // Also what was given out under the copied token's session.
    access.through(&later).get("/groups").await.says(401, "Invalid token");
    let again = cookie(&log_in(&library, "jane", "right").await, "folioRefreshToken");
    exchange_token(&library, &again).await.expect(201);
}

/// Two pages of one browser renew at the same moment, with the same cookie.
#[tokio::test]
async fn exchanges_at_once_all_succeed_in_the_same_session() {
    let library = Library::guarded().await;
    jane(&library).await;
    let token = cookie(&log_in(&library, "jane", "right").await, "folioRefreshToken");
    let tries = (0..8).map(|_| {
        let (library, token) = (library.clone(), token.clone());
        tokio::spawn(async move { exchange_token(&library, &token).await.expect(201) })
    });
    let mut pages = Vec::new();
    for attempt in tries.collect::<Vec<_>>() {
        pages.push(with_access_token(&library, &attempt.await.unwrap()));
    }
    for page in &pages {
        page.get("/groups").await.expect(200);
    }
    pages[0].post("/authn/logout", &json!({})).await.expect(204);
    for page in &pages {
        page.get("/groups").await.says(401, "Invalid token");
    }
}

#[tokio::test]
async fn logging_out_ends_one_session_or_all() {
    let library = Library::open().await;
    user(&library, "jane", "right").await;
    let one = cookie(&log_in(&library, "jane", "right").await, "folioRefreshToken");
    let out =
        library.with("cookie", format!("folioRefreshToken={one}")).post("/authn/logout", &json!({})).await;
    assert_eq!(cookie(&out.expect(204), "folioRefreshToken"), "");
    exchange_token(&library, &one).await.expect(422);

    let two = cookie(&log_in(&library, "jane", "right").await, "folioRefreshToken");
    let three = cookie(&log_in(&library, "jane", "right").await, "folioRefreshToken");
    let all = library.with("cookie", format!("folioRefreshToken={two}"));
    all.post("/authn/logout-all", &json!({})).await.expect(204);
    exchange_token(&library, &three).await.expect(422);
}

#[tokio::test]
async fn what_is_no_refresh_token_is_refused() {
    let library = Library::open().await;
    user(&library, "jane", "right").await;
    let access = cookie(&log_in(&library, "jane", "right").await, "folioAccessToken");
    assert_eq!(
        error_code(&library.post("/authn/refresh", &json!({})).await.expect(400)),
        "token.parse.failure"
    );
    for token in [access.as_str(), "nonsense", ""] {
        let refused = exchange_token(&library, token).await;
        refused.refused("Authorization server unable to process token refresh request");
    }
    // Another tenant's token is none here.
    let elsewhere = Library::open().await;
    user(&elsewhere, "jane", "right").await;
    let theirs = cookie(&log_in(&elsewhere, "jane", "right").await, "folioRefreshToken");
    exchange_token(&library, &theirs).await.expect(422);
    exchange_token(&elsewhere, &theirs).await.expect(201);
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
        exchange_token(&library, &renewed).await.expect(422);
    }
}

#[tokio::test]
async fn a_log_out_ends_the_access_token_of_its_session_and_of_no_other() {
    let library = Library::guarded().await;
    jane(&library).await;
    let desk = with_access_token(&library, &log_in(&library, "jane", "right").await);
    let legacy = library.post("/authn/login", &super::credentials("jane", "right")).await.expect(201);
    let legacy = library.with_token(legacy.header("x-okapi-token").unwrap());
    let office = with_access_token(&library, &log_in(&library, "jane", "right").await);
    for session in [&desk, &legacy, &office] {
        session.get("/groups").await.expect(200);
    }
    let elsewhere = Octavo::start_another().await;
    for session in [desk, legacy] {
        session.post("/authn/logout", &json!({})).await.expect(204);
        session.get("/groups").await.says(401, "Invalid token");
        let there = session.through(&elsewhere);
        eventually("the session has ended everywhere", async || there.get("/groups").await.status == 401)
            .await;
    }
    office.get("/groups").await.expect(200);
    // By the refresh token alone, as when the access token has run out.
    let login = log_in(&library, "jane", "right").await;
    let renewing =
        library.with("cookie", format!("folioRefreshToken={}", cookie(&login, "folioRefreshToken")));
    renewing.post("/authn/logout", &json!({})).await.expect(204);
    with_access_token(&library, &login).get("/groups").await.says(401, "Invalid token");
    // A session that has ended is not renewed, and its renewal is no alarm.
    exchange_token(&library, &cookie(&login, "folioRefreshToken")).await.expect(422);
    office.get("/groups").await.expect(200);
}

#[tokio::test]
async fn a_log_out_everywhere_ends_all() {
    let library = Library::guarded().await;
    jane(&library).await;
    let one = with_access_token(&library, &log_in(&library, "jane", "right").await);
    let two = library.post("/authn/login", &super::credentials("jane", "right")).await.expect(201);
    let two = library.with_token(two.header("x-okapi-token").unwrap());
    one.post("/authn/logout-all", &json!({})).await.expect(204);
    for session in [&one, &two] {
        session.get("/groups").await.says(401, "Invalid token");
    }
    with_access_token(&library, &log_in(&library, "jane", "right").await).get("/groups").await.expect(200);
}

#[tokio::test]
async fn a_new_password_ends_the_other_sessions() {
    let library = Library::guarded().await;
    let id = jane(&library).await;
    let other_login = log_in(&library, "jane", "right").await;
    let own_login = log_in(&library, "jane", "right").await;
    let (own, other) = (with_access_token(&library, &own_login), with_access_token(&library, &other_login));
    let change = json!({"username": "jane", "password": "right", "newPassword": "new"});
    own.post("/authn/update", &change).await.expect(204);
    own.get("/groups").await.expect(200);
    other.get("/groups").await.says(401, "Invalid token");
    exchange_token(&library, &cookie(&other_login, "folioRefreshToken")).await.expect(422);
    let renewed = exchange_token(&library, &cookie(&own_login, "folioRefreshToken")).await.expect(201);
    with_access_token(&library, &renewed).get("/groups").await.expect(200);
    own.post("/authn/logout", &json!({})).await.expect(204);
    own.get("/groups").await.says(401, "Invalid token");

    // One that somebody else sets ends all.
    let session = with_access_token(&library, &log_in(&library, "jane", "new").await);
    let personnel = library.as_user(&["login.item.delete", "usergroups.collection.get"]).await;
    personnel.delete(&format!("/authn/credentials?userId={id}")).await.expect(204);
    session.get("/groups").await.says(401, "Invalid token");
}

#[tokio::test]
async fn tokens_of_a_user_who_was_inactive_or_expired_do_not_come_back() {
    let library = Library::guarded().await;
    let id = jane(&library).await;
    let clerk = library.as_user(&["users.item.put"]).await;
    let be = async |active: bool, expires: &str| {
        let body = json!({"id": id, "username": "jane", "active": active, "expirationDate": expires});
        clerk.put(&format!("/users/{id}"), &body).await.expect(204);
    };
    for expiry in [false, true] {
        let login = log_in(&library, "jane", "right").await.expect(201);
        let session = with_access_token(&library, &login);
        session.get("/groups").await.expect(200);
        if expiry {
            be(true, "2020-01-01T00:00:00Z").await;
            library.run_job("/users/expire/timer").await;
        } else {
            be(false, "2999-01-01T00:00:00Z").await;
        }
        session.get("/groups").await.expect(401);
        be(true, "2999-01-01T00:00:00Z").await;
        session.get("/groups").await.says(401, "Invalid token");
        exchange_token(&library, &cookie(&login, "folioRefreshToken")).await.expect(422);
    }
}

/// What is remembered of ended sessions stays small.
#[tokio::test]
async fn a_hundred_log_outs_are_remembered_one_by_one_and_more_end_all() {
    let library = Library::guarded().await;
    jane(&library).await;
    let tokens = async || {
        let reply = library.post("/authn/login", &super::credentials("jane", "right")).await.expect(201);
        library.with_token(reply.header("x-okapi-token").unwrap())
    };
    let stays = tokens().await;
    for _ in 0..100 {
        tokens().await.post("/authn/logout", &json!({})).await.expect(204);
    }
    stays.get("/groups").await.expect(200);
    let last = tokens().await;
    last.post("/authn/logout", &json!({})).await.expect(204);
    last.get("/groups").await.says(401, "Invalid token");
    stays.get("/groups").await.says(401, "Invalid token");
    tokens().await.get("/groups").await.expect(200);
}
