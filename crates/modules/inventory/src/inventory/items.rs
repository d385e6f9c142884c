//! `/inventory/items`: one query reads a page with holdings, instances and bound-with titles; the names of types and locations come
//! from the snapshot.

use octavo_circulation::status::ItemStatus;
use octavo_engine::{ListRequest, PageFormat, Request, Response, Snapshot, page_response};
use octavo_kernel::{Fault, Kind, Outcome, Refusal};
use octavo_modules_base::inventory_records::item_record;
use octavo_modules_base::user_records::USER;
use octavo_pg::{Session, Statement, read_each};
use octavo_record::{Hooks, Message, RecordType, Unique};
use serde_json::Value;
use uuid::Uuid;

use super::item_body::{NoteSigner, to_stored};
use super::item_view::{COLUMNS, row_to_json};

/// The record type of items with the error messages of mod-inventory.
static ITEM: RecordType = RecordType {
    path: "/inventory/items",
    unique: &[
        Unique::new(&["barcode"]).message(Message::new(
            Kind::BadRequest,
            "Barcode must be unique, {} is already assigned to another item",
            "barcode",
        )),
        Unique::new(&["hrid"]),
    ],
    hooks: Hooks { validate_change: Some(transition), ..item_record().hooks },
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
    let shape = PageFormat::json_values("items", move |row| row_to_json(row, &snapshot));
    page_response(&request.context, &ITEM, COLUMNS, &listing, shape).await
}

/// Reads limit and offset, with mod-inventory's messages.
pub(super) fn listing(request: &Request) -> Outcome<ListRequest> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = |name| request.query(name).is_none_or(digits);
    if !(number("limit") && number("offset")) {
        return Err(Fault::bad_request("limit and offset must be numeric when supplied"));
    }
    ListRequest::from_request(request)
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = Uuid::parse_str(request.path_parameter(0)).map_err(|_| not_found())?;
    let snapshot = request.context.snapshot().await?;
    let mut session = request.context.session().await?;
    Ok(Response::json(200, &load_item(&snapshot, &mut session, id).await?))
}

/// The JSON of one item; 404 if it does not exist.
pub(super) async fn load_item(snapshot: &Snapshot, session: &mut Session, id: Uuid) -> Outcome<Value> {
    let one = format!("select {COLUMNS}\nfrom item t\nwhere t.id = $1");
    let rows = session.rows(Statement::new(one).uuid(id)).await?;
    rows.first().map(|row| row_to_json(row, snapshot)).ok_or_else(not_found)
}

fn not_found() -> Fault {
    Fault::not_found_with("Not Found")
}

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let mut item = to_stored(request.json()?)?;
    let snapshot = request.context.snapshot().await?;
    let mut session = request.context.session().await?;
    sign_notes(&request, &mut session, &mut item, None).await?;
    let stored = octavo_engine::create(&request.context, &mut session, &ITEM, item).await?;
    let id = stored["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_default();
    Ok(Response::json(201, &load_item(&snapshot, &mut session, id).await?))
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let id = Uuid::parse_str(request.path_parameter(0)).map_err(|_| item_not_found())?;
    let mut item = to_stored(request.json()?)?;
    let mut session = request.context.session().await?;
    sign_notes(&request, &mut session, &mut item, Some(id)).await?;
    match octavo_engine::replace(&request.context, &mut session, &ITEM, id, item).await {
        Ok(_) => Ok(Response::no_content()),
        Err(fault) if fault.status == 404 => Err(item_not_found()),
        Err(fault) => Err(fault),
    }
}

pub(crate) fn item_not_found() -> Fault {
    Fault::not_found_with("No item found")
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
        Statement::new(octavo_engine::statements::select_sql(record)).uuid(id.unwrap_or_default())
    };
    let answers = session.batch(vec![of(&USER, context.caller.user_id), of(&ITEM, replaced)]).await?;
    let (user, stored): (Option<Value>, Option<Value>) = read_each(&answers);
    let writing =
        NoteSigner { user: user.as_ref(), now: &context.now_text(), fresh_id: context.platform.entropy.id };
    writing.sign(item, stored.as_ref());
    Ok(())
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
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

/// The query of a request that deletes many records. Without one, mod-inventory's error message.
pub(super) fn query_to_delete(request: &Request) -> Outcome<&str> {
    request.query("query").ok_or_else(|| Fault::bad_request("query parameter is required"))
}
