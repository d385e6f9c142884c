//! `POST /circulation/check-in-by-barcode`

use octavo_circulation::command::CheckIn;
use octavo_circulation::plan::Plan;
use octavo_engine::{Context, Request, Response};
use octavo_kernel::Outcome;

use super::{at_desk, at_desk_with, explained};
use crate::circulation::gather::{About, Named, Who};
use crate::decide::With;

pub(crate) async fn answer(request: Request) -> Outcome<Response> {
    let command: CheckIn = request.body()?;
    let plan =
        at_desk(&request.context, about(&command), |facts| octavo_circulation::check_in(facts, &command))
            .await?;
    Ok(explained(&request, Response::json_text(200, &plan.response), &plan))
}

/// Checks an item in, with statements that are committed before.
pub(crate) async fn check_in_with(
    context: &Context,
    command: &CheckIn,
    with: With<'_, Plan>,
) -> Outcome<Plan> {
    let check_in = |facts: &_| octavo_circulation::check_in(facts, command);
    at_desk_with(context, about(command), check_in, with).await
}

fn about(command: &CheckIn) -> About<'_> {
    let item = Named::Barcode(command.item_barcode.as_deref().unwrap_or_default());
    About { does: "check-in", item, patron: Who::Borrower, heeds_blocks: false, lost: true }
}
