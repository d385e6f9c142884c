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
use octavo_engine::{Call, Method, Module, answering};

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

static CALLS: &[Call] = &[
    Call::new(Method::Post, "/users", |request| answering(user::create(request))),
    Call::new(Method::Post, "/users/expire/timer", |request| answering(expire::expire(request))),
    Call::new(Method::Put, "/users/{id}", |request| answering(user::replace(request))),
    Call::new(Method::Delete, "/users", |request| answering(user::delete_found(request))),
    Call::new(Method::Delete, "/users/{id}", |request| answering(user::delete(request))),
    Call::new(Method::Delete, "/addresstypes/{id}", |request| answering(address_types::delete(request))),
    Call::new(Method::Get, "/users/configurations/entry", |request| {
        answering(picture_settings::get(request))
    }),
    Call::new(Method::Put, "/users/configurations/entry/{configId}", |request| {
        answering(picture_settings::replace(request))
    }),
    Call::new(Method::Post, "/users/profile-picture", |request| answering(pictures::create(request))),
    Call::new(Method::Get, "/users/profile-picture/{id}", |request| answering(pictures::get(request))),
    Call::new(Method::Put, "/users/profile-picture/{id}", |request| answering(pictures::replace(request))),
    Call::new(Method::Delete, "/users/profile-picture/{id}", |request| answering(pictures::delete(request))),
    Call::new(Method::Post, "/patron-pin", |request| answering(pins::set(request))),
    Call::new(Method::Delete, "/patron-pin", |request| answering(pins::delete(request))),
    Call::new(Method::Post, "/patron-pin/verify", |request| answering(pins::verify(request))),
    Call::new(Method::Get, "/user-tenants", |request| answering(tenants::list(request))),
    Call::new(Method::Post, "/user-tenants", |request| answering(tenants::create(request))),
    Call::new(Method::Delete, "/user-tenants", |request| answering(tenants::delete_all(request))),
];

octavo_pg::statements!(within = [address_types, expire, picture_settings, pictures, pins, tenants]);
