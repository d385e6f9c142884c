//! The rules of the circulation desk as pure decisions: facts and a command in, a plan or refusals out.
//!
//! Knows no SQL, no HTTP, no clock and draws no random numbers: the time, the time zone and fresh ids are
//! among the facts. Behaviour is that of mod-circulation 24.2 (Quesnelia).

pub mod closed_library;
pub mod command;
mod document;
pub mod due_date;
pub mod facts;
pub mod moment;
pub mod plan;
pub mod policy;
pub mod rules;
pub mod trace;
