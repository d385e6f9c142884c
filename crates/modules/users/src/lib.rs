//! The modules of users and of who may do what: users, log-in, passwords, permissions, tenants and their modules, settings, and
//! what answers for the desk's laboratory. Knows nothing of circulation.

pub mod administrator;
pub mod laboratory;
pub mod login;
pub mod okapi;
pub mod password_validator;
mod passwords;
pub mod permissions;
pub mod settings;
pub mod tags;
pub mod users;
pub mod users_bl;

octavo_pg::statements! {
    within = [administrator, login, okapi, password_validator, passwords, permissions, users, users_bl],
}

/// Every statement of these modules that is written by hand.
pub fn registered() -> &'static octavo_pg::Registered {
    &STATEMENTS
}
