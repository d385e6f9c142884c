//! How a module declares its operations that have code of their own, and what is served at a route. Paths, permissions, versions and dependencies are FOLIO's published facts (`Facts`), not repeated here.

use std::fmt;
use std::future::Future;

use octavo_kernel::Outcome;
use octavo_pg::Work;
use octavo_record::RecordType;

use crate::interface::{Answering, Call, Module, Request, Rest};
use crate::{Dialect, Method, Notation, Response, Started};

/// Erases the type of a handler's future.
pub fn answering(future: impl Future<Output = Outcome<Response>> + Send + 'static) -> Answering {
    Box::pin(future)
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
        invariants: &[],
        tasks: &[],
        started: None,
        is_prompt: false,
        edges: &[],
        of_the_system: false,
        for_strangers: false,
        enabled: None,
    };
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

impl Call {
    pub const fn new(method: Method, path: &'static str, answer: fn(Request) -> Answering) -> Call {
        let reads = matches!(method, Method::Get);
        Call {
            method,
            path,
            answer,
            can_be_tried: false,
            reads,
            of_own_tenant: None,
            streamed: None,
            work: None,
            rest: None,
            late: false,
        }
    }

    /// A timer that makes this call rests while there is nothing to do.
    pub const fn rests(self, rest: &'static Rest) -> Call {
        Call { rest: Some(rest), ..self }
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

    /// Its body is read while it comes, up to so many bytes, and is never held as a whole. The call holds no connection to the
    /// database meanwhile.
    pub const fn streamed(self, most: fn(&Started) -> u64) -> Call {
        Call { streamed: Some(most), ..self }
    }

    /// Its answer may be late by as much as replicas of the database are.
    pub const fn late(self) -> Call {
        Call { late: true, ..self }
    }

    /// A search whose question is in the body.
    pub const fn search(self) -> Call {
        Call { work: Some(Work::Search), reads: true, ..self }
    }

    /// It changes something, though its method is one for reading: a browser comes with it from another site.
    pub const fn changing(self) -> Call {
        Call { work: Some(Work::Change), reads: false, ..self }
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

    /// Whether the answer may come from a replica of the database: lists of records, but for those by which it is decided who may do
    /// what or how, and calls that say so.
    pub fn may_be_late(&self, is_prompt: bool) -> bool {
        match self {
            Serve::List(record) => !is_prompt && !record.snapshot,
            Serve::Call(call) => call.late && call.reads && call.streamed.is_none(),
            _ => false,
        }
    }

    /// The most bytes of a body that is read piece by piece; `None` if it is read as a whole.
    pub fn streamed(&self, settings: &Started) -> Option<u64> {
        match self {
            Serve::Call(call) => call.streamed.map(|most| most(settings)),
            _ => None,
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
