//! What a real directory answers: OpenLDAP's slapd. These tests need it: `make ldap` runs them.

use std::io::Write;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use octavo_testkit::reference::CIRC_DESK;
use octavo_testkit::{Library, eventually};
use serde_json::{Value, json};
use tracing_subscriber::filter::LevelFilter;

use super::server::{BASE, Person, READERS_PASSWORD, Slapd};
use super::{
    DIRECTORY_UNAVAILABLE, LEAST_TIME, SETTINGS, create_user_without_password, credentials, error_code,
    fresh_id, log_in, time_reply, user,
};
use crate::sip2::{self, Branch};

const PEOPLE: &[Person] = &[
    ("1", "jane", "jane@example.org", "Jane's-own"),
    ("2", "ja*", "star@example.org", "Star's-own"),
    ("3", "a(b)", "bracket@example.org", "Bracket's-own"),
    ("4", "a\\b", "slash@example.org", "Slash's-own"),
    ("5", "Doe, John", "comma@example.org", "Comma's-own"),
    ("6", "twice", "twice@example.org", "First's-own"),
    ("7", "twice", "twice@example.org", "Second's-own"),
    ("8", "only-there", "there@example.org", "There's-own"),
    ("9", "local", "local@example.org", "The-directory's"),
];

/// What a log-in gives: nothing, or the code of a refusal.
const LET_IN: &str = "";
const WRONG_PASSWORD: &str = "password.incorrect";
const UNKNOWN_USER: &str = "username.incorrect";

const CASES: &[(&str, &str, &str)] = &[
    ("jane", "Jane's-own", LET_IN),
    ("JANE", "Jane's-own", LET_IN),
    ("jane", "jane's-own", WRONG_PASSWORD),
    ("jane", "", WRONG_PASSWORD),
    ("jane", "Star's-own", WRONG_PASSWORD),
    ("jane", READERS_PASSWORD, WRONG_PASSWORD),
    ("ja*", "Star's-own", LET_IN),
    ("ja*", "Jane's-own", WRONG_PASSWORD),
    ("*", "Jane's-own", UNKNOWN_USER),
    ("jane)(uid=*", "Jane's-own", UNKNOWN_USER),
    ("a(b)", "Bracket's-own", LET_IN),
    ("a\\b", "Slash's-own", LET_IN),
    ("Doe, John", "Comma's-own", LET_IN),
    ("twice", "First's-own", WRONG_PASSWORD),
    ("twice", "Second's-own", WRONG_PASSWORD),
    ("only-there", "There's-own", UNKNOWN_USER),
    ("only-here", "any", WRONG_PASSWORD),
    ("local", "Twelve-letters-1", LET_IN),
    ("local", "The-directory's", WRONG_PASSWORD),
];

/// What these tests have this process write to its log, all of it.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

static LOG: LazyLock<Log> = LazyLock::new(|| {
    let log = Log::default();
    let writer = log.clone();
    // Fails where another test came first: the log then lacks what is looked for.
    let _ = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::TRACE)
        .with_writer(move || writer.clone())
        .try_init();
    log
});

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A directory and a library that has some of its people.
async fn start_directory_and_library() -> (Slapd, Library) {
    LazyLock::force(&LOG);
    let slapd = Slapd::start(PEOPLE).await;
    let library = Library::open().await;
    create_users(&library).await;
    (slapd, library)
}

async fn create_users(library: &Library) {
    for (number, name, mail, _) in PEOPLE.iter().filter(|person| !matches!(person.1, "only-there" | "local"))
    {
        let twice = if *number == "7" { "again" } else { name };
        let user = json!({
            "id": fresh_id(), "username": twice, "active": true, "externalSystemId": format!("E-{number}"),
            "barcode": number, "personal": {"lastName": "Doe", "email": mail},
        });
        library.post("/users", &user).await.expect(201);
    }
    create_user_without_password(library, "only-here").await;
    user(library, "local", "Twelve-letters-1").await;
}

#[tokio::test]
#[ignore = "needs slapd: make ldap"]
async fn who_is_let_in() {
    let (slapd, library) = start_directory_and_library().await;
    library.put(SETTINGS, &slapd.search_settings(&json!({}))).await.expect(200);
    for (number, (name, password, expected)) in CASES.iter().enumerate() {
        // From an address of its own each, so that no wrong password makes the next wait.
        let (reply, took) =
            time_reply(log_in(&library.from(&format!("127.0.0.{}", number + 2)), name, password)).await;
        match *expected {
            LET_IN => assert_eq!(reply.status, 201, "{name} {password}: {reply}"),
            refused => {
                assert_eq!(
                    (reply.status, error_code(&reply).as_str()),
                    (422, refused),
                    "{name} {password}: {reply}"
                );
                assert!(took >= LEAST_TIME, "{name} {password}: {took:?}");
            }
        }
    }
    let legacy = json!({"username": "jane", "password": "Jane's-own"});
    library.post("/authn/login", &legacy).await.expect(201);
}

#[tokio::test]
#[ignore = "needs slapd: make ldap"]
async fn a_log_in_that_is_answered_with_the_whole_user_asks_the_directory() {
    let (slapd, library) = start_directory_and_library().await;
    library.put(SETTINGS, &slapd.search_settings(&json!({}))).await.expect(200);
    let jane = library.find("/users", "username==jane").await.expect(200).json()["users"][0]["id"].clone();
    library.post("/perms/users", &json!({"userId": jane, "permissions": []})).await.expect(201);
    for path in ["/bl-users/login", "/bl-users/login-with-expiry"] {
        let let_in = library.post(path, &credentials("jane", "Jane's-own")).await.expect(201).json();
        assert_eq!(let_in["user"]["id"], jane, "{path}");
        let refused = library.post(path, &credentials("jane", "wrong")).await.expect(422);
        assert_eq!(error_code(&refused), WRONG_PASSWORD, "{path}");
    }
}

#[tokio::test]
#[ignore = "needs slapd: make ldap"]
async fn self_check_machines_and_the_patrons_at_them_ask_the_directory() {
    let slapd = Slapd::start(PEOPLE).await;
    let branch = Branch::open().await;
    branch.set_for_all(&json!({"patronPasswordVerificationRequired": true})).await;
    let machines_user = json!({"id": fresh_id(), "username": "jane", "active": true});
    branch.desk.post("/users", &machines_user).await.expect(201);
    let permissions = json!({"userId": machines_user["id"], "permissions": sip2::PERMISSIONS});
    branch.desk.post("/perms/users", &permissions).await.expect(201);
    let mut patron = branch.desk.patron().await;
    patron["username"] = json!("ja*");
    branch.desk.put(&format!("/users/{}", patron["id"].as_str().unwrap()), &patron).await.expect(204);
    branch.desk.put(SETTINGS, &slapd.search_settings(&json!({}))).await.expect(200);

    let mut refused = branch.machines.connect().await;
    assert_eq!(refused.send(&sip2::log_in_message("jane", "wrong", CIRC_DESK)).await, "940");
    let mut machine = branch.machines.connect().await;
    assert_eq!(machine.send(&sip2::log_in_message("jane", "Jane's-own", CIRC_DESK)).await, "941");
    for (password, is_right) in [("Star's-own", "Y"), ("wrong", "N"), ("", "N")] {
        let asked = format!("23001{}AOo|AA{}|AC|AD{password}|", sip2::NOW, sip2::barcode(&patron));
        let answer = machine.send(&asked).await;
        assert_eq!(sip2::field_values(&answer, "CQ", 35), [is_right], "{password}: {answer}");
    }
}

#[tokio::test]
#[ignore = "needs slapd: make ldap"]
async fn every_way_to_reach_a_directory_and_to_find_an_entry() {
    let (slapd, library) = start_directory_and_library().await;
    let named = |template: &str| json!({"userDn": template, "searchBase": "", "searchFilter": "", "bindDn": "", "bindPassword": ""});
    for changed in [
        json!({}),
        json!({"url": slapd.unencrypted_url()}),
        json!({"url": slapd.unencrypted_url(), "unencrypted": true, "authorities": ""}),
        json!({"searchFilter": "(mail={value})", "field": "email"}),
        json!({"searchFilter": "(employeeNumber={value})", "field": "barcode"}),
        json!({"searchFilter": "(|(uid={value})(mail={value}))"}),
        {
            let mut by_name = named("employeeNumber={value},ou=people,dc=example,dc=org");
            by_name["field"] = json!("barcode");
            by_name
        },
    ] {
        library.put(SETTINGS, &slapd.search_settings(&changed)).await.expect(200);
        let reply = log_in(&library, "jane", "Jane's-own").await;
        assert_eq!(reply.status, 201, "{changed}: {reply}");
        let reply = log_in(&library, "jane", "wrong").await;
        assert_eq!(error_code(&reply), WRONG_PASSWORD, "{changed}: {reply}");
    }
    let other = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap().cert.pem();
    for (changed, message) in [
        (json!({"authorities": other.clone()}), "certificate"),
        (json!({"url": slapd.unencrypted_url(), "authorities": other}), "certificate"),
        (json!({"authorities": ""}), "certificate"),
        (json!({"bindPassword": "wrong"}), "refuses the account"),
        (json!({"searchBase": format!("ou=none,{BASE}")}), "nothing where it is searched"),
        (json!({"bindDn": "", "bindPassword": ""}), "a search with result code 50"),
    ] {
        let reply = library.put(SETTINGS, &slapd.search_settings(&changed)).await.expect(422);
        assert!(reply.text().contains(message), "{changed}: {reply}");
    }
}

#[tokio::test]
#[ignore = "needs slapd: make ldap"]
async fn an_address_that_two_users_have_lets_neither_in() {
    let (slapd, library) = start_directory_and_library().await;
    let by_mail = json!({"searchFilter": "(mail={value})", "field": "email"});
    library.put(SETTINGS, &slapd.search_settings(&by_mail)).await.expect(200);
    log_in(&library, "jane", "Jane's-own").await.expect(201);
    let double = json!({
        "id": fresh_id(), "username": "double", "active": true,
        "personal": {"lastName": "Double", "email": "jane@example.org"},
    });
    library.post("/users", &double).await.expect(201);
    for name in ["double", "jane"] {
        assert_eq!(
            error_code(&log_in(&library, name, "Jane's-own").await.expect(422)),
            WRONG_PASSWORD,
            "{name}"
        );
    }
}

#[tokio::test]
#[ignore = "needs slapd: make ldap"]
async fn wrong_passwords_block_a_user_and_a_directory_that_is_away_does_not() {
    let (mut slapd, library) = start_directory_and_library().await;
    library.put(SETTINGS, &slapd.search_settings(&json!({}))).await.expect(200);
    for number in 1..=5 {
        let reply = log_in(&library.from(&format!("127.0.0.{number}")), "ja*", "wrong").await.expect(422);
        let expected = [
            "",
            WRONG_PASSWORD,
            WRONG_PASSWORD,
            "password.incorrect.warn.user",
            WRONG_PASSWORD,
            "password.incorrect.block.user",
        ];
        assert_eq!(error_code(&reply), expected[number], "{number}");
    }
    assert_eq!(error_code(&log_in(&library, "ja*", "Star's-own").await.expect(422)), "user.blocked");
    // No password would be right for who is not there: nobody is blocked.
    for number in 1..=6 {
        let reply = log_in(&library.from(&format!("127.0.0.{number}")), "only-here", "any").await.expect(422);
        assert_eq!(error_code(&reply), WRONG_PASSWORD, "{number}");
    }
    log_in(&library, "jane", "Jane's-own").await.expect(201);
    slapd.stop();
    for _ in 0..7 {
        let (reply, took) = time_reply(log_in(&library, "jane", "Jane's-own")).await;
        assert_eq!(error_code(&reply.expect(500)), DIRECTORY_UNAVAILABLE);
        assert!((LEAST_TIME..Duration::from_secs(4)).contains(&took), "{took:?}");
    }
    log_in(&library, "local", "Twelve-letters-1").await.expect(201);
    let jane = library.find("/users", "username==jane").await.expect(200).json();
    assert_eq!(jane["users"][0]["active"], true);
}

#[tokio::test]
#[ignore = "needs slapd: make ldap"]
async fn the_security_log_tells_of_it_and_no_log_holds_a_password() {
    let (slapd, library) = start_directory_and_library().await;
    library.put(SETTINGS, &slapd.search_settings(&json!({}))).await.expect(200);
    log_in(&library, "jane", "Jane's-own").await.expect(201);
    log_in(&library, "jane", "A-wrong-one").await.expect(422);
    log_in(&library, "twice", "First's-own").await.expect(422);
    let events = async || -> Vec<Value> {
        let told = library.get("/octavo/security-events?limit=100").await.expect(200).json();
        told["securityEvents"].as_array().unwrap().clone()
    };
    let by_directory = |events: &[Value], event: &str| {
        let told = |one: &&Value| {
            one["description"].as_str().is_some_and(|text| text.contains("by the LDAP directory"))
        };
        events.iter().filter(|one| one["event"] == event).filter(told).count()
    };
    eventually("the security log tells of the log-ins", async || {
        let events = events().await;
        (by_directory(&events, "Log-in"), by_directory(&events, "Log-in failed")) == (1, 2)
    })
    .await;
    let told = serde_json::to_string(&events().await).unwrap();
    assert!(told.contains("Single sign-on changed"), "{told}");
    let written = String::from_utf8_lossy(&LOG.0.lock().unwrap()).into_owned();
    assert!(written.contains("the LDAP directory was set up"), "the log is kept");
    for secret in ["Jane's-own", "A-wrong-one", "First's-own", READERS_PASSWORD] {
        assert!(!written.contains(secret) && !told.contains(secret), "{secret}");
    }
}
