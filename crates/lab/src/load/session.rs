//! A session at the server: tenant, user, token. It logs in as FOLIO's clients do, with the older call or, where a server has
//! that no more, with the one whose tokens expire; and again when a token has expired.

use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::clock;
use crate::http::{Address, Answer, Connection};

use super::told::ServerTrace;

#[derive(Debug, Clone)]
pub struct Login {
    pub username: String,
    pub password: String,
}

/// The header line with which a client asks Octavo to report the costs of a call.
pub(super) const TRACE_HEADER: &str = "x-octavo-trace: 1\r\n";

/// An answer, and the time from sending the call to the last byte of it.
pub struct TimedAnswer {
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
    request_bytes: Vec<u8>,
}

impl Session {
    pub fn new(address: &Rc<Address>, tenant: &str, login: Option<Login>) -> Session {
        let mut session = Session {
            connection: Connection::new(address),
            address: Rc::clone(address),
            tenant: tenant.to_owned(),
            login,
            headers: String::new(),
            request_bytes: Vec::with_capacity(2048),
        };
        session.set_headers(None);
        session
    }

    /// A session with a given token, without a log-in.
    pub fn with_token(address: &Rc<Address>, tenant: &str, token: &str) -> Session {
        let mut session = Session::new(address, tenant, None);
        session.set_headers(Some(token));
        session
    }

    /// A session of the same user over another connection.
    pub fn with_new_connection(&self) -> Session {
        self.at_address(&self.address)
    }

    /// A session of the same user at another address of the server.
    pub fn at_address(&self, address: &Rc<Address>) -> Session {
        let mut other = Session::new(address, &self.tenant, self.login.clone());
        other.headers.clone_from(&self.headers);
        other
    }

    /// Connects now, so that the first call need not wait for it.
    pub async fn connect(&mut self) -> Result<()> {
        self.connection.ensure_connected().await
    }

    pub(crate) fn url(&self) -> &str {
        &self.address.url
    }

    pub(super) fn can_log_in(&self) -> bool {
        self.login.is_some()
    }

    fn set_headers(&mut self, token: Option<&str>) {
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
        self.set_headers(None);
        let body = json!({"username": login.username, "password": login.password}).to_string();
        let mut answer = self.send("POST", "/authn/login", "", Some(&body)).await?;
        if matches!(answer.status, 404 | 410 | 501) {
            answer = self.send("POST", "/authn/login-with-expiry", "", Some(&body)).await?;
        }
        let token = answer.header("x-okapi-token").or_else(|| answer.cookie("folioAccessToken"));
        match token.map(str::to_owned) {
            Some(token) if answer.status == 201 => {
                self.set_headers(Some(&token));
                Ok(())
            }
            _ => bail!("{} could not log in at {}: {}", login.username, self.address.url, answer.summary()),
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
        self.write_request(method, target, headers, body);
        self.connection.exchange(&self.request_bytes).await
    }

    /// Sends a file in the body of a POST request; fails unless the answer has this status.
    pub async fn upload(&mut self, target: &str, file: &[u8], status: u16) -> Result<Answer> {
        self.write_request("POST", target, "", Some(("application/octet-stream", file)));
        let answer = self.connection.exchange(&self.request_bytes).await?;
        ensure!(answer.status == status, "POST {target}: expected {status}, got {}", answer.summary());
        Ok(answer)
    }

    /// Sends a request and measures its time. Fails unless the answer has the given status. An empty `body` means no body.
    pub async fn ask(&mut self, method: &str, target: &str, body: &str, status: u16) -> Result<TimedAnswer> {
        self.send_timed(method, target, "", body, status).await
    }

    /// Sends a request like `ask`, and returns the costs that the server reports for it.
    pub async fn ask_traced(
        &mut self,
        method: &str,
        target: &str,
        body: &str,
        status: u16,
    ) -> Result<(TimedAnswer, ServerTrace)> {
        let timed = self.send_timed(method, target, TRACE_HEADER, body, status).await?;
        let told = timed.answer.header("x-octavo-trace").and_then(ServerTrace::parse);
        Ok((timed, told.with_context(|| format!("{method} {target}: the server tells no trace"))?))
    }

    async fn send_timed(
        &mut self,
        method: &str,
        target: &str,
        headers: &str,
        body: &str,
        status: u16,
    ) -> Result<TimedAnswer> {
        let told = || format!("{method} {target} {body}");
        // A connection is kept; what it takes to open one is not part of an answer's time.
        self.connection.ensure_connected().await?;
        let began = clock::now();
        let answer = self.send(method, target, headers, Some(body).filter(|body| !body.is_empty())).await;
        let time = began.elapsed();
        let answer = answer.with_context(told)?;
        ensure!(answer.status == status, "{}: expected {status}, got {}", told(), answer.summary());
        Ok(TimedAnswer { answer, time })
    }

    /// Writes the bytes of a request. `body` is a pair of media type and content.
    fn write_request(&mut self, method: &str, target: &str, headers: &str, body: Option<(&str, &[u8])>) {
        self.request_bytes.clear();
        let address = &self.address;
        for part in [method, " ", &address.prefix, target, " HTTP/1.1\r\nHost: ", address.authority(), "\r\n"]
        {
            self.request_bytes.extend_from_slice(part.as_bytes());
        }
        for part in [&self.headers, "Accept: application/json, text/plain\r\n", headers] {
            self.request_bytes.extend_from_slice(part.as_bytes());
        }
        if let Some((kind, body)) = body {
            let length = body.len();
            let lines = format!("Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n");
            self.request_bytes.extend_from_slice(lines.as_bytes());
            self.request_bytes.extend_from_slice(body);
        } else if method == "POST" || method == "PUT" {
            self.request_bytes.extend_from_slice(b"Content-Length: 0\r\n\r\n");
        } else {
            self.request_bytes.extend_from_slice(b"\r\n");
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
            bail!("POST {target}: {}", answer.summary());
        }
        Ok(())
    }

    /// The version that the server reports; empty without the permission to ask.
    pub(crate) async fn version(&mut self) -> String {
        let Some(okapi) = self.fetch_text("/_/version").await else {
            return "a server that does not tell its version".to_owned();
        };
        let okapi = format!("Okapi {}", okapi.trim());
        // Octavo answers there as Okapi would; what it is stands in its metrics, for those who may read them.
        match self.fetch_text("/metrics").await.as_deref().and_then(octavo_version) {
            Some(version) => format!("Octavo {version}, in place of {okapi}"),
            None => okapi,
        }
    }

    /// The text of a page; none if the server has no such page, or not for this user.
    async fn fetch_text(&mut self, target: &str) -> Option<String> {
        let answer = self.send("GET", target, "", None).await.ok().filter(|answer| answer.status == 200)?;
        Some(String::from_utf8_lossy(&answer.body).into_owned())
    }

    /// The number of requests that the server has answered since its start, if the server reports it (`octavo_requests_total`).
    pub(crate) async fn count_answered_requests(&mut self) -> Option<f64> {
        let told = self.fetch_text("/metrics").await?;
        let counts = told.lines().filter(|line| line.starts_with("octavo_requests_total{"));
        let counts: Vec<f64> = counts.filter_map(|line| line.rsplit(' ').next()?.parse().ok()).collect();
        (!counts.is_empty()).then(|| counts.iter().sum())
    }

    /// When the server process was started, in seconds since 1970, if the server reports it (`process_start_time_seconds`).
    pub(crate) async fn server_started(&mut self) -> Option<f64> {
        let told = self.fetch_text("/metrics").await?;
        told.lines().find_map(|line| line.strip_prefix("process_start_time_seconds ")?.trim().parse().ok())
    }

    /// Reads a JSON document. If the token has expired, logs in again and repeats the request.
    pub(crate) async fn get(&mut self, target: &str) -> Result<Value> {
        let mut answer = self.send("GET", target, "", None).await?;
        if answer.status == 401 && self.can_log_in() {
            self.log_in().await?;
            answer = self.send("GET", target, "", None).await?;
        }
        if answer.status != 200 {
            bail!("GET {target}: {}", answer.summary());
        }
        answer.json()
    }
}

/// `octavo_build_info{version="0.1.0"} 1`
fn octavo_version(metrics: &str) -> Option<&str> {
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
        session.write_request("POST", "/x", "", Some(("application/json", b"{}")));
        let expected = "POST /x HTTP/1.1\r\nHost: localhost\r\nX-Okapi-Tenant: t\r\n\
                        Accept: application/json, text/plain\r\n\
                        Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
        assert_eq!(String::from_utf8(session.request_bytes.clone()).unwrap(), expected);
    }

    #[test]
    fn octavo_is_told_from_its_metrics() {
        assert_eq!(octavo_version("# TYPE a gauge\noctavo_build_info{version=\"0.1.0\"} 1\n"), Some("0.1.0"));
        assert_eq!(octavo_version("up 1\n"), None);
    }
}
