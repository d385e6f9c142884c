//! Connections that many requests use at once, for reads by a key.
//!
//! Such a read takes PostgreSQL less time than waking up for it. Those that come while every connection is busy wait
//! together and travel together next: each is still one round trip, but the server wakes once for all of them and sends one
//! answer. No task stands between: whoever finds a connection free uses it, and the first of those who travel together
//! reads the answers for all. Nothing that may take long or opens a transaction belongs here: the others would wait for it.

use std::collections::VecDeque;
use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use std::vec::IntoIter;

use tokio::runtime::Handle;
use tokio::sync::oneshot::{self, Receiver, Sender};

use crate::connections::Connections;
use crate::session::in_time;
use crate::usage::{Usage, now};
use crate::wire::{Fresh, Wire};
use crate::{DbError, Row, Statement};

/// So many reads travel together at most.
const TOGETHER: usize = 32;
/// Connections, beside those that are lent. As many as it takes to keep a small machine's cores busy.
const CONNECTIONS: usize = 2;

type Rows = Result<Vec<Row>, DbError>;

pub(crate) struct Shared {
    connections: Arc<Connections>,
    /// So long PostgreSQL may work on one statement.
    limit: Option<Duration>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    free: Vec<Wire>,
    /// So many are being used or opened. Somebody waits only while there is one.
    busy: usize,
    waiting: VecDeque<Asked>,
}

struct Asked {
    statement: Statement,
    answer: Sender<Told>,
}

enum Told {
    Rows(Rows),
    /// Read the answers, those of the others too.
    Lead(Lead),
}

/// Reads that travel together: the leader's own is the first, the answers of the others are sent to them.
struct Journey {
    statements: Vec<Statement>,
    /// So many are answered.
    done: usize,
    own: Option<Rows>,
    others: IntoIter<Sender<Told>>,
}

/// A journey in somebody's hands. Whoever drops it has gone, so it ends by itself: the others wait for their answers.
struct Lead(Option<Pin<Box<dyn Future<Output = Rows> + Send>>>);

impl Shared {
    pub(crate) fn new(connections: Arc<Connections>, limit: Option<Duration>) -> Arc<Shared> {
        Arc::new(Shared { connections, limit, state: Mutex::default() })
    }

    /// Says farewell on connections that nobody uses.
    pub(crate) fn close(&self) {
        self.state().free.clear();
    }

    async fn open(&self) -> Result<Wire, DbError> {
        let mut wire = self.connections.open_shared().await?;
        if let Some(limit) = self.limit {
            wire.say_first(&format!("set statement_timeout = {}", limit.as_millis()))?;
        }
        Ok(wire)
    }

    pub(crate) async fn rows(self: &Arc<Shared>, statement: Statement, usage: &Usage) -> Rows {
        let started = now();
        let rows = match self.enter(statement) {
            Ok(lead) => lead.await,
            Err(answered) => match answered.await {
                Ok(Told::Rows(rows)) => rows,
                Ok(Told::Lead(lead)) => lead.await,
                Err(_) => Err(ended()),
            },
        };
        usage.count(started, 1, rows.as_ref().map_or(0, Vec::len));
        rows
    }

    /// A journey of one's own, or a place to wait at.
    fn enter(self: &Arc<Shared>, statement: Statement) -> Result<Lead, Receiver<Told>> {
        let mut state = self.state();
        state.free.retain_mut(Wire::is_alive);
        let wire = state.free.pop();
        if wire.is_none() && state.busy == CONNECTIONS {
            let (answer, answered) = oneshot::channel();
            state.waiting.push_back(Asked { statement, answer });
            return Err(answered);
        }
        state.busy += 1;
        drop(state);
        Ok(self.lead(wire, Journey::of(vec![statement], Vec::new())))
    }

    /// Sends the statements off; their answers are read by whoever holds what this returns.
    fn lead(self: &Arc<Shared>, wire: Option<Wire>, journey: Journey) -> Lead {
        let shared = Arc::clone(self);
        let begun = wire.map(|mut wire| {
            let fresh = wire.begin(journey.statements.iter());
            (wire, fresh)
        });
        Lead(Some(Box::pin(async move {
            match journey.travel(begun, &shared).await {
                Ok((wire, own)) => {
                    shared.pass_on(wire);
                    own
                }
                Err(error) => {
                    shared.lost();
                    Err(error)
                }
            }
        })))
    }

    /// Those who waited meanwhile are next.
    fn pass_on(self: &Arc<Shared>, wire: Wire) {
        let mut state = self.state();
        let together = state.waiting.len().min(TOGETHER);
        let mut waiting = state.waiting.drain(..together);
        let Some(leader) = waiting.next() else {
            drop(waiting);
            state.busy -= 1;
            if !self.connections.is_closed() && !wire.is_worn() {
                state.free.push(wire);
            }
            return;
        };
        let (mut statements, mut others) = (vec![leader.statement], Vec::with_capacity(together - 1));
        for Asked { statement, answer } in waiting {
            statements.push(statement);
            others.push(answer);
        }
        drop(state);
        // Whoever has gone returns the lead by not taking it.
        let _ = leader.answer.send(Told::Lead(self.lead(Some(wire), Journey::of(statements, others))));
    }

    /// Without any connection nobody waits on.
    fn lost(&self) {
        let mut state = self.state();
        state.busy -= 1;
        if state.busy == 0 {
            let waiting = mem::take(&mut state.waiting);
            drop(state);
            drop(waiting);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Journey {
    fn of(statements: Vec<Statement>, others: Vec<Sender<Told>>) -> Journey {
        Journey { statements, done: 0, own: None, others: others.into_iter() }
    }

    /// A server that was away may have ended the connection while nobody asked. Reading twice does no harm, so that those
    /// who ask first after that need not know; over a connection that is new it is no accident.
    async fn travel(
        mut self,
        begun: Option<(Wire, Result<Fresh, DbError>)>,
        shared: &Shared,
    ) -> Result<(Wire, Rows), DbError> {
        if let Some((mut wire, fresh)) = begun {
            match self.end_in_time(&mut wire, fresh, shared.limit).await {
                Ok(()) => return Ok((wire, self.own.unwrap_or_else(|| Err(ended())))),
                // Nor would it say more to another.
                Err(DbError::Silent) => return Err(DbError::Silent),
                Err(error) => tracing::warn!(%error, "a database connection ended"),
            }
        }
        let mut wire = shared.open().await?;
        let fresh = wire.begin(self.statements[self.done..].iter());
        self.end_in_time(&mut wire, fresh, shared.limit).await.map_err(|error| error.away())?;
        Ok((wire, self.own.unwrap_or_else(|| Err(ended()))))
    }

    async fn end_in_time(
        &mut self,
        wire: &mut Wire,
        begun: Result<Fresh, DbError>,
        limit: Option<Duration>,
    ) -> Result<(), DbError> {
        in_time(limit, self.statements.len(), self.end(wire, begun)).await
    }

    /// Reads what everybody asked for; what the others did is sent to them.
    async fn end(&mut self, wire: &mut Wire, begun: Result<Fresh, DbError>) -> Result<(), DbError> {
        let mut fresh = begun?;
        loop {
            let answers = wire.answers(fresh).await?;
            for rows in answers.rows.into_iter().map(Ok).chain(answers.refused.map(Err)) {
                self.done += 1;
                if self.own.is_none() {
                    self.own = Some(rows);
                } else if let Some(other) = self.others.next() {
                    // Whoever asked may have gone.
                    let _ = other.send(Told::Rows(rows));
                }
            }
            match self.statements.get(self.done..) {
                // Those behind one that was refused are asked again.
                Some(rest) if !rest.is_empty() => fresh = wire.begin(rest.iter())?,
                _ => return Ok(()),
            }
        }
    }
}

impl Future for Lead {
    type Output = Rows;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Rows> {
        let Some(journey) = &mut self.0 else { return Poll::Ready(Err(ended())) };
        let rows = std::task::ready!(journey.as_mut().poll(context));
        self.0 = None;
        Poll::Ready(rows)
    }
}

impl Drop for Lead {
    fn drop(&mut self) {
        if let (Some(journey), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            runtime.spawn(journey);
        }
    }
}

/// Whoever only reads has lost nothing with the connection.
fn ended() -> DbError {
    DbError::Away("the connection ended".into())
}
