//! mod-password-validator 3.2.0: the rules that a tenant has for passwords, and whether a password keeps them.

mod judge;
mod rules;
mod validate;

use octavo_engine::{Call, Dialect, Method, Module, Notation, answering};

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

static CALLS: &[Call] = &[
    Call::new(Method::Post, RULE.path, |request| answering(rules::store(request))),
    Call::new(Method::Put, RULE.path, |request| answering(rules::store(request))),
    Call::new(Method::Post, "/password/validate", |request| answering(validate::validate(request))),
];

octavo_pg::statements!(within = [validate]);
