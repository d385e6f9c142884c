//! `GET /inventory-view/instance-set`: up to ten instances, each with the related records that the parameters ask for. Facts:
//! mod-inventory-storage 27.1.3.

use octavo_engine::{CountMode, ListRequest, Request, Response, list_columns};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Row;

use super::INSTANCE;

pub(super) async fn list(request: Request) -> Outcome<Response> {
    if request.query("limit").is_none() {
        let message = "'limit' parameter is incorrect. parameter value {null} is not valid: must not be null";
        return Err(Fault::bad_request(message));
    }
    request.query_number("limit", 1, 1..=10)?;
    let listing = ListRequest { total: CountMode::None, ..ListRequest::from_request(&request)? };
    let mut column = "json_build_object('id', t.id".to_owned();
    for (part, sql) in PARTS {
        if request.query_flag(part) {
            column.push_str(&format!(", '{part}', {sql}"));
        }
    }
    column.push_str(")::text");
    let mut session = request.context.session().await?;
    let (rows, _) = list_columns(&mut session, &INSTANCE, &column, &listing).await?;
    let sets: Vec<&str> = rows.iter().map(Row::read).collect();
    Ok(Response::json_text(200, format!("{{\"instanceSets\":[{}]}}", sets.join(","))))
}

/// The parts of a set, by the parameters that ask for them.
const PARTS: [(&str, &str); 7] = [
    ("instance", "t.doc"),
    (
        "holdingsRecords",
        "coalesce((
  select json_agg(h.doc)
  from holdings_record h
  where h.\"instanceId\" = t.id), '[]')",
    ),
    (
        "items",
        "coalesce((
  select json_agg(i.doc)
  from holdings_record h
  join item i on i.\"holdingsRecordId\" = h.id
  where h.\"instanceId\" = t.id), '[]')",
    ),
    (
        "precedingTitles",
        "coalesce((
  select json_agg(p.doc)
  from preceding_succeeding_title p
  where p.\"succeedingInstanceId\" = t.id), '[]')",
    ),
    (
        "succeedingTitles",
        "coalesce((
  select json_agg(p.doc)
  from preceding_succeeding_title p
  where p.\"precedingInstanceId\" = t.id), '[]')",
    ),
    (
        "superInstanceRelationships",
        "coalesce((
  select json_agg(r.doc)
  from instance_relationship r
  where r.\"subInstanceId\" = t.id), '[]')",
    ),
    (
        "subInstanceRelationships",
        "coalesce((
  select json_agg(r.doc)
  from instance_relationship r
  where r.\"superInstanceId\" = t.id), '[]')",
    ),
];
