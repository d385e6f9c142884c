//! Follows the changes of a tenant's records of one resource, in the order in which transactions were committed, as far as that is known.

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use octavo_engine::Platform;
use octavo_kernel::{Fault, Outcome, TenantId};
use octavo_pg::{Session, Usage, Work};
use octavo_search::index::{SearchIndex, WriterOptions};
use tokio::task::JoinSet;
use tokio::time::Instant;
use uuid::Uuid;

use super::build::{self, NO_ENTRIES, Progress};
use super::changed::{BUSY_INTERVAL, QUIET_INTERVAL};
use super::forget::delete_seen_changes;
use super::position::{Changes, MAX_CHANGES, Position};
use super::read::{IndexingRules, Resource};
use super::{RECENT_SEARCH, Served, folders::Folders, run_blocking};

/// The task that keeps the index of one tenant and one resource up to date.
#[derive(Clone)]
pub(super) struct Follower {
    pub(super) platform: Platform,
    pub(super) tenant: TenantId,
    pub(super) folders: Arc<Folders>,
    pub(super) process: Uuid,
    pub(super) resource: &'static Resource,
    pub(super) served: Arc<Served>,
}

/// An index that is kept up to date, and the changes that it contains.
struct FollowedIndex {
    index: Arc<SearchIndex>,
    /// The position that is stored with the last commit on disk.
    committed: Position,
    /// All changes of transactions before this one are in the index.
    horizon: u64,
    /// Transactions after the horizon whose changes are in the index.
    known_transactions: BTreeSet<u64>,
    position_stored_at: Instant,
    /// There may be changes in the database that all indexes contain, and that can be deleted.
    deletes_seen_changes: bool,
    changed_at: Option<Instant>,
    /// The index has taken in changes since its position was stored, or there are some to take in.
    is_dirty: bool,
    /// Another index has to be built: a rebuild was ordered, or changes that this index lacks have been deleted. Until then this index
    /// serves searches and takes in changes.
    is_behind: bool,
}

/// The tenant was deleted.
struct TenantDeleted;

/// The result of checking for changes.
enum Step {
    /// All changes are in the index.
    UpToDate,
    /// There are so many changes that building another index is quicker. Until that is done, this index answers searches and takes in no
    /// changes.
    TooManyChanges,
    /// The index belongs to another database, or to a former tenant with the same name.
    OtherDatabase,
    TenantDeleted,
}

const WRITING: WriterOptions = WriterOptions { threads: 1, memory: 32 << 20 };
/// How often the position of an index is stored while there are changes, and changes that all indexes contain are deleted.
const POSITION_INTERVAL: Duration = Duration::from_secs(30);
/// How often the position is stored without changes. The position of a process that has stored none for a day is deleted.
const IDLE_POSITION_INTERVAL: Duration = Duration::from_secs(6 * 60 * 60);
/// After this time without changes the memory of the index writer is released.
const WRITER_IDLE_LIMIT: Duration = Duration::from_secs(10);
const AFTER_A_FAULT: Duration = Duration::from_secs(1);
/// How many changed records are read and written at once.
const RECORDS_AT_ONCE: usize = 500;
/// With more changed records than this, the work is done at a lower priority.
const MANY_RECORDS: usize = 2_000;

impl Follower {
    /// Keeps the index up to date until the tenant is deleted or the process stops. When the process ends, at any moment, the index on disk
    /// is as of its last commit.
    pub(super) async fn run(self) {
        loop {
            let follower = self.clone();
            // Runs in a task of its own, so that a panic counts as a fault and the following goes on.
            let followed = tokio::spawn(async move { follower.follow_until_deleted().await });
            match followed.await.map_err(Fault::internal).and_then(|followed| followed) {
                Ok(TenantDeleted) => {
                    if let Err(error) = self.folders.remove(&self.tenant, self.resource) {
                        let (tenant, index_of) = (self.tenant.as_str(), self.resource.plural);
                        tracing::warn!(tenant, index_of, %error, "the index of a deleted tenant stays");
                    }
                    self.served.mark_ended();
                    return;
                }
                // The process is stopping.
                Err(_) if self.platform.database.is_closed() => return,
                Err(fault) => {
                    let (tenant, index_of) = (self.tenant.as_str(), self.resource.plural);
                    tracing::error!(tenant, index_of, %fault, "the index waits");
                    self.served.mark_failing();
                    tokio::time::sleep(AFTER_A_FAULT).await;
                }
            }
        }
    }

    async fn session(&self) -> Outcome<Session> {
        Ok(self.platform.database.session(&self.tenant, Arc::new(Usage::for_work(Work::Search))).await?)
    }

    async fn follow_until_deleted(&self) -> Outcome<TenantDeleted> {
        let Some(mut place) = self.open_or_create().await? else { return Ok(TenantDeleted) };
        // The task that builds another index. It is cancelled when this task ends.
        let mut making = JoinSet::new();
        loop {
            if let Some(made) = making.try_join_next() {
                let Some(anew) = made.map_err(Fault::internal)?? else { return Ok(TenantDeleted) };
                place = anew;
            }
            let newest = self.platform.caller_changes.newest();
            let step = self.take_in_changes(&mut place).await?;
            match step {
                Step::TenantDeleted => return Ok(TenantDeleted),
                Step::OtherDatabase => self.served.stop_serving(),
                Step::UpToDate | Step::TooManyChanges => self.serve(&place.index).await?,
            }
            if !matches!(step, Step::UpToDate) {
                let Some(anew) = self.wait_for_new_index(&mut making).await? else {
                    return Ok(TenantDeleted);
                };
                place = anew;
                continue;
            }
            self.served.mark_seen(newest);
            if place.is_behind {
                self.start_new_index(&mut making);
            }
            if place.changed_at.is_some_and(|at| at.elapsed() > WRITER_IDLE_LIMIT) {
                place.changed_at = None;
                let index = Arc::clone(&place.index);
                run_blocking(move || index.close_writer()).await?;
            }
            let pause = match (place.is_idle(), self.served.last_search_time().elapsed() < RECENT_SEARCH) {
                (true, _) => IDLE_POSITION_INTERVAL,
                (false, true) => BUSY_INTERVAL,
                (false, false) => QUIET_INTERVAL,
            };
            self.served.wait_for_wake(pause).await;
        }
    }

    /// Uses the index for searches from now on. Running searches keep what they have read from the former index, whose files are deleted.
    async fn serve(&self, index: &Arc<SearchIndex>) -> Outcome<()> {
        if self.served.serve(index) {
            let (folders, tenant, resource) = (Arc::clone(&self.folders), self.tenant.clone(), self.resource);
            run_blocking(move || folders.keep_newest(&tenant, resource)).await?;
        }
        Ok(())
    }

    /// Opens the existing index if it belongs to this database; otherwise builds a new one. It is used for searches once it is up to date.
    async fn open_or_create(&self) -> Outcome<Option<FollowedIndex>> {
        let mut session = self.session().await?;
        let Some(now) = Position::load_current(&mut session, &self.tenant, self.resource).await? else {
            return Ok(None);
        };
        let (folders, tenant, resource) = (Arc::clone(&self.folders), self.tenant.clone(), self.resource);
        let found = match self.served.serving_index() {
            Some(index) => Some(index),
            None => run_blocking(move || folders.newest(&tenant, resource)).await?.map(Arc::new),
        };
        if let Some(index) = found {
            let kept = index.position().map_err(Fault::internal)?;
            let kept = kept.as_deref().and_then(Position::parse);
            let is_of_here =
                |kept: &Position| kept.history == now.history && kept.transaction <= now.transaction;
            if let Some(kept) = kept.filter(is_of_here) {
                // From now on changes are kept in the database until this index has seen them. `take_in_changes` finds out whether some
                // were deleted before.
                build::store_position(&mut session, self.process, &self.tenant, &kept).await?;
                drop(session);
                return Ok(Some(FollowedIndex::from_position(index, kept)));
            }
            self.served.stop_serving();
        }
        drop(session);
        self.wait_for_new_index(&mut JoinSet::new()).await
    }

    /// Waits for the index that is being built. If none is being built, starts to build one.
    async fn wait_for_new_index(
        &self,
        making: &mut JoinSet<Outcome<Option<FollowedIndex>>>,
    ) -> Outcome<Option<FollowedIndex>> {
        self.start_new_index(making);
        making.join_next().await.transpose().map_err(Fault::internal)?.transpose().map(Option::flatten)
    }

    /// Starts to build another index, while the existing one goes on serving searches and taking in changes.
    fn start_new_index(&self, making: &mut JoinSet<Outcome<Option<FollowedIndex>>>) {
        if making.is_empty() {
            let follower = self.clone();
            // On the runtime for bulk work, so that its threads and connections have a lower priority.
            making
                .spawn_on(async move { follower.build_index().await }, &self.platform.settings.bulk_runtime);
        }
    }

    async fn build_index(&self) -> Outcome<Option<FollowedIndex>> {
        let mut session = self.session().await?;
        let Some(from) = Position::load_current(&mut session, &self.tenant, self.resource).await? else {
            return Ok(None);
        };
        let progress = Arc::new(Progress::default());
        build::store_position(&mut session, self.process, &self.tenant, &from).await?;
        drop(session);
        self.served.set_progress(Arc::clone(&progress));
        let is_waited_for = self.served.serving_index().is_none();
        let (folders, tenant, resource) = (Arc::clone(&self.folders), self.tenant.clone(), self.resource);
        let index = Arc::new(run_blocking(move || folders.create_index(&tenant, resource)).await?);
        {
            let mut filling = pin!(build::fill_index(
                &self.platform,
                &self.tenant,
                self.resource,
                &index,
                &from,
                &progress,
                is_waited_for
            ));
            loop {
                if let Ok(filled) = tokio::time::timeout(POSITION_INTERVAL, &mut filling).await {
                    break filled?;
                }
                let mut session = self.session().await?;
                build::store_position(&mut session, self.process, &self.tenant, &from).await?;
            }
        }
        let (made, _) = progress.count();
        let (tenant, index_of) = (self.tenant.as_str(), self.resource.plural);
        tracing::info!(tenant, index_of, records = made, "the index is made");
        build::store_position(&mut self.session().await?, self.process, &self.tenant, &from).await?;
        Ok(Some(FollowedIndex::from_position(index, from)))
    }

    /// Takes the changes since the last check into the index.
    async fn take_in_changes(&self, place: &mut FollowedIndex) -> Outcome<Step> {
        let mut session = self.session().await?;
        let known: Vec<u64> = place.known_transactions.iter().copied().collect();
        let are_there = self.served.changes.swap(false, Ordering::Relaxed);
        let changes =
            Changes::load_since(&mut session, &self.tenant, self.resource, place.horizon, &known).await?;
        match &changes.schema {
            None => return Ok(Step::TenantDeleted),
            Some(schema) if !place.committed.is_in(schema) => return Ok(Step::OtherDatabase),
            Some(_) if changes.count() > MAX_CHANGES => return Ok(Step::TooManyChanges),
            Some(_) => {}
        }
        let lacks_some = changes.removed >= place.horizon;
        place.is_behind |= lacks_some || changes.generation != place.committed.generation;
        place.is_dirty |= are_there || changes.count() > 0;
        let position = Position { transaction: changes.horizon, ..place.committed.clone() };
        if changes.count() > 0 {
            session = self.write_changes(place, session, &changes, &position).await?;
        }
        place.horizon = changes.horizon;
        place.known_transactions.extend(changes.transactions);
        place.known_transactions.retain(|transaction| *transaction >= changes.horizon);
        if place.position_stored_at.elapsed()
            > if place.is_dirty { POSITION_INTERVAL } else { IDLE_POSITION_INTERVAL }
        {
            place.position_stored_at = Instant::now();
            place.is_dirty = !place.known_transactions.is_empty();
            if place.committed != position {
                let (index, at) = (Arc::clone(&place.index), position.to_text());
                run_blocking(move || index.change(NO_ENTRIES, &at, WRITING)).await?;
                place.committed = position;
                place.changed_at = Some(Instant::now());
            }
            // While another index is being built, the changes that it lacks have to stay in the database.
            if !place.is_behind {
                build::store_position(&mut session, self.process, &self.tenant, &place.committed).await?;
            }
            place.deletes_seen_changes = true;
        }
        if place.deletes_seen_changes {
            // A failure to delete old changes must not prevent new changes from being taken in.
            place.deletes_seen_changes = delete_seen_changes(&mut session).await.unwrap_or_else(|fault| {
                tracing::error!(tenant = self.tenant.as_str(), %fault, "changes that all indexes have seen are kept");
                false
            });
        }
        Ok(Step::UpToDate)
    }

    /// Does work on the index at a lower priority than other work.
    async fn blocking_in_bulk(
        &self,
        work: impl FnOnce() -> octavo_search::index::Result<()> + Send + 'static,
    ) -> Outcome<()> {
        let done = self.platform.settings.bulk_runtime.spawn_blocking(work).await;
        done.map_err(Fault::internal)?.map_err(Fault::internal)
    }

    /// Makes new entries of changed records, and commits them with the position. Between the parts of many records, no database connection
    /// is held.
    async fn write_changes(
        &self,
        place: &mut FollowedIndex,
        mut session: Session,
        changes: &Changes,
        position: &Position,
    ) -> Outcome<Session> {
        let ids = changes.record_ids(&mut session).await?;
        let rules = Arc::new(IndexingRules::load(&mut session, &self.tenant).await?);
        let many = ids.len() > MANY_RECORDS;
        if many && self.served.serving_index().is_none() {
            // Searches would have to wait too long for so many changes.
            self.serve(&place.index).await?;
        }
        let mut held = Some(session);
        let mut chunks = ids.chunks(RECORDS_AT_ONCE).peekable();
        while let Some(chunk) = chunks.next() {
            let mut session = match held.take() {
                Some(session) => session,
                None => self.session().await?,
            };
            let found = self.resource.load_by_ids(&mut session, chunk).await?;
            let at = if chunks.peek().is_none() { position } else { &place.committed };
            let (index, rules, at) = (Arc::clone(&place.index), Arc::clone(&rules), at.to_text());
            let (chunk, entries_of) = (chunk.to_vec(), self.resource.entries_of);
            let write = move || {
                let entries = found.iter().map(|stored| (stored.id, entries_of(&rules, &index, stored)));
                let there: BTreeSet<Uuid> = found.iter().map(|stored| stored.id).collect();
                let gone = chunk.into_iter().filter(|id| !there.contains(id)).map(|id| (id, Vec::new()));
                index.change(entries.chain(gone), &at, WRITING)
            };
            if many {
                drop(session);
                self.blocking_in_bulk(write).await?;
            } else {
                run_blocking(write).await?;
                held = Some(session);
            }
        }
        place.changed_at = Some(Instant::now());
        place.committed = position.clone();
        if many {
            // A writer that was started at low priority keeps threads of low priority until it is closed, and searches wait for the next
            // changes.
            let index = Arc::clone(&place.index);
            self.blocking_in_bulk(move || index.close_writer()).await?;
        }
        match held {
            Some(session) => Ok(session),
            None => self.session().await,
        }
    }
}

impl FollowedIndex {
    fn from_position(index: Arc<SearchIndex>, kept: Position) -> FollowedIndex {
        let (horizon, known) = (kept.transaction, BTreeSet::new());
        FollowedIndex {
            index,
            committed: kept,
            horizon,
            known_transactions: known,
            position_stored_at: Instant::now(),
            deletes_seen_changes: false,
            changed_at: None,
            is_dirty: true,
            is_behind: false,
        }
    }

    /// Whether it has nothing to do until something changes.
    fn is_idle(&self) -> bool {
        !(self.is_dirty || self.is_behind || self.deletes_seen_changes || self.changed_at.is_some())
    }
}
