//! Notices about charges and actions of which staff want the patron to be notified. The template is that of the fee's type or else of
//! the type's owner.

use serde_json::Value;

use crate::document::text;
use crate::facts::Charging;
use crate::plan::{Notice, NoticeReason, NoticeSubject, Plan, RecordKind, event};
use crate::policy::Format;
use crate::status::FeeRecordKind;

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
    let recorded = FeeRecordKind::from_record(action)?;
    let template = charging.notice_template(text(account, &["feeFineId"])?, recorded)?;
    let id = |record: &Value, key: &str| text(record, &[key]).map(str::to_owned);
    let event = match recorded {
        FeeRecordKind::Charge => event::FEE_CHARGED,
        FeeRecordKind::Action => event::FEE_ACTION,
    };
    Some(Notice {
        event: event.to_owned(),
        because: NoticeReason::default(),
        template_id: template.to_owned(),
        format: Format::Email,
        recipient_id: id(account, "userId").unwrap_or_default(),
        about: NoticeSubject {
            loan_id: id(account, "loanId"),
            fee_fine_action_id: id(action, "id"),
            ..NoticeSubject::default()
        },
    })
}
