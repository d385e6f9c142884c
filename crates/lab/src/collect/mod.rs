//! The collectors record figures while the load runs: of processes on this machine, of endpoints for Prometheus, and of PostgreSQL
//! (statistics views).
//!
//! Collectors run on their own thread, so reading a page or a view delays no virtual user. Their times count from the moment at which the
//! load begins. If a collector fails, the report says so and the run continues. Sources: proc(5), the text format of Prometheus, the
//! statistics views of PostgreSQL 15.

/// Subtracts counters: a copy of `$after` in which each named field is reduced by the same field of `$before`.
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
pub(crate) use thread::start_collectors;
pub(crate) use wanted::{CollectorSpec, Source, parse_collector};
