//! Decisions as they are kept with their loans: explained at `GET /circulation/loans/{id}/explain`, undone at
//! `POST /octavo/loans/{id}/undo`. Both are Octavo's own.

pub(super) mod explain;
pub(super) mod undo;

use octavo_record::{DisclosureRule, ErasureRule, Field, Index, Member, PersonalData, Persons, RecordType};

/// Decisions about loans and their reasons. No path shows the record as it is.
pub(super) static DECISION: RecordType = RecordType {
    name: "decision",
    table: "decision",
    path: "/octavo/decisions",
    collection: "decisions",
    schema: include_str!("../../../octavo/records/mod-circulation/decision.tsv"),
    fields: &[Field::uuid("loanId").indexed(&[Index::Order])],
    persons: Some(&Persons {
        members: &[
            Member::patron("changes", PersonalData::All),
            Member::patron("steps", PersonalData::All),
            Member::staff("byUserId", PersonalData::Id),
        ],
        on_loan_anonymised: ErasureRule::DeleteWhere("t.\"loanId\" = l.id"),
        on_user_deleted: ErasureRule::Keep("those about their closed loans go with these"),
        disclosure: DisclosureRule::Where(
            "t.\"loanId\" in (select l.id from loan l where l.\"userId\" = any($1) or l.\"proxyUserId\" = any($1))",
        ),
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};

octavo_pg::statements!(within = [explain, undo]);
