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
mod stop_sign;
mod tenants;
mod timers;
mod token_keys;
mod turns;
mod typed;

pub use body::Body;
pub use changes::Changes;
pub use dialect::Dialect;
pub use discovery::{Addresses, Discovery, Instance};
pub use edge::invalid_key_fault;
pub use incoming::Incoming;
pub use interface::{
    BackgroundFuture, Call, Context, CountFuture, EdgeCall, EdgeModule, EdgeRequest, EdgeRouteRequest,
    EdgeRouteRequestFuture, EnableFuture, Invariant, Module, OutboxTask, Platform, Request, ResponseFuture,
    RestRule, RouteCall, RouteFuture, Routes,
};
pub use kept::ModuleState;
pub use long_lists::LongLists;
pub use method::Method;
pub use module::{Serve, answering};
pub use notation::Notation;
pub use pace::{Pace, is_desk_busy, yield_to_others};
pub use pieces::Pieces;
pub use records::{
    CountMode, IfStored, ListRequest, PageFormat, RecordOperation, bulk_insert, bulk_insert_with,
    check_record, create, create_many, create_with, delete, delete_where, fault_from_db_error, find,
    ids_where, invalidate_caches, items_response, list, list_columns, list_response, load, lock_patrons,
    metadata, notify_statements, page_response, patron_lock, read_document, read_document_over, refused_id,
    replace, replace_or_create, replace_with, statements,
};
pub use remembered::{Lease, LeasedCache, ReadStart};
pub use response::Response;
pub use security::{SecurityEvent, SecurityEventKind, SecurityEvents, cut_request_id};
pub use slow::{SlowRequest, SlowRequests};
pub use snapshot::{Snapshot, Snapshots, VERSION as SNAPSHOT_VERSION};
pub use started::{Entropy, Experiment, Kafka, Laboratory, ProcessSettings, Uploads};
pub use stop_sign::StopSign;
pub use tenants::{
    EnabledModule, Grant, Sessions, Standing, Tenant, TenantDescriptor, Tenants, catalogue, migrations,
    no_such_tenant, notify_tenant_statement,
};
pub use timers::{Claim, RENEW_SECONDS, RestUntil, Schedule, TimerRuns, TimerState, Timers, Unit};
pub use token_keys::{Keys, TokenKey, TokenKeys};
pub use turns::FairQueue;

octavo_pg::statements!(within = [discovery, events, outbox, places, records, snapshot, tenants, timers]);

/// Every statement of the engine that is written by hand.
pub fn registered() -> &'static octavo_pg::Registered {
    &STATEMENTS
}
