//! The requests and loans that the benchmark begins with: two queues, the pages of a morning, holds of other items, and loans that have
//! just become due. They are written by SQL, which is not measured.

use std::ops::Range;
use std::time::Duration;

use anyhow::{Context, Result};
use octavo_pg::{Session, Statement};
use uuid::Uuid;

use crate::bench::desk::{A_SECOND, Shelf};
use crate::bench::stock;

#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    pub(super) queue: u32,
    pub(super) calls: u32,
    pub(super) slips: u32,
    pub(super) notices: u32,
    pub(super) time: Duration,
}

/// The numbers of items and patrons, by what they are for, one range after the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiting {
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
    /// The item that comes and goes.
    pub(super) item: u32,
    pub(super) item_id: Uuid,
    pub(super) holdings_id: Uuid,
    pub(super) instance_id: Uuid,
    /// The number of the patron who waits first; the others follow by number.
    pub(super) first: u32,
    pub(super) length: u32,
    /// Patrons who are not in the queue yet.
    pub(super) patrons: Vec<Uuid>,
}

/// Calls of each kind whose round trips are counted, beside those that are timed.
pub(super) const COUNTED: u32 = 3;
/// Copies of each of the two titles that have a queue.
const COPIES: u32 = stock::COPIES;
/// Items that others wait for, one request each, for each item to be fetched.
const OTHERS: u32 = 4;
/// Patrons to whom the desk checks items out.
const BORROWERS: u32 = 2000;
/// Loans that are due, of a patron each.
const LOANS_OF_A_PATRON: u32 = 5;

impl Waiting {
    pub(super) fn new(size: Size) -> Waiting {
        Waiting { size }
    }

    pub(super) fn items(self) -> u32 {
        self.shelf().items.end
    }

    pub(super) fn patrons(self) -> u32 {
        self.readers().end
    }

    pub(super) fn loans(self) -> u32 {
        self.size.notices + 2 * COPIES
    }

    pub(super) fn requests(self) -> u32 {
        2 * self.size.queue + (1 + OTHERS) * self.size.slips
    }

    /// Items for the desk: enough as long as items are checked out no faster than notices are sent.
    pub(super) fn shelf(self) -> Shelf {
        let seconds = u32::try_from(self.size.time.as_secs()).unwrap_or(u32::MAX);
        let first = self.due().end;
        let meanwhile = self.size.notices + seconds.saturating_add(10).saturating_mul(A_SECOND);
        Shelf { items: first..first.saturating_add(meanwhile), borrowers: 0..BORROWERS }
    }

    pub(super) fn notices(self) -> u32 {
        self.size.notices
    }

    fn pages(self) -> Range<u32> {
        2 * COPIES..2 * COPIES + self.size.slips
    }

    fn others(self) -> Range<u32> {
        self.pages().end..self.pages().end + OTHERS * self.size.slips
    }

    fn due(self) -> Range<u32> {
        self.others().end..self.others().end + self.size.notices
    }

    /// Patrons in a queue, at its end or later.
    fn in_queue(self) -> u32 {
        self.size.queue + self.size.calls + COUNTED
    }

    fn first_in(self, level: Level) -> u32 {
        match level {
            Level::Item => BORROWERS,
            Level::Title => BORROWERS + self.in_queue(),
        }
    }

    /// Patrons whose loans are due, and who wait for other items.
    fn readers(self) -> Range<u32> {
        let first = BORROWERS + 2 * self.in_queue();
        first..first + self.size.notices.div_ceil(LOANS_OF_A_PATRON)
    }

    pub(super) async fn fill(self, session: &mut Session) -> Result<()> {
        let long = |number: u32| i64::from(number);
        let (readers, due) = (self.readers(), self.due());
        let of_readers = |sql: &'static str| {
            Statement::new(sql).long(long(readers.start)).long(long(readers.end - readers.start))
        };
        session.script(stock::PAST).await?;
        let mut statements = vec![of_readers(LENT).long(0).long(long(2 * COPIES))];
        statements.push(of_readers(DUE).long(long(due.start)).long(long(due.end - due.start)));
        for level in [Level::Item, Level::Title] {
            let queue = Statement::new(QUEUE).long(long(self.first_in(level))).long(long(self.size.queue));
            statements.push(queue.long(long(item_of(level))).text(of_title(level)));
        }
        for (range, kind) in [(self.pages(), "Page"), (self.others(), "Hold")] {
            statements.push(
                of_readers(EACH).long(long(range.start)).long(long(range.end - range.start)).text(kind),
            );
        }
        statements.extend([Statement::new(stock::LENT), Statement::new(WANTED)]);
        for statement in statements {
            session.rows(statement).await?;
        }
        session.script(stock::SETTLE).await?;
        Ok(())
    }

    /// The queue, and the ids of those who will join it.
    pub(super) async fn queue(self, level: Level, session: &mut Session) -> Result<Queue> {
        let (item, first) = (item_of(level), self.first_in(level));
        let ids: Option<(Uuid, Uuid, Uuid)> = session.read(Statement::new(IDS).long(item.into())).await?;
        let (item_id, holdings_id, instance_id) = ids.context("no item")?;
        let joining = Statement::new(PATRONS)
            .long((first + self.size.queue).into())
            .long((self.size.calls + COUNTED).into());
        let (patrons, length) = (session.read(joining).await?, self.size.queue);
        Ok(Queue { level, item, item_id, holdings_id, instance_id, first, length, patrons })
    }
}

/// The number of the copy that comes and goes.
fn item_of(level: Level) -> u32 {
    match level {
        Level::Title => 0,
        Level::Item => COPIES,
    }
}

fn of_title(level: Level) -> &'static str {
    if level == Level::Title { "yes" } else { "no" }
}

const LENT: &str = include_str!("waiting/lent.sql");
const DUE: &str = include_str!("waiting/due.sql");
const QUEUE: &str = include_str!("waiting/queue.sql");
const EACH: &str = include_str!("waiting/each.sql");

/// Items to be fetched, and items of others who wait.
const WANTED: &str = "\
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
