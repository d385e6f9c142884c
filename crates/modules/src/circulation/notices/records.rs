//! The ledger's record.

use octavo_record::{Field, Index, RecordType};

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
    metadata: false,
    ..RecordType::BASE
};
