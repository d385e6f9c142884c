//! Loan history, `/loan-storage/loan-history`: every state that a loan was in.
//!
//! A trigger (`tenant.sql`) writes it, as in FOLIO: so it also holds what other writers than the desk did, record writes and jobs. The
//! clock is the database's, to the microsecond, so that two changes in one transaction keep their order.

use octavo_record::{Field, Index, RecordType};

/// Read only; no path changes it.
pub static LOAN_HISTORY: RecordType = RecordType {
    name: "loan history item",
    table: "audit_loan",
    path: "/loan-storage/loan-history",
    collection: "loansHistory",
    schema: include_str!("../../folio/records/mod-circulation-storage/loans-history-item.tsv"),
    fields: &[Field::uuid("loan.id").indexed(&[Index::Order])],
    metadata: false,
    ..RecordType::BASE
};
