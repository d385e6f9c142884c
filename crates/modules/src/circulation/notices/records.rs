//! The ledger's record.

use octavo_record::{Fate, Field, Index, Member, Persons, RecordType, What};

/// Not written yet, or in the mail.
const ON_ITS_WAY: &str = "t.status in ('Pending', 'Sending')";

pub static NOTICE: RecordType = RecordType {
    name: "notice",
    table: "notice",
    path: "/notice-ledger/notices",
    collection: "notices",
    schema: include_str!("../../../octavo/records/notice.tsv"),
    fields: &[
        Field::exact("status"),
        Field::exact("event"),
        Field::uuid("recipientId").indexed(&[Index::Order]),
        Field::uuid("loanId").indexed(&[Index::Order]),
        Field::uuid("requestId").indexed(&[Index::Order]),
        Field::uuid("templateId"),
        Field::uuid("policyId"),
        Field::time("decidedDate").indexed(&[Index::Order]),
    ],
    persons: Some(&Persons {
        members: &[
            Member::id("recipientId"),
            Member::patron("to", What::Address),
            Member::patron("header", What::Text),
            Member::patron("body", What::Text),
            Member::patron("context", What::All),
            Member::patron("remarks", What::Text),
            Member::patron("message", What::Text),
            Member::staff("decidedByUserId", What::Id),
        ],
        others: &["emailId"],
        of_loan: Fate::Forget(
            "t.\"loanId\" = l.id \
             or t.\"recipientId\" = l.\"userId\" and (t.doc -> 'loanIds')::jsonb ? l.id::text",
        ),
        of_user: Fate::Forget("t.\"recipientId\" = any($1)"),
        needed: Some(ON_ITS_WAY),
    }),
    ..RecordType::BASE
};
