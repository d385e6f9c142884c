//! mod-quick-marc 5.1.1: the MARC editor for staff. A record is written together with the instance, holdings or authority that it
//! describes, in one transaction; in FOLIO events change the instance later, so its clients ask for the status.

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

use refused::with_editor_faults;

pub static MODULE: Module = Module {
    name: "mod-quick-marc",
    notation: Notation::SPRING,
    calls: CALLS,
    script: include_str!("quick_marc/tenant.sql"),
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Get "/records-editor/records" => |request| with_editor_faults(read::get(request));
    Post "/records-editor/records" => |request| with_editor_faults(write::create(request));
    Get "/records-editor/records/status" => |request| with_editor_faults(status::get(request));
    Put "/records-editor/records/{id}" => |request| with_editor_faults(write::update(request));
    Delete "/records-editor/records/{id}" => |request| with_editor_faults(remove::delete(request));
    Post "/records-editor/links/suggestion" => |request| with_editor_faults(suggestion::suggest(request)), reading;
    Get "/marc-specifications/{recordType}/{fieldTag}" => |request| with_editor_faults(specification::get(request));
};

octavo_pg::statements!(within = [read, write]);
