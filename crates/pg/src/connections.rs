//! The connections of a database: opened when they are needed, kept when they are idle, fewer than were wanted where
//! PostgreSQL has no room for more.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::time::{sleep, timeout};

use crate::access::Access;
use crate::connection::Connection;
use crate::gate::GatePlace;
use crate::shares::{SYSTEM, Shares};
use crate::usage::now;
use crate::wire::Wire;
use crate::{DbError, bulk};

/// How long PostgreSQL may take to notice that a connection was closed.
const CLOSE_TIME: Duration = Duration::from_millis(50);
/// How long PostgreSQL is not asked for more connections after it had no room: `LATER` while some are lent, `SOON` while none is.
const LATER: Duration = Duration::from_secs(2);
const SOON: Duration = Duration::from_millis(250);
/// How often it is looked whether there is a server that lets us in.
const RETRY_PAUSE: Duration = Duration::from_millis(100);

pub(crate) struct Connections {
    pub(crate) access: Access,
    pub(crate) shares: Shares,
    pub(crate) max_connections: usize,
    idle: Mutex<Vec<Connection>>,
    opened: AtomicU64,
    /// How many of the wanted connections PostgreSQL has no room for.
    withheld: AtomicUsize,
    is_closed: AtomicBool,
    /// How long a request waits for a server that lets it in.
    patience: Duration,
    /// Held by the one request at a time that tries to connect, while no server accepts connections.
    open_lock: tokio::sync::Mutex<()>,
    /// There is one connection only, and everything that is done over it belongs to one transaction.
    pub(crate) is_enclosed: bool,
}

impl Connections {
    pub(crate) fn new(access: Access, most: usize, patience: Duration) -> Arc<Connections> {
        Connections::build(access, most, (false, patience))
    }

    /// The one connection of an enclosed database.
    pub(crate) fn enclosed(access: Access) -> Arc<Connections> {
        Connections::build(access, 1, (true, Duration::ZERO))
    }

    fn build(access: Access, most: usize, (enclosed, patience): (bool, Duration)) -> Arc<Connections> {
        Arc::new(Connections {
            is_enclosed: enclosed,
            access,
            shares: Shares::new(most),
            max_connections: most,
            idle: Mutex::default(),
            opened: AtomicU64::new(0),
            withheld: AtomicUsize::new(0),
            is_closed: AtomicBool::new(false),
            patience,
            open_lock: tokio::sync::Mutex::default(),
        })
    }

    pub(crate) fn lent(&self) -> usize {
        self.max_connections.saturating_sub(self.shares.available() + self.withheld())
    }

    pub(crate) fn idle(&self) -> usize {
        self.lock_idle().len()
    }

    pub(crate) fn opened(&self) -> u64 {
        self.opened.load(Ordering::Relaxed)
    }

    pub(crate) fn patience(&self) -> Duration {
        self.patience
    }

    pub(crate) fn withheld(&self) -> usize {
        self.withheld.load(Ordering::Relaxed)
    }

    /// An idle connection, or a new one. If PostgreSQL has no room for a new one, its permit is given up, and the caller waits for one of
    /// the connections that are lent.
    pub(crate) async fn take(
        self: &Arc<Connections>,
        schema: &str,
        right: &mut Option<GatePlace>,
    ) -> Result<Connection, DbError> {
        loop {
            if let Some(connection) = self.take_idle(schema) {
                return Ok(connection);
            }
            match self.open_patiently().await {
                Err(error) if error.has_code(DbError::FULL) => {
                    if self.drop_idle() {
                        sleep(CLOSE_TIME).await;
                        continue;
                    }
                    if let Some(given_up) = right.take() {
                        self.withhold(given_up);
                    }
                    *right = Some(self.shares.connection_place(schema).await);
                }
                Err(error) => return Err(error.to_away()),
                Ok(wire) => return Ok(Connection::new(wire)),
            }
        }
    }

    /// Opens a shared connection. If PostgreSQL has no room, one of the lent connections is closed for it as soon as it is
    /// given back.
    pub(crate) async fn open_shared(self: &Arc<Connections>) -> Result<Wire, DbError> {
        loop {
            match self.open_patiently().await {
                Err(error) if error.has_code(DbError::FULL) => self.make_room().await,
                opened => return opened.map_err(|error| error.to_away()),
            }
        }
    }

    pub(crate) async fn make_room(self: &Arc<Connections>) {
        if !self.drop_idle() {
            let right = self.shares.connection_place(SYSTEM).await;
            self.drop_idle();
            self.withhold(right);
        }
        sleep(CLOSE_TIME).await;
    }

    /// Opens a connection; while there is no server that lets us in, waits for one.
    pub(crate) async fn open_patiently(&self) -> Result<Wire, DbError> {
        match self.open().await {
            Err(error) if error.is_unreachable() && self.patience > Duration::ZERO => {
                self.open_with_retries(error).await
            }
            opened => opened,
        }
    }

    async fn open_with_retries(&self, mut why: DbError) -> Result<Wire, DbError> {
        let until = now() + self.patience;
        loop {
            let left = until.saturating_duration_since(now());
            let turn = timeout(left, self.open_lock.lock()).await;
            let Some(turn) = turn.ok().filter(|_| !left.is_zero()) else { return Err(why) };
            match self.open().await {
                Err(error) if error.is_unreachable() && !self.is_closed() => why = error,
                opened => return opened,
            }
            sleep(RETRY_PAUSE).await;
            drop(turn);
        }
    }

    async fn open(&self) -> Result<Wire, DbError> {
        let before = self.opened.fetch_add(1, Ordering::Relaxed);
        if !self.is_enclosed {
            return Wire::connect(&self.access).await;
        }
        if before > 0 {
            // Another connection would not have what was done so far.
            return Err(DbError::Lost("the connection of the transaction was lost".into()));
        }
        let mut wire = Wire::connect(&self.access).await?;
        wire.script("begin").await?;
        Ok(wire)
    }

    pub(crate) fn give_back(&self, connection: Connection) {
        if !self.is_closed() && (self.is_enclosed || !connection.is_worn()) {
            self.lock_idle().push(connection);
        }
    }

    /// Closes idle connections, and those in use as they are given back.
    pub(crate) fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        self.lock_idle().clear();
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    /// Prefers a connection that served the schema before. Work in bulk has connections of its own: if there is none
    /// and no room for another, one of the other idle connections is closed.
    fn take_idle(&self, schema: &str) -> Option<Connection> {
        let bulk = bulk::is_bulk_thread();
        let mut idle = self.lock_idle();
        if self.is_enclosed {
            return idle.pop();
        }
        loop {
            let ours = |connection: &Connection| connection.is_bulk == bulk;
            let known = idle.iter().rposition(|connection| ours(connection) && connection.schema == schema);
            let Some(at) = known.or_else(|| idle.iter().rposition(ours)) else { break };
            let mut connection = idle.remove(at);
            if connection.wire.is_alive() {
                return Some(connection);
            }
        }
        if !idle.is_empty() && self.lent() + idle.len() > self.max_connections {
            idle.remove(0);
        }
        None
    }

    fn drop_idle(&self) -> bool {
        let mut idle = self.lock_idle();
        !idle.is_empty() && {
            idle.remove(0);
            true
        }
    }

    /// Takes a permit out of use until PostgreSQL may have room again.
    fn withhold(self: &Arc<Connections>, right: GatePlace) {
        right.withdraw();
        if self.withheld.fetch_add(1, Ordering::Relaxed) == 0 {
            tracing::warn!("PostgreSQL has no room for more connections: fewer are used");
            tokio::spawn(return_withheld(Arc::downgrade(self)));
        }
    }

    fn lock_idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gives the permits back, a quarter at a time: PostgreSQL makes a process for each attempt, and most may fail again.
async fn return_withheld(connections: Weak<Connections>) {
    loop {
        let Some(these) = connections.upgrade() else { return };
        let wait = if these.lent() == 0 { SOON } else { LATER };
        drop(these);
        sleep(wait).await;
        let Some(these) = connections.upgrade() else { return };
        let some = these.withheld().div_ceil(4);
        these.shares.connection_gate().add_places(some);
        if these.withheld.fetch_sub(some, Ordering::Relaxed) == some {
            return;
        }
    }
}
