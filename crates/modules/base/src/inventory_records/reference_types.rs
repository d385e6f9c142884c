//! Reference data of the catalogue: identifier types, note types, statuses, codes and similar lists.
//!
//! They are alike, so each is one line here: table, path, collection and schema, and by which fields it is unique.
//! They are in the snapshot, which turns ids into names. Such tables have some dozens of rows; they get the indexes of their unique keys and no others.
//! Facts: mod-inventory-storage 27.1.3, `schema.json` and the unique keys in it.

use octavo_kernel::{Fault, Kind, Outcome};
use octavo_record::{
    ConstraintMessage, Field, Hooks, Message, PlainErrors, RecordMessages, RecordType, Reference, Unique,
};
use serde_json::Value;

const NAME: &[Field] = &[Field::text("name")];
const NAME_AND_CODE: &[Field] = &[Field::text("name"), Field::text("code")];

const UNIQUE_NAME: &[Unique] = &[Unique::new(&["name"])];
const UNIQUE_NAME_AND_CODE: &[Unique] = &[Unique::new(&["name"]), Unique::new(&["code"])];

/// A list whose entries have unique names.
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
        plain_errors: PlainErrors::Changes,
        messages: OF_LISTS,
        ..RecordType::BASE
    }
}

/// The words of record types whose replacement FOLIO's module carries out itself.
pub(super) const NOT_REPLACED: RecordMessages = RecordMessages {
    not_found_on_replace: "No records match the query, no records updated",
    ..RecordMessages::RMB
};
const OF_LISTS: RecordMessages = RecordMessages {
    not_found_on_delete: "Number of deleted items is incorrect. Expected 1 record deleted, but there was 0",
    on_create: ConstraintMessage::Database,
    on_replace: ConstraintMessage::Database,
    on_delete: ConstraintMessage::Database,
    ..NOT_REPLACED
};
/// The words of reference types that have a message for an entry that exists already, and general ones otherwise.
const OF_CHECKED_LISTS: RecordMessages = RecordMessages {
    duplicate_id_as_unique_key: true,
    on_create: ConstraintMessage::Fixed(SOMETHING_WENT_WRONG),
    on_replace: ConstraintMessage::Fixed(SOMETHING_WENT_WRONG),
    on_delete: ConstraintMessage::Fixed(SOMETHING_WENT_WRONG),
    ..OF_LISTS
};
const SOMETHING_WENT_WRONG: &str = "Internal Server Error, Please contact System Administrator or try again";

/// Declares lists: name, table, path, collection and schema file of each, and where it is not like the others.
macro_rules! lists {
    ($($(#[$doc:meta])* $list:ident $name:literal, $table:literal, $path:literal, $collection:literal, $schema:literal
        $({$($member:ident: $value:expr,)*})?;)*) => {$(
        $(#[$doc])*
        pub static $list: RecordType = RecordType {
            $($($member: $value,)*)?
            ..list(
                $name,
                $table,
                $path,
                $collection,
                include_str!(concat!("../../../folio/records/mod-inventory-storage/", $schema, ".tsv")),
            )
        };
    )*};
}

lists! {
    MATERIAL_TYPE "material type", "material_type", "/material-types", "mtypes", "materialtype" {
        unique: &[Unique::new(&["name"]).with_refusal("Material Type exists", "name")],
        messages: RecordMessages { duplicate_id_as_unique_key: true, ..NOT_REPLACED },
    };
    LOAN_TYPE "loan type", "loan_type", "/loan-types", "loantypes", "loantype";
    IDENTIFIER_TYPE "identifier type", "identifier_type", "/identifier-types", "identifierTypes", "identifiertype";
    INSTANCE_RELATIONSHIP_TYPE "instance relationship type", "instance_relationship_type", "/instance-relationship-types", "instanceRelationshipTypes", "instancerelationshiptype";
    CONTRIBUTOR_TYPE "contributor type", "contributor_type", "/contributor-types", "contributorTypes", "contributortype" {
        fields: NAME_AND_CODE,
        unique: UNIQUE_NAME_AND_CODE,
    };
    CONTRIBUTOR_NAME_TYPE "contributor name type", "contributor_name_type", "/contributor-name-types", "contributorNameTypes", "contributornametype";
    INSTANCE_TYPE "instance type", "instance_type", "/instance-types", "instanceTypes", "instancetype" {
        fields: NAME_AND_CODE,
        unique: UNIQUE_NAME_AND_CODE,
    };
    INSTANCE_FORMAT "instance format", "instance_format", "/instance-formats", "instanceFormats", "instanceformat" {
        fields: NAME_AND_CODE,
        unique: UNIQUE_NAME_AND_CODE,
    };
    NATURE_OF_CONTENT_TERM "nature of content term", "nature_of_content_term", "/nature-of-content-terms", "natureOfContentTerms", "natureofcontentterm";
    CLASSIFICATION_TYPE "classification type", "classification_type", "/classification-types", "classificationTypes", "classificationtype" {
        messages: RecordMessages::RMB,
    };
    ELECTRONIC_ACCESS_RELATIONSHIP "electronic access relationship", "electronic_access_relationship", "/electronic-access-relationships", "electronicAccessRelationships", "electronicaccessrelationship" {
        unique: &[Unique::new(&["name"]).with_refusal("Relationship type exists", "name")],
        messages: OF_CHECKED_LISTS,
    };
    /// Unique by its code alone; the name may occur again.
    STATISTICAL_CODE_TYPE "statistical code type", "statistical_code_type", "/statistical-code-types", "statisticalCodeTypes", "statisticalcodetype" {
        fields: NAME_AND_CODE,
        unique: &[Unique::new(&["code"]).with_refusal("Statistical Code Type exists", "name")],
        messages: OF_CHECKED_LISTS,
    };
    STATISTICAL_CODE "statistical code", "statistical_code", "/statistical-codes", "statisticalCodes", "statisticalcode" {
        fields: &[Field::text("name"), Field::text("code"), Field::uuid("statisticalCodeTypeId")],
        unique: &[Unique::new(&["code", "statisticalCodeTypeId"]), Unique::new(&["name"])],
        references: &[Reference::new("statisticalCodeTypeId", "statistical_code_type")],
    };
    INSTANCE_STATUS "instance status", "instance_status", "/instance-statuses", "instanceStatuses", "instancestatus" {
        fields: NAME_AND_CODE,
        unique: &[Unique::new(&["name"]).with_refusal("Instance status exists", "name"), Unique::new(&["code"]).with_refusal("Instance status exists", "name")],
        messages: OF_CHECKED_LISTS,
    };
    MODE_OF_ISSUANCE "mode of issuance", "mode_of_issuance", "/modes-of-issuance", "issuanceModes", "modeofissuance" {
        unique: &[Unique::new(&["name"]).with_refusal("Mode of issuance exists", "name")],
        messages: OF_CHECKED_LISTS,
    };
    ALTERNATIVE_TITLE_TYPE "alternative title type", "alternative_title_type", "/alternative-title-types", "alternativeTitleTypes", "alternativetitletype";
    ILL_POLICY "ILL policy", "ill_policy", "/ill-policies", "illPolicies", "illpolicy";
    CALL_NUMBER_TYPE "call number type", "call_number_type", "/call-number-types", "callNumberTypes", "callnumbertype" {
        messages: RecordMessages::RMB,
        hooks: Hooks { validate_change: Some(refuse_changed_system_type), ..Hooks::NONE },
    };
    HOLDINGS_TYPE "holdings type", "holdings_type", "/holdings-types", "holdingsTypes", "holdingsType" {
        unique: &[Unique::new(&["name"]).message(
            Message::new(Kind::Refused, "Cannot create entity; name is not unique", "name").code("name.duplicate"),
        )],
    };
    INSTANCE_NOTE_TYPE "instance note type", "instance_note_type", "/instance-note-types", "instanceNoteTypes", "instancenotetype";
    HOLDINGS_NOTE_TYPE "holdings note type", "holdings_note_type", "/holdings-note-types", "holdingsNoteTypes", "holdingsNoteType";
    ITEM_NOTE_TYPE "item note type", "item_note_type", "/item-note-types", "itemNoteTypes", "itemnotetype";
    ITEM_DAMAGED_STATUS "item damaged status", "item_damaged_status", "/item-damaged-statuses", "itemDamageStatuses", "itemdamagedstatus" {
        messages: RecordMessages { on_create: ConstraintMessage::Declared, ..OF_LISTS },
    };
    HOLDINGS_SOURCE "holdings records source", "holdings_records_source", "/holdings-sources", "holdingsRecordsSources", "holdingsRecordsSource" {
        messages: RecordMessages::RMB,
    };
}

/// Whether a call number type is one of those that the system itself needs, which clients can neither change nor delete.
pub fn is_system_call_number_type(stored: &Value) -> bool {
    stored["source"] == "system"
}

fn refuse_changed_system_type(stored: &Value, _: &Value) -> Outcome<()> {
    match is_system_call_number_type(stored) {
        true => Err(Fault::bad_request("System call number type couldn't be updated")),
        false => Ok(()),
    }
}
