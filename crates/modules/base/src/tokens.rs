//! Access and refresh tokens: JSON Web Tokens, signed with HMAC-SHA256 and checked in this process.
//!
//! Types and claims are mod-authtoken 2.15.1's. The clock comes as an argument.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use hmac::{Hmac, KeyInit, Mac};
use octavo_engine::Platform;
use octavo_kernel::Outcome;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use uuid::Uuid;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Claims {
    #[serde(rename = "type")]
    pub kind: Kind,
    pub iat: i64,
    pub tenant: String,
    pub sub: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exp: Option<i64>,
    /// In a refresh token: the row that says whether it was used. In an operator's token: the operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jti: Option<Uuid>,
    /// The session that began with a log-in; a log-out ends it. Tokens of the first release name none.
    #[serde(rename = "sid", default, skip_serializing_if = "Option::is_none")]
    pub session: Option<Uuid>,
    /// How often all of the user's sessions had been ended when this one began.
    #[serde(rename = "gen", default, skip_serializing_if = "is_zero")]
    pub generation: i64,
    /// In a token of no user: the permissions that it gives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extra_permissions: Vec<String>,
}

impl Claims {
    /// A token that bears no user's id and does not run out.
    pub fn new(kind: Kind, tenant: impl Into<String>, sub: impl Into<String>) -> Claims {
        Claims {
            kind,
            iat: 0,
            tenant: tenant.into(),
            sub: sub.into(),
            user_id: None,
            exp: None,
            jti: None,
            session: None,
            generation: 0,
            extra_permissions: Vec::new(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    #[serde(rename = "access")]
    Access,
    #[serde(rename = "legacy-access")]
    LegacyAccess,
    #[serde(rename = "refresh")]
    Refresh,
    /// Of no user: it opens what its permissions open, such as the form for a new password that a link leads to.
    #[serde(rename = "dummy")]
    Dummy,
    #[serde(rename = "dummy-expiring")]
    DummyExpiring,
    /// Octavo's own kind of token, for the operator.
    #[serde(rename = "operator")]
    Operator,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde hands over")]
fn is_zero(number: &i64) -> bool {
    *number == 0
}

const HEADER: &str = r#"{"alg":"HS256"}"#;

pub fn sign(claims: &impl Serialize, key: &[u8]) -> String {
    let payload = serde_json::to_string(claims).unwrap_or_default();
    let signed = format!("{}.{}", BASE64.encode(HEADER), BASE64.encode(payload));
    let signature = mac(&signed, key).finalize().into_bytes();
    format!("{signed}.{}", BASE64.encode(signature))
}

/// Signs a token with the key that is in use now.
pub async fn sign_with_current_key(
    platform: &Platform,
    claims: &impl Serialize,
    now: i64,
) -> Outcome<String> {
    Ok(sign(claims, platform.token_keys.get().await?.signing_secret(now)))
}

/// The claims of a token that one of our keys signed and that has not run out.
pub fn verify<'a>(token: &str, keys: impl IntoIterator<Item = &'a [u8]>, now: i64) -> Option<Claims> {
    let claims = parse_unverified(token).filter(|_| is_signed_by_us(token, keys))?;
    claims.exp.is_none_or(|exp| now < exp).then_some(claims)
}

/// The content of a token of any form; `None` unless this key signed it. The caller has to check whether the token has expired.
pub fn parse_signed<T: DeserializeOwned>(token: &str, key: &[u8]) -> Option<T> {
    is_signed_by_us(token, [key]).then(|| serde_json::from_str(&payload(token)?).ok())?
}

/// Whether one of our keys signed a token, whatever it claims.
pub(crate) fn is_signed_by_us<'a>(token: &str, keys: impl IntoIterator<Item = &'a [u8]>) -> bool {
    let Some((signed, signature)) = token.rsplit_once('.') else { return false };
    let Ok(signature) = BASE64.decode(signature) else { return false };
    keys.into_iter().any(|key| mac(signed, key).verify_slice(&signature).is_ok())
}

/// The part between the dots, decoded, if it is text.
pub fn payload(token: &str) -> Option<String> {
    String::from_utf8(BASE64.decode(token.split('.').nth(1)?).ok()?).ok()
}

/// The tenant that a token of any kind names, unverified: Okapi takes it from there before anything is checked.
pub fn unverified_tenant(token: &str) -> Option<String> {
    let claims: serde_json::Value = serde_json::from_str(&payload(token)?).ok()?;
    claims["tenant"].as_str().map(str::to_owned)
}

/// The claims of a token, without a check of its signature or its expiry.
pub fn parse_unverified(token: &str) -> Option<Claims> {
    let mut parts = token.split('.');
    let (Some(_), Some(payload), Some(_), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return None;
    };
    serde_json::from_slice(&BASE64.decode(payload).ok()?).ok()
}

#[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
fn mac(text: &str, key: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(text.as_bytes());
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &[u8] = b"key";

    fn claims() -> Claims {
        Claims { iat: 10, exp: Some(20), ..Claims::new(Kind::Access, "diku", "a") }
    }

    #[test]
    fn only_our_own_unexpired_tokens_are_taken() {
        let token = sign(&claims(), KEY);
        assert_eq!(verify(&token, [KEY], 19), Some(claims()));
        assert_eq!(verify(&token, [KEY], 20), None, "expired");
        assert_eq!(verify(&token, [b"other".as_slice()], 19), None, "another key");
        assert_eq!(verify(&token, [b"newer".as_slice(), KEY], 19), Some(claims()), "the older of two keys");
        let forged = sign(&Claims { sub: "b".into(), ..claims() }, b"mine");
        let spliced = format!("{}.{}", forged.rsplit_once('.').unwrap().0, token.rsplit_once('.').unwrap().1);
        assert_eq!(verify(&spliced, [KEY], 19), None, "another payload under our signature");
        let unsigned =
            format!("{}.{}.", BASE64.encode(r#"{"alg":"none"}"#), token.split('.').nth(1).unwrap());
        assert_eq!(verify(&unsigned, [KEY], 19), None, "no signature");
        for garbage in ["", "a", "a.b", "a.b.c", "....", "ä.ö.ü"] {
            assert_eq!(verify(garbage, [KEY], 19), None, "{garbage}");
        }
    }
}
