//! Renews the permissions of tenants when a new release starts. If it defines other permissions than the release before, they are
//! registered in each tenant, so that administrators have the new ones at once.

use std::sync::Arc;

use jiff::Timestamp;
use octavo_engine::{BackgroundFuture, Context, Platform};
use octavo_kernel::{Outcome, TenantId, hex};
use octavo_modules_base::facts::FACTS;
use octavo_pg::{Session, Statement, Usage, Work};
use sha2::{Digest, Sha256};

use super::register::define_permissions;

pub(super) fn started(platform: Platform) -> BackgroundFuture {
    Box::pin(async move {
        if let Err(fault) = renew(&platform).await {
            tracing::error!(%fault, "tenants have the permissions of the release before");
        }
    })
}

async fn renew(platform: &Platform) -> Outcome<()> {
    let mark = permissions_fingerprint();
    let (behind, now) = {
        let mut session = system_session(platform).await?;
        let behind: Vec<String> = session.read(Statement::new(BEHIND).text(mark.as_str())).await?;
        let now: Option<String> = session.read(Statement::new(NOW)).await?;
        (behind, now.and_then(|now| now.parse().ok()).unwrap_or(Timestamp::UNIX_EPOCH))
    };
    for tenant in behind {
        match renew_tenant(platform, &tenant, now).await {
            Ok(()) => {
                let told = Statement::new(TOLD).text(tenant.as_str()).text(mark.as_str());
                system_session(platform).await?.rows(told).await?;
                tracing::debug!(tenant, "the permissions are those of this release");
            }
            Err(fault) => tracing::error!(tenant, %fault, "the permissions stay those of the release before"),
        }
    }
    Ok(())
}

/// Marks a new tenant as having the permissions of this release, because each module registers its permissions when it is enabled.
/// Otherwise the next start would register them all again, which takes a while and locks the table of permissions.
pub async fn mark_as_current(platform: &Platform, tenant: &TenantId) -> Outcome<()> {
    let told = Statement::new(TOLD).text(tenant.as_str()).text(permissions_fingerprint());
    system_session(platform).await?.rows(told).await?;
    Ok(())
}

async fn renew_tenant(platform: &Platform, tenant: &str, now: Timestamp) -> Outcome<()> {
    let context = Context::for_server_task(platform, tenant, now).await?;
    if !context.tenant.has_module("mod-permissions") {
        return Ok(());
    }
    let modules: Vec<_> = FACTS.all().filter(|module| context.tenant.has_module(module.name)).collect();
    define_permissions(&context, &modules).await
}

async fn system_session(platform: &Platform) -> Outcome<Session> {
    Ok(platform.database.system_session(Arc::new(Usage::for_work(Work::Bulk))).await?)
}

/// A fingerprint of all permissions that the built-in modules define. It changes when one of them changes.
fn permissions_fingerprint() -> String {
    let mut hash = Sha256::new();
    for module in FACTS.all() {
        for permission in &module.permissions {
            let permission = (
                module.name,
                module.version,
                permission.name,
                permission.visible,
                &permission.sub_permissions,
            );
            hash.update(format!("{permission:?}\n"));
        }
    }
    hex(&hash.finalize()[..16])
}

const BEHIND: &str = "select id from octavo.tenants where permissions is distinct from $1 order by id";
const NOW: &str = "select to_char(now() at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')";
const TOLD: &str = "update octavo.tenants set permissions = $2 where id = $1";

octavo_pg::statements!(other = [BEHIND, NOW, TOLD]);
