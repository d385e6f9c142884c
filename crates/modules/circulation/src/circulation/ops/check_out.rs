//! `POST /circulation/check-out-by-barcode`

use octavo_circulation::command::CheckOut;
use octavo_circulation::plan::{Plan, RecordKind};
use octavo_engine::{Context, Request, Response};
use octavo_kernel::Outcome;

use super::{at_desk, made};
use crate::circulation::gather::{About, Named, Who};

pub(crate) async fn answer(request: Request) -> Outcome<Response> {
    let command: CheckOut = request.body()?;
    let plan = lend(&request.context, &command).await?;
    Ok(made(&request, &plan, RecordKind::Loan, "/circulation/loans"))
}

pub async fn check_out(context: &Context, command: &CheckOut) -> Outcome<()> {
    lend(context, command).await.map(drop)
}

async fn lend(context: &Context, command: &CheckOut) -> Outcome<Plan> {
    let about = About {
        does: "check-out",
        item: Named::Barcode(&command.item_barcode),
        patron: Who::User {
            barcode: &command.user_barcode,
            proxy_barcode: command.proxy_user_barcode.as_deref(),
        },
        heeds_blocks: true,
        lost: false,
    };
    at_desk(context, about, |facts| octavo_circulation::check_out(facts, command)).await
}
