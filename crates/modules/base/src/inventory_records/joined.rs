//! Instances, which are the titles that a library describes; holdings records: what a library has of an instance, and where; and
//! items, the physical copies. They are declared in one file, because a query for one of them can ask for the others.
//!
//! Columns of an instance: what FOLIO's clients and its importer look instances up by, and `keyword`, the words that the
//! module `search` finds them by. Left without an index: `contributors`, `publication`, `statisticalCodeIds`; CQL finds them by
//! reading the documents. `titles`, `contributorNames`, `subjectHeadings` and `identifierTokens` are parts of `keyword`, which
//! narrow what it finds.
//!
//! Columns of a holdings record without an index: `callNumberAndSuffix`, `fullCallNumber`, `discoverySuppress`,
//! `metadata.updatedDate`.
//!
//! An item changes with every loan: its status, where it was last checked in, who changed it when. None of these is in an
//! index, so PostgreSQL rewrites the row in place (HOT) without touching the eleven indexes below: `status.name`,
//! `metadata.updatedDate`, `lastCheckIn`. A search by status alone reads the table; with holdings, location or barcode
//! beside it, it does not. Also left without an index: `callNumberAndSuffix`, `fullCallNumber`, `discoverySuppress`.
//! Facts: mod-inventory-storage 27.1.3.

use octavo_record::{
    ConstraintMessage, Dependents, Field, Hooks, Hop, Index, InvalidId, Join, ListReference, Member,
    MissingMessages, PersonalData, Persons, PlainErrors, RecordMessages, RecordType, Reference, Related,
    ReplaceOfUnknown, Unique,
};
use serde_json::Value;

use super::effective::{holdings_location, inherited_differ, set_effective_values};
use super::instances::refuse_changed_hrid;
use super::notes::refuse_long_notes;
use super::{LOAN_TYPE, LOCATION, MATERIAL_TYPE, instances, items};

/// The error messages of record types whose records can be deleted by a CQL query.
const MANY_BY_QUERY: RecordMessages =
    RecordMessages { missing_query: "Expected CQL but query parameter is empty", ..RecordMessages::RMB };

const UNKNOWN_STATISTICAL_CODE: &str = "statistical code doesn't exist: {} foreign key violation in statisticalCodeIds array of instance with id={id}";

/// The identifiers of a type, each without the blanks and hyphens in the number that it begins with.
macro_rules! numbers {
    ($kind:literal) => {
        concat!(
            "octavo.fold((select string_agg(btrim(\
             regexp_replace(substring(e ->> 'value' from '^[0-9[:blank:]-]*'), '[[:blank:]-]', '', 'g') || ' ' || \
             regexp_replace(e ->> 'value', '^[0-9[:blank:]-]*', '')), ' ') \
             from octavo.elements({t}.doc, 'identifiers') e where e ->> 'identifierTypeId' = '",
            $kind,
            "'))"
        )
    };
}

pub static INSTANCE: RecordType = RecordType {
    name: "instance",
    table: "instance",
    path: "/instance-storage/instances",
    collection: "instances",
    result_info: true,
    schema: include_str!("../../../folio/records/mod-inventory-storage/instance.tsv"),
    fields: &[
        Field::text("hrid"),
        Field::text("matchKey"),
        Field::text("source").indexed(&[Index::Order]),
        // An entry of an index has room for 600 characters.
        Field::text("title").max_characters(600).indexed(&[Index::Order, Index::Words, Index::Anywhere]),
        Field::text("indexTitle").max_characters(600).indexed(&[Index::Order]),
        Field::text("staffSuppress"),
        Field::text("discoverySuppress"),
        Field::uuid("instanceTypeId"),
        Field::uuid("modeOfIssuanceId"),
        Field::uuid("statusId"),
        Field::time("metadata.updatedDate").indexed(&[Index::Order]),
        Field::text("identifiers").array("value", &["identifierTypeId"]),
        Field::text("contributors").array("name", &["contributorNameTypeId", "contributorTypeId", "primary"]),
        Field::text("keyword")
            .computed(
                "left(coalesce(doc ->> 'title', '') || ' ' || \
                 octavo.texts(doc -> 'alternativeTitles', 'alternativeTitle') || ' ' || \
                 octavo.texts(doc -> 'series', 'value') || ' ' || \
                 octavo.texts(doc -> 'contributors', 'name') || ' ' || \
                 octavo.texts(doc -> 'subjects', 'value') || ' ' || \
                 octavo.texts(doc -> 'identifiers', 'value') || \
                 octavo.identifiers(doc -> 'identifiers'), 100000)",
            )
            .indexed(&[Index::Words]),
        Field::text("titles").looked_up(
            "octavo.fold(coalesce({t}.doc ->> 'title', '') || ' ' || \
             octavo.texts(({t}.doc -> 'alternativeTitles')::jsonb, 'alternativeTitle') || ' ' || \
             octavo.texts(({t}.doc -> 'series')::jsonb, 'value'))",
        ),
        Field::text("contributorNames")
            .looked_up("octavo.fold(octavo.texts(({t}.doc -> 'contributors')::jsonb, 'name'))"),
        Field::text("subjectHeadings")
            .looked_up("octavo.fold(octavo.texts(({t}.doc -> 'subjects')::jsonb, 'value'))"),
        // Clients sort instances by the status of their items.
        Field::lower("itemStatus").looked_up(
            "(select min(lower(i.doc #>> '{status,name}')) from holdings_record h \
             join item i on i.\"holdingsRecordId\" = h.id where h.\"instanceId\" = {t}.id)",
        ),
        Field::text("identifierTokens").looked_up("octavo.identifiers(({t}.doc -> 'identifiers')::jsonb)"),
        Field::text("isbn")
            .looked_up(numbers!("8261054f-be78-422d-bd51-4ed9f33c3422"))
            .number_within("keyword"),
        Field::text("invalidIsbn")
            .looked_up(numbers!("fcca2643-406a-482a-b760-7a7f8aec640e"))
            .number_within("keyword"),
    ],
    unique: &[Unique::new(&["hrid"]).fields_label("HRID"), Unique::new(&["matchKey"])],
    references: &[
        Reference::new("instanceTypeId", "instance_type"),
        Reference::new("modeOfIssuanceId", "mode_of_issuance"),
    ],
    list_references: &[statistical_codes(Some(MissingMessages {
        refusal: UNKNOWN_STATISTICAL_CODE,
        plain: UNKNOWN_STATISTICAL_CODE,
        code: None,
    }))],
    joins: &[
        Join {
            alias: "holdingsRecords",
            hops: &[Hop::Children { field: "instanceId", record_type: &HOLDINGS }],
        },
        Join {
            alias: "item",
            hops: &[
                Hop::Children { field: "instanceId", record_type: &HOLDINGS },
                Hop::Children { field: "holdingsRecordId", record_type: &ITEM },
            ],
        },
    ],
    locking: true,
    messages: RecordMessages {
        not_found_on_read: "",
        invalid_id: InvalidId::BadRequest,
        on_delete: ConstraintMessage::Database,
        ..MANY_BY_QUERY
    },
    plain_errors: PlainErrors::Everything,
    hooks: Hooks {
        validate: Some(refuse_long_notes),
        validate_change: Some(instances::transition),
        derive: Some(instances::derive),
        hrid_setting: Some("instances"),
        ..Hooks::NONE
    },
    ..RecordType::BASE
};

pub static HOLDINGS: RecordType = RecordType {
    name: "holdings record",
    table: "holdings_record",
    path: "/holdings-storage/holdings",
    collection: "holdingsRecords",
    result_info: true,
    schema: include_str!("../../../folio/records/mod-inventory-storage/holdingsRecord.tsv"),
    fields: &[
        Field::text("hrid"),
        Field::uuid("instanceId").indexed(&[Index::Order]),
        Field::uuid("permanentLocationId"),
        Field::uuid("temporaryLocationId"),
        Field::uuid("effectiveLocationId"),
        Field::uuid("holdingsTypeId"),
        Field::uuid("callNumberTypeId"),
        Field::uuid("illPolicyId"),
        Field::uuid("sourceId"),
        Field::lower("callNumber").max_characters(600).indexed(&[Index::Order]),
        Field::lower("callNumberAndSuffix")
            .computed(
            "rtrim(coalesce(doc ->> 'callNumber' || ' ', '') || coalesce(doc ->> 'callNumberSuffix', ''))",
        ),
        Field::lower("fullCallNumber").computed(
            "rtrim(coalesce(doc ->> 'callNumberPrefix' || ' ', '') || coalesce(doc ->> 'callNumber' || ' ', '') || \
             coalesce(doc ->> 'callNumberSuffix', ''))",
        ),
        Field::text("discoverySuppress"),
    ],
    unique: &[Unique::new(&["hrid"]).fields_label("HRID")],
    references: &[
        Reference::new("instanceId", "instance"),
        Reference::new("permanentLocationId", "location"),
        Reference::new("temporaryLocationId", "location"),
        Reference::new("effectiveLocationId", "location"),
        Reference::new("holdingsTypeId", "holdings_type"),
        Reference::new("callNumberTypeId", "call_number_type"),
        Reference::new("illPolicyId", "ill_policy"),
        Reference::new("sourceId", "holdings_records_source"),
    ],
    list_references: &[statistical_codes(None)],
    joins: &[
        Join { alias: "instance", hops: &[Hop::Parent { field: "instanceId", record_type: &INSTANCE }] },
        Join { alias: "item", hops: &[Hop::Children { field: "holdingsRecordId", record_type: &ITEM }] },
    ],
    locking: true,
    replace_of_unknown: ReplaceOfUnknown::CreatesCheckedAsNew,
    messages: RecordMessages { on_replace: ConstraintMessage::Database, ..MANY_BY_QUERY },
    plain_errors: PlainErrors::Changes,
    hooks: Hooks {
        validate: Some(refuse_long_notes),
        validate_change: Some(refuse_changed_hrid),
        derive: Some(set_effective_location),
        hrid_setting: Some("holdings"),
        dependents: Some(Dependents {
            record_type: &ITEM,
            field: "holdingsRecordId",
            is_affected: inherited_differ,
            change: set_effective_values,
        }),
        ..Hooks::NONE
    },
    ..RecordType::BASE
};

fn set_effective_location(holdings: &mut Value, _: &Related<'_>) {
    holdings["effectiveLocationId"] = holdings_location(holdings);
}

pub static ITEM: RecordType = item_record();

const ITEM_PERSONS: &Persons = &Persons {
    not_persons: &["barcode"],
    ..Persons::naming_staff(&[
        Member::staff("circulationNotes[].source", PersonalData::All),
        Member::staff("lastCheckIn.staffMemberId", PersonalData::Id),
    ])
};

/// The record type, for interfaces that show items with other messages.
pub const fn item_record() -> RecordType {
    RecordType {
        name: "item",
        table: "item",
        path: "/item-storage/items",
        collection: "items",
        result_info: true,
        schema: include_str!("../../../folio/records/mod-inventory-storage/item.tsv"),
        fields: ITEM_FIELDS,
        unique: ITEM_UNIQUE,
        references: ITEM_REFERENCES,
        list_references: ITEM_LISTS,
        joins: &ITEM_JOINS,
        locking: true,
        messages: RecordMessages { reference_separator: " ", ..MANY_BY_QUERY },
        plain_errors: PlainErrors::Changes,
        hooks: Hooks {
            validate: Some(refuse_long_notes),
            validate_change: Some(refuse_changed_hrid),
            derive: Some(items::derive),
            derive_references: &["holdingsRecordId"],
            batch_instant: Some("/status/date"),
            hrid_setting: Some("items"),
            ..Hooks::NONE
        },
        persons: Some(ITEM_PERSONS),
        ..RecordType::BASE
    }
}

const ITEM_FIELDS: &[Field] = &[
    Field::lower("barcode"),
    Field::lower("hrid"),
    Field::uuid("holdingsRecordId").indexed(&[Index::Order]),
    Field::uuid("effectiveLocationId"),
    Field::uuid("permanentLocationId"),
    Field::uuid("temporaryLocationId"),
    Field::uuid("materialTypeId"),
    Field::uuid("permanentLoanTypeId"),
    Field::uuid("temporaryLoanTypeId"),
    Field::lower("accessionNumber").indexed(&[Index::Order]),
    Field::lower("purchaseOrderLineIdentifier").indexed(&[Index::Order]),
    Field::lower("effectiveCallNumberComponents.callNumber").max_characters(600).indexed(&[Index::Order]),
    // These fields have no columns: without an index, a column would only be computed anew at each check-out.
    Field::lower("status.name").looked_up("lower({t}.doc #>> '{status,name}')"),
    Field::lower("callNumberAndSuffix").looked_up(
        "lower(rtrim(coalesce({t}.doc #>> '{effectiveCallNumberComponents,callNumber}' || ' ', '') || \
             coalesce({t}.doc #>> '{effectiveCallNumberComponents,suffix}', '')))",
    ),
    Field::lower("fullCallNumber").looked_up(
        "lower(rtrim(coalesce({t}.doc #>> '{effectiveCallNumberComponents,prefix}' || ' ', '') || \
             coalesce({t}.doc #>> '{effectiveCallNumberComponents,callNumber}' || ' ', '') || \
             coalesce({t}.doc #>> '{effectiveCallNumberComponents,suffix}', '')))",
    ),
];

const ITEM_UNIQUE: &[Unique] = &[Unique::new(&["barcode"]), Unique::new(&["hrid"]).fields_label("HRID")];

const ITEM_REFERENCES: &[Reference] = &[
    Reference::new("holdingsRecordId", "holdings_record")
        .with_messages("Holdings record does not exist", "holdingsRecordId not found: {}"),
    Reference::new("effectiveLocationId", "location"),
    Reference::new("permanentLocationId", "location"),
    Reference::new("temporaryLocationId", "location"),
    Reference::new("materialTypeId", "material_type"),
    Reference::new("permanentLoanTypeId", "loan_type"),
    Reference::new("temporaryLoanTypeId", "loan_type"),
];

const ITEM_LISTS: &[ListReference] = &[statistical_codes(Some(MissingMessages {
    refusal: "statistical code doesn't exist: {} foreign key violation in statisticalCodeIds array of item with id={id}",
    plain: "statistical code doesn't exist: {}: foreign key violation in statisticalCodeIds array of item with id={id}",
    code: None,
}))];

const fn statistical_codes(absent: Option<MissingMessages>) -> ListReference {
    ListReference {
        field: "statisticalCodeIds",
        table: "statistical_code",
        message: absent,
        // FOLIO says "holdings record" here, not `holdings_record`.
        still_listed: "foreign_key_violation: Key (id)=({}) is still referenced from table \"{name}\".",
    }
}

/// Members that show the records of an item's ids: the id's name, the shown member's name, the record type.
pub const ITEM_LOOKUPS: [(&str, &str, &RecordType); 6] = [
    ("materialTypeId", "materialType", &MATERIAL_TYPE),
    ("permanentLoanTypeId", "permanentLoanType", &LOAN_TYPE),
    ("temporaryLoanTypeId", "temporaryLoanType", &LOAN_TYPE),
    ("permanentLocationId", "permanentLocation", &LOCATION),
    ("temporaryLocationId", "temporaryLocation", &LOCATION),
    ("effectiveLocationId", "effectiveLocation", &LOCATION),
];

static ITEM_JOINS: [Join; 2] = [
    Join {
        alias: "holdingsRecords",
        hops: &[Hop::Parent { field: "holdingsRecordId", record_type: &HOLDINGS }],
    },
    Join {
        alias: "instance",
        hops: &[
            Hop::Parent { field: "holdingsRecordId", record_type: &HOLDINGS },
            Hop::Parent { field: "instanceId", record_type: &INSTANCE },
        ],
    },
];

/// A further title of an item: the holdings record of another instance that is bound in the same volume.
pub static BOUND_WITH_PART: RecordType = RecordType {
    name: "bound-with part",
    table: "bound_with_part",
    path: "/inventory-storage/bound-with-parts",
    collection: "boundWithParts",
    schema: include_str!("../../../folio/records/mod-inventory-storage/bound-with-part.tsv"),
    fields: &[Field::uuid("itemId"), Field::uuid("holdingsRecordId")],
    unique: &[Unique::new(&["itemId", "holdingsRecordId"])],
    references: &[Reference::new("itemId", "item"), Reference::new("holdingsRecordId", "holdings_record")],
    plain_errors: PlainErrors::Changes,
    ..RecordType::BASE
};
