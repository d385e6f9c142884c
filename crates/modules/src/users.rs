//! mod-users 19.3.1: users, patron groups, address types, departments, proxies.

mod records;

use octavo_engine::Module;

pub use records::{ADDRESS_TYPE, DEPARTMENT, GROUP, PROXY, USER};

pub static MODULE: Module = Module {
    name: "mod-users",
    records: &[&GROUP, &ADDRESS_TYPE, &DEPARTMENT, &USER, &PROXY],
    ..Module::BASE
};
