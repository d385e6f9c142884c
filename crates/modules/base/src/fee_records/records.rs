//! The record types of mod-feesfines.

use octavo_kernel::Kind;
use octavo_record::{
    ConstraintMessage, ErasureRule, Field, Hooks, Index, InvalidId, Member, MergeRule, Message, PersonalData,
    Persons, PlainErrors, RecordMessages, RecordTransfer, RecordType, Reference, Unique,
};

use super::{automatic, validate};

pub static ALL: &[&RecordType] = &[
    &OWNER,
    &FEE_FINE,
    &OVERDUE_FINE_POLICY,
    &LOST_ITEM_FEE_POLICY,
    &MANUAL_BLOCK,
    &MANUAL_BLOCK_TEMPLATE,
    &ACCOUNT,
    &ACTION,
    &PAYMENT,
    &WAIVE,
    &REFUND,
    &TRANSFER,
    &COMMENT,
    &TRANSFER_CRITERIA,
];

const fn of_object(read: &'static str) -> RecordMessages {
    RecordMessages {
        not_found_on_read: read,
        not_found_on_replace: "Record Not Found",
        not_found_on_delete: "Record Not Found",
        invalid_id: InvalidId::NotFound(read),
        invalid_query: Some("CQL Parsing Error for '{query}': {message}"),
        on_create: ConstraintMessage::Fixed("Unable to process request"),
        on_delete: ConstraintMessage::Database,
        ..RecordMessages::RMB
    }
}

pub static OWNER: RecordType = RecordType {
    name: "fee/fine owner",
    table: "owners",
    path: "/owners",
    messages: of_object("OwnerObject does not exist"),
    collection: "owners",
    snapshot: true,
    schema: include_str!("../../../folio/records/mod-feesfines/ownerdata.tsv"),
    ..RecordType::BASE
};

pub static FEE_FINE: RecordType = RecordType {
    name: "fee/fine type",
    table: "feefines",
    path: "/feefines",
    messages: of_object("FeefineObject does not exist"),
    collection: "feefines",
    result_info: true,
    schema: include_str!("../../../folio/records/mod-feesfines/feefinedata.tsv"),
    fields: &[Field::text("feeFineType"), Field::uuid("ownerId")],
    unique: &[Unique::new(&["feeFineType", "ownerId"])],
    references: &[Reference::new("ownerId", "owners")],
    snapshot: true,
    plain_errors: PlainErrors::Everything,
    hooks: Hooks { validate_change: Some(automatic::refuse_automatic_change), ..Hooks::NONE },
    ..RecordType::BASE
};

pub static OVERDUE_FINE_POLICY: RecordType = RecordType {
    name: "overdue fine policy",
    table: "overdue_fine_policy",
    path: "/overdue-fines-policies",
    collection: "overdueFinePolicies",
    schema: include_str!("../../../folio/records/mod-feesfines/overdue-fine-policy.tsv"),
    fields: &[Field::text("name")],
    unique: &[Unique::new(&["name"]).message(
        Message::new(
            Kind::Refused,
            "The Overdue fine policy name entered already exists. Please enter a different name.",
            "",
        )
        .code("feesfines.policy.overdue.duplicate"),
    )],
    snapshot: true,
    plain_errors: PlainErrors::Changes,
    hooks: Hooks { validate: Some(validate::overdue_fine_policy), ..Hooks::NONE },
    persons: Some(&Persons {
        not_persons: &["reminderFeesPolicy.clearPatronBlockWhenPaid"],
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};

pub static LOST_ITEM_FEE_POLICY: RecordType = RecordType {
    name: "lost item fee policy",
    table: "lost_item_fee_policy",
    path: "/lost-item-fees-policies",
    collection: "lostItemFeePolicies",
    schema: include_str!("../../../folio/records/mod-feesfines/lost-item-fee-policy.tsv"),
    fields: &[Field::text("name")],
    unique: &[Unique::new(&["name"]).message(
        Message::new(
            Kind::Refused,
            "The Lost item fee policy name entered already exists. Please enter a different name.",
            "",
        )
        .code("feesfines.policy.lost.duplicate"),
    )],
    snapshot: true,
    plain_errors: PlainErrors::Changes,
    hooks: Hooks { validate: Some(validate::lost_item_fee_policy), ..Hooks::NONE },
    persons: Some(&Persons {
        not_persons: &[
            "patronBilledAfterAgedLost",
            "patronBilledAfterRecalledItemAgedLost",
            "chargeAmountItemPatron",
        ],
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};

pub static MANUAL_BLOCK: RecordType = RecordType {
    name: "manual block",
    table: "manualblocks",
    path: "/manualblocks",
    messages: of_object("ManualblockObject does not exist"),
    collection: "manualblocks",
    schema: include_str!("../../../folio/records/mod-feesfines/manualblockdata.tsv"),
    fields: &[Field::uuid("userId").indexed(&[Index::Order])],
    persons: Some(&Persons {
        on_user_merged: MOVE_WITH_USER,
        ..Persons::deleted_with_user(
            &[
                Member::patron_id("userId"),
                Member::patron("desc", PersonalData::Text),
                Member::patron("staffInformation", PersonalData::Text),
                Member::patron("patronMessage", PersonalData::Text),
            ],
            "t.\"userId\" = any($1)",
        )
    }),
    patron_lock_member: Some("userId"),
    ..RecordType::BASE
};

static MANUAL_BLOCK_TEMPLATE: RecordType = RecordType {
    name: "manual block template",
    table: "manual_block_templates",
    path: "/manual-block-templates",
    collection: "manualBlockTemplates",
    schema: include_str!("../../../folio/records/mod-feesfines/manual-block-template.tsv"),
    persons: Some(&Persons { not_persons: &["blockTemplate.patronMessage"], ..Persons::NOBODY }),
    ..RecordType::BASE
};

const MOVE_WITH_USER: MergeRule = MergeRule::Move(&[RecordTransfer::new("userId", "t.\"userId\" = $1")]);

/// Fees keep their patron when the loan is anonymised, as in FOLIO.
const KEEP_FOR_ACCOUNTING: ErasureRule =
    ErasureRule::Keep("the library's books say who was charged for what; they forget it with the user");

pub static ACCOUNT: RecordType = RecordType {
    name: "fee/fine account",
    table: "accounts",
    path: "/accounts",
    messages: RecordMessages {
        not_found_on_replace: "Not found",
        on_create: ConstraintMessage::Declared,
        ..of_object("AccountObject does not exist")
    },
    collection: "accounts",
    result_info: true,
    schema: include_str!("../../../folio/records/mod-feesfines/accountdata.tsv"),
    fields: &[
        // Where the library has limits, every check-out reads the open accounts of the patron.
        Field::uuid("userId").indexed(&[Index::OrderWithin(&["status.name"])]),
        Field::uuid("loanId").indexed(&[Index::Order]),
        Field::uuid("itemId").indexed(&[Index::Order]),
        Field::uuid("ownerId"),
        Field::lower("status.name"),
    ],
    response_expression: Some(
        "{t}.doc::jsonb || coalesce((\
            select jsonb_build_object('holdingsRecordId', h.id, 'instanceId', h.\"instanceId\") \
            from item i join holdings_record h on h.id = i.\"holdingsRecordId\" \
            where i.id = {t}.\"itemId\"), '{}')",
    ),
    hooks: Hooks { validate: Some(validate::account), ..Hooks::NONE },
    persons: Some(&Persons {
        members: &[Member::patron_id("userId")],
        not_persons: &["barcode"],
        on_loan_anonymised: KEEP_FOR_ACCOUNTING,
        on_user_deleted: ErasureRule::AnonymiseWhere("t.\"userId\" = any($1)"),
        on_user_merged: MOVE_WITH_USER,
        needed_while: Some("t.\"status.name\" = 'open'"),
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};

pub static ACTION: RecordType = RecordType {
    name: "fee/fine action",
    table: "feefineactions",
    path: "/feefineactions",
    messages: RecordMessages {
        on_create: ConstraintMessage::Declared,
        ..of_object("FeefineactionObject does not exist")
    },
    collection: "feefineactions",
    schema: include_str!("../../../folio/records/mod-feesfines/feefineactiondata.tsv"),
    fields: &[
        Field::uuid("accountId").indexed(&[Index::Order]),
        Field::uuid("userId").indexed(&[Index::Order]),
        Field::text("typeAction"),
        // Reports read some days or weeks out of many years.
        Field::time("dateAction").indexed(&[Index::Order]),
        // The report on cash drawers looks up each name of a service point.
        Field::exact("createdAt").indexed(&[Index::OrderWithin(&["source"])]),
        Field::exact("source"),
    ],
    persons: Some(&Persons {
        members: &[
            Member::patron_id("userId"),
            Member::patron("comments", PersonalData::Text),
            Member::patron("transactionInformation", PersonalData::Text),
            Member::staff("source", PersonalData::Name),
        ],
        not_persons: &[],
        on_loan_anonymised: KEEP_FOR_ACCOUNTING,
        on_user_deleted: ErasureRule::AnonymiseWhere("t.\"userId\" = any($1)"),
        on_user_merged: MOVE_WITH_USER,
        needed_while: Some(
            "exists (select from accounts a where a.id = t.\"accountId\" and a.\"status.name\" = 'open')",
        ),
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};

/// Declares lists from which staff choose, by name, table, path, collection, 404 message and schema file.
macro_rules! choices {
    ($($list:ident $name:literal, $table:literal, $path:literal, $collection:literal, $unknown:literal, $schema:literal
        $(, $member:ident: $value:expr)*;)*) => {$(
        static $list: RecordType = RecordType {
            name: $name,
            table: $table,
            path: $path,
            messages: of_object($unknown),
            collection: $collection,
            schema: include_str!(concat!("../../../folio/records/mod-feesfines/", $schema, ".tsv")),
            $($member: $value,)*
            ..RecordType::BASE
        };
    )*};
}

choices! {
    PAYMENT "payment method", "payments", "/payments", "payments", "PaymentObject does not exist", "paymentdata", result_info: true;
    WAIVE "waive reason", "waives", "/waives", "waivers", "WaiveObject does not exist", "waivedata", result_info: true;
    REFUND "refund reason", "refunds", "/refunds", "refunds", "RefundObject does not exist", "refunddata", result_info: true;
    TRANSFER "transfer account", "transfers", "/transfers", "transfers", "TransferObject does not exist", "transferdata", result_info: true;
    COMMENT "comment setting", "comments", "/comments", "comments", "CommentObject does not exist", "commentdata", result_info: true, persons: Some(&Persons::NOBODY);
    TRANSFER_CRITERIA "transfer criteria", "transfer_criteria", "/transfer-criterias", "transferCriterias", "TransferCriteriaObject does not exist", "transfer-criteriadata";
}
