//! `GET` and `PUT /transactions/{dcbTransactionId}/status`: what the hub asks and says.

use octavo_circulation::command::{CheckIn, CheckOut};
use octavo_circulation::dcb::{Act, Role, Status, steps};
use octavo_circulation::plan::Plan;
use octavo_circulation::request::Cancellation;
use octavo_engine::{Context, Request, Response};
use octavo_kernel::Outcome;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::faults::{refused, to_dcb_fault, unreadable};
use super::furnish::CANCELLATION_REASON_ID;
use super::renewals;
use super::transactions::Transaction;
use crate::circulation::{by_partner, check_in_with, check_out_with};
use crate::decide::StatementsOfPlan;

const BODY: &str = include_str!("../../../folio/records/mod-dcb/TransactionStatus.tsv");

#[derive(Debug, Deserialize)]
struct StatusBody {
    status: Option<Status>,
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let transaction = Transaction::load(&mut session, request.path_parameter(0)).await?;
    let mut shown = json!({"status": transaction.status, "role": transaction.role});
    let lends_on = matches!(transaction.role, Role::Borrower | Role::BorrowingPickup);
    if lends_on
        && transaction.status == Status::ItemCheckedOut
        && let Some(renewals) = renewals::find_renewals(&mut session, &transaction).await?
    {
        shown["item"] = json!({"renewalInfo": renewals});
    }
    Ok(Response::json(200, &shown))
}

pub(super) async fn set_status(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let said: StatusBody = request.checked_body(BODY).map_err(unreadable)?;
    let to = said.status.ok_or_else(|| refused("status must not be null"))?;
    let mut transaction = Transaction::load(&mut context.session().await?, request.path_parameter(0)).await?;
    let steps =
        steps(&transaction.transaction_id, transaction.role, transaction.status, to).map_err(to_dcb_fault)?;
    for (status, act) in steps {
        take_step(context, &transaction, status, act).await.map_err(to_dcb_fault)?;
        transaction.status = status;
    }
    Ok(Response::json(200, &json!({"status": to})))
}

/// Does what a step asks for; the status is stored with it, or neither is.
async fn take_step(context: &Context, transaction: &Transaction, status: Status, act: Act) -> Outcome<()> {
    let with = |_: &Plan| vec![transaction.set_status_statement(context, status)];
    match act {
        Act::Nothing => {
            context.session().await?.rows(transaction.set_status_statement(context, status)).await?;
            Ok(())
        }
        Act::CancelRequest => cancel_request(context, transaction.request_id, &with).await.map(drop),
        Act::CheckOut => check_out_with(context, &check_out(transaction), &with).await.map(drop),
        Act::CheckInAtPickup => {
            let at = transaction.pickup.service_point_id.clone();
            check_in_with(context, &check_in(context, transaction, at), &with).await.map(drop)
        }
        Act::CheckInElsewhere => {
            let nowhere = Some(context.fresh_id().to_string());
            check_in_with(context, &check_in(context, transaction, nowhere), &with).await.map(drop)
        }
    }
}

pub(super) async fn cancel_request(
    context: &Context,
    request: Uuid,
    with: StatementsOfPlan<'_, Plan>,
) -> Outcome<Plan> {
    let cancellation = Cancellation {
        reason_id: Some(CANCELLATION_REASON_ID.to_string()),
        information: Some("Request cancelled by DCB".to_owned()),
        user_id: context.caller.user_id.map(|id| id.to_string()),
        date: None,
    };
    by_partner::cancel(context, request, &cancellation, with).await
}

fn check_in(context: &Context, transaction: &Transaction, service_point: Option<String>) -> CheckIn {
    CheckIn {
        item_barcode: transaction.item.barcode.clone(),
        service_point_id: service_point,
        check_in_date: Some(context.now_text()),
        ..CheckIn::default()
    }
}

fn check_out(transaction: &Transaction) -> CheckOut {
    let word = |text: &Option<String>| text.clone().unwrap_or_default();
    CheckOut {
        item_barcode: word(&transaction.item.barcode),
        user_barcode: word(&transaction.patron.barcode),
        service_point_id: transaction.pickup.service_point_id.clone(),
        ..CheckOut::default()
    }
}
