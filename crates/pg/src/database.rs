//! The pool: a bounded number of connections, each remembering the tenant that used it last, and a few that are shared.

use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use octavo_kernel::TenantId;
use tokio::sync::Semaphore;
use tokio_postgres::Config;

use crate::session::{Connection, Session, Usage};
use crate::shared::Shared;
use crate::wire::Wire;
use crate::{DbError, Row, Statement};

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
    permits: Arc<Semaphore>,
    idle: Mutex<Vec<Connection>>,
}

impl Database {
    /// Parses a URL (`postgresql://user@host/database`); connections are made when they are needed.
    pub fn from_url(url: &str, options: Options) -> Result<Database, DbError> {
        let config = Config::from_str(url)
            .map_err(|e| DbError::Lost(format!("the database URL cannot be read: {e}")))?;
        Ok(Self::new(config, options))
    }

    pub fn new(mut config: Config, options: Options) -> Database {
        config.connect_timeout(std::time::Duration::from_secs(options.connect_seconds));
        config.application_name("octavo");
        // Every scan begins at the beginning, so that pages of an unsorted list do not overlap. A request takes one
        // processor, the others are for other requests; what it reads here and there it asks of the disk at once.
        config.options(
            "-c synchronize_seqscans=off -c max_parallel_workers_per_gather=0 -c effective_io_concurrency=64",
        );
        let inner = Inner {
            shared: Shared::new(config.clone()),
            config,
            permits: Arc::new(Semaphore::new(options.connections)),
            idle: Mutex::new(Vec::new()),
        };
        Database { inner: Arc::new(inner) }
    }

    /// A connection that sees one tenant's records. Waits for one when all are lent.
    pub async fn session(&self, tenant: &TenantId, usage: Arc<Usage>) -> Result<Session, DbError> {
        self.lend(tenant.schema(), usage).await
    }

    /// A connection for what is no tenant's: the list of tenants, migrations.
    pub async fn system(&self, usage: Arc<Usage>) -> Result<Session, DbError> {
        self.lend("octavo", usage).await
    }

    async fn lend(&self, schema: &str, usage: Arc<Usage>) -> Result<Session, DbError> {
        let permit = Arc::clone(&self.inner.permits).acquire_owned().await;
        let permit = permit.map_err(|_| DbError::Lost("the pool is closed".into()))?;
        let mut connection = match self.take_idle(schema) {
            Some(connection) => connection,
            None => Connection { wire: self.wire().await?, schema: String::new() },
        };
        if connection.schema != schema {
            // Prepared statements stay valid: the server plans them anew for another search path.
            connection.wire.script(&format!("set search_path = {schema:?}, octavo")).await?;
            schema.clone_into(&mut connection.schema);
        }
        Ok(Session { connection: Some(connection), database: self.clone(), permit: Some(permit), usage })
    }

    /// Prefers a connection that served the schema before.
    fn take_idle(&self, schema: &str) -> Option<Connection> {
        let mut idle = self.inner.idle.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let at = idle.iter().rposition(|connection| connection.schema == schema);
            let at = at.or(idle.len().checked_sub(1))?;
            let mut connection = idle.remove(at);
            if connection.wire.is_alive() {
                return Some(connection);
            }
        }
    }

    pub(crate) fn give_back(&self, connection: Connection) {
        self.inner.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
    }

    /// Rows by a key, over connections that other requests use at the same time: see [`Shared`]. The statement names its
    /// tables with their schema.
    pub async fn keyed(&self, statement: Statement, usage: &Usage) -> Result<Vec<Row>, DbError> {
        self.inner.shared.rows(statement, usage).await
    }

    async fn wire(&self) -> Result<Wire, DbError> {
        Wire::connect(&self.inner.config).await
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
