//! Builds an index from the records in the database.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::available_parallelism;

use octavo_engine::Platform;
use octavo_kernel::{Fault, Outcome, TenantId};
use octavo_pg::{Session, Statement, Usage, Work, bulk};
use octavo_search::index::{self, Document, SearchIndex, WriterOptions};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::position::Position;
use super::read::{Extent, IndexingRules, Resource};
use super::run_blocking;

/// How far the building of an index has come, in records.
#[derive(Default)]
pub(super) struct Progress {
    made: AtomicU64,
    all: AtomicU64,
}

impl Progress {
    /// How many records are in the index, and how many there are in all.
    pub(super) fn count(&self) -> (u64, u64) {
        (self.made.load(Ordering::Relaxed), self.all.load(Ordering::Relaxed))
    }
}

/// No records: for a commit that stores only a position.
pub(super) const NO_ENTRIES: [(Uuid, Vec<Document>); 0] = [];

/// How often a connection is requested again, each time for 30 seconds, before the building of the index fails and starts again.
const MAX_TRIES: u32 = 40;
/// Memory of the writer for each of its threads, in bytes.
const MEMORY_PER_THREAD: usize = 100 << 20;

/// Fills an empty index with all records, and commits it with a position from before the filling began. If searches wait for the index
/// (`is_waited_for`), all processors are used.
pub(super) async fn fill_index(
    platform: &Platform,
    tenant: &TenantId,
    resource: &'static Resource,
    index: &Arc<SearchIndex>,
    from: &Position,
    progress: &Progress,
    is_waited_for: bool,
) -> Outcome<()> {
    let mut session = platform.database.session(tenant, Arc::new(Usage::for_work(Work::Bulk))).await?;
    let rules = Arc::new(IndexingRules::load(&mut session, tenant).await?);
    let extent = resource.load_extent(&mut session).await?;
    drop(session);
    progress.all.store(extent.records, Ordering::Relaxed);
    let threads = run_on_processors(is_waited_for, available_parallelism).map_or(1, usize::from).min(8);
    let writing = WriterOptions { threads, memory: threads * MEMORY_PER_THREAD };
    let working = Arc::new(Semaphore::new(threads + 1));
    let filling = Filling {
        platform,
        tenant,
        resource,
        index,
        rules: &rules,
        writing,
        working_permits: &working,
        progress,
        extent,
        is_waited_for,
    };
    // Four parts of the table are read at the same time: while one waits for the disk, the others go on.
    let read = |quarter: u64| {
        let end = |quarter| extent.blocks * quarter / 4;
        filling.fill_blocks(end(quarter)..end(quarter + 1))
    };
    tokio::try_join!(read(0), read(1), read(2), read(3))?;
    resource.check_not_rewritten(&mut filling.session().await?, extent).await?;
    let (index, position) = (Arc::clone(index), from.to_text());
    run_blocking(move || run_on_processors(is_waited_for, || index.finish(&position, writing))).await
}

/// What the tasks that read the four parts of a table share.
#[derive(Clone, Copy)]
struct Filling<'a> {
    platform: &'a Platform,
    tenant: &'a TenantId,
    resource: &'static Resource,
    index: &'a Arc<SearchIndex>,
    rules: &'a Arc<IndexingRules>,
    writing: WriterOptions,
    /// Limits how many blocks of records are in memory while their entries are made.
    working_permits: &'a Arc<Semaphore>,
    progress: &'a Progress,
    extent: Extent,
    is_waited_for: bool,
}

impl Filling<'_> {
    /// Opens a connection for one read of the database. Between two reads, timers and patron notices can use connections of this kind. If
    /// they hold all connections for long, the records that were read so far are not lost.
    async fn session(self) -> Outcome<Session> {
        let mut tries = 0;
        loop {
            let usage = Arc::new(Usage::for_work(Work::Bulk));
            match self.platform.database.session(self.tenant, usage).await.map_err(Fault::from) {
                Err(fault) if fault.status == 503 && tries < MAX_TRIES => tries += 1,
                lent => return lent,
            }
        }
    }

    /// Reads the records in a part of the table, block by block, and has their entries added to the index meanwhile.
    async fn fill_blocks(self, blocks: Range<u64>) -> Outcome<()> {
        let mut work: JoinSet<index::Result<usize>> = JoinSet::new();
        for piece in self.extent.pieces(blocks) {
            let stored = self.resource.load_blocks(&mut self.session().await?, piece).await?;
            let place = Arc::clone(self.working_permits).acquire_owned().await.map_err(Fault::internal)?;
            while let Some(done) = work.try_join_next() {
                add_progress(Some(done), self.progress)?;
            }
            let (index, rules) = (Arc::clone(self.index), Arc::clone(self.rules));
            let (resource, writing, is_waited_for) = (self.resource, self.writing, self.is_waited_for);
            work.spawn_blocking(move || {
                let _place = place;
                let entries = stored.iter().map(|one| (resource.entries_of)(&rules, &index, one));
                run_on_processors(is_waited_for, || index.add(entries, writing))?;
                Ok(stored.len())
            });
        }
        while let Some(done) = work.join_next().await {
            add_progress(Some(done), self.progress)?;
        }
        Ok(())
    }
}

fn run_on_processors<T>(all: bool, work: impl FnOnce() -> T) -> T {
    if all { bulk::on_all_processors(work) } else { work() }
}

type Done = Result<index::Result<usize>, tokio::task::JoinError>;

fn add_progress(done: Option<Done>, progress: &Progress) -> Outcome<()> {
    let made = done.transpose().map_err(Fault::internal)?.transpose().map_err(Fault::internal)?;
    progress.made.fetch_add(made.unwrap_or(0) as u64, Ordering::Relaxed);
    Ok(())
}

/// Stores the position of this process's index, so that other processes do not delete the changes after that position.
pub(super) async fn store_position(
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
