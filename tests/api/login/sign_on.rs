//! Single sign-on by OpenID Connect, against an issuer that can be made to misbehave: its tokens are signed with a key of the test. A real
//! issuer is tried in a browser (`ui/test/sign-on.test.ts`).

mod issuer;
mod refusals;
mod saml;
mod settings;

use octavo_testkit::{Library, Reply, fresh_id};
use serde_json::{Value, json};
use uuid::Uuid;

use issuer::{Issuer, parameters};

/// A library whose people log in at an issuer, and a user whom the issuer knows.
struct SignOnLibrary {
    library: Library,
    issuer: Issuer,
    jane: Uuid,
}

impl SignOnLibrary {
    async fn open() -> SignOnLibrary {
        SignOnLibrary::from_library(Library::open().await).await
    }

    async fn from_library(library: Library) -> SignOnLibrary {
        let issuer = Issuer::start().await;
        let jane = fresh_id();
        let personal = json!({"lastName": "Doe", "email": "jane@example.org"});
        let user = json!({"id": jane, "username": "jane", "active": true, "externalSystemId": "E-1", "barcode": "B-1", "personal": personal});
        library.store(&octavo_modules::users::USER, user).await;
        SignOnLibrary { library, issuer, jane }
    }

    /// Stores the usual settings with the given changes.
    async fn put_settings(&self, changed: Value) {
        self.library.put(SETTINGS, &self.settings(&changed)).await.expect(200);
    }

    fn settings(&self, changed: &Value) -> Value {
        let mut settings = json!({
            "active": true,
            "issuer": self.issuer.url(),
            "clientId": "octavo",
            "clientSecret": "s%cr:t",
            "buttonText": "University log-in",
            "publicUrl": "https://library.example.org/octavo",
        });
        for (name, value) in changed.as_object().into_iter().flatten() {
            settings[name] = value.clone();
        }
        settings
    }

    async fn start_log_in(&self, return_to: &str) -> StartedLogIn {
        let path = format!("/octavo/sso/start?returnTo={}", octavo_testkit::encode(return_to));
        StartedLogIn::from_redirect(&self.library.get(&path).await.expect(303))
    }

    /// Logs in as whom the issuer vouches for.
    async fn log_in(&self) -> Reply {
        let begun = self.start_log_in("/desk/check-out?x=1").await;
        self.issuer.expect_log_in(&begun);
        self.return_from_issuer(&begun, &format!("code=c-1&state={}", begun.state)).await
    }

    async fn return_from_issuer(&self, begun: &StartedLogIn, query: &str) -> Reply {
        let browser = self.library.with("cookie", format!("other=1; octavoSignOn={}", begun.cookie));
        browser.get(&format!("/octavo/sso/callback?{query}")).await
    }
}

const SETTINGS: &str = "/octavo/sso/settings";

/// A started log-in, as the browser has it.
struct StartedLogIn {
    location: String,
    state: String,
    nonce: String,
    challenge: String,
    cookie: String,
}

impl StartedLogIn {
    fn from_redirect(reply: &Reply) -> StartedLogIn {
        StartedLogIn::from_location(reply.header("location").unwrap_or_default(), reply)
    }

    fn from_location(location: &str, reply: &Reply) -> StartedLogIn {
        let given = parameters(location);
        let of = |name: &str| given.get(name).cloned().unwrap_or_default();
        let set = reply.headers("set-cookie");
        let cookie = set.iter().find_map(|cookie| cookie.strip_prefix("octavoSignOn=")).unwrap_or_default();
        StartedLogIn {
            location: location.to_owned(),
            state: of("state"),
            nonce: of("nonce"),
            challenge: of("code_challenge"),
            cookie: cookie.split(';').next().unwrap_or_default().to_owned(),
        }
    }
}

/// The code with which the desk is told why nobody was logged in.
fn refusal_code(reply: &Reply) -> &str {
    let refused = reply.header("location").and_then(|to| to.strip_prefix("/desk?signOn="));
    assert_eq!(reply.status, 303, "{reply}");
    assert!(reply.headers("set-cookie").iter().all(|cookie| !cookie.starts_with("folio")), "{reply}");
    refused.unwrap_or_else(|| panic!("not refused\n{reply}"))
}

/// The value of a cookie that is set.
fn set_cookie_value(reply: &Reply, name: &str) -> Option<String> {
    let set = reply.headers("set-cookie");
    let value = set.iter().find_map(|cookie| cookie.strip_prefix(name)?.strip_prefix('='))?;
    Some(value.split(';').next().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn somebody_is_sent_to_the_issuer_and_comes_back_logged_in() {
    let house = SignOnLibrary::from_library(Library::guarded().await).await;
    let admin = house.library.as_user(&["octavo.sso.settings.put"]).await;
    admin.put(SETTINGS, &house.settings(&json!({}))).await.expect(200);
    // A browser: it names no tenant but in the path, and brings a token that has run out.
    let browser = house.library.without("x-okapi-tenant").with("cookie", "folioAccessToken=a.b.c");
    let base = format!("/_/invoke/tenant/{}/octavo/sso", house.library.tenant);
    let offer = browser.get(&base).await.expect(200).json();
    assert_eq!(offer, json!({"active": true, "buttonText": "University log-in"}));
    let reply = browser.get(&format!("{base}/start?returnTo=/desk/check-out%3Fx%3D1")).await.expect(303);
    let begun = StartedLogIn::from_redirect(&reply);
    let redirect = format!("https://library.example.org/octavo{base}/callback");
    let given = parameters(&begun.location);
    assert!(begun.location.starts_with(&format!("{}/auth?", house.issuer.url())), "{}", begun.location);
    for (name, value) in [
        ("response_type", "code"),
        ("client_id", "octavo"),
        ("redirect_uri", &redirect),
        ("scope", "openid profile email"),
        ("code_challenge_method", "S256"),
    ] {
        assert_eq!(given.get(name).map(String::as_str), Some(value), "{name}");
    }
    let set = reply.headers("set-cookie")[0];
    let rest = format!("; Max-Age=600; Path=/octavo{base}/callback; Secure; HttpOnly; SameSite=Lax");
    assert!(set.ends_with(&rest), "{set}");
    house.issuer.expect_log_in(&begun);

    let browser = browser.with("cookie", format!("folioAccessToken=a.b.c; octavoSignOn={}", begun.cookie));
    let callback = format!("{base}/callback?code=c-1&state={}", begun.state);
    let arrived = browser.get(&callback).await.expect(303);
    assert_eq!(arrived.header("location"), Some("/desk/check-out?x=1"));
    assert_eq!(set_cookie_value(&arrived, "octavoSignOn"), Some(String::new()), "the cookie goes");
    let asked = house.issuer.token_requests();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].challenge(), begun.challenge, "the verifier of this log-in");
    let form = &asked[0].form;
    assert_eq!((&form["code"][..], &form["redirect_uri"][..]), ("c-1", &redirect[..]));
    assert_eq!(form.get("client_secret"), None);
    assert_eq!(asked[0].authorization.as_deref(), Some("octavo:s%25cr%3At"), "encoded as in a form");

    let (access, refresh) =
        (set_cookie_value(&arrived, "folioAccessToken"), set_cookie_value(&arrived, "folioRefreshToken"));
    let signed_in = house.library.with("cookie", format!("folioAccessToken={}", access.unwrap()));
    let own = signed_in.get("/bl-users/_self").await.expect(200).json();
    assert_eq!(own["user"]["id"], json!(house.jane));
    let refreshing = house.library.with("cookie", format!("folioRefreshToken={}", refresh.unwrap()));
    refreshing.send("POST", "/authn/refresh", "").await.expect(201);

    let again = browser.get(&callback).await;
    assert_eq!(refusal_code(&again), "expired", "the answer came before");
    assert_eq!(house.issuer.token_requests().len(), 1, "the code is exchanged once");
}

#[tokio::test]
async fn an_answer_that_comes_many_times_at_once_lets_in_once() {
    let house = SignOnLibrary::open().await;
    house.put_settings(json!({})).await;
    let begun = house.start_log_in("/desk").await;
    house.issuer.expect_log_in(&begun);
    let query = format!("code=c-1&state={}", begun.state);
    let (a, b, c) = tokio::join!(
        house.return_from_issuer(&begun, &query),
        house.return_from_issuer(&begun, &query),
        house.return_from_issuer(&begun, &query)
    );
    let let_in =
        [a, b, c].iter().filter(|reply| set_cookie_value(reply, "folioAccessToken").is_some()).count();
    assert_eq!((let_in, house.issuer.token_requests().len()), (1, 1));
}

#[tokio::test]
async fn log_ins_are_written_into_the_log() {
    let house = SignOnLibrary::open().await;
    for code in ["STATUS", "SUCCESSFUL_LOGIN_ATTEMPT", "FAILED_LOGIN_ATTEMPT"] {
        let entry = json!({"module": "EVENT_LOG", "configName": code, "code": code, "value": "true"});
        house.library.post("/configurations/entries", &entry).await.expect(201);
    }
    house.put_settings(json!({})).await;
    assert!(set_cookie_value(&house.log_in().await, "folioAccessToken").is_some());
    let user = house.library.get(&format!("/users/{}", house.jane)).await.expect(200).json();
    let mut inactive = user.clone();
    inactive["active"] = json!(false);
    house.library.put(&format!("/users/{}", house.jane), &inactive).await.expect(204);
    assert_eq!(refusal_code(&house.log_in().await), "inactive-user");
    let query = octavo_testkit::encode(&format!("userId=={} sortBy timestamp", house.jane));
    let events = house.library.get(&format!("/authn/log/events?query={query}")).await.expect(200);
    assert_eq!(
        events.field_values("loggingEvent", "eventType"),
        ["SUCCESSFUL_LOGIN_ATTEMPT", "FAILED_LOGIN_ATTEMPT"]
    );
}

#[tokio::test]
async fn users_are_found_by_the_member_that_the_library_chooses() {
    let house = SignOnLibrary::open().await;
    for (claim, field, value) in [
        ("preferred_username", "username", "JANE "),
        ("email", "email", "Jane@Example.org"),
        ("upn", "externalSystemId", "e-1"),
        ("card", "barcode", "B-1"),
    ] {
        house.put_settings(json!({"claim": claim, "field": field})).await;
        house.issuer.set_claims(json!({"sub": "s-1", "email_verified": true, claim: value}));
        let arrived = house.log_in().await;
        assert!(set_cookie_value(&arrived, "folioAccessToken").is_some(), "{claim} {field}\n{arrived}");
    }
    // What the token does not tell, the issuer is asked for.
    house.put_settings(json!({"claim": "card", "field": "barcode"})).await;
    house.issuer.set_claims(json!({"sub": "s-1"}));
    house.issuer.set_userinfo(json!({"sub": "s-1", "card": "B-1"}));
    assert!(set_cookie_value(&house.log_in().await, "folioAccessToken").is_some());
    house.issuer.set_userinfo(json!({"sub": "s-2", "card": "B-1"}));
    assert_eq!(refusal_code(&house.log_in().await), "no-claim", "of somebody else");
}

#[tokio::test]
async fn a_key_that_is_new_is_read_at_once_and_an_unknown_one_does_not_make_the_issuer_be_asked_again_and_again()
 {
    let house = SignOnLibrary::open().await;
    house.put_settings(json!({})).await;
    assert!(set_cookie_value(&house.log_in().await, "folioAccessToken").is_some());
    assert!(set_cookie_value(&house.log_in().await, "folioAccessToken").is_some());
    assert_eq!(house.issuer.count_requests("/keys"), 1, "kept");
    house.issuer.rotate_key();
    assert!(set_cookie_value(&house.log_in().await, "folioAccessToken").is_some(), "signed with the new key");
    assert_eq!(house.issuer.count_requests("/keys"), 2);
    house.issuer.sign_with_unknown_key();
    for _ in 0..3 {
        assert_eq!(refusal_code(&house.log_in().await), "untrusted");
    }
    assert_eq!(house.issuer.count_requests("/keys"), 2, "asked for an unknown key just before");
    // Once when the settings were stored, once for all log-ins.
    assert_eq!(house.issuer.count_requests("/.well-known/openid-configuration"), 2);
}
