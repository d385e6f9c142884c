//! `POST /transactions/{dcbTransactionId}`: the patron and the item are found or made, and the request and the transaction are stored
//! together.

use octavo_circulation::dcb::{Role, Status};
use octavo_circulation::plan::{Plan, RecordKind};
use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::faults::{exists, refused, to_dcb_fault, unreadable};
use super::furnish::{HOLDINGS_ID, INSTANCE_ID, ensure_records};
use super::transactions::{Item, Patron, Pickup, Transaction, refuse_other_statement};
use super::{items, patrons, service_points};
use crate::circulation::by_partner;

const BODY: &str = include_str!("../../../folio/records/mod-dcb/DcbTransaction.tsv");

#[derive(Debug, Deserialize)]
struct TransactionBody {
    item: Option<Item>,
    patron: Option<Patron>,
    pickup: Option<Pickup>,
    role: Option<Role>,
}

pub(super) async fn answer(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let asked: TransactionBody = request.checked_body(BODY).map_err(unreadable)?;
    let mut transaction = new_transaction(context, request.path_parameter(0), asked)?;
    let known = Transaction::find(&mut context.session().await?, &transaction.transaction_id).await?;
    if known.is_some() {
        return Err(duplicate_transaction(&transaction));
    }
    ensure_records(context).await?;
    let wanted = prepare(context, &mut transaction).await?;
    request_item(context, &mut transaction, &wanted).await?;
    let shown = json!({"status": transaction.status, "item": transaction.item, "patron": transaction.patron});
    Ok(Response::json(201, &shown))
}

fn duplicate_transaction(transaction: &Transaction) -> Fault {
    exists(format!(
        "unable to create transaction with id {} as it already exists",
        transaction.transaction_id
    ))
}

/// The new transaction, from the body. Its patron, item and request are found or created later.
fn new_transaction(context: &Context, id: &str, asked: TransactionBody) -> Outcome<Transaction> {
    let missing = |name: &str| refused(format!("{name} must not be null"));
    if id.chars().count() > MOST_SIGNS {
        return Err(refused(format!("The id of a transaction has {MOST_SIGNS} characters at most")));
    }
    let now = context.now_text();
    Ok(Transaction {
        id: context.fresh_id(),
        transaction_id: id.to_owned(),
        role: asked.role.ok_or_else(|| missing("role"))?,
        status: Status::Created,
        request_id: context.fresh_id(),
        item: asked.item.ok_or_else(|| missing("item"))?,
        patron: asked.patron.ok_or_else(|| missing("patron"))?,
        pickup: asked.pickup.ok_or_else(|| missing("pickup"))?,
        created_date: now.clone(),
        updated_date: now,
    })
}

/// The most characters of a transaction's id.
const MOST_SIGNS: usize = 255;

/// What a request is for.
pub(super) struct RequestTarget {
    kind: &'static str,
    item: Uuid,
    holdings: Uuid,
    instance: Uuid,
}

impl RequestTarget {
    /// A hold of another library's item.
    pub(super) fn borrowed_item(item: Uuid) -> RequestTarget {
        RequestTarget { kind: "Hold", item, holdings: HOLDINGS_ID, instance: INSTANCE_ID }
    }
}

/// Finds or makes patron, item and service point.
async fn prepare(context: &Context, transaction: &mut Transaction) -> Outcome<RequestTarget> {
    let role = transaction.role;
    let user = match role.has_visitor() {
        true => patrons::find_or_create_visitor(context, &transaction.patron).await?,
        false => patrons::find_own(context, &transaction.patron).await?,
    };
    transaction.patron.id = user["id"].as_str().and_then(|id| Uuid::parse_str(id).ok());
    if matches!(role, Role::Lender | Role::Borrower) {
        let point = service_points::find_or_create_pickup(context, &transaction.pickup).await?;
        transaction.pickup.service_point_id = Some(point.to_string());
    }
    if role == Role::Lender {
        let own = items::find_own(context, &transaction.item).await?;
        let kind = kind_for(&own.status).ok_or_else(|| {
            let barcode = transaction.item.barcode.as_deref().unwrap_or("null");
            refused(format!("Request will not be created for item barcode {barcode} as it is {}", own.status))
        })?;
        return Ok(RequestTarget { kind, item: own.id, holdings: own.holdings, instance: own.instance });
    }
    let pickup = transaction.pickup.service_point_id.as_deref().unwrap_or_default();
    let item = items::find_or_create_borrowed(context, &transaction.item, pickup).await?;
    let item = item["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_default();
    transaction.item.id = Some(item);
    Ok(RequestTarget::borrowed_item(item))
}

/// The type of request for an item of the library in that status, if it can be requested.
fn kind_for(status: &str) -> Option<&'static str> {
    match status {
        "Available" => Some("Page"),
        "In transit" | "Checked out" | "Paged" | "Awaiting pickup" | "Awaiting delivery" => Some("Hold"),
        _ => None,
    }
}

/// Stores the request, and the transaction with it.
async fn request_item(
    context: &Context,
    transaction: &mut Transaction,
    wanted: &RequestTarget,
) -> Outcome<()> {
    let body = body_of(context, transaction, wanted);
    let with = |_: &Plan| {
        let alone = transaction.role.borrows_item().then(|| refuse_other_statement(wanted.item));
        alone.into_iter().chain([transaction.insert_statement()]).collect::<Vec<Statement>>()
    };
    match by_partner::create(context, &body, &with).await {
        Ok(_) => Ok(()),
        Err(fault) => {
            // Somebody may have made a transaction of that id since.
            let mut session = context.session().await?;
            let known = Transaction::find(&mut session, &transaction.transaction_id).await?;
            Err(if known.is_some() { duplicate_transaction(transaction) } else { to_dcb_fault(fault) })
        }
    }
}

/// Stores a request for another item of a transaction. From the id of the request, `with` makes the statements that change the transaction.
pub(super) async fn request_again(
    context: &Context,
    transaction: &Transaction,
    wanted: &RequestTarget,
    with: impl Fn(Uuid) -> Vec<Statement> + Sync,
) -> Outcome<()> {
    let body = body_of(context, transaction, wanted);
    let id = |plan: &Plan| plan.written_id(RecordKind::Request).and_then(|id| Uuid::parse_str(id).ok());
    let with = |plan: &Plan| id(plan).map(&with).unwrap_or_default();
    by_partner::create(context, &body, &with).await.map(drop).map_err(to_dcb_fault)
}

fn body_of(context: &Context, transaction: &Transaction, wanted: &RequestTarget) -> Value {
    json!({
        "id": transaction.request_id,
        "requesterId": transaction.patron.id,
        "itemId": wanted.item,
        "holdingsRecordId": wanted.holdings,
        "instanceId": wanted.instance,
        "requestType": wanted.kind,
        "requestLevel": "Item",
        "requestDate": context.now_text(),
        "fulfillmentPreference": "Hold Shelf",
        "pickupServicePointId": transaction.pickup.service_point_id,
    })
}
