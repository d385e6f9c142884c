//! `PUT /transactions/{dcbTransactionId}`: another library lends the item, before anything was sent. The patron gets a new request, and
//! the one for the item before is cancelled.

use octavo_circulation::dcb::{Role, Status};
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use serde::Deserialize;
use uuid::Uuid;

use super::create::{RequestTarget, request_again};
use super::faults::{refused, to_dcb_fault, unreadable};
use super::status::cancel_request;
use super::transactions::{Item, Transaction, refuse_other_statement};
use super::{items, patrons};

const BODY: &str = include_str!("../../../folio/records/mod-dcb/DcbUpdateTransaction.tsv");

#[derive(Debug, Deserialize)]
struct UpdateBody {
    item: Item,
}

pub(super) async fn answer(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let asked: UpdateBody = request.checked_body(BODY).map_err(unreadable)?;
    let before = Transaction::load(&mut context.session().await?, request.path_parameter(0)).await?;
    refuse(&before)?;
    let mut changed = Transaction { request_id: context.fresh_id(), ..before.clone() };
    changed.item = Item { title: before.item.title.clone(), ..asked.item };
    patrons::check_known(context, &before.patron).await?;
    let pickup = before.pickup.service_point_id.as_deref().unwrap_or_default();
    let record = items::find_or_create_borrowed(context, &changed.item, pickup).await?;
    let item = record["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_default();
    changed.item.id = Some(item);
    let with = |request: Uuid| {
        vec![refuse_other_statement(item), before.change_item_statement(context, &changed.item, request)]
    };
    request_again(context, &changed, &RequestTarget::borrowed_item(item), with).await?;
    // The transaction has the new request now, so this ends the old one alone.
    cancel_request(context, before.request_id, &|_| Vec::new()).await.map_err(to_dcb_fault)?;
    Ok(Response::no_content())
}

fn refuse(transaction: &Transaction) -> Outcome<()> {
    if transaction.status != Status::Created {
        return Err(refused(format!(
            "Transaction details should not be updated from {} status, it can be updated only from CREATED status",
            transaction.status.name()
        )));
    }
    if transaction.role == Role::Lender {
        return Err(refused("Item details cannot be updated for lender role"));
    }
    Ok(())
}
