//! The desk of the benchmark: it lends and renews.

use std::cell::Cell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use anyhow::Result;
use tokio::task::{JoinHandle, LocalSet};

use super::past::Past;
use crate::bench::clock;
use crate::bench::figures::Latencies;
use crate::bench::http::{Connection, request};
use crate::bench::stock;
use crate::bench::trips::{CHECK_OUT, RENEW};

/// Members of staff who lend at a time, each an item every so often.
const STAFF: u32 = 8;
const BREATH: Duration = Duration::from_millis(20);
/// These do not count: statements are prepared and memory gets warm.
pub(super) const WARM_UP: u32 = 50;

#[derive(Clone)]
pub(super) struct Desk {
    address: SocketAddr,
    headers: Rc<str>,
    past: Past,
    /// The number of the next item on the shelf.
    next: Rc<Cell<u32>>,
}

impl Desk {
    pub(super) fn new(address: SocketAddr, headers: String, past: Past) -> Desk {
        Desk { address, headers: headers.into(), past, next: Rc::new(Cell::new(past.lendable())) }
    }

    fn take(&self) -> u32 {
        self.next.replace(self.next.get() + 1)
    }

    async fn timed(&self, connection: &mut Connection, path: &str, body: &str, status: u16) -> Result<u128> {
        let mut bytes = Vec::new();
        request(&mut bytes, "POST", path, &self.headers, body);
        let sent = clock::now();
        let answer = connection.exchange(&bytes).await?;
        let elapsed = sent.elapsed().as_micros();
        answer.expect(status, &format!("POST {path} {body}"))?;
        Ok(elapsed)
    }

    async fn lend(&self, connection: &mut Connection, patron: u32) -> Result<u128> {
        let body = stock::lending(self.take().into(), patron.into());
        self.timed(connection, CHECK_OUT, &body, 201).await
    }

    /// To a new patron each, and to the one with a history, in turns.
    pub(super) async fn patrons(&self, calls: u32) -> Result<[Latencies; 2]> {
        let mut connection = Connection::open(self.address).await?;
        let (mut new, mut old) = (Latencies::default(), Latencies::default());
        for number in 0..calls {
            let one = self.lend(&mut connection, self.past.new_patrons() + number).await?;
            let other = self.lend(&mut connection, 0).await?;
            if number >= WARM_UP {
                new.push(one);
                old.push(other);
            }
        }
        Ok([new, old])
    }

    /// Of what new patrons have just borrowed.
    pub(super) async fn renewals(&self, calls: u32) -> Result<Latencies> {
        let mut connection = Connection::open(self.address).await?;
        let mut latencies = Latencies::default();
        for number in 0..calls {
            let item = self.past.lendable() + 2 * number;
            let body = stock::renewing(item.into(), (self.past.new_patrons() + number).into());
            let elapsed = self.timed(&mut connection, RENEW, &body, 200).await?;
            if number >= WARM_UP {
                latencies.push(elapsed);
            }
        }
        Ok(latencies)
    }

    pub(super) async fn lend_for(&self, time: Duration) -> Result<Latencies> {
        let load = Load::begin(self);
        tokio::time::sleep(time).await;
        load.end().await
    }
}

/// Staff at work, until they are told to stop.
pub(super) struct Load {
    stop: Rc<Cell<bool>>,
    staff: Vec<JoinHandle<Result<Latencies>>>,
}

impl Load {
    /// On the thread of whoever calls.
    pub(super) fn begin(desk: &Desk) -> Load {
        let stop = Rc::new(Cell::new(false));
        let staff =
            (0..STAFF).map(|_| tokio::task::spawn_local(work(desk.clone(), Rc::clone(&stop)))).collect();
        Load { stop, staff }
    }

    pub(super) async fn end(self) -> Result<Latencies> {
        self.stop.set(true);
        let mut latencies = Latencies::default();
        for member in self.staff {
            latencies.append(member.await??);
        }
        Ok(latencies)
    }
}

async fn work(desk: Desk, stop: Rc<Cell<bool>>) -> Result<Latencies> {
    let mut connection = Connection::open(desk.address).await?;
    let mut latencies = Latencies::default();
    while !stop.get() {
        let borrower = desk.past.borrower(desk.next.get());
        latencies.push(desk.lend(&mut connection, borrower).await?);
        tokio::time::sleep(BREATH).await;
    }
    Ok(latencies)
}

/// Local tasks need a place of their own.
pub(super) async fn at_work<T>(work: impl Future<Output = T>) -> T {
    LocalSet::new().run_until(work).await
}
