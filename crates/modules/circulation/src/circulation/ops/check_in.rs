//! `POST /circulation/check-in-by-barcode`

use octavo_circulation::Undecided;
use octavo_circulation::command::CheckIn;
use octavo_circulation::facts::Facts;
use octavo_circulation::plan::Plan;
use octavo_engine::{Context, Request, Response};
use octavo_kernel::Outcome;

use super::{decide_at_desk, decide_at_desk_with, with_explanation};
use crate::circulation::gather::{DeskSubject, PatronKey, RecordKey};
use crate::decide::StatementsOfPlan;

pub(crate) async fn answer(request: Request) -> Outcome<Response> {
    let command: CheckIn = request.body()?;
    let decision = |facts: &Facts| octavo_circulation::check_in(facts, &command);
    let plan = check_in(&request.context, barcode(&command), decision).await?;
    Ok(with_explanation(&request, Response::json_text(200, &plan.response), &plan))
}

/// Makes a decision about the check-in of an item, with the facts that a check-in needs.
pub async fn check_in(
    context: &Context,
    barcode: &str,
    decision: impl Fn(&Facts) -> Result<Plan, Undecided> + Sync,
) -> Outcome<Plan> {
    decide_at_desk(context, about(barcode), decision).await
}

/// Checks an item in. Further statements run before the plan's, in the same transaction.
pub(crate) async fn check_in_with(
    context: &Context,
    command: &CheckIn,
    with: StatementsOfPlan<'_, Plan>,
) -> Outcome<Plan> {
    let decision = |facts: &Facts| octavo_circulation::check_in(facts, command);
    decide_at_desk_with(context, about(barcode(command)), decision, with).await
}

fn barcode(command: &CheckIn) -> &str {
    command.item_barcode.as_deref().unwrap_or_default()
}

fn about(barcode: &str) -> DeskSubject<'_> {
    let item = RecordKey::Barcode(barcode);
    DeskSubject {
        operation: "check-in",
        item,
        patron: PatronKey::Borrower,
        checks_blocks: false,
        reads_lost_fees: true,
    }
}
