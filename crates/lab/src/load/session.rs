//! Who speaks to the server: tenant, user, token. Logs in as FOLIO's clients do, with the older call or, where a server has
//! that no more, with the one whose tokens expire; and again when a token has expired.

use std::rc::Rc;

use anyhow::{Result, bail};
use serde_json::{Value, json};

use crate::http::{Address, Answer, Connection};

#[derive(Debug, Clone)]
pub(crate) struct Login {
    pub(crate) username: String,
    pub(crate) password: String,
}

pub(crate) struct Session {
    pub(super) connection: Connection,
    address: Rc<Address>,
    tenant: String,
    login: Option<Login>,
    /// Header lines of every request.
    headers: String,
    bytes: Vec<u8>,
}

impl Session {
    pub(crate) fn new(address: &Rc<Address>, tenant: &str, login: Option<Login>) -> Session {
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

    pub(crate) fn url(&self) -> &str {
        &self.address.url
    }

    pub(super) fn can_log_in(&self) -> bool {
        self.login.is_some()
    }

    fn keep(&mut self, token: Option<&str>) {
        let tenant = &self.tenant;
        self.headers = match (tenant.as_str(), token) {
            ("", _) => String::new(),
            (_, None) => format!("X-Okapi-Tenant: {tenant}\r\n"),
            (_, Some(token)) => format!("X-Okapi-Tenant: {tenant}\r\nX-Okapi-Token: {token}\r\n"),
        };
    }

    pub(crate) async fn log_in(&mut self) -> Result<()> {
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
            _ => bail!("{} could not log in at {}: {}", login.username, self.address.url, answer.told()),
        }
    }

    pub(super) async fn send(
        &mut self,
        method: &str,
        target: &str,
        headers: &str,
        body: Option<&str>,
    ) -> Result<Answer> {
        self.bytes.clear();
        let address = &self.address;
        for part in [method, " ", &address.prefix, target, " HTTP/1.1\r\nHost: ", address.authority(), "\r\n"]
        {
            self.bytes.extend_from_slice(part.as_bytes());
        }
        for part in [&self.headers, "Accept: application/json, text/plain\r\n", headers] {
            self.bytes.extend_from_slice(part.as_bytes());
        }
        if let Some(body) = body {
            let length = body.len();
            let lines = format!("Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n");
            self.bytes.extend_from_slice(lines.as_bytes());
            self.bytes.extend_from_slice(body.as_bytes());
        } else if method == "POST" || method == "PUT" {
            self.bytes.extend_from_slice(b"Content-Length: 0\r\n\r\n");
        } else {
            self.bytes.extend_from_slice(b"\r\n");
        }
        self.connection.exchange(&self.bytes).await
    }

    /// As a browser asks before a call to another origin.
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
            bail!("POST {target}: {}", answer.told());
        }
        Ok(())
    }

    /// What the server says it is; whoever may not ask learns nothing.
    pub(crate) async fn version(&mut self) -> String {
        let okapi = match self.send("GET", "/_/version", "", None).await {
            Ok(answer) if answer.status == 200 => {
                format!("Okapi {}", String::from_utf8_lossy(&answer.body).trim())
            }
            _ => return "a server that does not tell its version".to_owned(),
        };
        // Octavo answers there as Okapi would; what it is stands in its metrics, for those who may read them.
        match self.send("GET", "/metrics", "", None).await {
            Ok(answer) if answer.status == 200 => {
                let metrics = String::from_utf8_lossy(&answer.body);
                match built(&metrics) {
                    Some(version) => format!("Octavo {version}, in place of {okapi}"),
                    None => okapi,
                }
            }
            _ => okapi,
        }
    }

    /// How many requests the server has answered so far, where it tells that (`octavo_requests_total`).
    pub(crate) async fn answered(&mut self) -> Option<f64> {
        let answer = self.send("GET", "/metrics", "", None).await.ok()?;
        if answer.status != 200 {
            return None;
        }
        let told = String::from_utf8_lossy(&answer.body);
        let counts = told.lines().filter(|line| line.starts_with("octavo_requests_total{"));
        let counts: Vec<f64> = counts.filter_map(|line| line.rsplit(' ').next()?.parse().ok()).collect();
        (!counts.is_empty()).then(|| counts.iter().sum())
    }

    /// A document; with a fresh token if the old one has expired.
    pub(crate) async fn get(&mut self, target: &str) -> Result<Value> {
        let mut answer = self.send("GET", target, "", None).await?;
        if answer.status == 401 && self.can_log_in() {
            self.log_in().await?;
            answer = self.send("GET", target, "", None).await?;
        }
        if answer.status != 200 {
            bail!("GET {target}: {}", answer.told());
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

    #[test]
    fn octavo_is_told_from_its_metrics() {
        assert_eq!(built("# TYPE a gauge\noctavo_build_info{version=\"0.1.0\"} 1\n"), Some("0.1.0"));
        assert_eq!(built("up 1\n"), None);
    }
}
