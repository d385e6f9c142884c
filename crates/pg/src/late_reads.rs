//! What a database with replicas does: it reads from them what may be late, and remembers who has changed something.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use crate::access::Access;
use crate::connection::NAME;
use crate::connections::Connections;
use crate::lender::Lender;
use crate::replicas::{POSITION, Replica, Replicas, Source};
use crate::{Database, DbError, Position, ReplicaReport, Statement, Usage, database};

/// As those of the database's own connections.
const SETTINGS: [(&str, &str); 4] = {
    let [scans, workers, disk] = database::SETTINGS;
    [scans, workers, disk, ("default_transaction_read_only", "on")]
};

impl Database {
    /// Sends reads that may be late to hot standbys of this database from now on, while they are no later than that. Each is given as
    /// many connections as the database itself.
    pub fn read_from(&self, urls: &[String], most_lag: Duration) -> Result<(), DbError> {
        let own = &self.inner.lender;
        let replica = |url: &String| {
            let mut access = Access::read(url)?;
            if access.servers.are_several || access.servers.needs_writes {
                return Err(DbError::Away(
                    "a replica's URL is to name one server, which accepts no changes".into(),
                ));
            }
            access.config.application_name(NAME);
            access.settings = &SETTINGS;
            if let Some(limit) = own.connections.access.config.get_connect_timeout() {
                access.config.connect_timeout(*limit);
            }
            let config = access.config.clone();
            // Nobody waits for a replica that cannot be reached: the primary answers.
            let connections = Connections::new(access, own.connections.most, Duration::ZERO);
            Ok(Replica::new(&config, Lender::new(connections, own.limits, own.names_requests)))
        };
        let replicas = urls.iter().map(replica).collect::<Result<Vec<_>, DbError>>()?;
        let replicas = Replicas::new(replicas, most_lag);
        if urls.is_empty() || self.inner.replicas.set(Arc::clone(&replicas)).is_err() {
            return Ok(());
        }
        own.is_copied.store(true, Ordering::Relaxed);
        let source = Source { lender: Arc::clone(own), shared: Arc::clone(&self.inner.shared) };
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
        self.inner.replicas.get().map(|replicas| replicas.of_primary())
    }

    /// Has all late reads asked of the database itself until a replica has what is there now: after what concerns everybody.
    pub fn hold_late_reads(&self) {
        if let Some(replicas) = self.inner.replicas.get() {
            replicas.hold();
        }
    }

    /// Has what a request reads from now on show at least all that is there now, whether or not it may be late.
    pub async fn see_what_is_there(&self, usage: &Usage) -> Result<(), DbError> {
        if usage.is_late() {
            usage.lateness.has_to_see(self.position(usage).await?);
        }
        Ok(())
    }

    /// Remembers that a request has changed something, so that its caller's reads see it. Returns up to where in the log it stands.
    /// That is asked only where the last thing that the request did was no commit that told it.
    pub async fn note_change(&self, usage: &Usage, is_done: bool) -> Option<Position> {
        let replicas = self.inner.replicas.get()?;
        let position = match usage.lateness.position() {
            Some(position) => position,
            None if !is_done && !usage.lateness.may_have_written() => return None,
            None => match self.position(usage).await {
                Ok(position) => position,
                Err(_) => {
                    self.hold_late_reads();
                    return None;
                }
            },
        };
        replicas.note(usage.purpose().1, position);
        Some(position)
    }

    /// Up to where the log goes now.
    async fn position(&self, usage: &Usage) -> Result<Position, DbError> {
        let rows = self.keyed(Statement::new(POSITION), usage).await?;
        Ok(Position::of(rows.first().map_or(0, |row| row.long(0))))
    }
}
