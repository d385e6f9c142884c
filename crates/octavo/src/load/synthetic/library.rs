//! The tenant of a synthetic library, and what is in it before the first instance: FOLIO's reference records, the
//! branches, shelves and policies of the demo library.

use anyhow::{Result, bail};
use octavo_engine::{Context, Platform, TenantDescriptor};
use octavo_kernel::TenantId;

use super::super::in_words;
use crate::demo;

/// Collections of the demo library that a synthetic one has its own of.
const OWN: [&str; 5] = [
    "/instance-storage/instances",
    "/holdings-storage/holdings",
    "/item-storage/items",
    "/users",
    "/proxiesfor",
];

/// Makes the tenant. One that was begun and not finished is made anew; any other is left alone.
pub(super) async fn make(platform: &Platform, tenant: &str, description: &str) -> Result<Context> {
    let id = TenantId::parse(tenant).map_err(in_words)?;
    let there = platform.tenants.list().await.map_err(in_words)?;
    let there = there.iter().any(|found| found.id.as_deref() == Some(tenant));
    let property = property(tenant);
    match (there, demo::noted(platform, &property).await?.as_deref()) {
        (false, _) => {}
        (true, Some("filling")) => drop(platform.delete_tenant(&id).await.map_err(in_words)?),
        (true, _) => bail!("there is a tenant {tenant} already; a synthetic library is a tenant of its own"),
    }
    demo::note(platform, &property, "filling").await?;
    let descriptor = TenantDescriptor {
        id: Some(tenant.to_owned()),
        name: Some("Synthetic library".to_owned()),
        description: Some(description.to_owned()),
    };
    let context = async || super::super::context(platform, tenant).await;
    demo::furnished(platform, &descriptor, context, |seed| !OWN.contains(&seed.path.as_str())).await
}

pub(super) async fn finished(platform: &Platform, tenant: &str) -> Result<()> {
    demo::note(platform, &property(tenant), "ready").await
}

/// The property of the database that says how far a library is made.
fn property(tenant: &str) -> String {
    format!("synthetic {tenant}")
}
