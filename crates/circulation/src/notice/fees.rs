//! Notices about charges, payments and waivers for which staff want the patron to be notified. The template is that of the fee's type or
//! else of its owner.

use serde_json::Value;

use crate::document::text;
use crate::facts::Charging;
use crate::plan::{About, Because, Notice, Plan, RecordKind};
use crate::policy::Format;

pub fn announce_fees(charging: &Charging, plan: &mut Plan) {
    let notices: Vec<Notice> = plan
        .documents(RecordKind::FeeFineAction)
        .filter(|(_, action)| action["notify"] == true)
        .filter_map(|(_, action)| {
            let mut accounts = plan.documents(RecordKind::Account).map(|(_, account)| account);
            let account = accounts.find(|account| account["id"] == action["accountId"])?;
            notice_of_fee(charging, action, account)
        })
        .collect();
    plan.notices.extend(notices);
}

/// The notice about an action; `None` without a template.
pub fn notice_of_fee(charging: &Charging, action: &Value, account: &Value) -> Option<Notice> {
    let is_charge = action["typeAction"] == account["feeFineType"];
    let template =
        charging.template(text(account, &["feeFineId"]), text(account, &["ownerId"]), is_charge)?;
    let id = |record: &Value, key: &str| text(record, &[key]).map(str::to_owned);
    Some(Notice {
        event: if is_charge { "Fee/fine charge" } else { "Fee/fine action" }.to_owned(),
        because: Because::default(),
        template_id: template.to_owned(),
        format: Format::Email,
        recipient_id: id(account, "userId").unwrap_or_default(),
        about: About {
            loan_id: id(account, "loanId"),
            fee_fine_action_id: id(action, "id"),
            ..About::default()
        },
    })
}
