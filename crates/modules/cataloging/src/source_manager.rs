//! mod-source-record-manager.

use octavo_engine::Module;

pub static MODULE: Module = Module { name: "mod-source-record-manager", ..Module::BASE };

octavo_pg::statements!();
