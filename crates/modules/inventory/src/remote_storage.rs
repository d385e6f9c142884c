//! mod-remote-storage 3.2.0: remote storages, the locations that stand for them, the queues of items that are to come into a storage or are
//! requested from it, and the messages of a storage to the library. The record types are in `remote_storage_records`, where circulation
//! uses them too.

mod accession;
mod check_in;
mod edge;
mod events;
mod extended;
mod faults;
mod mappings;
mod queue;

use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Module, Notation, Request, Response, calls, replace};
use octavo_kernel::Outcome;
use octavo_modules_base::remote_storage_records::{
    ACCESSION, CAIA_SOFT, CONFIGURATION, DEMATIC_EMS, DEMATIC_SD, MAPPING, RETRIEVAL,
};
use serde_json::json;
use uuid::Uuid;

use queue::{ACCESSIONS, RETRIEVALS};

pub static MODULE: Module = Module {
    name: "mod-remote-storage",
    notation: Notation::SPRING,
    records: &[&CONFIGURATION],
    hidden_records: &[&MAPPING, &ACCESSION, &RETRIEVAL],
    calls: CALLS,
    edges: &[edge::CAIA_SOFT, edge::DEMATIC],
    script: include_str!("remote_storage/tenant.sql"),
    migrations: &[Migration {
        number: 25,
        name: "queues of remote storages",
        sql: include_str!("../../migrations/25_remote_storages.sql"),
    }],
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Put "/remote-storage/configurations/{configurationId}" => change;
    Get "/remote-storage/providers" => |_| providers();
    Get "/remote-storage/mappings" => mappings::list;
    Post "/remote-storage/mappings" => mappings::map;
    Get "/remote-storage/mappings/{finalLocationId}" => mappings::get;
    Delete "/remote-storage/mappings/{finalLocationId}" => mappings::unmap;
    Get "/remote-storage/extended-mappings" => extended::list;
    Post "/remote-storage/extended-mappings" => extended::map;
    Get "/remote-storage/extended-mappings/locations" => extended::locations;
    Get "/remote-storage/extended-mappings/{finalLocationId}" => extended::get;
    Delete "/remote-storage/extended-mappings/{finalLocationId}/{originalLocationId}" => extended::unmap;
    Get "/remote-storage/accessions" => |request| queue::list(request, &ACCESSIONS);
    Post "/remote-storage/accessions" => accession::answer;
    Put "/remote-storage/accessions/id/{accessionId}" => |request| queue::done_by_id(request, &ACCESSIONS);
    Put "/remote-storage/accessions/barcode/{barcode}" => |request| queue::done_by_barcode(request, &ACCESSIONS);
    Get "/remote-storage/retrievals" => |request| queue::list(request, &RETRIEVALS);
    Put "/remote-storage/retrievals/id/{retrievalId}" => |request| queue::done_by_id(request, &RETRIEVALS);
    Put "/remote-storage/retrievals/barcode/{barcode}" => |request| queue::done_by_barcode(request, &RETRIEVALS);
    Post "/octavo/remote-storages/{id}/accessions/hand-over" => |request| queue::hand_over(request, &ACCESSIONS);
    Post "/octavo/remote-storages/{id}/retrievals/hand-over" => |request| queue::hand_over(request, &RETRIEVALS);
    Post "/remote-storage/retrieve/{remoteStorageConfigurationId}/checkInItem" => check_in::by_barcode;
    Post "/remote-storage/retrieve/{remoteStorageConfigurationId}/checkInItemByHoldId" => check_in::by_hold;
    Post "/remote-storage/return/{remoteStorageConfigurationId}" => check_in::give_back;
    Post "/remote-storage/items/barcode/{barcode}/markAsMissing" => check_in::mark_missing;
    Post "/remote-storage/pub-sub-handlers/log-record-event" => events::receive_log_record;
};

/// The ids and names that FOLIO has for the providers of remote storages.
const PROVIDERS: [(&str, &str); 3] = [
    (DEMATIC_EMS, "Dematic EMS (API)"),
    (DEMATIC_SD, "Dematic StagingDirector (TCP/IP)"),
    (CAIA_SOFT, "CaiaSoft"),
];

async fn providers() -> Outcome<Response> {
    Ok(Response::json(200, &json!(PROVIDERS.map(|(id, name)| json!({"id": id, "name": name})))))
}

async fn change(request: Request) -> Outcome<Response> {
    let (id, body) = (request.path_id(0)?, request.json()?);
    if uuid(body["id"].as_str()) != Some(id) {
        return Err(faults::error_fault(400, "request id and entity id are not equal", "Validation error"));
    }
    let mut session = request.context.session().await?;
    replace(&request.context, &mut session, &CONFIGURATION, id, body).await?;
    Ok(Response::no_content())
}

fn uuid(text: Option<&str>) -> Option<Uuid> {
    text.and_then(|text| Uuid::parse_str(text).ok())
}

octavo_pg::statements!(within = [accession, check_in, events, extended, queue]);
