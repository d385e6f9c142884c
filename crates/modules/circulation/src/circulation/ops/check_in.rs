//! `POST /circulation/check-in-by-barcode`

use octavo_circulation::command::CheckIn;
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;

use super::{at_desk, explained};
use crate::circulation::gather::{About, Named, Who};

pub(crate) async fn answer(request: Request) -> Outcome<Response> {
    let command: CheckIn = request.body()?;
    let item = Named::Barcode(command.item_barcode.as_deref().unwrap_or_default());
    let about = About { does: "check-in", item, patron: Who::Borrower, heeds_blocks: false, lost: true };
    let plan =
        at_desk(&request.context, about, |facts| octavo_circulation::check_in(facts, &command)).await?;
    Ok(explained(&request, Response::json_text(200, &plan.response), &plan))
}
