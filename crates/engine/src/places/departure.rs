//! How a tenant moves from one database to another. The transaction in which it leaves the first database decides that it has moved. A
//! second transaction adds it to the other database, from rows that were stored there before. The move command, a request, or the next
//! move command runs the second transaction, whichever comes first.

use std::collections::BTreeMap;
use std::sync::Arc;

use octavo_kernel::{Fault, Outcome, TenantId};
use octavo_pg::{Database, Session, Statement, Usage, Work};
use serde_json::value::RawValue;

use crate::tenants::notify_tenant_statement;

/// The name of the database to which a tenant has moved from this one; `None` if it has not.
pub(super) async fn departed_to(session: &mut Session, tenant: &TenantId) -> Outcome<Option<String>> {
    Ok(session.read(Statement::new(DEPARTED).text(tenant.as_str())).await?)
}

/// Adds a tenant to the database to which it moves, from the rows that were stored there before. Does nothing if the tenant is there
/// already.
pub async fn complete_arrival(database: &Database, tenant: &TenantId) -> Outcome<()> {
    let mut session = database.system_session(Arc::new(Usage::for_work(Work::Maintenance))).await?;
    session.begin(Vec::new()).await?;
    let asked = Statement::new(ARRIVING).text(tenant.as_str());
    let Some(rows) = session.read::<Option<String>>(asked).await? else {
        session.rollback().await?;
        return Ok(());
    };
    let rows: BTreeMap<String, Box<RawValue>> = serde_json::from_str(&rows).map_err(Fault::internal)?;
    let mut changes = Vec::with_capacity(rows.len() + 3);
    // The rows of other tables refer to the row of the table `tenants`, which is therefore inserted first.
    let (own, others): (Vec<_>, Vec<_>) = rows.iter().partition(|(table, _)| *table == "tenants");
    for (table, rows) in own.into_iter().chain(others) {
        let insert = format!(
            "insert into octavo.{table:?} select * from json_populate_recordset(null::octavo.{table:?}, $1::text::json)"
        );
        changes.push(Statement::new(insert).text(rows.get()));
    }
    changes.push(Statement::new(ARRIVED).text(tenant.as_str()));
    changes.push(Statement::new(RETURNED).text(tenant.as_str()));
    changes.push(notify_tenant_statement(tenant));
    session.commit(changes).await?;
    Ok(())
}

const DEPARTED: &str = "select database from octavo.departed where tenant = $1";
const ARRIVING: &str = "select rows::text from octavo.arriving where tenant = $1 for update";
const ARRIVED: &str = "delete from octavo.arriving where tenant = $1";
const RETURNED: &str = "delete from octavo.departed where tenant = $1";

octavo_pg::statements!(other = [DEPARTED, ARRIVING, ARRIVED, RETURNED]);
