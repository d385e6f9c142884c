//! What every module stands on: records that are created, changed, deleted and searched by their declaration
//! alone; tenants; the tenant's snapshot; and the type in which a module says what it offers.
//!
//! Knows no module of FOLIO by name and no rule of circulation. It reaches the database through `octavo_pg` only and
//! never sees HTTP: a [`Request`] has a method, parameters and a body, a [`Response`] a status and a body.

mod body;
mod changes;
mod context;
mod dialect;
mod discovery;
mod edge;
pub mod events;
mod incoming;
mod interface;
mod kept;
mod long_lists;
mod method;
mod module;
mod notation;
pub mod outbox;
mod pace;
mod pieces;
pub mod places;
mod platform;
mod records;
mod remembered;
mod request;
mod response;
mod security;
mod slow;
mod snapshot;
mod started;
mod tenants;
mod timers;
mod token_keys;
mod turns;
mod typed;

pub use body::Body;
pub use changes::Changes;
pub use dialect::Dialect;
pub use discovery::{Addresses, Discovery, Instance};
pub use edge::no_such_key;
pub use incoming::Incoming;
pub use interface::{
    Answering, Beside, Call, Calling, Context, Edge, EdgeAsk, EdgeAsking, EdgeCall, EdgeRequest, Enabling,
    Invariant, Module, OtherCall, OutboxTask, Platform, Request, Rest, Routes, Working,
};
pub use kept::Kept;
pub use long_lists::LongLists;
pub use method::Method;
pub use module::{Serve, answering};
pub use notation::Notation;
pub use pace::{Pace, take_turns};
pub use pieces::Pieces;
pub use records::{
    Doing, Listing, Present, Shape, Total, announce, bulk_insert, bulk_insert_with, check_record, collection,
    create, create_many, create_with, delete, delete_where, fault_of, find, follow_ups, get, ids_where,
    items, list, list_columns, load, lock_patrons, metadata, page, patron_lock, refused_id, replace,
    replace_with, show, statements,
};
pub use remembered::{Lease, Moment, Remembered};
pub use response::Response;
pub use security::{Security, SecurityEvent, SecurityEvents, cut_request_id};
pub use slow::{SlowRequest, SlowRequests};
pub use snapshot::{Snapshot, Snapshots, VERSION as SNAPSHOT_VERSION};
pub use started::{Entropy, Experiment, Kafka, Laboratory, Started, Uploads};
pub use tenants::{
    Enabled, Grant, Sessions, Standing, Tenant, TenantDescriptor, Tenants, catalogue, migrations,
    no_such_tenant, notify_of_tenant,
};
pub use timers::{Claim, Nap, RENEW_SECONDS, Schedule, TimerRuns, TimerState, Timers, Unit};
pub use token_keys::{Keys, TokenKey, TokenKeys};
pub use turns::Turns;

octavo_pg::statements!(within = [discovery, events, outbox, places, records, snapshot, tenants, timers]);

/// Every statement of the engine that is written by hand.
pub fn registered() -> &'static octavo_pg::Registered {
    &STATEMENTS
}
