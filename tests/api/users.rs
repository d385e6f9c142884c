//! Patrons and staff (mod-users 19.3.1, mod-users-bl 7.7.3).

mod composite;
mod configuration;
mod custom_fields;
mod import;
mod pictures;
mod settings;
mod user;
