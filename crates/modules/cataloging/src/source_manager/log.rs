//! The log of a job, record by record, as staff read it.

mod entry;

use std::collections::HashMap;

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use octavo_record::{Param, Sql};
use serde_json::{Value, json};
use uuid::Uuid;

use super::journal::{self, Line, filter_bits};
use super::list;
use entry::{entry_json, record_json};

/// The fields that clients can sort log entries by, with the column or expression.
const SORTED: [(&str, &str); 9] = [
    ("source_record_order", "place"),
    ("title", "title"),
    ("source_record_action_status", "source_status"),
    ("instance_action_status", "instance_status"),
    ("holdings_action_status", "holdings_status"),
    ("item_action_status", "item_status"),
    ("order_action_status", "order_status"),
    ("invoice_action_status", "invoice_status"),
    ("error", "error"),
];

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let job = request.path_id(0)?;
    let (limit, offset) = list::page_parameters(&request, 10)?;
    let sort = request.query("sortBy").unwrap_or("source_record_order");
    let column = SORTED.iter().find(|(name, _)| *name == sort).map(|(_, column)| *column);
    let column = column.ok_or_else(|| {
        Fault::bad_request(format!("The specified field for sorting job log entries is invalid: '{sort}'"))
    })?;
    let order = match request.query("order") {
        None | Some("asc") => "asc",
        Some("desc") => "desc",
        Some(other) => return Err(Fault::bad_request(format!("'order' parameter is incorrect: {other}"))),
    };
    let kind = request.query("entityType").unwrap_or("ALL");
    let wanted = filter_bits(kind)
        .ok_or_else(|| Fault::bad_request(format!("'entityType' parameter is incorrect: {kind}")))?;
    let flags = if request.query_flag("errorsOnly") { "errors" } else { "entities" };
    let condition = format!("job = $1 and {flags} & $2::int8 <> 0");
    let params = vec![Param::Uuid(job), Param::Long(wanted)];
    let count = Sql { text: format!("select count(*) from incoming_record where {condition}"), params };
    let page = Sql {
        text: format!(
            "select id, place, coalesce(remark, '') from incoming_record where {condition} order by {column} {order}, place, id limit {limit} offset {offset}"
        ),
        params: count.params.clone(),
    };
    let mut session = request.context.session().await?;
    let total: Option<i64> = session.read_once(&count).await?;
    let records: Vec<(Uuid, i64, String)> = session.read_once(&page).await?;
    let places: Vec<i64> = records.iter().map(|(_, place, _)| *place).collect();
    let mut lines: HashMap<Uuid, Vec<Line>> = HashMap::new();
    for (source, line) in journal::lines(&mut session, job, &places).await? {
        lines.entry(source).or_default().push(line);
    }
    let entries: Vec<Value> = records
        .iter()
        .map(|(id, place, remark)| {
            with_remark(entry_json(job, *id, *place, lines.get(id).map_or(&[][..], Vec::as_slice)), remark)
        })
        .collect();
    Ok(Response::json(200, &json!({"entries": entries, "totalRecords": total.unwrap_or(0)})))
}

/// The log entry of one record.
pub(super) async fn of_record(request: Request) -> Outcome<Response> {
    let missing = || Fault::not_found_with("Can`t find record with specific jobExecutionId and recordId");
    let (job, record) = (request.path_id(0)?, request.path_id(1)?);
    let mut session = request.context.session().await?;
    let place: Option<(i64, String)> = session.read(Statement::new(PLACE).uuid(job).uuid(record)).await?;
    let (place, remark) = place.ok_or_else(missing)?;
    let lines = journal::lines(&mut session, job, &[place]).await?;
    let lines: Vec<Line> =
        lines.into_iter().filter(|(source, _)| *source == record).map(|(_, line)| line).collect();
    Ok(Response::json(200, &with_remark(record_json(job, record, place, &lines), &remark)))
}

/// Adds a remark on the parts of the record that were lost when it was parsed. FOLIO has no such member.
fn with_remark(mut told: Value, remark: &str) -> Value {
    if !remark.is_empty() {
        told["remark"] = json!(remark);
    }
    told
}

const PLACE: &str = "select place, coalesce(remark, '') from incoming_record where id = $2 and job = $1";

octavo_pg::statements!(other = [PLACE]);
