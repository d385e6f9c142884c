//! What `--repair` does. It changes only what follows from what people have written, and what PostgreSQL makes of it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use octavo_engine::Context;
use octavo_pg::{Database, Usage, Work};
use tokio::runtime::Handle;

use super::finding::{Finding, Repair, Report};
use crate::config::Settings;
use crate::start::{self, clock};

pub(super) async fn all(settings: &Settings, database: &Database, report: &mut Report) {
    for finding in &mut report.findings {
        if let Some(repair) = finding.repair.clone() {
            finding.repaired = Some(repaired(settings, database, finding, &repair).await);
        }
    }
}

async fn repaired(
    settings: &Settings,
    database: &Database,
    finding: &Finding,
    repair: &Repair,
) -> Result<(), String> {
    match (repair, &finding.tenant) {
        (Repair::Sql(statements), _) => {
            let usage = Arc::new(Usage::of(Work::Maintenance));
            let mut session = database.system(usage).await.map_err(|error| error.to_string())?;
            for statement in statements {
                session.script(statement).await.map_err(|error| error.to_string())?;
            }
            Ok(())
        }
        (Repair::Private(path), _) => fs::set_permissions(path, fs::Permissions::from_mode(0o600))
            .map_err(|error| format!("{}: {error}", path.display())),
        (Repair::Records(invariant), Some(tenant)) => {
            let Some(work) = invariant.repair else { return Ok(()) };
            // The schemas are up to date: records of others are not looked at.
            let platform = start::platform_as_it_is(settings, database.clone(), None, &Handle::current());
            let platform = platform.map_err(|error| format!("{error:#}"))?;
            let context = Context::of_the_server(&platform, tenant.as_str(), clock()).await;
            let context = context.map_err(|fault| fault.to_string())?;
            work(context).await.map(drop).map_err(|fault| fault.to_string())
        }
        (Repair::Records(_), None) => Ok(()),
    }
}
