//! mod-source-record-manager.

use octavo_engine::Module;
use octavo_engine::migrations::Migration;

pub static MODULE: Module = Module {
    name: "mod-source-record-manager",
    script: include_str!("mapping/tenant.sql"),
    migrations: &[Migration {
        number: 29,
        name: "mapping rules of MARC records",
        sql: include_str!("../../migrations/29_mapping_rules.sql"),
    }],
    ..Module::BASE
};

octavo_pg::statements!();
