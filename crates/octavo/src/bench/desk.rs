//! The desk of the benchmarks: members of staff check items out, and the time is measured.

use std::ops::Range;
use std::rc::Rc;
use std::time::Duration;

use anyhow::Result;
use octavo_lab::load::Session;
use octavo_lab::statistics::Latencies;
use octavo_lab::table::{Page, format_number};

use super::call::{CHECK_OUT, Call};
use super::load::{Load, Work};
use super::stock;

/// The number of members of staff who check items out at the same time, with a pause after every item.
const STAFF: u32 = 8;
const PAUSE: Duration = Duration::from_millis(20);
/// The most items that all members of staff together check out in a second.
pub(crate) const ITEMS_PER_SECOND: u32 = STAFF * 1000 / 20;
/// The number of patrons who borrow, unless the benchmark says otherwise.
pub(crate) const BORROWERS: u32 = 1000;
/// The number of calls that are not counted, in which the server prepares its statements and fills its caches.
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
    /// The number of the first item of the shelf.
    first_item: u32,
    /// The check-outs of the shelf's items, one after the other.
    work: Rc<Work>,
}

impl Desk {
    /// Lends these items in turn to these patrons, all by their barcodes.
    pub(crate) fn from_barcodes(staff: Session, items: Vec<String>, patrons: Vec<String>) -> Desk {
        let work = Work::new(201, move |number| {
            let number = usize::try_from(number).ok()?;
            let patron = patrons.get(number % patrons.len().max(1))?;
            Some(Call::post(CHECK_OUT, stock::check_out_body(items.get(number)?, patron)))
        });
        Desk { staff, first_item: 0, work }
    }

    pub(crate) fn new(staff: Session, Shelf { items, borrowers }: Shelf) -> Desk {
        let first = items.start;
        let work = Work::new(201, move |number| {
            let item = first.checked_add(u32::try_from(number).ok()?).filter(|item| items.contains(item))?;
            let patron = borrowers.start + item % (borrowers.end - borrowers.start).max(1);
            Some(Call::post(
                CHECK_OUT,
                stock::check_out_body(
                    &stock::item_barcode(item.into()),
                    &stock::patron_barcode(patron.into()),
                ),
            ))
        });
        Desk { staff, first_item: first, work }
    }

    /// Another member of staff, with an HTTP connection of their own.
    pub(crate) fn another_member_of_staff(&self) -> Session {
        self.staff.with_new_connection()
    }

    /// Checks the next item of the shelf out to a patron; returns the time in microseconds.
    pub(crate) async fn check_out_to(&self, staff: &mut Session, patron: u32) -> Result<u128> {
        let item = u64::from(self.first_item) + self.work.next_number();
        let body = stock::check_out_body(&stock::item_barcode(item), &stock::patron_barcode(patron.into()));
        Ok(Call::post(CHECK_OUT, body).send(staff, 201).await?.time.as_micros())
    }

    /// Staff begin to check items out, until they are told to stop or the shelf is empty.
    pub(crate) async fn begin(&self) -> Result<Load> {
        Load::begin(&self.staff, STAFF, PAUSE, &self.work).await
    }

    pub(crate) async fn check_out_for(&self, time: Duration) -> Result<Latencies> {
        self.begin().await?.end_after(time).await?.expect_no_failure()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.work.has_run_out()
    }
}

/// A row of a table: a name, the number of calls and the percentiles of their times.
pub(crate) fn row(name: &str, times: &Latencies) -> Vec<String> {
    [vec![name.to_owned()], times.clone().to_cells().to_vec()].concat()
}

/// Adds how long check-outs took before something and during it, and the ratio.
pub(crate) fn add_comparison(page: &mut Page, before: &Latencies, meanwhile: &Latencies, what: &str) {
    let p95 = |latencies: &Latencies| latencies.clone().percentiles().p95;
    let ratio = format_number(p95(meanwhile) / p95(before).max(0.001), 2);
    page.add_table(
        &["desk", "calls", "p50 ms", "p95 ms", "p99 ms"],
        vec![row("before", before), row(what, meanwhile)],
    );
    page.add_text(format!("p95 of the desk {what} is {ratio} times that before."));
}
