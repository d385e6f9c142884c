//! Policies, schedules and the circulation rules: small tables that decisions read from the tenant's snapshot.

use octavo_kernel::Kind;
use octavo_record::{
    ConstraintMessage, Field, Hooks, InvalidId, Message, PlainErrors, RecordMessages, RecordType, Reference,
    Related, ReplaceOfUnknown, Unique,
};
use serde_json::Value;

use super::{notice_options, validate};

/// Such records are replaced by an insert that may meet a stored record. If PostgreSQL refuses it, the answer is PostgreSQL's message.
const REPLACED_BY_UPSERT: RecordMessages =
    RecordMessages { on_replace: ConstraintMessage::Database, ..RecordMessages::RMB };

pub static FIXED_DUE_DATE_SCHEDULE: RecordType = RecordType {
    name: "fixed due date schedule",
    table: "fixed_due_date_schedule",
    path: "/fixed-due-date-schedule-storage/fixed-due-date-schedules",
    messages: RecordMessages {
        invalid_id: InvalidId::NotFound("Not found, invalid UUID format"),
        ..REPLACED_BY_UPSERT
    },
    collection: "fixedDueDateSchedules",
    schema: include_str!("../../../folio/records/mod-circulation-storage/fixed-due-date-schedule.tsv"),
    fields: &[Field::text("name")],
    unique: &[Unique::new(&["name"])],
    snapshot: true,
    replace_of_unknown: ReplaceOfUnknown::Creates,
    hooks: Hooks { validate: Some(validate::schedule), ..Hooks::NONE },
    ..RecordType::BASE
};

pub static LOAN_POLICY: RecordType = RecordType {
    name: "loan policy",
    table: "loan_policy",
    path: "/loan-policy-storage/loan-policies",
    collection: "loanPolicies",
    messages: REPLACED_BY_UPSERT,
    schema: include_str!("../../../folio/records/mod-circulation-storage/loan-policy.tsv"),
    fields: &[
        Field::text("name"),
        Field::uuid("loansPolicy.fixedDueDateScheduleId"),
        Field::uuid("renewalsPolicy.alternateFixedDueDateScheduleId"),
    ],
    references: &[
        Reference::new("loansPolicy.fixedDueDateScheduleId", "fixed_due_date_schedule"),
        Reference::new("renewalsPolicy.alternateFixedDueDateScheduleId", "fixed_due_date_schedule"),
    ],
    snapshot: true,
    replace_of_unknown: ReplaceOfUnknown::Creates,
    hooks: Hooks { validate: Some(validate::loan_policy), ..Hooks::NONE },
    ..RecordType::BASE
};

pub static REQUEST_POLICY: RecordType = RecordType {
    name: "request policy",
    table: "request_policy",
    path: "/request-policy-storage/request-policies",
    collection: "requestPolicies",
    messages: REPLACED_BY_UPSERT,
    schema: include_str!("../../../folio/records/mod-circulation-storage/request-policy.tsv"),
    fields: &[Field::text("name")],
    unique: &[Unique::new(&["name"])],
    snapshot: true,
    replace_of_unknown: ReplaceOfUnknown::Creates,
    hooks: Hooks { validate_with_snapshot: Some(validate::pickup_locations), ..Hooks::NONE },
    ..RecordType::BASE
};

pub static PATRON_NOTICE_POLICY: RecordType = RecordType {
    name: "patron notice policy",
    table: "patron_notice_policy",
    path: "/patron-notice-policy-storage/patron-notice-policies",
    collection: "patronNoticePolicies",
    schema: include_str!("../../../folio/records/mod-circulation-storage/patron-notice-policy.tsv"),
    fields: &[Field::text("name")],
    unique: &[Unique::new(&["name"])
        .message(Message::new(Kind::Refused, "'{}' name in not unique", "").code("duplicate.name"))],
    snapshot: true,
    hooks: Hooks { validate_change: Some(notice_options::check_loan_notices), ..Hooks::NONE },
    ..RecordType::BASE
};

pub static STAFF_SLIP: RecordType = RecordType {
    name: "staff slip",
    table: "staff_slips",
    path: "/staff-slips-storage/staff-slips",
    collection: "staffSlips",
    schema: include_str!("../../../folio/records/mod-circulation-storage/staff-slip.tsv"),
    plain_errors: PlainErrors::Everything,
    fields: &[Field::text("name")],
    unique: &[Unique::new(&["name"])],
    replace_of_unknown: ReplaceOfUnknown::CreatesAndShows,
    hooks: Hooks { refuse_as_text: Some(refuse_empty_slip), derive: Some(activate_new_slip), ..Hooks::NONE },
    ..RecordType::BASE
};

fn refuse_empty_slip(slip: &Value) -> Option<String> {
    let members = [("name", "Name is a required property"), ("template", "Template is a required property")];
    let missing = members.into_iter().filter(|(member, _)| slip[*member] == "");
    let messages: Vec<&str> = missing.map(|(_, message)| message).collect();
    (!messages.is_empty()).then(|| messages.join("\n"))
}

fn activate_new_slip(slip: &mut Value, related: &Related<'_>) {
    if related.stored.is_none() && slip["active"].is_null() {
        slip["active"] = true.into();
    }
}

pub static CANCELLATION_REASON: RecordType = RecordType {
    name: "cancellation reason",
    table: "cancellation_reason",
    path: "/cancellation-reason-storage/cancellation-reasons",
    collection: "cancellationReasons",
    schema: include_str!("../../../folio/records/mod-circulation-storage/cancellation-reason.tsv"),
    plain_errors: PlainErrors::Changes,
    fields: &[Field::text("name")],
    unique: &[Unique::new(&["name"])],
    ..RecordType::BASE
};

/// A tenant has exactly one; `/circulation/rules` and `/circulation-rules-storage` serve it.
pub static CIRCULATION_RULES: RecordType = RecordType {
    name: "circulation rules",
    table: "circulation_rules",
    path: "/circulation-rules-storage",
    collection: "circulationRules",
    schema: include_str!("../../../folio/records/mod-circulation-storage/circulation-rules.tsv"),
    single: true,
    snapshot: true,
    ..RecordType::BASE
};
