//! The tenant of a synthetic library, and what is in it before the first instance: FOLIO's reference records, the
//! branches, shelves and policies of the demo library.

use anyhow::{Result, bail};
use octavo_engine::{Context, Platform, TenantDescriptor};
use octavo_kernel::TenantId;

use super::super::fault_to_error;
use crate::demo;

/// Collections of the demo library that are left out, because a synthetic library makes its own.
const LEFT_OUT: [&str; 5] = [
    "/instance-storage/instances",
    "/holdings-storage/holdings",
    "/item-storage/items",
    "/users",
    "/proxiesfor",
];

/// Makes the tenant. If a tenant of this name was begun and not finished, it is deleted and made again; any other existing tenant is an
/// error.
pub(super) async fn make_tenant(platform: &Platform, tenant: &str, description: &str) -> Result<Context> {
    let id = TenantId::parse(tenant).map_err(fault_to_error)?;
    let there = platform.tenants.list().await.map_err(fault_to_error)?;
    let there = there.iter().any(|found| found.id.as_deref() == Some(tenant));
    let property = property_name(tenant);
    match (there, demo::read_property(platform, &property).await?.as_deref()) {
        (false, _) => {}
        (true, Some("filling")) => drop(platform.delete_tenant(&id).await.map_err(fault_to_error)?),
        (true, _) => bail!("there is a tenant {tenant} already; a synthetic library is a tenant of its own"),
    }
    demo::write_property(platform, &property, "filling").await?;
    let descriptor = TenantDescriptor {
        id: Some(tenant.to_owned()),
        name: Some("Synthetic library".to_owned()),
        description: Some(description.to_owned()),
    };
    let context = async || super::super::tenant_context(platform, tenant).await;
    demo::create_furnished_tenant(platform, &descriptor, context, |seed| {
        !LEFT_OUT.contains(&seed.path.as_str())
    })
    .await
}

pub(super) async fn mark_as_finished(platform: &Platform, tenant: &str) -> Result<()> {
    demo::write_property(platform, &property_name(tenant), "ready").await
}

/// The property of the database that says how far a library is made.
fn property_name(tenant: &str) -> String {
    format!("synthetic {tenant}")
}
