//! The record types of mod-circulation-storage, below the operations on them: `circulation` decides what becomes of loans and
//! requests, and `circulation_storage` has calls that begin its jobs.

mod history;
mod loans_and_requests;
mod notice_options;
mod policies;
mod records;
mod validate;

pub use history::LOAN_HISTORY;
pub use policies::{
    CANCELLATION_REASON, CIRCULATION_RULES, FIXED_DUE_DATE_SCHEDULE, LOAN_POLICY, PATRON_NOTICE_POLICY,
    REQUEST_POLICY, STAFF_SLIP,
};
pub use records::{
    ACTUAL_COST_RECORD, CHECK_IN, LOAN, PATRON_ACTION_SESSION, REQUEST, REQUEST_PREFERENCE, SCHEDULED_NOTICE,
    TLR_FEATURE_TOGGLE_JOB,
};
