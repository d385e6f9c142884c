//! An issuer that says what a test wants.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD as BASE64};
use octavo_testkit::{ModuleAnswer, OutsideModule, SeenRequest};
use ring::signature::{Ed25519KeyPair, KeyPair};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::StartedLogIn;

pub(super) struct Issuer {
    outside: OutsideModule,
    state: Arc<Mutex<State>>,
}

struct State {
    /// Additional claims of the next tokens.
    claims: Value,
    /// Changes of the claims that every token has.
    changed_claims: Value,
    userinfo: Value,
    nonce: String,
    /// The seed of the published key, and the seed of the signing key.
    published_key: u8,
    signing_key: u8,
    /// Answers that replace the usual ones, by path.
    answers_by_path: HashMap<&'static str, ModuleAnswer>,
    changed_metadata: Value,
}

/// The server's request for a token.
pub(super) struct TokenRequest {
    pub(super) form: HashMap<String, String>,
    /// Name and secret, decoded once.
    pub(super) authorization: Option<String>,
}

impl TokenRequest {
    pub(super) fn challenge(&self) -> String {
        BASE64.encode(Sha256::digest(&self.form["code_verifier"]))
    }
}

impl Issuer {
    pub(super) async fn start() -> Issuer {
        let state = Arc::new(Mutex::new(State {
            claims: json!({"sub": "s-1", "preferred_username": "jane"}),
            changed_claims: json!({}),
            userinfo: Value::Null,
            nonce: String::new(),
            published_key: 1,
            signing_key: 1,
            answers_by_path: HashMap::new(),
            changed_metadata: json!({}),
        }));
        let answering = Arc::clone(&state);
        let outside = OutsideModule::start(move |seen| {
            let said = answering.lock().unwrap_or_else(PoisonError::into_inner).answer(&seen);
            async move { said }
        })
        .await;
        Issuer { outside, state }
    }

    pub(super) fn url(&self) -> String {
        self.outside.url()
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Makes the next token for this log-in.
    pub(super) fn expect_log_in(&self, begun: &StartedLogIn) {
        self.change(|state| state.nonce.clone_from(&begun.nonce));
    }

    pub(super) fn set_claims(&self, claims: Value) {
        self.change(|state| state.claims = claims);
    }

    /// Makes claims of tokens wrong.
    pub(super) fn change_claims(&self, changed: Value) {
        self.change(|state| state.changed_claims = changed);
    }

    pub(super) fn set_userinfo(&self, told: Value) {
        self.change(|state| state.userinfo = told);
    }

    pub(super) fn change_metadata(&self, changed: Value) {
        self.change(|state| state.changed_metadata = changed);
    }

    pub(super) fn answer_with(&self, path: &'static str, said: ModuleAnswer) {
        self.change(|state| drop(state.answers_by_path.insert(path, said)));
    }

    /// Uses another key, which is published.
    pub(super) fn rotate_key(&self) {
        self.change(|state| {
            (state.published_key, state.signing_key) = (state.published_key + 1, state.published_key + 1);
        });
    }

    pub(super) fn sign_with_unknown_key(&self) {
        self.change(|state| state.signing_key = 99);
    }

    pub(super) fn count_requests(&self, path: &str) -> usize {
        self.outside.seen_at(path).len()
    }

    pub(super) fn token_requests(&self) -> Vec<TokenRequest> {
        let read = |seen: SeenRequest| {
            let basic = seen.header("authorization").and_then(|value| value.strip_prefix("Basic "));
            let decoded = basic.map(|basic| String::from_utf8(STANDARD.decode(basic).unwrap()).unwrap());
            let body = String::from_utf8(seen.body.to_vec()).unwrap();
            TokenRequest { form: parameters(&format!("?{body}")), authorization: decoded }
        };
        self.outside.seen_at("/token").into_iter().map(read).collect()
    }
}

impl State {
    fn answer(&self, seen: &SeenRequest) -> ModuleAnswer {
        let path = seen.path.split('?').next().unwrap_or_default();
        if let Some(said) = self.answers_by_path.get(path) {
            return said.clone();
        }
        let issuer = format!("http://{}", seen.header("host").unwrap_or_default());
        match path {
            "/.well-known/openid-configuration" => {
                let mut document = json!({
                    "issuer": issuer,
                    "authorization_endpoint": format!("{issuer}/auth"),
                    "token_endpoint": format!("{issuer}/token"),
                    "userinfo_endpoint": format!("{issuer}/me"),
                    "jwks_uri": format!("{issuer}/keys"),
                });
                merge(&mut document, &self.changed_metadata);
                ModuleAnswer::json(200, &document)
            }
            "/keys" => ModuleAnswer::json(200, &json!({"keys": [public_key_json(self.published_key)]})),
            "/token" => {
                ModuleAnswer::json(200, &json!({"id_token": self.token(&issuer), "access_token": "a-1"}))
            }
            "/me" if seen.header("authorization") == Some("Bearer a-1") => {
                ModuleAnswer::json(200, &self.userinfo)
            }
            _ => ModuleAnswer::text(404, ""),
        }
    }

    fn token(&self, issuer: &str) -> String {
        let now = octavo_testkit::system_clock().as_second();
        let mut claims =
            json!({"iss": issuer, "aud": "octavo", "iat": now, "exp": now + 300, "nonce": self.nonce});
        merge(&mut claims, &self.claims);
        merge(&mut claims, &self.changed_claims);
        let head = json!({"alg": "EdDSA", "kid": format!("k-{}", self.signing_key)});
        let signed = format!("{}.{}", BASE64.encode(head.to_string()), BASE64.encode(claims.to_string()));
        let signature = key_pair(self.signing_key).sign(signed.as_bytes());
        format!("{signed}.{}", BASE64.encode(signature.as_ref()))
    }
}

fn key_pair(seed: u8) -> Ed25519KeyPair {
    Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).expect("a seed has 32 bytes")
}

fn public_key_json(seed: u8) -> Value {
    let public = BASE64.encode(key_pair(seed).public_key().as_ref());
    json!({"kty": "OKP", "crv": "Ed25519", "use": "sig", "kid": format!("k-{seed}"), "x": public})
}

fn merge(into: &mut Value, changed: &Value) {
    for (name, value) in changed.as_object().into_iter().flatten() {
        into[name] = value.clone();
    }
}

/// The parameters of an address.
pub(super) fn parameters(location: &str) -> HashMap<String, String> {
    let query = location.split_once('?').map_or("", |(_, query)| query);
    query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.to_owned(), decoded(value)))
        .collect()
}

fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text.bytes());
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let figures = [rest.next(), rest.next()].map(|figure| figure.map_or('x', char::from));
                u8::from_str_radix(&String::from_iter(figures), 16).expect("two figures after a percent sign")
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).expect("text")
}
