//! `/circulation/requests/queue/{item|instance}/{id}`: the open requests in their order, and a new order.

use octavo_circulation::request::{Reorder, Scope, reorder_queue};
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use serde_json::{Value, json};
use uuid::Uuid;

use super::decide;
use super::gather::Wanted;
use super::related::views;
use crate::circulation::Desk;

pub(in crate::circulation) async fn of_item(request: Request) -> Outcome<Response> {
    show(&request, OF_ITEM).await
}

pub(in crate::circulation) async fn of_instance(request: Request) -> Outcome<Response> {
    show(&request, OF_INSTANCE).await
}

pub(in crate::circulation) async fn reorder_item(request: Request) -> Outcome<Response> {
    let wanted = Wanted { items: vec![id(&request)?], ..Wanted::default() };
    reorder(&request, Scope::Item, &wanted).await?;
    show(&request, OF_ITEM).await
}

pub(in crate::circulation) async fn reorder_instance(request: Request) -> Outcome<Response> {
    let wanted = Wanted { instance: Some(id(&request)?), ..Wanted::default() };
    reorder(&request, Scope::Instance, &wanted).await?;
    show(&request, OF_INSTANCE).await
}

async fn reorder(request: &Request, scope: Scope, wanted: &Wanted) -> Outcome<()> {
    let order: Reorder = request.body()?;
    decide(&request.context, wanted, |facts, _| reorder_queue(facts, scope, &order)).await.map(drop)
}

async fn show(request: &Request, sql: &'static str) -> Outcome<Response> {
    let desk = Desk::now(&request.context).await?;
    let mut session = request.context.session().await?;
    let rows = session.rows(Statement::new(sql).uuid(id(request)?)).await?;
    let queue: Vec<Value> = rows.iter().filter_map(|row| row.json(0)).collect();
    let body = json!({"requests": views(&desk, &mut session, &queue).await?, "totalRecords": queue.len()});
    Ok(Response::json(200, &body))
}

fn id(request: &Request) -> Outcome<Uuid> {
    let text = request.parameter(0);
    Uuid::parse_str(text).map_err(|_| Fault::text(404, format!("record with ID \"{text}\" cannot be found")))
}

const OF_ITEM: &str = "\
select r.doc::text
from request r
where r.\"itemId\" = $1
  and r.position is not null
order by r.position";

const OF_INSTANCE: &str = "\
select r.doc::text
from request r
where r.\"instanceId\" = $1
  and r.position is not null
order by r.position";
