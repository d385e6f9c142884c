//! `/inventory/items`: one query reads a page with holdings, instances and bound-with titles; the names of types and locations come
//! from the snapshot.

use octavo_circulation::status::ItemStatus;
use octavo_engine::{Listing, Request, Response, Shape, Snapshot, page};
use octavo_kernel::{Fault, Kind, Outcome, Refusal};
use octavo_modules_base::inventory_records::item_record;
use octavo_modules_base::user_records::USER;
use octavo_pg::{Session, Statement, read_each};
use octavo_record::{Hooks, Message, RecordType, Unique};
use serde_json::Value;
use uuid::Uuid;

use super::item_body::{Writing, to_stored};
use super::item_view::{COLUMNS, view};

/// Items, with the messages of mod-inventory.
static ITEM: RecordType = RecordType {
    path: "/inventory/items",
    unique: &[
        Unique::of(&["barcode"]).message(Message::new(
            Kind::BadRequest,
            "Barcode must be unique, {} is already assigned to another item",
            "barcode",
        )),
        Unique::of(&["hrid"]),
    ],
    hooks: Hooks { transition: Some(transition), ..item_record().hooks },
    ..item_record()
};

fn transition(stored: &Value, new: &Value) -> Outcome<()> {
    if stored["hrid"] != new["hrid"] {
        return Err(Refusal::new("HRID can not be updated").about("hrid", new["hrid"].as_str()).into());
    }
    let missing = ItemStatus::Missing.name();
    if stored["status"]["name"] == ItemStatus::ClaimedReturned.name() && new["status"]["name"] == missing {
        let message = "Claimed returned item cannot be marked as missing";
        return Err(Refusal::new(message).about("status.name", missing).into());
    }
    Ok(())
}

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let listing = listing(&request)?;
    let snapshot = request.context.snapshot().await?;
    let shape = Shape::values("items", move |row| view(row, &snapshot));
    page(&request.context, &ITEM, COLUMNS, &listing, shape).await
}

/// Reads limit and offset, with mod-inventory's messages.
pub(super) fn listing(request: &Request) -> Outcome<Listing> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = |name| request.query(name).is_none_or(digits);
    if !(number("limit") && number("offset")) {
        return Err(Fault::bad_request("limit and offset must be numeric when supplied"));
    }
    Listing::of(request)
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = Uuid::parse_str(request.parameter(0)).map_err(|_| not_found())?;
    let snapshot = request.context.snapshot().await?;
    let mut session = request.context.session().await?;
    Ok(Response::json(200, &read(&snapshot, &mut session, id).await?))
}

/// One item as it is shown; 404 where there is none.
pub(super) async fn read(snapshot: &Snapshot, session: &mut Session, id: Uuid) -> Outcome<Value> {
    let one = format!("select {COLUMNS}\nfrom item t\nwhere t.id = $1");
    let rows = session.rows(Statement::new(one).uuid(id)).await?;
    rows.first().map(|row| view(row, snapshot)).ok_or_else(not_found)
}

fn not_found() -> Fault {
    Fault::missing("Not Found")
}

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let mut item = to_stored(request.json()?)?;
    let snapshot = request.context.snapshot().await?;
    let mut session = request.context.session().await?;
    sign_notes(&request, &mut session, &mut item, None).await?;
    let stored = octavo_engine::create(&request.context, &mut session, &ITEM, item).await?;
    let id = stored["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_default();
    Ok(Response::json(201, &read(&snapshot, &mut session, id).await?))
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let id = Uuid::parse_str(request.parameter(0)).map_err(|_| no_item())?;
    let mut item = to_stored(request.json()?)?;
    let mut session = request.context.session().await?;
    sign_notes(&request, &mut session, &mut item, Some(id)).await?;
    match octavo_engine::replace(&request.context, &mut session, &ITEM, id, item).await {
        Ok(_) => Ok(Response::no_content()),
        Err(fault) if fault.status == 404 => Err(no_item()),
        Err(fault) => Err(fault),
    }
}

pub(crate) fn no_item() -> Fault {
    Fault::missing("No item found")
}

/// Signs new circulation notes. The caller and the stored notes are read only if the item has any.
async fn sign_notes(
    request: &Request,
    session: &mut Session,
    item: &mut Value,
    replaced: Option<Uuid>,
) -> Outcome<()> {
    if item["circulationNotes"].as_array().is_none_or(Vec::is_empty) {
        return Ok(());
    }
    let context = &request.context;
    let of = |record, id: Option<Uuid>| {
        Statement::new(octavo_engine::statements::get(record)).uuid(id.unwrap_or_default())
    };
    let answers = session.batch(vec![of(&USER, context.caller.user_id), of(&ITEM, replaced)]).await?;
    let (user, stored): (Option<Value>, Option<Value>) = read_each(&answers);
    let writing =
        Writing { user: user.as_ref(), now: &context.now_text(), fresh_id: context.platform.entropy.id };
    writing.sign(item, stored.as_ref());
    Ok(())
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let id = request.id(0)?;
    let mut session = request.context.session().await?;
    octavo_engine::delete(&request.context, &mut session, &ITEM, id).await?;
    Ok(Response::no_content())
}

pub(super) async fn delete_where(request: Request) -> Outcome<Response> {
    let query = query_to_delete(&request)?;
    let mut session = request.context.session().await?;
    octavo_engine::delete_where(&request.context, &mut session, &ITEM, Some(query)).await?;
    Ok(Response::no_content())
}

/// The query of a call that deletes many records, with mod-inventory's message if there is none.
pub(super) fn query_to_delete(request: &Request) -> Outcome<&str> {
    request.query("query").ok_or_else(|| Fault::bad_request("query parameter is required"))
}
