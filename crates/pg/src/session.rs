//! One connection, lent to one request, with the tenant's schema on its search path.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::connection::{Connection, with_timeout};
use crate::lender::Lender;
use crate::replicas::{POSITION, Replica};
use crate::shares::Permit;
use crate::statement::{self, may_have_lasting_effect};
use crate::usage::now;
use crate::wire::{ResultSets, Wire};
use crate::{DbError, FromRows, Position, Row, Sql, Statement, Usage, Work, slow};

/// Marks for [`Usage`] that a request has a connection or waits for one, until it is dropped.
pub(crate) struct HeldConnection {
    usage: Arc<Usage>,
}

impl HeldConnection {
    pub(crate) fn new(usage: &Arc<Usage>) -> HeldConnection {
        usage.count_lent();
        HeldConnection { usage: Arc::clone(usage) }
    }
}

impl Drop for HeldConnection {
    fn drop(&mut self) {
        self.usage.count_returned();
    }
}

/// A connection in use. Dropped inside a transaction, or while an answer is awaited, the connection is closed, which rolls back.
pub struct Session {
    pub(crate) connection: Option<Connection>,
    pub(crate) lender: Arc<Lender>,
    pub(crate) permit: Option<Permit>,
    pub(crate) held: Option<HeldConnection>,
    pub(crate) usage: Arc<Usage>,
    pub(crate) work: Work,
    pub(crate) limit: Option<Duration>,
    /// The replica to which the connection leads; `None` for the database itself.
    pub(crate) replica: Option<Arc<Replica>>,
    /// For an enclosed database: whether this session has begun a savepoint.
    has_savepoint: bool,
}

/// In an enclosed database these stand for the begin, commit and rollback of a transaction, and enclose each batch outside of one.
const SAVEPOINT: &str = "savepoint nested";
const RELEASE_SAVEPOINT: &str = "release savepoint nested";
const UNDO_SAVEPOINT: &str = "rollback to savepoint nested; release savepoint nested";

impl Session {
    /// Waits a while for a connection when all are lent.
    pub(crate) async fn from_lender(
        lender: &Arc<Lender>,
        schema: &str,
        usage: Arc<Usage>,
    ) -> Result<Session, DbError> {
        let held = Some(HeldConnection::new(&usage));
        let (connection, permit, limit) = lender.lend(schema, &usage).await?;
        let (connection, permit, work) = (Some(connection), Some(permit), usage.purpose().0);
        Ok(Session {
            connection,
            lender: Arc::clone(lender),
            permit,
            held,
            usage,
            work,
            limit,
            replica: None,
            has_savepoint: false,
        })
    }

    pub(crate) async fn from_replica(
        replica: &Arc<Replica>,
        schema: &str,
        usage: Arc<Usage>,
    ) -> Result<Session, DbError> {
        let mut session = Session::from_lender(&replica.lender, schema, usage).await?;
        if let Some(connection) = &mut session.connection {
            replica.check_new_connection(connection).await?;
        }
        session.replica = Some(Arc::clone(replica));
        Ok(session)
    }

    /// One statement, one round trip.
    pub async fn rows(&mut self, statement: Statement) -> Result<Vec<Row>, DbError> {
        let mut answers = self.batch(vec![statement]).await?;
        Ok(answers.pop().unwrap_or_default())
    }

    /// One statement, one round trip. `T` is a `Vec` for all of its rows, an `Option` for the first.
    pub async fn read<T: for<'a> FromRows<'a>>(&mut self, statement: Statement) -> Result<T, DbError> {
        Ok(T::read(&self.rows(statement).await?))
    }

    /// Several statements in one round trip: one transaction, or part of the one that is open. A refused statement undoes those
    /// before it.
    pub async fn batch(&mut self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, DbError> {
        match self.is_enclosed() && !self.has_savepoint {
            true => self.batch_in_savepoint(statements).await,
            false => self.exchange_statements(statements).await,
        }
    }

    async fn exchange_statements(&mut self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, DbError> {
        let started = now();
        let (limit, asked) = (self.limit, statements.len());
        let in_transaction = self.wire()?.is_in_transaction();
        let lasts = may_have_lasting_effect(in_transaction, &statements);
        let mut answers = with_timeout(limit, asked, self.wire()?.exchange(statements.iter())).await;
        // PostgreSQL may have ended the connection, for example by a restart. What a replica does not answer, the primary is asked.
        let is_asked_again = !in_transaction && !lasts && !self.is_enclosed() && self.replica.is_none();
        if is_asked_again && is_connection_lost(&answers) {
            self.reconnect().await?;
            answers = with_timeout(limit, asked, self.wire()?.exchange(statements.iter())).await;
        }
        slow::log_if_slow(self.work, started.elapsed(), &statements);
        let answered = self.count_answers(started, asked, answers);
        self.note_outcome(lasts, answered)
    }

    /// Takes another connection instead of one that was lost; nothing of what was done on that one is needed.
    async fn reconnect(&mut self) -> Result<(), DbError> {
        let schema = self.connection.take().map(|connection| connection.schema).unwrap_or_default();
        let permit = self.permit.as_mut();
        let permit = permit.ok_or_else(|| DbError::Lost("the connection was given back".into()))?;
        self.usage.count_repeat();
        self.connection = Some(self.lender.connect(&schema, &self.usage, permit).await?);
        Ok(())
    }

    fn is_enclosed(&self) -> bool {
        self.lender.connections.is_enclosed
    }

    /// A batch between savepoints: a refusal undoes the batch, and the transaction around it goes on.
    async fn batch_in_savepoint(&mut self, mut statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, DbError> {
        let asked = statements.len();
        statements.insert(0, Statement::new(SAVEPOINT));
        statements.push(Statement::new(RELEASE_SAVEPOINT));
        match self.exchange_statements(statements).await {
            Ok(mut answers) => {
                answers.remove(0);
                answers.truncate(asked);
                Ok(answers)
            }
            Err(refused) => {
                self.script(UNDO_SAVEPOINT).await?;
                Err(refused)
            }
        }
    }

    /// Like `batch`, for large answers: each row is given to `take` as it comes, with the number of its statement, while the
    /// server still reads those after it.
    pub async fn for_each_row(
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
        let (limit, asked) = (self.limit, statements.len());
        let lasts = may_have_lasting_effect(self.wire()?.is_in_transaction(), &statements);
        let ended = with_timeout(limit, asked, self.wire()?.exchange_each(statements.iter(), count)).await;
        self.usage.count_round_trip(started, asked, rows);
        let ended = self.note_error(ended.and_then(|ended| ended.refused.map_or(Ok(()), Err)));
        self.note_outcome(lasts, ended)
    }

    /// Opens a transaction and sends the statements with it: one round trip.
    pub async fn begin(&mut self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, DbError> {
        let mut answers = match self.is_enclosed() {
            true => {
                self.has_savepoint = true;
                self.exchange_statements(with_begin(SAVEPOINT, statements)).await?
            }
            false => self.exchange_statements(with_begin("begin", statements)).await?,
        };
        answers.remove(0);
        Ok(answers)
    }

    /// Sends the statements and commits the open transaction: one round trip. On error nothing of it remains. Those that run
    /// after the commit come last and have no answer.
    pub async fn commit(&mut self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, DbError> {
        let mut all = statements;
        let after: Vec<Statement> = all.extract_if(.., |statement| statement.after_commit).collect();
        let (answered, tells) = (all.len(), self.asks_position());
        all.push(Statement::new(if self.is_enclosed() { RELEASE_SAVEPOINT } else { "commit" }));
        all.extend(after);
        if tells {
            all.push(Statement::new(POSITION));
        }
        match self.exchange_statements(all).await {
            Ok(mut answers) => {
                self.has_savepoint = false;
                if let Some(row) = answers.last().filter(|_| tells).and_then(|rows| rows.first()) {
                    self.usage.lateness.note_commit(Position::from_bytes(row.long(0)));
                }
                answers.truncate(answered);
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
        let begin = if self.is_enclosed() { SAVEPOINT } else { "begin" };
        self.has_savepoint = self.is_enclosed();
        let mut answers = self.commit(with_begin(begin, statements)).await?;
        answers.remove(0);
        Ok(answers)
    }

    /// Rolls the open transaction back, if there is one.
    pub async fn rollback(&mut self) -> Result<(), DbError> {
        if self.is_enclosed() {
            if std::mem::take(&mut self.has_savepoint) {
                self.script(UNDO_SAVEPOINT).await?;
            }
        } else if self.wire()?.is_in_transaction() {
            let before = self.usage.lateness.write_state();
            self.exchange_statements(vec![Statement::new("rollback")]).await?;
            self.usage.lateness.restore_write_state(before);
        }
        Ok(())
    }

    /// Whether locks that the next statements take are held until a transaction ends.
    pub fn is_in_transaction(&mut self) -> Result<bool, DbError> {
        Ok(self.wire()?.is_in_transaction())
    }

    /// A statement whose text depends on the request: parsed and planned for this one use.
    pub async fn read_once<T: for<'a> FromRows<'a>>(&mut self, sql: &Sql) -> Result<T, DbError> {
        Ok(T::read(&self.rows_once(sql).await?))
    }

    /// Like `read_once`, for callers that read the rows themselves.
    pub async fn rows_once(&mut self, sql: &Sql) -> Result<Vec<Row>, DbError> {
        let guarded = self.is_enclosed() && !self.has_savepoint;
        if guarded {
            self.script(SAVEPOINT).await?;
        }
        let started = now();
        let limit = self.limit;
        let lasts = !self.wire()?.is_in_transaction() && !statement::is_read_only_sql(&sql.text);
        let answers = with_timeout(limit, 1, self.wire()?.run_once(sql)).await;
        let answered = self.count_answers(started, 1, answers);
        let answered = self.note_outcome(lasts, answered);
        if guarded {
            self.script(if answered.is_ok() { RELEASE_SAVEPOINT } else { UNDO_SAVEPOINT }).await?;
        }
        Ok(answered?.pop().unwrap_or_default())
    }

    /// Opens a transaction, and in it a statement of which at most `most` rows are read now; the others wait in the database until
    /// they are fetched. Returns whether there may be more rows. The caller ends the transaction.
    pub async fn open_cursor(&mut self, sql: &Sql, most: i32, rows: &mut Vec<Row>) -> Result<bool, DbError> {
        let (started, before, limit) = (now(), rows.len(), self.limit);
        let more = with_timeout(limit, 1, self.wire()?.open_cursor(sql, most, rows)).await;
        self.usage.count_round_trip(started, 2, rows.len() - before);
        let more = self.note_error(more);
        self.note_outcome(false, more)
    }

    /// Reads at most `most` further rows of the statement that was opened. Returns whether there may be more.
    pub async fn fetch_more(&mut self, most: i32, rows: &mut Vec<Row>) -> Result<bool, DbError> {
        let (started, before, limit) = (now(), rows.len(), self.limit);
        let more = with_timeout(limit, 1, self.wire()?.fetch_more(most, rows)).await;
        self.usage.count_round_trip(started, 1, rows.len() - before);
        let more = self.note_error(more);
        self.note_outcome(false, more)
    }

    /// Statements without values, many in one text: for creating schemas.
    pub async fn script(&mut self, sql: &str) -> Result<(), DbError> {
        let started = now();
        let limit = self.limit;
        let done = with_timeout(limit, 1, self.wire()?.script(sql)).await;
        self.usage.count_round_trip(started, 1, 0);
        let done = self.note_error(done);
        self.note_outcome(true, done)
    }

    /// Waits for something other than the database, and meanwhile gives the connection to other requests. No transaction may be open.
    pub async fn wait_without_connection<T>(&mut self, other: impl Future<Output = T>) -> Result<T, DbError> {
        let schema = self.connection.as_ref().map(|connection| connection.schema.clone()).unwrap_or_default();
        let (lender, usage) = (Arc::clone(&self.lender), Arc::clone(&self.usage));
        usage.mark_touched();
        let replica = self.replica.clone();
        self.release_connection();
        let done = other.await;
        *self = match &replica {
            Some(replica) => {
                Session::from_replica(replica, &schema, Arc::clone(&usage)).await.inspect_err(|error| {
                    if replica.note_failure(error) {
                        usage.lateness.note_replica_failure();
                    }
                })?
            }
            None => Session::from_lender(&lender, &schema, usage).await?,
        };
        Ok(done)
    }

    fn release_connection(&mut self) {
        let permit = (self.permit.take(), self.held.take());
        let enclosed = self.is_enclosed();
        let whole = |connection: &Connection| {
            connection.wire.is_idle() || (enclosed && connection.wire.is_in_transaction())
        };
        if let Some(connection) = self.connection.take().filter(whole) {
            self.lender.connections.give_back(connection);
        }
        drop(permit);
    }

    /// Counts the fields of a search for which whole tables are read.
    pub fn count_unindexed(&self, fields: usize) {
        self.usage.unindexed.fetch_add(fields as u64, Ordering::Relaxed);
    }

    /// Counts a search that was refused because it would read too much.
    pub fn count_too_costly(&self) {
        self.usage.too_costly.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether it reads from a replica, which may be late.
    pub fn reads_from_replica(&self) -> bool {
        self.replica.is_some()
    }

    /// Whether a commit also asks for its log position.
    fn asks_position(&self) -> bool {
        self.lender.has_replicas.load(Ordering::Relaxed) && !self.is_enclosed()
    }

    /// Notes whether the statements may have changed something that lasts. If they cannot have, a lost connection is reported as `Undone`.
    fn note_outcome<T>(&self, lasts: bool, outcome: Result<T, DbError>) -> Result<T, DbError> {
        match outcome {
            // The statement was refused, and with it its transaction.
            Err(error) if !lasts || error.has_code(DbError::READS_ONLY) => Err(error.into_undone()),
            outcome => {
                let undone = outcome.as_ref().is_err_and(|error| error.is_refusal());
                if lasts && !undone {
                    self.usage.mark_touched();
                }
                outcome
            }
        }
    }

    fn note_error<T>(&self, outcome: Result<T, DbError>) -> Result<T, DbError> {
        if self.asks_position() && self.connection.as_ref().is_none_or(|one| one.wire.is_idle()) {
            self.usage.lateness.note_possible_write();
        }
        outcome.inspect_err(|error| {
            self.lender.refusals.count_error(self.work, error);
            if self.replica.as_ref().is_some_and(|replica| replica.note_failure(error)) {
                self.usage.lateness.note_replica_failure();
            }
        })
    }

    pub(crate) fn wire(&mut self) -> Result<&mut Wire, DbError> {
        let connection = self.connection.as_mut().map(|connection| &mut connection.wire);
        connection.ok_or_else(|| DbError::Lost("the connection was given back".into()))
    }

    fn count_answers(
        &self,
        started: Instant,
        statements: usize,
        answers: Result<ResultSets, DbError>,
    ) -> Result<Vec<Vec<Row>>, DbError> {
        let rows = answers.as_ref().map_or(0, |answers| answers.rows.iter().map(Vec::len).sum());
        self.usage.count_round_trip(started, statements, rows);
        self.note_error(answers.and_then(ResultSets::into_rows))
    }
}

fn is_connection_lost(answers: &Result<ResultSets, DbError>) -> bool {
    match answers {
        Ok(sets) => sets.refused.as_ref().is_some_and(DbError::is_loss),
        Err(error) => error.is_loss(),
    }
}

/// The statements behind the one that opens a transaction.
fn with_begin(begin: &'static str, mut statements: Vec<Statement>) -> Vec<Statement> {
    statements.insert(0, Statement::new(begin));
    statements
}

impl Drop for Session {
    fn drop(&mut self) {
        self.release_connection();
    }
}
