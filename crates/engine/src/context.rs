//! Everything about a request that is not its content: who, where, when, and a way to the database.

use std::sync::Arc;

use jiff::Timestamp;
use octavo_kernel::{Caller, Outcome, Permissions, folio_time};
use octavo_pg::{Session, Usage};
use uuid::Uuid;

use crate::{Platform, Tenant};

/// Where fresh ids and secrets come from; the program's randomness, a fixed sequence in tests.
#[derive(Debug, Clone, Copy)]
pub struct Entropy {
    pub id: fn() -> Uuid,
    pub secret: fn() -> [u8; 32],
}

/// Cheap to clone.
#[derive(Clone)]
pub struct Context {
    pub platform: Platform,
    pub tenant: Arc<Tenant>,
    pub caller: Caller,
    pub now: Timestamp,
    pub usage: Arc<Usage>,
    /// The client wants to know what would happen: nothing may be left of it.
    pub dry_run: bool,
}

impl Context {
    /// For what the server does by itself: a job by the clock, a letter on its way.
    pub async fn of_the_server(platform: &Platform, tenant: &str, now: Timestamp) -> Outcome<Context> {
        let tenant = platform.tenants.get(tenant).await?;
        let caller = Caller {
            tenant: tenant.id.clone(),
            user_id: None,
            username: None,
            permissions: Permissions::all(),
        };
        let usage = Arc::<Usage>::default();
        Ok(Context { platform: platform.clone(), tenant, caller, now, usage, dry_run: false })
    }

    /// A connection to the tenant's records.
    pub async fn session(&self) -> Outcome<Session> {
        Ok(self.platform.database.session(&self.tenant.id, Arc::clone(&self.usage)).await?)
    }

    pub fn fresh_id(&self) -> Uuid {
        (self.platform.entropy.id)()
    }

    /// The clock, as FOLIO writes it.
    pub fn now_text(&self) -> String {
        folio_time(self.now)
    }
}
