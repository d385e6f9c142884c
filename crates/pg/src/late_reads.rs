//! Reads that may be late, for a database with replicas: they are read from replicas, and it is remembered who has changed something.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use crate::access::Access;
use crate::connection::APPLICATION_NAME;
use crate::connections::Connections;
use crate::lender::Lender;
use crate::replicas::{POSITION, PrimaryAccess, Replica, Replicas};
use crate::{Database, DbError, Position, ReplicaReport, Statement, Usage, database};

/// The settings of sessions with replicas: as those of the database's own connections, and read-only.
const SETTINGS: [(&str, &str); 4] = {
    let [scans, workers, disk] = database::SETTINGS;
    [scans, workers, disk, ("default_transaction_read_only", "on")]
};

impl Database {
    /// From now on sends reads that may be late to these hot standbys of this database, as long as they lag no more than `most_lag` behind
    /// it. Each may have as many connections as the database itself.
    pub fn read_from_replicas(&self, urls: &[String], most_lag: Duration) -> Result<(), DbError> {
        let own = &self.inner.lender;
        let replica = |url: &String| {
            let mut access = Access::from_url(url)?;
            if access.servers.are_several || access.servers.needs_writes {
                return Err(DbError::Away(
                    "a replica's URL is to name one server, which accepts no changes".into(),
                ));
            }
            access.config.application_name(APPLICATION_NAME);
            access.settings = &SETTINGS;
            if let Some(limit) = own.connections.access.config.get_connect_timeout() {
                access.config.connect_timeout(*limit);
            }
            let config = access.config.clone();
            // Nobody waits for a replica that cannot be reached: the primary answers.
            let connections = Connections::new(access, own.connections.max_connections, Duration::ZERO);
            Ok(Replica::new(&config, Lender::new(connections, own.limits, own.names_requests)))
        };
        let replicas = urls.iter().map(replica).collect::<Result<Vec<_>, DbError>>()?;
        let replicas = Replicas::new(replicas, most_lag);
        if urls.is_empty() || self.inner.replicas.set(Arc::clone(&replicas)).is_err() {
            return Ok(());
        }
        own.has_replicas.store(true, Ordering::Relaxed);
        let source = PrimaryAccess { lender: Arc::clone(own), shared: Arc::clone(&self.inner.shared) };
        let started = replicas.start(&source);
        self.inner.listeners.lock().unwrap_or_else(PoisonError::into_inner).extend(started);
        Ok(())
    }

    pub fn has_replicas(&self) -> bool {
        self.inner.replicas.get().is_some()
    }

    /// How the replicas do.
    pub fn replicas(&self) -> Vec<ReplicaReport> {
        self.inner.replicas.get().map(|replicas| replicas.reports()).unwrap_or_default()
    }

    /// How many late reads the database itself answered, by reason; `None` without replicas.
    pub fn late_reads_of_primary(&self) -> Option<[(&'static str, u64); 2]> {
        self.inner.replicas.get().map(|replicas| replicas.count_primary_reads())
    }

    /// Has all late reads answered by the primary until a replica has everything that is committed now. Called after a change that concerns
    /// everybody.
    pub fn hold_late_reads(&self) {
        if let Some(replicas) = self.inner.replicas.get() {
            replicas.hold_late_reads();
        }
    }

    /// From now on the reads of a request show at least everything that is committed now, whether or not they may be late.
    pub async fn require_current_reads(&self, usage: &Usage) -> Result<(), DbError> {
        if usage.may_read_from_replica() {
            usage.lateness.require_position(self.current_position(usage).await?);
        }
        Ok(())
    }

    /// Remembers that a request has changed something, so that its caller's reads see it. Returns the log position of the change. The
    /// position is asked for only if the last thing that the request did was no commit that stated it.
    pub async fn note_change(&self, usage: &Usage, is_done: bool) -> Option<Position> {
        let replicas = self.inner.replicas.get()?;
        let position = match usage.lateness.commit_position() {
            Some(position) => position,
            None if !is_done && !usage.lateness.may_have_written() => return None,
            None => match self.current_position(usage).await {
                Ok(position) => position,
                Err(_) => {
                    self.hold_late_reads();
                    return None;
                }
            },
        };
        replicas.note_change(usage.purpose().1, position);
        Some(position)
    }

    /// The current end of the write-ahead log.
    async fn current_position(&self, usage: &Usage) -> Result<Position, DbError> {
        let rows = self.rows_by_key(Statement::new(POSITION), usage).await?;
        Ok(Position::from_bytes(rows.first().map_or(0, |row| row.long(0))))
    }
}
