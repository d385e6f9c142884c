//! Makes an index from the database.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::available_parallelism;

use octavo_engine::Platform;
use octavo_kernel::{Fault, Outcome, TenantId};
use octavo_pg::{Session, Statement, Usage, Work};
use octavo_search::index::{self, Document, SearchIndex, Writing};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::blocking;
use super::position::Position;
use super::read::{Manner, Resource};

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

/// Memory of the writer for each of its threads, in bytes.
const MEMORY: usize = 100 << 20;

/// Records are read in so many stretches of their ids at a time: while one waits for the disk, the others are read.
const READERS: u8 = 4;

/// Fills an empty index with all records, and commits it at a position from before it was begun.
pub(super) async fn fill(
    platform: &Platform,
    tenant: &TenantId,
    resource: &'static Resource,
    index: &Arc<SearchIndex>,
    from: &Position,
    progress: &Progress,
) -> Outcome<()> {
    let mut session = platform.database.session(tenant, Arc::new(Usage::of(Work::Bulk))).await?;
    let manner = Arc::new(Manner::read(&mut session, tenant).await?);
    let all: Option<i64> = session.read(Statement::new(resource.count)).await?;
    drop(session);
    progress.all.store(all.map_or(0, i64::unsigned_abs), Ordering::Relaxed);
    let threads = available_parallelism().map_or(1, usize::from).min(8);
    let writing = Writing { threads, memory: threads * MEMORY };
    let working = Arc::new(Semaphore::new(threads + 1));
    let filling = Filling { resource, index, manner: &manner, writing, working: &working, progress };
    let read = async |reader| {
        let mut session = platform.database.session(tenant, Arc::new(Usage::of(Work::Bulk))).await?;
        filling.stretch(&mut session, stretch(reader)).await
    };
    tokio::try_join!(read(0), read(1), read(2), read(3))?;
    let (index, position) = (Arc::clone(index), from.text());
    blocking(move || index.finish(&position, writing)).await
}

/// The ids that a reader reads: those after the first, up to the last.
fn stretch(reader: u8) -> (Uuid, Uuid) {
    let end = |reader: u8| match u128::from(reader) * (u128::MAX / u128::from(READERS)) {
        _ if reader == READERS => Uuid::max(),
        end => Uuid::from_u128(end),
    };
    (end(reader), end(reader + 1))
}

/// What all readers of an index have in common.
#[derive(Clone, Copy)]
struct Filling<'a> {
    resource: &'static Resource,
    index: &'a Arc<SearchIndex>,
    manner: &'a Arc<Manner>,
    writing: Writing,
    /// So many blocks of records are held at a time, whose entries are made.
    working: &'a Arc<Semaphore>,
    progress: &'a Progress,
}

impl Filling<'_> {
    /// Reads the records of a stretch of ids, block by block, and has their entries made meanwhile.
    async fn stretch(self, session: &mut Session, (mut last, end): (Uuid, Uuid)) -> Outcome<()> {
        let mut work: JoinSet<index::Result<usize>> = JoinSet::new();
        loop {
            let mut stored = self.resource.stored_after(session, last).await?;
            stored.retain(|one| one.id <= end);
            let Some(newest) = stored.last() else { break };
            last = newest.id;
            let place = Arc::clone(self.working).acquire_owned().await.map_err(Fault::internal)?;
            while let Some(done) = work.try_join_next() {
                take(Some(done), self.progress)?;
            }
            let (index, manner) = (Arc::clone(self.index), Arc::clone(self.manner));
            let (resource, writing) = (self.resource, self.writing);
            work.spawn_blocking(move || {
                let _place = place;
                index.add(stored.iter().map(|one| (resource.entries_of)(&manner, &index, one)), writing)?;
                Ok(stored.len())
            });
        }
        while let Some(done) = work.join_next().await {
            take(Some(done), self.progress)?;
        }
        Ok(())
    }
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
