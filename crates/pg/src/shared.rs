//! A connection that many requests use at once, for reads by a key.
//!
//! Such a read takes PostgreSQL less time than waking up for it. Those that come while others are being answered travel
//! together next: each is still one round trip, but the server wakes once for all of them and sends one answer. Nothing that may
//! take long or opens a transaction belongs here: the others would wait for it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::sync::oneshot;

use crate::session::{Usage, now};
use crate::wire::Wire;
use crate::{DbError, Row, Statement};

/// So many reads travel together at most.
const TOGETHER: usize = 32;

/// The place of a connection that is opened when it is first needed, and again when it was lost.
#[derive(Default)]
pub(crate) struct Shared(Mutex<Option<Line>>);

/// The way to the task that has the connection. The task ends when the connection is lost, or with the last sender.
#[derive(Clone)]
pub(crate) struct Line(UnboundedSender<Asked>);

struct Asked {
    statement: Statement,
    answer: oneshot::Sender<Result<Vec<Row>, DbError>>,
}

impl Shared {
    pub(crate) fn line(&self) -> Option<Line> {
        self.held().as_ref().filter(|line| !line.0.is_closed()).cloned()
    }

    pub(crate) fn open(&self, line: Line) -> Line {
        *self.held() = Some(line.clone());
        line
    }

    fn held(&self) -> MutexGuard<'_, Option<Line>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Line {
    pub(crate) fn serve(wire: Wire) -> Line {
        let (sender, receiver) = mpsc::unbounded_channel();
        tokio::spawn(serve(wire, receiver));
        Line(sender)
    }

    pub(crate) async fn rows(&self, statement: Statement, usage: &Usage) -> Result<Vec<Row>, DbError> {
        let started = now();
        let (answer, answered) = oneshot::channel();
        let ended = || DbError::Lost("the connection ended".into());
        self.0.send(Asked { statement, answer }).map_err(|_| ended())?;
        let rows = answered.await.map_err(|_| ended())?;
        usage.count(started, 1, rows.as_ref().map_or(0, Vec::len));
        rows
    }
}

async fn serve(mut wire: Wire, mut asked: UnboundedReceiver<Asked>) {
    let mut waiting = Vec::with_capacity(TOGETHER);
    while asked.recv_many(&mut waiting, TOGETHER).await > 0 {
        while !waiting.is_empty() {
            let statements = waiting.iter().map(|asked| &asked.statement);
            match wire.exchange(statements).await {
                Ok(answers) => {
                    let answered: Vec<_> =
                        answers.rows.into_iter().map(Ok).chain(answers.refused.map(Err)).collect();
                    // Those behind one that was refused are asked again. Whoever asked may have gone.
                    for (asked, answer) in waiting.drain(..answered.len().min(waiting.len())).zip(answered) {
                        let _ = asked.answer.send(answer);
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "a database connection ended");
                    return;
                }
            }
        }
    }
}
