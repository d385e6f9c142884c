//! The modules of users and permissions: users, log-in, passwords, permissions, tenants and their modules, settings, and the desk's
//! laboratory. This crate uses nothing of circulation.

pub mod administrator;
pub mod authtoken;
pub mod laboratory;
pub mod login;
pub mod okapi;
pub mod password_validator;
mod passwords;
pub mod permissions;
pub mod settings;
pub mod tags;
pub mod user_import;
pub mod users;
pub mod users_bl;

octavo_pg::statements! {
    within = [administrator, login, okapi, password_validator, passwords, permissions, settings, user_import, users, users_bl],
}

/// The hand-written SQL statements of this crate.
pub fn registered() -> &'static octavo_pg::Registered {
    &STATEMENTS
}
