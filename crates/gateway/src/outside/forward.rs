//! One request on its way to a module outside of this process, and what comes back.

use hyper::Request;
use hyper::body::Bytes;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use octavo_engine::{Platform, Tenant};
use octavo_kernel::{Caller, Fault, Outcome};
use octavo_modules_base::module_tokens::{OnBehalf, token};
use octavo_modules_base::outside::{remote, request_id};
use octavo_remote::{Address, Answer, Body, Failure, Progress};

use super::Taker;
use super::headers::{back, onward};

/// What all modules and filters that one request passes are told.
pub(crate) struct Passage<'a> {
    pub(crate) platform: &'a Platform,
    pub(crate) tenant: &'a Tenant,
    pub(crate) method: &'a hyper::Method,
    /// Path and query as the client sent them.
    pub(crate) target: String,
    /// The headers that go on; filters may change them.
    pub(crate) headers: HeaderMap,
    pub(crate) caller: &'a Caller,
    /// How often all of the caller's sessions had been ended when theirs began.
    pub(crate) generation: i64,
    pub(crate) client: String,
    pub(crate) now: jiff::Timestamp,
    request_id: String,
}

/// An answer that came from outside.
pub(crate) struct Passed {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: PassedBody,
}

pub(crate) enum PassedBody {
    /// It comes as the client takes it.
    Stream(Answer),
    Whole(Bytes),
}

impl Passed {
    /// How many bytes of it are in memory.
    pub(crate) fn held(&self) -> usize {
        match &self.body {
            PassedBody::Stream(_) => 0,
            PassedBody::Whole(bytes) => bytes.len(),
        }
    }
}

/// The most characters of a client's request id.
const MOST_SIGNS: usize = 500;

impl<'a> Passage<'a> {
    pub(crate) fn new(
        (platform, tenant, caller): (&'a Platform, &'a Tenant, &'a Caller),
        head: &'a hyper::http::request::Parts,
        path: &str,
        (client, now, generation): (String, jiff::Timestamp, i64),
        own_id: &str,
    ) -> Passage<'a> {
        let text = |name: &str| head.headers.get(name).and_then(|value| value.to_str().ok());
        let before = text("x-okapi-request-id").filter(|id| id.len() <= MOST_SIGNS);
        let target = match head.uri.query() {
            Some(query) => format!("{path}?{query}"),
            None => path.to_owned(),
        };
        let segment = path.trim_start_matches(['/', '_']).split('/').next().unwrap_or_default();
        // Without a client's id, the one under which this server's log has the request.
        let request_id = match before {
            Some(before) => request_id(platform, Some(before), segment),
            None => own_id.to_owned(),
        };
        let (method, headers) = (&head.method, onward(&head.headers));
        Passage { platform, tenant, method, target, headers, caller, generation, client, now, request_id }
    }

    /// Sends the request on, with a body that is sent as the module takes it. Returns the answer and the module's token.
    pub(crate) async fn send(
        &self,
        taker: &Taker,
        body: Body,
        more: &[(&'static str, String)],
        progress: &Progress,
    ) -> Outcome<(Answer, String)> {
        let id = taker.module.id.as_str();
        let addresses = self.platform.discovery.addresses(id).await?;
        let urls: Vec<&str> = addresses.in_turn().collect();
        if urls.is_empty() {
            return Err(Fault::missing(format!("No running module instance found for {id}")));
        }
        let read = urls.iter().map(|url| Address::read(url)).collect::<Result<Vec<_>, _>>();
        let failed = |status: u16, cause: &str| {
            tracing::warn!(module = id, cause, "a module outside of this process did not answer");
            Fault::text(status, format!("proxyClient failure: {id}: {cause}"))
        };
        let read = read.map_err(|cause| failed(502, &cause))?;
        let own = self.token(taker).await?;
        let request = self.request(taker, &own, body, more)?;
        let time = self.platform.settings.module_time;
        match remote(self.platform).send(&read, request, time, progress).await {
            Ok((answer, _)) => Ok((answer, own)),
            Err(Failure::Late) => Err(failed(504, &Failure::Late.to_string())),
            Err(failure) => Err(failed(502, &failure.to_string())),
        }
    }

    /// What the client gets of a module's answer.
    pub(crate) fn passed(answer: Answer, token: &str) -> Passed {
        let headers = back(&answer.headers, token);
        Passed { status: answer.status, headers, body: PassedBody::Stream(answer) }
    }

    async fn token(&self, taker: &Taker) -> Outcome<String> {
        let whose = OnBehalf {
            tenant: &self.tenant.id,
            caller: Some(self.caller),
            generation: self.generation,
            now: self.now.as_second(),
        };
        token(self.platform, &taker.module.id, taker.entry.of_module(), whose).await
    }

    fn request(
        &self,
        taker: &Taker,
        own: &str,
        body: Body,
        more: &[(&'static str, String)],
    ) -> Outcome<Request<Body>> {
        let mut request = Request::builder()
            .method(self.method)
            .uri(self.target.as_str())
            .body(body)
            .map_err(|error| Fault::bad_request(error.to_string()))?;
        *request.headers_mut() = self.headers.clone();
        let mut set = |name: &'static str, value: &str| {
            if let Ok(value) = HeaderValue::from_str(value) {
                request.headers_mut().insert(HeaderName::from_static(name), value);
            }
        };
        set("x-okapi-url", &self.platform.settings.url);
        set("x-okapi-tenant", self.tenant.id.as_str());
        set("x-okapi-token", own);
        set("x-okapi-request-id", &self.request_id);
        set("x-okapi-request-ip", &self.client);
        set("x-okapi-request-timestamp", &self.now.as_millisecond().to_string());
        set("x-okapi-request-method", self.method.as_str());
        set("x-okapi-permissions", &self.permissions(taker));
        if let Some(user) = self.caller.user_id {
            set("x-okapi-user-id", &user.to_string());
        }
        if let Some(pattern) = &taker.entry.path_pattern {
            set("x-okapi-match-path-pattern", pattern);
        }
        for (name, value) in more {
            set(name, value);
        }
        Ok(request)
    }

    /// What the caller has of the permissions that the module asks for, or would like to know of, as a JSON array.
    fn permissions(&self, taker: &Taker) -> String {
        let held = &self.caller.permissions;
        let mut told: Vec<&str> = Vec::new();
        for wanted in taker.entry.required().iter().chain(taker.entry.desired()) {
            match wanted.strip_suffix('*') {
                Some(start) => {
                    told.extend(
                        held.granted().iter().map(String::as_str).filter(|name| name.starts_with(start)),
                    );
                }
                None if held.has(wanted) => told.push(wanted),
                None => {}
            }
        }
        told.sort_unstable();
        told.dedup();
        serde_json::to_string(&told).unwrap_or_default()
    }
}
