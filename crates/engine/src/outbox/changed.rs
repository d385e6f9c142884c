//! Finds the tenants whose outboxes have changed.

use std::collections::HashMap;
use std::sync::Arc;

use octavo_kernel::{Outcome, TenantId};
use octavo_pg::{Database, Statement, Usage, Work};

/// How often each tenant's outbox had changed at the last look, as PostgreSQL counts it. One statement reads the counts of all tenants, so
/// outboxes that do not change cost nothing.
#[derive(Debug, Default)]
pub struct OutboxChanges(HashMap<String, i64>);

impl OutboxChanges {
    /// The tenants whose outboxes have changed since the last look, whichever process did it. At first these are all that ever had a task.
    pub async fn changed_tenants(&mut self, database: &Database) -> Outcome<Vec<String>> {
        let mut session = database.system_session(Arc::<Usage>::default()).await?;
        let first = self.0.is_empty();
        let now: Vec<(String, i64, bool)> = session.read(Statement::new(COUNTS).long(first.into())).await?;
        let changed = now.iter().filter(|(tenant, count, is_empty)| match self.0.get(tenant) {
            Some(before) => before != count,
            None => !is_empty,
        });
        let changed = changed.map(|(tenant, ..)| tenant.clone()).collect();
        self.0 = now.into_iter().map(|(tenant, count, _)| (tenant, count)).collect();
        Ok(changed)
    }
}

/// In how many milliseconds the next task of a tenant is due; negative if it is due already, `None` if there is no task.
pub async fn next_due_milliseconds(database: &Database, tenant: &TenantId) -> Outcome<Option<i64>> {
    let mut session = database.session(tenant, Arc::new(Usage::for_work(Work::Bulk))).await?;
    Ok(session.read::<Option<Option<i64>>>(Statement::new(NEXT)).await?.flatten())
}

const NEXT: &str = "select ceil(extract(epoch from min(due) - clock_timestamp()) * 1000)::int8 from outbox";

/// The size of a table is looked at the first time only (`$1` is 1): PostgreSQL opens the table for that, and each of its processes
/// remembers what it has opened.
const COUNTS: &str = "\
select
  t.id,
  pg_stat_get_tuples_inserted(c.oid) + pg_stat_get_tuples_updated(c.oid) + pg_stat_get_tuples_deleted(c.oid),
  case when $1::int8 = 1 then coalesce(pg_relation_size(c.oid), 0) = 0 else false end
from octavo.tenants t
join pg_namespace n on n.nspname = 'tenant_' || t.id
join pg_class c on c.relnamespace = n.oid and c.relname = 'outbox'
order by t.id";

octavo_pg::statements!(other = [NEXT, COUNTS]);
