//! The records that circulation writes all day. Each index slows every check-out, so these tables have fewer than FOLIO's; a
//! search by another field reads more rows and is counted.

use octavo_circulation::status::RequestStatus;
use octavo_record::{
    Fate, Field, Hooks, Index, Member, Merged, Moved, Persons, RecordType, Reference, Related, Told, Unique,
    What,
};
use serde_json::Value;

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
    unique: &[Unique::of(&["itemId"])
        .only("\"status.name\" = 'open'")
        .says("Cannot have more than one open loan for the same item", "itemId")],
    history: Some(super::history::KEPT),
    persons: Some(&Persons {
        members: &[
            Member::id("userId"),
            Member::id("proxyUserId"),
            Member::patron("actionComment", What::Text),
        ],
        of_loan: Fate::Forget("t.id = l.id"),
        // Their closed loans are anonymised; an open one names who has the item until it is back and paid for.
        of_user: Fate::Do(&[
            "update loan t set doc = t.doc::jsonb - 'proxyUserId' where t.\"proxyUserId\" = any($1)",
        ]),
        of_duplicate: Merged::Move(&[
            Moved::new("userId", "t.\"userId\" = $1"),
            Moved::new("proxyUserId", "t.\"proxyUserId\" = $1 and t.\"userId\" is distinct from $2"),
        ]),
        told: Told::Where("t.\"userId\" = any($1) or t.\"proxyUserId\" = any($1)"),
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
    shown: Some("placed({t}.doc, (select q.position from queue_place q where q.id = {t}.id))"),
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
    hooks: Hooks { derive: Some(left_on_shelf), ..Hooks::NONE },
    unique: &[Unique::of(&["itemId", "position"])
        .elsewhere()
        .says("Cannot have more than one request with the same position in the queue", "position")],
    references: &[Reference::new("cancellationReasonId", "cancellation_reason")],
    persons: Some(&Persons {
        members: &[
            Member::id("requesterId"),
            Member::patron("requester", What::All),
            Member::id("proxyUserId"),
            Member::patron("proxy", What::All),
            Member::patron("patronComments", What::Text),
            Member::patron("cancellationAdditionalInformation", What::Text),
            Member::patron("deliveryAddressTypeId", What::Address),
            Member::staff("cancelledByUserId", What::Id),
        ],
        others: &["item.barcode"],
        of_loan: Fate::Stay("a request does not name the loan that came of it"),
        of_user: Fate::Forget(
            "t.\"requesterId\" = any($1) or t.doc ->> 'proxyUserId' = any($1::uuid[]::text[])",
        ),
        of_duplicate: Merged::Move(&[
            Moved {
                document: Some(with_names!("requesterId", "requester")),
                ..Moved::new("requesterId", "t.\"requesterId\" = $1")
            },
            Moved {
                document: Some(with_names!("proxyUserId", "proxy")),
                ..Moved::new(
                    "proxyUserId",
                    "t.doc ->> 'proxyUserId' = $1::uuid::text and t.\"requesterId\" is distinct from $2",
                )
            },
        ]),
        needed: Some("t.status like 'open%'"),
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};

/// Sets the date by which the report of items to clear from the hold shelf finds requests, whoever has closed them.
fn left_on_shelf(request: &mut Value, related: &Related<'_>) {
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
    unique: &[Unique::of(&["userId"]).says("Request preference for specified user already exists", "userId")],
    persons: Some(&Persons {
        others: &["defaultDeliveryAddressTypeId"],
        ..Persons::of_user(&[Member::id("userId")], "t.\"userId\" = any($1)")
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
        told: Told::Not("they name items and who of the staff took them, of whom the circulation log tells"),
        ..Persons::of_staff(&[Member::staff("performedByUserId", What::Id)])
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
    shown: Some("({t}.doc::jsonb - 'because')"),
    fields: &[
        Field::time("nextRunTime").indexed(&[Index::Order]),
        Field::uuid("loanId").indexed(&[Index::Order]),
        Field::uuid("requestId").indexed(&[Index::Order]),
        Field::uuid("recipientUserId").indexed(&[Index::Order]),
        Field::exact("triggeringEvent"),
        Field::exact("noticeConfig.sendInRealTime"),
    ],
    persons: Some(&Persons {
        of_loan: Fate::Go("t.\"loanId\" = l.id and t.doc ->> 'feeFineActionId' is null"),
        of_duplicate: Merged::Move(&[Moved::new("recipientUserId", "t.\"recipientUserId\" = $1")]),
        ..Persons::of_user(&[Member::id("recipientUserId")], "t.\"recipientUserId\" = any($1)")
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
        of_loan: Fate::Go("t.\"patronId\" = l.\"userId\" and t.doc ->> 'loanId' = l.id::text"),
        of_duplicate: Merged::Move(&[Moved::new("patronId", "t.\"patronId\" = $1")]),
        ..Persons::of_user(&[Member::id("patronId")], "t.\"patronId\" = any($1)")
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
            Member::id("user.id"),
            Member::patron("user.barcode", What::Barcode),
            Member::patron("user.firstName", What::Name),
            Member::patron("user.lastName", What::Name),
            Member::patron("user.middleName", What::Name),
            Member::patron("additionalInfoForPatron", What::Text),
            Member::patron("additionalInfoForStaff", What::Text),
        ],
        others: &["item.barcode"],
        of_loan: Fate::Forget("t.\"loan.id\" = l.id"),
        of_user: Fate::Forget("t.doc #>> '{user,id}' = any($1::uuid[]::text[])"),
        of_duplicate: Merged::Move(&[Moved {
            document: Some(
                "t.doc::jsonb || (\
                   select jsonb_build_object('user', t.doc::jsonb -> 'user' || jsonb_strip_nulls(jsonb_build_object(\
                     'id', u.id, 'barcode', u.doc -> 'barcode', 'firstName', u.doc #> '{personal,firstName}', \
                     'lastName', u.doc #> '{personal,lastName}', 'middleName', u.doc #> '{personal,middleName}'))) \
                   from users u where u.id = $2)",
            ),
            ..Moved::new("user.id", "t.doc #>> '{user,id}' = $1::uuid::text")
        }]),
        needed: Some("t.status = 'open'"),
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};
