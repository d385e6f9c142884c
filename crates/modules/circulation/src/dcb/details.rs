//! `PUT /transactions/{dcbTransactionId}`: another library lends the item, before anything was sent. The patron gets a new request, and
//! the one for the item before is cancelled. The cancellation is a task of the outbox until it is done, so it happens even if the process
//! dies before it.

use octavo_circulation::dcb::{Role, Status};
use octavo_circulation::plan::Plan;
use octavo_engine::outbox::{self, Task, TaskFilter};
use octavo_engine::{Context, Request, Response};
use octavo_kernel::Outcome;
use serde::Deserialize;
use uuid::Uuid;

use super::create::{RequestTarget, request_again};
use super::faults::{refused, unreadable};
use super::status::cancel_request;
use super::transactions::{Item, Transaction, refuse_other_statement};
use super::{items, patrons};

pub(super) const TASK: &str = "dcb request";
/// After how many seconds another process takes over the task.
const CLAIM_SECONDS: i64 = 60;

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
        vec![
            refuse_other_statement(item),
            before.change_item_statement(context, &changed.item, request),
            outbox::add_tasks(TASK, vec![before.request_id]),
        ]
    };
    request_again(context, &changed, &RequestTarget::borrowed_item(item), with).await?;
    if let Err(fault) = cancel_replaced(context, before.request_id).await {
        tracing::warn!(tenant = %context.tenant.id, request = %before.request_id, %fault, "a replaced request is not cancelled yet");
        context.platform.outbox_notifier.notify(&context.tenant.id);
    }
    Ok(Response::no_content())
}

/// Cancels a request if it is open. Its transaction has another request now, so the transaction goes on.
async fn cancel_replaced(context: &Context, request: Uuid) -> Outcome<()> {
    let with = |_: &Plan| vec![outbox::delete_done(TASK, vec![request])];
    cancel_request(context, request, &with).await.map(drop)
}

/// Cancels the replaced requests of a tenant that are not cancelled yet.
pub(super) async fn cancel_all_replaced(context: Context) -> Outcome<usize> {
    while !context.platform.stop_sign.must_stop() {
        let claim = outbox::claim(TASK, TaskFilter::Any, 1, CLAIM_SECONDS);
        let claimed: Option<Task> = context.session().await?.read(claim).await?;
        let Some(task) = claimed else { break };
        if let Err(fault) = outbox::catch_panics(cancel_replaced(&context, task.subject)).await {
            tracing::warn!(tenant = %context.tenant.id, request = %task.subject, %fault, "a replaced request is not cancelled yet");
            context.session().await?.rows(outbox::postpone(TASK, &task, &fault.to_string())).await?;
        }
    }
    Ok(0)
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
