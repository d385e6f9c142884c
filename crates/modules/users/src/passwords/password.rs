//! Hashing and checking passwords: Argon2id, and FOLIO's PBKDF2 for credentials that came from there.
//!
//! Both take tens of milliseconds of a processor and Argon2 19 MiB of memory, so they run aside, a few at a time, and so many
//! wait for their turn at most: a flood of log-ins takes neither the memory nor the processors that the desk needs.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use octavo_kernel::{Fault, Outcome};
use pbkdf2::pbkdf2_hmac;
use serde_json::{Value, json};
use sha1::Sha1;
use tokio::sync::{Semaphore, SemaphorePermit};

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

/// Half of the processors, and so many more requests that wait: some four seconds' work.
static PLACES: LazyLock<Semaphore> = LazyLock::new(|| {
    Semaphore::new((std::thread::available_parallelism().map_or(1, usize::from) / 2).clamp(1, 4))
});
const MOST_WAITING: usize = 128;
static WAITING: AtomicUsize = AtomicUsize::new(0);

struct Queued;

impl Queued {
    fn enter() -> Outcome<Queued> {
        let queued = Queued;
        match WAITING.fetch_add(1, Ordering::Relaxed) < MOST_WAITING {
            true => Ok(queued),
            false => Err(Fault::text(503, TOO_MANY)),
        }
    }
}

impl Drop for Queued {
    fn drop(&mut self) {
        WAITING.fetch_sub(1, Ordering::Relaxed);
    }
}

const TOO_MANY: &str =
    "Too many passwords are being checked at the moment. Please try again in a few seconds";

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
    let (password, hashed) = (password.to_owned(), hashed.clone());
    aside(move || matches(&password, &hashed)).await
}

/// The place of the first hash that is this password's.
pub(crate) async fn any_matches(password: &str, hashes: Vec<Hashed>) -> Outcome<bool> {
    let password = password.to_owned();
    aside(move || hashes.iter().any(|hashed| matches(&password, hashed))).await
}

/// Waits for a place in a queue that is not too long.
pub(super) async fn take(places: &'static Semaphore) -> Outcome<SemaphorePermit<'static>> {
    let _queued = Queued::enter()?;
    places.acquire().await.map_err(Fault::internal)
}

async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Outcome<T> {
    let place = take(&PLACES).await?;
    let done = tokio::task::spawn_blocking(work).await.map_err(Fault::internal);
    drop(place);
    done
}

fn matches(password: &str, hashed: &Hashed) -> bool {
    match &hashed.salt {
        Some(salt) => pbkdf2(password, salt).is_some_and(|hash| hash == hashed.hash.to_uppercase()),
        None => PasswordHash::new(&hashed.hash)
            .is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok()),
    }
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
    use super::*;

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

    #[tokio::test]
    async fn more_than_can_be_checked_soon_are_turned_away() {
        let crowd: Vec<_> = (0..MOST_WAITING + 50).map(|_| tokio::spawn(hash_of("the same"))).collect();
        let mut refused = 0;
        for one in crowd {
            match one.await.unwrap() {
                Ok(_) => {}
                Err(fault) => {
                    assert_eq!(fault.status, 503, "{fault}");
                    refused += 1;
                }
            }
        }
        assert!(refused > 0);
        hash("afterwards").await.unwrap();
    }

    async fn hash_of(password: &'static str) -> Outcome<Hashed> {
        hash(password).await
    }
}
