//! mod-di-converter-storage.

use octavo_engine::Module;

pub static MODULE: Module = Module { name: "mod-di-converter-storage", ..Module::BASE };

octavo_pg::statements!();
