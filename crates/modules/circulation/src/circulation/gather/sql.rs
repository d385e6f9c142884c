//! The statements of the gather. `$1` names the item or the user.
//!
//! Keys come from scalar subselects instead of joins. These statements stay prepared, often with a plan that was made while
//! `loan` was empty; a join then walked the index of all open loans, at every check-out, however many they had become.
//! `key = (select ...)` leaves PostgreSQL no way but the index on the key.

use std::sync::LazyLock;

use octavo_engine::{SNAPSHOT_VERSION, patron_lock};
use octavo_pg::Texts;

use super::item::{ITEM_COLUMNS, item_source};
use super::stock::{for_each_stock, lock_items_sql};
use crate::circulation::locks;

/// The statement that locks a patron, and the one that then reads the patron with the manual blocks and the version of the snapshot.
pub(super) struct Patron {
    pub(super) lock: String,
    pub(super) read: String,
}

impl Texts for Patron {
    fn texts(&self) -> Vec<String> {
        vec![self.lock.clone(), self.read.clone()]
    }
}

fn patron(is: &str) -> Patron {
    Patron {
        lock: format!("select u.id, {}\nfrom users u\nwhere {is}", patron_lock("u.id")),
        read: format!(
            "select\n  v.version,\n  u.doc::text,\n  \
             (select json_agg(b.doc)::text from manualblocks b where b.\"userId\" = u.id),\n  u.id\n\
             from ({SNAPSHOT_VERSION}) v\n\
             left join users u on {is}"
        ),
    }
}

pub(super) static PATRON: LazyLock<Patron> = LazyLock::new(|| patron("u.barcode = octavo.fold($1)"));
pub(super) static PATRON_BY_ID: LazyLock<Patron> = LazyLock::new(|| patron("u.id = $1::text::uuid"));

/// The user who has the item, or who has or had the loan.
pub(super) static BORROWER: LazyLock<[[Patron; 3]; 2]> = LazyLock::new(|| {
    let of_loan = "u.id = (select l.\"userId\" from loan l where l.id = $1::text::uuid)";
    for_each_stock(|items, [by_barcode, by_id, _]| {
        let of_item = |item_is: &str| {
            patron(&format!(
                "u.id = (\n  select l.\"userId\"\n  from loan l\n  \
                 where l.\"itemId\" = (select i.id from {items} i where {item_is})\n    and l.\"status.name\" = 'open'\n)"
            ))
        };
        [of_item(by_barcode), of_item(by_id), patron(of_loan)]
    })
});

pub(in crate::circulation) static LOCK_ITEM: LazyLock<[[String; 3]; 2]> =
    LazyLock::new(|| for_each_stock(|items, is| is.map(|item_is| lock_items_sql(items, item_is, ""))));

/// The item and, last, its id.
pub(in crate::circulation) static ITEM: LazyLock<[[String; 3]; 2]> = LazyLock::new(|| {
    for_each_stock(|items, is| {
        is.map(|item_is| format!("select {ITEM_COLUMNS}, i.id\n{}\nwhere {item_is}", item_source(items)))
    })
});

/// Open loans, or the one that is named (locked), with their borrowers, then the queue: of requests that are alike the first `$2`.
pub(super) static LOANS_AND_QUEUE: LazyLock<[[String; 3]; 2]> = LazyLock::new(|| {
    let the_loan = "where l.id = $1::text::uuid";
    for_each_stock(|items, [by_barcode, by_id, by_loan]| {
        let of = |item_is: &str, loans: &str| loans_and_queue([items, item_is], loans, "", "");
        [of(by_barcode, OPEN_LOANS_OF_ITEM), of(by_id, OPEN_LOANS_OF_ITEM), of(by_loan, the_loan)]
    })
});

/// `more` are further common table expressions, `rows` what is made of them.
pub(super) fn loans_and_queue([items, item_is]: [&str; 2], loans: &str, more: &str, rows: &str) -> String {
    [("{items}", items), ("{item_is}", item_is), ("{loans}", loans), ("{more}", more), ("{rows}", rows)]
        .iter()
        .fold(OF_ITEM.to_owned(), |sql, (name, text)| sql.replace(name, text))
}

pub(super) const OPEN_LOANS_OF_ITEM: &str = "\
where l.\"itemId\" = (select w.id from wanted w)
    and l.\"status.name\" = 'open'";

const OF_ITEM: &str = "\
with wanted as (
  select i.id from {items} i where {item_is}
), loans as (
  select l.doc, l.\"userId\"
  from loan l
  {loans}
  for no key update of l
){more}
select true, l.doc::text, u.doc::text, 0::int8 as position, 0::int8, false
from loans l
left join users u on u.id = l.\"userId\"
union all
select false, q.*
from queue_of((select w.id from wanted w), null, $2) q{rows}
order by position";

/// Where titles have queues, they are locked before their items.
pub(in crate::circulation) static LOCK_TITLE: LazyLock<[[String; 3]; 2]> = LazyLock::new(|| {
    for_each_stock(|items, is| {
        is.map(|item_is| {
            format!(
                "select h.\"instanceId\", {}\n\
                 from {items} i\njoin holdings_record h on h.id = i.\"holdingsRecordId\"\nwhere {item_is}",
                locks::lock_title_sql("h.\"instanceId\"")
            )
        })
    })
});

/// The queue of the item's title, in the columns of [`LOANS_AND_QUEUE`].
pub(super) static QUEUE_OF_TITLE: LazyLock<[[String; 3]; 2]> = LazyLock::new(|| {
    for_each_stock(|items, is| {
        is.map(|item_is| {
            format!(
                "select false, q.*\n\
                 from {items} i\n\
                 join holdings_record h on h.id = i.\"holdingsRecordId\"\n\
                 cross join queue_of(i.id, h.\"instanceId\", $2) q\n\
                 where {item_is}\n\
                 order by q.position"
            )
        })
    })
});

/// The user who borrows for another, and the relations between the two.
pub(super) const PROXY: &str = "\
select
  p.doc::text,
  (
    select json_agg(r.doc)::text
    from proxyfor r
    join users u on r.\"userId\" = u.id::text
    where r.\"proxyUserId\" = p.id::text and u.barcode = octavo.fold($2)
  )
from users p
where p.barcode = octavo.fold($1)";

/// The user who borrows for another, and the relations between the two; both users are named by their ids.
pub(super) const PROXY_BY_ID: &str = "\
select
  p.doc::text,
  (
    select json_agg(r.doc)::text
    from proxyfor r
    where r.\"proxyUserId\" = $1::text and r.\"userId\" = $2::text
  )
from users p
where p.id = $1::text::uuid";

/// Patrons write their holidays into their own setting `holiday` of the scope `octavo.requests`; `$1` is today.
pub(super) const PATRONS_WHO_ARE_AWAY: &str = "\
select s.\"userId\"
from settings s
where s.scope = 'octavo.requests'
  and s.key = 'holiday'
  and s.\"userId\" is not null
  and coalesce(s.doc #>> '{value,from}', '') <= $1
  and s.doc #>> '{value,until}' >= $1";

/// The member of staff who makes the request.
pub(super) const STAFF: &str = "select doc::text from users where id = $1";

octavo_pg::statements! {
    hot = [
        PATRON, PATRON_BY_ID, BORROWER, LOCK_ITEM, ITEM, LOANS_AND_QUEUE, LOCK_TITLE, QUEUE_OF_TITLE, PROXY,
        PROXY_BY_ID, PATRONS_WHO_ARE_AWAY, STAFF,
    ],
}
