//! `PUT /inventory-storage/bound-withs`: sets all titles of a volume. The item's own holdings record is always among them. Facts:
//! mod-inventory-storage 27.1.3.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_pg::{Statement, read_each};
use serde_json::Value;
use uuid::Uuid;

const BOUND_WITH: &str = include_str!("../../../folio/records/mod-inventory-storage/boundWith.tsv");

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let body = request.checked_json(BOUND_WITH)?;
    let id = |value: &Value| value.as_str().and_then(|id| Uuid::parse_str(id).ok());
    let contents = body["boundWithContents"].as_array().map_or(&[][..], Vec::as_slice);
    let listed: Vec<Option<Uuid>> = contents.iter().map(|content| id(&content["holdingsRecordId"])).collect();
    let context = &request.context;
    let mut session = context.session().await?;
    let item = id(&body["itemId"]).unwrap_or_default();
    let ids: Vec<Uuid> = listed.iter().flatten().copied().collect();
    let answers = session
        .begin(vec![Statement::new(ITEM).uuid(item), Statement::new(HOLDINGS).uuids(ids.clone())])
        .await?;
    let (own, there): (Option<Uuid>, Vec<Uuid>) = read_each(&answers);
    let mut refusals = Vec::new();
    if own.is_none() {
        let value = body["itemId"].as_str().unwrap_or("null");
        refusals.push(Refusal::new("Item not found.").code("item.not-found").about("itemId", value));
    }
    for (content, id) in contents.iter().zip(&listed) {
        if !id.is_some_and(|id| there.contains(&id)) {
            let value = content["holdingsRecordId"].as_str().unwrap_or("null");
            let refusal = Refusal::new("Holdings record not found.").code("holding.not-found");
            refusals.push(refusal.about("holdingsRecordId", value));
        }
    }
    let (Some(own), true) = (own, refusals.is_empty()) else {
        session.rollback().await?;
        return Err(Fault::refused(refusals));
    };
    // If the own holdings record is the only one, the volume is not bound with others.
    let bound = ids.iter().any(|id| *id != own);
    let mut parts = if bound { ids } else { Vec::new() };
    if bound {
        parts.push(own);
    }
    let metadata = octavo_engine::metadata(context, None, &context.now_text());
    session
        .commit(vec![
            Statement::new(REMOVE).uuid(item).uuids(parts.clone()),
            Statement::new(ADD).uuid(item).uuids(parts).text(metadata.to_string()),
        ])
        .await?;
    Ok(Response::no_content())
}

const ITEM: &str = "select \"holdingsRecordId\" from item where id = $1 for update";
const HOLDINGS: &str = "select id from holdings_record where id = any($1)";
const REMOVE: &str = "\
delete from bound_with_part
where \"itemId\" = $1
and not \"holdingsRecordId\" = any($2)";
const ADD: &str = "\
insert into bound_with_part (id, doc)
select id, jsonb_build_object('id', id, 'itemId', $1::uuid, 'holdingsRecordId', holdings, 'metadata', $3::text::jsonb)
from (select gen_random_uuid() as id, holdings from (select distinct unnest($2::uuid[]) as holdings) d) n
on conflict do nothing";

octavo_pg::statements!(other = [ITEM, HOLDINGS, REMOVE, ADD]);
