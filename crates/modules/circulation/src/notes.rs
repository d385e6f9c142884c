//! mod-notes 5.2.0: notes of staff about users, packages and other records, note types, and the links of notes to records.

mod body;
mod html;
mod links;
mod note_types;
mod records;

use octavo_engine::{Call, Dialect, Module, Notation, calls};

pub use note_types::NOTE_TYPE;
pub use records::NOTE;

pub static MODULE: Module = Module {
    name: "mod-notes",
    notation: Notation::SPRING,
    dialect: Dialect::Spring {
        bad_id: "Failed to convert value of type 'java.lang.String' to required type 'java.util.UUID'; Invalid UUID string: {}",
    },
    records: &[&NOTE_TYPE, &NOTE],
    calls: CALLS,
    script: include_str!("notes/tenant.sql"),
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Post NOTE_TYPE.path => note_types::create;
    Post NOTE.path => records::create;
    Get "/notes/{id}" => records::get;
    Put "/notes/{id}" => records::replace;
    Put "/note-links/type/{type}/id/{id}" => links::update;
    Get "/note-links/domain/{domain}/type/{type}/id/{id}" => links::list;
};

octavo_pg::statements!(within = [note_types, records]);
