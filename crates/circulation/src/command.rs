//! The commands of the desk: the bodies of FOLIO's requests.

use serde::Deserialize;
use serde_json::Value;

/// `POST /circulation/check-out-by-barcode`
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CheckOut {
    pub item_barcode: String,
    pub user_barcode: String,
    pub proxy_user_barcode: Option<String>,
    pub service_point_id: Option<String>,
    /// The present time by default.
    pub loan_date: Option<String>,
    pub override_blocks: OverrideBlocks,
}

/// The two ways to ask for a renewal.
#[derive(Debug, Clone)]
pub enum Renew {
    ByBarcode(RenewByBarcode),
    ById(RenewById),
}

/// `POST /circulation/renew-by-barcode`
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RenewByBarcode {
    pub item_barcode: Option<String>,
    pub user_barcode: Option<String>,
    pub service_point_id: Option<String>,
    pub override_blocks: OverrideBlocks,
}

/// `POST /circulation/renew-by-id`
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RenewById {
    pub item_id: Option<String>,
    pub user_id: Option<String>,
    pub override_blocks: OverrideBlocks,
}

/// `POST /circulation/check-in-by-barcode`
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CheckIn {
    pub item_barcode: Option<String>,
    pub service_point_id: Option<String>,
    pub check_in_date: Option<String>,
    pub claimed_returned_resolution: Option<String>,
    pub session_id: Option<String>,
}

/// `POST /circulation/loans/{id}/change-due-date`
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ChangeDueDate {
    pub due_date: Option<String>,
}

/// `POST /circulation/loans/{id}/declare-item-lost`
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DeclareLost {
    pub service_point_id: Option<String>,
    pub declared_lost_date_time: Option<String>,
    pub comment: Option<String>,
}

/// `POST /circulation/loans/{id}/claim-item-returned`
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ClaimReturned {
    pub item_claimed_returned_date_time: Option<String>,
    pub comment: Option<String>,
}

/// `POST /circulation/loans/{id}/declare-claimed-returned-item-as-missing`
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MarkMissing {
    pub comment: Option<String>,
}

/// `POST /circulation/loans/{id}/add-info`
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AddInfo {
    pub action: Option<String>,
    pub action_comment: Option<String>,
}

/// `POST /actual-cost-fee-fine/bill`
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct BillActualCost {
    pub actual_cost_record_id: String,
    pub amount: Value,
    pub service_point_id: Option<String>,
    pub additional_info_for_staff: Option<String>,
    pub additional_info_for_patron: Option<String>,
}

/// `POST /actual-cost-fee-fine/cancel`
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CancelActualCost {
    pub actual_cost_record_id: String,
    pub additional_info_for_staff: Option<String>,
    pub additional_info_for_patron: Option<String>,
}

/// The presence of a block's object asks to override that block.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct OverrideBlocks {
    pub item_not_loanable_block: Option<DueDateBlock>,
    pub patron_block: Option<Value>,
    pub item_limit_block: Option<Value>,
    pub renewal_block: Option<Value>,
    pub renewal_due_date_required_block: Option<DueDateBlock>,
    pub comment: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DueDateBlock {
    pub due_date: Option<String>,
}

impl Renew {
    pub fn override_blocks(&self) -> &OverrideBlocks {
        match self {
            Renew::ByBarcode(command) => &command.override_blocks,
            Renew::ById(command) => &command.override_blocks,
        }
    }

    pub fn service_point_id(&self) -> Option<&str> {
        match self {
            Renew::ByBarcode(command) => command.service_point_id.as_deref(),
            Renew::ById(_) => None,
        }
    }
}
