//! Requests to FOLIO: with a token, which is fetched again when it has expired, and repeated when the connection fails.

use std::pin::Pin;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use hyper::Request;
use hyper::body::Body as _;
use octavo_remote::{Address, Answer, Body, FullAnswer, Progress, RemoteClient, full_body};
use serde_json::{Value, json};

pub(super) struct Client {
    remote: RemoteClient,
    address: Address,
    tenant: String,
    token: Option<String>,
    login: Option<Login>,
    /// The module id of the tenant's mod-users, which requests for custom fields must name.
    users_module_id: Option<String>,
}

#[derive(Debug, Clone)]
pub(super) struct Login {
    pub(super) username: String,
    pub(super) password: String,
}

/// How long the server may take to begin an answer, and to send each piece of it.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(300);
/// The most bytes of an answer that is read into memory as a whole.
const LONGEST_ANSWER_BYTES: usize = 256 << 20;
/// Pauses between tries when there is no answer.
const RETRY_PAUSES_SECONDS: [u64; 5] = [1, 2, 5, 15, 30];

impl Client {
    /// Logs in, unless there is a token.
    pub(super) async fn open(
        url: &str,
        tenant: &str,
        token: Option<String>,
        login: Option<Login>,
    ) -> Result<Client> {
        let address = Address::parse(url).map_err(|why| anyhow!(why))?;
        let mut client = Client {
            remote: RemoteClient::default(),
            address,
            tenant: tenant.to_owned(),
            token,
            login,
            users_module_id: None,
        };
        if client.token.is_none() && client.login.is_some() {
            client.log_in().await?;
        }
        let (status, body) = client.get(&format!("/_/proxy/tenants/{tenant}/modules")).await?;
        if status == 200 {
            let ids = body.as_array().into_iter().flatten().filter_map(|module| module["id"].as_str());
            let of_users = |id: &&str| {
                id.strip_prefix("mod-users-").is_some_and(|v| v.starts_with(|c: char| c.is_ascii_digit()))
            };
            client.users_module_id = ids.into_iter().find(of_users).map(str::to_owned);
        }
        Ok(client)
    }

    async fn log_in(&mut self) -> Result<()> {
        let Some(Login { username, password }) = self.login.clone() else {
            bail!("the token is not accepted")
        };
        let body = json!({"username": username, "password": password}).to_string();
        self.token = None;
        for path in ["/authn/login-with-expiry", "/authn/login"] {
            let answered = self
                .send("POST", path, &body)
                .await?
                .read_to_end(LONGEST_ANSWER_BYTES)
                .await
                .map_err(failure_to_error)?;
            match answered.status {
                201 => {
                    self.token = token_of_log_in(&answered);
                    return if self.token.is_some() {
                        Ok(())
                    } else {
                        Err(anyhow!("the log-in gives no token"))
                    };
                }
                404 => {}
                status => bail!(
                    "{username} is not let in: {status} {}",
                    String::from_utf8_lossy(&answered.body).chars().take(300).collect::<String>()
                ),
            }
        }
        bail!("the server has no log-in")
    }

    /// The status and the body: JSON, or the text that it is.
    pub(super) async fn get(&mut self, path: &str) -> Result<(u16, Value)> {
        let mut pauses = RETRY_PAUSES_SECONDS.iter();
        loop {
            let answered = match self.get_answer(path).await {
                Ok(answer) => answer.read_to_end(LONGEST_ANSWER_BYTES).await.map_err(failure_to_error),
                Err(error) => Err(error),
            };
            match (answered, pauses.next()) {
                (Ok(answered), pause) => {
                    if let (429 | 502..=504, Some(pause)) = (answered.status, pause) {
                        tokio::time::sleep(Duration::from_secs(*pause)).await;
                        continue;
                    }
                    return Ok((answered.status, parse_body(&answered.body)));
                }
                (Err(_), Some(pause)) => tokio::time::sleep(Duration::from_secs(*pause)).await,
                (Err(error), None) => return Err(error.context(format!("GET {path}"))),
            }
        }
    }

    /// The lines of an answer; if its status is not 200, its status and body.
    pub(super) async fn get_lines(&mut self, path: &str) -> Result<Result<Lines, (u16, Value)>> {
        let answer = self.get_answer(path).await?;
        if answer.status == 200 {
            return Ok(Ok(Lines { answer, bytes: Vec::new(), ended: false }));
        }
        let answered = answer.read_to_end(LONGEST_ANSWER_BYTES).await.map_err(failure_to_error)?;
        Ok(Err((answered.status, parse_body(&answered.body))))
    }

    async fn get_answer(&mut self, path: &str) -> Result<Answer> {
        let answer = self.send("GET", path, "").await?;
        if answer.status != 401 || self.login.is_none() {
            return Ok(answer);
        }
        self.log_in().await?;
        self.send("GET", path, "").await
    }

    async fn send(&self, method: &str, path: &str, body: &str) -> Result<Answer> {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header("x-okapi-tenant", &self.tenant)
            .header("accept", "*/*")
            .header("content-type", "application/json");
        if let Some(token) = &self.token {
            request = request.header("x-okapi-token", token);
        }
        if let Some(users) = self.users_module_id.as_ref().filter(|_| path.starts_with("/custom-fields")) {
            request = request.header("x-okapi-module-id", users);
        }
        let request: Request<Body> = request.body(full_body(body.to_owned()))?;
        let progress = Progress::default();
        let sent = self.remote.send(std::slice::from_ref(&self.address), request, ANSWER_TIMEOUT, &progress);
        Ok(sent.await.map_err(failure_to_error)?.0)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "what `map_err` hands over")]
fn failure_to_error(failure: octavo_remote::Failure) -> anyhow::Error {
    anyhow!("{failure}")
}

fn parse_body(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap_or_else(|_| Value::String(String::from_utf8_lossy(body).into_owned()))
}

/// The token of a log-in: a cookie, or the header of the older call.
fn token_of_log_in(answered: &FullAnswer) -> Option<String> {
    let cookies = answered.headers.get_all("set-cookie").iter().filter_map(|cookie| cookie.to_str().ok());
    let cookie = cookies.filter_map(|cookie| cookie.strip_prefix("folioAccessToken=")).next();
    let header = || answered.headers.get("x-okapi-token").and_then(|token| token.to_str().ok());
    cookie.and_then(|cookie| cookie.split(';').next()).or_else(header).map(str::to_owned)
}

/// A stream of JSON documents, a line each.
pub(super) struct Lines {
    answer: Answer,
    bytes: Vec<u8>,
    ended: bool,
}

impl Lines {
    pub(super) async fn next(&mut self) -> Result<Option<Value>> {
        loop {
            if let Some(end) = self.bytes.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.bytes.drain(..=end).collect();
                if line.iter().all(u8::is_ascii_whitespace) {
                    continue;
                }
                return Ok(Some(serde_json::from_slice(&line)?));
            }
            if self.ended {
                let line = std::mem::take(&mut self.bytes);
                let blank = line.iter().all(u8::is_ascii_whitespace);
                return if blank { Ok(None) } else { Ok(Some(serde_json::from_slice(&line)?)) };
            }
            let answer = &mut self.answer;
            match std::future::poll_fn(|context| Pin::new(&mut *answer).poll_frame(context)).await {
                None => self.ended = true,
                Some(Err(cause)) => bail!("the stream broke off: {cause}"),
                Some(Ok(frame)) => {
                    if let Some(piece) = frame.data_ref() {
                        if self.bytes.len() + piece.len() > LONGEST_ANSWER_BYTES {
                            bail!("a line of the stream is too long");
                        }
                        self.bytes.extend_from_slice(piece);
                    }
                }
            }
        }
    }
}
