//! mod-login 7.11.1 and the part of mod-authtoken 2.15.1 that clients meet: passwords, logging in, tokens and their
//! renewal. Who may do what is not decided here: a token says only who its bearer is.
//!
//! Facts: `platform-behaviour.md` 2.2 and 2.3, `errors.tsv` of mod-login.

mod attempts;
mod credentials;
mod ended_sessions;
mod log_in;
mod records;
mod resets;
mod tokens;

use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Method, Module, answering};

pub(crate) use credentials::{Update, change_own_password, known_by_password, used_before};
pub use credentials::{give_password, set_password};
pub use log_in::unlock;
pub(crate) use log_in::{Credentials, log_in};
pub(crate) use tokens::{LoggedIn, legacy_token, start_session};

pub static MODULE: Module = Module {
    name: "mod-login",
    hidden: records::HIDDEN,
    script: include_str!("login/tenant.sql"),
    migrations: &[SESSIONS_AND_PLACES],
    calls: CALLS,
    for_strangers: true,
    ..Module::BASE
};

const SESSIONS_AND_PLACES: Migration = Migration {
    number: 7,
    name: "sessions that have ended, and places of log-ins",
    sql: include_str!("../../migrations/7_sessions_and_places.sql"),
};

static CALLS: &[Call] = &[
    Call::new(Method::Post, "/authn/login", |request| answering(log_in::legacy(request))),
    Call::new(Method::Post, "/authn/login-with-expiry", |request| answering(log_in::with_expiry(request))),
    Call::new(Method::Post, "/authn/refresh", |request| answering(tokens::refresh(request))),
    Call::new(Method::Post, "/authn/logout", |request| answering(tokens::log_out(request))),
    Call::new(Method::Post, "/authn/logout-all", |request| answering(tokens::log_out_everywhere(request))),
    Call::new(Method::Get, "/authn/loginAttempts/{id}", |request| answering(attempts::get(request))),
    Call::new(Method::Post, "/authn/credentials", |request| answering(credentials::create(request))),
    Call::new(Method::Delete, "/authn/credentials", |request| answering(credentials::delete(request))),
    Call::new(Method::Get, "/authn/credentials-existence", |request| {
        answering(credentials::existence(request))
    }),
    Call::new(Method::Post, "/authn/update", |request| answering(credentials::update(request))),
    Call::new(Method::Post, "/authn/password/repeatable", |request| {
        answering(credentials::repeatable(request))
    }),
    Call::new(Method::Post, "/authn/password-reset-action", |request| answering(resets::create(request))),
    Call::new(Method::Get, "/authn/password-reset-action/{actionId}", |request| {
        answering(resets::get(request))
    }),
    Call::new(Method::Post, "/authn/reset-password", |request| answering(resets::reset(request))),
];

octavo_pg::statements!(within = [attempts, credentials, ended_sessions, log_in, resets, tokens]);
