//! The loans that the benchmark begins with: loans long overdue, and one patron's history. They are written by SQL, which is not measured.

use std::time::Duration;

use anyhow::Result;
use octavo_pg::Statement;

use crate::bench::desk::{A_SECOND, Shelf};
use crate::bench::stock;

#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    pub(super) overdue: u32,
    pub(super) closed: u32,
    pub(super) open: u32,
    pub(super) calls: u32,
    pub(super) time: Duration,
}

/// The numbers of items and patrons, by what they are for. Patron 0 is the one with a history; others have what is overdue; the last
/// ones have nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Past {
    size: Size,
}

/// How many patrons have the overdue items.
const LATE: u32 = 2000;
impl Past {
    pub(super) fn new(size: Size) -> Past {
        Past { size }
    }

    pub(super) fn items(self) -> u32 {
        // Items for the desk: enough, if two items age to lost while one is checked out.
        let seconds = u32::try_from(self.size.time.as_secs()).unwrap_or(u32::MAX);
        let meanwhile = self.size.overdue / 2 + seconds.saturating_add(10).saturating_mul(A_SECOND);
        self.lendable() + 2 * self.size.calls + meanwhile
    }

    pub(super) fn loans(self) -> u32 {
        self.size.overdue + self.size.closed + self.size.open
    }

    pub(super) fn patrons(self) -> u32 {
        self.new_patrons() + self.size.calls
    }

    /// The number of the first item on the shelf.
    pub(super) fn lendable(self) -> u32 {
        self.size.overdue + self.size.open
    }

    /// The number of the first patron without loans.
    pub(super) fn new_patrons(self) -> u32 {
        1 + LATE
    }

    /// The items and patrons of the desk.
    pub(super) fn shelf(self) -> Shelf {
        Shelf { items: self.lendable()..self.items(), borrowers: 1..self.new_patrons() }
    }

    pub(super) async fn fill(self, url: &str) -> Result<()> {
        let database = stock::connect(url)?;
        let mut session = stock::session(&database).await?;
        let long = |number: u32| i64::from(number);
        let Size { overdue, closed, open, .. } = self.size;
        session.script(stock::PAST).await?;
        for statement in [
            Statement::new(OVERDUE).long(long(overdue)).long(long(LATE)),
            stock::loans(long(overdue), long(open), 1),
            Statement::new(CLOSED).long(long(closed)),
            Statement::new(stock::LENT),
            Statement::new(stock::CONDITIONS),
            Statement::new(stock::LIMITS),
        ] {
            session.rows(statement).await?;
        }
        session.script(stock::SETTLE).await?;
        Ok(())
    }
}

const OVERDUE: &str = include_str!("past/overdue.sql");
const CLOSED: &str = include_str!("past/closed.sql");
