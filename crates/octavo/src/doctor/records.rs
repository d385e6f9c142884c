//! Looks for records of a tenant that contradict the invariants which modules declare.

use anyhow::Result;
use octavo_kernel::TenantId;
use octavo_modules::MODULES;
use octavo_pg::{Session, Sql};

use super::finding::{Repair, Report};

/// The most records that are named; further ones are only counted.
const MOST_NAMED_RECORDS: usize = 10;

pub(super) async fn check_records(
    session: &mut Session,
    tenant: &TenantId,
    report: &mut Report,
) -> Result<()> {
    for invariant in MODULES.iter().flat_map(|module| module.invariants) {
        let text = format!(
            "select w.id, count(*) over () from ({}) w (id) order by w.id limit {MOST_NAMED_RECORDS}",
            invariant.find_sql
        );
        let found: Vec<(Option<String>, i64)> = session.read_once(&Sql { text, params: Vec::new() }).await?;
        let Some((_, count)) = found.first() else { continue };
        let what = match count {
            1 => invariant.violation.to_owned(),
            _ => format!("{}, {count} times", invariant.violation),
        };
        let cases = found.into_iter().filter_map(|(id, _)| id).collect();
        let finding =
            report.problem("records", what).advice(invariant.advice).cases(cases).for_tenant(tenant);
        if invariant.repair.is_some() {
            finding.repair(Repair::Records(invariant));
        }
    }
    Ok(())
}
