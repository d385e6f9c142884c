//! mod-users-bl 7.7.3: users with their group, permissions and service points, also as the answer to a log-in.
//!
//! Links for forgotten passwords need mail, which is not built.

mod composite;
mod deletion;
mod listing;
mod log_in;
mod passwords;
mod transactions;

use octavo_engine::{Call, Module, calls};

pub static MODULE: Module =
    Module { name: "mod-users-bl", calls: CALLS, for_strangers: true, ..Module::BASE };

static CALLS: &[Call] = calls! {
    Post "/bl-users/login" => log_in::legacy;
    Post "/bl-users/login-with-expiry" => log_in::with_expiry;
    Get "/bl-users" => listing::list;
    Get "/bl-users/_self" => composite::own;
    Get "/bl-users/by-id/{id}" => composite::by_id;
    Get "/bl-users/by-username/{id}" => composite::by_username;
    Delete "/bl-users/by-id/{id}" => deletion::delete;
    Get "/bl-users/by-id/{id}/open-transactions" => transactions::by_id;
    Get "/bl-users/by-username/{name}/open-transactions" => transactions::by_username;
    Post "/bl-users/settings/myprofile/password" => passwords::change_own;
};

octavo_pg::statements!(within = [composite, listing, transactions]);
