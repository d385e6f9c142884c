//! mod-patron-blocks 1.10.0: limits that block patrons automatically. FOLIO keeps a summary of each patron, which events update. Here
//! blocks and summaries are computed from loans and accounts by each request, so events and synchronizations change nothing.

mod blocks;
mod events;
mod records;
mod synchronization;
mod validate;

use octavo_engine::{Call, Module, calls};

pub use records::{CONDITION, LIMIT};

pub static MODULE: Module = Module {
    name: "mod-patron-blocks",
    records: &[&CONDITION, &LIMIT],
    hidden: &[&records::SYNCHRONIZATION_JOB],
    calls: CALLS,
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Get "/automated-patron-blocks/{userId}" => blocks::of_user;
    Get "/user-summary/{userId}" => blocks::summary;
    Post "/automated-patron-blocks/synchronization/job" => synchronization::create;
    Get "/automated-patron-blocks/synchronization/job/{syncJobId}" => synchronization::get;
    Post "/automated-patron-blocks/synchronization/start" => |_| synchronization::start();
    Post "/automated-patron-blocks/handlers/fee-fine-balance-changed" => |request| events::heard(request, events::FEE_FINE_BALANCE_CHANGED);
    Post "/automated-patron-blocks/handlers/item-checked-out" => |request| events::heard(request, events::ITEM_CHECKED_OUT);
    Post "/automated-patron-blocks/handlers/item-checked-in" => |request| events::heard(request, events::ITEM_CHECKED_IN);
    Post "/automated-patron-blocks/handlers/item-declared-lost" => |request| events::heard(request, events::ITEM_DECLARED_LOST);
    Post "/automated-patron-blocks/handlers/item-aged-to-lost" => |request| events::heard(request, events::ITEM_AGED_TO_LOST);
    Post "/automated-patron-blocks/handlers/item-claimed-returned" => |request| events::heard(request, events::ITEM_CLAIMED_RETURNED);
    Post "/automated-patron-blocks/handlers/loan-due-date-changed" => |request| events::heard(request, events::LOAN_DUE_DATE_CHANGED);
    Post "/automated-patron-blocks/handlers/loan-closed" => |request| events::heard(request, events::LOAN_CLOSED);
};

octavo_pg::statements!(within = [blocks]);
