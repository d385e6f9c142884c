//! mod-quick-marc.

use octavo_engine::Module;

pub static MODULE: Module = Module { name: "mod-quick-marc", ..Module::BASE };

octavo_pg::statements!();
