//! The listener and the way of one request through it.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, OnceLock, RwLock};
use std::time::Duration;

use hyper::body::{Bytes, Incoming};
use hyper::header::{HeaderMap, HeaderValue};
use hyper::http::request::Parts;
use hyper::server::conn::http1::Builder;
use hyper_util::rt::TokioTimer;
use hyper_util::server::graceful::GracefulShutdown;
use octavo_engine::places::Places;
use octavo_engine::{Method, Notation, Platform, Response, Tenant};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::facts::FACTS;
use octavo_pg::{Usage, is_unknown};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tracing::Instrument;

use crate::arriving::Arriving;
use crate::budget::{Budget, Share};
use crate::clients::{Client, Network};
use crate::connections::Connections;
use crate::counting::{Counting, Done, Numbers, name_request};
use crate::entrance::{Answers, Entrance, One};
use crate::headers::{Stated, text};
use crate::health::Health;
use crate::limits::Limits;
use crate::line::Line;
use crate::made::{Made, passed_reply};
use crate::metrics::{self, Timed, Waiting, now};
use crate::outgoing::Outgoing;
use crate::routes::{Entry, Found, RouteTable, no_module};
use crate::traces::Traces;
use crate::{desk, edge, health, openapi, origins, outside, spelling};

/// A server that is ready to listen. Cheap to clone.
#[derive(Clone)]
pub struct Server {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) platform: Platform,
    pub(crate) shared: Shared,
    openapi: OnceLock<Bytes>,
    pub(crate) limits: Limits,
    pub(crate) waiting: Arc<Waiting>,
    pub(crate) health: Health,
    pub(crate) traces: Traces,
    numbers: Numbers,
    /// A stop was asked for: the health check says so, and each answer is the last of its connection.
    is_draining: AtomicBool,
}

/// What the servers of several databases have in common.
#[derive(Clone)]
pub(crate) struct Shared {
    /// Lives as long as the process: entries are handed to tasks of their own.
    pub(crate) routes: &'static RouteTable,
    pub(crate) clock: fn() -> jiff::Timestamp,
    pub(crate) budget: Arc<Budget>,
    /// For the large bodies that are worked on: one after the other, since what is made of one takes several times its room.
    pub(crate) large: Arc<Semaphore>,
    /// The servers of all databases, if there are several.
    pub(crate) elsewhere: Option<Arc<Elsewhere>>,
}

/// The servers of several databases.
pub(crate) struct Elsewhere {
    pub(crate) places: Arc<Places>,
    /// Of the databases that are ready, by name.
    pub(crate) servers: RwLock<HashMap<String, Server>>,
}

/// A request on its way, of which tenant and caller are told.
pub(crate) struct Coming<'a, 'c> {
    pub(crate) stated: Stated,
    /// Without the part that names the tenant.
    pub(crate) path: &'a str,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) tenant: Arc<Tenant>,
    pub(crate) client: Client,
    pub(crate) usage: Arc<Usage>,
    pub(crate) now: jiff::Timestamp,
    pub(crate) counting: &'a mut Counting<'c>,
}

/// The name under which requests are counted that no module answers.
const NONE: &str = "none";
/// The name for requests that modules outside of this process answer.
const OUTSIDE: &str = "outside";

impl Answers for Server {
    fn limits(&self) -> &Limits {
        &self.inner.limits
    }

    async fn handle(
        self,
        request: hyper::Request<Incoming>,
        (peer, is_encrypted): (SocketAddr, bool),
        line: Arc<Line>,
    ) -> Result<hyper::Response<Outgoing>, Infallible> {
        let limits = &self.inner.limits;
        let (method, uri) = (request.method().clone(), request.uri().clone());
        let described =
            || described(&method, edge::without_key(edge::edges(&self.inner.platform), uri.path()));
        let admitted =
            Client::behind(peer.ip(), is_encrypted, request.headers(), &limits.doors.trusted_proxies)
                .and_then(|client| Ok((client, origins::admit(&request, &client, &limits.doors)?)));
        let (client, origin) = match admitted {
            Ok(admitted) => admitted,
            Err(fault) => {
                let (head, body) = request.into_parts();
                let mut arriving = Arriving::new(body, &head.headers, Arc::clone(&line), limits);
                return Ok(ended(reply(of_fault(&fault, described), None, &line), &mut arriving, &line).await);
            }
        };
        if let Some(mut reply) = self.page(&request, &client).await {
            self.part(&mut reply);
            origins::allow(origin.as_ref(), reply.headers_mut());
            return Ok(reply);
        }
        let started = now();
        if origins::is_preflight(&request) {
            let mut reply = hyper::Response::new(Outgoing::default());
            *reply.status_mut() = hyper::StatusCode::NO_CONTENT;
            let asked = request.headers().get("access-control-request-headers");
            origins::preflight(origin.as_ref(), asked, reply.headers_mut());
            return Ok(reply);
        }
        let traced = request.headers().get("x-octavo-trace").is_some();
        let mut counting = Counting::of(&self.inner.shared.routes.counts[NONE]);
        let (mut head, body) = request.into_parts();
        let request_id = self.inner.numbers.request_id(&head);
        counting.followed = self.inner.traces.follow(
            &mut head.headers,
            self.inner.platform.entropy.id,
            self.inner.shared.clock,
        );
        let usage = Arc::new(Usage::default());
        if counting.followed.is_some() {
            usage.follow();
        }
        let span = tracing::error_span!("request", id = request_id);
        usage.is_of(request_id);
        let mut arriving = Arriving::new(body, &head.headers, Arc::clone(&line), limits);
        let (answered, mut work) = {
            let respond = pin!(self.respond(head, &mut arriving, client, Arc::clone(&usage), &mut counting));
            Timed::new(pin!(respond.instrument(span.clone()))).await
        };
        let of_tenant = counting.asked.as_ref().map(|asked| &asked.tenant.id);
        let mut share = self.inner.shared.budget.share(client.address, of_tenant);
        let notation = counting.asked.as_ref().map_or(Notation::COMPACT, |asked| asked.entry.notation);
        // An answer for which the budget has no room is dropped at once, so that it takes no memory.
        let answered = answered.and_then(|made| match &made {
            Made::Here(response) => share.hold(response.body.len()).map(|()| made),
            Made::Passed(..) => Ok(made),
        });
        let faulty = |fault| Made::Here(notation.written(span.in_scope(|| of_fault(&fault, described))));
        let made = answered.unwrap_or_else(faulty);
        work += counting.work;
        let (status, time, busy) = (made.status(), started.elapsed(), work.time);
        span.in_scope(|| {
            tracing::debug!(request = described(), status, round_trips = usage.round_trips(), "answered");
        });
        self.settled(&counting, &Done { method: &method, status, started, time, busy, usage: &usage });
        let reply = match made {
            Made::Here(response) => reply(response, Some(share), &line),
            Made::Passed(passed, share) => passed_reply(*passed, share, &line),
        };
        let mut reply = ended(reply, &mut arriving, &line).await;
        self.part(&mut reply);
        name_request(status, usage.id(), reply.headers_mut());
        origins::allow(origin.as_ref(), reply.headers_mut());
        if traced {
            trace(reply.headers_mut(), &usage, work.allocations, started.elapsed());
        }
        Ok(reply)
    }
}

impl Server {
    pub fn new(platform: Platform, limits: Limits, clock: fn() -> jiff::Timestamp) -> Server {
        let mut routes = RouteTable::new(&FACTS, platform.modules);
        for name in edge::edges(&platform).map(|edge| edge.name).chain([NONE, OUTSIDE]) {
            routes.counts.entry(name).or_default();
        }
        let routes = Box::leak(Box::new(routes));
        let home = platform.home.as_ref();
        let shared = Shared {
            routes,
            clock,
            budget: Budget::new(limits.held_bytes),
            large: Arc::new(Semaphore::new(1)),
            elsewhere: home.map(|home| Arc::new(Elsewhere::new(Arc::clone(&home.places)))),
        };
        let traces = Traces::new(limits.traces_to.clone());
        Self::on(platform, shared, limits, traces)
    }

    /// A server on another database, whose tenants are found from now on. It listens nowhere, and runs timers and relay of its own.
    pub fn beside(&self, platform: Platform) -> Server {
        Self::on(platform, self.inner.shared.clone(), self.inner.limits.clone(), Traces::default())
    }

    fn on(platform: Platform, shared: Shared, limits: Limits, traces: Traces) -> Server {
        let home = platform.home.as_ref().map(|home| Arc::clone(&home.name));
        let numbers = Numbers::from((platform.entropy.id)().as_u64_pair().1);
        let server = Server {
            inner: Arc::new(Inner {
                platform,
                waiting: Arc::new(Waiting::new(limits.late)),
                limits,
                shared,
                openapi: OnceLock::new(),
                health: Health::default(),
                traces,
                numbers,
                is_draining: AtomicBool::new(false),
            }),
        };
        server.offer_routes();
        if let (Some(elsewhere), Some(name)) = (&server.inner.shared.elsewhere, home) {
            elsewhere.join(&name, server.clone());
        }
        server
    }

    /// The interface as an OpenAPI page, written when somebody first asks.
    fn described(&self) -> Bytes {
        let page = || Bytes::from(openapi::page(self.inner.shared.routes).to_string());
        self.inner.openapi.get_or_init(page).clone()
    }

    /// Serves until `stop` is ready, then lets the requests in flight finish.
    pub async fn run(self, listener: TcpListener, entrance: Entrance, stop: impl Future<Output = ()>) {
        spelling::learn().await;
        let graceful = GracefulShutdown::new();
        let mut http = Builder::new();
        // The limits of time are ours: see `patience`.
        http.timer(TokioTimer::new()).header_read_timeout(None).half_close(true).title_case_headers(true);
        http.max_header_size(HEAD_BYTES).max_buf_size(BUFFER_BYTES);
        let limits = &self.inner.limits;
        let connections = Connections::new(limits.connections, limits.connections_each);
        let stop = async {
            stop.await;
            self.inner.is_draining.store(true, Relaxed);
            tokio::time::sleep(limits.drain_time).await;
        };
        tokio::pin!(stop);
        loop {
            let (stream, peer) = tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok(accepted) => accepted,
                    Err(error) => {
                        // Out of file handles, most likely: others must go or finish first.
                        if !connections.let_go() {
                            tracing::warn!(%error, "a connection was not accepted");
                        }
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                },
                () = &mut stop => {
                    self.inner.platform.event_bell.end();
                    for other in self.inner.shared.elsewhere.iter().flat_map(|elsewhere| elsewhere.servers()) {
                        other.inner.platform.event_bell.end();
                    }
                    break;
                }
            };
            let line = Arc::<Line>::default();
            let is_one_client = !Network::any_holds(&limits.doors.trusted_proxies, peer.ip().to_canonical());
            let Some(place) = connections.enter(peer.ip(), is_one_client, &line) else {
                tracing::debug!("a connection was refused: there are too many");
                if !matches!(entrance, Entrance::Encrypted(_)) {
                    // Writes what the socket takes at once, without waiting for the client.
                    let _ = stream.try_write(TOO_MANY);
                }
                continue;
            };
            let _ = stream.set_nodelay(true);
            let number = place.number;
            let one =
                One { server: self.clone(), http: http.clone(), peer, line, watcher: graceful.watcher() };
            let entrance = entrance.clone();
            let task = tokio::spawn(async move {
                one.come_in(stream, entrance).await;
                drop(place);
            });
            connections.serve(number, task.abort_handle());
        }
        drop(listener);
        tokio::select! {
            () = graceful.shutdown() => {}
            () = tokio::time::sleep(self.inner.limits.stop_time) => {
                tracing::warn!("some requests did not finish in time and were cut off");
            }
        }
    }

    /// Says `Connection: close` once this server is to stop, so that the client connects anew, to another one.
    fn part(&self, reply: &mut hyper::Response<Outgoing>) {
        if self.inner.is_draining.load(Relaxed) {
            reply.headers_mut().insert("connection", HeaderValue::from_static("close"));
        }
    }

    /// The pages that are not part of FOLIO's interface: the desk, the OpenAPI page, health checks, metrics.
    async fn page(
        &self,
        request: &hyper::Request<Incoming>,
        client: &Client,
    ) -> Option<hyper::Response<Outgoing>> {
        let Inner { platform, shared: Shared { routes, .. }, limits, .. } = &*self.inner;
        if let Some(reply) = desk::answer(request).or_else(|| openapi::answer(request, || self.described())) {
            return Some(reply);
        }
        if let Some(probe) = health::Probe::asked_by(request) {
            let databases = if probe == health::Probe::Live { None } else { self.databases().await };
            let (is_draining, asked) = (self.inner.is_draining.load(Relaxed), (probe, databases));
            let about = (platform, self.each_database());
            return Some(self.inner.health.answer(asked, request.headers(), about, is_draining).await);
        }
        if !metrics::is_asked(request, limits.metrics_for) {
            return None;
        }
        let traces = &self.inner.traces;
        Some(
            metrics::answer(client, limits.metrics_for, self.each_database(), (&routes.counts, traces)).await,
        )
    }

    async fn respond(
        &self,
        head: Parts,
        arriving: &mut Arriving,
        client: Client,
        usage: Arc<Usage>,
        counting: &mut Counting<'_>,
    ) -> Outcome<Made> {
        let platform = &self.inner.platform;
        let query = parse_query(head.uri.query().unwrap_or_default());
        if let Some(found) = edge::find(edge::edges(platform), &head, &query) {
            counting.counts = &self.inner.shared.routes.counts[found.edge.name];
            usage.is_for(octavo_pg::Work::Search, Some(of_address(client.address)));
            return Ok(Made::Here(self.at_edge(found, &head, arriving, (client, usage), counting).await));
        }
        let stated = Stated::read(&head.headers)?;
        let (path, invoked) = invoked_tenant(head.uri.path());
        let tenant = match invoked {
            Some(tenant) => tenant.to_owned(),
            None => stated.tenant()?,
        };
        let (server, tenant) = self.home(&tenant).await?;
        let now = (self.inner.shared.clock)();
        let outside = outside::find(&tenant, &head, path);
        let coming = Coming { stated, path, query, tenant, client, usage, now, counting };
        if outside.is_any() {
            coming.counting.counts = &self.inner.shared.routes.counts[OUTSIDE];
            return server.pass(outside, &head, coming, arriving).await;
        }
        server.here(&head, coming, arriving, None).await.map(Made::Here)
    }

    /// A route that the tenant has, by its path as the facts have it.
    pub(crate) fn route(&self, method: Method, pattern: &str, tenant: &Tenant) -> Option<Found<'static>> {
        self.inner.shared.routes.find(method, pattern, |entry| tenant.has(entry.module), None)
    }

    pub(crate) fn find(&self, head: &Parts, path: &str, tenant: &Tenant) -> Outcome<Found<'static>> {
        let unknown = || no_module(path, tenant.id.as_str());
        let method: Method = head.method.as_str().parse().map_err(|()| unknown())?;
        let enabled = |entry: &Entry| entry.of_the_system || tenant.has(entry.module);
        let module_id = text(&head.headers, "x-okapi-module-id");
        self.inner.shared.routes.find(method, path, enabled, module_id).ok_or_else(unknown)
    }
}

/// The most bytes that the head of a request may have.
const HEAD_BYTES: usize = 64 << 10;
/// The most bytes that are read ahead of a body, and that are kept of an answer before they are written.
const BUFFER_BYTES: usize = 128 << 10;
const TOO_MANY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nContent-Length: 20\r\nRetry-After: 5\r\n\
Connection: close\r\n\r\nToo many connections";
/// Seconds after which a client that was put off may ask again.
const SOON: &str = "5";

/// Callers without a name share the connections by their address.
pub(crate) fn of_address(client: IpAddr) -> octavo_pg::Client {
    octavo_pg::Client(match client.to_canonical() {
        IpAddr::V4(address) => u128::from(address.to_bits()),
        IpAddr::V6(address) => address.to_bits(),
    })
}

pub(crate) const DRY_RUN: &str = "x-octavo-dry-run";

/// Whether the client only wants to know what would happen. What cannot be tried is refused rather than done.
pub(crate) fn is_dry_run(headers: &hyper::HeaderMap, entry: &Entry) -> Outcome<bool> {
    match text(headers, DRY_RUN) {
        None | Some("false") => Ok(false),
        Some("true") if entry.method == Method::Get || entry.serve.can_be_tried() => Ok(true),
        Some("true") => Err(Fault::bad_request(format!(
            "{} {} cannot be tried without doing it: {DRY_RUN} is not for it",
            entry.method, entry.pattern
        ))),
        Some(_) => Err(Fault::bad_request(format!("{DRY_RUN} is true or false"))),
    }
}

/// `/_/invoke/tenant/{id}/rest`: a way to say the tenant without a header.
fn invoked_tenant(path: &str) -> (&str, Option<&str>) {
    let Some(rest) = path.strip_prefix("/_/invoke/tenant/") else { return (path, None) };
    match rest.find('/') {
        Some(at) => (&rest[at..], Some(&rest[..at])),
        None => (path, None),
    }
}

fn parse_query(query: &str) -> Vec<(String, String)> {
    form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

/// The headers that handlers may look at; the gateway itself has seen to the others.
const HANDED_ON: [&str; 8] = [
    "accept",
    "cookie",
    "content-type",
    "host",
    "last-event-id",
    "user-agent",
    "x-octavo-position",
    "x-octavo-trace",
];

pub(crate) fn collect(headers: &HeaderMap, client: Client) -> Vec<(String, String)> {
    let named = |name: &'static str| headers.get_all(name).iter().map(move |value| (name, value));
    let pairs = HANDED_ON.into_iter().flat_map(named);
    let pairs = pairs.filter_map(|(name, value)| Some((name.to_owned(), value.to_str().ok()?.to_owned())));
    // What a trusted proxy says of how the client came.
    let encrypted = client.is_encrypted == Some(true);
    pairs.chain(encrypted.then(|| ("x-forwarded-proto".to_owned(), "https".to_owned()))).collect()
}

/// How a request is named in the log: never its query, which may hold names of patrons.
pub(crate) fn described(method: &hyper::Method, path: &str) -> String {
    format!("{method} {path}")
}

/// The client's part of a fault; the operator's part goes to the log.
pub(crate) fn of_fault(fault: &Fault, request: impl Fn() -> String) -> Response {
    if let Some(cause) = fault.cause() {
        let request = request();
        match fault.status {
            500.. => tracing::error!(request, cause = %cause, "an answer failed"),
            // What the client got wrong is no fault of this server's, and may name a patron.
            _ => tracing::debug!(request, cause = %cause, "a request was refused"),
        }
    }
    let content_type = fault.body.content_type();
    let answer = Response { content_type, ..Response::text(fault.status, fault.body.render()) };
    // Whoever does not know what was done should look before the next attempt.
    let again = [429, 503].contains(&fault.status) && !is_unknown(fault);
    if again { answer.with("retry-after", SOON) } else { answer }
}

fn reply(response: Response, share: Option<Share>, line: &Arc<Line>) -> hyper::Response<Outgoing> {
    let mut body = Outgoing::whole(response.body);
    if let Some(share) = share {
        body = body.held(share);
    }
    if let Some(rest) = response.rest {
        body = body.followed_by(rest, line);
    }
    let mut reply = hyper::Response::new(body);
    *reply.status_mut() =
        hyper::StatusCode::from_u16(response.status).unwrap_or(hyper::StatusCode::INTERNAL_SERVER_ERROR);
    if !response.content_type.is_empty() {
        reply.headers_mut().insert("content-type", HeaderValue::from_static(response.content_type));
    }
    for (name, value) in response.headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            reply.headers_mut().append(name, value);
        }
    }
    if !response.content_type.is_empty() && !response.content_type.starts_with("application/json") {
        guard(reply.headers_mut());
    }
    spelling::spell(&mut reply);
    reply
}

/// Text, XML and files that a browser may open by themselves are what they say they are, and run nothing.
fn guard(headers: &mut HeaderMap) {
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
    ] {
        if !headers.contains_key(name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
}

/// The answer to a request of whose body more may come than anybody reads: then it is the connection's last, and says so.
async fn ended(
    mut reply: hyper::Response<Outgoing>,
    arriving: &mut Arriving,
    line: &Line,
) -> hyper::Response<Outgoing> {
    if !arriving.is_over().await {
        line.leave_over();
        reply.headers_mut().insert("connection", HeaderValue::from_static("close"));
    }
    reply
}

/// Tells a client that sent `x-octavo-trace: 1` where the time of its request went.
fn trace(headers: &mut HeaderMap, usage: &Usage, allocations: u64, total: Duration) {
    let mut line = format!(
        "round-trips={}, statements={}, rows={}, unindexed={}, database-us={}, total-us={}",
        usage.round_trips(),
        usage.statements.load(Relaxed),
        usage.rows.load(Relaxed),
        usage.unindexed.load(Relaxed),
        usage.micros.load(Relaxed),
        total.as_micros()
    );
    if cfg!(feature = "count-allocations") {
        line += &format!(", allocations={allocations}");
    }
    if let Ok(value) = HeaderValue::from_str(&line) {
        headers.insert("x-octavo-trace", value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenant_may_be_named_in_the_path() {
        assert_eq!(invoked_tenant("/_/invoke/tenant/diku/users/1"), ("/users/1", Some("diku")));
        assert_eq!(invoked_tenant("/users"), ("/users", None));
    }

    #[test]
    fn query_strings_are_decoded_once() {
        let query = parse_query("query=a%3D%3D%22b+c%22&limit=5&x");
        let expected = [("query", "a==\"b c\""), ("limit", "5"), ("x", "")];
        assert_eq!(query, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }
}
