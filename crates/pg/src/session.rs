//! One connection, lent to one request, with the tenant's schema on its search path.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use tokio::sync::OwnedSemaphorePermit;
use tokio_postgres::Client;
use tokio_postgres::types::ToSql;

use crate::database::Idle;
use crate::pipeline::in_order;
use crate::statement::{Value, type_of};
use crate::{Database, DbError, Row, Sql, Statement};

/// What a request asked of the database. Shared with whoever counts.
#[derive(Debug, Default)]
pub struct Usage {
    pub round_trips: AtomicU64,
    pub statements: AtomicU64,
    pub rows: AtomicU64,
    pub micros: AtomicU64,
    /// Fields that were searched without an index.
    pub unindexed: AtomicU64,
}

impl Usage {
    pub fn round_trips(&self) -> u64 {
        self.round_trips.load(Ordering::Relaxed)
    }

    /// One round trip.
    pub(crate) fn count(&self, started: Instant, statements: usize, rows: usize) {
        self.round_trips.fetch_add(1, Ordering::Relaxed);
        self.statements.fetch_add(statements as u64, Ordering::Relaxed);
        self.rows.fetch_add(rows as u64, Ordering::Relaxed);
        self.micros.fetch_add(started.elapsed().as_micros() as u64, Ordering::Relaxed);
    }
}

pub(crate) struct Connection {
    pub(crate) client: Client,
    pub(crate) prepared: HashMap<String, tokio_postgres::Statement>,
    pub(crate) schema: String,
}

/// A connection in use. Dropped inside a transaction, the connection is closed, which rolls back.
pub struct Session {
    pub(crate) connection: Option<Connection>,
    pub(crate) database: Database,
    pub(crate) permit: Option<OwnedSemaphorePermit>,
    pub(crate) usage: Arc<Usage>,
    pub(crate) open: bool,
}

impl Session {
    /// One statement, one round trip.
    pub async fn rows(&mut self, statement: Statement) -> Result<Vec<Row>, DbError> {
        let answers = self.send(vec![statement]).await?;
        Ok(answers.into_iter().next().unwrap_or_default())
    }

    /// Several statements in one round trip, each its own transaction unless one is open.
    pub async fn batch(&mut self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, DbError> {
        self.send(statements).await
    }

    /// Opens a transaction and sends the statements with it: one round trip.
    pub async fn begin(&mut self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, DbError> {
        let mut all = vec![Statement::new("begin")];
        all.extend(statements);
        self.open = true;
        let mut answers = self.send(all).await?;
        answers.remove(0);
        Ok(answers)
    }

    /// Sends the statements and commits the open transaction: one round trip. On error nothing of it remains.
    pub async fn commit(&mut self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, DbError> {
        let mut all = statements;
        all.push(Statement::new("commit"));
        let answers = self.send(all).await;
        // After a refused statement the server has rolled back at "commit"; a lost connection stays open here and
        // is not used again.
        self.open = matches!(answers, Err(DbError::Lost(_)));
        let mut answers = answers?;
        answers.pop();
        Ok(answers)
    }

    /// A whole transaction in one round trip.
    pub async fn transaction(&mut self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, DbError> {
        let mut all = vec![Statement::new("begin")];
        all.extend(statements);
        self.open = true;
        let mut answers = self.commit(all).await?;
        answers.remove(0);
        Ok(answers)
    }

    /// Ends the open transaction without a trace.
    pub async fn rollback(&mut self) -> Result<(), DbError> {
        if self.open {
            self.send(vec![Statement::new("rollback")]).await?;
            self.open = false;
        }
        Ok(())
    }

    /// A statement whose text depends on the request: parsed and planned for this one use.
    pub async fn once(&mut self, sql: &Sql) -> Result<Vec<Row>, DbError> {
        let connection = self.connection.as_ref().ok_or_else(gone)?;
        let values: Vec<Value<'_>> = sql.params.iter().map(Value).collect();
        let params = values
            .iter()
            .zip(&sql.params)
            .map(|(value, param)| (value as &(dyn ToSql + Sync), type_of(param)));
        let started = now();
        let rows = connection.client.query_typed(&sql.text, &params.collect::<Vec<_>>()).await;
        self.usage.count(started, 1, rows.as_ref().map_or(0, Vec::len));
        Ok(rows?.into_iter().map(Row).collect())
    }

    /// Statements without values, many in one text: for creating schemas.
    pub async fn script(&mut self, sql: &str) -> Result<(), DbError> {
        let connection = self.connection.as_ref().ok_or_else(gone)?;
        let started = now();
        let done = connection.client.batch_execute(sql).await;
        self.usage.count(started, 1, 0);
        Ok(done?)
    }

    /// Notes that a search reads whole tables for so many of its fields.
    pub fn count_unindexed(&self, fields: usize) {
        self.usage.unindexed.fetch_add(fields as u64, Ordering::Relaxed);
    }

    pub(crate) fn client(&self) -> Result<&Client, DbError> {
        self.connection.as_ref().map(|connection| &connection.client).ok_or_else(gone)
    }

    async fn send(&mut self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, DbError> {
        let connection = self.connection.as_mut().ok_or_else(gone)?;
        connection.prepare(&statements).await?;
        let started = now();
        let client = &connection.client;
        let requests = statements.iter().map(|statement| {
            let prepared = &connection.prepared[statement.sql.as_ref()];
            Box::pin(async move {
                let values: Vec<Value<'_>> = statement.params.iter().map(Value).collect();
                let params: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as _).collect();
                client.query(prepared, &params).await
            })
        });
        let answers = in_order(requests.collect()).await;
        let rows = answers.iter().map(|answer| answer.as_ref().map_or(0, Vec::len)).sum();
        self.usage.count(started, statements.len(), rows);
        // The first refusal is the cause; those after it only say that the transaction is aborted.
        answers.into_iter().map(|answer| Ok(answer?.into_iter().map(Row).collect())).collect()
    }
}

#[expect(clippy::disallowed_methods, reason = "measures how long the database takes")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

fn gone() -> DbError {
    DbError::Lost("the connection was given back".into())
}

impl Connection {
    /// Prepares what this connection has not seen yet. Only the first use of a statement pays for it.
    async fn prepare(&mut self, statements: &[Statement]) -> Result<(), DbError> {
        for statement in statements {
            if !self.prepared.contains_key(statement.sql.as_ref()) {
                let prepared = self.client.prepare(&statement.sql).await?;
                self.prepared.insert(statement.sql.clone().into_owned(), prepared);
            }
        }
        Ok(())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let permit = self.permit.take();
        if let (Some(connection), false) = (self.connection.take(), self.open) {
            self.database.give_back(Idle { connection });
        }
        drop(permit);
    }
}
