//! Passwords that were right in the last minutes. Scripts, self-check machines and edge modules log in again and again with the same
//! password; the second time it is compared without the cost of a password hash.
//!
//! Kept is an HMAC of the stored hash and the password, with a key that this process made at its start and that never leaves it.
//! A changed password has another stored hash, so the old one is not known. A wrong password is never known, so its check
//! takes as long as ever.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ring::hmac::{Context, HMAC_SHA256, Key};
use ring::rand::SystemRandom;
use tokio::time::Instant;

/// How long a password is remembered after its hash was computed. Further use does not prolong this.
const REMEMBERED_TIME: Duration = Duration::from_secs(600);
/// The most passwords that are remembered. Each takes a digest of 32 bytes and a time.
const MAX_REMEMBERED: usize = 4096;

type Digest = [u8; 32];

pub(super) struct Remembered {
    /// `None` where the system gives no random key: then nothing is remembered.
    key: Option<Key>,
    expirations: Mutex<HashMap<Digest, Instant>>,
}

pub(super) static REMEMBERED: LazyLock<Remembered> = LazyLock::new(Remembered::new);

impl Remembered {
    fn new() -> Remembered {
        let key = Key::generate(HMAC_SHA256, &SystemRandom::new()).ok();
        Remembered { key, expirations: Mutex::default() }
    }

    /// Whether this password was right for this stored hash in the last minutes.
    pub(super) fn knows(&self, password: &str, hash: &str, now: Instant) -> bool {
        let digest = self.digest(password, hash);
        digest
            .and_then(|digest| self.lock_expirations().get(&digest).copied())
            .is_some_and(|until| now < until)
    }

    /// Remembers that this password is right for this stored hash. If there is no room, it is not remembered.
    pub(super) fn remember(&self, password: &str, hash: &str, now: Instant) {
        let Some(digest) = self.digest(password, hash) else { return };
        let mut until = self.lock_expirations();
        if until.len() >= MAX_REMEMBERED {
            until.retain(|_, until| now < *until);
        }
        if until.len() < MAX_REMEMBERED {
            until.insert(digest, now + REMEMBERED_TIME);
        }
    }

    fn digest(&self, password: &str, hash: &str) -> Option<Digest> {
        let mut context = Context::with_key(self.key.as_ref()?);
        // The length says where the hash ends and the password begins.
        context.update(&hash.len().to_be_bytes());
        context.update(hash.as_bytes());
        context.update(password.as_bytes());
        context.sign().as_ref().try_into().ok()
    }

    fn lock_expirations(&self) -> MutexGuard<'_, HashMap<Digest, Instant>> {
        self.expirations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_known_for_its_own_hash_and_for_ten_minutes() {
        let (remembered, now) = (Remembered::new(), Instant::now());
        remembered.remember("secret", "hash", now);
        for (password, hash, later, expected) in [
            ("secret", "hash", 0, true),
            ("secret", "hash", 599, true),
            ("secret", "hash", 600, false),
            ("Secret", "hash", 0, false),
            ("secret", "another", 0, false),
            ("hsecret", "has", 0, false),
            ("", "hashsecret", 0, false),
        ] {
            let then = now + Duration::from_secs(later);
            assert_eq!(remembered.knows(password, hash, then), expected, "{password} {hash} {later}");
        }
        assert!(!Remembered::new().knows("secret", "hash", now), "another process has another key");
    }

    #[test]
    fn so_many_are_kept_at_most_and_those_that_are_over_make_room() {
        let (remembered, now) = (Remembered::new(), Instant::now());
        for number in 0..MAX_REMEMBERED + 10 {
            remembered.remember(&number.to_string(), "hash", now);
        }
        assert_eq!(remembered.lock_expirations().len(), MAX_REMEMBERED);
        assert!(!remembered.knows(&MAX_REMEMBERED.to_string(), "hash", now));
        remembered.remember("later", "hash", now + REMEMBERED_TIME);
        assert_eq!(remembered.lock_expirations().len(), 1);
        assert!(remembered.knows("later", "hash", now + REMEMBERED_TIME));
    }
}
