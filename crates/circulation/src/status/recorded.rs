//! Records of `/feefineactions` are charges or actions on what was charged. mod-feesfines tells them apart by their members.

use serde_json::Value;

use super::PaymentStatus::{self, *};
use crate::document::text;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeeRecordKind {
    Charge,
    Action,
}

impl FeeRecordKind {
    /// The names of actions. Any other, such as *Cancelled item returned*, is a charge for mod-feesfines.
    pub const ACTIONS: [PaymentStatus; 11] = [
        PaidPartially,
        PaidFully,
        WaivedPartially,
        WaivedFully,
        TransferredPartially,
        TransferredFully,
        RefundedPartially,
        RefundedFully,
        CreditedPartially,
        CreditedFully,
        CancelledAsError,
    ];

    /// `None` for a record of neither kind: its name is no action's, but it has a payment method.
    pub fn from_record(record: &Value) -> Option<FeeRecordKind> {
        let kind = text(record, &["typeAction"]).and_then(PaymentStatus::spelled);
        if kind.is_some_and(|kind| FeeRecordKind::ACTIONS.contains(&kind)) {
            return Some(FeeRecordKind::Action);
        }
        text(record, &["paymentMethod"]).is_none().then_some(FeeRecordKind::Charge)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_charge_is_what_is_no_action_and_has_no_payment_method() {
        for (record, expected) in [
            (json!({"typeAction": "Damage"}), Some(FeeRecordKind::Charge)),
            (json!({"typeAction": "Staff info only"}), Some(FeeRecordKind::Charge)),
            (json!({"typeAction": "Cancelled item returned"}), Some(FeeRecordKind::Charge)),
            (json!({}), Some(FeeRecordKind::Charge)),
            (json!({"typeAction": "Damage", "paymentMethod": "Cash"}), None),
            (json!({"typeAction": "Paid fully", "paymentMethod": "Cash"}), Some(FeeRecordKind::Action)),
            (json!({"typeAction": "Cancelled as error"}), Some(FeeRecordKind::Action)),
            (json!({"typeAction": "Credited partially"}), Some(FeeRecordKind::Action)),
        ] {
            assert_eq!(FeeRecordKind::from_record(&record), expected, "{record}");
        }
    }
}
