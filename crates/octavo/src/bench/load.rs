//! The generator: as many clients as asked for, each with a connection of its own, each sending its next request when the
//! answer to the last one has come and was looked at.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use tokio::time::timeout;

use super::clock;
use super::figures::Latencies;
use super::http::Connection;

/// Beyond the turn itself.
const LONGEST_ANSWER: Duration = Duration::from_secs(30);

/// Writes the n-th request; false when there are no more.
type Write = Box<dyn Fn(u64, &mut Vec<u8>) -> bool + Send + Sync>;

/// Requests by their number.
pub(crate) struct Work {
    /// Writes the request of this number; false where there is none.
    pub(crate) request: Write,
    pub(crate) status: u16,
    next: AtomicU64,
}

/// What one turn came to.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    /// Of what was answered as expected; nothing else counts as done.
    pub(crate) latencies: Latencies,
    pub(crate) elapsed: Duration,
    pub(crate) unexpected: BTreeMap<u16, u64>,
    /// The first unexpected answer.
    pub(crate) example: Option<String>,
    /// The requests came to an end before the turn did.
    pub(crate) ran_out: bool,
}

impl Work {
    pub(crate) fn new(
        status: u16,
        request: impl Fn(u64, &mut Vec<u8>) -> bool + Send + Sync + 'static,
    ) -> Arc<Work> {
        Arc::new(Work { request: Box::new(request), status, next: AtomicU64::new(0) })
    }

    /// The number of a request that nobody else sends.
    pub(crate) fn take(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }
}

pub(crate) async fn turn(
    address: SocketAddr,
    clients: u32,
    time: Duration,
    work: &Arc<Work>,
) -> Result<Turn> {
    let mut connections = Vec::new();
    for _ in 0..clients {
        connections.push(Connection::open(address).await?);
    }
    let started = clock::now();
    let clients: Vec<_> = connections
        .into_iter()
        .map(|connection| tokio::spawn(client(connection, Arc::clone(work), started + time)))
        .collect();
    let mut turn = Turn::default();
    for client in clients {
        let ended = timeout(time + LONGEST_ANSWER, client).await.context("a request is not answered")?;
        turn.add(ended??);
    }
    turn.elapsed = started.elapsed();
    Ok(turn)
}

async fn client(mut connection: Connection, work: Arc<Work>, until: Instant) -> Result<Turn> {
    let mut turn = Turn { latencies: Latencies::with_room(50_000), ..Turn::default() };
    let mut request = Vec::with_capacity(2048);
    let mut sent = clock::now();
    while sent < until {
        if !(work.request)(work.take(), &mut request) {
            turn.ran_out = true;
            break;
        }
        let answer = connection.exchange(&request).await?;
        let now = clock::now();
        if answer.status == work.status {
            turn.latencies.push((now - sent).as_micros());
        } else {
            *turn.unexpected.entry(answer.status).or_default() += 1;
            turn.example.get_or_insert_with(|| answer.text());
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
