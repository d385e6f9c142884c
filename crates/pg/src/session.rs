//! One connection, lent to one request, with the tenant's schema on its search path.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use tokio::sync::OwnedSemaphorePermit;

use crate::wire::{Answers, Wire};
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
    /// Transactions that were begun anew after a conflict with another.
    pub retries: AtomicU64,
}

impl Usage {
    pub fn round_trips(&self) -> u64 {
        self.round_trips.load(Ordering::Relaxed)
    }

    pub fn count_retry(&self) {
        self.retries.fetch_add(1, Ordering::Relaxed);
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
    pub(crate) wire: Wire,
    pub(crate) schema: String,
    /// For work in bulk alone.
    pub(crate) bulk: bool,
}

/// A connection in use. Dropped inside a transaction, or while an answer is awaited, the connection is closed, which rolls back.
pub struct Session {
    pub(crate) connection: Option<Connection>,
    pub(crate) database: Database,
    pub(crate) permit: Option<OwnedSemaphorePermit>,
    pub(crate) usage: Arc<Usage>,
}

impl Session {
    /// One statement, one round trip.
    pub async fn rows(&mut self, statement: Statement) -> Result<Vec<Row>, DbError> {
        let mut answers = self.send(vec![statement]).await?;
        Ok(answers.pop().unwrap_or_default())
    }

    /// Several statements in one round trip: one transaction, or part of the one that is open. What is refused undoes those
    /// before it.
    pub async fn batch(&mut self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, DbError> {
        self.send(statements).await
    }

    /// The same where answers are large: each row is taken as it comes, with the number of its statement, while the server
    /// still reads those after it.
    pub async fn each(
        &mut self,
        statements: Vec<Statement>,
        mut take: impl FnMut(usize, Row),
    ) -> Result<(), DbError> {
        let started = now();
        let mut rows = 0;
        let count = |number, row| {
            rows += 1;
            take(number, row);
        };
        let ended = self.wire()?.exchange_each(statements.iter(), count).await;
        self.usage.count(started, statements.len(), rows);
        ended?.refused.map_or(Ok(()), Err)
    }

    /// Opens a transaction and sends the statements with it: one round trip.
    pub async fn begin(&mut self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, DbError> {
        let mut all = vec![Statement::new("begin")];
        all.extend(statements);
        let mut answers = self.send(all).await?;
        answers.remove(0);
        Ok(answers)
    }

    /// Sends the statements and commits the open transaction: one round trip. On error nothing of it remains.
    pub async fn commit(&mut self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, DbError> {
        let mut all = statements;
        all.push(Statement::new("commit"));
        match self.send(all).await {
            Ok(mut answers) => {
                answers.pop();
                Ok(answers)
            }
            Err(refused) => {
                self.rollback().await?;
                Err(refused)
            }
        }
    }

    /// A whole transaction in one round trip.
    pub async fn transaction(&mut self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, DbError> {
        let mut all = vec![Statement::new("begin")];
        all.extend(statements);
        let mut answers = self.commit(all).await?;
        answers.remove(0);
        Ok(answers)
    }

    /// Ends the open transaction without a trace.
    pub async fn rollback(&mut self) -> Result<(), DbError> {
        if self.wire()?.is_in_transaction() {
            self.send(vec![Statement::new("rollback")]).await?;
        }
        Ok(())
    }

    /// A statement whose text depends on the request: parsed and planned for this one use.
    pub async fn once(&mut self, sql: &Sql) -> Result<Vec<Row>, DbError> {
        let started = now();
        let answers = self.wire()?.once(sql).await;
        let mut rows = self.counted(started, 1, answers)?;
        Ok(rows.pop().unwrap_or_default())
    }

    /// Opens a transaction, and in it a statement of which so many rows are read at first; the others wait in the database until
    /// they are fetched. Whether there may be more. The transaction is the caller's to end.
    pub async fn open(&mut self, sql: &Sql, most: i32, rows: &mut Vec<Row>) -> Result<bool, DbError> {
        let (started, before) = (now(), rows.len());
        let more = self.wire()?.open(sql, most, rows).await;
        self.usage.count(started, 2, rows.len() - before);
        more
    }

    /// More rows of the statement that was opened.
    pub async fn fetch(&mut self, most: i32, rows: &mut Vec<Row>) -> Result<bool, DbError> {
        let (started, before) = (now(), rows.len());
        let more = self.wire()?.fetch(most, rows).await;
        self.usage.count(started, 1, rows.len() - before);
        more
    }

    /// Statements without values, many in one text: for creating schemas.
    pub async fn script(&mut self, sql: &str) -> Result<(), DbError> {
        let started = now();
        let done = self.wire()?.script(sql).await;
        self.usage.count(started, 1, 0);
        done
    }

    /// Notes that a search reads whole tables for so many of its fields.
    pub fn count_unindexed(&self, fields: usize) {
        self.usage.unindexed.fetch_add(fields as u64, Ordering::Relaxed);
    }

    pub(crate) fn wire(&mut self) -> Result<&mut Wire, DbError> {
        let connection = self.connection.as_mut().map(|connection| &mut connection.wire);
        connection.ok_or_else(|| DbError::Lost("the connection was given back".into()))
    }

    async fn send(&mut self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, DbError> {
        let started = now();
        let answers = self.wire()?.exchange(statements.iter()).await;
        self.counted(started, statements.len(), answers)
    }

    fn counted(
        &self,
        started: Instant,
        statements: usize,
        answers: Result<Answers, DbError>,
    ) -> Result<Vec<Vec<Row>>, DbError> {
        let rows = answers.as_ref().map_or(0, |answers| answers.rows.iter().map(Vec::len).sum());
        self.usage.count(started, statements, rows);
        answers?.all()
    }
}

#[expect(clippy::disallowed_methods, reason = "measures how long the database takes")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

impl Drop for Session {
    fn drop(&mut self) {
        let permit = self.permit.take();
        if let Some(connection) = self.connection.take().filter(|connection| connection.wire.is_idle()) {
            self.database.give_back(connection);
        }
        drop(permit);
    }
}
