//! Connections that many requests use at once, for reads by a key.
//!
//! Such a read takes PostgreSQL less time than waking up for it. Reads that come while every connection is busy wait, and are
//! sent together as the next batch: each is still one round trip, but the server wakes once for all of them and sends one
//! answer. No task stands between: a request that finds a connection free uses it, and the request whose read is the first of a
//! batch reads the answers for all. Nothing that may take long or opens a transaction belongs here: the others would wait for it.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use std::vec::IntoIter;

use tokio::runtime::Handle;
use tokio::sync::oneshot::{self, Receiver, Sender};

use crate::connection::with_timeout;
use crate::connections::Connections;
use crate::usage::{Usage, now};
use crate::wire::{NewStatements, Wire};
use crate::{DbError, Row, Statement};

/// The most reads in one batch.
const MAX_BATCH: usize = 32;
/// Shared connections, in addition to those that one request uses at a time. Two keep the cores of a small machine busy.
const CONNECTIONS: usize = 2;
/// How long a read waits where connections are lost, while another one is always being tried.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

type Rows = Result<Vec<Row>, DbError>;

pub(crate) struct SharedConnections {
    connections: Arc<Connections>,
    /// How long PostgreSQL may work on one statement.
    limit: Option<Duration>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    free: Vec<Wire>,
    /// How many connections are in use or being opened. Reads wait only while there is at least one.
    busy: usize,
    waiting: VecDeque<WaitingRead>,
}

struct WaitingRead {
    statement: Statement,
    since: Instant,
    reply: Sender<Reply>,
}

/// What a request that waits for its read is sent.
enum Reply {
    Rows(Rows),
    /// Its read is the first of a batch, so it has to drive that batch.
    Driver(Driver),
}

/// Reads that are sent together. The first is the driver's own; the answers of the others are sent to those who wait for them.
struct ReadBatch {
    statements: Vec<Statement>,
    /// How many statements have been answered.
    done: usize,
    own: Option<Rows>,
    others: IntoIter<Sender<Reply>>,
}

/// The batch's driver; if it is dropped, a task finishes the batch for the other waiters.
struct Driver(Option<Pin<Box<dyn Future<Output = Rows> + Send>>>);

impl SharedConnections {
    pub(crate) fn new(connections: Arc<Connections>, limit: Option<Duration>) -> Arc<SharedConnections> {
        Arc::new(SharedConnections { connections, limit, state: Mutex::default() })
    }

    /// Closes the connections that nobody uses.
    pub(crate) fn close(&self) {
        self.lock_state().free.clear();
    }

    async fn open(&self) -> Result<Wire, DbError> {
        let mut wire = self.connections.open_shared().await?;
        if let Some(limit) = self.limit {
            wire.send_first(&format!("set statement_timeout = {}", limit.as_millis()))?;
        }
        Ok(wire)
    }

    pub(crate) async fn rows(self: &Arc<SharedConnections>, statement: Statement, usage: &Usage) -> Rows {
        let started = now();
        let rows = match self.begin_read(statement, started) {
            Ok(driver) => driver.await,
            Err(replied) => match replied.await {
                Ok(Reply::Rows(rows)) => rows,
                Ok(Reply::Driver(driver)) => driver.await,
                Err(_) => Err(connection_ended()),
            },
        };
        usage.count_round_trip(started, 1, rows.as_ref().map_or(0, Vec::len));
        rows
    }

    /// The driver of a batch of this statement alone if a connection is free; otherwise the channel on which the reply comes.
    fn begin_read(
        self: &Arc<SharedConnections>,
        statement: Statement,
        since: Instant,
    ) -> Result<Driver, Receiver<Reply>> {
        let mut state = self.lock_state();
        state.free.retain_mut(Wire::is_alive);
        let wire = state.free.pop();
        if wire.is_none() && state.busy == CONNECTIONS {
            let (reply, replied) = oneshot::channel();
            state.waiting.push_back(WaitingRead { statement, since, reply });
            return Err(replied);
        }
        state.busy += 1;
        drop(state);
        Ok(self.start_batch(wire, ReadBatch::new(vec![statement], Vec::new())))
    }

    /// Sends the statements, over a new connection if none is given; the driver reads their answers.
    fn start_batch(self: &Arc<SharedConnections>, wire: Option<Wire>, batch: ReadBatch) -> Driver {
        let shared = Arc::clone(self);
        let begun = wire.map(|mut wire| {
            let fresh = wire.begin(batch.statements.iter());
            (wire, fresh)
        });
        Driver(Some(Box::pin(async move {
            match batch.run(begun, &shared).await {
                Ok((wire, own)) => {
                    shared.serve_waiting(wire);
                    own
                }
                Err(error) => {
                    shared.note_lost();
                    Err(error)
                }
            }
        })))
    }

    /// Gives the connection to the reads that waited meanwhile.
    fn serve_waiting(self: &Arc<SharedConnections>, wire: Wire) {
        let mut state = self.lock_state();
        let together = state.waiting.len().min(MAX_BATCH);
        let mut waiting = state.waiting.drain(..together);
        let Some(first) = waiting.next() else {
            drop(waiting);
            state.busy -= 1;
            if !self.connections.is_closed() && !wire.is_worn() {
                state.free.push(wire);
            }
            return;
        };
        let (mut statements, mut others) = (vec![first.statement], Vec::with_capacity(together - 1));
        for WaitingRead { statement, reply, .. } in waiting {
            statements.push(statement);
            others.push(reply);
        }
        drop(state);
        // If that request was given up, the driver is dropped here, and a task finishes the batch.
        let _ =
            first.reply.send(Reply::Driver(self.start_batch(Some(wire), ReadBatch::new(statements, others))));
    }

    /// A connection is gone. If it was the last, reads that wait are ended: no batch would follow that takes them along. Otherwise those are
    /// that have waited for long.
    fn note_lost(&self) {
        let mut state = self.lock_state();
        state.busy -= 1;
        let ended = match state.busy {
            0 => state.waiting.len(),
            _ => state.waiting.iter().take_while(|read| read.since.elapsed() >= LONGEST_WAIT).count(),
        };
        let ended: Vec<WaitingRead> = state.waiting.drain(..ended).collect();
        drop(state);
        drop(ended);
    }

    fn lock_state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ReadBatch {
    fn new(statements: Vec<Statement>, others: Vec<Sender<Reply>>) -> ReadBatch {
        ReadBatch { statements, done: 0, own: None, others: others.into_iter() }
    }

    /// PostgreSQL may have ended an idle connection, for example by a restart. Reading twice does no harm, so the batch is then
    /// tried once more over a new connection.
    async fn run(
        mut self,
        begun: Option<(Wire, Result<NewStatements, DbError>)>,
        shared: &SharedConnections,
    ) -> Result<(Wire, Rows), DbError> {
        if let Some((mut wire, fresh)) = begun {
            match self.read_answers_in_time(&mut wire, fresh, shared.limit).await {
                Ok(()) => return Ok((wire, self.own.unwrap_or_else(|| Err(connection_ended())))),
                // A server that does not answer in time would not answer over another connection either.
                Err(DbError::Silent) => return Err(DbError::Silent),
                Err(error) => tracing::warn!(%error, "a database connection ended"),
            }
        }
        let mut wire = shared.open().await?;
        let fresh = wire.begin(self.statements[self.done..].iter());
        self.read_answers_in_time(&mut wire, fresh, shared.limit).await.map_err(|error| error.to_away())?;
        Ok((wire, self.own.unwrap_or_else(|| Err(connection_ended()))))
    }

    async fn read_answers_in_time(
        &mut self,
        wire: &mut Wire,
        begun: Result<NewStatements, DbError>,
        limit: Option<Duration>,
    ) -> Result<(), DbError> {
        with_timeout(limit, self.statements.len(), self.read_answers(wire, begun)).await
    }

    /// Reads all answers: keeps the driver's own and sends the others on.
    async fn read_answers(
        &mut self,
        wire: &mut Wire,
        begun: Result<NewStatements, DbError>,
    ) -> Result<(), DbError> {
        let mut fresh = begun?;
        loop {
            let answers = wire.answers(fresh).await?;
            for rows in answers.rows.into_iter().map(Ok).chain(answers.refused.map(Err)) {
                self.done += 1;
                if self.own.is_none() {
                    self.own = Some(rows);
                } else if let Some(other) = self.others.next() {
                    // The request may have been given up.
                    let _ = other.send(Reply::Rows(rows));
                }
            }
            match self.statements.get(self.done..) {
                // PostgreSQL skips what follows a refused statement, so the rest is sent again.
                Some(rest) if !rest.is_empty() => fresh = wire.begin(rest.iter())?,
                _ => return Ok(()),
            }
        }
    }
}

impl Future for Driver {
    type Output = Rows;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Rows> {
        let Some(batch) = &mut self.0 else { return Poll::Ready(Err(connection_ended())) };
        let rows = std::task::ready!(batch.as_mut().poll(context));
        self.0 = None;
        Poll::Ready(rows)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if let (Some(batch), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            runtime.spawn(batch);
        }
    }
}

/// A read changes nothing, so a lost connection is reported as if it had not been asked.
fn connection_ended() -> DbError {
    DbError::Away("the connection ended".into())
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot::error::TryRecvError;

    use super::*;
    use crate::access::Access;

    #[test]
    fn a_lost_connection_ends_the_reads_that_have_waited_for_long() {
        let access = Access::from_url("postgresql://octavo@127.0.0.1:1/octavo").unwrap();
        let shared = SharedConnections::new(Connections::new(access, 2, Duration::ZERO), None);
        shared.lock_state().busy = CONNECTIONS;
        let read = |since| shared.begin_read(Statement::new("select 1"), since).err().unwrap();
        let (mut old, mut new) = (read(now() - LONGEST_WAIT), read(now()));
        let is_ended = |read: &mut Receiver<Reply>| matches!(read.try_recv(), Err(TryRecvError::Closed));

        shared.note_lost();
        assert!(is_ended(&mut old) && !is_ended(&mut new));
        // Nobody is left who would take it along.
        shared.note_lost();
        assert!(is_ended(&mut new));
    }
}
