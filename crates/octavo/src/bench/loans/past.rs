//! The loans that the benchmark begins with: loans long overdue, and one patron's history. They are written by SQL, which is not measured.

use std::time::Duration;

use anyhow::Result;
use octavo_pg::Statement;

use crate::bench::desk::{ITEMS_PER_SECOND, Shelf};
use crate::bench::stock;

#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    pub(super) overdue: u32,
    pub(super) closed: u32,
    pub(super) open: u32,
    pub(super) calls: u32,
    pub(super) time: Duration,
}

/// The numbers of items and patrons. Patron 0 is the one with a long history; the next patrons have the overdue loans; the last patrons
/// have no loans.
#[derive(Debug, Clone, Copy)]
pub(super) struct PastLoans {
    size: Size,
}

/// The number of patrons who have the overdue items.
const LATE_PATRONS: u32 = 2000;
impl PastLoans {
    pub(super) fn new(size: Size) -> PastLoans {
        PastLoans { size }
    }

    pub(super) fn item_count(self) -> u32 {
        // The desk has enough items if two items age to lost in the time in which one is checked out.
        let seconds = u32::try_from(self.size.time.as_secs()).unwrap_or(u32::MAX);
        let meanwhile = self.size.overdue / 2 + seconds.saturating_add(10).saturating_mul(ITEMS_PER_SECOND);
        self.first_lendable_item() + 2 * self.size.calls + meanwhile
    }

    pub(super) fn loan_count(self) -> u32 {
        self.size.overdue + self.size.closed + self.size.open
    }

    pub(super) fn patron_count(self) -> u32 {
        self.first_new_patron() + self.size.calls
    }

    /// The number of the first item on the shelf.
    pub(super) fn first_lendable_item(self) -> u32 {
        self.size.overdue + self.size.open
    }

    /// The number of the first patron without loans.
    pub(super) fn first_new_patron(self) -> u32 {
        1 + LATE_PATRONS
    }

    /// The items and patrons of the desk.
    pub(super) fn shelf(self) -> Shelf {
        Shelf { items: self.first_lendable_item()..self.item_count(), borrowers: 1..self.first_new_patron() }
    }

    pub(super) async fn fill(self, url: &str) -> Result<()> {
        let database = stock::connect(url)?;
        let mut session = stock::tenant_session(&database).await?;
        let long = |number: u32| i64::from(number);
        let Size { overdue, closed, open, .. } = self.size;
        session.script(stock::PAST_FUNCTIONS).await?;
        for statement in [
            Statement::new(OVERDUE).long(long(overdue)).long(long(LATE_PATRONS)),
            stock::insert_loans_statement(long(overdue), long(open), 1),
            Statement::new(CLOSED).long(long(closed)),
            Statement::new(stock::MARK_LENT_ITEMS),
            Statement::new(stock::INSERT_BLOCK_CONDITIONS),
            Statement::new(stock::INSERT_BLOCK_LIMITS),
        ] {
            session.rows(statement).await?;
        }
        session.script(stock::VACUUM_ANALYZE).await?;
        Ok(())
    }
}

const OVERDUE: &str = include_str!("past/overdue.sql");
const CLOSED: &str = include_str!("past/closed.sql");
