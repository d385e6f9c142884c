//! Okapi's own interface (5.3.0): tenants, the modules that each has, their descriptors, installation.
//!
//! Octavo has every module of the release inside; "install" enables it for a tenant, loads its reference records and
//! registers its permissions. FOLIO's user interfaces run in browsers: their descriptors can be added, for their permissions.

mod descriptors;
mod install;
mod posted;
pub mod seed;
mod tenants;
mod timers;
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
    of_the_system: true,
    for_strangers: true,
    ..Module::BASE
};

const COUNTS_OF_THE_SNAPSHOT: Migration = Migration {
    number: 8,
    name: "counts of the snapshot",
    sql: include_str!("../../migrations/8_counts_of_the_snapshot.sql"),
};

/// Where Okapi asks less of callers about their own tenant than about others (`permissionsRequiredTenant`).
const PATCH_OWN: &[&str] = &["okapi.proxy.self.timers.patch"];

static CALLS: &[Call] = &[
    Call::new(Method::Get, "/_/version", |request| answering(version(request))).of_own_tenant(&[]),
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
    })
    .of_own_tenant(&[]),
    Call::new(Method::Post, "/_/proxy/tenants/{tenantId}/modules", |request| {
        answering(install::enable_one(request))
    }),
    Call::new(Method::Get, "/_/proxy/tenants/{tenantId}/modules/{moduleId}", |request| {
        answering(descriptors::one_of_tenant(request))
    })
    .of_own_tenant(&[]),
    Call::new(Method::Delete, "/_/proxy/tenants/{tenantId}/modules/{moduleId}", |request| {
        answering(install::disable_one(request))
    }),
    Call::new(Method::Get, "/_/proxy/tenants/{tenantId}/interfaces", |request| {
        answering(descriptors::interfaces(request))
    })
    .of_own_tenant(&[]),
    Call::new(Method::Get, "/_/proxy/tenants/{tenantId}/interfaces/{interfaceId}", |request| {
        answering(descriptors::providers(request))
    })
    .of_own_tenant(&[]),
    Call::new(Method::Get, "/_/proxy/tenants/{tenantId}/timers", |request| answering(timers::list(request)))
        .of_own_tenant(&[]),
    Call::new(Method::Patch, "/_/proxy/tenants/{tenantId}/timers", |request| {
        answering(timers::patch(request))
    })
    .of_own_tenant(PATCH_OWN),
    Call::new(Method::Get, "/_/proxy/tenants/{tenantId}/timers/{timerId}", |request| {
        answering(timers::get(request))
    })
    .of_own_tenant(&[]),
    Call::new(Method::Patch, "/_/proxy/tenants/{tenantId}/timers/{timerId}", |request| {
        answering(timers::patch_one(request))
    })
    .of_own_tenant(PATCH_OWN),
];

/// The version of Okapi that clients find: they choose by it what they may ask.
async fn version(_: Request) -> Outcome<Response> {
    let okapi = octavo_modules_base::facts::FACTS.modules.get("okapi").map_or("", |okapi| okapi.version);
    Ok(Response::text(200, okapi))
}

async fn health(_: Request) -> Outcome<Response> {
    Ok(Response::json_text(200, "[ ]"))
}

octavo_pg::statements!(within = [user_interfaces]);
