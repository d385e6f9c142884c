//! mod-user-import 3.8.0: users of another system, created or changed by their external id, and made inactive when they are missing there.
//!
//! Each user is a change of its own: one that cannot be stored is reported, and the others are imported. FOLIO declares
//! `GET /user-import` as well, and has no code for it.

mod custom_fields;
mod departments;
mod import;
mod names;
mod preferences;
mod reason;
mod stored;

use octavo_engine::{Call, Module, calls};

pub static MODULE: Module = Module { name: "mod-user-import", calls: CALLS, ..Module::BASE };

static CALLS: &[Call] = calls! {
    Post "/user-import" => import::import;
};

octavo_pg::statements!(within = [preferences, stored]);
