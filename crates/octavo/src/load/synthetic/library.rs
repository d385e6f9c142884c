//! The tenant of a synthetic library, and what is in it before the first instance: FOLIO's reference records, the
//! branches, shelves and policies of the demo library.

use anyhow::{Result, anyhow, bail};
use octavo_engine::{Context, Platform, TenantDescriptor};
use octavo_kernel::TenantId;
use octavo_modules::facts::FACTS;
use octavo_modules::okapi::{self, Parameters};
use octavo_pg::Statement;

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
    match (there, state(platform, tenant).await?.as_deref()) {
        (false, _) => {}
        (true, Some("filling")) => drop(platform.tenants.delete(&id).await.map_err(in_words)?),
        (true, _) => bail!("there is a tenant {tenant} already; a synthetic library is a tenant of its own"),
    }
    note(platform, tenant, "filling").await?;
    let descriptor = TenantDescriptor {
        id: Some(tenant.to_owned()),
        name: Some("Synthetic library".to_owned()),
        description: Some(description.to_owned()),
    };
    platform.tenants.create(&descriptor, platform.modules).await.map_err(in_words)?;
    let context = super::super::context(platform, tenant).await?;
    for module in FACTS.modules.values() {
        okapi::enable(&context, module, Parameters { load_reference: true }).await.map_err(in_words)?;
    }
    let context = super::super::context(platform, tenant).await?;
    demo::records(&context, |seed| !OWN.contains(&seed.path.as_str())).await?;
    Ok(context)
}

pub(super) async fn finished(platform: &Platform, tenant: &str) -> Result<()> {
    note(platform, tenant, "ready").await
}

fn property(tenant: &str) -> String {
    format!("synthetic {tenant}")
}

async fn state(platform: &Platform, tenant: &str) -> Result<Option<String>> {
    let mut session = platform.database.system(std::sync::Arc::default()).await?;
    let read = Statement::new("select value from octavo.properties where name = $1").text(property(tenant));
    let rows = session.rows(read).await.map_err(|error| anyhow!(error))?;
    Ok(rows.first().map(|row| row.text(0).to_owned()))
}

async fn note(platform: &Platform, tenant: &str, state: &str) -> Result<()> {
    let mut session = platform.database.system(std::sync::Arc::default()).await?;
    session.rows(Statement::new(NOTE).text(property(tenant)).text(state)).await?;
    Ok(())
}

const NOTE: &str = "\
insert into octavo.properties (name, value) values ($1, $2)
on conflict (name) do update set value = $2";
