//! ID tokens (OpenID Connect Core 1.0, 3.1.3.7): who signed one, and whether it was made for this log-in. Pure: keys and clock come as
//! arguments.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use jiff::Timestamp;
use serde_json::Value;

use super::keys::{Algorithm, Keys};

/// The values that the claims of an ID token need to have.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExpectedClaims<'a> {
    pub(super) issuer: &'a str,
    pub(super) client: &'a str,
    pub(super) nonce: &'a str,
    pub(super) now: Timestamp,
}

/// Why a token was not accepted. The log shows it; no variant contains a part of the token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenDefect {
    Unreadable,
    /// Signed in a way that is not accepted, or not at all.
    Algorithm,
    Signature,
    Issuer,
    /// It was made for another client.
    Audience,
    Expired,
    /// Its time of issue is in the future or missing.
    IssuedAt,
    /// It belongs to another log-in.
    Nonce,
    NoSubject,
}

/// By how many seconds the clocks of issuer and server may differ.
const LEEWAY_SECONDS: i64 = 60;
/// The most bytes of a token.
const MAX_TOKEN_BYTES: usize = 64 << 10;

/// A token that has been parsed, but not verified yet.
#[derive(Debug)]
pub(super) struct Token<'a> {
    pub(super) key: Option<String>,
    pub(super) algorithm: Algorithm,
    signed: &'a str,
    signature: Vec<u8>,
    claims: Value,
}

impl<'a> Token<'a> {
    pub(super) fn read(token: &'a str) -> Result<Token<'a>, TokenDefect> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(TokenDefect::Unreadable);
        }
        let part = |text: &str| BASE64.decode(text).map_err(|_| TokenDefect::Unreadable);
        let json =
            |text: &str| serde_json::from_slice::<Value>(&part(text)?).map_err(|_| TokenDefect::Unreadable);
        let (signed, signature) = token.rsplit_once('.').ok_or(TokenDefect::Unreadable)?;
        let (head, payload) = signed.split_once('.').ok_or(TokenDefect::Unreadable)?;
        let head = json(head)?;
        let algorithm = head["alg"].as_str().and_then(Algorithm::from_name).ok_or(TokenDefect::Algorithm)?;
        // A server has to understand the extensions that `crit` names. This server supports none.
        if !head["crit"].is_null() {
            return Err(TokenDefect::Algorithm);
        }
        let key = head["kid"].as_str().map(str::to_owned);
        Ok(Token { key, algorithm, signed, signature: part(signature)?, claims: json(payload)? })
    }

    /// The claims, if one of the keys has signed them and they are as expected.
    pub(super) fn claims(self, keys: &Keys, expected: &ExpectedClaims<'_>) -> Result<Value, TokenDefect> {
        let signed = self.signed.as_bytes();
        if !keys.verify(self.key.as_deref(), self.algorithm, signed, &self.signature) {
            return Err(TokenDefect::Signature);
        }
        check(&self.claims, expected)?;
        Ok(self.claims)
    }
}

fn check(claims: &Value, expected: &ExpectedClaims<'_>) -> Result<(), TokenDefect> {
    let now = expected.now.as_second();
    if claims["iss"].as_str() != Some(expected.issuer) {
        return Err(TokenDefect::Issuer);
    }
    if !is_for(claims, expected.client) {
        return Err(TokenDefect::Audience);
    }
    if time(&claims["exp"]).is_none_or(|end| now >= end.saturating_add(LEEWAY_SECONDS)) {
        return Err(TokenDefect::Expired);
    }
    if time(&claims["iat"]).is_none_or(|issued| issued.saturating_sub(LEEWAY_SECONDS) > now) {
        return Err(TokenDefect::IssuedAt);
    }
    if claims["nonce"].as_str() != Some(expected.nonce) {
        return Err(TokenDefect::Nonce);
    }
    if claims["sub"].as_str().is_none_or(str::is_empty) {
        return Err(TokenDefect::NoSubject);
    }
    Ok(())
}

/// Whether a token was made for a client. A token for several clients has to name in `azp` the one that asked for it; a token for one
/// client may.
fn is_for(claims: &Value, client: &str) -> bool {
    let asked = &claims["azp"];
    let asked_by_client = asked.as_str() == Some(client);
    match &claims["aud"] {
        Value::String(one) => one == client && (asked.is_null() || asked_by_client),
        Value::Array(several) => {
            several.iter().any(|one| one == client)
                && (asked_by_client || (asked.is_null() && several.len() == 1))
        }
        _ => false,
    }
}

/// Seconds since 1970; some issuers write a fraction.
fn time(value: &Value) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "a time beyond the range becomes the end of it")]
    value.as_i64().or_else(|| value.as_f64().map(|seconds| seconds as i64))
}

#[cfg(test)]
#[path = "id_token_tests.rs"]
mod tests;
