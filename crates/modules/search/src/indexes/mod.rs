//! The indexes of each tenant's titles and authorities in this process: made when they are first asked for, then kept in step with the
//! database.

mod authorities;
mod build;
mod changed;
mod folders;
mod follow;
mod forget;
mod position;
mod read;
mod titles;
mod verify;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use octavo_engine::migrations::Migration;
use octavo_engine::{Beside, Context, Platform};
use octavo_kernel::{Fault, Outcome, TenantId};
use octavo_search::engine::SearchEngine;
use octavo_search::index::SearchIndex;
use serde_json::{Value, json};
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

pub(crate) use authorities::AUTHORITIES;
use build::Progress;
use folders::Folders;
use follow::Follower;
pub(crate) use read::{Resource, Stored, types};
pub(crate) use titles::{TITLES, Title};

/// All that there are indexes of.
pub(crate) const RESOURCES: [&Resource; 2] = [&TITLES, &AUTHORITIES];
pub(crate) use verify::made_anew;
pub use verify::{Differences, rebuild, verify};

/// What searches of one tenant see of its index of a resource.
pub(crate) struct Served {
    resource: &'static Resource,
    state: watch::Sender<State>,
    /// The number of a change of this process; all up to it are in the index.
    seen: watch::Sender<u64>,
    wake: Notify,
    /// Others have seen that there are changes of the tenant.
    changes: AtomicBool,
    searched: Mutex<Instant>,
}

#[derive(Clone, Default)]
struct State {
    serving: Option<Arc<SearchIndex>>,
    making: Option<Arc<Progress>>,
    ended: bool,
}

/// The indexes of all tenants in this process.
#[derive(Default)]
struct Indexes {
    folders: Mutex<Option<Arc<Folders>>>,
    served: Mutex<HashMap<(TenantId, &'static str), Arc<Served>>>,
    is_watched: AtomicBool,
}

/// For so long after a search there may be another.
const SEARCHED: Duration = Duration::from_secs(60);
/// How long a search waits for an index that is being made: those of small libraries take less.
const MAKING: Duration = Duration::from_secs(10);
/// How long a search waits until what its client has changed is in the index.
const OWN_CHANGES: Duration = Duration::from_secs(1);

/// What answers searches of a resource of the caller's tenant, with everything that the caller has changed by way of this process.
pub(crate) async fn index_of(
    context: &Context,
    resource: &'static Resource,
) -> Outcome<Arc<dyn SearchEngine>> {
    let served = of_tenant(&context.platform, &context.tenant.id, resource)?;
    *served.searched.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    let mut state = served.state.subscribe();
    let ready = state.wait_for(|state| state.serving.is_some() || state.ended);
    let serving = match tokio::time::timeout(MAKING, ready).await {
        Ok(Ok(state)) => state.serving.clone(),
        _ => None,
    };
    let Some(index) = serving else { return Err(served.not_ready()) };
    let own = context.platform.changes.newest_of(&context.tenant.id, context.caller.user_id);
    let mut seen = served.seen.subscribe();
    if *seen.borrow() < own {
        served.wake.notify_one();
        // An index that lags behind still answers.
        let _ = tokio::time::timeout(OWN_CHANGES, seen.wait_for(|seen| *seen >= own)).await;
    }
    Ok(served.serving().unwrap_or(index))
}

/// How far this process's index of a resource is: how many entries answer searches, and of how many records entries are made if it is being
/// made anew.
pub(crate) fn state(context: &Context, resource: &'static Resource) -> Outcome<Value> {
    let served = of_tenant(&context.platform, &context.tenant.id, resource)?;
    let state = served.state.borrow().clone();
    let mut told = json!({"resourceName": resource.name, "isServing": state.serving.is_some()});
    if let Some(index) = state.serving {
        told["entries"] = index.records().into();
    }
    if let Some(progress) = state.making {
        let (made, all) = progress.count();
        told["making"] = json!({"madeRecords": made, "allRecords": all});
    }
    Ok(told)
}

/// The index of a tenant, which is opened or made if nobody has asked for it yet.
fn of_tenant(platform: &Platform, tenant: &TenantId, resource: &'static Resource) -> Outcome<Arc<Served>> {
    let indexes = platform.kept.get(Indexes::default);
    let mut all = indexes.served.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (tenant.clone(), resource.name);
    if let Some(served) = all.get(&key).filter(|served| !served.state.borrow().ended) {
        return Ok(Arc::clone(served));
    }
    let folders = indexes.folders(platform)?;
    let served = Arc::new(Served {
        resource,
        state: watch::Sender::default(),
        seen: watch::Sender::default(),
        wake: Notify::new(),
        changes: AtomicBool::new(false),
        searched: Mutex::new(Instant::now()),
    });
    let follower = Follower {
        platform: platform.clone(),
        tenant: tenant.clone(),
        folders,
        process: (platform.entropy.id)(),
        resource,
        served: Arc::clone(&served),
    };
    // Searches wait for it, whoever has asked first: it does not give way as work in bulk does.
    let runtime = &platform.settings.at_the_desk;
    if !indexes.is_watched.swap(true, Ordering::Relaxed) {
        runtime.spawn(changed::watch(platform.clone(), Arc::clone(&indexes)));
    }
    runtime.spawn(follower.run());
    all.insert(key, Arc::clone(&served));
    Ok(served)
}

impl Indexes {
    /// What is served, with the schemas of the tenants.
    fn followed(&self) -> Vec<(String, Arc<Served>)> {
        let mut served = self.served.lock().unwrap_or_else(PoisonError::into_inner);
        served.retain(|_, served| !served.state.borrow().ended);
        served.iter().map(|((tenant, _), served)| (tenant.schema().to_owned(), Arc::clone(served))).collect()
    }

    fn folders(&self, platform: &Platform) -> Outcome<Arc<Folders>> {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if folders.is_none() {
            *folders = Some(Arc::new(Folders::open(&platform.settings.derived).map_err(Fault::internal)?));
        }
        folders.clone().ok_or_else(|| Fault::internal("there are no folders"))
    }
}

impl Served {
    fn serving(&self) -> Option<Arc<SearchIndex>> {
        self.state.borrow().serving.clone()
    }

    /// Whether another index, or none, has served before.
    fn serve(&self, index: &Arc<SearchIndex>) -> bool {
        self.state.send_if_modified(|state| {
            let other = !state.serving.as_ref().is_some_and(|serving| Arc::ptr_eq(serving, index));
            if other {
                *state = State { serving: Some(Arc::clone(index)), ..State::default() };
            }
            other
        })
    }

    fn begin(&self, progress: Arc<Progress>) {
        self.state.send_modify(|state| state.making = Some(progress));
    }

    /// Searches wait until there is another.
    fn withdraw(&self) {
        self.state.send_modify(|state| *state = State::default());
    }

    fn end(&self) {
        self.state.send_modify(|state| *state = State { ended: true, ..State::default() });
    }

    fn has_seen(&self, change: u64) {
        self.seen.send_replace(change);
    }

    fn searched(&self) -> Instant {
        *self.searched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Until the time is over, or somebody waits for a change.
    async fn pause(&self, time: Duration) {
        let _ = tokio::time::timeout(time, self.wake.notified()).await;
    }

    fn not_ready(&self) -> Fault {
        let making = self.state.borrow().making.clone();
        let (made, all) = making.map_or((0, 0), |progress| progress.count());
        let plural = self.resource.plural;
        let message = format!("The index of {plural} is being made: {made} of {all} {plural} so far");
        Fault::unavailable(message, format!("the index of {plural} is not ready"))
    }
}

/// Does work that takes a thread for a while, beside the requests that only wait.
async fn blocking<T: Send + 'static, E: std::error::Error + Send + Sync + 'static>(
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Outcome<T> {
    tokio::task::spawn_blocking(work).await.map_err(Fault::internal)?.map_err(Fault::internal)
}

octavo_pg::statements!(within = [authorities, build, changed, forget, position, read, titles, verify]);

/// How tenants leave their changes.
pub(crate) const MIGRATION: Migration = Migration {
    number: 9,
    name: "changes for the search",
    sql: include_str!("../../../migrations/9_changes_for_the_search.sql"),
};
pub(crate) const AUTHORITIES_MIGRATION: Migration = Migration {
    number: 14,
    name: "changes of authorities for the search",
    sql: include_str!("../../../migrations/14_changes_of_authorities.sql"),
};

/// Opens or makes the indexes of all tenants that search, one after the other.
pub(crate) fn started(platform: Platform) -> Beside {
    Box::pin(async move {
        let tenants = match platform.tenants.list().await {
            Ok(tenants) => tenants,
            Err(fault) => {
                return tracing::error!(%fault, "the indexes are made when they are first asked for");
            }
        };
        for tenant in tenants.iter().filter_map(|tenant| tenant.id.as_deref()) {
            let opened = async {
                let tenant = platform.tenants.get(tenant).await?;
                if !tenant.has("mod-search") {
                    return Ok(());
                }
                for resource in RESOURCES {
                    let mut state = of_tenant(&platform, &tenant.id, resource)?.state.subscribe();
                    let _ = state.wait_for(|state| state.serving.is_some() || state.ended).await;
                }
                Outcome::Ok(())
            };
            if let Err(fault) = opened.await {
                tracing::error!(tenant, %fault, "the indexes are not opened");
            }
        }
    })
}
