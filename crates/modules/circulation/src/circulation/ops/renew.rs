//! `POST /circulation/renew-by-barcode` and `renew-by-id`

use octavo_circulation::command::{Renew, RenewByBarcode, RenewById};
use octavo_circulation::facts::Facts;
use octavo_circulation::plan::{Plan, RecordKind};
use octavo_engine::{Context, Request, Response};
use octavo_kernel::Outcome;

use super::{decide_at_desk, with_explanation};
use crate::circulation::gather::{DeskSubject, PatronKey, RecordKey};

pub(crate) async fn by_barcode(request: Request) -> Outcome<Response> {
    let command: RenewByBarcode = request.body()?;
    renew(&request, &Renew::ByBarcode(command)).await
}

pub(crate) async fn by_id(request: Request) -> Outcome<Response> {
    let command: RenewById = request.body()?;
    renew(&request, &Renew::ById(command)).await
}

async fn renew(request: &Request, command: &Renew) -> Outcome<Response> {
    let plan = decide_renewal(&request.context, command).await?;
    let location = format!("/circulation/loans/{}", plan.written_id(RecordKind::Loan).unwrap_or_default());
    Ok(with_explanation(
        request,
        Response::json_text(200, &plan.response).with_header("location", location),
        &plan,
    ))
}

pub(crate) async fn decide_renewal(context: &Context, command: &Renew) -> Outcome<Plan> {
    let item = match command {
        Renew::ByBarcode(command) => RecordKey::Barcode(command.item_barcode.as_deref().unwrap_or_default()),
        Renew::ById(command) => match command.item_id.as_deref() {
            Some(id) if uuid::Uuid::parse_str(id).is_ok() => RecordKey::Id(id),
            // A text that is no UUID names no item; no item has an empty barcode either.
            _ => RecordKey::Barcode(""),
        },
    };
    let overrides = command.override_blocks();
    let overrides = overrides.renewal_block.is_some() || overrides.renewal_due_date_required_block.is_some();
    let about = DeskSubject {
        operation: "renewal",
        item,
        patron: PatronKey::Borrower,
        checks_blocks: true,
        reads_lost_fees: overrides,
    };
    let renew = |facts: &Facts| Ok(octavo_circulation::renew(facts, command)?);
    decide_at_desk(context, about, renew).await
}
