//! The requests and loans that the benchmark begins with: two queues, the pages of a morning, holds of other items, and loans that have
//! just become due. They are written by SQL, which is not measured.

use std::ops::Range;
use std::time::Duration;

use anyhow::{Context, Result};
use octavo_pg::{Session, Statement};
use uuid::Uuid;

use crate::bench::desk::{ITEMS_PER_SECOND, Shelf};
use crate::bench::stock;

#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    pub(super) queue: u32,
    pub(super) calls: u32,
    pub(super) slips: u32,
    pub(super) notices: u32,
    pub(super) time: Duration,
}

/// The numbers of items and patrons. There is one range for each purpose, one after the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct InitialRequests {
    size: Size,
}

/// Whether a queue is for an item or for any copy of a title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Item,
    Title,
}

/// A queue, and the patrons who will be added to it.
pub(super) struct Queue {
    pub(super) level: Level,
    /// The item that is checked in and out.
    pub(super) item: u32,
    pub(super) item_id: Uuid,
    pub(super) holdings_id: Uuid,
    pub(super) instance_id: Uuid,
    /// The number of the patron who waits first; the others follow by number.
    pub(super) first_patron: u32,
    pub(super) length: u32,
    /// Patrons who are not in the queue yet.
    pub(super) patrons: Vec<Uuid>,
}

/// The number of calls of each kind that are traced to count round trips, after those that are timed.
pub(super) const TRACED_CALLS: u32 = 3;
/// Copies of each of the two titles that have a queue.
const COPIES: u32 = stock::COPIES;
/// The number of items with a hold, for each item with a page request.
const HOLDS_PER_SLIP: u32 = 4;
/// Patrons to whom the desk checks items out.
const BORROWERS: u32 = 2000;
/// The number of loans that are due, for each patron who has any.
const LOANS_OF_A_PATRON: u32 = 5;

impl InitialRequests {
    pub(super) fn new(size: Size) -> InitialRequests {
        InitialRequests { size }
    }

    pub(super) fn item_count(self) -> u32 {
        self.shelf().items.end
    }

    pub(super) fn patron_count(self) -> u32 {
        self.patrons_with_due_loans().end
    }

    pub(super) fn loan_count(self) -> u32 {
        self.size.notices + 2 * COPIES
    }

    pub(super) fn request_count(self) -> u32 {
        2 * self.size.queue + (1 + HOLDS_PER_SLIP) * self.size.slips
    }

    /// Items for the desk: enough as long as items are checked out no faster than notices are sent.
    pub(super) fn shelf(self) -> Shelf {
        let seconds = u32::try_from(self.size.time.as_secs()).unwrap_or(u32::MAX);
        let first = self.due_items().end;
        let meanwhile = self.size.notices + seconds.saturating_add(10).saturating_mul(ITEMS_PER_SECOND);
        Shelf { items: first..first.saturating_add(meanwhile), borrowers: 0..BORROWERS }
    }

    pub(super) fn notice_count(self) -> u32 {
        self.size.notices
    }

    fn paged_items(self) -> Range<u32> {
        2 * COPIES..2 * COPIES + self.size.slips
    }

    fn held_items(self) -> Range<u32> {
        self.paged_items().end..self.paged_items().end + HOLDS_PER_SLIP * self.size.slips
    }

    fn due_items(self) -> Range<u32> {
        self.held_items().end..self.held_items().end + self.size.notices
    }

    /// The number of patrons of a queue: those who wait from the beginning, and those who are added later.
    fn patrons_per_queue(self) -> u32 {
        self.size.queue + self.size.calls + TRACED_CALLS
    }

    fn first_patron_in(self, level: Level) -> u32 {
        match level {
            Level::Item => BORROWERS,
            Level::Title => BORROWERS + self.patrons_per_queue(),
        }
    }

    /// The patrons whose loans are due. They also wait for other items.
    fn patrons_with_due_loans(self) -> Range<u32> {
        let first = BORROWERS + 2 * self.patrons_per_queue();
        first..first + self.size.notices.div_ceil(LOANS_OF_A_PATRON)
    }

    pub(super) async fn fill(self, session: &mut Session) -> Result<()> {
        let long = |number: u32| i64::from(number);
        let (readers, due) = (self.patrons_with_due_loans(), self.due_items());
        let of_readers = |sql: &'static str| {
            Statement::new(sql).long(long(readers.start)).long(long(readers.end - readers.start))
        };
        session.script(stock::PAST_FUNCTIONS).await?;
        let mut statements = vec![of_readers(LENT).long(0).long(long(2 * COPIES))];
        statements.push(of_readers(DUE).long(long(due.start)).long(long(due.end - due.start)));
        for level in [Level::Item, Level::Title] {
            let queue =
                Statement::new(QUEUE).long(long(self.first_patron_in(level))).long(long(self.size.queue));
            statements.push(queue.long(long(item_of_queue(level))).text(is_for_title_text(level)));
        }
        for (range, kind) in [(self.paged_items(), "Page"), (self.held_items(), "Hold")] {
            statements.push(
                of_readers(EACH).long(long(range.start)).long(long(range.end - range.start)).text(kind),
            );
        }
        statements
            .extend([Statement::new(stock::MARK_LENT_ITEMS), Statement::new(UPDATE_STATUS_OF_REQUESTED)]);
        for statement in statements {
            session.rows(statement).await?;
        }
        session.script(stock::VACUUM_ANALYZE).await?;
        Ok(())
    }

    /// The queue, and the ids of the patrons who will be added to it.
    pub(super) async fn queue(self, level: Level, session: &mut Session) -> Result<Queue> {
        let (item, first) = (item_of_queue(level), self.first_patron_in(level));
        let ids: Option<(Uuid, Uuid, Uuid)> = session.read(Statement::new(IDS).long(item.into())).await?;
        let (item_id, holdings_id, instance_id) = ids.context("no item")?;
        let joining = Statement::new(PATRONS)
            .long((first + self.size.queue).into())
            .long((self.size.calls + TRACED_CALLS).into());
        let (patrons, length) = (session.read(joining).await?, self.size.queue);
        Ok(Queue { level, item, item_id, holdings_id, instance_id, first_patron: first, length, patrons })
    }
}

/// The number of the item that is checked in and out.
fn item_of_queue(level: Level) -> u32 {
    match level {
        Level::Title => 0,
        Level::Item => COPIES,
    }
}

fn is_for_title_text(level: Level) -> &'static str {
    if level == Level::Title { "yes" } else { "no" }
}

const LENT: &str = include_str!("waiting/lent.sql");
const DUE: &str = include_str!("waiting/due.sql");
const QUEUE: &str = include_str!("waiting/queue.sql");
const EACH: &str = include_str!("waiting/each.sql");

/// Sets the status of items that have a page request, and of items that other patrons wait for.
const UPDATE_STATUS_OF_REQUESTED: &str = "\
update item i
set doc = jsonb_set(
  i.doc::jsonb, '{status,name}', case r.\"requestType\" when 'page' then '\"Paged\"' else '\"Checked out\"' end::jsonb
)::json
from request r
where r.\"itemId\" = i.id";

const IDS: &str = "\
select pg_temp.id('item' || $1::bigint), pg_temp.id('holdings' || $1 / 10), pg_temp.id('instance' || $1 / 10)";
const PATRONS: &str = "\
select pg_temp.id('patron' || n) from generate_series($1::bigint, $1 + $2::bigint - 1) n order by n";
