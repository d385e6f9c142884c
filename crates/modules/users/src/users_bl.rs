//! mod-users-bl 7.7.3: logging in with everything that a client's first screen needs, and users together with their
//! group, permissions and service points.
//!
//! Links for forgotten passwords need mail, which is not built.

mod composite;
mod deletion;
mod listing;
mod log_in;
mod passwords;
mod transactions;

use octavo_engine::{Call, Method, Module, answering};

pub static MODULE: Module =
    Module { name: "mod-users-bl", calls: CALLS, for_strangers: true, ..Module::BASE };

static CALLS: &[Call] = &[
    Call::new(Method::Post, "/bl-users/login", |request| answering(log_in::legacy(request))),
    Call::new(Method::Post, "/bl-users/login-with-expiry", |request| answering(log_in::with_expiry(request))),
    Call::new(Method::Get, "/bl-users", |request| answering(listing::list(request))),
    Call::new(Method::Get, "/bl-users/_self", |request| answering(composite::own(request))),
    Call::new(Method::Get, "/bl-users/by-id/{id}", |request| answering(composite::by_id(request))),
    Call::new(Method::Get, "/bl-users/by-username/{id}", |request| {
        answering(composite::by_username(request))
    }),
    Call::new(Method::Delete, "/bl-users/by-id/{id}", |request| answering(deletion::delete(request))),
    Call::new(Method::Get, "/bl-users/by-id/{id}/open-transactions", |request| {
        answering(transactions::by_id(request))
    }),
    Call::new(Method::Get, "/bl-users/by-username/{name}/open-transactions", |request| {
        answering(transactions::by_username(request))
    }),
    Call::new(Method::Post, "/bl-users/settings/myprofile/password", |request| {
        answering(passwords::change_own(request))
    }),
];

octavo_pg::statements!(within = [composite, listing, transactions]);
