//! A PostgreSQL database: connections are lent to requests, and a few are shared.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use octavo_kernel::TenantId;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::Config;

use crate::access::Access;
use crate::backups::Backups;
use crate::connection::APPLICATION_NAME;
use crate::connections::Connections;
use crate::disk::Disk;
use crate::lender::Lender;
use crate::replicas::Replicas;
use crate::session::Session;
use crate::shared::SharedConnections;
use crate::{DbError, Limits, Row, Statement, Usage, Work, bulk};

/// How long closing the listening connection may take.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// Every scan begins at the beginning, so that pages of an unsorted list do not overlap. A request takes one processor, the others are for
/// other requests; what it reads here and there it asks of the disk at once.
pub(crate) const SETTINGS: [(&str, &str); 3] = [
    ("synchronize_seqscans", "off"),
    ("max_parallel_workers_per_gather", "0"),
    ("effective_io_concurrency", "64"),
];

#[derive(Debug, Clone)]
pub struct Options {
    pub connections: usize,
    pub connect_seconds: u64,
    pub limits: Limits,
    /// The folder of a private database, whose disk is watched for free space.
    pub folder: Option<PathBuf>,
    /// Whether PostgreSQL is told which request a connection works for, as a part of `application_name`.
    pub names_requests: bool,
    /// How long a request waits for a server that lets it in; if nothing is said, half a minute where the URL names several.
    pub patience: Option<Duration>,
}

impl Options {
    /// This many connections, without limits of time.
    pub fn unlimited(connections: usize) -> Options {
        Options {
            connections,
            connect_seconds: 10,
            limits: Limits::NONE,
            folder: None,
            names_requests: false,
            patience: None,
        }
    }
}

/// A PostgreSQL database. Cheap to clone.
#[derive(Clone)]
pub struct Database {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) lender: Arc<Lender>,
    pub(crate) listeners: Mutex<Vec<JoinHandle<()>>>,
    pub(crate) shared: Arc<SharedConnections>,
    /// Shared connections for reads of work in bulk.
    shared_in_bulk: Arc<SharedConnections>,
    disk: Disk,
    backups: Backups,
    pub(crate) replicas: OnceLock<Arc<Replicas>>,
}

#[derive(Debug, Clone, Copy)]
pub struct Pool {
    /// How many may be lent at once.
    pub max_connections: usize,
    /// How many of them PostgreSQL has no room for.
    pub withheld: usize,
    pub lent: usize,
    pub idle: usize,
    /// How many were ever opened, including the shared ones.
    pub opened: u64,
    /// How often somebody had to wait for a connection, and how long it then took.
    pub waits: u64,
    pub wait_time: Duration,
}

impl Database {
    /// Parses a URL (`postgresql://user@host/database`); connections are made when they are needed.
    pub fn from_url(url: &str, options: Options) -> Result<Database, DbError> {
        Ok(Self::with_own_settings(Access::from_url(url)?, options))
    }

    /// For a program that inspects a database that is not Octavo's own: one connection, under the program's own name, with the server's own
    /// settings. `other` is the name of another database of the same server.
    pub fn for_visitor(url: &str, name: &str, other: Option<&str>) -> Result<Database, DbError> {
        let mut access = Access::from_url(url)?;
        access.config.application_name(name);
        if let Some(other) = other {
            access.config.dbname(other);
        }
        Ok(Self::build(access, Options::unlimited(1)))
    }

    pub fn new(config: Config, options: Options) -> Database {
        Self::with_own_settings(Access::from(config), options)
    }

    fn with_own_settings(mut access: Access, options: Options) -> Database {
        access.config.application_name(APPLICATION_NAME);
        access.settings = &SETTINGS;
        Self::build(access, options)
    }

    fn build(mut access: Access, options: Options) -> Database {
        let Options { connections, connect_seconds, limits, folder, names_requests, patience } = options;
        let patience = patience.unwrap_or_else(|| access.servers.patience());
        access.config.connect_timeout(Duration::from_secs(connect_seconds));
        Self::from_connections(
            &Connections::new(access, connections, patience),
            (limits, names_requests),
            folder,
        )
    }

    fn from_connections(
        connections: &Arc<Connections>,
        (limits, names_requests): (Limits, bool),
        folder: Option<PathBuf>,
    ) -> Database {
        let shared = || SharedConnections::new(Arc::clone(connections), limits.statement_limit(Work::Record));
        let inner = Inner {
            shared: shared(),
            shared_in_bulk: shared(),
            listeners: Mutex::default(),
            disk: Disk::for_folder(folder),
            backups: Backups::default(),
            replicas: OnceLock::new(),
            lender: Arc::new(Lender::new(Arc::clone(connections), limits, names_requests)),
        };
        Database { inner: Arc::new(inner) }
    }

    /// The same database as one transaction: all sessions share one connection, on which a transaction is open. What they begin and
    /// commit are savepoints in it. `session.script("commit")` ends it; without that nothing of it remains.
    pub fn enclosed(&self) -> Database {
        let lender = &self.inner.lender;
        let connections = Connections::enclosed(lender.connections.access.clone());
        Self::from_connections(&connections, (lender.limits, false), None)
    }

    /// A connection that sees one tenant's records, to a replica if the request's reads may be late. Waits a while for one when
    /// all are lent.
    pub async fn session(&self, tenant: &TenantId, usage: Arc<Usage>) -> Result<Session, DbError> {
        if let Some(replicas) = self.inner.replicas.get()
            && let Some(replica) = replicas.replica_for(&usage).await
        {
            match Session::from_replica(&replica, tenant.schema(), Arc::clone(&usage)).await {
                Err(error) if replica.note_failure(&error) => usage.lateness.use_primary(),
                lent => return lent,
            }
        }
        self.primary_session(tenant, usage).await
    }

    /// The same, never to a replica: for what a request whose reads may be late writes or has to know at once.
    pub async fn primary_session(&self, tenant: &TenantId, usage: Arc<Usage>) -> Result<Session, DbError> {
        Session::from_lender(&self.inner.lender, tenant.schema(), usage).await
    }

    /// A connection for what is no tenant's: the list of tenants, migrations.
    pub async fn system_session(&self, usage: Arc<Usage>) -> Result<Session, DbError> {
        Session::from_lender(&self.inner.lender, "octavo", usage).await
    }

    /// The time limit of one statement of this kind of work. Searches outside of PostgreSQL keep to it, too.
    pub fn time_limit(&self, work: Work) -> Option<Duration> {
        self.inner.lender.limits.statement_limit(work)
    }

    /// How long ago a client last began to change a record through this program; `None` if none has so far.
    pub fn time_since_change(&self) -> Option<Duration> {
        self.inner.lender.time_since_change()
    }

    pub fn pool(&self) -> Pool {
        let lender = &self.inner.lender;
        let connections = &lender.connections;
        Pool {
            max_connections: connections.max_connections,
            withheld: connections.withheld(),
            lent: connections.lent(),
            idle: connections.idle(),
            opened: connections.opened(),
            waits: lender.waits.load(Ordering::Relaxed),
            wait_time: Duration::from_micros(lender.waited_micros.load(Ordering::Relaxed)),
        }
    }

    /// Whether another server may take over, so that a request whose connection was lost is worth another attempt.
    pub fn fails_over(&self) -> bool {
        self.inner.lender.connections.access.servers.needs_writes
    }

    /// How often connections were thrown away because another server accepts changes, or none.
    pub fn count_server_changes(&self) -> u64 {
        self.inner.lender.connections.access.servers.count_changes()
    }

    pub fn disk(&self) -> &Disk {
        &self.inner.disk
    }

    /// How the database is backed up by this process.
    pub fn backups(&self) -> &Backups {
        &self.inner.backups
    }

    /// How many statements and requests for a connection were refused, by kind of work and reason.
    pub fn refusals(&self) -> impl Iterator<Item = (&'static str, &'static str, u64)> {
        let mut all: Vec<_> = self.inner.lender.refusals.all().collect();
        for replica in self.inner.replicas.get().into_iter().flat_map(|replicas| replicas.all()) {
            for ((_, _, sum), (_, _, more)) in all.iter_mut().zip(replica.lender.refusals.all()) {
                *sum += more;
            }
        }
        all.into_iter()
    }

    /// Reads rows by a key, over connections that other requests use at the same time: see [`SharedConnections`]. The statement names its
    /// tables with their schema.
    pub async fn rows_by_key(&self, statement: Statement, usage: &Usage) -> Result<Vec<Row>, DbError> {
        if self.inner.lender.connections.is_enclosed {
            return self.system_session(Arc::default()).await?.rows(statement).await;
        }
        let shared = if bulk::is_bulk_thread() { &self.inner.shared_in_bulk } else { &self.inner.shared };
        let rows = shared.rows(statement, usage).await;
        rows.inspect_err(|error| self.inner.lender.refusals.count_error(Work::Record, error))
    }

    /// Closes every connection that nobody uses, so that PostgreSQL can stop without cutting one off.
    pub async fn close(&self) {
        self.inner.lender.connections.close();
        for replica in self.inner.replicas.get().into_iter().flat_map(|replicas| replicas.all()) {
            replica.lender.connections.close();
        }
        self.inner.shared.close();
        self.inner.shared_in_bulk.close();
        let listeners =
            std::mem::take(&mut *self.inner.listeners.lock().unwrap_or_else(PoisonError::into_inner));
        for listener in listeners {
            let _ = timeout(CLOSE_TIMEOUT, listener).await;
        }
    }

    /// Whether it was closed: what still asks for something then is late, and nothing is wrong.
    pub fn is_closed(&self) -> bool {
        self.inner.lender.connections.is_closed()
    }

    /// The server's version, as `server_version_num`: 150018.
    pub async fn server_version(&self) -> Result<i64, DbError> {
        let mut session = self.system_session(Arc::default()).await?;
        let rows = session.rows(Statement::new("select current_setting('server_version_num')::int8")).await?;
        Ok(rows.first().map_or(0, |row: &Row| row.long(0)))
    }
}
