//! Records of the circulation log about notices: each that was written, or could not be.

use octavo_circulation::facts::Item;
use octavo_circulation::log::{LogAction, LogObject, Logged, Source, describe_notice};
use octavo_engine::Snapshot;
use octavo_modules_base::template_engine::TEMPLATE;
use serde_json::{Value, json};
use uuid::Uuid;

use super::words::{Gathered, MOST_LISTED};
use crate::notice_ledger::status;

/// `notice` is a row of the ledger after it was written.
pub(super) fn log_record(found: &Gathered, snapshot: &Snapshot, notice: &Value) -> Logged {
    let text = |name: &str| notice[name].as_str();
    let template = text("templateId").and_then(|id| Uuid::parse_str(id).ok());
    let template = template.and_then(|id| snapshot.get(&TEMPLATE, id));
    let (fee_id, action) = found.fee_of(notice).unzip();
    let template = template.and_then(|template| template["name"].as_str());
    let mut description = describe_notice(template, action.or_else(|| text("event")));
    let refused = notice["status"] == status::NOT_SENT;
    if refused {
        description += &format!(" Error message: {}", text("reason").unwrap_or("unknown"));
    }
    let items = items(found, notice);
    // A notice may be written after its loan was anonymised.
    let loans = items.iter().filter_map(|item| found.loan(item["loanId"].as_str()?));
    let anonymous = loans.into_iter().any(|(loan, _)| loan["userId"].is_null());
    let user = found.user_of(notice).filter(|_| !anonymous);
    let first = items.first();
    let own = |item: Option<&Value>, key: &str| Some(item?[key].as_str()?.to_owned());
    let more = json!({
        "items": items,
        "requestId": notice["requestId"],
        "feeFineId": fee_id,
        "templateId": notice["templateId"],
        "noticePolicyId": notice["policyId"],
    });
    Logged {
        source: Source::system(),
        user_id: user.map(|user| user.id().to_owned()),
        user_barcode: user.and_then(|user| user.barcode()).map(str::to_owned),
        item_id: own(first, "itemId"),
        item_barcode: own(first, "itemBarcode"),
        loan_id: own(first, "loanId"),
        about_id: text("requestId").or(fee_id).map(str::to_owned),
        service_point_id: found.service_point_of(notice).map(str::to_owned),
        description,
        more: Some(more),
        ..Logged::new(LogObject::Notice, if refused { LogAction::SendError } else { LogAction::Send })
    }
}

fn items(found: &Gathered, notice: &Value) -> Vec<Value> {
    let listed =
        notice["loanIds"].as_array().into_iter().flatten().take(MOST_LISTED).filter_map(Value::as_str);
    let loans = notice["loanId"].as_str().into_iter().chain(listed);
    let of_loans: Vec<Value> =
        loans.filter_map(|id| Some(item_to_json(found.loan(id)?.1, Some(id)))).collect();
    if !of_loans.is_empty() {
        return of_loans;
    }
    found.requested_item(notice).map(|item| item_to_json(item, None)).into_iter().collect()
}

fn item_to_json(item: &Item, loan: Option<&str>) -> Value {
    json!({
        "itemBarcode": item.barcode().unwrap_or_default(),
        "itemId": item.id(),
        "instanceId": item.instance_id,
        "holdingId": item.holdings_record_id(),
        "loanId": loan,
    })
}
