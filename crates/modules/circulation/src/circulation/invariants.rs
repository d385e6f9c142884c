//! Invariants of loans, requests and the items that they are about.

use octavo_engine::{Context, CountFuture, Invariant};
use octavo_pg::Statement;

use super::jobs::renumber_queues;

pub(crate) static ALL: &[Invariant] = &[
    Invariant {
        violation: "an item is lent twice",
        find_sql: "select \"itemId\"::text from loan where \"status.name\" = 'open' group by \"itemId\" having count(*) > 1",
        advice: "Find out who has the item, and close the other loan",
        repair: None,
    },
    Invariant {
        violation: "the status of an item and its loans do not agree",
        find_sql: "select i.id::text from item i \
               left join loan l on l.\"itemId\" = i.id and l.\"status.name\" = 'open' \
               where (i.doc #>> '{status,name}' in ('Checked out', 'Declared lost', 'Claimed returned', 'Aged to lost')) \
               is distinct from (l.id is not null) \
               or l.id is not null and l.doc ->> 'itemStatus' is distinct from i.doc #>> '{status,name}'",
        advice: "Look where the item is, and check it in",
        repair: None,
    },
    Invariant {
        violation: "nobody has an open loan",
        find_sql: "select id::text from loan where \"status.name\" = 'open' and doc ->> 'userId' is null",
        advice: "Check the item in",
        repair: None,
    },
    Invariant {
        violation: "an open loan is of a user who is not there",
        find_sql: "select l.id::text from loan l where l.\"status.name\" = 'open' and l.\"userId\" is not null \
               and not exists (select from users u where u.id = l.\"userId\")",
        advice: "Check the item in, or bring the user back from a backup",
        repair: None,
    },
    Invariant {
        violation: "an open loan is of an item that is not there",
        find_sql: "select l.id::text from loan l where l.\"status.name\" = 'open' \
               and not exists (select from item i where i.id = l.\"itemId\") \
               and not exists (select from circulation_item c where c.id = l.\"itemId\")",
        advice: "Bring the item back from a backup, or delete the loan",
        repair: None,
    },
    Invariant {
        violation: "an open request is of a user who is not there",
        find_sql: "select r.id::text from request r where r.status like 'open%' and r.\"requesterId\" is not null \
               and not exists (select from users u where u.id = r.\"requesterId\")",
        advice: "Cancel the request, or bring the user back from a backup",
        repair: None,
    },
    Invariant {
        violation: "an open request is for an item that is not there",
        find_sql: "select r.id::text from request r where r.status like 'open%' and r.\"itemId\" is not null \
               and not exists (select from item i where i.id = r.\"itemId\") \
               and not exists (select from circulation_item c where c.id = r.\"itemId\")",
        advice: "Cancel the request, or bring the item back from a backup",
        repair: None,
    },
    Invariant {
        violation: "a queue does not count from 1 without gaps",
        find_sql: "select min(r.\"instanceId\"::text) from request r \
               left join queue_place q on q.id = r.id \
               cross join (select exists (select from config_data c where c.doc ->> 'module' = 'SETTINGS' \
                 and c.doc ->> 'configName' = 'TLR' and c.doc ->> 'enabled' is distinct from 'false' \
                 and c.doc ->> 'value' ~ '\"titleLevelRequestsFeatureEnabled\"\\s*:\\s*true') as for_titles) t \
               where r.status like 'open%' \
               group by r.\"instanceId\", case when not t.for_titles then r.\"itemId\" end \
               having count(*) <> count(distinct q.position) or count(*) <> max(q.position)",
        advice: "Have the queues numbered anew; nobody changes their turn",
        repair: Some(number_queues),
    },
    Invariant {
        violation: "a place in a queue is nobody's",
        find_sql: "select q.id::text from queue_place q \
               where not exists (select from request r where r.id = q.id and r.status like 'open%')",
        advice: "Have the place removed, and the queue numbered anew",
        repair: Some(number_queues),
    },
    Invariant {
        violation: "an item serves two requests",
        find_sql: "select doc ->> 'itemId' from request \
               where doc ->> 'status' in ('Open - Awaiting pickup', 'Open - In transit') \
               group by doc ->> 'itemId' having count(*) > 1",
        advice: "Check the item in: it goes to who is first; cancel or move the other request",
        repair: None,
    },
    Invariant {
        violation: "an item that somebody is to fetch is not on the hold shelf",
        find_sql: "select i.id::text from request r join item i on i.id = (r.doc ->> 'itemId')::uuid \
               where r.doc ->> 'status' = 'Open - Awaiting pickup' and i.doc #>> '{status,name}' <> 'Awaiting pickup'",
        advice: "Look where the item is, and check it in",
        repair: None,
    },
    Invariant {
        violation: "a patron waits for one item twice",
        find_sql: "select min(id::text) from queue_place where \"itemId\" is not null \
               group by \"itemId\", \"requesterId\" having count(*) > 1",
        advice: "Cancel one of the requests",
        repair: None,
    },
];

/// Places of requests that are no longer open go, those of open requests follow one another in the order in which they are.
fn number_queues(context: Context) -> CountFuture {
    Box::pin(async move {
        let mut session = context.session().await?;
        let gone = session.rows(Statement::new(NOBODYS)).await?;
        Ok(gone.len() + renumber_queues::renumber_disordered(&context, &mut session).await?)
    })
}

const NOBODYS: &str = "\
delete from queue_place q
where not exists (select from request r where r.id = q.id and r.status like 'open%')
returning q.id";

octavo_pg::statements!(other = [NOBODYS]);
