//! What `--repair` does. It changes only records that can be computed from others, indexes, and the access rights of the operator's token.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use octavo_engine::Context;
use octavo_pg::{Database, Usage, Work};
use tokio::runtime::Handle;

use super::finding::{Finding, Repair, Report};
use crate::config::Settings;
use crate::start::{self, clock};

pub(super) async fn repair_all(settings: &Settings, database: &Database, report: &mut Report) {
    for finding in &mut report.findings {
        if let Some(repair) = finding.repair.clone() {
            finding.repaired = Some(repair_finding(settings, database, finding, &repair).await);
        }
    }
}

async fn repair_finding(
    settings: &Settings,
    database: &Database,
    finding: &Finding,
    repair: &Repair,
) -> Result<(), String> {
    match (repair, &finding.tenant) {
        (Repair::Sql(statements), _) => {
            let usage = Arc::new(Usage::for_work(Work::Maintenance));
            let mut session = database.system_session(usage).await.map_err(|error| error.to_string())?;
            for statement in statements {
                session.script(statement).await.map_err(|error| error.to_string())?;
            }
            Ok(())
        }
        (Repair::MakeFilePrivate(path), _) => fs::set_permissions(path, fs::Permissions::from_mode(0o600))
            .map_err(|error| format!("{}: {error}", path.display())),
        (Repair::Records(invariant), Some(tenant)) => {
            let Some(work) = invariant.repair else { return Ok(()) };
            // No migration is needed here: records are checked only in tenants whose schemas are up to date.
            let platform =
                start::platform_without_migration(settings, database.clone(), None, &Handle::current());
            let platform = platform.map_err(|error| format!("{error:#}"))?;
            let context = Context::for_server_task(&platform, tenant.as_str(), clock()).await;
            let context = context.map_err(|fault| fault.to_string())?;
            work(context).await.map(drop).map_err(|fault| fault.to_string())
        }
        (Repair::Records(_), None) => Ok(()),
    }
}
