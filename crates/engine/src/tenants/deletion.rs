//! Deleting a tenant, while its requests go on until they find it gone.

use std::iter::repeat_n;
use std::time::Duration;

use octavo_kernel::{Outcome, TenantId};
use octavo_pg::{DbError, Session, Statement, read_each};
use tokio::time::sleep;

use super::{
    ChangeKind, MAX_LOCK_WAIT_MS, Tenants, is_lock_conflict, notify_statement, report_schemas_statement,
};

/// How many attempts are made to lock all tables at once, and how long requests can go on between two attempts. After the last one the
/// deletion waits for the locks without a limit.
const ATTEMPTS: usize = 20;
const ATTEMPT_INTERVAL: Duration = Duration::from_millis(200);

impl Tenants {
    /// Deletes a tenant with all its records, or nothing of it. Requests under way may hold locks on what is to be dropped and wait for
    /// what the deletion has locked; while there are any, the deletion gives way. Returns whether there was such a tenant.
    pub async fn delete(&self, id: &TenantId) -> Outcome<bool> {
        let mut session = self.maintenance_session().await?;
        let mut done = Ok(false);
        for limit_ms in repeat_n(MAX_LOCK_WAIT_MS, ATTEMPTS).chain([0]) {
            done = delete(&mut session, id, limit_ms).await;
            if !done.as_ref().is_err_and(is_lock_conflict) {
                break;
            }
            session.rollback().await?;
            sleep(ATTEMPT_INTERVAL).await;
        }
        self.invalidate(id);
        Ok(done?)
    }
}

/// `limit_ms` is how long to wait for the locks of the tables; 0 is without a limit.
async fn delete(session: &mut Session, id: &TenantId, limit_ms: u64) -> Result<bool, DbError> {
    let begun = session
        .begin(vec![
            report_schemas_statement(id),
            Statement::new(DELETE).text(id.as_str()),
            notify_statement(id, ChangeKind::TENANT),
        ])
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
