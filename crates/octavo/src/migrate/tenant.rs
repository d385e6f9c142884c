//! The tenant that the records go into: made anew, with every module that is built and without FOLIO's reference records, which come from the
//! source.

use anyhow::{Result, bail};
use octavo_engine::{Context, Platform, TenantDescriptor};
use octavo_kernel::TenantId;
use octavo_modules::facts::FACTS;
use octavo_modules::okapi::{self, Parameters};
use octavo_modules::permissions;

use super::ledger::{Entry, Ledger, TENANT};
use crate::load::{fault_to_error, tenant_context};

/// The tenant as an earlier run left it, or a new one.
pub(super) async fn open_or_create(platform: &Platform, ledger: &Ledger) -> Result<Context> {
    let id = &ledger.tenant;
    let mut session = platform.database.system_session(std::sync::Arc::default()).await?;
    ledger.check_source(&mut session).await?;
    let made = ledger.read(&mut session, TENANT).await?;
    drop(session);
    match made {
        Some(Entry { done: true, .. }) => return tenant_context(platform, id.as_str()).await,
        // The earlier run was interrupted before all modules were enabled.
        Some(_) => drop(platform.delete_tenant(id).await.map_err(fault_to_error)?),
        None => {
            let tenants = platform.tenants.list().await.map_err(fault_to_error)?;
            if tenants.iter().any(|tenant| tenant.id.as_deref() == Some(id.as_str())) {
                bail!("there is a tenant {id} already; migrate makes its own");
            }
        }
    }
    create_tenant(platform, ledger, id).await
}

async fn create_tenant(platform: &Platform, ledger: &Ledger, id: &TenantId) -> Result<Context> {
    let descriptor = TenantDescriptor {
        id: Some(id.as_str().to_owned()),
        name: Some(id.as_str().to_owned()),
        description: Some(format!("From {}", ledger.source)),
    };
    platform.create_tenant(&descriptor).await.map_err(fault_to_error)?;
    let bare = tenant_context(platform, id.as_str()).await?;
    ledger.save(&bare, TENANT, &Entry::default()).await?;
    permissions::renewed::mark_as_current(platform, id).await.map_err(fault_to_error)?;
    for module in FACTS.modules.values() {
        let parameters = Parameters { load_reference: false, load_sample: false };
        okapi::enable(&bare, module, parameters).await.map_err(fault_to_error)?;
    }
    let made = tenant_context(platform, id.as_str()).await?;
    ledger.save(&made, TENANT, &Entry { done: true, ..Entry::default() }).await?;
    Ok(made)
}
