//! The generator: as many clients as asked for, each with a connection of its own, each sending its next request when the
//! answer to the last one has come and was looked at. The laboratory's virtual users do more for each call, and this program
//! shares its processors with those who are measured.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use octavo_lab::clock;
use octavo_lab::load::Session;
use octavo_lab::statistics::Latencies;
use tokio::task::spawn_local;
use tokio::time::timeout;

use super::call::Call;

/// How long answers are waited for after the end of a turn.
const LONGEST_ANSWER: Duration = Duration::from_secs(30);

/// Requests by their number; none when there are no more.
pub(crate) struct Work {
    pub(crate) call: Box<dyn Fn(u64) -> Option<Call>>,
    pub(crate) status: u16,
    next: Cell<u64>,
}

/// The result of one turn.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    /// The times of calls with the expected status; others do not count as done.
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

    /// The number of a request that nobody else sends.
    pub(crate) fn take(&self) -> u64 {
        self.next.replace(self.next.get() + 1)
    }
}

pub(crate) async fn turn(user: &Session, clients: u32, time: Duration, work: &Rc<Work>) -> Result<Turn> {
    let mut users = Vec::new();
    for _ in 0..clients {
        let mut user = user.another();
        user.connect().await?;
        users.push(user);
    }
    let started = clock::now();
    let client = |user| spawn_local(client(user, Rc::clone(work), started + time));
    let clients: Vec<_> = users.into_iter().map(client).collect();
    let mut turn = Turn::default();
    for client in clients {
        let ended = timeout(time + LONGEST_ANSWER, client).await.context("a request is not answered")?;
        turn.add(ended??);
    }
    turn.elapsed = started.elapsed();
    Ok(turn)
}

async fn client(mut user: Session, work: Rc<Work>, until: Instant) -> Result<Turn> {
    let mut turn = Turn { latencies: Latencies::with_room(50_000), ..Turn::default() };
    let mut sent = clock::now();
    while sent < until {
        let Some(Call { method, path, body }) = (work.call)(work.take()) else {
            turn.ran_out = true;
            break;
        };
        let answer = user.send(method, &path, "", Some(&*body).filter(|body| !body.is_empty())).await?;
        let now = clock::now();
        if answer.status == work.status {
            turn.latencies.push((now - sent).as_micros());
        } else {
            *turn.unexpected.entry(answer.status).or_default() += 1;
            turn.example.get_or_insert_with(|| answer.in_short());
        }
        sent = now;
    }
    Ok(turn)
}

impl Turn {
    fn add(&mut self, other: Turn) {
        self.latencies.append(other.latencies);
        for (status, count) in other.unexpected {
            *self.unexpected.entry(status).or_default() += count;
        }
        self.example = self.example.take().or(other.example);
        self.ran_out |= other.ran_out;
    }
}
