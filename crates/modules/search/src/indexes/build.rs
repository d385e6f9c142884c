//! Makes an index from the database.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::available_parallelism;

use octavo_engine::Platform;
use octavo_kernel::{Fault, Outcome, TenantId};
use octavo_pg::{Session, Statement, Usage, Work, bulk};
use octavo_search::index::{self, Document, SearchIndex, Writing};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::blocking;
use super::position::Position;
use super::read::{Extent, Manner, Resource};

/// How far the making of an index is.
#[derive(Default)]
pub(super) struct Progress {
    made: AtomicU64,
    all: AtomicU64,
}

impl Progress {
    /// How many records are in the index, of how many.
    pub(super) fn count(&self) -> (u64, u64) {
        (self.made.load(Ordering::Relaxed), self.all.load(Ordering::Relaxed))
    }
}

/// For a commit that has only a position.
pub(super) const NOTHING: [(Uuid, Vec<Document>); 0] = [];

/// So many times a connection is asked for again, each time for 30 seconds, before the index is begun anew.
const TRIES: u32 = 40;
/// Memory of the writer for each of its threads, in bytes.
const MEMORY: usize = 100 << 20;

/// Fills an empty index with all records, and commits it at a position from before it was begun. What searches wait for is done on all
/// processors.
pub(super) async fn fill(
    platform: &Platform,
    tenant: &TenantId,
    resource: &'static Resource,
    index: &Arc<SearchIndex>,
    from: &Position,
    progress: &Progress,
    is_waited_for: bool,
) -> Outcome<()> {
    let mut session = platform.database.session(tenant, Arc::new(Usage::of(Work::Bulk))).await?;
    let manner = Arc::new(Manner::read(&mut session, tenant).await?);
    let extent = resource.extent(&mut session).await?;
    drop(session);
    progress.all.store(extent.records, Ordering::Relaxed);
    let threads = on_processors(is_waited_for, available_parallelism).map_or(1, usize::from).min(8);
    let writing = Writing { threads, memory: threads * MEMORY };
    let working = Arc::new(Semaphore::new(threads + 1));
    let filling = Filling {
        platform,
        tenant,
        resource,
        index,
        manner: &manner,
        writing,
        working: &working,
        progress,
        extent,
        is_waited_for,
    };
    // Four stretches of the table at the same time: while one waits for the disk, the others are read.
    let read = |quarter: u64| {
        let end = |quarter| extent.blocks * quarter / 4;
        filling.stretch(end(quarter)..end(quarter + 1))
    };
    tokio::try_join!(read(0), read(1), read(2), read(3))?;
    resource.is_still(&mut filling.session().await?, extent).await?;
    let (index, position) = (Arc::clone(index), from.text());
    blocking(move || on_processors(is_waited_for, || index.finish(&position, writing))).await
}

/// What all readers of an index have in common.
#[derive(Clone, Copy)]
struct Filling<'a> {
    platform: &'a Platform,
    tenant: &'a TenantId,
    resource: &'static Resource,
    index: &'a Arc<SearchIndex>,
    manner: &'a Arc<Manner>,
    writing: Writing,
    /// So many blocks of records are held at a time, whose entries are made.
    working: &'a Arc<Semaphore>,
    progress: &'a Progress,
    extent: Extent,
    is_waited_for: bool,
}

impl Filling<'_> {
    /// A connection for one look at the database: timers and patron notices, which have connections of the same kind, get theirs between two
    /// looks. Where they keep all of them for long, what was read so far is not given up.
    async fn session(self) -> Outcome<Session> {
        let mut tries = 0;
        loop {
            let usage = Arc::new(Usage::of(Work::Bulk));
            match self.platform.database.session(self.tenant, usage).await.map_err(Fault::from) {
                Err(fault) if fault.status == 503 && tries < TRIES => tries += 1,
                lent => return lent,
            }
        }
    }

    /// Reads the records of a stretch of the table, piece by piece, and has their entries made meanwhile.
    async fn stretch(self, blocks: Range<u64>) -> Outcome<()> {
        let mut work: JoinSet<index::Result<usize>> = JoinSet::new();
        for piece in self.extent.pieces(blocks) {
            let stored = self.resource.stored_in(&mut self.session().await?, piece).await?;
            let place = Arc::clone(self.working).acquire_owned().await.map_err(Fault::internal)?;
            while let Some(done) = work.try_join_next() {
                take(Some(done), self.progress)?;
            }
            let (index, manner) = (Arc::clone(self.index), Arc::clone(self.manner));
            let (resource, writing, is_waited_for) = (self.resource, self.writing, self.is_waited_for);
            work.spawn_blocking(move || {
                let _place = place;
                let entries = stored.iter().map(|one| (resource.entries_of)(&manner, &index, one));
                on_processors(is_waited_for, || index.add(entries, writing))?;
                Ok(stored.len())
            });
        }
        while let Some(done) = work.join_next().await {
            take(Some(done), self.progress)?;
        }
        Ok(())
    }
}

fn on_processors<T>(all: bool, work: impl FnOnce() -> T) -> T {
    if all { bulk::on_all_processors(work) } else { work() }
}

type Done = Result<index::Result<usize>, tokio::task::JoinError>;

fn take(done: Option<Done>, progress: &Progress) -> Outcome<()> {
    let made = done.transpose().map_err(Fault::internal)?.transpose().map_err(Fault::internal)?;
    progress.made.fetch_add(made.unwrap_or(0) as u64, Ordering::Relaxed);
    Ok(())
}

/// Tells all processes up to where this one's index knows the changes, so that they leave those after it.
pub(super) async fn tell(
    session: &mut Session,
    process: Uuid,
    tenant: &TenantId,
    at: &Position,
) -> Outcome<()> {
    let told = Statement::new(TELL).uuid(process).text(tenant.schema()).text(at.transaction.to_string());
    session.rows(told).await?;
    Ok(())
}

const TELL: &str = "\
insert into octavo.search_follower (process, schema, transaction, seen)
values ($1, $2, $3::text::xid8, now())
on conflict (process, schema) do update set transaction = excluded.transaction, seen = excluded.seen";

octavo_pg::statements! {
    other = [TELL],
}
