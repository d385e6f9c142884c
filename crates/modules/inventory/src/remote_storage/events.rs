//! `POST /remote-storage/pub-sub-handlers/log-record-event`: receives events about requests and check-ins that a module outside of Octavo
//! has published. Octavo's own decisions write to the retrieval queue directly, without events.

use octavo_circulation::plan::{RETURNED, Retrieval, TO_BE_RETRIEVED};
use octavo_circulation::remote::becomes_page;
use octavo_engine::{Context, Request, Response, Snapshot};
use octavo_kernel::Outcome;
use octavo_modules_base::remote_storage_records::{
    CAIA_SOFT, CONFIGURATION, MAPPING, SCANNED_TO_FOLIO, insert_retrieval,
};
use octavo_pg::Statement;
use serde_json::Value;
use uuid::Uuid;

use super::faults::{not_found, return_fault};
use super::uuid;

const SCHEMA: &str = include_str!("../../../folio/records/mod-remote-storage/pubSubEvent.tsv");

pub(super) async fn receive_log_record(request: Request) -> Outcome<Response> {
    let event = request.checked_json(SCHEMA)?;
    let context = &request.context;
    match event["logEventType"].as_str() {
        Some("CHECK_IN_EVENT") => {
            queue_returned_item(context, event["itemBarcode"].as_str().unwrap_or_default()).await?;
        }
        Some(kind) => {
            if let Some(page) = new_page_request(kind, &event["payload"]["requests"]) {
                queue_paged_item(context, event["payload"]["itemBarcode"].as_str(), page).await?;
            }
        }
        None => {}
    }
    Ok(Response::no_content())
}

/// The request of an event, if it became a page request by that event.
fn new_page_request<'a>(kind: &str, requests: &'a Value) -> Option<&'a Value> {
    match kind {
        "REQUEST_CREATED_EVENT" | "REQUEST_CREATED_THROUGH_OVERRIDE_EVENT" => {
            Some(&requests["created"]).filter(|created| becomes_page(None, created))
        }
        "REQUEST_MOVED_EVENT" | "REQUEST_UPDATED_EVENT" => {
            Some(&requests["updated"]).filter(|updated| becomes_page(Some(&requests["original"]), updated))
        }
        _ => None,
    }
}

async fn queue_paged_item(context: &Context, barcode: Option<&str>, request: &Value) -> Outcome<()> {
    let barcode = barcode.unwrap_or_default();
    let snapshot = context.snapshot().await?;
    let found = find_item(context, barcode).await?;
    let (item, place) = found.ok_or_else(|| not_found(format!("Item with barcode {barcode} not found")))?;
    let Some(storage) = storage_of(&snapshot, place) else { return Ok(()) };
    let retrieval =
        Retrieval::from_request(request, &item.to_string(), &storage.to_string(), TO_BE_RETRIEVED);
    if !record_retrieval(context, &retrieval).await? {
        let requester = retrieval.requester_id.as_deref().unwrap_or("null");
        return Err(not_found(format!("User with id {requester} not found")));
    }
    Ok(())
}

async fn queue_returned_item(context: &Context, barcode: &str) -> Outcome<()> {
    let snapshot = context.snapshot().await?;
    let found = find_item(context, barcode).await?;
    let (item, place) =
        found.ok_or_else(|| return_fault(format!("Item does not exist for barcode {barcode}")))?;
    let storage = storage_of(&snapshot, place).ok_or_else(|| {
        let place = place.map_or("null".to_owned(), |place| place.to_string());
        return_fault(format!("Mapping does not exist for folioLocationId {place}"))
    })?;
    let configuration = snapshot.get(&CONFIGURATION, storage).ok_or_else(|| {
        return_fault(format!("Remote storage configuration does not exist for id {storage}"))
    })?;
    if configuration["providerName"] != CAIA_SOFT
        || configuration["returningWorkflowDetails"] != SCANNED_TO_FOLIO
    {
        return Ok(());
    }
    let waiting: Option<Value> = context.session().await?.read(Statement::new(FIRST).uuid(item)).await?;
    let Some(waiting) = waiting else { return Ok(()) };
    let retrieval = Retrieval::from_request(&waiting, &item.to_string(), &storage.to_string(), RETURNED);
    if !record_retrieval(context, &retrieval).await? {
        let requester = retrieval.requester_id.as_deref().unwrap_or("null");
        return Err(return_fault(format!("User does not exist for requester id {requester}")));
    }
    Ok(())
}

/// Finds an item by its barcode. Returns its id and its effective location.
async fn find_item(context: &Context, barcode: &str) -> Outcome<Option<(Uuid, Option<Uuid>)>> {
    Ok(context.session().await?.read(Statement::new(ITEM).text(barcode)).await?)
}

async fn record_retrieval(context: &Context, retrieval: &Retrieval) -> Outcome<bool> {
    let entry = insert_retrieval(context.fresh_id(), retrieval);
    Ok(!context.session().await?.rows(entry).await?.is_empty())
}

fn storage_of(snapshot: &Snapshot, location: Option<Uuid>) -> Option<Uuid> {
    uuid(snapshot.get(&MAPPING, location?)?["configurationId"].as_str())
}

const ITEM: &str = "select id, \"effectiveLocationId\" from item where barcode = lower($1)";

const FIRST: &str = "\
select r.doc::text
from queue_place p
join request r on r.id = p.id
where p.\"itemId\" = $1
and p.position = 1
and p.\"requestType\" in ('Hold', 'Recall')
and r.status like 'open%'";

octavo_pg::statements!(other = [ITEM, FIRST]);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn which_events_tell_of_pages() {
        let of = |kind: &str| json!({"requestType": kind});
        let changed = |from, to| json!({"original": of(from), "updated": of(to)});
        for (kind, requests, tells) in [
            ("REQUEST_CREATED_EVENT", json!({"created": of("Page")}), true),
            ("REQUEST_CREATED_THROUGH_OVERRIDE_EVENT", json!({"created": of("Page")}), true),
            ("REQUEST_CREATED_EVENT", json!({"created": of("Hold")}), false),
            ("REQUEST_MOVED_EVENT", changed("Hold", "Page"), true),
            ("REQUEST_UPDATED_EVENT", changed("Recall", "Page"), true),
            ("REQUEST_UPDATED_EVENT", changed("Page", "Page"), false),
            ("REQUEST_REORDERED_EVENT", changed("Hold", "Page"), false),
            ("LOAN", Value::Null, false),
        ] {
            assert_eq!(new_page_request(kind, &requests).is_some(), tells, "{kind} {requests}");
        }
    }
}
