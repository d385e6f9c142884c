//! mod-password-validator 3.2.0: the password rules of a tenant, and the check of passwords by them.

mod judge;
mod rules;
mod validate;

use octavo_engine::{Call, Dialect, Module, Notation, calls};

pub use rules::RULE;
pub(crate) use validate::objections;

pub static MODULE: Module = Module {
    name: "mod-password-validator",
    notation: Notation::SPRING,
    dialect: Dialect::Spring { bad_id: "Invalid UUID string: {}" },
    records: &[&RULE],
    calls: CALLS,
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Post RULE.path => rules::store;
    Put RULE.path => rules::store;
    Post "/password/validate" => validate::validate;
};

octavo_pg::statements!(within = [validate]);
