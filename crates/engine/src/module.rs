//! The type in which a module is declared: what FOLIO calls it, its record types, and the operations that have code
//! of their own. Paths, permissions, versions and dependencies are FOLIO's published facts (`Facts`), not repeated here.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use jiff::Timestamp;
use octavo_kernel::Outcome;
use octavo_pg::{Usage, Work};
use octavo_record::RecordType;

use crate::{Context, Dialect, Method, Notation, Platform, Request, Response};

pub type Answering = Pin<Box<dyn Future<Output = Outcome<Response>> + Send>>;
pub type Enabling = Pin<Box<dyn Future<Output = Outcome<()>> + Send>>;
pub type Beside = Pin<Box<dyn Future<Output = ()> + Send>>;
pub type Working = Pin<Box<dyn Future<Output = Outcome<usize>> + Send>>;

/// Erases the type of a handler's future.
pub fn answering(future: impl Future<Output = Outcome<Response>> + Send + 'static) -> Answering {
    Box::pin(future)
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
    pub tasks: &'static [OutboxTask],
    /// What every server does when it starts, beside its first requests.
    pub started: Option<fn(Platform) -> Beside>,
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

impl Module {
    /// Every record type of the module, also those that no path shows.
    pub fn tables(&self) -> Vec<&'static RecordType> {
        self.records.iter().chain(self.hidden).copied().collect()
    }

    pub const BASE: Module = Module {
        name: "",
        dialect: Dialect::Rmb,
        notation: Notation::RMB,
        records: &[],
        hidden: &[],
        calls: &[],
        script: "",
        migrations: &[],
        tasks: &[],
        started: None,
        edges: &[],
        of_the_system: false,
        for_strangers: false,
        enabled: None,
    };
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

/// A kind of task in the outbox, worked off by the relay of any process.
#[derive(Debug)]
pub struct OutboxTask {
    pub kind: &'static str,
    /// Does all that is due in a tenant; how much of it another server took.
    pub work: fn(Context) -> Working,
}

/// One of FOLIO's edge modules: calls for programs that know neither tenants nor tokens.
#[derive(Debug)]
pub struct Edge {
    /// FOLIO's name: `edge-rtac`.
    pub name: &'static str,
    /// Whether it answers a GET, by its path without a slash at the end and whether an API key is in the query.
    pub takes: fn(&str, bool) -> bool,
    pub answer: fn(EdgeRequest) -> Answering,
}

pub struct EdgeRequest {
    pub platform: Platform,
    pub now: Timestamp,
    pub usage: Arc<Usage>,
    /// Without a slash at the end.
    pub path: String,
    pub query: Vec<(String, String)>,
    pub accept: String,
    pub authorization: Option<String>,
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
    /// What connections are lent for, where the method and path do not tell.
    work: Option<Work>,
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

impl Call {
    pub const fn new(method: Method, path: &'static str, answer: fn(Request) -> Answering) -> Call {
        let reads = matches!(method, Method::Get);
        Call { method, path, answer, can_be_tried: false, reads, of_own_tenant: None, work: None }
    }

    /// What it changes goes through the commit of a decision, and nothing else.
    pub const fn tried(self) -> Call {
        Call { can_be_tried: true, ..self }
    }

    pub const fn of_own_tenant(self, permissions: &'static [&'static str]) -> Call {
        Call { of_own_tenant: Some(permissions), ..self }
    }

    /// Many records are read or written, which may take minutes.
    pub const fn many(self) -> Call {
        Call { work: Some(Work::Many), ..self }
    }

    /// A search whose question is in the body.
    pub const fn search(self) -> Call {
        Call { work: Some(Work::Search), reads: true, ..self }
    }

    /// It changes nothing, though its method is one for changes.
    pub const fn reading(self) -> Call {
        Call { reads: true, ..self }
    }
}

/// Declares calls, each by its method, its path, what answers it (an `async fn` from `Request` to `Outcome<Response>`, or a closure),
/// and what else `Call` has a method for: `Post "/circulation/loans" => loans::create, tried;`.
#[macro_export]
macro_rules! calls {
    ($($method:ident $path:expr => $answer:expr $(, $more:ident $(($value:expr))?)*;)*) => {
        &[$(
            $crate::Call::new($crate::Method::$method, $path, |request| $crate::answering($answer(request)))
                $(.$more($($value)?))*
        ),*]
    };
}

#[derive(Debug, Clone, Copy)]
pub enum Serve {
    List(&'static RecordType),
    Get(&'static RecordType),
    Create(&'static RecordType),
    Replace(&'static RecordType),
    Delete(&'static RecordType),
    DeleteWhere(&'static RecordType),
    Call(&'static Call),
    /// Part of FOLIO's interface, not built here: 501.
    NotBuilt,
}

impl Serve {
    /// Whether nothing is changed.
    pub fn reads(&self) -> bool {
        match self {
            Serve::List(_) | Serve::Get(_) | Serve::NotBuilt => true,
            Serve::Call(call) => call.reads,
            Serve::Create(_) | Serve::Replace(_) | Serve::Delete(_) | Serve::DeleteWhere(_) => false,
        }
    }

    /// What connections are lent for. A path that ends in an id is about one record.
    pub fn work(&self, path: &str) -> Work {
        match self {
            Serve::List(_) => Work::Search,
            Serve::Get(_) | Serve::NotBuilt => Work::Record,
            Serve::Create(_) | Serve::Replace(_) | Serve::Delete(_) => Work::Change,
            Serve::DeleteWhere(_) => Work::Many,
            Serve::Call(Call { work: Some(work), .. }) => *work,
            Serve::Call(Call { method: Method::Get, .. }) if path.trim_end_matches('*').ends_with('}') => {
                Work::Record
            }
            Serve::Call(Call { method: Method::Get, .. }) => Work::Search,
            Serve::Call(_) => Work::Change,
        }
    }

    pub fn of_own_tenant(&self) -> Option<&'static [&'static str]> {
        match self {
            Serve::Call(call) => call.of_own_tenant,
            _ => None,
        }
    }

    pub fn can_be_tried(&self) -> bool {
        matches!(self, Serve::Call(call) if call.can_be_tried)
    }
}
