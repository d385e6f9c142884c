//! What is watched beside the load: processes of this machine, endpoints for Prometheus, PostgreSQL through its own views.
//!
//! Collectors run on a thread of their own, so that reading a page or a view makes no virtual user late; their times count
//! from the moment at which the load begins. One that fails says so in the report, and the run goes on. Facts: proc(5), the
//! text format of Prometheus, the statistics views of PostgreSQL 15.

/// What counters have grown by: `$after` with the differences of the fields that are named.
macro_rules! grown {
    ($after:expr, $before:expr; $($field:ident),+) => {{
        let mut grown = $after.clone();
        $(grown.$field -= $before.$field;)+
        grown
    }};
}

mod found;
mod lines;
mod postgres;
mod process;
mod prometheus;
mod thread;
mod wanted;

#[cfg(test)]
pub(crate) use found::Proof;
pub(crate) use found::{Collected, DatabaseUse, MissingIndex, ModuleUse, StatementUse};
pub(crate) use thread::begin;
pub(crate) use wanted::{Source, Wanted, read};
