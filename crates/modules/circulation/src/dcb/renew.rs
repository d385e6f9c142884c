//! `PUT /transactions/{dcbTransactionId}/renew`: the borrowing library's renewal, repeated by the lender.

use octavo_circulation::command::{Renew, RenewById};
use octavo_circulation::dcb::{Role, Status};
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use serde_json::json;

use super::faults::{refused, to_dcb_fault};
use super::renewals;
use super::transactions::Transaction;
use crate::circulation::decide_renewal;

pub(super) async fn answer(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let transaction = Transaction::load(&mut context.session().await?, request.path_parameter(0)).await?;
    let (status, role) = (transaction.status, transaction.role);
    if status != Status::ItemCheckedOut {
        let name = status.name();
        return Err(refused(format!(
            "Loan couldn't be renewed with transaction status {name}, it could be renewed only with ITEM_CHECKED_OUT status"
        )));
    }
    if role != Role::Lender {
        let name = role.name();
        return Err(refused(format!(
            "Loan couldn't be renewed with role {name}, it could be renewed only with role LENDER"
        )));
    }
    let id = |id: Option<uuid::Uuid>| id.map(|id| id.to_string());
    let command = RenewById {
        item_id: id(transaction.item.id),
        user_id: id(transaction.patron.id),
        ..RenewById::default()
    };
    decide_renewal(context, &Renew::ById(command)).await.map_err(to_dcb_fault)?;
    let renewals = renewals::find_renewals(&mut context.session().await?, &transaction).await?;
    let renewals = renewals.map(renewals::Renewals::after_renewal);
    Ok(Response::json(200, &json!({"status": status, "role": role, "item": {"renewalInfo": renewals}})))
}
