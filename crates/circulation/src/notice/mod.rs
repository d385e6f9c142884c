//! The patron notices about a decision, at once and later, by the patron notice policy that the circulation rules set.
//!
//! Notices are derived from a finished plan and its facts, so that decisions do not deal with them. Behaviour is that of mod-circulation
//! 24.2.

mod announce;
mod fees;
mod fines;
mod relevance;
mod schedule;
mod session;
mod undone;
mod words;

#[cfg(test)]
mod tests;

pub use announce::{DecisionFacts, announce};
pub use fees::{announce_fees, notice_of_fee};
pub use relevance::{NoticeOutcome, Subject, notice_outcome};
pub use session::{VisitLoan, VisitNotice, notices_of_session};
pub use undone::announce_undone;
pub use words::{TemplateRecords, template_context};
