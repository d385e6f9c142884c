//! Loan history, `/loan-storage/loan-history`: every state that a loan was in.
//!
//! The code that writes a loan also writes its history. For jobs and deletions, a trigger (`tenant.sql`) writes it, as in FOLIO. The time is
//! that of the database in microseconds, so that two changes in one transaction keep their order.

use octavo_record::{
    DisclosureRule, ErasureRule, Field, Index, Member, MergeRule, PersonalData, Persons, RecordTransfer,
    RecordType,
};

/// Clients can only read it.
pub static LOAN_HISTORY: RecordType = RecordType {
    name: "loan history item",
    table: "audit_loan",
    path: "/loan-storage/loan-history",
    collection: "loansHistory",
    newest_first: Some("createdDate"),
    schema: include_str!("../../../folio/records/mod-circulation-storage/loans-history-item.tsv"),
    fields: &[Field::uuid("loan.id").indexed(&[Index::Order])],
    persons: Some(&Persons {
        members: &[
            Member::patron_id("loan.userId"),
            Member::patron_id("loan.proxyUserId"),
            Member::patron("loan.actionComment", PersonalData::Text),
            Member::staff("loan.metadata", PersonalData::Id),
        ],
        on_loan_anonymised: ErasureRule::AnonymiseWhere("t.\"loan.id\" = l.id"),
        // The history of closed loans is anonymised together with the loans.
        on_user_deleted: ErasureRule::Run(&["\
update audit_loan t
set doc = t.doc::jsonb #- '{loan,proxyUserId}'
from loan p
where p.\"proxyUserId\" = any($1)
  and t.\"loan.id\" = p.id"]),
        on_user_merged: MergeRule::Move(&[
            RecordTransfer::new(
                "loan.userId",
                "t.\"loan.id\" in (select l.id from loan l where l.\"userId\" in ($1, $2)) \
                 and t.doc #>> '{loan,userId}' = $1::uuid::text",
            ),
            RecordTransfer::new(
                "loan.proxyUserId",
                "t.\"loan.id\" in (select l.id from loan l where l.\"proxyUserId\" in ($1, $2)) \
                 and t.doc #>> '{loan,proxyUserId}' = $1::uuid::text",
            ),
        ]),
        disclosure: DisclosureRule::Where(
            "t.\"loan.id\" in (select l.id from loan l where l.\"userId\" = any($1) or l.\"proxyUserId\" = any($1))",
        ),
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};

/// Adds a loan's new state to its history.
pub(super) const INSERT_HISTORY: &str = "\
insert into audit_loan (id, doc, \"loan.id\", filled)
select e.id, history_entry(e.id, '{operation}', e.doc), e.loan, 1
from (select octavo.fresh_id() as id, w.id as loan, w.doc from {written} w) e";
