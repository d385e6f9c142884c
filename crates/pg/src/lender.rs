//! Lends the connections of a database, each for a kind of work, and counts who had to wait or was refused.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use tokio::time::timeout;

use crate::connection::Connection;
use crate::connections::Connections;
use crate::refusals::{RefusalReason, Refusals};
use crate::shares::Permit;
use crate::usage::now;
use crate::{DbError, Limits, Usage, Work};

/// How long a request waits for PostgreSQL to have room for a connection.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

pub(crate) struct Lender {
    pub(crate) connections: Arc<Connections>,
    pub(crate) refusals: Refusals,
    pub(crate) waits: AtomicU64,
    pub(crate) waited_micros: AtomicU64,
    pub(crate) limits: Limits,
    pub(crate) names_requests: bool,
    /// Whether replicas follow this database: then each commit asks for its log position.
    pub(crate) has_replicas: AtomicBool,
    last_change: LastChange,
}

/// When a connection was last lent for a client's change.
struct LastChange {
    created: Instant,
    /// The time of the change in milliseconds since `created`; 0 while there was none.
    millis: AtomicU64,
}

impl LastChange {
    fn new() -> LastChange {
        LastChange { created: now(), millis: AtomicU64::new(0) }
    }

    fn note(&self) {
        let millis = self.created.elapsed().as_millis() as u64;
        self.millis.store(millis.max(1), Ordering::Relaxed);
    }

    fn elapsed(&self) -> Option<Duration> {
        let at = Duration::from_millis(self.millis.load(Ordering::Relaxed));
        (!at.is_zero()).then(|| self.created.elapsed().saturating_sub(at))
    }
}

impl Lender {
    pub(crate) fn new(connections: Arc<Connections>, limits: Limits, names_requests: bool) -> Lender {
        let (waits, waited_micros) = (AtomicU64::new(0), AtomicU64::new(0));
        Lender {
            connections,
            refusals: Refusals::default(),
            waits,
            waited_micros,
            limits,
            names_requests,
            has_replicas: AtomicBool::new(false),
            last_change: LastChange::new(),
        }
    }

    /// How long ago a connection was last lent for a client's change.
    pub(crate) fn time_since_change(&self) -> Option<Duration> {
        self.last_change.elapsed()
    }

    /// A connection, the permit to have it, and the limit of its statements.
    pub(crate) async fn lend(
        &self,
        schema: &str,
        usage: &Usage,
    ) -> Result<(Connection, Permit, Option<Duration>), DbError> {
        let (work, client) = usage.purpose();
        if work == Work::Change {
            self.last_change.note();
        }
        let mut asked = pin!(self.connections.shares.permit(work, client, schema));
        let mut permit = match asked.as_mut().now_or_never() {
            Some(permit) => permit,
            None => self.wait_for_permit(asked, work).await?,
        };
        let connection = self.connect(schema, usage, &mut permit).await?;
        Ok((connection, permit, self.limits.statement_limit(work)))
    }

    /// A connection for a request that has a permit.
    pub(crate) async fn connect(
        &self,
        schema: &str,
        usage: &Usage,
        permit: &mut Permit,
    ) -> Result<Connection, DbError> {
        let work = usage.purpose().0;
        let longest = LONGEST_WAIT + self.connections.patience();
        let taken = timeout(longest, self.connections.take(schema, &mut permit.connection_place)).await;
        let mut connection = taken.map_err(|_| self.busy_error(work, longest))??;
        let request = if self.names_requests { usage.request_id() } else { "" };
        connection.prepare(schema, self.limits.statement_limit(work), (usage.acting_user(), request))?;
        Ok(connection)
    }

    async fn wait_for_permit(
        &self,
        permit: impl Future<Output = Permit>,
        work: Work,
    ) -> Result<Permit, DbError> {
        let started = now();
        let permit = timeout(work.patience(), permit).await;
        self.waits.fetch_add(1, Ordering::Relaxed);
        self.waited_micros.fetch_add(started.elapsed().as_micros() as u64, Ordering::Relaxed);
        permit.map_err(|_| self.busy_error(work, work.patience()))
    }

    fn busy_error(&self, work: Work, waited: Duration) -> DbError {
        self.refusals.count(work, RefusalReason::Busy);
        DbError::Busy(format!("no connection for {} became free within {} s", work.name(), waited.as_secs()))
    }
}
