//! mod-users 19.3.1: patrons and staff, their groups, departments and proxies, their pictures and PINs.
//!
//! Custom fields are not built. Pictures are kept in the database, also where FOLIO would use object storage.

mod address_types;
mod expire;
mod picture_settings;
mod pictures;
mod pins;
mod records;
mod tenants;
mod user;

use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Module, calls};

pub use octavo_modules_base::user_records::{GROUP, USER};
pub use records::{ADDRESS_TYPE, DEPARTMENT, PROXY};

pub static MODULE: Module = Module {
    name: "mod-users",
    records: &[&GROUP, &ADDRESS_TYPE, &DEPARTMENT, &USER, &PROXY],
    hidden: &[&records::PICTURE_SETTINGS, &records::PICTURE, &records::PIN, &records::USER_TENANT],
    script: records::INDEXES,
    migrations: &[Migration {
        number: 3,
        name: "words of users",
        sql: include_str!("../../migrations/3_words_of_users.sql"),
    }],
    calls: CALLS,
    enabled: Some(|context| Box::pin(picture_settings::install(context))),
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Post "/users" => user::create;
    Post "/users/expire/timer" => expire::expire;
    Put "/users/{id}" => user::replace;
    Delete "/users" => user::delete_found;
    Delete "/users/{id}" => user::delete;
    Delete "/addresstypes/{id}" => address_types::delete;
    Get "/users/configurations/entry" => picture_settings::get;
    Put "/users/configurations/entry/{configId}" => picture_settings::replace;
    Post "/users/profile-picture" => pictures::create;
    Get "/users/profile-picture/{id}" => pictures::get;
    Put "/users/profile-picture/{id}" => pictures::replace;
    Delete "/users/profile-picture/{id}" => pictures::delete;
    Post "/patron-pin" => pins::set;
    Delete "/patron-pin" => pins::delete;
    Post "/patron-pin/verify" => pins::verify;
    Get "/user-tenants" => tenants::list;
    Post "/user-tenants" => tenants::create;
    Delete "/user-tenants" => tenants::delete_all;
};

octavo_pg::statements!(within = [address_types, expire, picture_settings, pictures, pins, tenants]);
