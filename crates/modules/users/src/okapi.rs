//! Okapi's own interface (5.3.0): tenants, their modules, descriptors, installation.
//!
//! Octavo has every module of the release inside; "install" enables it for a tenant, loads its reference records and
//! registers its permissions. The operator adds others: FOLIO's user interfaces, which run in browsers, and modules that run as servers of
//! their own, to which the gateway forwards requests.

mod available;
pub(crate) mod catalogue;
mod descriptors;
mod discovery;
mod environment;
mod exchange;
mod install;
mod jobs;
mod modules;
mod parameters;
mod pull;
mod resolution;
pub mod seed;
mod shown;
mod tenant_interface;
mod tenants;
mod timers;

use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Module, Notation, Request, Response, calls};
use octavo_kernel::{Fault, Outcome};
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use install::{Parameters, enable, enable_user_interface};

pub static MODULE: Module = Module {
    name: "okapi",
    notation: Notation::OKAPI,
    calls: CALLS,
    migrations: &[COUNTS_OF_THE_SNAPSHOT],
    is_system_module: true,
    allows_no_token: true,
    ..Module::BASE
};

const COUNTS_OF_THE_SNAPSHOT: Migration = Migration {
    number: 8,
    name: "counts of the snapshot",
    sql: include_str!("../../migrations/8_counts_of_the_snapshot.sql"),
};

/// The permissions for a call about the caller's own tenant, which are fewer than for other tenants (`permissionsRequiredTenant`).
const PATCH_OWN: &[&str] = &["okapi.proxy.self.timers.patch"];

static CALLS: &[Call] = calls! {
    Get "/_/version" => version, own_tenant_permissions(&[]);
    Get "/_/proxy/health" => health;
    Get "/_/proxy/modules" => modules::list;
    Post "/_/proxy/modules" => modules::create;
    Post "/_/proxy/import/modules" => modules::import;
    Post "/_/proxy/pull/modules" => pull::pull;
    Post "/_/proxy/cleanup/modules" => modules::cleanup;
    Delete "/_/proxy/modules/{moduleId}" => modules::delete;
    Get "/_/proxy/modules/{moduleId}" => modules::get;
    Get "/_/proxy/tenants" => tenants::list;
    Post "/_/proxy/tenants" => tenants::create;
    Get "/_/proxy/tenants/{tenantId}" => tenants::get;
    Put "/_/proxy/tenants/{tenantId}" => tenants::replace;
    Delete "/_/proxy/tenants/{tenantId}" => tenants::delete;
    Post "/_/proxy/tenants/{tenantId}/install" => install::install;
    Get "/_/proxy/tenants/{tenantId}/install" => jobs::list;
    Delete "/_/proxy/tenants/{tenantId}/install" => jobs::delete;
    Get "/_/proxy/tenants/{tenantId}/install/{installId}" => jobs::get;
    Delete "/_/proxy/tenants/{tenantId}/install/{installId}" => jobs::delete;
    Post "/_/proxy/tenants/{tenantId}/upgrade" => install::upgrade;
    Get "/_/proxy/tenants/{tenantId}/modules" => descriptors::of_tenant, own_tenant_permissions(&[]);
    Post "/_/proxy/tenants/{tenantId}/modules" => install::enable_one;
    Delete "/_/proxy/tenants/{tenantId}/modules" => install::disable_all;
    Post "/_/proxy/tenants/{tenantId}/modules/{moduleId}" => install::upgrade_one;
    Get "/_/proxy/tenants/{tenantId}/modules/{moduleId}" => descriptors::one_of_tenant, own_tenant_permissions(&[]);
    Delete "/_/proxy/tenants/{tenantId}/modules/{moduleId}" => install::disable_one;
    Get "/_/proxy/tenants/{tenantId}/interfaces" => descriptors::interfaces, own_tenant_permissions(&[]);
    Get "/_/proxy/tenants/{tenantId}/interfaces/{interfaceId}" => descriptors::providers, own_tenant_permissions(&[]);
    Get "/_/proxy/tenants/{tenantId}/timers" => timers::list, own_tenant_permissions(&[]);
    Patch "/_/proxy/tenants/{tenantId}/timers" => timers::patch, own_tenant_permissions(PATCH_OWN);
    Get "/_/proxy/tenants/{tenantId}/timers/{timerId}" => timers::get, own_tenant_permissions(&[]);
    Patch "/_/proxy/tenants/{tenantId}/timers/{timerId}" => timers::patch_one, own_tenant_permissions(PATCH_OWN);
    Get "/_/discovery/modules" => discovery::list;
    Post "/_/discovery/modules" => discovery::deploy;
    Delete "/_/discovery/modules" => discovery::remove;
    Get "/_/discovery/modules/{serviceId}" => discovery::list_of_module;
    Delete "/_/discovery/modules/{serviceId}" => discovery::remove;
    Get "/_/discovery/modules/{serviceId}/{instanceId}" => discovery::get;
    Put "/_/discovery/modules/{serviceId}/{instanceId}" => discovery::replace;
    Delete "/_/discovery/modules/{serviceId}/{instanceId}" => discovery::remove;
    Get "/_/discovery/health" => discovery::health_of_all;
    Get "/_/discovery/health/{serviceId}" => discovery::health_of_module;
    Get "/_/discovery/health/{serviceId}/{instanceId}" => discovery::health_of_one;
    Get "/_/discovery/nodes" => discovery::nodes;
    Get "/_/discovery/nodes/{nodeId}" => discovery::node;
    Put "/_/discovery/nodes/{nodeId}" => discovery::replace_node;
    Get "/_/deployment/modules" => discovery::started;
    Post "/_/deployment/modules" => discovery::start;
    Get "/_/deployment/modules/{instanceId}" => discovery::one_started;
    Delete "/_/deployment/modules/{instanceId}" => discovery::one_started;
    Get "/_/env" => environment::list;
    Post "/_/env" => environment::create;
    Get "/_/env/{id}" => environment::get;
    Delete "/_/env/{id}" => environment::delete;
};

/// The version of Okapi, by which clients choose the calls that they use.
async fn version(_: Request) -> Outcome<Response> {
    let okapi = octavo_modules_base::facts::FACTS.modules.get("okapi").map_or("", |okapi| okapi.version);
    Ok(Response::text(200, okapi))
}

async fn health(_: Request) -> Outcome<Response> {
    Ok(Response::json_text(200, "[ ]"))
}

/// A body, or an element of one, that Okapi reads as an object. serde would take a list of its members too.
fn parse_object<T: DeserializeOwned>(body: Value) -> Outcome<T> {
    match body {
        Value::Object(_) => {
            serde_json::from_value(body).map_err(|error| Fault::bad_request(error.to_string()))
        }
        _ => Err(Fault::bad_request("What should be an object is none")),
    }
}

/// The elements of a body that has to be a list.
fn body_list(request: &Request) -> Outcome<Vec<Value>> {
    match request.json()? {
        Value::Array(elements) => Ok(elements),
        _ => Err(Fault::bad_request("The body is not an array")),
    }
}

octavo_pg::statements!(within = [catalogue, discovery, environment, jobs]);
