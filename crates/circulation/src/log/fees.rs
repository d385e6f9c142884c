//! Records about fees/fines: each charge and each action on one.

use serde_json::{Value, json};

use super::describe;
use crate::document::text;
use crate::facts::Charging;
use crate::plan::{Logged, Plan, RecordKind, Source};
use crate::status::{FeeRecordKind, LogAction, LogObject};

/// Adds the records about the fees of a plan that changes nothing else.
pub fn log_fees(charging: &Charging, plan: &mut Plan) {
    let mut found = Vec::new();
    add_fee_records(charging, plan, &mut found);
    plan.logged.extend(found);
}

pub(super) fn add_fee_records(charging: &Charging, plan: &Plan, found: &mut Vec<Logged>) {
    for (_, action) in plan.documents(RecordKind::FeeFineAction) {
        let id = text(action, &["accountId"]);
        let account = id.and_then(|id| plan.last_written(RecordKind::Account, id)).cloned();
        found.extend(account.and_then(|account| logged_fee(charging, action, &account)));
    }
}

/// The record about an action on an account; none if it is of a kind that FOLIO's log does not know.
pub fn logged_fee(charging: &Charging, action: &Value, account: &Value) -> Option<Logged> {
    let kind = text(action, &["typeAction"])?;
    let done = match FeeRecordKind::from_record(action) {
        Some(FeeRecordKind::Action) => LogAction::spelled(kind)?,
        _ if kind.eq_ignore_ascii_case("Staff info only") => LogAction::StaffInformationOnlyAdded,
        Some(FeeRecordKind::Charge) => LogAction::Billed,
        None => return None,
    };
    let payload = json!({
        "amount": action["amountAction"],
        "balance": action["balance"],
        "comments": action["comments"],
        "paymentMethod": action["paymentMethod"],
        "type": account["feeFineType"],
        "feeFineOwner": account["feeFineOwner"],
        "automated": charging.is_automatic(text(account, &["feeFineId"])),
    });
    let own = |record: &Value, key: &str| text(record, &[key]).map(str::to_owned);
    Some(Logged {
        at: own(action, "dateAction"),
        source: Source::Named(own(action, "source")),
        user_id: own(account, "userId"),
        item_id: own(account, "itemId"),
        item_barcode: own(account, "barcode"),
        loan_id: own(account, "loanId"),
        about_id: own(account, "id"),
        service_point_id: own(action, "createdAt"),
        description: describe::fee(done.name(), &payload),
        ..Logged::new(LogObject::FeeFine, done)
    })
}
