//! An issuer that says what a test wants.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD as BASE64};
use octavo_testkit::{Outside, Said, Seen};
use ring::signature::{Ed25519KeyPair, KeyPair};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::Begun;

pub(super) struct Issuer {
    outside: Outside,
    state: Arc<Mutex<State>>,
}

struct State {
    /// What it vouches for, beside what every token has.
    claims: Value,
    /// What is changed in the claims that every token has.
    changed: Value,
    userinfo: Value,
    nonce: String,
    /// The seeds of the key that it tells and of the one that it signs with.
    told: u8,
    signs: u8,
    /// What it answers instead, by path.
    instead: HashMap<&'static str, Said>,
    described: Value,
}

/// What the server sent for a token.
pub(super) struct Asked {
    pub(super) form: HashMap<String, String>,
    /// Name and secret, decoded once.
    pub(super) authorization: Option<String>,
}

impl Asked {
    pub(super) fn challenge(&self) -> String {
        BASE64.encode(Sha256::digest(&self.form["code_verifier"]))
    }
}

impl Issuer {
    pub(super) async fn start() -> Issuer {
        let state = Arc::new(Mutex::new(State {
            claims: json!({"sub": "s-1", "preferred_username": "jane"}),
            changed: json!({}),
            userinfo: Value::Null,
            nonce: String::new(),
            told: 1,
            signs: 1,
            instead: HashMap::new(),
            described: json!({}),
        }));
        let answering = Arc::clone(&state);
        let outside = Outside::start(move |seen| {
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

    /// The next token belongs to this log-in.
    pub(super) fn vouch(&self, begun: &Begun) {
        self.change(|state| state.nonce.clone_from(&begun.nonce));
    }

    pub(super) fn claims(&self, claims: Value) {
        self.change(|state| state.claims = claims);
    }

    /// Members of tokens that are otherwise than they should be.
    pub(super) fn mistake(&self, changed: Value) {
        self.change(|state| state.changed = changed);
    }

    pub(super) fn userinfo(&self, told: Value) {
        self.change(|state| state.userinfo = told);
    }

    pub(super) fn describe(&self, changed: Value) {
        self.change(|state| state.described = changed);
    }

    pub(super) fn say(&self, path: &'static str, said: Said) {
        self.change(|state| drop(state.instead.insert(path, said)));
    }

    /// Another key, which it tells.
    pub(super) fn rotate(&self) {
        self.change(|state| (state.told, state.signs) = (state.told + 1, state.told + 1));
    }

    pub(super) fn sign_with_unknown_key(&self) {
        self.change(|state| state.signs = 99);
    }

    pub(super) fn times(&self, path: &str) -> usize {
        self.outside.seen_at(path).len()
    }

    pub(super) fn asked_for_token(&self) -> Vec<Asked> {
        let read = |seen: Seen| {
            let basic = seen.header("authorization").and_then(|value| value.strip_prefix("Basic "));
            let decoded = basic.map(|basic| String::from_utf8(STANDARD.decode(basic).unwrap()).unwrap());
            let body = String::from_utf8(seen.body.to_vec()).unwrap();
            Asked { form: parameters(&format!("?{body}")), authorization: decoded }
        };
        self.outside.seen_at("/token").into_iter().map(read).collect()
    }
}

impl State {
    fn answer(&self, seen: &Seen) -> Said {
        let path = seen.path.split('?').next().unwrap_or_default();
        if let Some(said) = self.instead.get(path) {
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
                merge(&mut document, &self.described);
                Said::json(200, &document)
            }
            "/keys" => Said::json(200, &json!({"keys": [told(self.told)]})),
            "/token" => Said::json(200, &json!({"id_token": self.token(&issuer), "access_token": "a-1"})),
            "/me" if seen.header("authorization") == Some("Bearer a-1") => Said::json(200, &self.userinfo),
            _ => Said::text(404, ""),
        }
    }

    fn token(&self, issuer: &str) -> String {
        let now = octavo_testkit::system_clock().as_second();
        let mut claims =
            json!({"iss": issuer, "aud": "octavo", "iat": now, "exp": now + 300, "nonce": self.nonce});
        merge(&mut claims, &self.claims);
        merge(&mut claims, &self.changed);
        let head = json!({"alg": "EdDSA", "kid": format!("k-{}", self.signs)});
        let signed = format!("{}.{}", BASE64.encode(head.to_string()), BASE64.encode(claims.to_string()));
        let signature = key(self.signs).sign(signed.as_bytes());
        format!("{signed}.{}", BASE64.encode(signature.as_ref()))
    }
}

fn key(seed: u8) -> Ed25519KeyPair {
    Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).expect("a seed has 32 bytes")
}

fn told(seed: u8) -> Value {
    let public = BASE64.encode(key(seed).public_key().as_ref());
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
