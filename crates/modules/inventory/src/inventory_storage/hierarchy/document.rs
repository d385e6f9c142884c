//! The shown members of stored documents. Their values are copied without being parsed.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::writer::Raw;

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct InstanceDocument<'a> {
    #[serde(borrow)]
    pub(super) source: Raw<'a>,
    pub(super) mode_of_issuance_id: Raw<'a>,
    pub(super) nature_of_content_term_ids: Vec<&'a RawValue>,
    pub(super) discovery_suppress: bool,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Holdings<'a> {
    #[serde(borrow)]
    pub(super) id: Raw<'a>,
    pub(super) hrid: Raw<'a>,
    pub(super) discovery_suppress: bool,
    pub(super) holdings_type_id: Raw<'a>,
    pub(super) former_ids: Raw<'a>,
    pub(super) permanent_location_id: Raw<'a>,
    pub(super) temporary_location_id: Raw<'a>,
    pub(super) effective_location_id: Raw<'a>,
    pub(super) call_number_prefix: Raw<'a>,
    pub(super) call_number_suffix: Raw<'a>,
    pub(super) call_number_type_id: Raw<'a>,
    pub(super) call_number: Raw<'a>,
    pub(super) shelving_title: Raw<'a>,
    pub(super) acquisition_format: Raw<'a>,
    pub(super) acquisition_method: Raw<'a>,
    pub(super) receipt_status: Raw<'a>,
    pub(super) electronic_access: Vec<Access<'a>>,
    pub(super) notes: Vec<Note<'a>>,
    pub(super) ill_policy_id: Raw<'a>,
    pub(super) retention_policy: Raw<'a>,
    pub(super) digitization_policy: Raw<'a>,
    pub(super) holdings_statements: Raw<'a>,
    pub(super) holdings_statements_for_indexes: Raw<'a>,
    pub(super) holdings_statements_for_supplements: Raw<'a>,
    pub(super) copy_number: Raw<'a>,
    pub(super) number_of_items: Raw<'a>,
    pub(super) receiving_history: Raw<'a>,
    pub(super) tags: Raw<'a>,
    pub(super) statistical_code_ids: Vec<&'a RawValue>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Item<'a> {
    #[serde(borrow)]
    pub(super) id: Raw<'a>,
    pub(super) hrid: Raw<'a>,
    pub(super) holdings_record_id: Raw<'a>,
    pub(super) discovery_suppress: bool,
    pub(super) status: Status<'a>,
    pub(super) former_ids: Raw<'a>,
    pub(super) effective_location_id: Raw<'a>,
    pub(super) permanent_location_id: Raw<'a>,
    pub(super) temporary_location_id: Raw<'a>,
    pub(super) effective_call_number_components: Components<'a>,
    pub(super) accession_number: Raw<'a>,
    pub(super) barcode: Raw<'a>,
    pub(super) copy_number: Raw<'a>,
    pub(super) volume: Raw<'a>,
    pub(super) display_summary: Raw<'a>,
    pub(super) enumeration: Raw<'a>,
    pub(super) chronology: Raw<'a>,
    pub(super) year_caption: Raw<'a>,
    pub(super) item_identifier: Raw<'a>,
    pub(super) number_of_pieces: Raw<'a>,
    pub(super) description_of_pieces: Raw<'a>,
    pub(super) number_of_missing_pieces: Raw<'a>,
    pub(super) missing_pieces: Raw<'a>,
    pub(super) missing_pieces_date: Raw<'a>,
    pub(super) item_damaged_status_id: Raw<'a>,
    pub(super) item_damaged_status_date: Raw<'a>,
    pub(super) material_type_id: Raw<'a>,
    pub(super) permanent_loan_type_id: Raw<'a>,
    pub(super) temporary_loan_type_id: Raw<'a>,
    pub(super) electronic_access: Vec<Access<'a>>,
    pub(super) notes: Vec<Note<'a>>,
    pub(super) tags: Raw<'a>,
    pub(super) statistical_code_ids: Vec<&'a RawValue>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Status<'a> {
    #[serde(borrow)]
    pub(super) name: Raw<'a>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Components<'a> {
    #[serde(borrow)]
    pub(super) call_number: Raw<'a>,
    pub(super) prefix: Raw<'a>,
    pub(super) suffix: Raw<'a>,
    pub(super) type_id: Raw<'a>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Access<'a> {
    #[serde(borrow)]
    pub(super) uri: Raw<'a>,
    pub(super) link_text: Raw<'a>,
    pub(super) materials_specification: Raw<'a>,
    pub(super) public_note: Raw<'a>,
    pub(super) relationship_id: Raw<'a>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Note<'a> {
    #[serde(borrow)]
    pub(super) note: Raw<'a>,
    pub(super) holdings_note_type_id: Raw<'a>,
    pub(super) item_note_type_id: Raw<'a>,
    pub(super) staff_only: bool,
}
