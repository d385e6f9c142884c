//! The type in which a module is declared: what FOLIO calls it, its record types, and the operations that have code
//! of their own. Paths, permissions, versions and dependencies are FOLIO's published facts (`Facts`), not repeated here.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::str::FromStr;

use octavo_kernel::Outcome;
use octavo_record::RecordType;

use crate::tenants::migrations::Migration;
use crate::{Context, Dialect, Request, Response};

pub type Answering = Pin<Box<dyn Future<Output = Outcome<Response>> + Send>>;
pub type Enabling = Pin<Box<dyn Future<Output = Outcome<()>> + Send>>;

/// Erases the type of a handler's future.
pub fn answering(future: impl Future<Output = Outcome<Response>> + Send + 'static) -> Answering {
    Box::pin(future)
}

#[derive(Debug)]
pub struct Module {
    /// FOLIO's name: `mod-users`.
    pub name: &'static str,
    /// In which words it refuses.
    pub dialect: Dialect,
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
        records: &[],
        hidden: &[],
        calls: &[],
        script: "",
        migrations: &[],
        enabled: None,
    };
}

/// An operation with code of its own, at one method and path pattern of FOLIO's interface.
pub struct Call {
    pub method: Method,
    pub path: &'static str,
    pub answer: fn(Request) -> Answering,
    /// Whether a client may ask what would happen (`Context::dry_run`).
    pub can_be_tried: bool,
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

impl Call {
    pub const fn new(method: Method, path: &'static str, answer: fn(Request) -> Answering) -> Call {
        Call { method, path, answer, can_be_tried: false }
    }

    /// What it changes goes through the commit of a decision, and nothing else.
    pub const fn tried(self) -> Call {
        Call { can_be_tried: true, ..self }
    }
}

/// How a route is answered.
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
    pub fn can_be_tried(&self) -> bool {
        matches!(self, Serve::Call(call) if call.can_be_tried)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Method {
    Get,
    Post,
    Put,
    Delete,
    Patch,
}

impl Method {
    pub const ALL: [Method; 5] = [Method::Get, Method::Post, Method::Put, Method::Delete, Method::Patch];

    pub fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Put => "PUT",
            Method::Delete => "DELETE",
            Method::Patch => "PATCH",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Method {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Method::ALL.into_iter().find(|method| method.as_str() == text).ok_or(())
    }
}
