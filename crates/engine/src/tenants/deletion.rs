//! Deleting a tenant, while its requests go on until they find it gone.

use std::iter::repeat_n;
use std::time::Duration;

use octavo_kernel::{Outcome, TenantId};
use octavo_pg::{DbError, Session, Statement, read_each};
use tokio::time::sleep;

use super::{Change, LOCK_MS, Tenants, is_in_the_way, notify, reports};

/// How often it is tried to lock the tables at once, and how long requests have between two attempts. Then the deletion waits for who
/// works with them.
const ATTEMPTS: usize = 20;
const BETWEEN: Duration = Duration::from_millis(200);

impl Tenants {
    /// Deletes a tenant with all its records, or nothing of it. Requests under way may hold locks on what is to be dropped and wait for
    /// what the deletion has locked; while there are any, the deletion gives way. Returns whether there was such a tenant.
    pub async fn delete(&self, id: &TenantId) -> Outcome<bool> {
        let mut session = self.maintenance().await?;
        let mut done = Ok(false);
        for limit_ms in repeat_n(LOCK_MS, ATTEMPTS).chain([0]) {
            done = delete(&mut session, id, limit_ms).await;
            if !done.as_ref().is_err_and(is_in_the_way) {
                break;
            }
            session.rollback().await?;
            sleep(BETWEEN).await;
        }
        self.forget(id);
        Ok(done?)
    }
}

/// Others may keep the tables from being locked for so long; 0 is without a limit.
async fn delete(session: &mut Session, id: &TenantId, limit_ms: u64) -> Result<bool, DbError> {
    let begun = session
        .begin(vec![reports(id), Statement::new(DELETE).text(id.as_str()), notify(id, Change::TENANT)])
        .await?;
    let (mut schemas, deleted, ()): (Vec<String>, Option<String>, ()) = read_each(&begun);
    schemas.push(id.schema().to_owned());
    let tables: Vec<String> = session.read(Statement::new(TABLES).texts(schemas.clone())).await?;
    if !tables.is_empty() {
        let lock = format!("lock table {} in access exclusive mode", tables.join(", "));
        session
            .script(&format!(
                "set local statement_timeout = {limit_ms}; {lock}; set local statement_timeout = 0"
            ))
            .await?;
    }
    let drop =
        schemas.iter().map(|schema| Statement::new(format!("drop schema if exists {schema:?} cascade")));
    session.commit(drop.collect()).await?;
    Ok(deleted.is_some())
}

const DELETE: &str = "delete from octavo.tenants where id = $1 returning id";
const TABLES: &str =
    "select format('%I.%I', schemaname, tablename) from pg_tables where schemaname = any($1::text[])";

octavo_pg::statements! {
    other = [DELETE, TABLES],
}
