//! What must never be, as queries that find it.

use octavo_pg::Statement;
use octavo_testkit::{Library, on_runtime};

/// What is wrong with a library.
pub(super) async fn disorder(library: &Library) -> Vec<&'static str> {
    let context = library.context().await;
    on_runtime(async move {
        let mut session = context.session().await.unwrap();
        let mut wrong = Vec::new();
        for (told, query) in DISORDER {
            let found = session.rows(Statement::new(query)).await.unwrap();
            wrong.extend((!found.is_empty()).then_some(told));
        }
        wrong
    })
    .await
}

pub(super) const DISORDER: [(&str, &str); 15] = [
    (
        "an item is lent twice",
        "select 1 from loan where \"status.name\" = 'open' group by \"itemId\" having count(*) > 1",
    ),
    (
        "the status of an item and its loans do not agree",
        "select 1 from item i \
         left join loan l on l.\"itemId\" = i.id and l.\"status.name\" = 'open' \
         where (i.doc #>> '{status,name}' in ('Checked out', 'Declared lost', 'Claimed returned', 'Aged to lost')) \
         is distinct from (l.id is not null) \
         or l.id is not null and l.doc ->> 'itemStatus' is distinct from i.doc #>> '{status,name}'",
    ),
    (
        "nobody has an open loan",
        "select 1 from loan where \"status.name\" = 'open' and doc ->> 'userId' is null",
    ),
    (
        "the actions on a fee do not add up to its balance",
        "select 1 from accounts a cross join lateral ( \
           select sum(case \
             when f.doc ->> 'typeAction' ~ '^(Paid|Waived|Transferred)' then - (f.doc ->> 'amountAction')::numeric \
             when f.doc ->> 'typeAction' ~ '^Refunded' then (f.doc ->> 'amountAction')::numeric \
             when f.doc ->> 'typeAction' ~ '^(Cancelled|Credited)' then 0 \
             else (f.doc ->> 'amountAction')::numeric end) as balance, \
           bool_or(f.doc ->> 'typeAction' ~ '^Cancelled') as cancelled \
           from feefineactions f where f.\"accountId\" = a.id) s \
         where (a.doc ->> 'remaining')::numeric <> s.balance and not s.cancelled",
    ),
    (
        "a fee is closed while something of it is owed, or open while nothing is",
        "select 1 from accounts \
         where (doc #>> '{status,name}' = 'Closed') is distinct from ((doc ->> 'remaining')::numeric = 0)",
    ),
    (
        "more is owed than was charged, or less than nothing",
        "select 1 from accounts \
         where (doc ->> 'remaining')::numeric not between 0 and (doc ->> 'amount')::numeric",
    ),
    (
        "a queue has a gap",
        "select 1 from queue_place group by \"itemId\" \
         having min(position) <> 1 or max(position) <> count(*)",
    ),
    (
        "an open request has no place in a queue, or one that is closed has",
        "select 1 from request r left join queue_place q on q.id = r.id \
         where (r.doc ->> 'status' like 'Open%') is distinct from (q.id is not null)",
    ),
    (
        "an item serves two requests",
        "select 1 from request where doc ->> 'status' in ('Open - Awaiting pickup', 'Open - In transit') \
         group by doc ->> 'itemId' having count(*) > 1",
    ),
    (
        "an item that somebody is to fetch is not on the hold shelf",
        "select 1 from request r join item i on i.id = (r.doc ->> 'itemId')::uuid \
         where r.doc ->> 'status' = 'Open - Awaiting pickup' and i.doc #>> '{status,name}' <> 'Awaiting pickup'",
    ),
    (
        "a loan was made to a patron who is blocked",
        "select 1 from walk_seen where what = 'lent to a patron who is blocked'",
    ),
    (
        "a loan was made to a patron who is not active",
        "select 1 from walk_seen where what = 'lent to a patron who is not active'",
    ),
    (
        "a loan was made to a patron of another group",
        "select 1 from walk_seen where what = 'lent to a patron of another group'",
    ),
    (
        "a loan was made to a patron who has enough",
        "select 1 from walk_seen where what = 'lent to a patron who has enough'",
    ),
    (
        "a patron waits for one item twice",
        "select 1 from queue_place group by \"itemId\", \"requesterId\" having count(*) > 1",
    ),
];
