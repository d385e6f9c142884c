//! mod-login 7.11.1: passwords, log-in, tokens and their renewal, the log of these. A token names only its bearer;
//! permissions are checked elsewhere.
//!
//! Facts: `platform-behaviour.md` 2.2 and 2.3, `errors.tsv` of mod-login.

mod attempts;
mod credentials;
mod directory;
mod ended_sessions;
mod events;
mod kept_secret;
mod log_in;
mod records;
mod resets;
pub mod sso;
mod tokens;

use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Module, calls};

pub(crate) use credentials::{
    Update, change_own_password, load_password_hash, verify_old_password, was_used_before,
};
pub use credentials::{set_first_password, set_password};
pub(crate) use directory::has_directory;
pub(crate) use ended_sessions::{announce_end, end_all_statements};
pub use log_in::{Credentials, log_in, unlock};
pub(crate) use resets::{ResetAction, set_password_by_action};
pub use tokens::LoggedIn;
pub(crate) use tokens::{
    RefreshToken, TokenPair, end_by_refresh_token_statements, exchange, legacy_token, start_session,
};

pub static MODULE: Module = Module {
    name: "mod-login",
    never_late: true,
    hidden_records: records::HIDDEN,
    script: include_str!("login/tenant.sql"),
    migrations: &[SESSIONS_AND_PLACES, EVENTS, SINGLE_SIGN_ON],
    calls: CALLS,
    allows_no_token: true,
    ..Module::BASE
};

const SESSIONS_AND_PLACES: Migration = Migration {
    number: 7,
    name: "sessions that have ended, and places of log-ins",
    sql: include_str!("../../migrations/7_sessions_and_places.sql"),
};

const EVENTS: Migration = Migration {
    number: 18,
    name: "events of log-ins",
    sql: include_str!("../../migrations/18_events_of_log_ins.sql"),
};

const SINGLE_SIGN_ON: Migration = Migration {
    number: 22,
    name: "single sign-on",
    sql: include_str!("../../migrations/22_single_sign_on.sql"),
};

static CALLS: &[Call] = calls! {
    Post "/authn/login" => log_in::legacy;
    Post "/authn/login-with-expiry" => log_in::with_expiry;
    Post "/authn/refresh" => tokens::refresh;
    Post "/authn/logout" => tokens::log_out;
    Post "/authn/logout-all" => tokens::log_out_everywhere;
    Get "/authn/loginAttempts/{id}" => attempts::get;
    Get "/authn/log/events" => events::list, may_be_late;
    Post "/authn/log/events" => events::create;
    Delete "/authn/log/events/{id}" => events::delete;
    Post "/authn/credentials" => credentials::create;
    Delete "/authn/credentials" => credentials::delete;
    Get "/authn/credentials-existence" => credentials::existence;
    Post "/authn/update" => credentials::update;
    Post "/authn/password/repeatable" => credentials::repeatable;
    Post "/authn/password-reset-action" => resets::create;
    Get "/authn/password-reset-action/{actionId}" => resets::get;
    Post "/authn/reset-password" => resets::reset;
    Get "/octavo/sso" => sso::offered;
    Get "/octavo/sso/start" => sso::start;
    Get "/octavo/sso/callback" => sso::callback, changing;
    Get "/octavo/sso/settings" => sso::get_settings;
    Put "/octavo/sso/settings" => sso::replace_settings;
    Get "/octavo/ldap/settings" => directory::get_settings;
    Put "/octavo/ldap/settings" => directory::replace_settings;
};

octavo_pg::statements!(within = [attempts, credentials, ended_sessions, events, log_in, resets, sso, tokens]);
