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
struct House {
    library: Library,
    issuer: Issuer,
    jane: Uuid,
}

impl House {
    async fn open() -> House {
        House::of(Library::open().await).await
    }

    async fn of(library: Library) -> House {
        let issuer = Issuer::start().await;
        let jane = fresh_id();
        let personal = json!({"lastName": "Doe", "email": "jane@example.org"});
        let user = json!({"id": jane, "username": "jane", "active": true, "externalSystemId": "E-1", "barcode": "B-1", "personal": personal});
        library.store(&octavo_modules::users::USER, user).await;
        House { library, issuer, jane }
    }

    /// With the usual settings, and these.
    async fn set(&self, changed: Value) {
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

    async fn begin(&self, return_to: &str) -> Begun {
        let path = format!("/octavo/sso/start?returnTo={}", octavo_testkit::encode(return_to));
        Begun::of(&self.library.get(&path).await.expect(303))
    }

    /// Logs in as whom the issuer vouches for.
    async fn log_in(&self) -> Reply {
        let begun = self.begin("/desk/check-out?x=1").await;
        self.issuer.vouch(&begun);
        self.arrive(&begun, &format!("code=c-1&state={}", begun.state)).await
    }

    async fn arrive(&self, begun: &Begun, query: &str) -> Reply {
        let browser = self.library.with("cookie", format!("other=1; octavoSignOn={}", begun.cookie));
        browser.get(&format!("/octavo/sso/callback?{query}")).await
    }
}

const SETTINGS: &str = "/octavo/sso/settings";

/// A log-in on its way, as the browser knows it.
struct Begun {
    location: String,
    state: String,
    nonce: String,
    challenge: String,
    cookie: String,
}

impl Begun {
    fn of(reply: &Reply) -> Begun {
        Begun::at(reply.header("location").unwrap_or_default(), reply)
    }

    fn at(location: &str, reply: &Reply) -> Begun {
        let given = parameters(location);
        let of = |name: &str| given.get(name).cloned().unwrap_or_default();
        let set = reply.headers("set-cookie");
        let cookie = set.iter().find_map(|cookie| cookie.strip_prefix("octavoSignOn=")).unwrap_or_default();
        Begun {
            location: location.to_owned(),
            state: of("state"),
            nonce: of("nonce"),
            challenge: of("code_challenge"),
            cookie: cookie.split(';').next().unwrap_or_default().to_owned(),
        }
    }
}

/// The code with which the desk is told why nobody was logged in.
fn why(reply: &Reply) -> &str {
    let refused = reply.header("location").and_then(|to| to.strip_prefix("/desk?signOn="));
    assert_eq!(reply.status, 303, "{reply}");
    assert!(reply.headers("set-cookie").iter().all(|cookie| !cookie.starts_with("folio")), "{reply}");
    refused.unwrap_or_else(|| panic!("not refused\n{reply}"))
}

/// The value of a cookie that is set.
fn cookie(reply: &Reply, name: &str) -> Option<String> {
    let set = reply.headers("set-cookie");
    let value = set.iter().find_map(|cookie| cookie.strip_prefix(name)?.strip_prefix('='))?;
    Some(value.split(';').next().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn somebody_is_sent_to_the_issuer_and_comes_back_logged_in() {
    let house = House::of(Library::guarded().await).await;
    let admin = house.library.as_user(&["octavo.sso.settings.put"]).await;
    admin.put(SETTINGS, &house.settings(&json!({}))).await.expect(200);
    // A browser: it names no tenant but in the path, and brings a token that has run out.
    let browser = house.library.without("x-okapi-tenant").with("cookie", "folioAccessToken=a.b.c");
    let base = format!("/_/invoke/tenant/{}/octavo/sso", house.library.tenant);
    let offer = browser.get(&base).await.expect(200).json();
    assert_eq!(offer, json!({"active": true, "buttonText": "University log-in"}));
    let reply = browser.get(&format!("{base}/start?returnTo=/desk/check-out%3Fx%3D1")).await.expect(303);
    let begun = Begun::of(&reply);
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
    house.issuer.vouch(&begun);

    let browser = browser.with("cookie", format!("folioAccessToken=a.b.c; octavoSignOn={}", begun.cookie));
    let callback = format!("{base}/callback?code=c-1&state={}", begun.state);
    let arrived = browser.get(&callback).await.expect(303);
    assert_eq!(arrived.header("location"), Some("/desk/check-out?x=1"));
    assert_eq!(cookie(&arrived, "octavoSignOn"), Some(String::new()), "the cookie goes");
    let asked = house.issuer.asked_for_token();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].challenge(), begun.challenge, "the verifier of this log-in");
    let form = &asked[0].form;
    assert_eq!((&form["code"][..], &form["redirect_uri"][..]), ("c-1", &redirect[..]));
    assert_eq!(form.get("client_secret"), None);
    assert_eq!(asked[0].authorization.as_deref(), Some("octavo:s%25cr%3At"), "encoded as in a form");

    let (access, refresh) = (cookie(&arrived, "folioAccessToken"), cookie(&arrived, "folioRefreshToken"));
    let signed_in = house.library.with("cookie", format!("folioAccessToken={}", access.unwrap()));
    let own = signed_in.get("/bl-users/_self").await.expect(200).json();
    assert_eq!(own["user"]["id"], json!(house.jane));
    let refreshing = house.library.with("cookie", format!("folioRefreshToken={}", refresh.unwrap()));
    refreshing.send("POST", "/authn/refresh", "").await.expect(201);

    let again = browser.get(&callback).await;
    assert_eq!(why(&again), "expired", "the answer came before");
    assert_eq!(house.issuer.asked_for_token().len(), 1, "the code is exchanged once");
}

#[tokio::test]
async fn an_answer_that_comes_many_times_at_once_lets_in_once() {
    let house = House::open().await;
    house.set(json!({})).await;
    let begun = house.begin("/desk").await;
    house.issuer.vouch(&begun);
    let query = format!("code=c-1&state={}", begun.state);
    let (a, b, c) = tokio::join!(
        house.arrive(&begun, &query),
        house.arrive(&begun, &query),
        house.arrive(&begun, &query)
    );
    let let_in = [a, b, c].iter().filter(|reply| cookie(reply, "folioAccessToken").is_some()).count();
    assert_eq!((let_in, house.issuer.asked_for_token().len()), (1, 1));
}

#[tokio::test]
async fn log_ins_are_written_into_the_log() {
    let house = House::open().await;
    for code in ["STATUS", "SUCCESSFUL_LOGIN_ATTEMPT", "FAILED_LOGIN_ATTEMPT"] {
        let entry = json!({"module": "EVENT_LOG", "configName": code, "code": code, "value": "true"});
        house.library.post("/configurations/entries", &entry).await.expect(201);
    }
    house.set(json!({})).await;
    assert!(cookie(&house.log_in().await, "folioAccessToken").is_some());
    let user = house.library.get(&format!("/users/{}", house.jane)).await.expect(200).json();
    let mut inactive = user.clone();
    inactive["active"] = json!(false);
    house.library.put(&format!("/users/{}", house.jane), &inactive).await.expect(204);
    assert_eq!(why(&house.log_in().await), "inactive-user");
    let query = octavo_testkit::encode(&format!("userId=={} sortBy timestamp", house.jane));
    let events = house.library.get(&format!("/authn/log/events?query={query}")).await.expect(200);
    assert_eq!(events.all("loggingEvent", "eventType"), ["SUCCESSFUL_LOGIN_ATTEMPT", "FAILED_LOGIN_ATTEMPT"]);
}

#[tokio::test]
async fn users_are_found_by_the_member_that_the_library_chooses() {
    let house = House::open().await;
    for (claim, field, value) in [
        ("preferred_username", "username", "JANE "),
        ("email", "email", "Jane@Example.org"),
        ("upn", "externalSystemId", "e-1"),
        ("card", "barcode", "B-1"),
    ] {
        house.set(json!({"claim": claim, "field": field})).await;
        house.issuer.claims(json!({"sub": "s-1", "email_verified": true, claim: value}));
        let arrived = house.log_in().await;
        assert!(cookie(&arrived, "folioAccessToken").is_some(), "{claim} {field}\n{arrived}");
    }
    // What the token does not tell, the issuer is asked for.
    house.set(json!({"claim": "card", "field": "barcode"})).await;
    house.issuer.claims(json!({"sub": "s-1"}));
    house.issuer.userinfo(json!({"sub": "s-1", "card": "B-1"}));
    assert!(cookie(&house.log_in().await, "folioAccessToken").is_some());
    house.issuer.userinfo(json!({"sub": "s-2", "card": "B-1"}));
    assert_eq!(why(&house.log_in().await), "no-claim", "of somebody else");
}

#[tokio::test]
async fn a_key_that_is_new_is_read_at_once_and_an_unknown_one_does_not_make_the_issuer_be_asked_again_and_again()
 {
    let house = House::open().await;
    house.set(json!({})).await;
    assert!(cookie(&house.log_in().await, "folioAccessToken").is_some());
    assert!(cookie(&house.log_in().await, "folioAccessToken").is_some());
    assert_eq!(house.issuer.times("/keys"), 1, "kept");
    house.issuer.rotate();
    assert!(cookie(&house.log_in().await, "folioAccessToken").is_some(), "signed with the new key");
    assert_eq!(house.issuer.times("/keys"), 2);
    house.issuer.sign_with_unknown_key();
    for _ in 0..3 {
        assert_eq!(why(&house.log_in().await), "untrusted");
    }
    assert_eq!(house.issuer.times("/keys"), 2, "asked for an unknown key just before");
    // Once when the settings were stored, once for all log-ins.
    assert_eq!(house.issuer.times("/.well-known/openid-configuration"), 2);
}
