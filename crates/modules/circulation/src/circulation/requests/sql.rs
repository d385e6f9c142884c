//! The statements that gather the facts about a request. `$1` is a stored request; `$2` and `$3` are ids that it does not contain yet.

use std::sync::LazyLock;

use octavo_engine::{SNAPSHOT_VERSION, patron_lock};

use crate::circulation::gather::{ITEM_COLUMNS, STOCKS, item_source, lock_items_sql};
use crate::circulation::locks;

/// `$2` the requester.
const THE_REQUESTER: &str = "\
u.id = coalesce($2::uuid, (select r.\"requesterId\" from request r where r.id = $1::uuid))";

pub(super) static LOCK_REQUESTER: LazyLock<String> =
    LazyLock::new(|| format!("select u.id, {}\nfrom users u\nwhere {THE_REQUESTER}", patron_lock("u.id")));

pub(super) static REQUESTER: LazyLock<String> = LazyLock::new(|| {
    format!(
        "select\n  v.version,\n  u.doc::text,\n  \
         (select json_agg(b.doc)::text from manualblocks b where b.\"userId\" = u.id),\n  u.id\n\
         from ({SNAPSHOT_VERSION}) v\nleft join users u on {THE_REQUESTER}"
    )
});

/// `$2` the instance, `$3` items.
const THE_INSTANCE: &str = "\
coalesce(
  $2::uuid,
  (select r.\"instanceId\" from request r where r.id = $1::uuid),
  (
    select h.\"instanceId\"
    from item i
    join holdings_record h on h.id = i.\"holdingsRecordId\"
    where i.id = any($3::uuid[])
    limit 1
  )
)";

/// Locks the title, so that requests for it are decided one after the other.
pub(super) static LOCK_INSTANCE: LazyLock<String> = LazyLock::new(|| {
    format!("select n.id, {}\nfrom instance n\nwhere n.id = {THE_INSTANCE}", locks::lock_title_sql("n.id"))
});

pub(super) static INSTANCE: LazyLock<String> = LazyLock::new(|| {
    let holdings = "exists (select from holdings_record h where h.\"instanceId\" = n.id)";
    format!("select n.id, {INSTANCE_DOCUMENT}, {holdings}\nfrom instance n\nwhere n.id = {THE_INSTANCE}")
});

/// The parts of an instance that requests show.
pub(super) const INSTANCE_DOCUMENT: &str = "\
json_build_object(
  'title', n.doc -> 'title',
  'identifiers', n.doc -> 'identifiers',
  'contributors', n.doc -> 'contributors',
  'publication', n.doc -> 'publication',
  'editions', n.doc -> 'editions'
)::text";

/// `$2` items that are named.
const NAMED: &str = "$2::uuid[] || (select r.\"itemId\" from request r where r.id = $1::uuid)";

const OF_TITLE: &str = "\
array(
  select t.id
  from item t
  join holdings_record th on th.id = t.\"holdingsRecordId\"
  where th.\"instanceId\" = {instance}
)";

/// The items: the named ones, or all of the title.
fn chosen_items_sql() -> [String; 2] {
    [NAMED.to_owned(), OF_TITLE.replace("{instance}", THE_INSTANCE)]
}

/// Locks items in the order of their ids.
pub(super) static LOCK_ITEMS: LazyLock<[[String; 2]; 2]> = LazyLock::new(|| {
    let lock =
        |stock: &str, items: &str| lock_items_sql(stock, &format!("i.id = any({items})"), "\norder by i.id");
    STOCKS.map(|stock| chosen_items_sql().map(|items| lock(stock, &items)))
});

/// Reads the items in the same order; the last column is the id.
pub(super) static ITEMS: LazyLock<[[String; 2]; 2]> = LazyLock::new(|| {
    STOCKS.map(|stock| {
        chosen_items_sql().map(|items| {
            let source = item_source(stock);
            format!("select {ITEM_COLUMNS}, i.id\n{source}\nwhere i.id = any({items})\norder by i.id")
        })
    })
});

pub(super) static LOANS: LazyLock<[String; 2]> = LazyLock::new(|| {
    chosen_items_sql().map(|items| {
        format!(
            "select l.doc::text, (select u.doc::text from users u where u.id = l.\"userId\")\nfrom loan l\n\
             where l.\"itemId\" = any({items})\n  and l.\"status.name\" = 'open'\norder by l.id\n\
             for no key update of l"
        )
    })
});

/// The queued requests that decisions use: of each item's requests the last two, all recalls, and the requester's own. They show which
/// request is last, whether there is another one, and whether the requester already has one. All, if the last parameter is true.
fn places_sql(belongs: &str, parameters: [usize; 2]) -> String {
    let [requester, whole] = parameters;
    format!(
        "select\n  q.id, q.\"itemId\", q.\"instanceId\", q.\"requesterId\", q.position::int8, q.status, q.\"requestType\",\n  \
         q.\"requestLevel\"\n\
         from (\n  \
           select p.*, row_number() over (partition by p.\"itemId\" order by p.position desc) as from_the_end\n  \
           from queue_place p\n  where {belongs}\n\
         ) q\n\
         where q.from_the_end <= 2\n  \
           or q.\"requestType\" = 'Recall'\n  \
           or q.\"requesterId\" = coalesce(${requester}::uuid, (select r.\"requesterId\" from request r where r.id = $1::uuid))\n  \
           or ${whole}::int8 = 1\n\
         order by q.position"
    )
}

pub(super) static QUEUE_OF_ITEMS: LazyLock<[String; 2]> = LazyLock::new(|| {
    let [named, of_title] = chosen_items_sql().map(|items| format!("p.\"itemId\" = any({items})"));
    [places_sql(&named, [3, 4]), places_sql(&of_title, [4, 5])]
});

pub(super) static QUEUE_OF_TITLE: LazyLock<String> =
    LazyLock::new(|| places_sql(&format!("p.\"instanceId\" = {THE_INSTANCE}"), [4, 5]));

pub(super) const STORED: &str = "\
select placed(r.doc, (select q.position from queue_place q where q.id = r.id))::text
from request r
where r.id = $1::uuid";

/// The open requests of a requester who is locked.
pub(super) const OPEN_REQUESTS: &str = "\
select count(*)
from request r
where r.\"requesterId\" = $1
  and r.status like 'open%'";

/// `$2` the proxy, `$3` the sponsor.
pub(super) const PROXY: &str = "\
select
  p.doc::text,
  (
    select json_agg(f.doc)::text
    from proxyfor f
    where f.\"proxyUserId\" = p.id::text
      and f.\"userId\" = $3::uuid::text
  )
from users p
where p.id = coalesce($2::uuid, (select (r.doc ->> 'proxyUserId')::uuid from request r where r.id = $1::uuid))";

octavo_pg::statements! {
    hot = [
        LOCK_REQUESTER, REQUESTER, LOCK_INSTANCE, INSTANCE, LOCK_ITEMS, ITEMS, LOANS, QUEUE_OF_ITEMS,
        QUEUE_OF_TITLE, STORED, OPEN_REQUESTS, PROXY,
    ],
}
