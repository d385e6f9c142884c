//! What a module declares and what its functions are given. These types hold each other (a platform lists the modules, a module
//! has functions that answer a request, a request has its context and that the platform), so they stand in one file.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use octavo_kernel::{Caller, Outcome};
use octavo_pg::{Database, Usage, Work};
use octavo_record::RecordType;
use serde_json::Value;

use crate::events::EventBell;
use crate::outbox::Bell;
use crate::places::Home;
use crate::{
    Body, Changes, Dialect, Discovery, Entropy, Kept, Lease, LongLists, Method, Notation, Response,
    SecurityEvents, SlowRequests, Snapshots, Started, Tenant, Tenants, Timers, TokenKeys,
};

/// Cheap to clone.
#[derive(Clone)]
pub struct Platform {
    pub database: Database,
    pub modules: &'static [&'static Module],
    pub entropy: Entropy,
    pub tenants: Arc<Tenants>,
    pub discovery: Arc<Discovery>,
    pub token_keys: Arc<TokenKeys>,
    pub snapshots: Arc<Snapshots>,
    pub timers: Timers,
    /// Wakes the relay when a task was left in an outbox.
    pub bell: Arc<Bell>,
    /// Wakes what hands events over, and who watches them.
    pub event_bell: Arc<EventBell>,
    pub slow: Arc<SlowRequests>,
    /// What is to be written down of log-ins and refusals.
    pub security: Arc<SecurityEvents>,
    pub long_lists: Arc<LongLists>,
    /// The lease within which remembered values are believed.
    pub lease: Arc<Lease>,
    pub settings: Arc<Started>,
    pub changes: Arc<Changes>,
    /// What modules keep in this process beside the database.
    pub kept: Arc<Kept>,
    /// The routes of this process; none before it serves.
    pub routes: Arc<OnceLock<Box<dyn Routes>>>,
    /// Which of several databases this is the platform of, if there are several.
    pub home: Option<Home>,
}

/// The routes of this process, for modules that do their work by the calls of others, as FOLIO's modules do through Okapi.
pub trait Routes: Send + Sync {
    /// What a client would be answered; 403 if the context's caller lacks a permission of the route.
    fn call<'a>(&'a self, context: &'a Context, call: OtherCall<'a>) -> Calling<'a>;
}

/// A call of another module's route.
#[derive(Debug, Clone, Copy)]
pub struct OtherCall<'a> {
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
    /// The client wants to know what would happen: nothing may be left of it.
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
    /// Tables of the module that no path shows as they are.
    pub hidden: &'static [&'static RecordType],
    /// Operations with code of their own; they come before the record engine's.
    pub calls: &'static [Call],
    /// SQL of what is no record type: sequences, functions, tables of another shape.
    pub script: &'static str,
    /// How tenants that exist get what is new in the tables and the script.
    pub migrations: &'static [Migration],
    pub invariants: &'static [Invariant],
    pub tasks: &'static [OutboxTask],
    /// What every server does when it starts, beside its first requests, on the runtime for work in bulk.
    pub started: Option<fn(Platform) -> Beside>,
    /// Whether lists of its records are never late: what says who may do what.
    pub is_prompt: bool,
    /// Calls that bring an API key instead of a tenant and a token.
    pub edges: &'static [Edge],
    /// Whether it is every tenant's without being enabled, and its routes are the operator's.
    pub of_the_system: bool,
    /// Whether its routes that ask for no permission are there for callers without a token, as those that one calls before one
    /// has a token. A few routes of other modules ask for no permission either, some of which change records; Octavo lets
    /// callers with any valid token use them, but nobody without.
    pub for_strangers: bool,
    /// What happens when a tenant enables the module, after its tables and reference records are there.
    pub enabled: Option<fn(Context) -> Enabling>,
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

/// What is always so of a tenant's records, whatever its people do. `octavo doctor` looks whether it is.
#[derive(Debug, Clone, Copy)]
pub struct Invariant {
    /// What is wrong where it is not so, as a sentence without a full stop.
    pub wrong: &'static str,
    /// A query that finds what is wrong: a row for each case, with the id of the record as text.
    pub find: &'static str,
    /// What somebody does about it.
    pub advice: &'static str,
    /// Puts it right as people's records have it, beside running servers. None where only a person can say what is right.
    pub repair: Option<fn(Context) -> Working>,
}

/// A kind of task in the outbox, worked off by the relay of any process.
#[derive(Debug)]
pub struct OutboxTask {
    pub kind: &'static str,
    /// Does all that is due in a tenant; how much of it another server took.
    pub work: fn(Context) -> Working,
}

/// One of FOLIO's edge modules: calls for programs that know neither tenants nor tokens. Each is a call of a module's route, made as
/// the user whom an API key names.
#[derive(Debug)]
pub struct Edge {
    /// FOLIO's name: `edge-rtac`.
    pub name: &'static str,
    pub calls: &'static [EdgeCall],
    /// What the client is told, made of what the route answered or of why it was not asked: 401 as text for a key that opens nothing.
    pub shown: fn(&EdgeRequest, Response) -> Response,
}

#[derive(Debug)]
pub struct EdgeCall {
    pub method: Method,
    /// With `{name}` for one segment. The segment `{apiKeyPath}` is the key.
    pub path: &'static str,
    /// The module's route, by method and path as the facts have them. The call gives the permissions that the route asks for, if the
    /// key's user has them, and no others.
    pub route: (Method, &'static str),
    /// Makes the route's request of the client's. The context is the one in which the route will be asked.
    pub ask: for<'a> fn(&'a Context, &'a EdgeRequest) -> EdgeAsking<'a>,
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
pub struct EdgeAsk {
    /// The values of `{name}` in the route's path, in order.
    pub parameters: Vec<String>,
    pub query: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// An operation with code of its own, at one method and path pattern of FOLIO's interface.
pub struct Call {
    pub method: Method,
    pub path: &'static str,
    pub answer: fn(Request) -> Answering,
    /// Whether a client may ask what would happen (`Context::dry_run`).
    pub can_be_tried: bool,
    /// Whether it changes nothing: it is given up when its client goes.
    pub reads: bool,
    /// The permissions that are asked of a caller about their own tenant, where these are others than of other tenants.
    pub of_own_tenant: Option<&'static [&'static str]>,
    /// The most bytes of a body that the call reads piece by piece (`Body::pieces`); `None` if it gets the body as a whole.
    pub streamed: Option<fn(&Started) -> u64>,
    /// What connections are lent for, where the method and path do not tell.
    pub(crate) work: Option<Work>,
    /// When a timer that makes this call may rest.
    pub rest: Option<&'static Rest>,
    /// Whether its answer may be late: a replica of the database may be asked. Nobody decides by it, and nothing is changed after it.
    pub(crate) late: bool,
}

/// Until when a timer's job would find nothing to do, if nothing changed. A timer rests until then; a change wakes it.
#[derive(Debug, Clone, Copy)]
pub struct Rest {
    /// A query of one text: the moment, as FOLIO writes it; null where the job has nothing to do before something changes, and an empty
    /// text where it does not rest.
    pub until: &'static str,
    /// The tables in which a change may give the job something to do.
    pub tables: &'static [&'static str],
}

pub type Answering = Pin<Box<dyn Future<Output = Outcome<Response>> + Send>>;
pub type Calling<'a> = Pin<Box<dyn Future<Output = Outcome<Response>> + Send + 'a>>;
pub type Enabling = Pin<Box<dyn Future<Output = Outcome<()>> + Send>>;
pub type EdgeAsking<'a> = Pin<Box<dyn Future<Output = Outcome<EdgeAsk>> + Send + 'a>>;
pub type Beside = Pin<Box<dyn Future<Output = ()> + Send>>;
pub type Working = Pin<Box<dyn Future<Output = Outcome<usize>> + Send>>;
