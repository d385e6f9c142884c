//! How a module declares its operations that have code of their own, and what is served at a route. Paths, permissions, versions and dependencies are FOLIO's published facts (`Facts`), not repeated here.

use std::fmt;
use std::future::Future;

use octavo_kernel::Outcome;
use octavo_pg::Work;
use octavo_record::RecordType;

use crate::interface::{Call, Module, Request, ResponseFuture, RestRule};
use crate::{Dialect, Method, Notation, ProcessSettings, Response};

/// Erases the type of a handler's future.
pub fn answering(future: impl Future<Output = Outcome<Response>> + Send + 'static) -> ResponseFuture {
    Box::pin(future)
}

impl Module {
    /// Every record type of the module, also those that no path shows.
    pub fn tables(&self) -> Vec<&'static RecordType> {
        self.records.iter().chain(self.hidden_records).copied().collect()
    }

    pub const BASE: Module = Module {
        name: "",
        dialect: Dialect::Rmb,
        notation: Notation::RMB,
        records: &[],
        hidden_records: &[],
        calls: &[],
        script: "",
        migrations: &[],
        invariants: &[],
        tasks: &[],
        on_server_start: None,
        never_late: false,
        edges: &[],
        is_system_module: false,
        allows_no_token: false,
        on_enable: None,
    };
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

impl Call {
    pub const fn new(method: Method, path: &'static str, answer: fn(Request) -> ResponseFuture) -> Call {
        let reads = matches!(method, Method::Get);
        Call {
            method,
            path,
            answer,
            supports_dry_run: false,
            only_reads: reads,
            own_tenant_permissions: None,
            max_streamed_bytes: None,
            work: None,
            rest_rule: None,
            may_be_late: false,
        }
    }

    /// Declares that a timer which makes this call does not run while there is nothing to do.
    pub const fn with_rest_rule(self, rest: &'static RestRule) -> Call {
        Call { rest_rule: Some(rest), ..self }
    }

    /// Declares that a client may ask what the call would do: everything that it changes is part of the commit of a decision.
    pub const fn with_dry_run(self) -> Call {
        Call { supports_dry_run: true, ..self }
    }

    pub const fn own_tenant_permissions(self, permissions: &'static [&'static str]) -> Call {
        Call { own_tenant_permissions: Some(permissions), ..self }
    }

    /// Declares that the call reads or writes many records, which may take minutes.
    pub const fn for_many_records(self) -> Call {
        Call { work: Some(Work::Many), ..self }
    }

    /// Declares that the body is read while it arrives, up to so many bytes, and is never in memory as a whole. Meanwhile the call holds no
    /// connection to the database.
    pub const fn streamed(self, most: fn(&ProcessSettings) -> u64) -> Call {
        Call { max_streamed_bytes: Some(most), ..self }
    }

    /// Declares that the response may be as old as the data of a replica of the database.
    pub const fn may_be_late(self) -> Call {
        Call { may_be_late: true, ..self }
    }

    /// Declares a search whose query is in the body.
    pub const fn search(self) -> Call {
        Call { work: Some(Work::Search), only_reads: true, ..self }
    }

    /// Declares that the call changes data, although its method is GET: a browser is redirected to it by another site.
    pub const fn changing(self) -> Call {
        Call { work: Some(Work::Change), only_reads: false, ..self }
    }

    /// Declares that the call changes nothing, although its method is one for changes.
    pub const fn reading(self) -> Call {
        Call { only_reads: true, ..self }
    }
}

/// Declares calls, each by its method, its path and the function that answers it (an `async fn` from `Request` to `Outcome<Response>`,
/// or a closure). Methods of `Call` may follow: `Post "/circulation/loans" => loans::create, with_dry_run;`.
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
    pub fn only_reads(&self) -> bool {
        match self {
            Serve::List(_) | Serve::Get(_) | Serve::NotBuilt => true,
            Serve::Call(call) => call.only_reads,
            Serve::Create(_) | Serve::Replace(_) | Serve::Delete(_) | Serve::DeleteWhere(_) => false,
        }
    }

    /// The kind of work for which the call borrows connections to the database. A path that ends in an id is about one record.
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

    /// Whether a replica of the database may answer: for lists of records, except those that decide who may do what, and for calls that
    /// declare it.
    pub fn may_be_late(&self, is_prompt: bool) -> bool {
        match self {
            Serve::List(record) => !is_prompt && !record.snapshot,
            Serve::Call(call) => call.may_be_late && call.only_reads && call.max_streamed_bytes.is_none(),
            _ => false,
        }
    }

    /// The most bytes of a body that is read piece by piece; `None` if the body is read as a whole.
    pub fn max_streamed_bytes(&self, settings: &ProcessSettings) -> Option<u64> {
        match self {
            Serve::Call(call) => call.max_streamed_bytes.map(|most| most(settings)),
            _ => None,
        }
    }

    pub fn own_tenant_permissions(&self) -> Option<&'static [&'static str]> {
        match self {
            Serve::Call(call) => call.own_tenant_permissions,
            _ => None,
        }
    }

    pub fn supports_dry_run(&self) -> bool {
        matches!(self, Serve::Call(call) if call.supports_dry_run)
    }
}
