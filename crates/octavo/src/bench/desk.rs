//! The desk of the benchmarks: it lends, and is timed.

use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;
use std::time::Duration;

use anyhow::Result;
use octavo_lab::load::Session;
use octavo_lab::statistics::Latencies;
use tokio::task::JoinHandle;

use super::call::{CHECK_OUT, Call};
use super::stock;

/// Members of staff who lend at a time, each an item every so often.
const STAFF: u32 = 8;
const BREATH: Duration = Duration::from_millis(20);
/// At most so many are lent in a second by all of them.
pub(crate) const A_SECOND: u32 = STAFF * 1000 / 20;
/// These do not count: statements are prepared and memory gets warm.
pub(crate) const WARM_UP: u32 = 50;

/// The report's remark when the items ran out too early.
pub(crate) const RAN_OUT: &str =
    "Nothing was left to lend before all else was done: the desk's times are of a part of it.";

/// The items and patrons of the desk, by their numbers.
#[derive(Debug, Clone)]
pub(crate) struct Shelf {
    pub(crate) items: Range<u32>,
    pub(crate) borrowers: Range<u32>,
}

#[derive(Clone)]
pub(crate) struct Desk {
    staff: Rc<Session>,
    shelf: Rc<Shelf>,
    /// The number of the next item on the shelf.
    next: Rc<Cell<u32>>,
}

impl Desk {
    pub(crate) fn new(staff: Session, shelf: Shelf) -> Desk {
        let next = Rc::new(Cell::new(shelf.items.start));
        Desk { staff: Rc::new(staff), shelf: Rc::new(shelf), next }
    }

    /// Another member of staff, with a connection of their own.
    pub(crate) fn staff(&self) -> Session {
        self.staff.another()
    }

    /// The next item of the shelf; in microseconds.
    pub(crate) async fn lend(&self, staff: &mut Session, patron: u32) -> Result<u128> {
        let body = stock::lending(self.next.replace(self.next.get() + 1).into(), patron.into());
        Ok(Call::post(CHECK_OUT, body).by(staff, 201).await?.time.as_micros())
    }

    pub(crate) async fn lend_for(&self, time: Duration) -> Result<Latencies> {
        let load = Load::begin(self);
        tokio::time::sleep(time).await;
        load.end().await
    }

    /// The next patron; `None` when no item is left.
    fn borrower(&self) -> Option<u32> {
        let Shelf { items, borrowers } = &*self.shelf;
        let next = self.next.get();
        items.contains(&next).then(|| borrowers.start + next % (borrowers.end - borrowers.start).max(1))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.borrower().is_none()
    }
}

/// Staff at work, until they are told to stop or the shelf is empty.
pub(crate) struct Load {
    stop: Rc<Cell<bool>>,
    staff: Vec<JoinHandle<Result<Latencies>>>,
}

impl Load {
    /// On the thread of whoever calls.
    pub(crate) fn begin(desk: &Desk) -> Load {
        let stop = Rc::new(Cell::new(false));
        let staff =
            (0..STAFF).map(|_| tokio::task::spawn_local(work(desk.clone(), Rc::clone(&stop)))).collect();
        Load { stop, staff }
    }

    pub(crate) async fn end(self) -> Result<Latencies> {
        self.stop.set(true);
        let mut latencies = Latencies::default();
        for member in self.staff {
            latencies.append(member.await??);
        }
        Ok(latencies)
    }
}

async fn work(desk: Desk, stop: Rc<Cell<bool>>) -> Result<Latencies> {
    let mut staff = desk.staff();
    let mut latencies = Latencies::default();
    while !stop.get()
        && let Some(borrower) = desk.borrower()
    {
        latencies.push(desk.lend(&mut staff, borrower).await?);
        tokio::time::sleep(BREATH).await;
    }
    Ok(latencies)
}
