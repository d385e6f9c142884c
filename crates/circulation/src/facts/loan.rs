//! A loan record and what decisions read in it.

use jiff::{Timestamp, Zoned};
use serde_json::Value;

use crate::document::{Document, flag, text, texts, time, value_at};
use crate::moment::parse_moment;
use crate::status::OpenOrClosed;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Loan {
    pub record: Document,
}

impl From<Value> for Loan {
    fn from(record: Value) -> Loan {
        Loan { record: record.into() }
    }
}

/// What the item limit counts: open loans of the patron, by their items.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenLoanSummary {
    pub count: usize,
    pub material_type_id: Option<String>,
    /// The item's temporary loan type, else the permanent one.
    pub loan_type_id: Option<String>,
    pub claimed_returned: bool,
}

impl Loan {
    texts! {
        user_id = "userId";
        item_id = "itemId";
        loan_policy_id = "loanPolicyId";
        lost_item_policy_id = "lostItemPolicyId";
        overdue_fine_policy_id = "overdueFinePolicyId";
        checkout_service_point_id = "checkoutServicePointId";
    }

    pub fn is_closed(&self) -> bool {
        OpenOrClosed::Closed.is_of(&self.record)
    }

    pub fn due_date_was_changed_by_recall(&self) -> bool {
        flag(&self.record, &["dueDateChangedByRecall"])
    }

    /// When the item was declared lost or aged to lost, whichever came last.
    pub fn lost_date(&self) -> Option<Timestamp> {
        let declared = time(&self.record, &["declaredLostDate"]);
        declared.max(time(&self.record, &["agedToLostDelayedBilling", "agedToLostDate"]))
    }

    /// The loan date in the time zone offset in which it was written: months are added in that offset.
    pub fn loan_date(&self) -> Option<Zoned> {
        text(&self.record, &["loanDate"]).and_then(parse_moment)
    }

    pub fn due_date(&self) -> Option<Timestamp> {
        time(&self.record, &["dueDate"])
    }

    pub fn renewal_count(&self) -> i64 {
        value_at(&self.record, &["renewalCount"]).and_then(Value::as_i64).unwrap_or(0)
    }

    pub fn reminders_billed(&self) -> Option<i64> {
        value_at(&self.record, &["reminders", "lastFeeBilled", "number"]).and_then(Value::as_i64)
    }
}
