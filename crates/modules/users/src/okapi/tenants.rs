//! Tenants: list, create, rename, remove.

use octavo_engine::{Request, Response, TenantDescriptor};
use octavo_kernel::{Fault, Outcome, TenantId};
use octavo_modules_base::operator::SUPERTENANT;
use serde_json::json;

use super::parse_object;
use crate::permissions::renewed;

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let tenants = request.context.platform.all_tenants().await?;
    Ok(Response::json(200, &json!(tenants)))
}

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let mut descriptor: TenantDescriptor = parse_object(request.json()?)?;
    if descriptor.id.is_none() {
        descriptor.id = Some(request.context.fresh_id().to_string());
    }
    let platform = &request.context.platform;
    let id = platform.create_tenant(&descriptor).await?;
    renewed::mark_as_current(platform, &id).await?;
    let location = format!("{}/{id}", request.path);
    Ok(Response::json(201, &json!(descriptor)).with_header("location", location))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = request.path_parameter(0);
    let tenants = request.context.platform.tenants.list().await?;
    let found = tenants.into_iter().find(|tenant| tenant.id.as_deref() == Some(id));
    found.map(|tenant| Response::json(200, &json!(tenant))).ok_or_else(|| Fault::not_found_with(id))
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let descriptor: TenantDescriptor = parse_object(request.json()?)?;
    let (id, path) = (descriptor.id.clone().unwrap_or_default(), request.path_parameter(0));
    if id != path {
        return Err(Fault::bad_request(format!("Tenant.id={id} id={path}")));
    }
    let tenant = TenantId::parse(path).map_err(|_| Fault::not_found_with(path))?;
    request.context.platform.describe_tenant(&tenant, &descriptor).await?;
    Ok(Response::json(200, &json!(descriptor)))
}

pub(super) async fn delete(request: Request) -> Outcome<Response> {
    let id = request.path_parameter(0);
    if id == SUPERTENANT {
        return Err(Fault::bad_request(format!("Can not delete the superTenant {id}")));
    }
    let tenant = TenantId::parse(id).map_err(|_| Fault::not_found_with(id))?;
    if !request.context.platform.delete_tenant(&tenant).await? {
        return Err(Fault::not_found_with(id));
    }
    let uploads = &request.context.platform.settings.uploads;
    let removed = tokio::fs::remove_dir_all(uploads.tenant_folder(&tenant)).await;
    for removed in [removed, tokio::fs::remove_file(uploads.tenant_lock(&tenant)).await] {
        match removed {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                tracing::warn!(%tenant, %error, "uploaded files of a tenant that is gone were not removed");
            }
            _ => {}
        }
    }
    Ok(Response::no_content())
}
