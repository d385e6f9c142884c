//! mod-dcb 1.1.9: direct consortial borrowing, in which libraries with a hub in common lend to each other's patrons. What a role may do
//! is decided by `octavo_circulation::dcb`; what is done to items, loans and requests are the decisions of the desk.
//!
//! Facts: mod-dcb 1.1.0 and its service releases up to 1.1.9; `GET /transactions/status` as in 1.2.

mod create;
mod details;
mod edge;
mod faults;
mod furnish;
mod items;
mod list;
mod patrons;
mod renew;
mod renewals;
mod service_points;
mod status;

pub(crate) mod transactions;

use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Dialect, Module, Notation, OutboxTask, calls};

pub static MODULE: Module = Module {
    name: "mod-dcb",
    notation: Notation::SPRING,
    dialect: Dialect::Spring { bad_id: "Invalid UUID string: {}" },
    hidden_records: &[&transactions::TRANSACTION, &transactions::CHANGE],
    calls: CALLS,
    script: items::BY_BARCODE,
    migrations: &[Migration {
        number: 27,
        name: "transactions with partner libraries",
        sql: include_str!("../../migrations/27_partner_libraries.sql"),
    }],
    tasks: &[OutboxTask {
        kind: details::TASK,
        work: |context| Box::pin(details::cancel_all_replaced(context)),
    }],
    edges: &[edge::EDGE],
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Get "/transactions/status" => list::answer, search, may_be_late;
    Post "/transactions/{dcbTransactionId}" => create::answer;
    Put "/transactions/{dcbTransactionId}" => details::answer;
    Get "/transactions/{dcbTransactionId}/status" => status::get;
    Put "/transactions/{dcbTransactionId}/status" => status::set_status;
    Put "/transactions/{dcbTransactionId}/renew" => renew::answer;
};

octavo_pg::statements!(within = [items, list, patrons, renewals, service_points, transactions]);
