//! mod-patron-blocks 1.10.0: limits that block patrons by themselves. In FOLIO a summary of each patron follows events; here
//! blocks and summaries are computed from loans and accounts whenever they are asked for, so events have nothing to change
//! and a synchronization has nothing to mend.

mod blocks;
mod events;
mod records;
mod synchronization;
mod validate;

use octavo_engine::{Call, Method, Module, answering};

pub use records::{CONDITION, LIMIT};

pub static MODULE: Module = Module {
    name: "mod-patron-blocks",
    records: &[&CONDITION, &LIMIT],
    hidden: &[&records::SYNCHRONIZATION_JOB],
    calls: CALLS,
    ..Module::BASE
};

static CALLS: &[Call] = &[
    Call::new(Method::Get, "/automated-patron-blocks/{userId}", |r| answering(blocks::of_user(r))),
    Call::new(Method::Get, "/user-summary/{userId}", |r| answering(blocks::summary(r))),
    Call::new(Method::Post, "/automated-patron-blocks/synchronization/job", |r| {
        answering(synchronization::create(r))
    }),
    Call::new(Method::Get, "/automated-patron-blocks/synchronization/job/{syncJobId}", |r| {
        answering(synchronization::get(r))
    }),
    Call::new(Method::Post, "/automated-patron-blocks/synchronization/start", |_| {
        answering(synchronization::start())
    }),
    Call::new(Method::Post, "/automated-patron-blocks/handlers/fee-fine-balance-changed", |r| {
        answering(events::heard(r, events::FEE_FINE_BALANCE_CHANGED))
    }),
    Call::new(Method::Post, "/automated-patron-blocks/handlers/item-checked-out", |r| {
        answering(events::heard(r, events::ITEM_CHECKED_OUT))
    }),
    Call::new(Method::Post, "/automated-patron-blocks/handlers/item-checked-in", |r| {
        answering(events::heard(r, events::ITEM_CHECKED_IN))
    }),
    Call::new(Method::Post, "/automated-patron-blocks/handlers/item-declared-lost", |r| {
        answering(events::heard(r, events::ITEM_DECLARED_LOST))
    }),
    Call::new(Method::Post, "/automated-patron-blocks/handlers/item-aged-to-lost", |r| {
        answering(events::heard(r, events::ITEM_AGED_TO_LOST))
    }),
    Call::new(Method::Post, "/automated-patron-blocks/handlers/item-claimed-returned", |r| {
        answering(events::heard(r, events::ITEM_CLAIMED_RETURNED))
    }),
    Call::new(Method::Post, "/automated-patron-blocks/handlers/loan-due-date-changed", |r| {
        answering(events::heard(r, events::LOAN_DUE_DATE_CHANGED))
    }),
    Call::new(Method::Post, "/automated-patron-blocks/handlers/loan-closed", |r| {
        answering(events::heard(r, events::LOAN_CLOSED))
    }),
];

octavo_pg::statements!(within = [blocks]);
