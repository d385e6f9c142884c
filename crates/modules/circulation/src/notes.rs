//! mod-notes 5.2.0: notes of staff about users, packages and whatever else has an id; the types that they are of; and
//! which things a note is linked to.

mod body;
mod html;
mod links;
mod note_types;
mod records;

use octavo_engine::{Call, Dialect, Method, Module, Notation, answering};

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

static CALLS: &[Call] = &[
    Call::new(Method::Post, NOTE_TYPE.path, |request| answering(note_types::create(request))),
    Call::new(Method::Post, NOTE.path, |request| answering(records::create(request))),
    Call::new(Method::Get, "/notes/{id}", |request| answering(records::get(request))),
    Call::new(Method::Put, "/notes/{id}", |request| answering(records::replace(request))),
    Call::new(Method::Put, "/note-links/type/{type}/id/{id}", |request| answering(links::update(request))),
    Call::new(Method::Get, "/note-links/domain/{domain}/type/{type}/id/{id}", |request| {
        answering(links::list(request))
    }),
];

octavo_pg::statements!(within = [note_types, records]);
