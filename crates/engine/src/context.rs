//! Everything about a request that is not its content: who, where, when, and a way to the database.

use std::sync::Arc;

use jiff::Timestamp;
use octavo_kernel::{Caller, Outcome, Permissions, folio_time};
use octavo_pg::{Session, Usage, Work};
use uuid::Uuid;

use crate::Snapshot;
use crate::interface::{Context, Platform};

impl Context {
    /// The context of work that the server does on its own: the job of a timer, a patron notice that is written or sent.
    pub async fn for_server_task(platform: &Platform, tenant: &str, now: Timestamp) -> Outcome<Context> {
        let tenant = platform.tenants.get(tenant).await?;
        let caller = Caller::without_user(tenant.id.clone(), Permissions::all());
        let usage = Arc::new(Usage::for_work(Work::Bulk));
        Ok(Context { platform: platform.clone(), tenant, caller, now, usage, dry_run: false })
    }

    /// A connection to the tenant's records.
    pub async fn session(&self) -> Outcome<Session> {
        Ok(self.platform.database.session(&self.tenant.id, Arc::clone(&self.usage)).await?)
    }

    /// A connection to the tenant's records in the database itself, for what a request writes or has to know at once although its reads
    /// may be late.
    pub async fn session_of_primary(&self) -> Outcome<Session> {
        Ok(self.platform.database.primary_session(&self.tenant.id, Arc::clone(&self.usage)).await?)
    }

    /// The tenant's snapshot. The caller holds no connection, since reading the snapshot may take one.
    pub async fn snapshot(&self) -> Outcome<Arc<Snapshot>> {
        self.usage.assert_no_connection();
        self.platform.snapshots.get(&self.tenant.id).await
    }

    /// The tenant's snapshot, for a caller that holds a connection: it is read over that one.
    pub async fn snapshot_over(&self, session: &mut Session) -> Outcome<Arc<Snapshot>> {
        self.platform.snapshots.get_over(&self.tenant.id, session).await
    }

    pub fn fresh_id(&self) -> Uuid {
        (self.platform.entropy.id)()
    }

    /// The time of the request, as FOLIO writes it.
    pub fn now_text(&self) -> String {
        folio_time(self.now)
    }
}
