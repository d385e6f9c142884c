//! Hashing and checking passwords: Argon2id, and FOLIO's PBKDF2 for credentials that came from there.
//!
//! Both take tens of milliseconds of a processor and Argon2 19 MiB of memory, so they run aside, a few at a time, and so many
//! wait for their turn at most: a flood of log-ins takes neither the memory nor the processors that the desk needs.
//! A password that was right a moment ago is known again without a hash ([`super::remembered`]).

use std::sync::LazyLock;
use std::thread;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::bulk::AFTER_THE_DESK;
use pbkdf2::pbkdf2_hmac;
use rustix::process::setpriority_process;
use rustix::thread::gettid;
use serde_json::{Value, json};
use sha1::Sha1;
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::queue::Queue;
use super::remembered::REMEMBERED;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Hashed {
    pub(crate) hash: String,
    /// The salt of a hash that FOLIO made.
    salt: Option<String>,
}

impl Hashed {
    pub(crate) fn ours(hash: String) -> Hashed {
        Hashed { hash, salt: None }
    }

    pub(crate) fn read(document: &Value) -> Option<Hashed> {
        let text = |name: &str| document[name].as_str().map(str::to_owned);
        Some(Hashed { hash: text("hash")?, salt: text("salt") })
    }

    pub(crate) fn document(&self, id: uuid::Uuid, user: uuid::Uuid) -> Value {
        json!({"id": id, "userId": user, "hash": self.hash})
    }

    /// Whether the hash is of a kind that is no longer made.
    pub(crate) fn outdated(&self) -> bool {
        !self.hash.starts_with("$argon2id$")
    }
}

/// Half of the processors.
static PLACES: LazyLock<Queue> = LazyLock::new(|| {
    Queue::new((std::thread::available_parallelism().map_or(1, usize::from) / 2).clamp(1, 4))
});

pub(crate) async fn hash(password: &str) -> Outcome<Hashed> {
    let password = password.to_owned();
    aside(move || {
        let hash = Argon2::default().hash_password(password.as_bytes());
        hash.map(|hash| Hashed { hash: hash.to_string(), salt: None })
    })
    .await?
    .map_err(|error| Fault::internal(error.to_string()))
}

pub(crate) async fn verify(password: &str, hashed: &Hashed) -> Outcome<bool> {
    if REMEMBERED.knows(password, &hashed.hash, Instant::now()) {
        return Ok(true);
    }
    let (password, hashed) = (password.to_owned(), hashed.clone());
    aside(move || {
        let is_right = matches(&password, Some(&hashed));
        // FOLIO's hashes are replaced at the first log-in.
        if is_right && !hashed.outdated() {
            REMEMBERED.keep(&password, &hashed.hash, Instant::now());
        }
        is_right
    })
    .await
}

/// Takes as long as a check of somebody's password.
pub(crate) async fn verify_in_vain(password: &str) -> Outcome<()> {
    let password = password.to_owned();
    aside(move || matches(&password, None)).await.map(drop)
}

/// The place of the first hash that is this password's.
pub(crate) async fn any_matches(password: &str, hashes: Vec<Hashed>) -> Outcome<bool> {
    let password = password.to_owned();
    aside(move || hashes.iter().any(|hashed| matches(&password, Some(hashed)))).await
}

/// Works on a thread of its own, to which the system gives less of a processor than to threads that answer requests. The place is free when the
/// work is done, though nobody waits for it any more.
async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Outcome<T> {
    let place = PLACES.take().await?;
    let (give, done) = oneshot::channel();
    let thread = move || {
        // A system that does not allow it shares the processors out evenly.
        let _ = setpriority_process(Some(gettid()), AFTER_THE_DESK);
        let _ = give.send(work());
        drop(place);
    };
    thread::Builder::new().name("password".into()).spawn(thread).map_err(Fault::internal)?;
    done.await.map_err(Fault::internal)
}

/// Computes one Argon2 hash, whatever there is to compare with: how long it takes does not tell whether somebody has a password here,
/// nor whether it came from FOLIO.
fn matches(password: &str, hashed: Option<&Hashed>) -> bool {
    let own = hashed.filter(|hashed| hashed.salt.is_none()).map_or(NOBODY.as_str(), |hashed| &hashed.hash);
    let own = argon2(password, own);
    match hashed {
        None => false,
        Some(Hashed { salt: None, .. }) => own,
        Some(Hashed { salt: Some(salt), hash }) => {
            pbkdf2(password, salt).is_some_and(|computed| computed == hash.to_uppercase())
        }
    }
}

/// What is compared where there is no hash; the outcome does not count.
static NOBODY: LazyLock<String> = LazyLock::new(|| {
    let hash = Argon2::default().hash_password(b"nobody");
    hash.map(|hash| hash.to_string()).unwrap_or_default()
});

fn argon2(password: &str, hash: &str) -> bool {
    #[cfg(test)]
    tests::COMPUTED.with(|computed| computed.set(computed.get() + 1));
    PasswordHash::new(hash)
        .is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
}

/// FOLIO's: PBKDF2 with HMAC-SHA1, 1,000 rounds, 20 bytes, salt and hash in hexadecimal digits.
fn pbkdf2(password: &str, salt: &str) -> Option<String> {
    let salt = unhex(salt)?;
    let mut hash = [0; 20];
    pbkdf2_hmac::<Sha1>(password.as_bytes(), &salt, 1_000, &mut hash);
    Some(hash.iter().map(|byte| format!("{byte:02X}")).collect())
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        pub(super) static COMPUTED: Cell<u32> = const { Cell::new(0) };
    }

    #[test]
    fn each_check_computes_one_hash_of_the_same_cost() {
        let ours = Argon2::default().hash_password(b"right").unwrap().to_string();
        let parameters = |hash: &str| hash.rsplitn(3, '$').nth(2).map(str::to_owned);
        assert_eq!(parameters(&ours), parameters(&NOBODY));
        let folios = Hashed { hash: "00".repeat(20), salt: Some("00".to_owned()) };
        let ours = Hashed::ours(ours);
        for (whose, password, hashed, expected) in [
            ("an unknown user's", "right", None, false),
            ("a known user's, right", "right", Some(&ours), true),
            ("a known user's, wrong", "wrong", Some(&ours), false),
            ("one from FOLIO", "wrong", Some(&folios), false),
        ] {
            let before = COMPUTED.get();
            assert_eq!(matches(password, hashed), expected, "{whose}");
            assert_eq!(COMPUTED.get() - before, 1, "{whose}");
        }
    }

    #[tokio::test]
    async fn a_password_is_known_again_and_no_other() {
        let hashed = hash("Mot de passe ä").await.unwrap();
        assert!(hashed.hash.starts_with("$argon2id$") && !hashed.outdated());
        assert!(verify("Mot de passe ä", &hashed).await.unwrap());
        assert!(!verify("mot de passe ä", &hashed).await.unwrap());
        assert_ne!(hashed, hash("Mot de passe ä").await.unwrap(), "each has a salt of its own");
    }

    #[tokio::test]
    async fn credentials_of_a_folio_are_taken() {
        // Made with Python's hashlib.pbkdf2_hmac("sha1", b"admin", bytes.fromhex(salt), 1000, 20).
        let hashed = Hashed {
            hash: "FB2E9562BD5E2CAE19D6C9B0A3BC24FDD380D7B7".into(),
            salt: Some("DC653AF4E92AD32FD9EC5B1E6C77D77DA0A0FA5E".into()),
        };
        assert!(hashed.outdated());
        assert!(verify("admin", &hashed).await.unwrap());
        assert!(!verify("Admin", &hashed).await.unwrap());
        assert!(!verify("admin", &Hashed { salt: Some("xy".into()), ..hashed }).await.unwrap());
    }
}
