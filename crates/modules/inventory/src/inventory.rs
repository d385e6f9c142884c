//! mod-inventory 20.2.6: instances and items with the names and relations that belong to them, moves, and the marks that
//! staff put on items. It has no tables: all it shows and changes are the records of mod-inventory-storage.

mod batch;
mod instance_view;
mod instances;
mod isbn;
mod item_body;
mod item_view;
mod items;
mod items_of_holdings;
mod marc_fields;
mod marks;
mod moves;
mod relations;

pub(crate) use instance_view::VIRTUAL;

use octavo_circulation::Mark;
use octavo_engine::{Call, Method, Module, Notation, answering};

pub static MODULE: Module =
    Module { name: "mod-inventory", notation: Notation::VERTX, calls: CALLS, ..Module::BASE };

static CALLS: &[Call] = &[
    Call::new(Method::Get, "/inventory/items", |request| answering(items::list(request))),
    Call::new(Method::Post, "/inventory/items", |request| answering(items::create(request))),
    Call::new(Method::Delete, "/inventory/items", |request| answering(items::delete_where(request))),
    Call::new(Method::Get, "/inventory/items/{id}", |request| answering(items::get(request))),
    Call::new(Method::Put, "/inventory/items/{id}", |request| answering(items::replace(request))),
    Call::new(Method::Delete, "/inventory/items/{id}", |request| answering(items::delete(request))),
    Call::new(Method::Get, "/inventory/items-by-holdings-id", |request| {
        answering(items_of_holdings::list(request))
    }),
    Call::new(Method::Post, "/inventory/items/move", |request| answering(moves::items(request))),
    Call::new(Method::Post, "/inventory/holdings/move", |request| answering(moves::holdings(request))),
    Call::new(Method::Put, "/inventory/holdings/{id}", |request| answering(moves::replace_holdings(request))),
    Call::new(Method::Post, "/inventory/items/{id}/mark-in-process", |request| {
        answering(marks::mark(request, &Mark::IN_PROCESS))
    }),
    Call::new(Method::Post, "/inventory/items/{id}/mark-in-process-non-requestable", |request| {
        answering(marks::mark(request, &Mark::IN_PROCESS_NON_REQUESTABLE))
    }),
    Call::new(Method::Post, "/inventory/items/{id}/mark-intellectual-item", |request| {
        answering(marks::mark(request, &Mark::INTELLECTUAL_ITEM))
    }),
    Call::new(Method::Post, "/inventory/items/{id}/mark-long-missing", |request| {
        answering(marks::mark(request, &Mark::LONG_MISSING))
    }),
    Call::new(Method::Post, "/inventory/items/{id}/mark-missing", |request| {
        answering(marks::mark(request, &Mark::MISSING))
    }),
    Call::new(Method::Post, "/inventory/items/{id}/mark-restricted", |request| {
        answering(marks::mark(request, &Mark::RESTRICTED))
    }),
    Call::new(Method::Post, "/inventory/items/{id}/mark-unavailable", |request| {
        answering(marks::mark(request, &Mark::UNAVAILABLE))
    }),
    Call::new(Method::Post, "/inventory/items/{id}/mark-unknown", |request| {
        answering(marks::mark(request, &Mark::UNKNOWN))
    }),
    Call::new(Method::Post, "/inventory/items/{id}/mark-withdrawn", |request| {
        answering(marks::mark(request, &Mark::WITHDRAWN))
    }),
    Call::new(Method::Get, "/inventory/instances", |request| answering(instances::list(request))),
    Call::new(Method::Post, "/inventory/instances", |request| answering(instances::create(request))),
    Call::new(Method::Delete, "/inventory/instances", |request| answering(instances::delete_where(request))),
    Call::new(Method::Get, "/inventory/instances/{id}", |request| answering(instances::get(request))),
    Call::new(Method::Put, "/inventory/instances/{id}", |request| answering(instances::replace(request))),
    Call::new(Method::Delete, "/inventory/instances/{id}", |request| answering(instances::delete(request))),
    Call::new(Method::Delete, "/inventory/instances/{id}/mark-deleted", |request| {
        answering(instances::mark_deleted(request))
    }),
    Call::new(Method::Post, "/inventory/instances/batch", |request| answering(batch::create(request))).many(),
    Call::new(Method::Get, "/isbn/validator", |request| answering(isbn::validate(request))),
    Call::new(Method::Get, "/isbn/convertTo10", |request| answering(isbn::to_10(request))),
    Call::new(Method::Get, "/isbn/convertTo13", |request| answering(isbn::to_13(request))),
    Call::new(Method::Get, "/inventory/config/instances/blocked-fields", |_| {
        answering(marc_fields::list(marc_fields::OF_INSTANCES))
    }),
    Call::new(Method::Get, "/inventory/config/holdings/blocked-fields", |_| {
        answering(marc_fields::list(marc_fields::OF_HOLDINGS))
    }),
];

octavo_pg::statements!(within = [instances, items_of_holdings, relations]);
