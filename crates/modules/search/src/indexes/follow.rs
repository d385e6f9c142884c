//! Follows the changes of a tenant's records of one resource, in the order in which transactions were committed, as far as that is known.

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use octavo_engine::Platform;
use octavo_kernel::{Fault, Outcome, TenantId};
use octavo_pg::{Session, Usage, Work};
use octavo_search::index::{SearchIndex, Writing};
use tokio::task::JoinSet;
use tokio::time::Instant;
use uuid::Uuid;

use super::build::{self, NOTHING, Progress};
use super::changed::{BUSY, QUIET};
use super::forget::forget;
use super::position::{Changes, MOST, Position};
use super::read::{Manner, Resource};
use super::{SEARCHED, Served, blocking, folders::Folders};

/// The index of one tenant, as the task that follows the database has it.
#[derive(Clone)]
pub(super) struct Follower {
    pub(super) platform: Platform,
    pub(super) tenant: TenantId,
    pub(super) folders: Arc<Folders>,
    pub(super) process: Uuid,
    pub(super) resource: &'static Resource,
    pub(super) served: Arc<Served>,
}

/// An index that is followed: where it stands, and what it knows beyond that.
struct Place {
    index: Arc<SearchIndex>,
    /// What the last commit on disk says.
    kept: Position,
    /// All changes of transactions before this one are in the index.
    horizon: u64,
    /// Transactions after the horizon whose changes are in the index.
    known: BTreeSet<u64>,
    told: Instant,
    /// There may be changes that all indexes have seen.
    forgets: bool,
    changed: Option<Instant>,
    /// There are changes, or were since it wrote its position down.
    is_dirty: bool,
    /// The index serves and takes in changes until there is another: it was ordered to be made anew, or lacks changes that are not there
    /// any more.
    is_behind: bool,
}

/// The tenant was deleted.
struct Gone;

/// What a look at the changes has led to.
enum Step {
    /// All changes are in the index.
    Taken,
    /// There are so many changes that making another index is quicker. Until then this one serves, and takes in none.
    TooMany,
    /// The index is not of this database, or of a tenant that had the same name.
    Foreign,
    Gone,
}

const WRITING: Writing = Writing { threads: 1, memory: 32 << 20 };
/// How often an index writes its position down while there are changes, and those that all have seen are removed.
const TELL: Duration = Duration::from_secs(30);
/// How often it does so without changes: who was not heard of for a day is forgotten.
const SIGN: Duration = Duration::from_secs(6 * 60 * 60);
/// After so long without a change the writer's memory is given back.
const REST: Duration = Duration::from_secs(10);
const AFTER_A_FAULT: Duration = Duration::from_secs(1);
/// So many records are read and written at once.
const AT_ONCE: usize = 500;
/// With more changed records than this, the work gives way to everything else.
const MANY: usize = 2_000;

impl Follower {
    /// Until the tenant is deleted or the process stops. Whenever the process ends, the index on disk is as of its last commit.
    pub(super) async fn run(self) {
        loop {
            let follower = self.clone();
            // A task of its own: should it panic, that is a fault like others, and the following goes on.
            let followed = tokio::spawn(async move { follower.followed().await });
            match followed.await.map_err(Fault::internal).and_then(|followed| followed) {
                Ok(Gone) => {
                    if let Err(error) = self.folders.remove(&self.tenant, self.resource) {
                        let (tenant, index_of) = (self.tenant.as_str(), self.resource.plural);
                        tracing::warn!(tenant, index_of, %error, "the index of a deleted tenant stays");
                    }
                    self.served.end();
                    return;
                }
                // The process stops.
                Err(_) if self.platform.database.is_closed() => return,
                Err(fault) => {
                    let (tenant, index_of) = (self.tenant.as_str(), self.resource.plural);
                    tracing::error!(tenant, index_of, %fault, "the index waits");
                    tokio::time::sleep(AFTER_A_FAULT).await;
                }
            }
        }
    }

    async fn session(&self) -> Outcome<Session> {
        Ok(self.platform.database.session(&self.tenant, Arc::new(Usage::of(Work::Search))).await?)
    }

    async fn followed(&self) -> Outcome<Gone> {
        let Some(mut place) = self.opened().await? else { return Ok(Gone) };
        // The making of another index, which ends with this task.
        let mut making = JoinSet::new();
        loop {
            if let Some(made) = making.try_join_next() {
                let Some(anew) = made.map_err(Fault::internal)?? else { return Ok(Gone) };
                place = anew;
            }
            let newest = self.platform.changes.newest();
            let step = self.step(&mut place).await?;
            match step {
                Step::Gone => return Ok(Gone),
                Step::Foreign => self.served.withdraw(),
                Step::Taken | Step::TooMany => self.serve(&place.index).await?,
            }
            if !matches!(step, Step::Taken) {
                let Some(anew) = self.made(&mut making).await? else { return Ok(Gone) };
                place = anew;
                continue;
            }
            self.served.has_seen(newest);
            if place.is_behind {
                self.make_anew(&mut making);
            }
            if place.changed.is_some_and(|at| at.elapsed() > REST) {
                place.changed = None;
                let index = Arc::clone(&place.index);
                blocking(move || index.rest()).await?;
            }
            let pause = match (place.rests(), self.served.searched().elapsed() < SEARCHED) {
                (true, _) => SIGN,
                (false, true) => BUSY,
                (false, false) => QUIET,
            };
            self.served.pause(pause).await;
        }
    }

    /// Answers searches by the index from now on. Those that are going on keep what they read of the one before, whose files go.
    async fn serve(&self, index: &Arc<SearchIndex>) -> Outcome<()> {
        if self.served.serve(index) {
            let (folders, tenant, resource) = (Arc::clone(&self.folders), self.tenant.clone(), self.resource);
            blocking(move || folders.keep_newest(&tenant, resource)).await?;
        }
        Ok(())
    }

    /// The index that is there, if it is of this database; otherwise a new one. It serves when it has been brought up to date.
    async fn opened(&self) -> Outcome<Option<Place>> {
        let mut session = self.session().await?;
        let Some(now) = Position::now(&mut session, &self.tenant, self.resource).await? else {
            return Ok(None);
        };
        let (folders, tenant, resource) = (Arc::clone(&self.folders), self.tenant.clone(), self.resource);
        let found = match self.served.serving() {
            Some(index) => Some(index),
            None => blocking(move || folders.newest(&tenant, resource)).await?.map(Arc::new),
        };
        if let Some(index) = found {
            let kept = index.position().map_err(Fault::internal)?;
            let kept = kept.as_deref().and_then(Position::parse);
            let is_of_here =
                |kept: &Position| kept.history == now.history && kept.transaction <= now.transaction;
            if let Some(kept) = kept.filter(is_of_here) {
                // From now on changes are left until this index has seen them; `step` finds out if some are gone already.
                build::tell(&mut session, self.process, &self.tenant, &kept).await?;
                drop(session);
                return Ok(Some(Place::at(index, kept)));
            }
            self.served.withdraw();
        }
        drop(session);
        self.made(&mut JoinSet::new()).await
    }

    /// Waits for the index that is being made; if there is none, one is begun.
    async fn made(&self, making: &mut JoinSet<Outcome<Option<Place>>>) -> Outcome<Option<Place>> {
        self.make_anew(making);
        making.join_next().await.transpose().map_err(Fault::internal)?.transpose().map(Option::flatten)
    }

    /// Begins to make another index, while the one that is there goes on serving and following.
    fn make_anew(&self, making: &mut JoinSet<Outcome<Option<Place>>>) {
        if making.is_empty() {
            let follower = self.clone();
            // On the runtime for work in bulk, so that threads and connections give way.
            making.spawn_on(async move { follower.make().await }, &self.platform.settings.in_bulk);
        }
    }

    async fn make(&self) -> Outcome<Option<Place>> {
        let mut session = self.session().await?;
        let Some(from) = Position::now(&mut session, &self.tenant, self.resource).await? else {
            return Ok(None);
        };
        let progress = Arc::new(Progress::default());
        build::tell(&mut session, self.process, &self.tenant, &from).await?;
        drop(session);
        self.served.begin(Arc::clone(&progress));
        let is_waited_for = self.served.serving().is_none();
        let (folders, tenant, resource) = (Arc::clone(&self.folders), self.tenant.clone(), self.resource);
        let index = Arc::new(blocking(move || folders.begin(&tenant, resource)).await?);
        {
            let mut filling = pin!(build::fill(
                &self.platform,
                &self.tenant,
                self.resource,
                &index,
                &from,
                &progress,
                is_waited_for
            ));
            loop {
                if let Ok(filled) = tokio::time::timeout(TELL, &mut filling).await {
                    break filled?;
                }
                let mut session = self.session().await?;
                build::tell(&mut session, self.process, &self.tenant, &from).await?;
            }
        }
        let (made, _) = progress.count();
        let (tenant, index_of) = (self.tenant.as_str(), self.resource.plural);
        tracing::info!(tenant, index_of, records = made, "the index is made");
        build::tell(&mut self.session().await?, self.process, &self.tenant, &from).await?;
        Ok(Some(Place::at(index, from)))
    }

    /// Takes in what has changed.
    async fn step(&self, place: &mut Place) -> Outcome<Step> {
        let mut session = self.session().await?;
        let known: Vec<u64> = place.known.iter().copied().collect();
        let are_there = self.served.changes.swap(false, Ordering::Relaxed);
        let changes =
            Changes::since(&mut session, &self.tenant, self.resource, place.horizon, &known).await?;
        match &changes.schema {
            None => return Ok(Step::Gone),
            Some(schema) if !place.kept.is_in(schema) => return Ok(Step::Foreign),
            Some(_) if changes.count() > MOST => return Ok(Step::TooMany),
            Some(_) => {}
        }
        let lacks_some = changes.removed >= place.horizon;
        place.is_behind |= lacks_some || changes.generation != place.kept.generation;
        place.is_dirty |= are_there || changes.count() > 0;
        let position = Position { transaction: changes.horizon, ..place.kept.clone() };
        if changes.count() > 0 {
            session = self.take_in(place, session, &changes, &position).await?;
        }
        place.horizon = changes.horizon;
        place.known.extend(changes.transactions);
        place.known.retain(|transaction| *transaction >= changes.horizon);
        if place.told.elapsed() > if place.is_dirty { TELL } else { SIGN } {
            place.told = Instant::now();
            place.is_dirty = !place.known.is_empty();
            if place.kept != position {
                let (index, at) = (Arc::clone(&place.index), position.text());
                blocking(move || index.change(NOTHING, &at, WRITING)).await?;
                place.kept = position;
                place.changed = Some(Instant::now());
            }
            // While another index is made, the changes that that one lacks are to be left.
            if !place.is_behind {
                build::tell(&mut session, self.process, &self.tenant, &place.kept).await?;
            }
            place.forgets = true;
        }
        if place.forgets {
            // Nothing that is kept for too long may keep new changes from being found.
            place.forgets = forget(&mut session).await.unwrap_or_else(|fault| {
                tracing::error!(tenant = self.tenant.as_str(), %fault, "changes that all indexes have seen are kept");
                false
            });
        }
        Ok(Step::Taken)
    }

    /// Does work on the index that gives way to everything else.
    async fn blocking_in_bulk(
        &self,
        work: impl FnOnce() -> octavo_search::index::Result<()> + Send + 'static,
    ) -> Outcome<()> {
        let done = self.platform.settings.in_bulk.spawn_blocking(work).await;
        done.map_err(Fault::internal)?.map_err(Fault::internal)
    }

    /// Makes the entries of changed records anew, and commits them at the position. The session is given back while many are written.
    async fn take_in(
        &self,
        place: &mut Place,
        mut session: Session,
        changes: &Changes,
        position: &Position,
    ) -> Outcome<Session> {
        let ids = changes.ids(&mut session).await?;
        let manner = Arc::new(Manner::read(&mut session, &self.tenant).await?);
        let many = ids.len() > MANY;
        if many && self.served.serving().is_none() {
            // A search would wait too long for them.
            self.serve(&place.index).await?;
        }
        let mut held = Some(session);
        let mut chunks = ids.chunks(AT_ONCE).peekable();
        while let Some(chunk) = chunks.next() {
            let mut session = match held.take() {
                Some(session) => session,
                None => self.session().await?,
            };
            let found = self.resource.stored(&mut session, chunk).await?;
            let at = if chunks.peek().is_none() { position } else { &place.kept };
            let (index, manner, at) = (Arc::clone(&place.index), Arc::clone(&manner), at.text());
            let (chunk, entries_of) = (chunk.to_vec(), self.resource.entries_of);
            let write = move || {
                let entries = found.iter().map(|stored| (stored.id, entries_of(&manner, &index, stored)));
                let there: BTreeSet<Uuid> = found.iter().map(|stored| stored.id).collect();
                let gone = chunk.into_iter().filter(|id| !there.contains(id)).map(|id| (id, Vec::new()));
                index.change(entries.chain(gone), &at, WRITING)
            };
            if many {
                drop(session);
                self.blocking_in_bulk(write).await?;
            } else {
                blocking(write).await?;
                held = Some(session);
            }
        }
        place.changed = Some(Instant::now());
        place.kept = position.clone();
        if many {
            // A writer that was begun in bulk has threads that give way until it is ended, and searches wait for the next changes.
            let index = Arc::clone(&place.index);
            self.blocking_in_bulk(move || index.rest()).await?;
        }
        match held {
            Some(session) => Ok(session),
            None => self.session().await,
        }
    }
}

impl Place {
    fn at(index: Arc<SearchIndex>, kept: Position) -> Place {
        let (horizon, known) = (kept.transaction, BTreeSet::new());
        Place {
            index,
            kept,
            horizon,
            known,
            told: Instant::now(),
            forgets: false,
            changed: None,
            is_dirty: true,
            is_behind: false,
        }
    }

    /// Whether it has nothing to do until something changes.
    fn rests(&self) -> bool {
        !(self.is_dirty || self.is_behind || self.forgets || self.changed.is_some())
    }
}
