//! The indexes of each tenant's titles and authorities in this process. An index is opened or built at its first use, and then kept up to
//! date with the database.

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
use octavo_engine::{BackgroundFuture, Context, Platform};
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
pub(crate) use read::{Resource, StoredRecord, load_types};
pub(crate) use titles::{TITLES, Title};

/// All resources that have an index.
pub(crate) const RESOURCES: [&Resource; 2] = [&TITLES, &AUTHORITIES];
pub(crate) use verify::rebuild_statement;
pub use verify::{Differences, rebuild, verify};

/// The index of a tenant's resource as searches see it.
pub(crate) struct Served {
    resource: &'static Resource,
    state: watch::Sender<State>,
    /// The number of the latest change of this process that is in the index, with all changes before it.
    seen: watch::Sender<u64>,
    wake: Notify,
    /// The tenant has changes in the database that the index may not have.
    changes: AtomicBool,
    last_search: Mutex<Instant>,
}

#[derive(Clone, Default)]
struct State {
    serving: Option<Arc<SearchIndex>>,
    making: Option<Arc<Progress>>,
    /// It could not be opened or built, which is tried again.
    failing: bool,
    ended: bool,
}

/// The indexes of all tenants in this process.
#[derive(Default)]
struct Indexes {
    folders: Mutex<Option<Arc<Folders>>>,
    served: Mutex<HashMap<(TenantId, &'static str), Arc<Served>>>,
    is_watched: AtomicBool,
}

/// For this time after a search another search is expected, so changes are taken in more often.
const RECENT_SEARCH: Duration = Duration::from_secs(60);
/// How long a search waits for an index that is being built. The index of a small library takes less time.
const MAX_WAIT_FOR_INDEX: Duration = Duration::from_secs(10);
/// How long a search waits until the changes that the same user has made are in the index.
const MAX_WAIT_FOR_CHANGES: Duration = Duration::from_secs(1);

/// The index of a resource of the caller's tenant. It contains everything that the caller has changed through this process, unless that
/// takes too long.
pub(crate) async fn index_of(
    context: &Context,
    resource: &'static Resource,
) -> Outcome<Arc<dyn SearchEngine>> {
    let served = served_index(&context.platform, &context.tenant.id, resource)?;
    *served.last_search.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    let mut state = served.state.subscribe();
    let ready = state.wait_for(|state| state.serving.is_some() || state.ended);
    let serving = match tokio::time::timeout(MAX_WAIT_FOR_INDEX, ready).await {
        Ok(Ok(state)) => state.serving.clone(),
        _ => None,
    };
    let Some(index) = serving else { return Err(served.not_ready_fault()) };
    let own = context.platform.caller_changes.newest_of(&context.tenant.id, context.caller.user_id);
    let mut seen = served.seen.subscribe();
    if *seen.borrow() < own {
        served.wake.notify_one();
        // An index that is not up to date still answers.
        let _ = tokio::time::timeout(MAX_WAIT_FOR_CHANGES, seen.wait_for(|seen| *seen >= own)).await;
    }
    Ok(served.serving_index().unwrap_or(index))
}

/// The state of this process's index of a resource as JSON: how many entries it has and, while it is being built, how many of the records
/// are done.
pub(crate) fn index_state_json(context: &Context, resource: &'static Resource) -> Outcome<Value> {
    let served = served_index(&context.platform, &context.tenant.id, resource)?;
    let state = served.state.borrow().clone();
    let mut told = json!({"resourceName": resource.name, "isServing": state.serving.is_some()});
    if let Some(index) = state.serving {
        told["entries"] = index.count_entries().into();
    }
    if let Some(progress) = state.making {
        let (made, all) = progress.count();
        told["making"] = json!({"madeRecords": made, "allRecords": all});
    }
    Ok(told)
}

/// The index of a tenant's resource. It is opened or built if this is the first request for it.
fn served_index(platform: &Platform, tenant: &TenantId, resource: &'static Resource) -> Outcome<Arc<Served>> {
    let indexes = platform.module_state.get_or_create(Indexes::default);
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
        last_search: Mutex::new(Instant::now()),
    });
    let follower = Follower {
        platform: platform.clone(),
        tenant: tenant.clone(),
        folders,
        process: (platform.entropy.id)(),
        resource,
        served: Arc::clone(&served),
    };
    // Searches wait for this index, so its task does not run at the low priority of bulk work.
    let runtime = &platform.settings.request_runtime;
    if !indexes.is_watched.swap(true, Ordering::Relaxed) {
        runtime.spawn(changed::watch(platform.clone(), Arc::clone(&indexes)));
    }
    runtime.spawn(follower.run());
    all.insert(key, Arc::clone(&served));
    Ok(served)
}

impl Indexes {
    /// The indexes that are in use, each with the schema of its tenant.
    fn served_by_schema(&self) -> Vec<(String, Arc<Served>)> {
        let mut served = self.served.lock().unwrap_or_else(PoisonError::into_inner);
        served.retain(|_, served| !served.state.borrow().ended);
        served.iter().map(|((tenant, _), served)| (tenant.schema().to_owned(), Arc::clone(served))).collect()
    }

    fn folders(&self, platform: &Platform) -> Outcome<Arc<Folders>> {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if folders.is_none() {
            *folders =
                Some(Arc::new(Folders::open(&platform.settings.derived_folder).map_err(Fault::internal)?));
        }
        folders.clone().ok_or_else(|| Fault::internal("there are no folders"))
    }
}

impl Served {
    fn serving_index(&self) -> Option<Arc<SearchIndex>> {
        self.state.borrow().serving.clone()
    }

    /// Uses this index for searches. Returns whether another index, or none, was used before.
    fn serve(&self, index: &Arc<SearchIndex>) -> bool {
        self.state.send_if_modified(|state| {
            let other = !state.serving.as_ref().is_some_and(|serving| Arc::ptr_eq(serving, index));
            if other {
                *state = State { serving: Some(Arc::clone(index)), ..State::default() };
            }
            other
        })
    }

    fn set_progress(&self, progress: Arc<Progress>) {
        self.state.send_modify(|state| state.making = Some(progress));
    }

    /// Stops using the index: searches wait until there is another one.
    fn stop_serving(&self) {
        self.state.send_modify(|state| *state = State::default());
    }

    fn mark_failing(&self) {
        self.state.send_modify(|state| state.failing = true);
    }

    fn mark_ended(&self) {
        self.state.send_modify(|state| *state = State { ended: true, ..State::default() });
    }

    fn mark_seen(&self, change: u64) {
        self.seen.send_replace(change);
    }

    fn last_search_time(&self) -> Instant {
        *self.last_search.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the time is over, or until a search waits for a change, or changes were found in the database.
    async fn wait_for_wake(&self, time: Duration) {
        let _ = tokio::time::timeout(time, self.wake.notified()).await;
    }

    fn not_ready_fault(&self) -> Fault {
        let making = self.state.borrow().making.clone();
        let (made, all) = making.map_or((0, 0), |progress| progress.count());
        let plural = self.resource.plural;
        let message = format!("The index of {plural} is being made: {made} of {all} {plural} so far");
        Fault::unavailable(message, format!("the index of {plural} is not ready"))
    }
}

/// Does work that occupies a thread for a while in a thread of its own, so that it does not block requests that only wait.
async fn run_blocking<T: Send + 'static, E: std::error::Error + Send + Sync + 'static>(
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Outcome<T> {
    tokio::task::spawn_blocking(work).await.map_err(Fault::internal)?.map_err(Fault::internal)
}

octavo_pg::statements!(within = [authorities, build, changed, forget, position, read, titles, verify]);

/// The migration that creates the table in which tenants record their changes for the indexes.
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

/// Opens or builds the indexes of all tenants that have mod-search, one after the other. One that fails does not keep the others waiting.
pub(crate) fn open_all(platform: Platform) -> BackgroundFuture {
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
                if !tenant.has_module("mod-search") {
                    return Ok(());
                }
                for resource in RESOURCES {
                    let mut state = served_index(&platform, &tenant.id, resource)?.state.subscribe();
                    let is_tried = |state: &State| state.serving.is_some() || state.failing || state.ended;
                    let _ = state.wait_for(is_tried).await;
                }
                Outcome::Ok(())
            };
            if let Err(fault) = opened.await {
                tracing::error!(tenant, %fault, "the indexes are not opened");
            }
        }
    })
}
