//! The generator: as many clients as asked for, each with a connection of its own, each sending its next request when the
//! answer to the last one has come and was looked at. The laboratory's virtual users do more for each call, and this program
//! shares its processors with those who are measured.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use octavo_lab::clock;
use octavo_lab::load::Session;
use octavo_lab::statistics::Latencies;
use tokio::task::{JoinHandle, spawn_local};
use tokio::time::{sleep, timeout};

use super::call::Call;

/// How long the last answers are waited for after the end of a turn.
const LONGEST_ANSWER: Duration = Duration::from_secs(30);

/// Makes requests by their number; `None` when there are no more.
pub(crate) struct Work {
    pub(crate) call: Box<dyn Fn(u64) -> Option<Call>>,
    pub(crate) status: u16,
    next: Cell<u64>,
}

#[derive(Debug, Default)]
pub(crate) struct Turn {
    /// The times of the calls that were answered with the expected status; other calls are not counted.
    pub(crate) latencies: Latencies,
    pub(crate) elapsed: Duration,
    pub(crate) unexpected: BTreeMap<u16, u64>,
    /// The first unexpected answer.
    pub(crate) example: Option<String>,
    /// The requests came to an end before the turn did.
    pub(crate) ran_out: bool,
}

impl Work {
    pub(crate) fn new(status: u16, call: impl Fn(u64) -> Option<Call> + 'static) -> Rc<Work> {
        Rc::new(Work { call: Box::new(call), status, next: Cell::new(0) })
    }

    /// The number of the next request, which no other client sends.
    pub(crate) fn next_number(&self) -> u64 {
        self.next.replace(self.next.get() + 1)
    }

    pub(crate) fn has_run_out(&self) -> bool {
        (self.call)(self.next.get()).is_none()
    }
}

/// Clients at work, each over a connection of its own, on the thread of whoever began them.
pub(crate) struct Load {
    clients: Vec<JoinHandle<Result<Turn>>>,
    started: Instant,
    /// The time after which no requests are sent any more; `None` until the load is ended.
    ends_at: Rc<Cell<Option<Instant>>>,
}

impl Load {
    /// Each client waits for `pause` between an answer and its next request.
    pub(crate) async fn begin(
        user: &Session,
        clients: u32,
        pause: Duration,
        work: &Rc<Work>,
    ) -> Result<Load> {
        let mut users = Vec::new();
        for _ in 0..clients {
            let mut user = user.with_new_connection();
            user.connect().await?;
            users.push(user);
        }
        let (started, until) = (clock::now(), Rc::new(Cell::new(None)));
        let client = |user| spawn_local(run_client(user, Rc::clone(work), pause, Rc::clone(&until)));
        Ok(Load { clients: users.into_iter().map(client).collect(), started, ends_at: until })
    }

    /// Goes on until this time has passed since the beginning, or there are no more requests.
    pub(crate) async fn end_after(self, time: Duration) -> Result<Turn> {
        self.ends_at.set(Some(self.started + time));
        let mut turn = Turn::default();
        for client in self.clients {
            let ended = timeout(time + LONGEST_ANSWER, client).await.context("a request is not answered")?;
            turn.add(ended??);
        }
        turn.elapsed = self.started.elapsed();
        Ok(turn)
    }

    pub(crate) async fn end(self) -> Result<Turn> {
        let time = self.started.elapsed();
        self.end_after(time).await
    }
}

async fn run_client(
    mut user: Session,
    work: Rc<Work>,
    pause: Duration,
    until: Rc<Cell<Option<Instant>>>,
) -> Result<Turn> {
    let mut turn = Turn { latencies: Latencies::with_capacity(50_000), ..Turn::default() };
    let mut sent = clock::now();
    while until.get().is_none_or(|until| sent < until) {
        let Some(Call { method, path, body }) = (work.call)(work.next_number()) else {
            turn.ran_out = true;
            break;
        };
        let answer = user.send(method, &path, "", Some(&*body).filter(|body| !body.is_empty())).await?;
        let now = clock::now();
        if answer.status == work.status {
            turn.latencies.push((now - sent).as_micros());
        } else {
            *turn.unexpected.entry(answer.status).or_default() += 1;
            turn.example.get_or_insert_with(|| answer.summary());
        }
        sent = now;
        if !pause.is_zero() {
            sleep(pause).await;
            sent = clock::now();
        }
    }
    Ok(turn)
}

impl Turn {
    /// Returns the times of a turn; fails if an answer had another status than the expected one.
    pub(crate) fn expect_no_failure(self) -> Result<Latencies> {
        match self.example {
            Some(example) => bail!("an answer was not expected: {example}"),
            None => Ok(self.latencies),
        }
    }

    fn add(&mut self, other: Turn) {
        self.latencies.append(other.latencies);
        for (status, count) in other.unexpected {
            *self.unexpected.entry(status).or_default() += count;
        }
        self.example = self.example.take().or(other.example);
        self.ran_out |= other.ran_out;
    }
}
