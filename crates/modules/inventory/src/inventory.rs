//! mod-inventory 20.2.6: instances and items with names and relations, moves, and marking of items. It has no tables of its own: it
//! shows and changes the records of mod-inventory-storage.

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

pub use relations::unconnected_title_statements;

use octavo_circulation::Mark;
use octavo_engine::{Call, Module, Notation, calls};

pub(crate) use items::item_not_found;
pub(crate) use moves::mark_updated;

pub static MODULE: Module =
    Module { name: "mod-inventory", notation: Notation::VERTX, calls: CALLS, ..Module::BASE };

static CALLS: &[Call] = calls! {
    Get "/inventory/items" => items::list, may_be_late;
    Post "/inventory/items" => items::create;
    Delete "/inventory/items" => items::delete_where, for_many_records;
    Get "/inventory/items/{id}" => items::get;
    Put "/inventory/items/{id}" => items::replace;
    Delete "/inventory/items/{id}" => items::delete;
    Get "/inventory/items-by-holdings-id" => items_of_holdings::list, may_be_late;
    Post "/inventory/items/move" => moves::items;
    Post "/inventory/holdings/move" => moves::holdings;
    Put "/inventory/holdings/{id}" => moves::replace_holdings;
    Post "/inventory/items/{id}/mark-in-process" => |request| marks::mark(request, &Mark::IN_PROCESS);
    Post "/inventory/items/{id}/mark-in-process-non-requestable" => |request| marks::mark(request, &Mark::IN_PROCESS_NON_REQUESTABLE);
    Post "/inventory/items/{id}/mark-intellectual-item" => |request| marks::mark(request, &Mark::INTELLECTUAL_ITEM);
    Post "/inventory/items/{id}/mark-long-missing" => |request| marks::mark(request, &Mark::LONG_MISSING);
    Post "/inventory/items/{id}/mark-missing" => |request| marks::mark(request, &Mark::MISSING);
    Post "/inventory/items/{id}/mark-restricted" => |request| marks::mark(request, &Mark::RESTRICTED);
    Post "/inventory/items/{id}/mark-unavailable" => |request| marks::mark(request, &Mark::UNAVAILABLE);
    Post "/inventory/items/{id}/mark-unknown" => |request| marks::mark(request, &Mark::UNKNOWN);
    Post "/inventory/items/{id}/mark-withdrawn" => |request| marks::mark(request, &Mark::WITHDRAWN);
    Get "/inventory/instances" => instances::list, may_be_late;
    Post "/inventory/instances" => instances::create;
    Delete "/inventory/instances" => instances::delete_where, for_many_records;
    Get "/inventory/instances/{id}" => instances::get;
    Put "/inventory/instances/{id}" => instances::replace;
    Delete "/inventory/instances/{id}" => instances::delete;
    Delete "/inventory/instances/{id}/mark-deleted" => instances::mark_deleted;
    Post "/inventory/instances/batch" => batch::create, for_many_records;
    Get "/isbn/validator" => isbn::validate;
    Get "/isbn/convertTo10" => isbn::to_10;
    Get "/isbn/convertTo13" => isbn::to_13;
    Get "/inventory/config/instances/blocked-fields" => |_| marc_fields::list(marc_fields::INSTANCE_FIELDS);
    Get "/inventory/config/holdings/blocked-fields" => |_| marc_fields::list(marc_fields::HOLDINGS_FIELDS);
};

octavo_pg::statements!(within = [instances, items_of_holdings, relations]);
