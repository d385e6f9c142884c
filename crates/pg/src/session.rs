//! One connection, lent to one request, with the tenant's schema on its search path.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::connection::{Connection, in_time};
use crate::lender::Lender;
use crate::replicas::{POSITION, Replica};
use crate::shares::Permit;
use crate::statement::{self, may_last};
use crate::usage::now;
use crate::wire::{ResultSets, Wire};
use crate::{DbError, FromRows, Position, Row, Sql, Statement, Usage, Work, slow};

/// Marks for [`Usage`] that a request has a connection or waits for one, until it is dropped.
pub(crate) struct Held {
    usage: Arc<Usage>,
}

impl Held {
    pub(crate) fn new(usage: &Arc<Usage>) -> Held {
        usage.hold();
        Held { usage: Arc::clone(usage) }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.usage.let_go();
    }
}

/// A connection in use. Dropped inside a transaction, or while an answer is awaited, the connection is closed, which rolls back.
pub struct Session {
    pub(crate) connection: Option<Connection>,
    pub(crate) lender: Arc<Lender>,
    pub(crate) permit: Option<Permit>,
    pub(crate) held: Option<Held>,
    pub(crate) usage: Arc<Usage>,
    pub(crate) work: Work,
    pub(crate) limit: Option<Duration>,
    /// The replica to which the connection leads; `None` for the database itself.
    pub(crate) replica: Option<Arc<Replica>>,
    /// Of an enclosed database: whether this session has begun a savepoint.
    nested: bool,
}

/// What stands for a transaction in an enclosed database, and for each batch outside of one.
const SAVE: &str = "savepoint nested";
const RELEASE: &str = "release savepoint nested";
const UNDO: &str = "rollback to savepoint nested; release savepoint nested";

impl Session {
    /// Waits a while for a connection when all are lent.
    pub(crate) async fn lent(
        lender: &Arc<Lender>,
        schema: &str,
        usage: Arc<Usage>,
    ) -> Result<Session, DbError> {
        let held = Some(Held::new(&usage));
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
            nested: false,
        })
    }

    pub(crate) async fn of_replica(
        replica: &Arc<Replica>,
        schema: &str,
        usage: Arc<Usage>,
    ) -> Result<Session, DbError> {
        let mut session = Session::lent(&replica.lender, schema, usage).await?;
        if let Some(connection) = &mut session.connection {
            replica.prove(connection).await?;
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
        match self.is_enclosed() && !self.nested {
            true => self.saved(statements).await,
            false => self.exchanged(statements).await,
        }
    }

    async fn exchanged(&mut self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, DbError> {
        let started = now();
        let (limit, asked) = (self.limit, statements.len());
        let in_transaction = self.wire()?.is_in_transaction();
        let lasts = may_last(in_transaction, &statements);
        let mut answers = in_time(limit, asked, self.wire()?.exchange(statements.iter())).await;
        // PostgreSQL may have ended the connection, for example by a restart. What a replica does not answer, the primary is asked.
        let is_asked_again = !in_transaction && !lasts && !self.is_enclosed() && self.replica.is_none();
        if is_asked_again && was_lost(&answers) {
            self.connect_anew().await?;
            answers = in_time(limit, asked, self.wire()?.exchange(statements.iter())).await;
        }
        slow::tell(self.work, started.elapsed(), &statements);
        let answered = self.counted(started, asked, answers);
        self.settled(lasts, answered)
    }

    /// Takes another connection instead of one that was lost; nothing of what was done on that one is needed.
    async fn connect_anew(&mut self) -> Result<(), DbError> {
        let schema = self.connection.take().map(|connection| connection.schema).unwrap_or_default();
        let permit = self.permit.as_mut();
        let permit = permit.ok_or_else(|| DbError::Lost("the connection was given back".into()))?;
        self.usage.count_repeat();
        self.connection = Some(self.lender.connected(&schema, &self.usage, permit).await?);
        Ok(())
    }

    fn is_enclosed(&self) -> bool {
        self.lender.connections.enclosed
    }

    /// A batch between savepoints: a refusal undoes the batch, and the transaction around it goes on.
    async fn saved(&mut self, mut statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, DbError> {
        let asked = statements.len();
        statements.insert(0, Statement::new(SAVE));
        statements.push(Statement::new(RELEASE));
        match self.exchanged(statements).await {
            Ok(mut answers) => {
                answers.remove(0);
                answers.truncate(asked);
                Ok(answers)
            }
            Err(refused) => {
                self.script(UNDO).await?;
                Err(refused)
            }
        }
    }

    /// Like `batch`, for large answers: each row is given to `take` as it comes, with the number of its statement, while the
    /// server still reads those after it.
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
        let (limit, asked) = (self.limit, statements.len());
        let lasts = may_last(self.wire()?.is_in_transaction(), &statements);
        let ended = in_time(limit, asked, self.wire()?.exchange_each(statements.iter(), count)).await;
        self.usage.count(started, asked, rows);
        let ended = self.noted(ended.and_then(|ended| ended.refused.map_or(Ok(()), Err)));
        self.settled(lasts, ended)
    }

    /// Opens a transaction and sends the statements with it: one round trip.
    pub async fn begin(&mut self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, DbError> {
        let mut answers = match self.is_enclosed() {
            true => {
                self.nested = true;
                self.exchanged(begun(SAVE, statements)).await?
            }
            false => self.exchanged(begun("begin", statements)).await?,
        };
        answers.remove(0);
        Ok(answers)
    }

    /// Sends the statements and commits the open transaction: one round trip. On error nothing of it remains. Those that run
    /// after the commit come last and have no answer.
    pub async fn commit(&mut self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, DbError> {
        let mut all = statements;
        let after: Vec<Statement> = all.extract_if(.., |statement| statement.after_commit).collect();
        let (answered, tells) = (all.len(), self.tells_position());
        all.push(Statement::new(if self.is_enclosed() { RELEASE } else { "commit" }));
        all.extend(after);
        if tells {
            all.push(Statement::new(POSITION));
        }
        match self.exchanged(all).await {
            Ok(mut answers) => {
                self.nested = false;
                if let Some(row) = answers.last().filter(|_| tells).and_then(|rows| rows.first()) {
                    self.usage.lateness.wrote(Position::of(row.long(0)));
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
        let begin = if self.is_enclosed() { SAVE } else { "begin" };
        self.nested = self.is_enclosed();
        let mut answers = self.commit(begun(begin, statements)).await?;
        answers.remove(0);
        Ok(answers)
    }

    /// Rolls the open transaction back, if there is one.
    pub async fn rollback(&mut self) -> Result<(), DbError> {
        if self.is_enclosed() {
            if std::mem::take(&mut self.nested) {
                self.script(UNDO).await?;
            }
        } else if self.wire()?.is_in_transaction() {
            let before = self.usage.lateness.written();
            self.exchanged(vec![Statement::new("rollback")]).await?;
            self.usage.lateness.wrote_only(before);
        }
        Ok(())
    }

    /// A statement whose text depends on the request: parsed and planned for this one use.
    pub async fn read_once<T: for<'a> FromRows<'a>>(&mut self, sql: &Sql) -> Result<T, DbError> {
        Ok(T::read(&self.once(sql).await?))
    }

    /// Like `read_once`, for callers that read the rows themselves.
    pub async fn once(&mut self, sql: &Sql) -> Result<Vec<Row>, DbError> {
        let guarded = self.is_enclosed() && !self.nested;
        if guarded {
            self.script(SAVE).await?;
        }
        let started = now();
        let limit = self.limit;
        let lasts = !self.wire()?.is_in_transaction() && !statement::reads(&sql.text);
        let answers = in_time(limit, 1, self.wire()?.once(sql)).await;
        let answered = self.counted(started, 1, answers);
        let answered = self.settled(lasts, answered);
        if guarded {
            self.script(if answered.is_ok() { RELEASE } else { UNDO }).await?;
        }
        Ok(answered?.pop().unwrap_or_default())
    }

    /// Opens a transaction, and in it a statement of which at most `most` rows are read now; the others wait in the database until
    /// they are fetched. Returns whether there may be more rows. The caller ends the transaction.
    pub async fn open(&mut self, sql: &Sql, most: i32, rows: &mut Vec<Row>) -> Result<bool, DbError> {
        let (started, before, limit) = (now(), rows.len(), self.limit);
        let more = in_time(limit, 1, self.wire()?.open(sql, most, rows)).await;
        self.usage.count(started, 2, rows.len() - before);
        let more = self.noted(more);
        self.settled(false, more)
    }

    /// Reads at most `most` further rows of the statement that was opened. Returns whether there may be more.
    pub async fn fetch(&mut self, most: i32, rows: &mut Vec<Row>) -> Result<bool, DbError> {
        let (started, before, limit) = (now(), rows.len(), self.limit);
        let more = in_time(limit, 1, self.wire()?.fetch(most, rows)).await;
        self.usage.count(started, 1, rows.len() - before);
        let more = self.noted(more);
        self.settled(false, more)
    }

    /// Statements without values, many in one text: for creating schemas.
    pub async fn script(&mut self, sql: &str) -> Result<(), DbError> {
        let started = now();
        let limit = self.limit;
        let done = in_time(limit, 1, self.wire()?.script(sql)).await;
        self.usage.count(started, 1, 0);
        let done = self.noted(done);
        self.settled(true, done)
    }

    /// Waits for something else than the database, and leaves the connection to others meanwhile. There is no open transaction.
    pub async fn meanwhile<T>(&mut self, other: impl Future<Output = T>) -> Result<T, DbError> {
        let schema = self.connection.as_ref().map(|connection| connection.schema.clone()).unwrap_or_default();
        let (lender, usage) = (Arc::clone(&self.lender), Arc::clone(&self.usage));
        usage.touch();
        let replica = self.replica.clone();
        self.leave();
        let done = other.await;
        *self = match &replica {
            Some(replica) => {
                Session::of_replica(replica, &schema, Arc::clone(&usage)).await.inspect_err(|error| {
                    if replica.failed(error) {
                        usage.lateness.let_down();
                    }
                })?
            }
            None => Session::lent(&lender, &schema, usage).await?,
        };
        Ok(done)
    }

    fn leave(&mut self) {
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
    pub fn is_late(&self) -> bool {
        self.replica.is_some()
    }

    /// Whether a commit asks where in the log it stands.
    fn tells_position(&self) -> bool {
        self.lender.is_copied.load(Ordering::Relaxed) && !self.is_enclosed()
    }

    /// Notes whether what was asked for may last. If it cannot, the loss of the connection is told of as `Undone`.
    fn settled<T>(&self, lasts: bool, outcome: Result<T, DbError>) -> Result<T, DbError> {
        match outcome {
            // The statement was refused, and with it its transaction.
            Err(error) if !lasts || error.is(DbError::READS_ONLY) => Err(error.undone()),
            outcome => {
                let undone = outcome.as_ref().is_err_and(|error| error.is_refusal());
                if lasts && !undone {
                    self.usage.touch();
                }
                outcome
            }
        }
    }

    fn noted<T>(&self, outcome: Result<T, DbError>) -> Result<T, DbError> {
        if self.tells_position() && self.connection.as_ref().is_none_or(|one| one.wire.is_idle()) {
            self.usage.lateness.may_write();
        }
        outcome.inspect_err(|error| {
            self.lender.refusals.note(self.work, error);
            if self.replica.as_ref().is_some_and(|replica| replica.failed(error)) {
                self.usage.lateness.let_down();
            }
        })
    }

    pub(crate) fn wire(&mut self) -> Result<&mut Wire, DbError> {
        let connection = self.connection.as_mut().map(|connection| &mut connection.wire);
        connection.ok_or_else(|| DbError::Lost("the connection was given back".into()))
    }

    fn counted(
        &self,
        started: Instant,
        statements: usize,
        answers: Result<ResultSets, DbError>,
    ) -> Result<Vec<Vec<Row>>, DbError> {
        let rows = answers.as_ref().map_or(0, |answers| answers.rows.iter().map(Vec::len).sum());
        self.usage.count(started, statements, rows);
        self.noted(answers.and_then(ResultSets::all))
    }
}

fn was_lost(answers: &Result<ResultSets, DbError>) -> bool {
    match answers {
        Ok(sets) => sets.refused.as_ref().is_some_and(DbError::is_loss),
        Err(error) => error.is_loss(),
    }
}

/// The statements behind the one that opens a transaction.
fn begun(begin: &'static str, mut statements: Vec<Statement>) -> Vec<Statement> {
    statements.insert(0, Statement::new(begin));
    statements
}

impl Drop for Session {
    fn drop(&mut self) {
        self.leave();
    }
}
