//! Works off what changes have left in the tenants' outboxes: at once where this process left it, and every eight seconds
//! everywhere, for what is put off or was left by a process that died.

use std::collections::BTreeSet;
use std::time::Duration;

use octavo_engine::{Context, outbox};
use octavo_kernel::Outcome;
use tokio::task::JoinSet;

use crate::Server;

const ROUND: Duration = Duration::from_secs(8);
/// Tenants that are worked for at once; each may wait for a mail server of its own.
const AT_ONCE: usize = 8;

impl Server {
    /// Runs the relay until `stop` is ready. Work that has begun then is finished, or left to the next start.
    pub async fn run_relay(self, stop: impl Future<Output = ()>) {
        let mut waiting: BTreeSet<String> = BTreeSet::new();
        let mut working: BTreeSet<String> = BTreeSet::new();
        let mut work = JoinSet::new();
        let mut round = tokio::time::interval(ROUND);
        tokio::pin!(stop);
        loop {
            while working.len() < AT_ONCE {
                let free = waiting.iter().find(|tenant| !working.contains(*tenant)).cloned();
                let Some(tenant) = free else { break };
                waiting.remove(&tenant);
                working.insert(tenant.clone());
                let server = self.clone();
                work.spawn(async move {
                    if let Err(fault) = outbox::guarded(server.relay(&tenant)).await {
                        tracing::error!(tenant, %fault, "what waits to be sent is left for later");
                    }
                    tenant
                });
            }
            tokio::select! {
                heard = self.inner.platform.bell.heard() => waiting.extend(heard),
                _ = round.tick() => waiting.extend(self.everybody().await),
                Some(Ok(tenant)) = work.join_next(), if !work.is_empty() => {
                    working.remove(&tenant);
                }
                () = &mut stop => break,
            }
        }
        let finish = async { while work.join_next().await.is_some() {} };
        if tokio::time::timeout(self.inner.limits.stop_time, finish).await.is_err() {
            tracing::warn!("some patron notices are left to the next start");
        }
    }

    async fn everybody(&self) -> Vec<String> {
        if self.inner.platform.database.disk().is_full() {
            return Vec::new();
        }
        match self.inner.platform.tenants.list().await {
            Ok(tenants) => tenants.into_iter().filter_map(|tenant| tenant.id).collect(),
            Err(fault) => {
                tracing::warn!(%fault, "outboxes cannot be looked into");
                Vec::new()
            }
        }
    }

    /// Works for one tenant until nothing is due. Returns how many tasks another server took, which are e-mails.
    pub async fn relay(&self, tenant: &str) -> Outcome<usize> {
        let now = (self.inner.shared.clock)();
        let context = Context::of_the_server(&self.inner.platform, tenant, now).await?;
        // Such a tenant, as the supertenant mostly is, has no tables.
        if context.tenant.modules.is_empty() {
            return Ok(0);
        }
        // An error of one kind of task does not stop the other kinds.
        let mut taken = Ok(0);
        for task in self.inner.platform.tasks() {
            let did = (task.work)(context.clone()).await;
            taken = taken.and_then(|before| did.map(|more| before + more));
        }
        taken
    }
}
