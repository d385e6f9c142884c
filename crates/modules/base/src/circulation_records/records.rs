//! The records that circulation writes all day. Each index slows every check-out, so these tables have fewer than FOLIO's; a
//! search by another field reads more rows and is counted.

use octavo_circulation::status::RequestStatus;
use octavo_record::{
    DisclosureRule, ErasureRule, Field, Hooks, Index, Member, MergeRule, PersonalData, Persons,
    RecordTransfer, RecordType, Reference, Related, ReplaceOfUnknown, Unique,
};
use serde_json::Value;

use super::loans_and_requests;

pub static LOAN: RecordType = RecordType {
    name: "loan",
    table: "loan",
    path: "/loan-storage/loans",
    collection: "loans",
    schema: include_str!("../../../folio/records/mod-circulation-storage/loan.tsv"),
    fields: &[
        // A patron has few open loans among all that they ever had; limits count only these.
        Field::uuid("userId").indexed(&[Index::OrderWithin(&["status.name", "dueDate", "itemStatus"])]),
        Field::uuid("itemId").indexed(&[Index::Order]),
        Field::uuid("proxyUserId"),
        Field::lower("status.name"),
        Field::lower("action"),
        Field::lower("itemStatus"),
        Field::time("loanDate"),
        Field::time("dueDate").indexed(&[Index::Order]),
        Field::time("returnDate"),
    ],
    unique: &[Unique::new(&["itemId"])
        .only_where("\"status.name\" = 'open'")
        .with_refusal("Cannot have more than one open loan for the same item", "itemId")],
    history: Some(super::history::INSERT_HISTORY),
    replace_of_unknown: ReplaceOfUnknown::Creates,
    hooks: Hooks {
        default: Some(loans_and_requests::set_open_status),
        validate: Some(loans_and_requests::refuse_open_loan_of_nobody),
        refuse_as_text: Some(loans_and_requests::refuse_loan_dates),
        ..Hooks::NONE
    },
    persons: Some(&Persons {
        members: &[
            Member::patron_id("userId"),
            Member::patron_id("proxyUserId"),
            Member::patron("actionComment", PersonalData::Text),
        ],
        on_loan_anonymised: ErasureRule::AnonymiseWhere("t.id = l.id"),
        // When a user is deleted, their closed loans are anonymised. An open loan names the user until the item is back and paid for.
        on_user_deleted: ErasureRule::Run(&[
            "update loan t set doc = t.doc::jsonb - 'proxyUserId' where t.\"proxyUserId\" = any($1)",
        ]),
        on_user_merged: MergeRule::Move(&[
            RecordTransfer::new("userId", "t.\"userId\" = $1"),
            RecordTransfer::new("proxyUserId", "t.\"proxyUserId\" = $1 and t.\"userId\" is distinct from $2"),
        ]),
        disclosure: DisclosureRule::Where("t.\"userId\" = any($1) or t.\"proxyUserId\" = any($1)"),
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};

/// SQL for a request with another requester or proxy: the copy of their names and barcode changes with the id.
macro_rules! with_names {
    ($id:literal, $copy:literal) => {
        concat!(
            "t.doc::jsonb || (\
               select jsonb_build_object('",
            $id,
            "', u.id, '",
            $copy,
            "', jsonb_strip_nulls(jsonb_build_object(\
                 'firstName', u.doc #> '{personal,firstName}', 'lastName', u.doc #> '{personal,lastName}', \
                 'middleName', u.doc #> '{personal,middleName}', 'barcode', u.doc -> 'barcode'))) \
               from users u where u.id = $2)"
        )
    };
}

pub static REQUEST: RecordType = RecordType {
    name: "request",
    table: "request",
    path: "/request-storage/requests",
    collection: "requests",
    schema: include_str!("../../../folio/records/mod-circulation-storage/request.tsv"),
    response_expression: Some("placed({t}.doc, (select q.position from queue_place q where q.id = {t}.id))"),
    fields: &[
        Field::uuid("itemId").indexed(&[Index::Order]),
        Field::uuid("instanceId").indexed(&[Index::Order]),
        Field::uuid("requesterId").indexed(&[Index::Order]),
        Field::uuid("pickupServicePointId").indexed(&[Index::Order]),
        Field::uuid("cancellationReasonId"),
        // Staff slips list the waiting requests of one type.
        Field::lower("status").indexed(&[Index::OrderWithin(&["requestType"])]),
        Field::lower("requestType"),
        Field::lower("requestLevel"),
        Field::time("requestDate"),
        Field::time("requestExpirationDate"),
        Field::time("holdShelfExpirationDate"),
        Field::number("position").looked_up("(select q.position from queue_place q where q.id = {t}.id)"),
        // The ISBN of the title when the request was made, without hyphens.
        Field::text("itemIsbn").looked_up(
            "(select string_agg(regexp_replace(n ->> 'value', '[^0-9Xx]', '', 'g'), ' ') \
              from jsonb_array_elements(({t}.doc #> '{instance,identifiers}')::jsonb) n \
              where n ->> 'identifierTypeId' = '8261054f-be78-422d-bd51-4ed9f33c3422')",
        ),
        Field::lower("fullCallNumberIndex").computed(
            "rtrim(coalesce(doc #>> '{searchIndex,callNumberComponents,prefix}' || ' ', '') || \
             coalesce(doc #>> '{searchIndex,callNumberComponents,callNumber}' || ' ', '') || \
             coalesce(doc #>> '{searchIndex,callNumberComponents,suffix}', ''))",
        ),
    ],
    replace_of_unknown: ReplaceOfUnknown::Creates,
    hooks: Hooks {
        validate: Some(loans_and_requests::refuse_request_without_item),
        derive: Some(set_hold_shelf_closed_date),
        ..Hooks::NONE
    },
    unique: &[Unique::new(&["itemId", "position"])
        .created_by_script()
        .with_refusal("Cannot have more than one request with the same position in the queue", "position")],
    references: &[Reference::new("cancellationReasonId", "cancellation_reason")],
    persons: Some(&Persons {
        members: &[
            Member::patron_id("requesterId"),
            Member::patron("requester", PersonalData::All),
            Member::patron_id("proxyUserId"),
            Member::patron("proxy", PersonalData::All),
            Member::patron("patronComments", PersonalData::Text),
            Member::patron("cancellationAdditionalInformation", PersonalData::Text),
            Member::patron("deliveryAddressTypeId", PersonalData::Address),
            Member::staff("cancelledByUserId", PersonalData::Id),
        ],
        not_persons: &["item.barcode"],
        on_loan_anonymised: ErasureRule::Keep("a request does not name the loan that came of it"),
        on_user_deleted: ErasureRule::AnonymiseWhere(
            "t.\"requesterId\" = any($1) or t.doc ->> 'proxyUserId' = any($1::uuid[]::text[])",
        ),
        on_user_merged: MergeRule::Move(&[
            RecordTransfer {
                document: Some(with_names!("requesterId", "requester")),
                ..RecordTransfer::new("requesterId", "t.\"requesterId\" = $1")
            },
            RecordTransfer {
                document: Some(with_names!("proxyUserId", "proxy")),
                ..RecordTransfer::new(
                    "proxyUserId",
                    "t.doc ->> 'proxyUserId' = $1::uuid::text and t.\"requesterId\" is distinct from $2",
                )
            },
        ]),
        needed_while: Some("t.status like 'open%'"),
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};

/// Sets the date by which the report of items to clear from the hold shelf finds requests, whoever has closed them.
fn set_hold_shelf_closed_date(request: &mut Value, related: &Related<'_>) {
    let status = |request: &Value| request["status"].as_str().and_then(RequestStatus::spelled);
    let awaited = related.stored.and_then(status) == Some(RequestStatus::AwaitingPickup);
    if awaited && matches!(status(request), Some(RequestStatus::PickupExpired | RequestStatus::Cancelled)) {
        request["awaitingPickupRequestClosedDate"] = related.now.into();
    }
}

pub static REQUEST_PREFERENCE: RecordType = RecordType {
    name: "request preference",
    table: "user_request_preference",
    path: "/request-preference-storage/request-preference",
    collection: "requestPreferences",
    schema: include_str!("../../../folio/records/mod-circulation-storage/request-preference.tsv"),
    fields: &[Field::uuid("userId")],
    unique: &[Unique::new(&["userId"])
        .with_refusal("Request preference for specified user already exists", "userId")],
    persons: Some(&Persons {
        not_persons: &["defaultDeliveryAddressTypeId"],
        ..Persons::deleted_with_user(&[Member::patron_id("userId")], "t.\"userId\" = any($1)")
    }),
    ..RecordType::BASE
};

/// The order to renumber the queues of the library, because title-level requests were switched on or off.
pub static TLR_FEATURE_TOGGLE_JOB: RecordType = RecordType {
    name: "TLR feature toggle job",
    table: "tlr_feature_toggle_job",
    path: "/tlr-feature-toggle-job-storage/tlr-feature-toggle-jobs",
    collection: "tlrFeatureToggleJobs",
    schema: include_str!("../../../folio/records/mod-circulation-storage/tlr-feature-toggle-job.tsv"),
    fields: &[Field::lower("status")],
    ..RecordType::BASE
};

pub static CHECK_IN: RecordType = RecordType {
    name: "check-in",
    table: "check_in",
    path: "/check-in-storage/check-ins",
    collection: "checkIns",
    schema: include_str!("../../../folio/records/mod-circulation-storage/check-in.tsv"),
    persons: Some(&Persons {
        disclosure: DisclosureRule::Nothing(
            "they name items and who of the staff took them, of whom the circulation log tells",
        ),
        ..Persons::naming_staff(&[Member::staff("performedByUserId", PersonalData::Id)])
    }),
    ..RecordType::BASE
};

/// A patron notice for later. Octavo adds the reason (`because`), which FOLIO's record does not have.
pub static SCHEDULED_NOTICE: RecordType = RecordType {
    name: "scheduled notice",
    table: "scheduled_notice",
    path: "/scheduled-notice-storage/scheduled-notices",
    collection: "scheduledNotices",
    schema: include_str!("../../../folio/records/mod-circulation-storage/scheduled-notice.tsv"),
    response_expression: Some("({t}.doc::jsonb - 'because')"),
    fields: &[
        Field::time("nextRunTime").indexed(&[Index::Order]),
        Field::uuid("loanId").indexed(&[Index::Order]),
        Field::uuid("requestId").indexed(&[Index::Order]),
        Field::uuid("recipientUserId").indexed(&[Index::Order]),
        Field::exact("triggeringEvent"),
        Field::exact("noticeConfig.sendInRealTime"),
    ],
    persons: Some(&Persons {
        on_loan_anonymised: ErasureRule::DeleteWhere(
            "t.\"loanId\" = l.id and t.doc ->> 'feeFineActionId' is null",
        ),
        on_user_merged: MergeRule::Move(&[RecordTransfer::new(
            "recipientUserId",
            "t.\"recipientUserId\" = $1",
        )]),
        ..Persons::deleted_with_user(
            &[Member::patron_id("recipientUserId")],
            "t.\"recipientUserId\" = any($1)",
        )
    }),
    ..RecordType::BASE
};

pub static PATRON_ACTION_SESSION: RecordType = RecordType {
    name: "patron action session",
    table: "patron_action_session",
    path: "/patron-action-session-storage/patron-action-sessions",
    collection: "patronActionSessions",
    schema: include_str!("../../../folio/records/mod-circulation-storage/patron-action-session.tsv"),
    fields: &[Field::uuid("patronId").indexed(&[Index::Order])],
    persons: Some(&Persons {
        on_loan_anonymised: ErasureRule::DeleteWhere(
            "t.\"patronId\" = l.\"userId\" and t.doc ->> 'loanId' = l.id::text",
        ),
        on_user_merged: MergeRule::Move(&[RecordTransfer::new("patronId", "t.\"patronId\" = $1")]),
        ..Persons::deleted_with_user(&[Member::patron_id("patronId")], "t.\"patronId\" = any($1)")
    }),
    ..RecordType::BASE
};

pub static ACTUAL_COST_RECORD: RecordType = RecordType {
    name: "actual cost record",
    table: "actual_cost_record",
    path: "/actual-cost-record-storage/actual-cost-records",
    collection: "actualCostRecords",
    schema: include_str!("../../../folio/records/mod-circulation-storage/actual-cost-record.tsv"),
    fields: &[
        Field::uuid("loan.id").indexed(&[Index::Order]),
        Field::lower("status").indexed(&[Index::Order]),
        Field::lower("lossType"),
        Field::time("lossDate"),
        Field::time("expirationDate"),
    ],
    persons: Some(&Persons {
        members: &[
            Member::patron_id("user.id"),
            Member::patron("user.barcode", PersonalData::Barcode),
            Member::patron("user.firstName", PersonalData::Name),
            Member::patron("user.lastName", PersonalData::Name),
            Member::patron("user.middleName", PersonalData::Name),
            Member::patron("additionalInfoForPatron", PersonalData::Text),
            Member::patron("additionalInfoForStaff", PersonalData::Text),
        ],
        not_persons: &["item.barcode"],
        on_loan_anonymised: ErasureRule::AnonymiseWhere("t.\"loan.id\" = l.id"),
        on_user_deleted: ErasureRule::AnonymiseWhere("t.doc #>> '{user,id}' = any($1::uuid[]::text[])"),
        on_user_merged: MergeRule::Move(&[RecordTransfer {
            document: Some(
                "t.doc::jsonb || (\
                   select jsonb_build_object('user', t.doc::jsonb -> 'user' || jsonb_strip_nulls(jsonb_build_object(\
                     'id', u.id, 'barcode', u.doc -> 'barcode', 'firstName', u.doc #> '{personal,firstName}', \
                     'lastName', u.doc #> '{personal,lastName}', 'middleName', u.doc #> '{personal,middleName}'))) \
                   from users u where u.id = $2)",
            ),
            ..RecordTransfer::new("user.id", "t.doc #>> '{user,id}' = $1::uuid::text")
        }]),
        needed_while: Some("t.status = 'open'"),
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};
