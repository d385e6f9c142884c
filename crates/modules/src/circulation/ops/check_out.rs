//! `POST /circulation/check-out-by-barcode`

use octavo_circulation::command::CheckOut;
use octavo_engine::{Context, Request, Response};
use octavo_kernel::Outcome;
use serde_json::Value;

use super::decide;
use crate::circulation::Desk;
use crate::circulation::gather::{About, Named, Who};

pub(crate) async fn answer(request: Request) -> Outcome<Response> {
    let command: CheckOut = request.body()?;
    let loan = check_out(&request.context, &command).await?;
    let location = format!("/circulation/loans/{}", loan["id"].as_str().unwrap_or_default());
    Ok(Response::json(201, &loan).with("location", location))
}

/// Lends the item and returns the loan as clients see it.
pub async fn check_out(context: &Context, command: &CheckOut) -> Outcome<Value> {
    let desk = Desk::now(context).await?;
    let about = About {
        item: Named::Barcode(&command.item_barcode),
        patron: Who::User {
            barcode: &command.user_barcode,
            proxy_barcode: command.proxy_user_barcode.as_deref(),
            counts_loans: desk.limits_items,
        },
        heeds_blocks: true,
    };
    let plan = decide(context, &desk, &about, |facts| octavo_circulation::check_out(facts, command)).await?;
    Ok(plan.response)
}
