//! mod-patron-blocks 1.10.0: limits that block patrons automatically. FOLIO keeps a summary of each patron, which events update. Here
//! blocks and summaries are computed from loans and accounts by each request, so events and synchronizations change nothing.

mod blocks;
mod records;
mod synchronization;
mod validate;

use octavo_engine::{Call, Module, Request, Response, calls};
use octavo_kernel::Outcome;

use crate::rests;

pub use records::{CONDITION, LIMIT};

pub static MODULE: Module = Module {
    name: "mod-patron-blocks",
    records: &[&CONDITION, &LIMIT],
    hidden_records: &[&records::SYNCHRONIZATION_JOB],
    calls: CALLS,
    ..Module::BASE
};

macro_rules! event {
    ($name:literal) => {
        include_str!(concat!("../../folio/records/mod-patron-blocks/", $name, ".tsv"))
    };
}

static CALLS: &[Call] = calls! {
    Get "/automated-patron-blocks/{userId}" => blocks::blocks_of_user;
    Get "/user-summary/{userId}" => blocks::summary;
    Post "/automated-patron-blocks/synchronization/job" => synchronization::create;
    Get "/automated-patron-blocks/synchronization/job/{syncJobId}" => synchronization::get;
    Post "/automated-patron-blocks/synchronization/start" => |_| synchronization::start(), with_rest_rule(&rests::NEVER);
    Post "/automated-patron-blocks/handlers/fee-fine-balance-changed" => |request| check_event(request, event!("fee-fine-balance-changed"));
    Post "/automated-patron-blocks/handlers/item-checked-out" => |request| check_event(request, event!("item-checked-out"));
    Post "/automated-patron-blocks/handlers/item-checked-in" => |request| check_event(request, event!("item-checked-in"));
    Post "/automated-patron-blocks/handlers/item-declared-lost" => |request| check_event(request, event!("item-declared-lost"));
    Post "/automated-patron-blocks/handlers/item-aged-to-lost" => |request| check_event(request, event!("item-aged-to-lost"));
    Post "/automated-patron-blocks/handlers/item-claimed-returned" => |request| check_event(request, event!("item-claimed-returned"));
    Post "/automated-patron-blocks/handlers/loan-due-date-changed" => |request| check_event(request, event!("loan-due-date-changed"));
    Post "/automated-patron-blocks/handlers/loan-closed" => |request| check_event(request, event!("loan-closed"));
};

/// The events from which FOLIO makes summaries are checked and otherwise ignored, because loans and accounts contain the same facts.
async fn check_event(request: Request, schema: &'static str) -> Outcome<Response> {
    request.checked_json(schema)?;
    Ok(Response::no_content())
}

octavo_pg::statements!(within = [blocks]);
