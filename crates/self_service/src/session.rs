//! What the server remembers of a machine from one message to the next.

use jiff::Timestamp;
use ring::hmac::{self, HMAC_SHA256, Key, Tag};
use ring::rand::SystemRandom;
use uuid::Uuid;

use crate::configuration::Settings;

/// The user as whom a machine has logged in, and the service point where it is.
#[derive(Debug)]
pub(crate) struct SignedIn {
    pub(crate) tenant: String,
    pub(crate) user: Uuid,
    pub(crate) username: String,
    /// How often all of the user's sessions had been ended when the machine logged in.
    pub(crate) generation: i64,
    pub(crate) service_point: Option<String>,
    pub(crate) settings: Settings,
}

/// A patron whose password or PIN was right, so that it need not be checked again for each item of the pile.
pub(crate) struct Verified {
    patron: String,
    given: Digest,
    until: Timestamp,
}

impl Verified {
    pub(crate) fn new(patron: &str, given: &str, until: Timestamp) -> Option<Verified> {
        Some(Verified { patron: patron.to_owned(), given: Digest::of(given.as_bytes())?, until })
    }

    pub(crate) fn knows(&self, patron: &str, given: &str, now: Timestamp) -> bool {
        self.patron == patron && now < self.until && self.given.is_of(given.as_bytes())
    }
}

/// A keyed digest of a text with a password or PIN in it. By it the text is recognised again without being stored. The key is random and
/// used for this digest only; comparing takes constant time.
pub(crate) struct Digest {
    key: Key,
    tag: Tag,
}

impl Digest {
    /// `None` where the system gives no random key: then nothing is remembered.
    pub(crate) fn of(text: &[u8]) -> Option<Digest> {
        let key = Key::generate(HMAC_SHA256, &SystemRandom::new()).ok()?;
        let tag = hmac::sign(&key, text);
        Some(Digest { key, tag })
    }

    pub(crate) fn is_of(&self, text: &[u8]) -> bool {
        hmac::verify(&self.key, text, self.tag.as_ref()).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_right_pin_is_known_for_its_patron_and_for_a_while() {
        let second = |second| Timestamp::from_second(second).unwrap();
        let verified = Verified::new("patron", "4711", second(100)).unwrap();
        for (patron, given, now, expected) in [
            ("patron", "4711", 99, true),
            ("patron", "4711", 100, false),
            ("patron", "4712", 99, false),
            ("patron", "", 99, false),
            ("other", "4711", 99, false),
        ] {
            assert_eq!(verified.knows(patron, given, second(now)), expected, "{patron} {given} {now}");
        }
    }
}
