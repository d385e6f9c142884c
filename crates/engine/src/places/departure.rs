//! How a tenant leaves one database and arrives in another. The transaction in which it leaves decides that it has moved. Another one enters
//! it in the other database, from rows that were stored there before; the command, a request or the next command makes it, whichever is first.

use std::collections::BTreeMap;
use std::sync::Arc;

use octavo_kernel::{Fault, Outcome, TenantId};
use octavo_pg::{Database, Session, Statement, Usage, Work};
use serde_json::value::RawValue;

use crate::tenants::notify_of_tenant;

/// The database to which a tenant has gone from this one.
pub(super) async fn departed_to(session: &mut Session, tenant: &TenantId) -> Outcome<Option<String>> {
    Ok(session.read(Statement::new(DEPARTED).text(tenant.as_str())).await?)
}

/// Lets a tenant be in a database for which it was put ready. Nothing happens if it is there already.
pub async fn arrive(database: &Database, tenant: &TenantId) -> Outcome<()> {
    let mut session = database.system(Arc::new(Usage::of(Work::Maintenance))).await?;
    session.begin(Vec::new()).await?;
    let asked = Statement::new(ARRIVING).text(tenant.as_str());
    let Some(rows) = session.read::<Option<String>>(asked).await? else {
        session.rollback().await?;
        return Ok(());
    };
    let rows: BTreeMap<String, Box<RawValue>> = serde_json::from_str(&rows).map_err(Fault::internal)?;
    let mut changes = Vec::with_capacity(rows.len() + 3);
    // Those of other tables refer to the tenant's own.
    let (own, others): (Vec<_>, Vec<_>) = rows.iter().partition(|(table, _)| *table == "tenants");
    for (table, rows) in own.into_iter().chain(others) {
        let insert = format!(
            "insert into octavo.{table:?} select * from json_populate_recordset(null::octavo.{table:?}, $1::text::json)"
        );
        changes.push(Statement::new(insert).text(rows.get()));
    }
    changes.push(Statement::new(ARRIVED).text(tenant.as_str()));
    changes.push(Statement::new(RETURNED).text(tenant.as_str()));
    changes.push(notify_of_tenant(tenant));
    session.commit(changes).await?;
    Ok(())
}

const DEPARTED: &str = "select database from octavo.departed where tenant = $1";
const ARRIVING: &str = "select rows::text from octavo.arriving where tenant = $1 for update";
const ARRIVED: &str = "delete from octavo.arriving where tenant = $1";
const RETURNED: &str = "delete from octavo.departed where tenant = $1";

octavo_pg::statements!(other = [DEPARTED, ARRIVING, ARRIVED, RETURNED]);
