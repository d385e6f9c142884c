//! The permissions of tenants that an earlier release has left: a release that defines others than the one before tells each tenant,
//! so that administrators have the new ones at once.

use std::sync::Arc;

use jiff::Timestamp;
use octavo_engine::{Beside, Context, Platform};
use octavo_kernel::{Outcome, TenantId, hex};
use octavo_modules_base::facts::FACTS;
use octavo_pg::{Session, Statement, Usage, Work};
use sha2::{Digest, Sha256};

use super::register::define;

pub(super) fn started(platform: Platform) -> Beside {
    Box::pin(async move {
        if let Err(fault) = renew(&platform).await {
            tracing::error!(%fault, "tenants have the permissions of the release before");
        }
    })
}

async fn renew(platform: &Platform) -> Outcome<()> {
    let mark = mark();
    let (behind, now) = {
        let mut session = system(platform).await?;
        let behind: Vec<String> = session.read(Statement::new(BEHIND).text(mark.as_str())).await?;
        let now: Option<String> = session.read(Statement::new(NOW)).await?;
        (behind, now.and_then(|now| now.parse().ok()).unwrap_or(Timestamp::UNIX_EPOCH))
    };
    for tenant in behind {
        match of_tenant(platform, &tenant, now).await {
            Ok(()) => {
                let told = Statement::new(TOLD).text(tenant.as_str()).text(mark.as_str());
                system(platform).await?.rows(told).await?;
                tracing::debug!(tenant, "the permissions are those of this release");
            }
            Err(fault) => tracing::error!(tenant, %fault, "the permissions stay those of the release before"),
        }
    }
    Ok(())
}

/// Notes of a tenant that was just made that this release tells it of permissions, with each module that it enables: at the next start
/// nothing is told again, which takes a while and locks them.
pub async fn begin(platform: &Platform, tenant: &TenantId) -> Outcome<()> {
    let told = Statement::new(TOLD).text(tenant.as_str()).text(mark());
    system(platform).await?.rows(told).await?;
    Ok(())
}

async fn of_tenant(platform: &Platform, tenant: &str, now: Timestamp) -> Outcome<()> {
    let context = Context::of_the_server(platform, tenant, now).await?;
    if !context.tenant.has("mod-permissions") {
        return Ok(());
    }
    let modules: Vec<_> = FACTS.all().filter(|module| context.tenant.has(module.name)).collect();
    define(&context, &modules).await
}

async fn system(platform: &Platform) -> Outcome<Session> {
    Ok(platform.database.system(Arc::new(Usage::of(Work::Bulk))).await?)
}

/// Another one for each set of permissions that built-in modules define.
fn mark() -> String {
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
