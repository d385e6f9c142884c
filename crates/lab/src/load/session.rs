//! A session at the server: tenant, user, token. It logs in as FOLIO's clients do, with the older call or, where a server has
//! that no more, with the one whose tokens expire; and again when a token has expired.

use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::clock;
use crate::http::{Address, Answer, Connection};

use super::told::Told;

#[derive(Debug, Clone)]
pub struct Login {
    pub username: String,
    pub password: String,
}

/// Asks an Octavo to tell what a call took.
pub(super) const TRACED: &str = "x-octavo-trace: 1\r\n";

/// An answer, and the time from sending the call to the last byte of it.
pub struct Timed {
    pub answer: Answer,
    pub time: Duration,
}

/// One user at one server, with a connection of their own.
pub struct Session {
    pub(super) connection: Connection,
    address: Rc<Address>,
    tenant: String,
    login: Option<Login>,
    /// Header lines of every request.
    headers: String,
    bytes: Vec<u8>,
}

impl Session {
    pub fn new(address: &Rc<Address>, tenant: &str, login: Option<Login>) -> Session {
        let mut session = Session {
            connection: Connection::to(address),
            address: Rc::clone(address),
            tenant: tenant.to_owned(),
            login,
            headers: String::new(),
            bytes: Vec::with_capacity(2048),
        };
        session.keep(None);
        session
    }

    /// A session with a given token, without a log-in.
    pub fn with_token(address: &Rc<Address>, tenant: &str, token: &str) -> Session {
        let mut session = Session::new(address, tenant, None);
        session.keep(Some(token));
        session
    }

    /// A session of the same user over another connection.
    pub fn another(&self) -> Session {
        self.at(&self.address)
    }

    /// A session of the same user at another address of the server.
    pub fn at(&self, address: &Rc<Address>) -> Session {
        let mut other = Session::new(address, &self.tenant, self.login.clone());
        other.headers.clone_from(&self.headers);
        other
    }

    /// Connects now, so that the first call need not wait for it.
    pub async fn connect(&mut self) -> Result<()> {
        self.connection.ready().await
    }

    pub(crate) fn url(&self) -> &str {
        &self.address.url
    }

    pub(super) fn can_log_in(&self) -> bool {
        self.login.is_some()
    }

    fn keep(&mut self, token: Option<&str>) {
        self.headers.clear();
        let tenant = Some(self.tenant.as_str()).filter(|tenant| !tenant.is_empty());
        for (name, value) in [("X-Okapi-Tenant", tenant), ("X-Okapi-Token", token)] {
            if let Some(value) = value {
                self.headers.extend([name, ": ", value, "\r\n"]);
            }
        }
    }

    pub async fn log_in(&mut self) -> Result<()> {
        let Some(login) = self.login.clone() else { return Ok(()) };
        self.keep(None);
        let body = json!({"username": login.username, "password": login.password}).to_string();
        let mut answer = self.send("POST", "/authn/login", "", Some(&body)).await?;
        if matches!(answer.status, 404 | 410 | 501) {
            answer = self.send("POST", "/authn/login-with-expiry", "", Some(&body)).await?;
        }
        let token = answer.header("x-okapi-token").or_else(|| answer.cookie("folioAccessToken"));
        match token.map(str::to_owned) {
            Some(token) if answer.status == 201 => {
                self.keep(Some(&token));
                Ok(())
            }
            _ => bail!("{} could not log in at {}: {}", login.username, self.address.url, answer.in_short()),
        }
    }

    pub async fn send(
        &mut self,
        method: &str,
        target: &str,
        headers: &str,
        body: Option<&str>,
    ) -> Result<Answer> {
        let body = body.map(|body| ("application/json", body.as_bytes()));
        self.write(method, target, headers, body);
        self.connection.exchange(&self.bytes).await
    }

    /// Sends a file in the body of a POST request; fails unless the answer has this status.
    pub async fn upload(&mut self, target: &str, file: &[u8], status: u16) -> Result<Answer> {
        self.write("POST", target, "", Some(("application/octet-stream", file)));
        let answer = self.connection.exchange(&self.bytes).await?;
        ensure!(answer.status == status, "POST {target}: expected {status}, got {}", answer.in_short());
        Ok(answer)
    }

    /// A call by itself; fails unless the answer has this status. An empty `body` is none.
    pub async fn ask(&mut self, method: &str, target: &str, body: &str, status: u16) -> Result<Timed> {
        self.timed(method, target, "", body, status).await
    }

    /// Makes a call and asks the server to report what it took.
    pub async fn ask_traced(
        &mut self,
        method: &str,
        target: &str,
        body: &str,
        status: u16,
    ) -> Result<(Timed, Told)> {
        let timed = self.timed(method, target, TRACED, body, status).await?;
        let told = timed.answer.header("x-octavo-trace").and_then(Told::parse);
        Ok((timed, told.with_context(|| format!("{method} {target}: the server tells no trace"))?))
    }

    async fn timed(
        &mut self,
        method: &str,
        target: &str,
        headers: &str,
        body: &str,
        status: u16,
    ) -> Result<Timed> {
        let told = || format!("{method} {target} {body}");
        // A connection is kept; what it takes to open one is not part of an answer's time.
        self.connection.ready().await?;
        let began = clock::now();
        let answer = self.send(method, target, headers, Some(body).filter(|body| !body.is_empty())).await;
        let time = began.elapsed();
        let answer = answer.with_context(told)?;
        ensure!(answer.status == status, "{}: expected {status}, got {}", told(), answer.in_short());
        Ok(Timed { answer, time })
    }

    /// The body comes with its media type.
    fn write(&mut self, method: &str, target: &str, headers: &str, body: Option<(&str, &[u8])>) {
        self.bytes.clear();
        let address = &self.address;
        for part in [method, " ", &address.prefix, target, " HTTP/1.1\r\nHost: ", address.authority(), "\r\n"]
        {
            self.bytes.extend_from_slice(part.as_bytes());
        }
        for part in [&self.headers, "Accept: application/json, text/plain\r\n", headers] {
            self.bytes.extend_from_slice(part.as_bytes());
        }
        if let Some((kind, body)) = body {
            let length = body.len();
            let lines = format!("Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n");
            self.bytes.extend_from_slice(lines.as_bytes());
            self.bytes.extend_from_slice(body);
        } else if method == "POST" || method == "PUT" {
            self.bytes.extend_from_slice(b"Content-Length: 0\r\n\r\n");
        } else {
            self.bytes.extend_from_slice(b"\r\n");
        }
    }

    /// Sends the OPTIONS request of a browser before a call to another origin.
    pub(super) async fn preflight(&mut self, method: &str, target: &str) -> Result<Answer> {
        let origin = self.address.origin();
        let headers = format!(
            "Origin: {origin}\r\nAccess-Control-Request-Method: {method}\r\n\
             Access-Control-Request-Headers: content-type,x-okapi-tenant,x-okapi-token\r\n"
        );
        let kept = std::mem::take(&mut self.headers);
        let answer = self.send("OPTIONS", target, &headers, None).await;
        self.headers = kept;
        answer
    }

    pub(crate) async fn post(&mut self, target: &str, body: &Value) -> Result<()> {
        let answer = self.send("POST", target, "", Some(&body.to_string())).await?;
        if !(200..300).contains(&answer.status) {
            bail!("POST {target}: {}", answer.in_short());
        }
        Ok(())
    }

    /// The version that the server reports; empty without the permission to ask.
    pub(crate) async fn version(&mut self) -> String {
        let Some(okapi) = self.page("/_/version").await else {
            return "a server that does not tell its version".to_owned();
        };
        let okapi = format!("Okapi {}", okapi.trim());
        // Octavo answers there as Okapi would; what it is stands in its metrics, for those who may read them.
        match self.page("/metrics").await.as_deref().and_then(built) {
            Some(version) => format!("Octavo {version}, in place of {okapi}"),
            None => okapi,
        }
    }

    /// The text of a page; none if the server has no such page, or not for this user.
    async fn page(&mut self, target: &str) -> Option<String> {
        let answer = self.send("GET", target, "", None).await.ok().filter(|answer| answer.status == 200)?;
        Some(String::from_utf8_lossy(&answer.body).into_owned())
    }

    /// How many requests the server has answered so far, where it tells that (`octavo_requests_total`).
    pub(crate) async fn answered(&mut self) -> Option<f64> {
        let told = self.page("/metrics").await?;
        let counts = told.lines().filter(|line| line.starts_with("octavo_requests_total{"));
        let counts: Vec<f64> = counts.filter_map(|line| line.rsplit(' ').next()?.parse().ok()).collect();
        (!counts.is_empty()).then(|| counts.iter().sum())
    }

    /// When the server process was started, in seconds since 1970, where it tells that (`process_start_time_seconds`).
    pub(crate) async fn server_started(&mut self) -> Option<f64> {
        let told = self.page("/metrics").await?;
        told.lines().find_map(|line| line.strip_prefix("process_start_time_seconds ")?.trim().parse().ok())
    }

    /// A document; with a fresh token if the old one has expired.
    pub(crate) async fn get(&mut self, target: &str) -> Result<Value> {
        let mut answer = self.send("GET", target, "", None).await?;
        if answer.status == 401 && self.can_log_in() {
            self.log_in().await?;
            answer = self.send("GET", target, "", None).await?;
        }
        if answer.status != 200 {
            bail!("GET {target}: {}", answer.in_short());
        }
        answer.json()
    }
}

/// `octavo_build_info{version="0.1.0"} 1`
fn built(metrics: &str) -> Option<&str> {
    metrics.split_once("octavo_build_info{version=\"")?.1.split_once('"').map(|(version, _)| version)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Authorities;

    #[test]
    fn a_request_says_how_long_its_body_is() {
        let address = Rc::new(Address::parse("http://localhost", &Authorities::default()).unwrap());
        let mut session = Session::new(&address, "t", None);
        session.write("POST", "/x", "", Some(("application/json", b"{}")));
        let expected = "POST /x HTTP/1.1\r\nHost: localhost\r\nX-Okapi-Tenant: t\r\n\
                        Accept: application/json, text/plain\r\n\
                        Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
        assert_eq!(String::from_utf8(session.bytes.clone()).unwrap(), expected);
    }

    #[test]
    fn octavo_is_told_from_its_metrics() {
        assert_eq!(built("# TYPE a gauge\noctavo_build_info{version=\"0.1.0\"} 1\n"), Some("0.1.0"));
        assert_eq!(built("up 1\n"), None);
    }
}
