//! The modules that a tenant has enabled, and their interfaces (Okapi 5.3.0).

use octavo_engine::{Request, Response, Tenant};
use octavo_kernel::{Fault, Outcome};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

use super::catalogue;
use super::parameters::bool_parameter;
use super::shown::modules_response;

pub(super) async fn of_tenant(request: Request) -> Outcome<Response> {
    let tenant = tenant(&request).await?;
    let modules = catalogue::of_tenant(&request.context.platform, &tenant).await?;
    modules_response(&request, modules, false)
}

pub(super) async fn one_of_tenant(request: Request) -> Outcome<Response> {
    let tenant = tenant(&request).await?;
    let id = request.path_parameter(1);
    match catalogue::of_tenant(&request.context.platform, &tenant).await?.contains_key(id) {
        true => Ok(Response::json(200, &json!({"id": id}))),
        false => Err(Fault::not_found_with(id)),
    }
}

pub(super) async fn interfaces(request: Request) -> Outcome<Response> {
    let tenant = tenant(&request).await?;
    let (full, kind) = (bool_parameter(&request, "full", false)?, request.query("type"));
    let modules = catalogue::of_tenant(&request.context.platform, &tenant).await?;
    let provided = modules.values().flat_map(|module| module.provides());
    let mut told = BTreeSet::new();
    let mut shown: Vec<Value> = Vec::new();
    for interface in provided.filter(|interface| kind.is_none_or(|kind| kind == interface.kind())) {
        if full {
            shown.push(json!(interface));
        } else if told.insert(&interface.id) {
            shown.push(json!({"id": interface.id, "version": interface.version}));
        }
    }
    Ok(Response::json(200, &Value::Array(shown)))
}

pub(super) async fn providers(request: Request) -> Outcome<Response> {
    let tenant = tenant(&request).await?;
    let (wanted, kind) = (request.path_parameter(1), request.query("type"));
    let modules = catalogue::of_tenant(&request.context.platform, &tenant).await?;
    let provides = modules.values().filter(|module| {
        let mut own = module.provides().iter().filter(|interface| interface.id == wanted);
        own.any(|interface| kind.is_none_or(|kind| kind == interface.kind()))
    });
    let ids: Vec<Value> = provides.map(|module| json!({"id": module.id})).collect();
    Ok(Response::json(200, &Value::Array(ids)))
}

/// The tenant in the path; 404 with its id, as in Okapi.
pub(super) async fn tenant(request: &Request) -> Outcome<Arc<Tenant>> {
    let id = request.path_parameter(0);
    request.context.platform.tenants.get(id).await.map_err(|fault| match fault.status {
        400 => Fault::not_found_with(id),
        _ => fault,
    })
}
