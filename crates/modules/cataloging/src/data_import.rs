//! mod-data-import.

use octavo_engine::Module;

pub static MODULE: Module = Module { name: "mod-data-import", ..Module::BASE };

octavo_pg::statements!();
