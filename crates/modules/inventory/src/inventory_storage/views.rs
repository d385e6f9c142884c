//! Lists with more or fewer members than the records have: `/record-bulk/ids` has only ids, without a limit; `/inventory-view/instances`
//! has each instance with its holdings and items. Facts: mod-inventory-storage 27.1.3.

use octavo_engine::{ListRequest, PageFormat, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_record::RecordType;

use super::{HOLDINGS, INSTANCE};

pub(super) async fn ids(request: Request) -> Outcome<Response> {
    if request.query("field").is_some_and(|field| field != "id") {
        return Err(wrong(&request, "field", "id"));
    }
    let record = match request.query("recordType") {
        None | Some("INSTANCE") => &INSTANCE,
        Some("HOLDING") => &HOLDINGS,
        Some(_) => return Err(wrong(&request, "recordType", "INSTANCE, HOLDING")),
    };
    page(request, record, "ids", i64::from(i32::MAX), "json_build_object('id', t.id)::text").await
}

pub(super) async fn instances(request: Request) -> Outcome<Response> {
    page(request, &INSTANCE, "instances", INSTANCE.default_limit, WITH_COPIES).await
}

fn wrong(request: &Request, name: &str, choices: &str) -> Fault {
    let value = request.query(name).unwrap_or_default();
    Fault::bad_request(format!(
        "'{name}' parameter is incorrect. parameter value {{{value}}} is not valid: must be one of {choices}"
    ))
}

/// `column` is the SQL of the text that is shown of each record.
async fn page(
    mut request: Request,
    record: &'static RecordType,
    collection: &'static str,
    limit: i64,
    column: &str,
) -> Outcome<Response> {
    for (name, value) in &mut request.query {
        // Some clients write `items.` instead of `item.` in this name.
        if name == "query" {
            *value = value.replace("items.effectiveLocationId", "item.effectiveLocationId");
        }
    }
    let listing = ListRequest::from_request_with_limit(&request, limit)?;
    let shape = PageFormat::rmb_list(collection, true, |row, text| text.push_str(row.read()));
    octavo_engine::page_response(&request.context, record, column, &listing, shape).await
}

const WITH_COPIES: &str = "\
json_build_object(
  'instanceId', t.id,
  'isBoundWith', exists (
    select from holdings_record h
    join bound_with_part b on b.\"holdingsRecordId\" = h.id
    where h.\"instanceId\" = t.id),
  'instance', t.doc,
  'holdingsRecords', coalesce((
    select json_agg(h.doc)
    from holdings_record h
    where h.\"instanceId\" = t.id), '[]'),
  'items', coalesce((
    select json_agg(i.doc)
    from holdings_record h
    join item i on i.\"holdingsRecordId\" = h.id
    where h.\"instanceId\" = t.id), '[]'))::text";
