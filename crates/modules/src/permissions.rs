//! mod-permissions 6.5.0: permissions, the sets that contain them, and which user was granted what.

mod records;
mod register;

use octavo_engine::Module;

pub use records::{PERMISSION, PERMISSION_USER};
pub use register::register;

pub static MODULE: Module =
    Module { name: "mod-permissions", records: &[&PERMISSION, &PERMISSION_USER], ..Module::BASE };
