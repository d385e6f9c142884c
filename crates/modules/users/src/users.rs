//! mod-users 19.3.1: patrons and staff, their groups, departments and proxies, their pictures, PINs and custom fields.
//!
//! Pictures are kept in the database, also where FOLIO would use object storage.

mod address_types;
mod custom_fields;
mod data;
mod expire;
mod merging;
mod picture_settings;
mod pictures;
mod pins;
mod proxies;
mod records;
mod tenants;
mod user;

use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Module, calls};

pub(crate) use custom_fields::amend as amend_custom_fields;
pub use octavo_modules_base::user_records::{GROUP, USER};
pub use records::{ADDRESS_TYPE, CUSTOM_FIELD, DEPARTMENT, PROXY};
pub(crate) use user::{add, change};

pub static MODULE: Module = Module {
    name: "mod-users",
    records: &[&GROUP, &ADDRESS_TYPE, &DEPARTMENT, &USER, &PROXY, &CUSTOM_FIELD],
    hidden_records: &[
        &records::PICTURE_SETTINGS,
        &records::PICTURE,
        &records::PIN,
        &records::USER_TENANT,
        &records::MERGE,
    ],
    script: records::INDEXES,
    migrations: &[
        Migration {
            number: 3,
            name: "words of users",
            sql: include_str!("../../migrations/3_words_of_users.sql"),
        },
        Migration {
            number: 16,
            name: "merges of users",
            sql: include_str!("../../migrations/16_merges_of_users.sql"),
        },
        Migration {
            number: 17,
            name: "custom fields",
            sql: include_str!("../../migrations/17_custom_fields.sql"),
        },
    ],
    calls: CALLS,
    on_enable: Some(|context| Box::pin(picture_settings::install(context))),
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Post "/users" => user::create;
    Post "/users/expire/timer" => expire::expire, with_rest_rule(&expire::REST);
    Put "/users/{id}" => user::replace;
    Delete "/users" => user::delete_found;
    Delete "/users/{id}" => user::delete;
    Delete "/addresstypes/{id}" => address_types::delete;
    Get "/custom-fields" => custom_fields::list;
    Post "/custom-fields" => custom_fields::create;
    Put "/custom-fields" => custom_fields::replace_all, for_many_records;
    Put "/custom-fields/{id}" => custom_fields::replace, for_many_records;
    Delete "/custom-fields/{id}" => custom_fields::delete, for_many_records;
    Get "/custom-fields/{id}/stats" => custom_fields::statistic, may_be_late;
    Get "/custom-fields/{id}/options/{optId}/stats" => custom_fields::option_statistic, may_be_late;
    Get "/users/configurations/entry" => picture_settings::get;
    Put "/users/configurations/entry/{configId}" => picture_settings::replace;
    Post "/users/profile-picture" => pictures::create;
    Post "/users/profile-picture/cleanup" => pictures::clean_up;
    Get "/users/profile-picture/{id}" => pictures::get;
    Put "/users/profile-picture/{id}" => pictures::replace;
    Delete "/users/profile-picture/{id}" => pictures::delete;
    Post "/patron-pin" => pins::set;
    Delete "/patron-pin" => pins::delete;
    Post "/patron-pin/verify" => pins::verify;
    Post "/proxiesfor" => proxies::create;
    Get "/user-tenants" => tenants::list;
    Post "/user-tenants" => tenants::create;
    Delete "/user-tenants" => tenants::delete_only;
    Get "/octavo/patrons/{id}/data" => data::get, for_many_records;
    Get "/octavo/users/{id}/merges" => merging::list;
    Post "/octavo/users/{id}/merges" => merging::merge;
    Get "/octavo/users/{id}/merge-preview" => merging::preview;
    Post "/octavo/user-merges/{id}/undo" => merging::undo;
};

octavo_pg::statements!(
    within = [address_types, custom_fields, data, expire, merging, picture_settings, pictures, pins, tenants]
);
