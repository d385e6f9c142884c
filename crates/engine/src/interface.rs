//! What a module declares and what its functions are given. These types hold each other (a platform lists the modules, a module
//! has functions that answer a request, a request has its context and that the platform), so they stand in one file.

use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use octavo_kernel::{Caller, Outcome};
use octavo_pg::{Database, Usage, Work};
use octavo_record::RecordType;
use serde_json::Value;

use crate::events::EventNotifier;
use crate::outbox::TenantNotifier;
use crate::places::HomeDatabase;
use crate::{
    Body, Changes, Dialect, Discovery, Entropy, Lease, LongLists, Method, ModuleState, Notation,
    ProcessSettings, Response, SecurityEvents, SlowRequests, Snapshots, StopSign, Tenant, Tenants, Timers,
    TokenKeys,
};

/// One running Octavo on one database. Each request has a clone, which is cheap.
#[derive(Clone)]
pub struct Platform {
    parts: Arc<PlatformParts>,
    /// Tells work in the background to stop. A server gives each piece of such work its own.
    pub stop_sign: StopSign,
}

/// What all clones of a platform share.
#[derive(Clone)]
pub struct PlatformParts {
    pub database: Database,
    pub modules: &'static [&'static Module],
    pub entropy: Entropy,
    pub tenants: Arc<Tenants>,
    pub discovery: Arc<Discovery>,
    pub token_keys: Arc<TokenKeys>,
    pub snapshots: Arc<Snapshots>,
    pub timers: Timers,
    /// Notifies the relay that a task was added to an outbox.
    pub outbox_notifier: Arc<TenantNotifier>,
    /// Notifies the task that delivers events, and the clients that watch them, of new events.
    pub event_notifier: Arc<EventNotifier>,
    pub slow_requests: Arc<SlowRequests>,
    /// Log-ins and refusals that are still to be stored in the security log.
    pub security_events: Arc<SecurityEvents>,
    pub long_lists: Arc<LongLists>,
    /// The time until which cached values are valid.
    pub lease: Arc<Lease>,
    pub settings: Arc<ProcessSettings>,
    pub caller_changes: Arc<Changes>,
    /// Values that modules keep in the memory of this process.
    pub module_state: Arc<ModuleState>,
    /// The routes of this process; empty before it answers requests.
    pub routes: Arc<OnceLock<Box<dyn Routes>>>,
    /// Which of several databases this is the platform of, if there are several.
    pub home: Option<HomeDatabase>,
}

impl From<PlatformParts> for Platform {
    fn from(parts: PlatformParts) -> Platform {
        Platform { parts: Arc::new(parts), stop_sign: StopSign::default() }
    }
}

impl Deref for Platform {
    type Target = PlatformParts;

    fn deref(&self) -> &PlatformParts {
        &self.parts
    }
}

/// The routes of this process, for modules that do their work by the calls of others, as FOLIO's modules do through Okapi.
pub trait Routes: Send + Sync {
    /// The response that a client would get; status 403 if the context's caller lacks a permission of the route.
    fn call<'a>(&'a self, context: &'a Context, call: RouteCall<'a>) -> RouteFuture<'a>;
}

/// A call of another module's route.
#[derive(Debug, Clone, Copy)]
pub struct RouteCall<'a> {
    pub method: Method,
    pub path: &'a str,
    pub query: &'a [(&'a str, &'a str)],
    pub body: Option<&'a Value>,
    /// The address of the client in whose place the call is made.
    pub client: &'a str,
}

/// Cheap to clone.
#[derive(Clone)]
pub struct Context {
    pub platform: Platform,
    pub tenant: Arc<Tenant>,
    pub caller: Caller,
    pub now: Timestamp,
    pub usage: Arc<Usage>,
    /// Whether the client asks only what would happen: nothing may be stored.
    pub dry_run: bool,
}

pub struct Request {
    pub context: Context,
    pub method: Method,
    pub path: String,
    pub dialect: Dialect,
    pub notation: Notation,
    /// The values of `{name}` in the route's pattern, in order, decoded.
    pub parameters: Vec<String>,
    /// The query string, decoded, in order.
    pub query: Vec<(String, String)>,
    /// Header names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Body,
    /// The address of the client, for refresh tokens and the log.
    pub client: String,
}

#[derive(Debug)]
pub struct Module {
    /// FOLIO's name: `mod-users`.
    pub name: &'static str,
    /// The form of its error messages.
    pub dialect: Dialect,
    /// How it reads and writes JSON.
    pub notation: Notation,
    /// Record types that are served at their own paths by the record engine.
    pub records: &'static [&'static RecordType],
    /// Record types with a table, but without paths of the record engine: only the module's own code reads and writes them.
    pub hidden_records: &'static [&'static RecordType],
    /// Operations with code of their own; they come before the record engine's.
    pub calls: &'static [Call],
    /// An SQL script that creates what is not declared as a record type: sequences, functions, other tables.
    pub script: &'static str,
    /// How the schemas of existing tenants get what is new in the tables and the script.
    pub migrations: &'static [Migration],
    pub invariants: &'static [Invariant],
    pub tasks: &'static [OutboxTask],
    /// What every server does when it starts, beside its first requests, on the runtime for work in bulk.
    pub on_server_start: Option<fn(Platform) -> BackgroundFuture>,
    /// Whether lists of its records are never read from a replica, because they decide who may do what.
    pub never_late: bool,
    /// Calls that bring an API key instead of a tenant and a token.
    pub edges: &'static [EdgeModule],
    /// Whether every tenant has the module without enabling it, and its routes are for the operator.
    pub is_system_module: bool,
    /// Whether its routes that ask for no permission are there for callers without a token, as those that one calls before one
    /// has a token. A few routes of other modules ask for no permission either, some of which change records; Octavo lets
    /// callers with any valid token use them, but nobody without.
    pub allows_no_token: bool,
    /// What happens when a tenant enables the module, after its tables and reference records were created.
    pub on_enable: Option<fn(Context) -> EnableFuture>,
}

/// One change of a schema that exists, as SQL without transaction commands. The release before must be able to live with
/// it: it adds tables, indexes, and columns that need no value.
#[derive(Debug, Clone, Copy)]
pub struct Migration {
    /// Its place in the order of all modules' migrations. The first is 2; the schema of the first release counts as 1.
    pub number: i64,
    pub name: &'static str,
    pub sql: &'static str,
}

/// A condition that is always true for a tenant's records, whatever users do. `octavo doctor` checks it.
#[derive(Debug, Clone, Copy)]
pub struct Invariant {
    /// The message if the condition is false: a sentence without a full stop.
    pub violation: &'static str,
    /// A query that finds what is wrong: a row for each case, with the id of the record as text.
    pub find_sql: &'static str,
    /// What the operator or the library can do about it.
    pub advice: &'static str,
    /// Corrects the records while servers are running. `None` if only a person can decide what is right.
    pub repair: Option<fn(Context) -> CountFuture>,
}

/// A kind of task in the outbox, which the relay of any process works on.
#[derive(Debug)]
pub struct OutboxTask {
    pub kind: &'static str,
    /// Does all tasks that are due in a tenant. Returns how many of them another server took.
    pub work: fn(Context) -> CountFuture,
}

/// One of FOLIO's edge modules: calls for programs that know neither tenants nor tokens. Each is a call of a module's route, made as
/// the user whom an API key names.
#[derive(Debug)]
pub struct EdgeModule {
    /// FOLIO's name: `edge-rtac`.
    pub name: &'static str,
    pub calls: &'static [EdgeCall],
    /// Makes the client's response from that of the route, or from the reason why the route was not called: 401 as text for an unknown key.
    pub render_response: fn(&EdgeRequest, Response) -> Response,
}

#[derive(Debug)]
pub struct EdgeCall {
    pub method: Method,
    /// With `{name}` for one segment. The segment `{apiKeyPath}` is the key.
    pub path: &'static str,
    /// The module's route, by method and path as the facts have them. The call gives the permissions that the route asks for, if the
    /// key's user has them, and no others.
    pub route: (Method, &'static str),
    /// Makes the request to the route from the client's request. The context is the one in which the route is called.
    pub make_request: for<'a> fn(&'a Context, &'a EdgeRequest) -> EdgeRouteRequestFuture<'a>,
}

#[derive(Debug, Default)]
pub struct EdgeRequest {
    /// The values of `{name}` in the call's path, in order, decoded, without the key.
    pub parameters: Vec<String>,
    /// The query string, decoded, in order, without the key.
    pub query: Vec<(String, String)>,
    pub accept: String,
    pub body: Body,
}

/// The request that an edge module makes of a module's route.
#[derive(Debug, Default)]
pub struct EdgeRouteRequest {
    /// The values of `{name}` in the route's path, in order.
    pub parameters: Vec<String>,
    pub query: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// An operation with code of its own, at one method and path pattern of FOLIO's interface.
pub struct Call {
    pub method: Method,
    pub path: &'static str,
    pub answer: fn(Request) -> ResponseFuture,
    /// Whether a client may ask what would happen (`Context::dry_run`).
    pub supports_dry_run: bool,
    /// Whether the call changes nothing: it is then cancelled if its client disconnects.
    pub only_reads: bool,
    /// The permissions that a caller needs for the caller's own tenant, if they differ from those for other tenants.
    pub own_tenant_permissions: Option<&'static [&'static str]>,
    /// The most bytes of a body that the call reads piece by piece (`Body::take_pieces`); `None` if the call gets the body as a whole.
    pub max_streamed_bytes: Option<fn(&ProcessSettings) -> u64>,
    /// The kind of work for which connections to the database are borrowed, if method and path do not tell it.
    pub(crate) work: Option<Work>,
    /// Until when a timer that makes this call does not have to run.
    pub rest_rule: Option<&'static RestRule>,
    /// Whether a replica of the database may answer, whose data may be late. Nobody decides by the response, and nothing is changed after
    /// it.
    pub(crate) may_be_late: bool,
}

/// Until when the job of a timer would find nothing to do, if nothing changed. The timer does not run until then, or until a change.
#[derive(Debug, Clone, Copy)]
pub struct RestRule {
    /// A query of one text: the moment, as FOLIO writes it; null where the job has nothing to do before something changes, and an empty
    /// text where it does not rest.
    pub until_sql: &'static str,
    /// The tables in which a change may give the job something to do.
    pub tables: &'static [&'static str],
}

pub type ResponseFuture = Pin<Box<dyn Future<Output = Outcome<Response>> + Send>>;
pub type RouteFuture<'a> = Pin<Box<dyn Future<Output = Outcome<Response>> + Send + 'a>>;
pub type EnableFuture = Pin<Box<dyn Future<Output = Outcome<()>> + Send>>;
pub type EdgeRouteRequestFuture<'a> = Pin<Box<dyn Future<Output = Outcome<EdgeRouteRequest>> + Send + 'a>>;
pub type BackgroundFuture = Pin<Box<dyn Future<Output = ()> + Send>>;
pub type CountFuture = Pin<Box<dyn Future<Output = Outcome<usize>> + Send>>;
