//! What a real directory answers: OpenLDAP's slapd. These tests need it: `make ldap` runs them.

use std::io::Write;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use octavo_testkit::reference::CIRC_DESK;
use octavo_testkit::{Library, eventually};
use serde_json::{Value, json};
use tracing_subscriber::filter::LevelFilter;

use super::server::{BASE, Person, READERS_PASSWORD, Slapd};
use super::{AWAY, LEAST, SETTINGS, code, credentials, fresh_id, log_in, member, timed, user};
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
const IN: &str = "";
const WRONG: &str = "password.incorrect";
const UNKNOWN: &str = "username.incorrect";

const CASES: &[(&str, &str, &str)] = &[
    ("jane", "Jane's-own", IN),
    ("JANE", "Jane's-own", IN),
    ("jane", "jane's-own", WRONG),
    ("jane", "", WRONG),
    ("jane", "Star's-own", WRONG),
    ("jane", READERS_PASSWORD, WRONG),
    ("ja*", "Star's-own", IN),
    ("ja*", "Jane's-own", WRONG),
    ("*", "Jane's-own", UNKNOWN),
    ("jane)(uid=*", "Jane's-own", UNKNOWN),
    ("a(b)", "Bracket's-own", IN),
    ("a\\b", "Slash's-own", IN),
    ("Doe, John", "Comma's-own", IN),
    ("twice", "First's-own", WRONG),
    ("twice", "Second's-own", WRONG),
    ("only-there", "There's-own", UNKNOWN),
    ("only-here", "any", WRONG),
    ("local", "Twelve-letters-1", IN),
    ("local", "The-directory's", WRONG),
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
async fn begin() -> (Slapd, Library) {
    LazyLock::force(&LOG);
    let slapd = Slapd::start(PEOPLE).await;
    let library = Library::open().await;
    furnish(&library).await;
    (slapd, library)
}

async fn furnish(library: &Library) {
    for (number, name, mail, _) in PEOPLE.iter().filter(|person| !matches!(person.1, "only-there" | "local"))
    {
        let twice = if *number == "7" { "again" } else { name };
        let user = json!({
            "id": fresh_id(), "username": twice, "active": true, "externalSystemId": format!("E-{number}"),
            "barcode": number, "personal": {"lastName": "Doe", "email": mail},
        });
        library.post("/users", &user).await.expect(201);
    }
    member(library, "only-here").await;
    user(library, "local", "Twelve-letters-1").await;
}

#[tokio::test]
#[ignore = "needs slapd: make ldap"]
async fn who_is_let_in() {
    let (slapd, library) = begin().await;
    library.put(SETTINGS, &slapd.searched(&json!({}))).await.expect(200);
    for (number, (name, password, expected)) in CASES.iter().enumerate() {
        // From an address of its own each, so that no wrong password makes the next wait.
        let (reply, took) =
            timed(log_in(&library.from(&format!("127.0.0.{}", number + 2)), name, password)).await;
        match *expected {
            IN => assert_eq!(reply.status, 201, "{name} {password}: {reply}"),
            refused => {
                assert_eq!(
                    (reply.status, code(&reply).as_str()),
                    (422, refused),
                    "{name} {password}: {reply}"
                );
                assert!(took >= LEAST, "{name} {password}: {took:?}");
            }
        }
    }
    let legacy = json!({"username": "jane", "password": "Jane's-own"});
    library.post("/authn/login", &legacy).await.expect(201);
}

#[tokio::test]
#[ignore = "needs slapd: make ldap"]
async fn a_log_in_that_is_answered_with_the_whole_user_asks_the_directory() {
    let (slapd, library) = begin().await;
    library.put(SETTINGS, &slapd.searched(&json!({}))).await.expect(200);
    let jane = library.find("/users", "username==jane").await.expect(200).json()["users"][0]["id"].clone();
    library.post("/perms/users", &json!({"userId": jane, "permissions": []})).await.expect(201);
    for path in ["/bl-users/login", "/bl-users/login-with-expiry"] {
        let let_in = library.post(path, &credentials("jane", "Jane's-own")).await.expect(201).json();
        assert_eq!(let_in["user"]["id"], jane, "{path}");
        let refused = library.post(path, &credentials("jane", "wrong")).await.expect(422);
        assert_eq!(code(&refused), WRONG, "{path}");
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
    branch.desk.put(SETTINGS, &slapd.searched(&json!({}))).await.expect(200);

    let mut refused = branch.machines.connect().await;
    assert_eq!(refused.send(&sip2::log_in("jane", "wrong", CIRC_DESK)).await, "940");
    let mut machine = branch.machines.connect().await;
    assert_eq!(machine.send(&sip2::log_in("jane", "Jane's-own", CIRC_DESK)).await, "941");
    for (password, is_right) in [("Star's-own", "Y"), ("wrong", "N"), ("", "N")] {
        let asked = format!("23001{}AOo|AA{}|AC|AD{password}|", sip2::NOW, sip2::barcode(&patron));
        let answer = machine.send(&asked).await;
        assert_eq!(sip2::values(&answer, "CQ", 35), [is_right], "{password}: {answer}");
    }
}

#[tokio::test]
#[ignore = "needs slapd: make ldap"]
async fn every_way_to_reach_a_directory_and_to_find_an_entry() {
    let (slapd, library) = begin().await;
    let named = |template: &str| json!({"userDn": template, "searchBase": "", "searchFilter": "", "bindDn": "", "bindPassword": ""});
    for changed in [
        json!({}),
        json!({"url": slapd.plain()}),
        json!({"url": slapd.plain(), "unencrypted": true, "authorities": ""}),
        json!({"searchFilter": "(mail={value})", "field": "email"}),
        json!({"searchFilter": "(employeeNumber={value})", "field": "barcode"}),
        json!({"searchFilter": "(|(uid={value})(mail={value}))"}),
        {
            let mut by_name = named("employeeNumber={value},ou=people,dc=example,dc=org");
            by_name["field"] = json!("barcode");
            by_name
        },
    ] {
        library.put(SETTINGS, &slapd.searched(&changed)).await.expect(200);
        let reply = log_in(&library, "jane", "Jane's-own").await;
        assert_eq!(reply.status, 201, "{changed}: {reply}");
        let reply = log_in(&library, "jane", "wrong").await;
        assert_eq!(code(&reply), WRONG, "{changed}: {reply}");
    }
    let other = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap().cert.pem();
    for (changed, message) in [
        (json!({"authorities": other.clone()}), "certificate"),
        (json!({"url": slapd.plain(), "authorities": other}), "certificate"),
        (json!({"authorities": ""}), "certificate"),
        (json!({"bindPassword": "wrong"}), "refuses the account"),
        (json!({"searchBase": format!("ou=none,{BASE}")}), "nothing where it is searched"),
        (json!({"bindDn": "", "bindPassword": ""}), "a search with result code 50"),
    ] {
        let reply = library.put(SETTINGS, &slapd.searched(&changed)).await.expect(422);
        assert!(reply.text().contains(message), "{changed}: {reply}");
    }
}

#[tokio::test]
#[ignore = "needs slapd: make ldap"]
async fn an_address_that_two_users_have_lets_neither_in() {
    let (slapd, library) = begin().await;
    let by_mail = json!({"searchFilter": "(mail={value})", "field": "email"});
    library.put(SETTINGS, &slapd.searched(&by_mail)).await.expect(200);
    log_in(&library, "jane", "Jane's-own").await.expect(201);
    let double = json!({
        "id": fresh_id(), "username": "double", "active": true,
        "personal": {"lastName": "Double", "email": "jane@example.org"},
    });
    library.post("/users", &double).await.expect(201);
    for name in ["double", "jane"] {
        assert_eq!(code(&log_in(&library, name, "Jane's-own").await.expect(422)), WRONG, "{name}");
    }
}

#[tokio::test]
#[ignore = "needs slapd: make ldap"]
async fn wrong_passwords_block_a_user_and_a_directory_that_is_away_does_not() {
    let (mut slapd, library) = begin().await;
    library.put(SETTINGS, &slapd.searched(&json!({}))).await.expect(200);
    for number in 1..=5 {
        let reply = log_in(&library.from(&format!("127.0.0.{number}")), "ja*", "wrong").await.expect(422);
        let expected =
            ["", WRONG, WRONG, "password.incorrect.warn.user", WRONG, "password.incorrect.block.user"];
        assert_eq!(code(&reply), expected[number], "{number}");
    }
    assert_eq!(code(&log_in(&library, "ja*", "Star's-own").await.expect(422)), "user.blocked");
    // No password would be right for who is not there: nobody is blocked.
    for number in 1..=6 {
        let reply = log_in(&library.from(&format!("127.0.0.{number}")), "only-here", "any").await.expect(422);
        assert_eq!(code(&reply), WRONG, "{number}");
    }
    log_in(&library, "jane", "Jane's-own").await.expect(201);
    slapd.stop();
    for _ in 0..7 {
        let (reply, took) = timed(log_in(&library, "jane", "Jane's-own")).await;
        assert_eq!(code(&reply.expect(500)), AWAY);
        assert!((LEAST..Duration::from_secs(4)).contains(&took), "{took:?}");
    }
    log_in(&library, "local", "Twelve-letters-1").await.expect(201);
    let jane = library.find("/users", "username==jane").await.expect(200).json();
    assert_eq!(jane["users"][0]["active"], true);
}

#[tokio::test]
#[ignore = "needs slapd: make ldap"]
async fn the_security_log_tells_of_it_and_no_log_holds_a_password() {
    let (slapd, library) = begin().await;
    library.put(SETTINGS, &slapd.searched(&json!({}))).await.expect(200);
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
