//! Forwards one request to a module outside of this process, and takes its answer.

use hyper::Request;
use hyper::body::Bytes;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use octavo_engine::{Platform, Tenant};
use octavo_kernel::{Caller, Fault, Outcome};
use octavo_modules_base::module_tokens::{OnBehalf, create_module_token};
use octavo_modules_base::outside::{remote_client, request_id};
use octavo_remote::{Address, Answer, Body, Failure, Progress};

use super::ModuleRoute;
use super::headers::{request_headers, response_headers};

/// What all modules and filters that get one request are sent: the request, its tenant, its caller.
pub(crate) struct Forwarding<'a> {
    pub(crate) platform: &'a Platform,
    pub(crate) tenant: &'a Tenant,
    pub(crate) method: &'a hyper::Method,
    /// Path and query as the client sent them.
    pub(crate) target: String,
    /// The headers that go on; filters may change them.
    pub(crate) headers: HeaderMap,
    pub(crate) caller: &'a Caller,
    /// The generation of the caller's session: how often all sessions of the user had been ended before it began.
    pub(crate) generation: i64,
    pub(crate) client: String,
    pub(crate) now: jiff::Timestamp,
    request_id: String,
}

/// An answer that came from outside.
pub(crate) struct ForwardedAnswer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: ForwardedBody,
}

pub(crate) enum ForwardedBody {
    /// Read from the module as the client takes it.
    Stream(Answer),
    Whole(Bytes),
}

impl ForwardedAnswer {
    /// How many bytes of it are in memory.
    pub(crate) fn bytes_in_memory(&self) -> usize {
        match &self.body {
            ForwardedBody::Stream(_) => 0,
            ForwardedBody::Whole(bytes) => bytes.len(),
        }
    }
}

/// The most characters of a client's request id.
const MAX_ID_CHARS: usize = 500;

impl<'a> Forwarding<'a> {
    pub(crate) fn new(
        (platform, tenant, caller): (&'a Platform, &'a Tenant, &'a Caller),
        head: &'a hyper::http::request::Parts,
        path: &str,
        (client, now, generation): (String, jiff::Timestamp, i64),
        own_id: &str,
    ) -> Forwarding<'a> {
        let text = |name: &str| head.headers.get(name).and_then(|value| value.to_str().ok());
        let before = text("x-okapi-request-id").filter(|id| id.len() <= MAX_ID_CHARS);
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
        let (method, headers) = (&head.method, request_headers(&head.headers));
        Forwarding { platform, tenant, method, target, headers, caller, generation, client, now, request_id }
    }

    /// Sends the request on, with a body that is sent as the module takes it. Returns the answer and the module's token.
    pub(crate) async fn send(
        &self,
        taker: &ModuleRoute,
        body: Body,
        more: &[(&'static str, String)],
        progress: &Progress,
    ) -> Outcome<(Answer, String)> {
        let id = taker.module.id.as_str();
        let addresses = self.platform.discovery.addresses(id).await?;
        let urls: Vec<&str> = addresses.in_turn().collect();
        if urls.is_empty() {
            return Err(Fault::not_found_with(format!("No running module instance found for {id}")));
        }
        let read = urls.iter().map(|url| Address::parse(url)).collect::<Result<Vec<_>, _>>();
        let failed = |status: u16, cause: &str| {
            tracing::warn!(module = id, cause, "a module outside of this process did not answer");
            Fault::text(status, format!("proxyClient failure: {id}: {cause}"))
        };
        let read = read.map_err(|cause| failed(502, &cause))?;
        let own = self.token(taker).await?;
        let request = self.request(taker, &own, body, more)?;
        let time = self.platform.settings.module_timeout;
        match remote_client(self.platform).send(&read, request, time, progress).await {
            Ok((answer, _)) => Ok((answer, own)),
            Err(Failure::TimedOut) => Err(failed(504, &Failure::TimedOut.to_string())),
            Err(failure) => Err(failed(502, &failure.to_string())),
        }
    }

    /// The answer of a module in the form that the client gets.
    pub(crate) fn answer_for_client(answer: Answer, token: &str) -> ForwardedAnswer {
        let headers = response_headers(&answer.headers, token);
        ForwardedAnswer { status: answer.status, headers, body: ForwardedBody::Stream(answer) }
    }

    async fn token(&self, taker: &ModuleRoute) -> Outcome<String> {
        let whose = OnBehalf {
            tenant: &self.tenant.id,
            caller: Some(self.caller),
            generation: self.generation,
            now: self.now.as_second(),
        };
        create_module_token(self.platform, &taker.module.id, taker.entry.module_permissions(), whose).await
    }

    fn request(
        &self,
        taker: &ModuleRoute,
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

    /// The permissions that the caller has of those that the module requires or desires, as a JSON array.
    fn permissions(&self, taker: &ModuleRoute) -> String {
        let held = &self.caller.permissions;
        let mut told: Vec<&str> = Vec::new();
        for wanted in taker.entry.required_permissions().iter().chain(taker.entry.desired_permissions()) {
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
