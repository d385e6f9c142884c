//! Log-in with the password of the library's LDAP directory. Here the directory is silent, away or wrongly set up; what a real one answers is
//! in `slapd.rs`, which `make ldap` runs.

mod server;
mod settings;
mod slapd;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use octavo_testkit::{Library, Reply, eventually};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use uuid::Uuid;

use super::{credentials, error_code, fresh_id, log_in, user};

const SETTINGS: &str = "/octavo/ldap/settings";
/// The error code when the directory does not answer whether a password is right.
const DIRECTORY_UNAVAILABLE: &str = "directory.unavailable";
/// How long every log-in that fails takes at least.
const LEAST_TIME: Duration = Duration::from_secs(1);

/// Creates a user without a password in Octavo.
async fn create_user_without_password(library: &Library, name: &str) -> Uuid {
    let id = fresh_id();
    library.post("/users", &json!({"id": id, "username": name, "active": true})).await.expect(201);
    id
}

/// An LDAP directory that accepts connections and never answers.
struct SilentDirectory {
    url: String,
    connections: Arc<AtomicUsize>,
}

impl SilentDirectory {
    async fn start() -> SilentDirectory {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("ldap://{}", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        tokio::spawn(async move {
            let mut kept = Vec::new();
            while let Ok((connection, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::Relaxed);
                kept.push(connection);
            }
        });
        SilentDirectory { url, connections: asked }
    }

    fn count_connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }
}

/// Settings with which entries are named by the user's name. Storing them connects to the server without a query.
fn settings_by_name(url: &str) -> Value {
    json!({"active": true, "url": url, "unencrypted": true, "userDn": "uid={value},dc=example,dc=org"})
}

async fn time_reply(future: impl Future<Output = Reply>) -> (Reply, Duration) {
    #[expect(clippy::disallowed_methods, reason = "measures how long an answer takes")]
    let begun = Instant::now();
    let reply = future.await;
    (reply, begun.elapsed())
}

#[tokio::test]
async fn a_directory_that_never_answers_is_told_of_and_counts_against_nobody() {
    let library = Library::open().await;
    let directory = SilentDirectory::start().await;
    library.put(SETTINGS, &settings_by_name(&directory.url)).await.expect(200);
    let jane = create_user_without_password(&library, "jane").await;
    user(&library, "admin", "Twelve-letters-1").await;
    let others = async {
        // Meanwhile those who have a password here log in.
        tokio::time::sleep(Duration::from_millis(500)).await;
        time_reply(log_in(&library, "admin", "Twelve-letters-1")).await
    };
    let ((reply, took), (admitted, waited)) =
        tokio::join!(time_reply(log_in(&library, "jane", "hers")), others);
    assert_eq!(error_code(&reply.expect(500)), DIRECTORY_UNAVAILABLE);
    assert!((Duration::from_secs(4)..Duration::from_secs(8)).contains(&took), "{took:?}");
    admitted.expect(201);
    assert!(waited < Duration::from_secs(3), "{waited:?}");
    let attempts = library.get(&format!("/authn/loginAttempts/{jane}")).await;
    assert!(attempts.status == 404 || attempts.json()["attemptCount"] == 0, "{attempts}");
    let failures = library.get(&format!("/users/{jane}")).await.expect(200).json();
    assert_eq!(failures["active"], true);
}

#[tokio::test]
async fn many_log_ins_at_a_silent_directory_end_in_time_and_hold_up_no_other_library() {
    let library = Library::open().await;
    let other = Library::open().await;
    let directory = SilentDirectory::start().await;
    library.put(SETTINGS, &settings_by_name(&directory.url)).await.expect(200);
    user(&other, "admin", "Twelve-letters-1").await;
    for number in 0..12 {
        create_user_without_password(&library, &format!("member-{number}")).await;
    }
    let before = directory.count_connections();
    let crowd: Vec<_> = (0..12)
        .map(|number| {
            let library = library.clone();
            tokio::spawn(
                async move { time_reply(log_in(&library, &format!("member-{number}"), "any")).await },
            )
        })
        .collect();
    eventually("the directory is asked", async || directory.count_connections() > before).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let at_once = directory.count_connections() - before;
    assert!((1..=4).contains(&at_once), "{at_once} connections");
    let (reply, waited) = time_reply(log_in(&other, "admin", "Twelve-letters-1")).await;
    reply.expect(201);
    assert!(waited < Duration::from_secs(3), "{waited:?}");
    for one in crowd {
        let (reply, took) = one.await.unwrap();
        assert!(reply.status == 500 && took < Duration::from_secs(8), "{took:?} {reply}");
    }
}

#[tokio::test]
async fn a_directory_is_never_asked_for_another_library_nor_for_who_has_a_password_here() {
    let library = Library::open().await;
    let other = Library::open().await;
    let directory = SilentDirectory::start().await;
    library.put(SETTINGS, &settings_by_name(&directory.url)).await.expect(200);
    create_user_without_password(&other, "jane").await;
    user(&library, "admin", "Twelve-letters-1").await;
    let before = directory.count_connections();
    log_in(&other, "jane", "hers").await.says(400, "No credentials match that login");
    log_in(&library, "admin", "Twelve-letters-1").await.expect(201);
    assert_eq!(error_code(&log_in(&library, "admin", "wrong").await.expect(422)), "password.incorrect");
    assert_eq!(error_code(&log_in(&library, "nobody", "any").await.expect(422)), "username.incorrect");
    create_user_without_password(&library, "jane").await;
    assert_eq!(error_code(&log_in(&library, "jane", "").await.expect(422)), "password.incorrect");
    assert_eq!(directory.count_connections(), before, "nor with an empty password");
}

#[tokio::test]
async fn a_log_in_that_fails_takes_a_second_whoever_is_meant() {
    let library = Library::open().await;
    let directory = SilentDirectory::start().await;
    library.put(SETTINGS, &settings_by_name(&directory.url)).await.expect(200);
    user(&library, "local", "Twelve-letters-1").await;
    create_user_without_password(&library, "jane").await;
    let inactive = json!({"id": fresh_id(), "username": "former", "active": false});
    library.post("/users", &inactive).await.expect(201);
    for (name, password) in [("local", "wrong"), ("nobody", "any"), ("former", "any"), ("jane", "")] {
        let (reply, took) = time_reply(log_in(&library, name, password)).await;
        reply.expect(422);
        assert!(took >= LEAST_TIME, "{name} {took:?}");
    }
    library.put(SETTINGS, &json!({"active": false})).await.expect(200);
    let (reply, took) = time_reply(log_in(&library, "nobody", "any")).await;
    assert!(reply.status == 422 && took < LEAST_TIME, "without a directory: {took:?} {reply}");
}

#[tokio::test]
async fn who_has_forgotten_the_password_of_the_directory_gets_none_here() {
    let library = Library::open().await;
    let directory = SilentDirectory::start().await;
    library.put(SETTINGS, &settings_by_name(&directory.url)).await.expect(200);
    create_user_without_password(&library, "jane").await;
    let forgotten = json!({"id": "jane"});
    let refused = library.post("/bl-users/forgotten/password", &forgotten).await.expect(422);
    assert_eq!(error_code(&refused), "forgotten.password.found.directory");
    user(&library, "admin", "Twelve-letters-1").await;
    library.post("/bl-users/forgotten/password", &json!({"id": "admin"})).await.expect(204);
}
