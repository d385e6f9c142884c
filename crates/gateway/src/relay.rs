//! Works off the tasks that changes have left in the tenants' outboxes: at once if this process made the change; when it is due if a task
//! was put off, or claimed by a process that may have died; and every eight seconds for changes of other processes. Tenants take turns.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use octavo_engine::{Context, FairQueue, StopSign, outbox};
use octavo_kernel::Outcome;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use crate::Server;

const ROUND: Duration = Duration::from_secs(8);
/// Tenants that are worked for at once; each may wait for a mail server of its own.
const MAX_TENANTS_AT_ONCE: usize = 8;

impl Server {
    /// Runs the relay until `stop` is ready. Work that has begun then ends with the batch that it is at; the rest is left to the next start.
    pub async fn run_relay(self, stop: impl Future<Output = ()>) {
        let mut waiting: FairQueue<String> = FairQueue::default();
        let mut changed = outbox::OutboxChanges::default();
        let mut later: BTreeMap<String, Instant> = BTreeMap::new();
        let mut working: BTreeSet<String> = BTreeSet::new();
        let mut work = JoinSet::new();
        let stop_sign = StopSign::default();
        let mut round = tokio::time::interval(ROUND);
        tokio::pin!(stop);
        loop {
            while working.len() < MAX_TENANTS_AT_ONCE {
                let Some(tenant) = waiting.pop_first(|tenant| !working.contains(tenant)) else { break };
                later.remove(&tenant);
                working.insert(tenant.clone());
                let (server, stop_sign) = (self.clone(), stop_sign.clone());
                work.spawn(async move {
                    let relayed = server.relay_until_stopped(&tenant, &stop_sign);
                    if let Err(fault) = outbox::catch_panics(relayed).await {
                        tracing::error!(tenant, %fault, "what waits to be sent is left for later");
                    }
                    // A task of this set that panicked would never be removed from `working`.
                    let next = outbox::catch_panics(async { Ok(server.next_task(&tenant).await) }).await;
                    (tenant, next.unwrap_or_else(|_| Some(Instant::now() + ROUND)))
                });
            }
            let soonest =
                later.iter().min_by_key(|(_, due)| **due).map(|(tenant, due)| (tenant.clone(), *due));
            tokio::select! {
                heard = self.inner.platform.outbox_notifier.wait_for_tenants() => heard.into_iter().for_each(|tenant| waiting.push(tenant)),
                _ = round.tick() => self.changed_tenants(&mut changed).await.into_iter().for_each(|tenant| waiting.push(tenant)),
                tenant = wait_until_due(soonest) => {
                    later.remove(&tenant);
                    waiting.push(tenant);
                }
                Some(Ok((tenant, next))) = work.join_next(), if !work.is_empty() => {
                    working.remove(&tenant);
                    if let Some(next) = next {
                        later.insert(tenant, next);
                    }
                }
                () = &mut stop => break,
            }
        }
        stop_sign.raise();
        let finish = async { while work.join_next().await.is_some() {} };
        if tokio::time::timeout(self.inner.limits.stop_time, finish).await.is_err() {
            tracing::warn!("some patron notices are left to the next start");
        }
    }

    async fn changed_tenants(&self, known: &mut outbox::OutboxChanges) -> Vec<String> {
        if self.inner.platform.database.disk().is_full() {
            return Vec::new();
        }
        known.changed_tenants(&self.inner.platform.database).await.unwrap_or_else(|fault| {
            tracing::warn!(%fault, "outboxes cannot be looked into");
            Vec::new()
        })
    }

    /// When the tenant's next task is due that was put off or that another process works on. Never at once, so that a failing task is not
    /// repeated without a pause.
    async fn next_task(&self, tenant: &str) -> Option<Instant> {
        let platform = &self.inner.platform;
        let next = match platform.tenants.get(tenant).await {
            Ok(tenant) if tenant.modules.is_empty() => return None,
            Ok(tenant) => outbox::next_due_milliseconds(&platform.database, &tenant.id).await,
            // It was deleted.
            Err(fault) if fault.status == 400 => return None,
            Err(fault) => Err(fault),
        };
        let next = next.unwrap_or(Some(0)).map(|next| Duration::from_millis(next.max(0).unsigned_abs()));
        next.map(|next| Instant::now() + next.max(ROUND))
    }

    /// Works for one tenant until nothing is due, or the turn of what takes long is over. Returns how many tasks another server took, which are e-mails.
    pub async fn relay(&self, tenant: &str) -> Outcome<usize> {
        self.relay_until_stopped(tenant, &StopSign::default()).await
    }

    async fn relay_until_stopped(&self, tenant: &str, stop_sign: &StopSign) -> Outcome<usize> {
        let now = (self.inner.shared.clock)();
        let mut context = Context::for_server_task(&self.inner.platform, tenant, now).await?;
        context.platform.stop_sign = stop_sign.clone();
        // A tenant without modules, as the supertenant mostly is, has no tables.
        if context.tenant.modules.is_empty() {
            return Ok(0);
        }
        // An error of one kind of task does not stop the other kinds.
        let mut taken = Ok(0);
        for task in self.inner.platform.tasks() {
            if stop_sign.must_stop() {
                break;
            }
            let did = (task.work)(context.clone()).await;
            taken = taken.and_then(|before| did.map(|more| before + more));
        }
        taken
    }
}

async fn wait_until_due(next: Option<(String, Instant)>) -> String {
    match next {
        Some((tenant, due)) => {
            sleep_until(due).await;
            tenant
        }
        None => std::future::pending().await,
    }
}
