//! Jobs that change whole queues: all open requests for a title and its items, locked as decisions about requests lock them,
//! in batches of two round trips.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use octavo_circulation::facts::{Facts, Item, QueuedRequest};
use octavo_circulation::plan::Plan;
use octavo_circulation::request::RequestFacts;
use octavo_engine::Context;
use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement};
use uuid::Uuid;

use crate::circulation::Desk;
use crate::circulation::commit::commit_all;
use crate::circulation::gather::{ITEM_COLUMNS, ITEM_SOURCE, item_at, library_facts};

/// Lets a decision change the queues of titles, of at most so many as a batch has; returns how many of them it did change.
pub(super) async fn change_queues(
    context: &Context,
    session: &mut Session,
    mut titles: Vec<Uuid>,
    decision: fn(&RequestFacts) -> Plan,
) -> Outcome<usize> {
    let mut desk = Desk::of(&*context.platform.snapshots.with(&context.tenant.id, session).await?);
    // Locks of one kind are taken in one order.
    titles.sort_unstable();
    let of_titles = |sql: &'static str| Statement::new(sql).uuids(titles.clone());
    let mut answers =
        session.begin(vec![of_titles(TITLES), of_titles(ITEMS.as_str()), of_titles(QUEUES)]).await?;
    let (queues, items) = (answers.pop().unwrap_or_default(), answers.pop().unwrap_or_default());
    let version = answers.pop().and_then(|rows| Some(rows.first()?.long(0)));
    if version.is_some_and(|version| version != desk.version) {
        desk = Desk::of(&*context.platform.snapshots.read(&context.tenant.id, session).await?);
    }
    let mut by_title: BTreeMap<Uuid, RequestFacts> = BTreeMap::new();
    for row in &queues {
        let facts = by_title.entry(row.uuid(0)).or_insert_with(|| about_a_title(context, &desk));
        let record = row.json(1).unwrap_or_default();
        facts.desk.queue.push(QueuedRequest { record: record.into(), ..QueuedRequest::default() });
    }
    for item in items.iter().filter_map(|row| item_at(row, 0, &desk)) {
        if let Some(facts) = title_of(&item).and_then(|title| by_title.get_mut(&title)) {
            facts.items.push(item);
        }
    }
    let plans: Vec<Plan> =
        by_title.values().map(decision).filter(|plan: &Plan| !plan.writes.is_empty()).collect();
    match plans.as_slice() {
        [] => session.rollback().await?,
        plans => commit_all(context, session, plans).await?,
    }
    Ok(plans.len())
}

fn title_of(item: &Item) -> Option<Uuid> {
    item.instance_id.as_deref().and_then(|id| Uuid::parse_str(id).ok())
}

fn about_a_title(context: &Context, desk: &Arc<Desk>) -> RequestFacts {
    RequestFacts {
        desk: Facts { queue: Vec::new(), ..library_facts(context, desk) },
        title_level: desk.title_level,
        options: Arc::clone(&desk.request_options),
        open_requests: 0,
        instance: None,
        items: Vec::new(),
        open_loans: Vec::new(),
        borrowers: Vec::new(),
        fresh_id: String::new(),
    }
}

const TITLES: &str = "\
select (select version from snapshot_version), pg_advisory_xact_lock(hashtextextended(current_schema() || t.id::text, 2))
from unnest($1::uuid[]) t (id)";

/// Those that somebody waits for.
static ITEMS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "select {ITEM_COLUMNS}\n{ITEM_SOURCE}\n\
         where i.id = any(array(\n  select r.\"itemId\"\n  from request r\n  \
         where r.\"instanceId\" = any($1)\n    and r.status like 'open%'\n))\n\
         order by i.id\nfor no key update of i"
    )
});

const QUEUES: &str = "\
select r.\"instanceId\", placed(r.doc, q.position)::text
from request r
left join queue_place q on q.id = r.id
where r.\"instanceId\" = any($1)
  and r.status like 'open%'
order by q.position";
