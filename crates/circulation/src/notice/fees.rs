//! Notices about charges and actions of which staff want the patron to be notified. The template is that of the fee's type or else of
//! the type's owner.

use serde_json::Value;

use crate::document::text;
use crate::facts::Charging;
use crate::plan::{About, Because, Notice, Plan, RecordKind, event};
use crate::policy::Format;
use crate::status::Recorded;

pub fn announce_fees(charging: &Charging, plan: &mut Plan) {
    let notices: Vec<Notice> = plan
        .documents(RecordKind::FeeFineAction)
        .filter(|(id, _)| plan.notified_actions.iter().any(|told| told == id))
        .filter_map(|(_, action)| {
            let mut accounts = plan.documents(RecordKind::Account).map(|(_, account)| account);
            let account = accounts.find(|account| account["id"] == action["accountId"])?;
            notice_of_fee(charging, action, account)
        })
        .collect();
    plan.notices.extend(notices);
}

/// The notice about a charge or an action; `None` without a template.
pub fn notice_of_fee(charging: &Charging, action: &Value, account: &Value) -> Option<Notice> {
    let recorded = Recorded::of(action)?;
    let template = charging.template(text(account, &["feeFineId"])?, recorded)?;
    let id = |record: &Value, key: &str| text(record, &[key]).map(str::to_owned);
    let event = match recorded {
        Recorded::Charge => event::FEE_CHARGED,
        Recorded::Action => event::FEE_ACTION,
    };
    Some(Notice {
        event: event.to_owned(),
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
