//! `/shelf-locations`: the ids and names of locations, an older interface. It is read only: as in mod-inventory-storage 27.1.3, changes
//! are answered with 501.

use octavo_engine::{ListRequest, Request, Response, find, list_columns};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Row;
use serde_json::{Value, json};
use uuid::Uuid;

use super::LOCATION;

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let listing = ListRequest::from_request(&request)?;
    let mut session = request.context.session().await?;
    let (rows, total) = list_columns(&mut session, &LOCATION, "t.id, t.doc ->> 'name'", &listing).await?;
    let shelves = rows.iter().map(Row::read::<(Uuid, Option<&str>)>);
    let shelves: Vec<Value> = shelves.map(|(id, name)| json!({"id": id, "name": name})).collect();
    Ok(Response::json(200, &json!({"shelflocations": shelves, "totalRecords": total.unwrap_or(0)})))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let found = find(&mut session, &LOCATION, request.path_id(0)?).await?.ok_or_else(Fault::not_found)?;
    Ok(Response::json(200, &json!({"id": found["id"], "name": found["name"]})))
}
