//! Guessed passwords: every place where one is checked counts, and nobody is shut out by strangers.
//!
//! | who is meant | where the guesses come from | what follows |
//! |---|---|---|
//! | anybody who never logged in | anywhere | FOLIO's lock-out |
//! | anybody | where they have logged in before | FOLIO's lock-out |
//! | anybody who has logged in elsewhere | anywhere else | waits there; never a lock-out |
//! | the last who could unlock others | anywhere | waits; never a lock-out |

use jiff::Timestamp;
use octavo_modules::permissions::PERMISSION_USER;
use octavo_testkit::{Library, Octavo, Reply, fresh_id};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{credentials, error_code, log_in, user};

const STRANGER: &str = "127.0.0.66";

async fn active_state(library: &Library, id: Uuid) -> Value {
    library.get(&format!("/users/{id}")).await.expect(200).json()["active"].clone()
}

async fn guess_password(library: &Library, name: &str, times: usize) -> Vec<u16> {
    let mut statuses = Vec::new();
    for _ in 0..times {
        statuses.push(log_in(library, name, "wrong").await.status);
    }
    statuses
}

const NOON: fn() -> Timestamp = || "2026-11-21T12:00:00Z".parse().unwrap();
const LATER: fn() -> Timestamp = || "2026-11-21T12:05:00Z".parse().unwrap();

/// A library whose clock stands still. On a busy machine the check of a password takes longer than the shortest wait.
async fn library_at_noon() -> Library {
    Library::open().await.through(&Octavo::with_clock(NOON).await)
}

fn is_told_to_wait(reply: &Reply) -> bool {
    reply.status == 429 && error_code(reply) == "password.attempts.wait"
}

#[tokio::test]
async fn every_way_to_try_a_password_counts() {
    let library = Library::open().await;
    let change = json!({"username": "jane", "password": "wrong", "newPassword": "new"});
    for (path, body, wrong) in [
        ("/authn/login", credentials("jane", "wrong"), 422),
        ("/authn/login-with-expiry", credentials("jane", "wrong"), 422),
        ("/bl-users/login", credentials("jane", "wrong"), 422),
        ("/bl-users/login-with-expiry", credentials("jane", "wrong"), 422),
        ("/authn/update", change.clone(), 401),
        ("/bl-users/settings/myprofile/password", change, 401),
    ] {
        let id = user(&library, "jane", "right").await;
        for _ in 0..5 {
            library.post(path, &body).await.expect(wrong);
        }
        assert_eq!(active_state(&library, id).await, false, "{path}");
        // Nor is a blocked user's password told right or wrong.
        for password in ["right", "wrong"] {
            let mut tried = body.clone();
            tried["password"] = json!(password);
            library.post(path, &tried).await.refused("User must be flagged as active");
        }
        library.delete(&format!("/users/{id}")).await.expect(204);
    }
}

#[tokio::test]
async fn strangers_learn_nothing_of_earlier_passwords() {
    let library = Library::furnished().await;
    user(&library, "jane", "Quiet-Please7").await;
    let change = json!({"username": "jane", "password": "wrong", "newPassword": "Quiet-Please7"});
    library.post("/bl-users/settings/myprofile/password", &change).await.says(401, "Invalid credentials");
}

#[tokio::test]
async fn a_stranger_waits_and_whoever_is_known_goes_on() {
    let library = library_at_noon().await;
    let id = user(&library, "jane", "right").await;
    log_in(&library, "jane", "right").await.expect(201);
    let stranger = library.from(STRANGER);
    assert_eq!(guess_password(&stranger, "jane", 5).await, [422; 5]);
    assert!(is_told_to_wait(&log_in(&stranger, "jane", "wrong").await));
    // Not even the right password is told during the wait.
    assert!(is_told_to_wait(&log_in(&stranger, "jane", "right").await));
    assert_eq!(active_state(&library, id).await, true);
    log_in(&library, "jane", "right").await.expect(201);
    // Her own slip of the fingers has no consequence of theirs.
    assert_eq!(error_code(&log_in(&library, "jane", "wrong").await), "password.incorrect");
    log_in(&stranger.through(&Octavo::with_clock(LATER).await), "jane", "right").await.expect(201);
}

#[tokio::test]
async fn many_strangers_wait_for_each_other_and_the_known_for_none() {
    let library = Library::open().await;
    user(&library, "jane", "right").await;
    log_in(&library, "jane", "right").await.expect(201);
    let mut refused = 0;
    for at in 2..10 {
        for status in guess_password(&library.from(&format!("127.0.1.{at}")), "jane", 4).await {
            refused += usize::from(status == 429);
        }
    }
    assert!(refused > 0, "32 guesses from 8 addresses, none of which had to wait");
    log_in(&library, "jane", "right").await.expect(201);
}

#[tokio::test]
async fn guesses_at_once_are_no_more_than_one_after_the_other() {
    let library = Library::open().await;
    user(&library, "jane", "right").await;
    log_in(&library, "jane", "right").await.expect(201);
    let stranger = library.from(STRANGER);
    let guesses: Vec<_> = (0..30)
        .map(|_| {
            let stranger = stranger.clone();
            tokio::spawn(async move { log_in(&stranger, "jane", "wrong").await.status })
        })
        .collect();
    let mut checked = 0;
    for guess in guesses {
        checked += usize::from(guess.await.unwrap() == 422);
    }
    // Five, and one more for each wait that was over meanwhile.
    assert!((5..=8).contains(&checked), "{checked} were checked");
}

/// A self-service machine, or a load test, opens many sessions of one user.
#[tokio::test]
async fn right_passwords_at_once_are_no_guessing() {
    let library = Library::open().await;
    user(&library, "machine", "right").await;
    let log_ins: Vec<_> = (0..40)
        .map(|_| {
            let library = library.clone();
            tokio::spawn(async move { log_in(&library, "machine", "right").await.status })
        })
        .collect();
    for log_in in log_ins {
        assert_eq!(log_in.await.unwrap(), 201);
    }
}

#[tokio::test]
async fn who_tries_many_names_waits_too() {
    let library = Library::open().await;
    let mut last = 0;
    for at in 0..60 {
        last = log_in(&library.from(STRANGER), &format!("nobody{at}"), "x").await.status;
        if last == 429 {
            break;
        }
    }
    assert_eq!(last, 429);
}

#[tokio::test]
async fn the_last_who_could_unlock_others_is_never_blocked() {
    let library = library_at_noon().await;
    let id = user(&library, "head", "right").await;
    library.store(&PERMISSION_USER, json!({"userId": id, "permissions": ["users.item.put"]})).await;
    assert_eq!(guess_password(&library, "head", 5).await, [422; 5]);
    assert!(is_told_to_wait(&log_in(&library, "head", "wrong").await));
    assert_eq!(active_state(&library, id).await, true);
    // With a second one, either may be blocked as FOLIO has it.
    let other = user(&library, "deputy", "right").await;
    library.store(&PERMISSION_USER, json!({"userId": other, "permissions": ["users.item.put"]})).await;
    guess_password(&library, "deputy", 5).await;
    assert_eq!(active_state(&library, other).await, false);
}

#[tokio::test]
async fn a_pin_is_not_guessed_either() {
    let library = library_at_noon().await;
    let patron = fresh_id();
    library.post("/patron-pin", &json!({"id": patron, "pin": "4711"})).await.expect(201);
    let verify =
        async |pin: &str| library.post("/patron-pin/verify", &json!({"id": patron, "pin": pin})).await.status;
    for _ in 0..4 {
        assert_eq!(verify("0000").await, 422);
    }
    assert_eq!(verify("4711").await, 200);
    for _ in 0..5 {
        assert_eq!(verify("0000").await, 422);
    }
    assert_eq!(verify("4711").await, 429);
}
