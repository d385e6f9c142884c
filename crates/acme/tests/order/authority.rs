//! An authority for tests, small but strict: it uses each nonce once, looks at the answer to its challenge by HTTP as real ones do, and signs what is asked for.

use std::collections::HashSet;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use rcgen::{
    BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, PKCS_ECDSA_P256_SHA256,
    PublicKeyData, SignatureAlgorithm, date_time_ymd,
};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

pub(crate) struct Authority {
    pub(crate) url: String,
    pub(crate) accounts: AtomicUsize,
    pub(crate) orders: AtomicUsize,
    /// How many of the next orders are refused, as by a limit.
    pub(crate) refuses: AtomicU16,
    /// Where it looks whether names are the client's.
    looks_at: SocketAddr,
    nonces: Mutex<HashSet<String>>,
    nonce_count: AtomicUsize,
    names: Mutex<Vec<Value>>,
    is_proven: Mutex<bool>,
    chain: Mutex<Option<String>>,
    issuer: Issuer<'static, KeyPair>,
    certificate: String,
}

const TOKEN: &str = "a-token-of-the-authority";

impl Authority {
    pub(crate) async fn start(looks_at: SocketAddr) -> Arc<Authority> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, "Authority of tests");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap().pem();
        let authority = Arc::new(Authority {
            url: format!("http://{}", listener.local_addr().unwrap()),
            accounts: AtomicUsize::default(),
            orders: AtomicUsize::default(),
            refuses: AtomicU16::default(),
            looks_at,
            nonces: Mutex::default(),
            nonce_count: AtomicUsize::default(),
            names: Mutex::default(),
            is_proven: Mutex::default(),
            chain: Mutex::default(),
            issuer: Issuer::new(params, key),
            certificate,
        });
        let serving = Arc::clone(&authority);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let authority = Arc::clone(&serving);
                let service = service_fn(move |request| {
                    let authority = Arc::clone(&authority);
                    async move { Ok::<_, Infallible>(authority.respond(request).await) }
                });
                let http = hyper::server::conn::http1::Builder::new();
                tokio::spawn(http.serve_connection(TokioIo::new(stream), service));
            }
        });
        authority
    }

    async fn respond(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        let (head, body) = request.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let path = head.uri.path().to_owned();
        let payload = match head.method == hyper::Method::POST {
            true => match self.payload(&body) {
                Some(payload) => payload,
                None => {
                    return self.reply(400, &json!({"type": "urn:ietf:params:acme:error:badNonce"}), None);
                }
            },
            false => Value::Null,
        };
        let at = |path: &str| format!("{}{path}", self.url);
        match path.as_str() {
            "/directory" => {
                let urls = json!({
                    "newNonce": at("/nonce"), "newAccount": at("/account"), "newOrder": at("/orders"),
                    "revokeCert": at("/revoke"), "keyChange": at("/change"),
                });
                self.reply(200, &urls, None)
            }
            "/account" => {
                self.accounts.fetch_add(1, SeqCst);
                assert_eq!(payload["termsOfServiceAgreed"], true);
                self.reply(201, &json!({"status": "valid"}), Some(at("/account/1")))
            }
            "/orders" if self.refuses.load(SeqCst) > 0 => {
                self.refuses.fetch_sub(1, SeqCst);
                let problem = json!({"type": "urn:ietf:params:acme:error:rateLimited", "detail": "too many"});
                self.reply(429, &problem, None)
            }
            "/orders" => {
                self.orders.fetch_add(1, SeqCst);
                payload["identifiers"].as_array().unwrap().clone_into(&mut self.names.lock().unwrap());
                *self.is_proven.lock().unwrap() = false;
                *self.chain.lock().unwrap() = None;
                self.reply(201, &self.order(), Some(at("/order")))
            }
            "/order" => self.reply(200, &self.order(), None),
            "/name" => self.reply(200, &self.name(), None),
            "/challenge" => {
                let proven = self.check_challenge().await;
                *self.is_proven.lock().unwrap() = proven;
                self.reply(200, &self.name()["challenges"][0].clone(), None)
            }
            "/finalize" => {
                let request = BASE64_URL_SAFE_NO_PAD.decode(payload["csr"].as_str().unwrap()).unwrap();
                *self.chain.lock().unwrap() = Some(self.sign(&request));
                self.reply(200, &self.order(), None)
            }
            "/certificate" => {
                let chain = self.chain.lock().unwrap().clone().unwrap();
                self.with_nonce(Response::builder().status(200)).body(Full::from(chain)).unwrap()
            }
            _ => self.reply(if path == "/nonce" { 200 } else { 404 }, &Value::Null, None),
        }
    }

    /// What was signed, if its nonce was given and not used before.
    fn payload(&self, body: &[u8]) -> Option<Value> {
        let signed: Value = serde_json::from_slice(body).unwrap();
        let part = |name: &str| {
            let bytes = BASE64_URL_SAFE_NO_PAD.decode(signed[name].as_str().unwrap()).unwrap();
            serde_json::from_slice(&bytes).unwrap_or(Value::Null)
        };
        let nonce = part("protected")["nonce"].as_str().unwrap().to_owned();
        self.nonces.lock().unwrap().remove(&nonce).then(|| part("payload"))
    }

    fn with_nonce(&self, reply: hyper::http::response::Builder) -> hyper::http::response::Builder {
        let nonce = format!("nonce-{}", self.nonce_count.fetch_add(1, SeqCst));
        self.nonces.lock().unwrap().insert(nonce.clone());
        reply.header("replay-nonce", nonce)
    }

    fn reply(&self, status: u16, body: &Value, location: Option<String>) -> Response<Full<Bytes>> {
        let mut reply = self.with_nonce(Response::builder().status(status));
        if let Some(location) = location {
            reply = reply.header("location", location);
        }
        reply.body(Full::from(body.to_string())).unwrap()
    }

    fn order(&self) -> Value {
        let is_done = self.chain.lock().unwrap().is_some();
        let status = match (is_done, *self.is_proven.lock().unwrap()) {
            (true, _) => "valid",
            (false, true) => "ready",
            (false, false) => "pending",
        };
        let at = |path: &str| format!("{}{path}", self.url);
        let certificate = is_done.then(|| at("/certificate"));
        json!({
            "status": status, "identifiers": *self.names.lock().unwrap(), "authorizations": [at("/name")],
            "finalize": at("/finalize"), "certificate": certificate,
        })
    }

    fn name(&self) -> Value {
        let status = if *self.is_proven.lock().unwrap() { "valid" } else { "pending" };
        let challenge = json!({
            "type": "http-01", "url": format!("{}/challenge", self.url), "token": TOKEN, "status": status,
        });
        json!({"identifier": self.names.lock().unwrap()[0], "status": status, "challenges": [challenge]})
    }

    /// Whether the client answers for its name. The name is not looked up.
    async fn check_challenge(&self) -> bool {
        let mut stream = TcpStream::connect(self.looks_at).await.unwrap();
        let name = self.names.lock().unwrap()[0]["value"].as_str().unwrap().to_owned();
        let asked = format!(
            "GET /.well-known/acme-challenge/{TOKEN} HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(asked.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        let thumbprint =
            answer.rsplit("\r\n\r\n").next().and_then(|body| body.strip_prefix(&format!("{TOKEN}.")));
        answer.starts_with("HTTP/1.1 200") && thumbprint.is_some_and(|print| print.trim().len() == 43)
    }

    /// The chain of a certificate for the key that a request (PKCS #10) has.
    fn sign(&self, request: &[u8]) -> String {
        // A bit string of 65 bytes, which begin with 4: a point of P-256.
        let at =
            request.windows(4).position(|four| four == [0x03, 0x42, 0x00, 0x04]).expect("a key of P-256");
        let names = self.names.lock().unwrap();
        let names = names.iter().map(|name| name["value"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
        let mut params = CertificateParams::new(names).unwrap();
        params.not_before = date_time_ymd(2026, 11, 1);
        params.not_after = date_time_ymd(2027, 1, 30);
        let key = Point(request[at + 3..at + 68].to_vec());
        format!("{}{}", params.signed_by(&key, &self.issuer).unwrap().pem(), self.certificate)
    }
}

struct Point(Vec<u8>);

impl PublicKeyData for Point {
    fn der_bytes(&self) -> &[u8] {
        &self.0
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &PKCS_ECDSA_P256_SHA256
    }
}
