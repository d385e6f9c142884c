//! Letters about what patrons owe: a charge, a payment, a waiver, where staff said that the patron be told. The fee's type
//! names the template, or else its owner does.

use octavo_circulation::notice::Because;
use octavo_circulation::plan::{Plan, RecordKind};
use octavo_engine::{Context, Snapshot};
use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{enter, letter};
use crate::fee_records::{FEE_FINE, OWNER};

/// What plans about fees leave to be told.
pub(in crate::circulation) async fn of_plans(
    context: &Context,
    session: &mut Session,
    plans: &[Plan],
) -> Outcome<Vec<Statement>> {
    let told: Vec<(&Value, &Value)> = plans.iter().flat_map(told).collect();
    if told.is_empty() {
        return Ok(Vec::new());
    }
    let snapshot = context.snapshot_over(session).await?;
    Ok(enter(
        context,
        told.into_iter().filter_map(|(action, account)| about(&snapshot, action, account)).collect(),
    ))
}

/// What was done about which account.
fn told(plan: &Plan) -> Vec<(&Value, &Value)> {
    let document = |wanted: RecordKind| plan.documents(wanted).map(|(_, document)| &**document);
    let account =
        |action: &Value| document(RecordKind::Account).find(|account| account["id"] == action["accountId"]);
    document(RecordKind::FeeFineAction)
        .filter(|action| action["notify"] == true)
        .filter_map(|action| Some((action, account(action)?)))
        .collect()
}

/// The letter about an action; none where nothing names a template.
pub(crate) fn about(snapshot: &Snapshot, action: &Value, account: &Value) -> Option<Value> {
    let is_charge = action["typeAction"] == account["feeFineType"];
    let (event, of_type, of_owner) = match is_charge {
        true => ("Fee/fine charge", "chargeNoticeId", "defaultChargeNoticeId"),
        false => ("Fee/fine action", "actionNoticeId", "defaultActionNoticeId"),
    };
    let record = |of, id: &Value| snapshot.get(of, Uuid::parse_str(id.as_str()?).ok()?);
    let named = |record: Option<&Value>, name: &str| {
        record.and_then(|record| record[name].as_str()).filter(|id| !id.is_empty()).map(str::to_owned)
    };
    let template = named(record(&FEE_FINE, &account["feeFineId"]), of_type)
        .or_else(|| named(record(&OWNER, &account["ownerId"]), of_owner))?;
    let mut letter = letter(event, &Because::default(), &template, Some("email"));
    letter["recipientId"] = account["userId"].clone();
    letter["feeFineActionId"] = action["id"].clone();
    if account["loanId"].is_string() {
        letter["loanId"] = json!(account["loanId"]);
    }
    Some(letter)
}
