//! Hashing and checking passwords: Argon2id, and FOLIO's PBKDF2 for credentials that came from there.
//!
//! A password that was right some minutes ago is recognised without computing a hash again ([`super::remembered`]).

use std::sync::LazyLock;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use octavo_kernel::{Fault, Outcome};
use pbkdf2::pbkdf2_hmac;
use serde_json::{Value, json};
use sha1::Sha1;
use tokio::time::Instant;

use super::aside::run_password_work;
use super::remembered::REMEMBERED;

/// The cost parameters of an Argon2id hash, and how such a hash begins.
struct Cost {
    kibibytes: u32,
    rounds: u32,
    prefix: &'static str,
}

/// New hashes are made at the first cost. Hashes of the others are still accepted: passwords are hashed anew when
/// their users log in, PINs when they are set anew.
/// OWASP's Password Storage Cheat Sheet calls both an equal defence; the first takes two thirds of the processor time of the second,
/// because what it works on fits into a processor's cache.
const COSTS: [Cost; 2] = [
    Cost { kibibytes: 7168, rounds: 5, prefix: "$argon2id$v=19$m=7168,t=5,p=1$" },
    Cost { kibibytes: 19_456, rounds: 2, prefix: "$argon2id$v=19$m=19456,t=2,p=1$" },
];

impl Cost {
    fn hash(&self, password: &[u8]) -> Result<String, argon2::password_hash::Error> {
        let parameters = Params::new(self.kibibytes, self.rounds, 1, None)?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters);
        argon2.hash_password(password).map(|hash| hash.to_string())
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Hashed {
    pub(crate) hash: String,
    /// The salt of a hash that FOLIO made.
    salt: Option<String>,
}

impl Hashed {
    pub(crate) fn from_argon2(hash: String) -> Hashed {
        Hashed { hash, salt: None }
    }

    pub(crate) fn read(document: &Value) -> Option<Hashed> {
        let text = |name: &str| document[name].as_str().map(str::to_owned);
        Some(Hashed { hash: text("hash")?, salt: text("salt") })
    }

    pub(crate) fn to_document(&self, id: uuid::Uuid, user: uuid::Uuid) -> Value {
        json!({"id": id, "userId": user, "hash": self.hash})
    }

    /// Whether the hash is of a kind that is no longer made.
    pub(crate) fn is_outdated(&self) -> bool {
        !self.hash.starts_with(COSTS[0].prefix)
    }
}

pub(crate) async fn hash(password: &str) -> Outcome<Hashed> {
    let password = password.to_owned();
    let hash = run_password_work(move || COSTS[0].hash(password.as_bytes())).await?;
    hash.map(Hashed::from_argon2).map_err(|error| Fault::internal(error.to_string()))
}

pub(crate) async fn verify(password: &str, hashed: &Hashed) -> Outcome<bool> {
    if REMEMBERED.knows(password, &hashed.hash, Instant::now()) {
        return Ok(true);
    }
    let (password, hashed) = (password.to_owned(), hashed.clone());
    run_password_work(move || {
        let is_right = check(&password, Some(&hashed));
        // FOLIO's hashes are replaced at the first log-in.
        if is_right && hashed.salt.is_none() {
            REMEMBERED.remember(&password, &hashed.hash, Instant::now());
        }
        is_right
    })
    .await
}

/// Takes as long as the check of a wrong password.
pub(crate) async fn verify_dummy(password: &str) -> Outcome<()> {
    let password = password.to_owned();
    run_password_work(move || check(&password, None)).await.map(drop)
}

pub(crate) async fn any_matches(password: &str, hashes: Vec<Hashed>) -> Outcome<bool> {
    let password = password.to_owned();
    run_password_work(move || hashes.iter().any(|hashed| matches(&password, hashed))).await
}

/// Whether a password is the one of a hash. If it is not, one Argon2 hash of each cost has been computed, whatever the hash was: so the
/// time of a refused log-in does not reveal whether the user has a password in Octavo, how old it is, or whether it came from FOLIO.
fn check(password: &str, hashed: Option<&Hashed>) -> bool {
    if hashed.is_some_and(|hashed| matches(password, hashed)) {
        return true;
    }
    let own = |cost: &Cost| hashed.is_some_and(|hashed| hashed.hash.starts_with(cost.prefix));
    for (_, nobody) in COSTS.iter().zip(&*DUMMY_HASHES).filter(|(cost, _)| !own(cost)) {
        matches_argon2(password, nobody);
    }
    false
}

fn matches(password: &str, hashed: &Hashed) -> bool {
    match &hashed.salt {
        None => matches_argon2(password, &hashed.hash),
        Some(salt) => {
            folio_hash(password, salt).is_some_and(|computed| computed == hashed.hash.to_uppercase())
        }
    }
}

/// A hash of each cost, for checks of users without such a hash. The outcome of these checks is ignored.
static DUMMY_HASHES: LazyLock<Vec<String>> =
    LazyLock::new(|| COSTS.iter().map(|cost| cost.hash(b"nobody").unwrap_or_default()).collect());

fn matches_argon2(password: &str, hash: &str) -> bool {
    #[cfg(test)]
    tests::record(hash);
    PasswordHash::new(hash)
        .is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
}

/// FOLIO's: PBKDF2 with HMAC-SHA1, 1,000 rounds, 20 bytes, salt and hash in hexadecimal digits.
fn folio_hash(password: &str, salt: &str) -> Option<String> {
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
        /// The costs of the hashes that were computed: all before salt and hash.
        pub(super) static COMPUTED: Cell<Vec<String>> = const { Cell::new(Vec::new()) };
    }

    pub(super) fn record(hash: &str) {
        let mut computed = COMPUTED.take();
        computed.extend(hash.rsplitn(3, '$').nth(2).map(str::to_owned));
        COMPUTED.set(computed);
    }

    #[test]
    fn a_refused_check_computes_a_hash_of_each_cost() {
        let [ours, former] = COSTS.each_ref().map(|cost| {
            let hash = cost.hash(b"right").unwrap();
            assert!(hash.starts_with(cost.prefix), "{hash}");
            Hashed::from_argon2(hash)
        });
        let folios = Hashed { hash: "00".repeat(20), salt: Some("00".to_owned()) };
        for (whose, password, hashed, expected, hashes) in [
            ("an unknown user's", "right", None, false, 2),
            ("a known user's, right", "right", Some(&ours), true, 1),
            ("a known user's, wrong", "wrong", Some(&ours), false, 2),
            ("one at the former cost, right", "right", Some(&former), true, 1),
            ("one at the former cost, wrong", "wrong", Some(&former), false, 2),
            ("one from FOLIO", "wrong", Some(&folios), false, 2),
        ] {
            COMPUTED.take();
            assert_eq!(check(password, hashed), expected, "{whose}");
            let mut computed = COMPUTED.take();
            assert_eq!(computed.len(), hashes, "{whose}");
            computed.sort_unstable();
            computed.dedup();
            assert_eq!(computed.len(), hashes, "{whose}: each of another cost");
        }
        assert!(!ours.is_outdated() && former.is_outdated() && folios.is_outdated());
    }

    #[tokio::test]
    async fn a_password_is_known_again_and_no_other() {
        let hashed = hash("Mot de passe ä").await.unwrap();
        assert!(hashed.hash.starts_with("$argon2id$") && !hashed.is_outdated());
        assert!(verify("Mot de passe ä", &hashed).await.unwrap());
        assert!(!verify("mot de passe ä", &hashed).await.unwrap());
        assert_ne!(hashed, hash("Mot de passe ä").await.unwrap(), "each has a salt of its own");
    }

    #[tokio::test]
    async fn a_right_password_is_remembered_at_every_cost() {
        for cost in &COSTS {
            let hashed = Hashed::from_argon2(cost.hash(b"right").unwrap());
            assert!(!verify("wrong", &hashed).await.unwrap());
            assert!(verify("right", &hashed).await.unwrap());
            let knows = |password| REMEMBERED.knows(password, &hashed.hash, Instant::now());
            assert_eq!((knows("right"), knows("wrong")), (true, false), "{}", cost.prefix);
        }
    }

    #[tokio::test]
    async fn credentials_of_a_folio_are_taken() {
        // Made with Python's hashlib.pbkdf2_hmac("sha1", b"admin", bytes.fromhex(salt), 1000, 20).
        let hashed = Hashed {
            hash: "FB2E9562BD5E2CAE19D6C9B0A3BC24FDD380D7B7".into(),
            salt: Some("DC653AF4E92AD32FD9EC5B1E6C77D77DA0A0FA5E".into()),
        };
        assert!(hashed.is_outdated());
        assert!(verify("admin", &hashed).await.unwrap());
        assert!(!verify("Admin", &hashed).await.unwrap());
        assert!(!verify("admin", &Hashed { salt: Some("xy".into()), ..hashed }).await.unwrap());
    }
}
