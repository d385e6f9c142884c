//! A log-in that is under way at the issuer: what the browser keeps of it, in a signed cookie that it sends back with the answer.
//!
//! The cookie holds an id and where to go. State, nonce and the verifier of PKCE (RFC 7636) are computed from the id with the server's
//! key: whoever reads the cookie learns none of them. Pure.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use hmac::{Hmac, KeyInit, Mac};
use octavo_modules_base::tokens;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

pub(super) const COOKIE: &str = "octavoSignOn";
/// How many seconds a person may take to log in at the issuer.
pub(super) const LIFETIME_SECONDS: i64 = 600;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Attempt {
    #[serde(rename = "type")]
    kind: Kind,
    tenant: String,
    pub(super) jti: Uuid,
    pub(super) exp: i64,
    pub(super) goal: Goal,
}

/// The type that keeps the cookie apart from tokens, which are signed with the same key.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
enum Kind {
    #[serde(rename = "sign-on")]
    SignOn,
}

/// Where the browser goes after the log-in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Goal {
    /// A path of this server.
    Path(String),
    /// The page of FOLIO's user interface from which it began; its address was checked.
    Interface(String),
}

impl Attempt {
    pub(super) fn new(tenant: &str, id: Uuid, goal: Goal, now: i64) -> Attempt {
        Attempt { kind: Kind::SignOn, tenant: tenant.to_owned(), jti: id, exp: now + LIFETIME_SECONDS, goal }
    }

    pub(super) fn to_signed_cookie(&self, key: &[u8]) -> String {
        tokens::sign(self, key)
    }

    /// Parses the cookie; `None` unless this server signed it for this tenant and it has not expired.
    pub(super) fn read(cookie: &str, key: &[u8], tenant: &str, now: i64) -> Option<Attempt> {
        let attempt: Attempt = tokens::parse_signed(cookie, key)?;
        (attempt.tenant == tenant && now < attempt.exp).then_some(attempt)
    }

    pub(super) fn state(&self, key: &[u8]) -> String {
        BASE64.encode(self.mac("state", key).finalize().into_bytes())
    }

    /// Whether a state is that of this log-in, compared in constant time.
    pub(super) fn has_state(&self, state: &str, key: &[u8]) -> bool {
        BASE64.decode(state).is_ok_and(|state| self.mac("state", key).verify_slice(&state).is_ok())
    }

    pub(super) fn nonce(&self, key: &[u8]) -> String {
        BASE64.encode(self.mac("nonce", key).finalize().into_bytes())
    }

    /// The secret of PKCE: 43 characters.
    pub(super) fn verifier(&self, key: &[u8]) -> String {
        BASE64.encode(self.mac("verifier", key).finalize().into_bytes())
    }

    pub(super) fn challenge(&self, key: &[u8]) -> String {
        BASE64.encode(Sha256::digest(self.verifier(key)))
    }

    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    fn mac(&self, purpose: &str, key: &[u8]) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
        mac.update(format!("sign-on {purpose}: {}", self.jti).as_bytes());
        mac
    }
}

/// The text if it is a path of this server, with or without a query; `None` for what a browser could take for the address of another
/// server.
pub(super) fn local_path(text: &str) -> Option<&str> {
    let begins_well = text.starts_with('/') && !text[1..].starts_with(['/', '\\']);
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    (begins_well && is_plain && text.len() <= MAX_ADDRESS_BYTES).then_some(text)
}

/// The most bytes of an address to go to. The cookie that holds it has to stay below the 4096 bytes that browsers take.
pub(super) const MAX_ADDRESS_BYTES: usize = 1500;

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &[u8] = b"key";

    fn attempt() -> Attempt {
        Attempt::new("diku", Uuid::from_u128(1), Goal::Path("/desk".into()), 1000)
    }

    #[test]
    fn a_cookie_counts_for_its_tenant_until_it_runs_out() {
        let cookie = attempt().to_signed_cookie(KEY);
        let read = |cookie: &str, key, tenant, now| Attempt::read(cookie, key, tenant, now);
        assert_eq!(read(&cookie, KEY, "diku", 1000 + LIFETIME_SECONDS - 1), Some(attempt()));
        assert_eq!(read(&cookie, KEY, "diku", 1000 + LIFETIME_SECONDS), None, "too late");
        assert_eq!(read(&cookie, KEY, "other", 1000), None, "another tenant");
        assert_eq!(read(&cookie, b"other", "diku", 1000), None, "another key");
        assert_eq!(read(&cookie[..cookie.len() - 1], KEY, "diku", 1000), None, "cut off");
        let token = tokens::sign(&tokens::Claims::new(tokens::Kind::Access, "diku", "a"), KEY);
        assert_eq!(read(&token, KEY, "diku", 1000), None, "a token is no cookie of a log-in");
        assert_eq!(tokens::verify(&cookie, [KEY], 1000), None, "and the cookie is no token");
    }

    #[test]
    fn state_nonce_and_verifier_are_of_the_one_log_in() {
        let other = Attempt { jti: Uuid::from_u128(2), ..attempt() };
        let of = |attempt: &Attempt| [attempt.state(KEY), attempt.nonce(KEY), attempt.verifier(KEY)];
        let all: std::collections::HashSet<String> = of(&attempt()).into_iter().chain(of(&other)).collect();
        assert_eq!(all.len(), 6, "all differ");
        assert!(attempt().has_state(&attempt().state(KEY), KEY));
        for wrong in [other.state(KEY), attempt().nonce(KEY), String::new(), "ä".into()] {
            assert!(!attempt().has_state(&wrong, KEY), "{wrong}");
        }
        let cookie = tokens::payload(&attempt().to_signed_cookie(KEY)).unwrap();
        assert!(of(&attempt()).iter().all(|secret| !cookie.contains(secret)), "{cookie}");
        assert_eq!(attempt().verifier(KEY).len(), 43);
    }

    #[test]
    fn only_paths_of_this_server_are_gone_to() {
        for good in ["/", "/desk", "/desk/check-out?x=1&y=%20", "/a//b"] {
            assert_eq!(local_path(good), Some(good));
        }
        let long = format!("/{}", "a".repeat(MAX_ADDRESS_BYTES));
        for bad in [
            "",
            "desk",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
            "/a\\b",
            "/a b",
            "/\t/evil",
            "/\r\nx",
            "/ä",
            &long,
        ] {
            assert_eq!(local_path(bad), None, "{bad}");
        }
    }
}
