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
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use tokio::runtime::Handle;
use tokio::sync::oneshot::{self, Receiver, Sender};
use tokio_postgres::Config;

use crate::session::{Usage, now};
use crate::wire::{Fresh, Wire};
use crate::{DbError, Row, Statement};

/// So many reads travel together at most.
const TOGETHER: usize = 32;
/// Connections, beside those that are lent. As many as it takes to keep a small machine's cores busy.
const CONNECTIONS: usize = 2;

type Rows = Result<Vec<Row>, DbError>;

pub(crate) struct Shared {
    config: Config,
    /// So many connections were ever opened.
    opened: AtomicU64,
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
    others: Vec<Sender<Told>>,
}

/// A journey in somebody's hands. Whoever drops it has gone, so it ends by itself: the others wait for their answers.
struct Lead(Option<Pin<Box<dyn Future<Output = Rows> + Send>>>);

impl Shared {
    pub(crate) fn new(config: Config) -> Arc<Shared> {
        Arc::new(Shared { config, opened: AtomicU64::default(), state: Mutex::default() })
    }

    pub(crate) fn opened(&self) -> u64 {
        self.opened.load(Ordering::Relaxed)
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
        Ok(self.lead(wire, Journey { statements: vec![statement], others: Vec::new() }))
    }

    /// Sends the statements off; their answers are read by whoever holds what this returns.
    fn lead(self: &Arc<Shared>, wire: Option<Wire>, journey: Journey) -> Lead {
        let shared = Arc::clone(self);
        let begun = wire.map(|mut wire| {
            let fresh = wire.begin(journey.statements.iter());
            (wire, fresh)
        });
        Lead(Some(Box::pin(async move {
            let arrived = match begun {
                Some((wire, fresh)) => journey.end(wire, fresh).await,
                None => journey.begin(&shared).await,
            };
            match arrived {
                Ok((wire, own)) => {
                    shared.pass_on(wire);
                    own
                }
                Err(error) => {
                    tracing::warn!(%error, "a database connection ended");
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
            state.free.push(wire);
            return;
        };
        let (mut statements, mut others) = (vec![leader.statement], Vec::with_capacity(together - 1));
        for Asked { statement, answer } in waiting {
            statements.push(statement);
            others.push(answer);
        }
        drop(state);
        // Whoever has gone returns the lead by not taking it.
        let _ = leader.answer.send(Told::Lead(self.lead(Some(wire), Journey { statements, others })));
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
    async fn begin(self, shared: &Shared) -> Result<(Wire, Rows), DbError> {
        shared.opened.fetch_add(1, Ordering::Relaxed);
        let mut wire = Wire::connect(&shared.config).await?;
        let fresh = wire.begin(self.statements.iter());
        self.end(wire, fresh).await
    }

    /// Reads what the others asked for and sends it to them; returns the leader's own.
    async fn end(self, mut wire: Wire, begun: Result<Fresh, DbError>) -> Result<(Wire, Rows), DbError> {
        let mut fresh = begun?;
        let (mut own, mut others, mut done) = (None, self.others.into_iter(), 0);
        loop {
            let answers = wire.answers(fresh).await?;
            for rows in answers.rows.into_iter().map(Ok).chain(answers.refused.map(Err)) {
                done += 1;
                if own.is_none() {
                    own = Some(rows);
                } else if let Some(other) = others.next() {
                    // Whoever asked may have gone.
                    let _ = other.send(Told::Rows(rows));
                }
            }
            match self.statements.get(done..) {
                // Those behind one that was refused are asked again.
                Some(rest) if !rest.is_empty() => fresh = wire.begin(rest.iter())?,
                _ => return Ok((wire, own.unwrap_or_else(|| Err(ended())))),
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

fn ended() -> DbError {
    DbError::Lost("the connection ended".into())
}
