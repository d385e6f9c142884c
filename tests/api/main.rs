//! Octavo as its clients see it: black-box tests over HTTP, a tenant each, against a real PostgreSQL. Folders are modules.

mod authorities;
mod blocks;
mod calendar;
mod circulation;
mod events;
mod fees;
mod gate;
mod inventory;
mod login;
mod measured;
mod notes;
mod notices;
mod oa;
mod okapi;
mod patron;
mod permissions;
mod persons;
mod platform;
mod pubsub;
mod records;
mod rtac;
mod search;
mod service_interaction;
mod source_records;
mod tenants;
mod users;
