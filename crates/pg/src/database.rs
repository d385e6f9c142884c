//! The pool: a bounded number of connections, each remembering the tenant that used it last, and a few that are shared.

use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use octavo_kernel::TenantId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tokio_postgres::Config;

use crate::session::{Connection, Session, Usage, now};
use crate::shared::Shared;
use crate::wire::Wire;
use crate::{DbError, Row, Statement, bulk};

/// For so long a request waits for a connection that others have.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

#[derive(Debug, Clone, Copy)]
pub struct Options {
    pub connections: usize,
    pub connect_seconds: u64,
}

/// A PostgreSQL database. Cheap to clone.
#[derive(Clone)]
pub struct Database {
    inner: Arc<Inner>,
}

struct Inner {
    config: Config,
    shared: Arc<Shared>,
    /// The same for work in bulk.
    shared_in_bulk: Arc<Shared>,
    permits: Arc<Semaphore>,
    idle: Mutex<Vec<Connection>>,
    most: usize,
    opened: AtomicU64,
    waits: AtomicU64,
    waited_micros: AtomicU64,
}

/// How the connections are used.
#[derive(Debug, Clone, Copy)]
pub struct Pool {
    /// How many may be lent at once.
    pub most: usize,
    pub lent: usize,
    pub idle: usize,
    /// Ever opened, the shared ones among them.
    pub opened: u64,
    /// How often all were lent when somebody asked for one, and how long it then took.
    pub waits: u64,
    pub waited: Duration,
}

impl Inner {
    fn lent(&self) -> usize {
        self.most.saturating_sub(self.permits.available_permits())
    }
}

impl Database {
    /// Parses a URL (`postgresql://user@host/database`); connections are made when they are needed.
    pub fn from_url(url: &str, options: Options) -> Result<Database, DbError> {
        Ok(Self::new(read(url)?, options))
    }

    /// For a program that looks at somebody's database: one connection, under the program's own name, with the
    /// server's own settings. `other` is the name of another database of the same server.
    pub fn visited(url: &str, name: &str, other: Option<&str>) -> Result<Database, DbError> {
        let mut config = read(url)?;
        config.application_name(name);
        if let Some(other) = other {
            config.dbname(other);
        }
        Ok(Self::of(config, Options { connections: 1, connect_seconds: 10 }))
    }

    pub fn new(mut config: Config, options: Options) -> Database {
        config.application_name("octavo");
        // Every scan begins at the beginning, so that pages of an unsorted list do not overlap. A request takes one
        // processor, the others are for other requests; what it reads here and there it asks of the disk at once.
        config.options(
            "-c synchronize_seqscans=off -c max_parallel_workers_per_gather=0 -c effective_io_concurrency=64",
        );
        Self::of(config, options)
    }

    fn of(mut config: Config, options: Options) -> Database {
        config.connect_timeout(Duration::from_secs(options.connect_seconds));
        let inner = Inner {
            shared: Shared::new(config.clone()),
            shared_in_bulk: Shared::new(config.clone()),
            config,
            permits: Arc::new(Semaphore::new(options.connections)),
            idle: Mutex::new(Vec::new()),
            most: options.connections,
            opened: AtomicU64::new(0),
            waits: AtomicU64::new(0),
            waited_micros: AtomicU64::new(0),
        };
        Database { inner: Arc::new(inner) }
    }

    /// A connection that sees one tenant's records. Waits a while for one when all are lent.
    pub async fn session(&self, tenant: &TenantId, usage: Arc<Usage>) -> Result<Session, DbError> {
        self.lend(tenant.schema(), usage).await
    }

    /// A connection for what is no tenant's: the list of tenants, migrations.
    pub async fn system(&self, usage: Arc<Usage>) -> Result<Session, DbError> {
        self.lend("octavo", usage).await
    }

    async fn lend(&self, schema: &str, usage: Arc<Usage>) -> Result<Session, DbError> {
        let permit = match Arc::clone(&self.inner.permits).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => self.wait().await?,
        };
        let mut connection = match self.take_idle(schema) {
            Some(connection) => connection,
            None => Connection { wire: self.wire().await?, schema: String::new(), bulk: bulk::is_here() },
        };
        if connection.schema != schema {
            // Prepared statements stay valid: the server plans them anew for another search path.
            connection.wire.script(&format!("set search_path = {schema:?}, octavo")).await?;
            schema.clone_into(&mut connection.schema);
        }
        Ok(Session { connection: Some(connection), database: self.clone(), permit: Some(permit), usage })
    }

    async fn wait(&self) -> Result<OwnedSemaphorePermit, DbError> {
        let started = now();
        let permit = timeout(LONGEST_WAIT, Arc::clone(&self.inner.permits).acquire_owned()).await;
        self.inner.waits.fetch_add(1, Ordering::Relaxed);
        self.inner.waited_micros.fetch_add(started.elapsed().as_micros() as u64, Ordering::Relaxed);
        let busy =
            |_| DbError::Away(format!("no connection became free within {} s", LONGEST_WAIT.as_secs()));
        permit.map_err(busy)?.map_err(|_| DbError::Away("the pool is closed".into()))
    }

    pub fn pool(&self) -> Pool {
        let inner = &self.inner;
        Pool {
            most: inner.most,
            lent: inner.lent(),
            idle: inner.idle.lock().unwrap_or_else(PoisonError::into_inner).len(),
            opened: inner.opened.load(Ordering::Relaxed)
                + inner.shared.opened()
                + inner.shared_in_bulk.opened(),
            waits: inner.waits.load(Ordering::Relaxed),
            waited: Duration::from_micros(inner.waited_micros.load(Ordering::Relaxed)),
        }
    }

    /// Prefers a connection that served the schema before. Work in bulk has connections of its own: where there is none,
    /// and no room for another, one of the others goes.
    fn take_idle(&self, schema: &str) -> Option<Connection> {
        let bulk = bulk::is_here();
        let mut idle = self.inner.idle.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let ours = |connection: &Connection| connection.bulk == bulk;
            let known = idle.iter().rposition(|connection| ours(connection) && connection.schema == schema);
            let Some(at) = known.or_else(|| idle.iter().rposition(ours)) else { break };
            let mut connection = idle.remove(at);
            if connection.wire.is_alive() {
                return Some(connection);
            }
        }
        if !idle.is_empty() && self.inner.lent() + idle.len() > self.inner.most {
            idle.remove(0);
        }
        None
    }

    pub(crate) fn give_back(&self, connection: Connection) {
        self.inner.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
    }

    /// Rows by a key, over connections that other requests use at the same time: see [`Shared`]. The statement names its
    /// tables with their schema.
    pub async fn keyed(&self, statement: Statement, usage: &Usage) -> Result<Vec<Row>, DbError> {
        let shared = if bulk::is_here() { &self.inner.shared_in_bulk } else { &self.inner.shared };
        shared.rows(statement, usage).await
    }

    async fn wire(&self) -> Result<Wire, DbError> {
        self.inner.opened.fetch_add(1, Ordering::Relaxed);
        Wire::connect(&self.inner.config).await.map_err(|error| error.away())
    }

    pub(crate) fn config(&self) -> &Config {
        &self.inner.config
    }

    /// The server's version, as `server_version_num`: 150018.
    pub async fn server_version(&self) -> Result<i64, DbError> {
        let mut session = self.system(Arc::default()).await?;
        let rows = session.rows(Statement::new("select current_setting('server_version_num')::int8")).await?;
        Ok(rows.first().map_or(0, |row: &Row| row.long(0)))
    }
}

fn read(url: &str) -> Result<Config, DbError> {
    Config::from_str(url).map_err(|error| DbError::Away(format!("the database URL cannot be read: {error}")))
}
