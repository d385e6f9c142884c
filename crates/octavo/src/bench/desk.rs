//! The desk of the benchmarks: it checks items out, and is timed.

use std::ops::Range;
use std::rc::Rc;
use std::time::Duration;

use anyhow::Result;
use octavo_lab::load::Session;
use octavo_lab::statistics::Latencies;
use octavo_lab::table::{Page, figure};

use super::call::{CHECK_OUT, Call};
use super::load::{Load, Work};
use super::stock;

/// Members of staff who check items out at a time, each with a pause after every item.
const STAFF: u32 = 8;
const BREATH: Duration = Duration::from_millis(20);
/// The most items that all members of staff together check out in a second.
pub(crate) const A_SECOND: u32 = STAFF * 1000 / 20;
/// Patrons to lend to, where the benchmark itself has none in mind.
pub(crate) const BORROWERS: u32 = 1000;
/// Calls that do not count: statements are prepared and memory gets warm.
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

pub(crate) struct Desk {
    staff: Session,
    /// Items are numbered on from this one.
    first: u32,
    /// The check-outs of the shelf's items, one after the other.
    work: Rc<Work>,
}

impl Desk {
    /// Lends these items in turn to these patrons, all by their barcodes.
    pub(crate) fn lending(staff: Session, items: Vec<String>, patrons: Vec<String>) -> Desk {
        let work = Work::new(201, move |number| {
            let number = usize::try_from(number).ok()?;
            let patron = patrons.get(number % patrons.len().max(1))?;
            Some(Call::post(CHECK_OUT, stock::lending(items.get(number)?, patron)))
        });
        Desk { staff, first: 0, work }
    }

    pub(crate) fn new(staff: Session, Shelf { items, borrowers }: Shelf) -> Desk {
        let first = items.start;
        let work = Work::new(201, move |number| {
            let item = first.checked_add(u32::try_from(number).ok()?).filter(|item| items.contains(item))?;
            let patron = borrowers.start + item % (borrowers.end - borrowers.start).max(1);
            Some(Call::post(
                CHECK_OUT,
                stock::lending(&stock::item(item.into()), &stock::patron(patron.into())),
            ))
        });
        Desk { staff, first, work }
    }

    /// Another member of staff, with a connection of their own.
    pub(crate) fn staff(&self) -> Session {
        self.staff.another()
    }

    /// Checks the next item of the shelf out to a patron; the time in microseconds.
    pub(crate) async fn lend(&self, staff: &mut Session, patron: u32) -> Result<u128> {
        let item = u64::from(self.first) + self.work.take();
        let body = stock::lending(&stock::item(item), &stock::patron(patron.into()));
        Ok(Call::post(CHECK_OUT, body).by(staff, 201).await?.time.as_micros())
    }

    /// Staff begin to check items out, until they are told to stop or the shelf is empty.
    pub(crate) async fn begin(&self) -> Result<Load> {
        Load::begin(&self.staff, STAFF, BREATH, &self.work).await
    }

    pub(crate) async fn lend_for(&self, time: Duration) -> Result<Latencies> {
        self.begin().await?.end_after(time).await?.expected()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.work.is_done()
    }
}

/// A row of a table: whose times they are, how many, and percentiles.
pub(crate) fn row(name: &str, times: &Latencies) -> Vec<String> {
    [vec![name.to_owned()], times.clone().cells().to_vec()].concat()
}

/// Adds how long check-outs took before something and during it, and the ratio.
pub(crate) fn compare(page: &mut Page, before: &Latencies, meanwhile: &Latencies, what: &str) {
    let p95 = |latencies: &Latencies| latencies.clone().percentiles().p95;
    let ratio = figure(p95(meanwhile) / p95(before).max(0.001), 2);
    page.table(
        &["desk", "calls", "p50 ms", "p95 ms", "p99 ms"],
        vec![row("before", before), row(what, meanwhile)],
    );
    page.text(format!("p95 of the desk {what} is {ratio} times that before."));
}
