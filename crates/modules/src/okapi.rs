//! Okapi's own interface (5.3.0): tenants, the modules that each has, their descriptors, installation.
//!
//! Octavo has every module of the release inside; "install" enables it for a tenant, loads its reference records and
//! registers its permissions. FOLIO's user interfaces run in browsers: their descriptors can be added, for their permissions.

mod descriptors;
mod install;
mod posted;
pub mod seed;
mod tenants;
pub mod timers;
pub(crate) mod user_interfaces;

use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Method, Module, Notation, Request, Response, answering};
use octavo_kernel::Outcome;

pub use install::{Parameters, enable, enable_user_interface};

pub static MODULE: Module = Module {
    name: "okapi",
    notation: Notation::OKAPI,
    calls: CALLS,
    migrations: &[COUNTS_OF_THE_SNAPSHOT],
    ..Module::BASE
};

const COUNTS_OF_THE_SNAPSHOT: Migration = Migration {
    number: 8,
    name: "counts of the snapshot",
    sql: include_str!("../migrations/8_counts_of_the_snapshot.sql"),
};

static CALLS: &[Call] = &[
    Call::new(Method::Get, "/_/version", |request| answering(version(request))),
    Call::new(Method::Get, "/_/proxy/health", |request| answering(health(request))),
    Call::new(Method::Get, "/_/proxy/modules", |request| answering(descriptors::list(request))),
    Call::new(Method::Post, "/_/proxy/modules", |request| answering(user_interfaces::create(request))),
    Call::new(Method::Post, "/_/proxy/import/modules", |request| answering(user_interfaces::import(request))),
    Call::new(Method::Delete, "/_/proxy/modules/{moduleId}", |request| {
        answering(user_interfaces::delete(request))
    }),
    Call::new(Method::Get, "/_/proxy/modules/{moduleId}", |request| answering(descriptors::get(request))),
    Call::new(Method::Get, "/_/proxy/tenants", |request| answering(tenants::list(request))),
    Call::new(Method::Post, "/_/proxy/tenants", |request| answering(tenants::create(request))),
    Call::new(Method::Get, "/_/proxy/tenants/{tenantId}", |request| answering(tenants::get(request))),
    Call::new(Method::Put, "/_/proxy/tenants/{tenantId}", |request| answering(tenants::replace(request))),
    Call::new(Method::Delete, "/_/proxy/tenants/{tenantId}", |request| answering(tenants::delete(request))),
    Call::new(Method::Post, "/_/proxy/tenants/{tenantId}/install", |request| {
        answering(install::install(request))
    }),
    Call::new(Method::Get, "/_/proxy/tenants/{tenantId}/modules", |request| {
        answering(descriptors::of_tenant(request))
    }),
    Call::new(Method::Post, "/_/proxy/tenants/{tenantId}/modules", |request| {
        answering(install::enable_one(request))
    }),
    Call::new(Method::Get, "/_/proxy/tenants/{tenantId}/modules/{moduleId}", |request| {
        answering(descriptors::one_of_tenant(request))
    }),
    Call::new(Method::Delete, "/_/proxy/tenants/{tenantId}/modules/{moduleId}", |request| {
        answering(install::disable_one(request))
    }),
    Call::new(Method::Get, "/_/proxy/tenants/{tenantId}/interfaces", |request| {
        answering(descriptors::interfaces(request))
    }),
    Call::new(Method::Get, "/_/proxy/tenants/{tenantId}/interfaces/{interfaceId}", |request| {
        answering(descriptors::providers(request))
    }),
    Call::new(Method::Get, "/_/proxy/tenants/{tenantId}/timers", |request| answering(timers::list(request))),
    Call::new(Method::Patch, "/_/proxy/tenants/{tenantId}/timers", |request| {
        answering(timers::patch(request))
    }),
    Call::new(Method::Get, "/_/proxy/tenants/{tenantId}/timers/{timerId}", |request| {
        answering(timers::get(request))
    }),
    Call::new(Method::Patch, "/_/proxy/tenants/{tenantId}/timers/{timerId}", |request| {
        answering(timers::patch_one(request))
    }),
];

/// What is asked of a caller about their own tenant, where Okapi asks less of them than of others
/// (`permissionsRequiredTenant`).
pub fn required_of_own_tenant(method: Method, pattern: &str) -> Option<&'static [&'static str]> {
    match (method, pattern) {
        (
            Method::Get,
            "/_/version"
            | "/_/proxy/tenants/{tenantId}/modules"
            | "/_/proxy/tenants/{tenantId}/modules/{moduleId}"
            | "/_/proxy/tenants/{tenantId}/interfaces"
            | "/_/proxy/tenants/{tenantId}/interfaces/{interfaceId}"
            | "/_/proxy/tenants/{tenantId}/timers"
            | "/_/proxy/tenants/{tenantId}/timers/{timerId}",
        ) => Some(&[]),
        (
            Method::Patch,
            "/_/proxy/tenants/{tenantId}/timers" | "/_/proxy/tenants/{tenantId}/timers/{timerId}",
        ) => Some(&["okapi.proxy.self.timers.patch"]),
        _ => None,
    }
}

/// The version of Okapi that clients find: they choose by it what they may ask.
async fn version(_: Request) -> Outcome<Response> {
    let okapi = crate::facts::FACTS.modules.get("okapi").map_or("", |okapi| okapi.version);
    Ok(Response::text(200, okapi))
}

async fn health(_: Request) -> Outcome<Response> {
    Ok(Response::json_text(200, "[ ]"))
}

octavo_pg::statements!(within = [user_interfaces]);
