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

use super::faults::{exists, of, refused, unreadable};
use super::furnish::{HOLDINGS_ID, INSTANCE_ID, furnish};
use super::transactions::{Item, Patron, Pickup, Transaction, alone};
use super::{items, patrons, service_points};
use crate::circulation::by_partner;

const BODY: &str = include_str!("../../../folio/records/mod-dcb/DcbTransaction.tsv");

#[derive(Debug, Deserialize)]
struct Asked {
    item: Option<Item>,
    patron: Option<Patron>,
    pickup: Option<Pickup>,
    role: Option<Role>,
}

pub(super) async fn answer(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let asked: Asked = request.checked_body(BODY).map_err(unreadable)?;
    let mut transaction = new(context, request.parameter(0), asked)?;
    let known = Transaction::find(&mut context.session().await?, &transaction.transaction_id).await?;
    if known.is_some() {
        return Err(taken(&transaction));
    }
    furnish(context).await?;
    let wanted = prepared(context, &mut transaction).await?;
    request_item(context, &mut transaction, &wanted).await?;
    let shown = json!({"status": transaction.status, "item": transaction.item, "patron": transaction.patron});
    Ok(Response::json(201, &shown))
}

fn taken(transaction: &Transaction) -> Fault {
    exists(format!(
        "unable to create transaction with id {} as it already exists",
        transaction.transaction_id
    ))
}

/// The transaction as it will be if nothing speaks against it. Its request is known last.
fn new(context: &Context, id: &str, asked: Asked) -> Outcome<Transaction> {
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
pub(super) struct Wanted {
    kind: &'static str,
    item: Uuid,
    holdings: Uuid,
    instance: Uuid,
}

impl Wanted {
    /// A hold of another library's item.
    pub(super) fn borrowed(item: Uuid) -> Wanted {
        Wanted { kind: "Hold", item, holdings: HOLDINGS_ID, instance: INSTANCE_ID }
    }
}

/// Finds or makes patron, item and service point.
async fn prepared(context: &Context, transaction: &mut Transaction) -> Outcome<Wanted> {
    let role = transaction.role;
    let user = match role.has_visitor() {
        true => patrons::visitor(context, &transaction.patron).await?,
        false => patrons::own(context, &transaction.patron).await?,
    };
    transaction.patron.id = user["id"].as_str().and_then(|id| Uuid::parse_str(id).ok());
    if matches!(role, Role::Lender | Role::Borrower) {
        let point = service_points::elsewhere(context, &transaction.pickup).await?;
        transaction.pickup.service_point_id = Some(point.to_string());
    }
    if role == Role::Lender {
        let own = items::own(context, &transaction.item).await?;
        let kind = kind_for(&own.status).ok_or_else(|| {
            let barcode = transaction.item.barcode.as_deref().unwrap_or("null");
            refused(format!("Request will not be created for item barcode {barcode} as it is {}", own.status))
        })?;
        return Ok(Wanted { kind, item: own.id, holdings: own.holdings, instance: own.instance });
    }
    let pickup = transaction.pickup.service_point_id.as_deref().unwrap_or_default();
    let item = items::borrowed(context, &transaction.item, pickup).await?;
    let item = item["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_default();
    transaction.item.id = Some(item);
    Ok(Wanted::borrowed(item))
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
async fn request_item(context: &Context, transaction: &mut Transaction, wanted: &Wanted) -> Outcome<()> {
    let body = body_of(context, transaction, wanted);
    let with = |_: &Plan| {
        let alone = transaction.role.borrows_item().then(|| alone(wanted.item));
        alone.into_iter().chain([transaction.insert()]).collect::<Vec<Statement>>()
    };
    match by_partner::create(context, &body, &with).await {
        Ok(_) => Ok(()),
        Err(fault) => {
            // Somebody may have made a transaction of that id since.
            let mut session = context.session().await?;
            let known = Transaction::find(&mut session, &transaction.transaction_id).await?;
            Err(if known.is_some() { taken(transaction) } else { of(fault) })
        }
    }
}

/// Stores a request for another item of a transaction; `with` makes the transaction's change of the request's id.
pub(super) async fn request_again(
    context: &Context,
    transaction: &Transaction,
    wanted: &Wanted,
    with: impl Fn(Uuid) -> Vec<Statement> + Sync,
) -> Outcome<()> {
    let body = body_of(context, transaction, wanted);
    let id = |plan: &Plan| plan.written_id(RecordKind::Request).and_then(|id| Uuid::parse_str(id).ok());
    let with = |plan: &Plan| id(plan).map(&with).unwrap_or_default();
    by_partner::create(context, &body, &with).await.map(drop).map_err(of)
}

fn body_of(context: &Context, transaction: &Transaction, wanted: &Wanted) -> Value {
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
