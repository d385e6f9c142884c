//! The rules of the circulation desk as pure decisions: facts and a command in, a plan or refusals out.
//!
//! Knows no SQL, no HTTP, no clock and draws no random numbers: the time, the time zone and fresh ids are
//! among the facts. Behaviour is that of mod-circulation 24.2 (Quesnelia).

#![expect(
    clippy::result_large_err,
    reason = "a refusal is made once for a refused request; its size costs nothing"
)]

pub mod blocks;
mod check_in;
mod check_out;
pub mod closed_library;
pub mod command;
mod document;
pub mod due_date;
pub mod facts;
pub mod fees;
mod governing;
pub mod moment;
pub mod plan;
pub mod policy;
mod queue;
mod refusals;
mod renew;
pub mod rules;
pub mod trace;
pub mod view;

#[cfg(test)]
mod desk;

pub use check_in::check_in;
pub use check_out::check_out;
pub use renew::renew;
