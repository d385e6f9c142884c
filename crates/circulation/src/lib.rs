//! The rules of the circulation desk as pure decisions: facts and a command in, a plan or refusals out.
//!
//! It uses no SQL, HTTP, clock or random numbers: the time, the time zone and fresh ids are among the facts. Behaviour is that of
//! mod-circulation 24.2 (Quesnelia).

#![expect(
    clippy::result_large_err,
    reason = "a refusal is made once for a refused request; its size costs nothing"
)]

mod actual_cost;
mod add_info;
mod age_to_lost;
pub mod anonymize;
mod bill_aged;
pub mod blocks;
mod change_due_date;
mod check_in;
mod check_out;
mod claim_returned;
mod close_paid;
pub mod closed_library;
pub mod command;
pub mod dcb;
mod declare_lost;
mod document;
pub mod due_date;
pub mod facts;
pub mod fees;
mod governing;
mod item_mark;
mod loan_in_question;
mod loan_record;
pub mod log;
mod mark_missing;
pub mod moment;
mod money;
pub mod notice;
mod patron_note;
pub mod plan;
pub mod policy;
mod queue;
mod recall;
mod refusals;
mod remembered;
pub mod reminders;
pub mod remote;
mod renew;
pub mod request;
pub mod rules;
pub mod simulate;
pub mod status;
pub mod trace;
mod undecided;
mod undo;
pub mod view;

#[cfg(test)]
mod desk;
#[cfg(test)]
mod walk;

pub use actual_cost::{bill_actual_cost, cancel_actual_cost, expire_actual_cost, unknown_actual_cost};
pub use add_info::add_info;
pub use age_to_lost::age_to_lost;
pub use bill_aged::bill_aged;
pub use change_due_date::change_due_date;
pub use check_in::check_in;
pub use check_out::check_out;
pub use claim_returned::claim_returned;
pub use close_paid::{END_OF_LOST_LOAN, close_paid, with_ends_of_loans};
pub use declare_lost::declare_lost;
pub use document::Document;
pub use item_mark::{Mark, MarkFacts, mark_item};
pub use loan_in_question::unknown_loan;
pub use loan_record::{create_loan, replace_loan, stored_form};
pub use mark_missing::mark_missing;
pub use money::Money;
pub use remembered::{Change, StoredDecision, remember, remember_by_clock};
pub use renew::renew;
pub use undecided::Undecided;
pub use undo::{UndoFacts, undo};
