//! `/item-storage-dereferenced/items`: items with the records that they name in the place of their ids. Facts:
//! mod-inventory-storage 27.1.3.

use octavo_engine::{ListRequest, PageFormat, Request, Response, Snapshot, page_response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Row, Statement};
use serde_json::Value;
use uuid::Uuid;

use super::{HOLDINGS, INSTANCE, ITEM, ITEM_LOOKUPS};

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let listing = ListRequest::from_request(&request)?;
    let context = &request.context;
    let snapshot = context.snapshot().await?;
    let shape = PageFormat::json_values("dereferencedItems", move |row| dereference_item(row, &snapshot));
    page_response(context, &ITEM, COLUMNS, &listing, shape).await
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = Uuid::parse_str(request.path_parameter(0)).map_err(|_| Fault::bad_request("Invalid UUID"))?;
    let context = &request.context;
    let snapshot = context.snapshot().await?;
    let mut session = context.session().await?;
    let one = format!("select {COLUMNS}\nfrom item t\nwhere t.id = $1");
    let rows = session.rows(Statement::new(one).uuid(id)).await?;
    let missing = || Fault::not_found_with("No item records found matching provided UUID.");
    let row = rows.first().ok_or_else(missing)?;
    Ok(Response::json(200, &dereference_item(row, &snapshot)))
}

fn dereference_item(row: &Row, snapshot: &Snapshot) -> Value {
    let [item, holdings, instance] = row.read::<[Option<&str>; 3]>();
    let mut item = ITEM.parse_stored(item).unwrap_or_default();
    let named = [
        ("holdingsRecord", HOLDINGS.parse_stored(holdings)),
        ("instanceRecord", INSTANCE.parse_stored(instance)),
    ];
    let looked_up = ITEM_LOOKUPS.map(|(id, shown, record)| {
        let id = item.as_object_mut().and_then(|item| item.remove(id));
        let id = id.as_ref().and_then(Value::as_str).and_then(|id| Uuid::parse_str(id).ok());
        (shown, id.and_then(|id| snapshot.get(record, id)).cloned())
    });
    if let Some(item) = item.as_object_mut() {
        item.remove("holdingsRecordId");
        let all = named.into_iter().chain(looked_up);
        item.extend(all.filter_map(|(name, record)| Some((name.to_owned(), record?))));
    }
    item
}

const COLUMNS: &str = "\
t.doc::text, (
  select h.doc::text
  from holdings_record h
  where h.id = t.\"holdingsRecordId\"), (
  select i.doc::text
  from holdings_record h
  join instance i on i.id = h.\"instanceId\"
  where h.id = t.\"holdingsRecordId\")";
