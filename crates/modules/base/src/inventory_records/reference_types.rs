//! The small lists that catalogue records point into: identifier types, note types, statuses, codes and their kin.
//!
//! They are alike, so each is one line here: table, path, collection and schema, and by which fields it is unique.
//! They are in the snapshot, which turns ids into names. Such tables have some dozens of rows; they get the indexes of their unique keys and no others.
//! Facts: mod-inventory-storage 27.1.3, `schema.json` and the unique keys in it.

use octavo_record::{Field, Message, Plain, RecordType, Reference, Unique, Violated, Words};

const NAME: &[Field] = &[Field::text("name")];
const NAME_AND_CODE: &[Field] = &[Field::text("name"), Field::text("code")];

const UNIQUE_NAME: &[Unique] = &[Unique::of(&["name"])];
const UNIQUE_NAME_AND_CODE: &[Unique] = &[Unique::of(&["name"]), Unique::of(&["code"])];

/// A list whose entries have a name of their own.
const fn list(
    name: &'static str,
    table: &'static str,
    path: &'static str,
    collection: &'static str,
    schema: &'static str,
) -> RecordType {
    RecordType {
        name,
        table,
        path,
        collection,
        schema,
        fields: NAME,
        unique: UNIQUE_NAME,
        snapshot: true,
        plain_errors: Plain::Changes,
        words: OF_LISTS,
        ..RecordType::BASE
    }
}

const NOT_REPLACED: Words =
    Words { replaced: "No records match the query, no records updated", ..Words::RMB };
const OF_LISTS: Words = Words {
    deleted: "Number of deleted items is incorrect. Expected 1 record deleted, but there was 0",
    creating: Violated::Database,
    replacing: Violated::Database,
    deleting: Violated::Database,
    ..NOT_REPLACED
};
/// The words of reference types that have a message for an entry that exists already, and general ones otherwise.
const OF_CHECKED_LISTS: Words = Words {
    id_as_value: true,
    creating: Violated::Said(SOMETHING_WENT_WRONG),
    replacing: Violated::Said(SOMETHING_WENT_WRONG),
    deleting: Violated::Said(SOMETHING_WENT_WRONG),
    ..OF_LISTS
};
const SOMETHING_WENT_WRONG: &str = "Internal Server Error, Please contact System Administrator or try again";

macro_rules! schema {
    ($file:literal) => {
        include_str!(concat!("../../../folio/records/mod-inventory-storage/", $file, ".tsv"))
    };
}

pub static MATERIAL_TYPE: RecordType = RecordType {
    unique: &[Unique::of(&["name"]).says("Material Type exists", "name")],
    words: Words { id_as_value: true, ..NOT_REPLACED },
    ..list("material type", "material_type", "/material-types", "mtypes", schema!("materialtype"))
};

pub static LOAN_TYPE: RecordType =
    RecordType { ..list("loan type", "loan_type", "/loan-types", "loantypes", schema!("loantype")) };

pub static IDENTIFIER_TYPE: RecordType = RecordType {
    ..list(
        "identifier type",
        "identifier_type",
        "/identifier-types",
        "identifierTypes",
        schema!("identifiertype"),
    )
};

pub static INSTANCE_RELATIONSHIP_TYPE: RecordType = RecordType {
    ..list(
        "instance relationship type",
        "instance_relationship_type",
        "/instance-relationship-types",
        "instanceRelationshipTypes",
        schema!("instancerelationshiptype"),
    )
};

pub static CONTRIBUTOR_TYPE: RecordType = RecordType {
    fields: NAME_AND_CODE,
    unique: UNIQUE_NAME_AND_CODE,
    ..list(
        "contributor type",
        "contributor_type",
        "/contributor-types",
        "contributorTypes",
        schema!("contributortype"),
    )
};

pub static CONTRIBUTOR_NAME_TYPE: RecordType = RecordType {
    ..list(
        "contributor name type",
        "contributor_name_type",
        "/contributor-name-types",
        "contributorNameTypes",
        schema!("contributornametype"),
    )
};

pub static INSTANCE_TYPE: RecordType = RecordType {
    fields: NAME_AND_CODE,
    unique: UNIQUE_NAME_AND_CODE,
    ..list("instance type", "instance_type", "/instance-types", "instanceTypes", schema!("instancetype"))
};

pub static INSTANCE_FORMAT: RecordType = RecordType {
    fields: NAME_AND_CODE,
    unique: UNIQUE_NAME_AND_CODE,
    ..list(
        "instance format",
        "instance_format",
        "/instance-formats",
        "instanceFormats",
        schema!("instanceformat"),
    )
};

pub static NATURE_OF_CONTENT_TERM: RecordType = list(
    "nature of content term",
    "nature_of_content_term",
    "/nature-of-content-terms",
    "natureOfContentTerms",
    schema!("natureofcontentterm"),
);

pub static CLASSIFICATION_TYPE: RecordType = RecordType {
    words: Words::RMB,
    ..list(
        "classification type",
        "classification_type",
        "/classification-types",
        "classificationTypes",
        schema!("classificationtype"),
    )
};

pub static ELECTRONIC_ACCESS_RELATIONSHIP: RecordType = RecordType {
    unique: &[Unique::of(&["name"]).says("Relationship type exists", "name")],
    words: OF_CHECKED_LISTS,
    ..list(
        "electronic access relationship",
        "electronic_access_relationship",
        "/electronic-access-relationships",
        "electronicAccessRelationships",
        schema!("electronicaccessrelationship"),
    )
};

/// Unique by its code alone; the name may occur again.
pub static STATISTICAL_CODE_TYPE: RecordType = RecordType {
    fields: NAME_AND_CODE,
    unique: &[Unique::of(&["code"]).says("Statistical Code Type exists", "name")],
    words: OF_CHECKED_LISTS,
    ..list(
        "statistical code type",
        "statistical_code_type",
        "/statistical-code-types",
        "statisticalCodeTypes",
        schema!("statisticalcodetype"),
    )
};

pub static STATISTICAL_CODE: RecordType = RecordType {
    fields: &[Field::text("name"), Field::text("code"), Field::uuid("statisticalCodeTypeId")],
    unique: &[Unique::of(&["code", "statisticalCodeTypeId"]), Unique::of(&["name"])],
    references: &[Reference::new("statisticalCodeTypeId", "statistical_code_type")],
    ..list(
        "statistical code",
        "statistical_code",
        "/statistical-codes",
        "statisticalCodes",
        schema!("statisticalcode"),
    )
};

pub static INSTANCE_STATUS: RecordType = RecordType {
    fields: NAME_AND_CODE,
    unique: &[
        Unique::of(&["name"]).says("Instance status exists", "name"),
        Unique::of(&["code"]).says("Instance status exists", "name"),
    ],
    words: OF_CHECKED_LISTS,
    ..list(
        "instance status",
        "instance_status",
        "/instance-statuses",
        "instanceStatuses",
        schema!("instancestatus"),
    )
};

pub static MODE_OF_ISSUANCE: RecordType = RecordType {
    unique: &[Unique::of(&["name"]).says("Mode of issuance exists", "name")],
    words: OF_CHECKED_LISTS,
    ..list(
        "mode of issuance",
        "mode_of_issuance",
        "/modes-of-issuance",
        "issuanceModes",
        schema!("modeofissuance"),
    )
};

pub static ALTERNATIVE_TITLE_TYPE: RecordType = list(
    "alternative title type",
    "alternative_title_type",
    "/alternative-title-types",
    "alternativeTitleTypes",
    schema!("alternativetitletype"),
);

pub static ILL_POLICY: RecordType =
    list("ILL policy", "ill_policy", "/ill-policies", "illPolicies", schema!("illpolicy"));

pub static CALL_NUMBER_TYPE: RecordType = RecordType {
    words: Words::RMB,
    ..list(
        "call number type",
        "call_number_type",
        "/call-number-types",
        "callNumberTypes",
        schema!("callnumbertype"),
    )
};

pub static HOLDINGS_TYPE: RecordType = RecordType {
    unique: &[Unique::of(&["name"]).message(Message {
        text: "Cannot create entity; name is not unique",
        key: "name",
        code: Some("name.duplicate"),
        status: 422,
    })],
    ..list("holdings type", "holdings_type", "/holdings-types", "holdingsTypes", schema!("holdingsType"))
};

pub static INSTANCE_NOTE_TYPE: RecordType = list(
    "instance note type",
    "instance_note_type",
    "/instance-note-types",
    "instanceNoteTypes",
    schema!("instancenotetype"),
);

pub static HOLDINGS_NOTE_TYPE: RecordType = list(
    "holdings note type",
    "holdings_note_type",
    "/holdings-note-types",
    "holdingsNoteTypes",
    schema!("holdingsNoteType"),
);

pub static ITEM_NOTE_TYPE: RecordType =
    list("item note type", "item_note_type", "/item-note-types", "itemNoteTypes", schema!("itemnotetype"));

pub static ITEM_DAMAGED_STATUS: RecordType = RecordType {
    words: Words { creating: Violated::Named, ..OF_LISTS },
    ..list(
        "item damaged status",
        "item_damaged_status",
        "/item-damaged-statuses",
        "itemDamageStatuses",
        schema!("itemdamagedstatus"),
    )
};

pub static HOLDINGS_SOURCE: RecordType = RecordType {
    words: Words::RMB,
    ..list(
        "holdings records source",
        "holdings_records_source",
        "/holdings-sources",
        "holdingsRecordsSources",
        schema!("holdingsRecordsSource"),
    )
};
