//! mod-users-bl 7.7.3: users with their group, permissions and service points, also as the answer to a log-in.

mod account_mail;
mod changes;
mod composite;
mod deletion;
mod forgotten;
mod links;
mod listing;
mod log_in;
mod passwords;
mod settings;
mod transactions;

use octavo_engine::{Call, Module, calls};

pub static MODULE: Module =
    Module { name: "mod-users-bl", calls: CALLS, allows_no_token: true, ..Module::BASE };

static CALLS: &[Call] = calls! {
    Post "/bl-users/login" => log_in::legacy;
    Post "/bl-users/login-with-expiry" => log_in::with_expiry;
    Get "/bl-users" => listing::list;
    Post "/bl-users" => changes::create;
    Put "/bl-users/{id}" => changes::replace;
    Get "/bl-users/_self" => composite::own;
    Get "/bl-users/by-id/{id}" => composite::by_id;
    Get "/bl-users/by-username/{id}" => composite::by_username;
    Delete "/bl-users/by-id/{id}" => deletion::delete;
    Get "/bl-users/by-id/{id}/open-transactions" => transactions::by_id;
    Get "/bl-users/by-username/{name}/open-transactions" => transactions::by_username;
    Post "/bl-users/settings/myprofile/password" => passwords::change_own;
    Post "/bl-users/forgotten/password" => forgotten::password;
    Post "/bl-users/forgotten/username" => forgotten::username;
    Post "/bl-users/password-reset/link" => links::create;
    Post "/bl-users/password-reset/validate" => links::validate;
    Post "/bl-users/password-reset/reset" => links::reset;
};

octavo_pg::statements!(within = [composite, listing, settings, transactions]);
