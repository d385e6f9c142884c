//! Issuers, as their discovery documents describe them (OpenID Connect Discovery 1.0), with their keys. A process keeps both for an hour.
//! If a token names an unknown key, the keys are read again, at most once a minute.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use form_urlencoded::{Serializer, byte_serialize};
use jiff::{SignedDuration, Timestamp};
use octavo_engine::Platform;
use serde_json::Value;
use tokio::sync::{Mutex as Waiting, Semaphore};
use tokio::time::timeout;

use super::fetch::{NoAnswer, endpoint, get, post};
use super::id_token::{ExpectedClaims, Token, TokenDefect};
use super::keys::Keys;

/// How long the discovery document and the keys of an issuer are used before they are read again.
const CACHE_TIME: SignedDuration = SignedDuration::from_hours(1);
/// After an unknown key has caused the keys to be read again, how long further unknown keys are refused without reading them.
const UNKNOWN_KEY_PAUSE: SignedDuration = SignedDuration::from_mins(1);
/// The most issuers that are kept. When there are more, the one that was read first is dropped.
const MAX_PROVIDERS: usize = 64;
/// How many log-ins one issuer is asked about at once.
const MAX_LOG_INS_AT_ONCE: usize = 8;

pub(super) struct Provider {
    pub(super) issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    userinfo_endpoint: Option<String>,
    keys_url: String,
    /// Whether the client's secret is sent in a header. It is sent in the form if the issuer accepts it only there.
    sends_secret_in_header: bool,
    /// Whether the answer to a log-in names the issuer (RFC 9207).
    pub(super) names_itself: bool,
    read_at: Timestamp,
    keys: Waiting<Option<CachedKeys>>,
    pub(super) turns: Semaphore,
}

/// The keys of an issuer and when they were read. `unknown_key_at` is when an unknown key caused them to be read, if one did.
struct CachedKeys {
    keys: Arc<Keys>,
    read_at: Timestamp,
    unknown_key_at: Option<Timestamp>,
}

/// The id and the secret by which the server identifies itself to an issuer.
#[derive(Clone, Copy)]
pub(super) struct Client<'a> {
    pub(super) id: &'a str,
    /// Empty for a client without one.
    pub(super) secret: &'a str,
}

/// The tokens that the issuer gave in exchange for a code.
pub(super) struct ExchangedTokens {
    pub(super) id_token: String,
    pub(super) access_token: Option<String>,
}

/// The issuers that this process knows.
struct ProviderCache {
    all: Mutex<Vec<Arc<Provider>>>,
    /// Bounds how many issuers are discovered at once.
    discoveries: Semaphore,
}

/// How many issuers are discovered at once, and how long other log-ins wait for that.
const MAX_DISCOVERIES_AT_ONCE: usize = 4;
const MAX_DISCOVERY_WAIT: Duration = Duration::from_secs(10);

impl Provider {
    /// The issuer from the cache, or discovered again if that was too long ago.
    pub(super) async fn find_or_discover(
        platform: &Platform,
        issuer: &str,
        now: Timestamp,
    ) -> Result<Arc<Provider>, NoAnswer> {
        let known = platform.module_state.get_or_create(ProviderCache::new);
        if let Some(kept) = known.find(issuer, now) {
            return Ok(kept);
        }
        let Ok(Ok(_turn)) = timeout(MAX_DISCOVERY_WAIT, known.discoveries.acquire()).await else {
            return Err(NoAnswer("Other log-ins come first".to_owned()));
        };
        // Somebody else may have asked meanwhile.
        if let Some(kept) = known.find(issuer, now) {
            return Ok(kept);
        }
        let provider = Arc::new(Provider::discover(platform, issuer, now).await?);
        known.lock(|all| {
            all.retain(|one| one.issuer != issuer);
            if all.len() >= MAX_PROVIDERS {
                all.remove(0);
            }
            all.push(Arc::clone(&provider));
        });
        Ok(provider)
    }

    /// Reads the discovery document of an issuer.
    pub(super) async fn discover(
        platform: &Platform,
        issuer: &str,
        now: Timestamp,
    ) -> Result<Provider, NoAnswer> {
        let url = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
        Provider::read(&get(platform, &url, None).await?, issuer, now).map_err(NoAnswer)
    }

    fn read(document: &Value, issuer: &str, now: Timestamp) -> Result<Provider, String> {
        let named = document["issuer"].as_str().unwrap_or_default();
        if named != issuer {
            return Err(format!("The issuer at {issuer} calls itself {named:.200}"));
        }
        let address = |member: &str| {
            let url = document[member].as_str().ok_or_else(|| format!("The issuer names no {member}"))?;
            let is_open = issuer.starts_with("https:") && !url.starts_with("https:");
            match is_open {
                true => Err(format!("The issuer's {member} is not encrypted")),
                false => endpoint(url).map(|_| url.to_owned()),
            }
        };
        let ways: Vec<&str> = document["token_endpoint_auth_methods_supported"]
            .as_array()
            .map_or_else(Vec::new, |ways| ways.iter().filter_map(Value::as_str).collect());
        let optional = |member: &str| match document[member].is_null() {
            true => Ok(None),
            false => address(member).map(Some),
        };
        Ok(Provider {
            issuer: issuer.to_owned(),
            authorization_endpoint: address("authorization_endpoint")?,
            token_endpoint: address("token_endpoint")?,
            userinfo_endpoint: optional("userinfo_endpoint")?,
            keys_url: address("jwks_uri")?,
            sends_secret_in_header: ways.is_empty() || ways.contains(&"client_secret_basic"),
            names_itself: document["authorization_response_iss_parameter_supported"] == true,
            read_at: now,
            keys: Waiting::default(),
            turns: Semaphore::new(MAX_LOG_INS_AT_ONCE),
        })
    }

    /// The address to which a browser goes to log in.
    pub(super) fn authorization_url(&self, parameters: &[(&str, &str)]) -> String {
        let sign = if self.authorization_endpoint.contains('?') { '&' } else { '?' };
        format!("{}{sign}{}", self.authorization_endpoint, form(parameters))
    }

    /// Exchanges a code for tokens.
    pub(super) async fn exchange(
        &self,
        platform: &Platform,
        client: Client<'_>,
        (code, redirect, verifier): (&str, &str, &str),
    ) -> Result<ExchangedTokens, NoAnswer> {
        let in_header = self.sends_secret_in_header && !client.secret.is_empty();
        let mut fields = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", redirect),
            ("code_verifier", verifier),
        ];
        if !in_header {
            fields.push(("client_id", client.id));
            if !client.secret.is_empty() {
                fields.push(("client_secret", client.secret));
            }
        }
        // RFC 6749, 2.3.1: name and secret are encoded as in a form before they are joined.
        let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
        let pair = || format!("{}:{}", encoded(client.id), encoded(client.secret));
        let authorization = in_header.then(|| format!("Basic {}", STANDARD.encode(pair())));
        let answer = post(platform, &self.token_endpoint, &form(&fields), authorization).await?;
        let text = |member: &str| answer[member].as_str().map(str::to_owned);
        let id_token = text("id_token").ok_or_else(|| NoAnswer("The issuer gives no ID token".to_owned()))?;
        Ok(ExchangedTokens { id_token, access_token: text("access_token") })
    }

    /// The claims of an ID token, if it is this issuer's and as expected.
    pub(super) async fn verify_id_token(
        &self,
        platform: &Platform,
        token: &str,
        expected: &ExpectedClaims<'_>,
    ) -> Result<Result<Value, TokenDefect>, NoAnswer> {
        let token = match Token::read(token) {
            Ok(token) => token,
            Err(wrong) => return Ok(Err(wrong)),
        };
        let keys = self.keys(platform, &token, expected.now).await?;
        Ok(token.claims(&keys, expected))
    }

    /// The issuer's keys. They are read again if none of them can have signed the token; other log-ins that need them wait meanwhile.
    async fn keys(
        &self,
        platform: &Platform,
        token: &Token<'_>,
        now: Timestamp,
    ) -> Result<Arc<Keys>, NoAnswer> {
        let mut kept = self.keys.lock().await;
        let mut missed = None;
        if let Some(CachedKeys { keys, read_at: read, unknown_key_at: before }) = &*kept {
            let since = |then: Timestamp| now.duration_since(then);
            let knows = keys.has_key_for(token.key.as_deref(), token.algorithm);
            let just_missed = before.is_some_and(|missed| since(missed) < UNKNOWN_KEY_PAUSE);
            if since(*read) < CACHE_TIME && (knows || just_missed) {
                return Ok(Arc::clone(keys));
            }
            missed = if knows { *before } else { Some(now) };
        }
        let keys = Keys::read(&get(platform, &self.keys_url, None).await?);
        if keys.is_empty() {
            return Err(NoAnswer(format!("{} has no key that is understood here", self.keys_url)));
        }
        let keys = Arc::new(keys);
        *kept = Some(CachedKeys { keys: Arc::clone(&keys), read_at: now, unknown_key_at: missed });
        Ok(keys)
    }

    /// The claims about the subject of a token from the userinfo endpoint (OpenID Connect Core 1.0, 5.3); `None` if there is no such
    /// endpoint, or it answers about somebody else.
    pub(super) async fn userinfo(
        &self,
        platform: &Platform,
        access_token: &str,
        subject: &Value,
    ) -> Result<Option<Value>, NoAnswer> {
        let Some(url) = &self.userinfo_endpoint else { return Ok(None) };
        let told = get(platform, url, Some(access_token)).await?;
        Ok((&told["sub"] == subject).then_some(told))
    }
}

fn form(fields: &[(&str, &str)]) -> String {
    Serializer::new(String::new()).extend_pairs(fields).finish()
}

impl ProviderCache {
    fn new() -> ProviderCache {
        ProviderCache { all: Mutex::default(), discoveries: Semaphore::new(MAX_DISCOVERIES_AT_ONCE) }
    }

    fn find(&self, issuer: &str, now: Timestamp) -> Option<Arc<Provider>> {
        let kept = self.lock(|all| all.iter().find(|one| one.issuer == issuer).map(Arc::clone));
        kept.filter(|kept| now.duration_since(kept.read_at) < CACHE_TIME)
    }

    fn lock<T>(&self, work: impl FnOnce(&mut Vec<Arc<Provider>>) -> T) -> T {
        work(&mut self.all.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn document() -> Value {
        json!({
            "issuer": "https://login.example.org",
            "authorization_endpoint": "https://login.example.org/auth",
            "token_endpoint": "https://login.example.org/token",
            "jwks_uri": "https://login.example.org/keys",
        })
    }

    fn read(change: impl FnOnce(&mut Value)) -> Result<Provider, String> {
        let mut document = document();
        change(&mut document);
        Provider::read(&document, "https://login.example.org", Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn an_issuer_says_what_is_needed_of_itself() {
        let provider = read(|_| ()).map_err(drop).unwrap();
        assert_eq!(
            (provider.sends_secret_in_header, provider.userinfo_endpoint.is_none(), provider.names_itself),
            (true, true, false)
        );
        let location = provider.authorization_url(&[("scope", "openid email"), ("state", "a&b")]);
        assert_eq!(location, "https://login.example.org/auth?scope=openid+email&state=a%26b");
        let other =
            read(|document| document["authorization_endpoint"] = json!("https://login.example.org/?p=1"));
        assert_eq!(
            other.map_err(drop).unwrap().authorization_url(&[("a", "b")]),
            "https://login.example.org/?p=1&a=b"
        );
        for (member, value, why) in [
            ("issuer", json!("https://evil.example"), "calls itself https://evil.example"),
            ("issuer", json!("https://login.example.org/"), "calls itself https://login.example.org/"),
            ("token_endpoint", Value::Null, "names no token_endpoint"),
            ("jwks_uri", json!("http://127.0.0.1/keys"), "jwks_uri is not encrypted"),
            ("userinfo_endpoint", json!("ftp://x"), "userinfo_endpoint is not encrypted"),
            ("token_endpoint", json!("https://user:word@x"), "holds a user's name"),
        ] {
            let refused = read(|document| document[member] = value).err().unwrap_or_default();
            assert!(refused.contains(why), "{member}: {refused}");
        }
    }

    #[test]
    fn the_secret_goes_into_the_form_where_the_issuer_takes_it_only_there() {
        let ways = |ways: Value| {
            read(|document| document["token_endpoint_auth_methods_supported"] = ways).map_err(drop).unwrap()
        };
        assert!(!ways(json!(["client_secret_post"])).sends_secret_in_header);
        assert!(ways(json!(["client_secret_post", "client_secret_basic"])).sends_secret_in_header);
    }
}
