//! The circulation log: what a finished plan does to loans, items, requests and fees, as records for staff to read. Behaviour, words and
//! descriptions are those of mod-audit 2.9.0 and of what mod-circulation 24.2 and mod-feesfines 19.1 send it.
//!
//! A record says only what cannot be looked up later. Barcodes that the facts do not have are looked up when it is stored.

mod announced;
mod describe;
mod fees;
mod known;
mod loans;
mod requests;
mod write;

#[cfg(test)]
mod tests;

pub use crate::plan::{Logged, Source};
pub use crate::status::{LogAction, LogObject};
pub use announced::records_of_event;
pub use describe::notice as describe_notice;
pub use fees::{log_fees, logged_fee};
pub use write::{log, log_requests};
