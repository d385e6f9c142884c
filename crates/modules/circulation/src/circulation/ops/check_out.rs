//! `POST /circulation/check-out-by-barcode`

use octavo_circulation::command::CheckOut;
use octavo_circulation::plan::{Plan, RecordKind};
use octavo_engine::{Context, Request, Response};
use octavo_kernel::Outcome;

use super::{created_response, decide_at_desk, decide_at_desk_with};
use crate::circulation::gather::{DeskSubject, PatronKey, RecordKey};
use crate::decide::StatementsOfPlan;

pub(crate) async fn answer(request: Request) -> Outcome<Response> {
    let command: CheckOut = request.body()?;
    let plan = lend(&request.context, &command).await?;
    Ok(created_response(&request, &plan, RecordKind::Loan, "/circulation/loans"))
}

pub async fn check_out(context: &Context, command: &CheckOut) -> Outcome<()> {
    lend(context, command).await.map(drop)
}

async fn lend(context: &Context, command: &CheckOut) -> Outcome<Plan> {
    decide_at_desk(context, about(command), |facts| octavo_circulation::check_out(facts, command)).await
}

/// Checks an item out. Further statements run before the plan's, in the same transaction.
pub(crate) async fn check_out_with(
    context: &Context,
    command: &CheckOut,
    with: StatementsOfPlan<'_, Plan>,
) -> Outcome<Plan> {
    let check_out = |facts: &_| octavo_circulation::check_out(facts, command);
    decide_at_desk_with(context, about(command), check_out, with).await
}

fn about(command: &CheckOut) -> DeskSubject<'_> {
    DeskSubject {
        operation: "check-out",
        item: RecordKey::Barcode(&command.item_barcode),
        patron: PatronKey::User {
            barcode: &command.user_barcode,
            proxy_barcode: command.proxy_user_barcode.as_deref(),
        },
        checks_blocks: true,
        reads_lost_fees: false,
    }
}
