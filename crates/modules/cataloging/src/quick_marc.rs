//! mod-quick-marc 5.1.1: MARC records as staff edit them. A record is written with the instance, holdings or authority that it describes
//! in one transaction; FOLIO's instance follows by events, and its clients ask for the status.

mod fixed;
mod protection;
mod read;
mod refused;
mod remove;
mod sent;
mod specification;
mod status;
mod suggestion;
mod validate;
mod view;
mod write;

use octavo_engine::{Call, Module, Notation, calls};

use refused::formed;

pub static MODULE: Module = Module {
    name: "mod-quick-marc",
    notation: Notation::SPRING,
    calls: CALLS,
    script: include_str!("quick_marc/tenant.sql"),
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Get "/records-editor/records" => |request| formed(read::get(request));
    Post "/records-editor/records" => |request| formed(write::create(request));
    Get "/records-editor/records/status" => |request| formed(status::get(request));
    Put "/records-editor/records/{id}" => |request| formed(write::update(request));
    Delete "/records-editor/records/{id}" => |request| formed(remove::delete(request));
    Post "/records-editor/links/suggestion" => |request| formed(suggestion::suggest(request)), reading;
    Get "/marc-specifications/{recordType}/{fieldTag}" => |request| formed(specification::get(request));
};

octavo_pg::statements!(within = [read, write]);
