//! The listener, and how one request is answered from its head to its answer.

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
use octavo_engine::places::TenantDirectory;
use octavo_engine::{Method, Notation, Platform, Response, Tenant};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::facts::FACTS;
use octavo_pg::{Usage, is_outcome_unknown};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tracing::Instrument;

use crate::arriving::RequestBody;
use crate::budget::{Budget, Share};
use crate::clients::{Client, Network};
use crate::connections::Connections;
use crate::counting::{RequestNumbers, RequestOutcome, RequestState, add_request_id};
use crate::entrance::{ClientConnection, Entrance, RequestHandler};
use crate::headers::{Credentials, header_text};
use crate::health::Health;
use crate::limits::Limits;
use crate::line::ConnectionState;
use crate::made::{ServerAnswer, forwarded_reply};
use crate::metrics::{self, Timed, WaitingTasks, now};
use crate::outgoing::ResponseBody;
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
    pub(crate) waiting_tasks: Arc<WaitingTasks>,
    pub(crate) health: Health,
    pub(crate) traces: Traces,
    request_numbers: RequestNumbers,
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
    /// The permit to work on a large body: one request at a time, since parsing a body takes several times its size in memory.
    pub(crate) large_bodies: Arc<Semaphore>,
    /// The servers of all databases, if there are several.
    pub(crate) database_servers: Option<Arc<DatabaseServers>>,
}

/// The servers of several databases.
pub(crate) struct DatabaseServers {
    pub(crate) places: Arc<TenantDirectory>,
    /// Of the databases that are ready, by name.
    pub(crate) servers: RwLock<HashMap<String, Server>>,
    /// When the directory was read last because of a tenant that it does not name.
    pub(crate) directory_read: tokio::sync::Mutex<Option<tokio::time::Instant>>,
}

/// A request whose head was read: tenant, credentials, path and client are known.
pub(crate) struct IncomingRequest<'a, 'c> {
    pub(crate) credentials: Credentials,
    /// Without the part that names the tenant.
    pub(crate) path: &'a str,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) tenant: Arc<Tenant>,
    pub(crate) client: Client,
    pub(crate) usage: Arc<Usage>,
    pub(crate) now: jiff::Timestamp,
    pub(crate) state: &'a mut RequestState<'c>,
}

/// The name under which requests are counted that no module answers.
const NO_MODULE: &str = "none";
/// The name for requests that modules outside of this process answer.
const OUTSIDE_MODULES: &str = "outside";

impl RequestHandler for Server {
    fn limits(&self) -> &Limits {
        &self.inner.limits
    }

    async fn handle(
        self,
        request: hyper::Request<Incoming>,
        (peer, is_encrypted): (SocketAddr, bool),
        line: Arc<ConnectionState>,
    ) -> Result<hyper::Response<ResponseBody>, Infallible> {
        let limits = &self.inner.limits;
        let (method, uri) = (request.method().clone(), request.uri().clone());
        let described =
            || describe_request(&method, edge::without_key(edge::edges(&self.inner.platform), uri.path()));
        let admitted = Client::from_connection(
            peer.ip(),
            is_encrypted,
            request.headers(),
            &limits.trust.trusted_proxies,
        )
        .and_then(|client| Ok((client, origins::admit(&request, &client, &limits.trust)?)));
        let (client, origin) = match admitted {
            Ok(admitted) => admitted,
            Err(fault) => {
                let (head, body) = request.into_parts();
                let mut arriving = RequestBody::new(body, &head.headers, Arc::clone(&line), limits);
                return Ok(finish_reply(
                    to_reply(fault_response(&fault, described), None, &line),
                    &mut arriving,
                    &line,
                )
                .await);
            }
        };
        if let Some(mut reply) = self.answer_page(&request, &client).await {
            self.close_if_draining(&mut reply);
            origins::add_cors_headers(origin.as_ref(), reply.headers_mut());
            return Ok(reply);
        }
        let started = now();
        if origins::is_preflight(&request) {
            let mut reply = hyper::Response::new(ResponseBody::default());
            *reply.status_mut() = hyper::StatusCode::NO_CONTENT;
            let asked = request.headers().get("access-control-request-headers");
            origins::add_preflight_headers(origin.as_ref(), asked, reply.headers_mut());
            return Ok(reply);
        }
        let traced = request.headers().get("x-octavo-trace").is_some();
        let mut counting = RequestState::new(&self.inner.shared.routes.counts[NO_MODULE]);
        let (mut head, body) = request.into_parts();
        let request_id = self.inner.request_numbers.request_id(&head);
        counting.trace_position = self.inner.traces.start_trace(
            &mut head.headers,
            self.inner.platform.entropy.id,
            self.inner.shared.clock,
        );
        let usage = Arc::new(Usage::default());
        if counting.trace_position.is_some() {
            usage.record_steps();
        }
        let span = tracing::error_span!("request", id = request_id);
        usage.set_request_id(request_id);
        let mut arriving = RequestBody::new(body, &head.headers, Arc::clone(&line), limits);
        let (answered, mut work) = {
            let respond = pin!(self.respond(head, &mut arriving, client, Arc::clone(&usage), &mut counting));
            Timed::new(pin!(respond.instrument(span.clone()))).await
        };
        let of_tenant = counting.route.as_ref().map(|asked| &asked.tenant.id);
        let mut share = self.inner.shared.budget.share(client.address, of_tenant);
        let notation = counting.route.as_ref().map_or(Notation::COMPACT, |asked| asked.entry.notation);
        // An answer for which the budget has no room is dropped at once, so that it takes no memory. The answer of a change is not: the
        // change has been made, and a client that is told to try again would make it twice.
        let only_reads = counting.route.as_ref().is_none_or(|asked| asked.entry.serve.only_reads());
        let answered = answered.and_then(|made| match &made {
            ServerAnswer::Inside(response) => match share.reserve(response.body.len()) {
                Err(fault) if only_reads => Err(fault),
                _ => Ok(made),
            },
            ServerAnswer::Forwarded(..) => Ok(made),
        });
        let faulty = |fault| {
            ServerAnswer::Inside(
                notation.format_response(span.in_scope(|| fault_response(&fault, described))),
            )
        };
        let made = answered.unwrap_or_else(faulty);
        work += counting.work;
        let (status, time, busy) = (made.status(), started.elapsed(), work.time);
        span.in_scope(|| {
            tracing::debug!(request = described(), status, round_trips = usage.round_trips(), "answered");
        });
        self.record_answer(
            &counting,
            &RequestOutcome { method: &method, status, started, time, busy, usage: &usage },
        );
        let reply = match made {
            ServerAnswer::Inside(response) => to_reply(response, Some(share), &line),
            ServerAnswer::Forwarded(passed, share) => forwarded_reply(*passed, share, &line),
        };
        let mut reply = finish_reply(reply, &mut arriving, &line).await;
        self.close_if_draining(&mut reply);
        add_request_id(status, usage.request_id(), reply.headers_mut());
        origins::add_cors_headers(origin.as_ref(), reply.headers_mut());
        if traced {
            add_trace_header(reply.headers_mut(), &usage, work.allocations, started.elapsed());
        }
        Ok(reply)
    }
}

impl Server {
    pub fn new(platform: Platform, limits: Limits, clock: fn() -> jiff::Timestamp) -> Server {
        let mut routes = RouteTable::new(&FACTS, platform.modules);
        for name in edge::edges(&platform).map(|edge| edge.name).chain([NO_MODULE, OUTSIDE_MODULES]) {
            routes.counts.entry(name).or_default();
        }
        let routes = Box::leak(Box::new(routes));
        let home = platform.home.as_ref();
        let shared = Shared {
            routes,
            clock,
            budget: Budget::new(limits.held_bytes),
            large_bodies: Arc::new(Semaphore::new(1)),
            database_servers: home.map(|home| Arc::new(DatabaseServers::new(Arc::clone(&home.directory)))),
        };
        let traces = Traces::new(limits.trace_collector.clone());
        Self::build(platform, shared, limits, traces)
    }

    /// A server for another database of this process, whose tenants are found from now on. It listens on no port, and runs timers and relay
    /// of its own.
    pub fn for_database(&self, platform: Platform) -> Server {
        Self::build(platform, self.inner.shared.clone(), self.inner.limits.clone(), Traces::default())
    }

    fn build(platform: Platform, shared: Shared, limits: Limits, traces: Traces) -> Server {
        let home = platform.home.as_ref().map(|home| Arc::clone(&home.name));
        let numbers = RequestNumbers::starting_at((platform.entropy.id)().as_u64_pair().1);
        let server = Server {
            inner: Arc::new(Inner {
                platform,
                waiting_tasks: Arc::new(WaitingTasks::new(limits.late_after)),
                limits,
                shared,
                openapi: OnceLock::new(),
                health: Health::default(),
                traces,
                request_numbers: numbers,
                is_draining: AtomicBool::new(false),
            }),
        };
        server.offer_routes();
        if let (Some(elsewhere), Some(name)) = (&server.inner.shared.database_servers, home) {
            elsewhere.add_server(&name, server.clone());
        }
        server
    }

    /// The interface as an OpenAPI page, written when somebody first asks.
    fn openapi_page(&self) -> Bytes {
        let page = || Bytes::from(openapi::page(self.inner.shared.routes).to_string());
        self.inner.openapi.get_or_init(page).clone()
    }

    /// Serves until `stop` is ready, then lets the requests in flight finish.
    pub async fn run(self, listener: TcpListener, entrance: Entrance, stop: impl Future<Output = ()>) {
        spelling::learn_spelling().await;
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
                        if !connections.close_longest_waiting() {
                            tracing::warn!(%error, "a connection was not accepted");
                        }
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                },
                () = &mut stop => {
                    self.inner.platform.event_notifier.end();
                    for other in self.inner.shared.database_servers.iter().flat_map(|elsewhere| elsewhere.servers()) {
                        other.inner.platform.event_notifier.end();
                    }
                    break;
                }
            };
            let line = Arc::<ConnectionState>::default();
            let is_one_client =
                !Network::any_contains(&limits.trust.trusted_proxies, peer.ip().to_canonical());
            let Some(place) = connections.enter(peer.ip(), is_one_client, &line) else {
                tracing::debug!("a connection was refused: there are too many");
                if !matches!(entrance, Entrance::Encrypted(_)) {
                    // Writes what the socket takes at once, without waiting for the client.
                    let _ = stream.try_write(TOO_MANY_CONNECTIONS);
                }
                continue;
            };
            let _ = stream.set_nodelay(true);
            let number = place.number;
            let one = ClientConnection {
                server: self.clone(),
                http: http.clone(),
                peer,
                line,
                watcher: graceful.watcher(),
            };
            let entrance = entrance.clone();
            let task = tokio::spawn(async move {
                one.serve_entrance(stream, entrance).await;
                drop(place);
            });
            connections.set_task(number, task.abort_handle());
        }
        drop(listener);
        tokio::select! {
            () = graceful.shutdown() => {}
            () = tokio::time::sleep(self.inner.limits.stop_time) => {
                tracing::warn!("some requests did not finish in time and were cut off");
            }
        }
    }

    /// Adds `Connection: close` once this server is to stop, so that the client connects anew, to another server.
    fn close_if_draining(&self, reply: &mut hyper::Response<ResponseBody>) {
        if self.inner.is_draining.load(Relaxed) {
            reply.headers_mut().insert("connection", HeaderValue::from_static("close"));
        }
    }

    /// The pages that are not part of FOLIO's interface: the desk, the OpenAPI page, health checks, metrics.
    async fn answer_page(
        &self,
        request: &hyper::Request<Incoming>,
        client: &Client,
    ) -> Option<hyper::Response<ResponseBody>> {
        let Inner { platform, shared: Shared { routes, .. }, limits, .. } = &*self.inner;
        if let Some(reply) =
            desk::answer(request).or_else(|| openapi::answer(request, || self.openapi_page()))
        {
            return Some(reply);
        }
        if let Some(probe) = health::Probe::from_request(request) {
            let databases = if probe == health::Probe::Live { None } else { self.databases_health().await };
            let (is_draining, asked) = (self.inner.is_draining.load(Relaxed), (probe, databases));
            let about = (platform, self.all_databases());
            return Some(self.inner.health.answer(asked, request.headers(), about, is_draining).await);
        }
        if !metrics::is_metrics_request(request, limits.metrics_readers) {
            return None;
        }
        let traces = &self.inner.traces;
        Some(
            metrics::answer(client, limits.metrics_readers, self.all_databases(), (&routes.counts, traces))
                .await,
        )
    }

    async fn respond(
        &self,
        head: Parts,
        arriving: &mut RequestBody,
        client: Client,
        usage: Arc<Usage>,
        counting: &mut RequestState<'_>,
    ) -> Outcome<ServerAnswer> {
        let platform = &self.inner.platform;
        let query = parse_query(head.uri.query().unwrap_or_default());
        if let Some(found) = edge::find(edge::edges(platform), &head, &query) {
            counting.counts = &self.inner.shared.routes.counts[found.edge.name];
            usage.set_purpose(octavo_pg::Work::Search, Some(client_by_address(client.address)));
            return Ok(ServerAnswer::Inside(
                self.answer_edge_call(found, &head, arriving, (client, usage), counting).await,
            ));
        }
        let stated = Credentials::from_headers(&head.headers)?;
        let (path, invoked) = invoked_tenant(head.uri.path());
        let tenant = match invoked {
            Some(tenant) => tenant.to_owned(),
            None => stated.tenant()?,
        };
        let (server, tenant) = self.server_of_tenant(&tenant).await?;
        let now = (self.inner.shared.clock)();
        let outside = outside::find(&tenant, &head, path);
        let coming =
            IncomingRequest { credentials: stated, path, query, tenant, client, usage, now, state: counting };
        if outside.has_any() {
            coming.state.counts = &self.inner.shared.routes.counts[OUTSIDE_MODULES];
            return server.forward_request(outside, &head, coming, arriving).await;
        }
        server.answer_inside(&head, coming, arriving, None).await.map(ServerAnswer::Inside)
    }

    /// The route with this path pattern (as FOLIO's module descriptors write it), if the tenant has its module.
    pub(crate) fn route_by_pattern(
        &self,
        method: Method,
        pattern: &str,
        tenant: &Tenant,
    ) -> Option<Found<'static>> {
        self.inner.shared.routes.find(method, pattern, |entry| tenant.has_module(entry.module), None)
    }

    pub(crate) fn find_route(&self, head: &Parts, path: &str, tenant: &Tenant) -> Outcome<Found<'static>> {
        let method: Method = head.method.as_str().parse().map_err(|()| no_module())?;
        let enabled = |entry: &Entry| entry.of_the_system || tenant.has_module(entry.module);
        let module_id = header_text(&head.headers, "x-okapi-module-id");
        self.inner.shared.routes.find(method, path, enabled, module_id).ok_or_else(no_module)
    }
}

/// The most bytes that the head of a request may have.
const HEAD_BYTES: usize = 64 << 10;
/// The most bytes that are read ahead of a body, and that are kept of an answer before they are written.
const BUFFER_BYTES: usize = 128 << 10;
const TOO_MANY_CONNECTIONS: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nContent-Length: 20\r\nRetry-After: 5\r\n\
Connection: close\r\n\r\nToo many connections";
/// Seconds after which a client that was put off may ask again.
const RETRY_SECONDS: &str = "5";

/// The client by which database connections are counted if the caller has no user: its address.
pub(crate) fn client_by_address(client: IpAddr) -> octavo_pg::Client {
    octavo_pg::Client(match client.to_canonical() {
        IpAddr::V4(address) => u128::from(address.to_bits()),
        IpAddr::V6(address) => address.to_bits(),
    })
}

pub(crate) const DRY_RUN: &str = "x-octavo-dry-run";

/// Whether the client only wants to know what would happen. What cannot be tried is refused rather than done.
pub(crate) fn is_dry_run(headers: &hyper::HeaderMap, entry: &Entry) -> Outcome<bool> {
    match header_text(headers, DRY_RUN) {
        None | Some("false") => Ok(false),
        Some("true") if entry.method == Method::Get || entry.serve.supports_dry_run() => Ok(true),
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
const HANDED_ON_HEADERS: [&str; 8] = [
    "accept",
    "cookie",
    "content-type",
    "host",
    "last-event-id",
    "user-agent",
    "x-octavo-position",
    "x-octavo-trace",
];

pub(crate) fn handler_headers(headers: &HeaderMap, client: Client) -> Vec<(String, String)> {
    let named = |name: &'static str| headers.get_all(name).iter().map(move |value| (name, value));
    let pairs = HANDED_ON_HEADERS.into_iter().flat_map(named);
    let pairs = pairs.filter_map(|(name, value)| Some((name.to_owned(), value.to_str().ok()?.to_owned())));
    // What a trusted proxy says of how the client came.
    let encrypted = client.is_encrypted == Some(true);
    pairs.chain(encrypted.then(|| ("x-forwarded-proto".to_owned(), "https".to_owned()))).collect()
}

/// The name of a request in the log: never its query, which may hold names of patrons.
pub(crate) fn describe_request(method: &hyper::Method, path: &str) -> String {
    format!("{method} {path}")
}

/// Makes the answer of a fault. The client gets the message; the cause goes to the log.
pub(crate) fn fault_response(fault: &Fault, request: impl Fn() -> String) -> Response {
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
    // If it is not known whether a change was made, no retry is suggested: the user should look first.
    let again = [429, 503].contains(&fault.status) && !is_outcome_unknown(fault);
    if again { answer.with_header("retry-after", RETRY_SECONDS) } else { answer }
}

fn to_reply(
    response: Response,
    share: Option<Share>,
    line: &Arc<ConnectionState>,
) -> hyper::Response<ResponseBody> {
    let mut body = ResponseBody::from_bytes(response.body);
    if let Some(share) = share {
        body = body.with_share(share);
    }
    if let Some(rest) = response.streamed_rest {
        body = body.with_pieces(rest, line);
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
        add_security_headers(reply.headers_mut());
    }
    spelling::spell_etag(&mut reply);
    reply
}

/// Adds headers by which browsers take text, XML and files for what they are, and run no script in them.
fn add_security_headers(headers: &mut HeaderMap) {
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
    ] {
        if !headers.contains_key(name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
}

/// Finishes an answer. If more of the request's body may come than is read, the connection is closed after it, and the answer says so.
async fn finish_reply(
    mut reply: hyper::Response<ResponseBody>,
    arriving: &mut RequestBody,
    line: &ConnectionState,
) -> hyper::Response<ResponseBody> {
    if !arriving.is_read_to_end().await {
        line.mark_leftover();
        reply.headers_mut().insert("connection", HeaderValue::from_static("close"));
    }
    reply
}

/// Tells a client that sent `x-octavo-trace: 1` where the time of its request went.
fn add_trace_header(headers: &mut HeaderMap, usage: &Usage, allocations: u64, total: Duration) {
    let mut line = format!(
        "round-trips={}, statements={}, rows={}, unindexed={}, database-us={}, total-us={}",
        usage.round_trips(),
        usage.statements.load(Relaxed),
        usage.rows.load(Relaxed),
        usage.unindexed.load(Relaxed),
        usage.database_micros.load(Relaxed),
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
mod tests;
