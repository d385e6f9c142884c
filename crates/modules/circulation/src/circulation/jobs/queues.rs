//! Jobs that change whole queues: all open requests for a title and its items, locked as decisions about requests lock them,
//! in batches of three round trips.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use octavo_circulation::facts::{Facts, Item, QueuedRequest};
use octavo_circulation::log::log_requests;
use octavo_circulation::notice::DecisionFacts;
use octavo_circulation::plan::Plan;
use octavo_circulation::request::RequestFacts;
use octavo_engine::Context;
use octavo_kernel::Outcome;
use octavo_pg::{Batch, Session, Statement};
use serde_json::Value;
use uuid::Uuid;

use crate::circulation::Desk;
use crate::circulation::gather::{ITEM_COLUMNS, ItemRow, STOCKS, item_source, library_facts, lock_items_sql};
use crate::circulation::locks;
use crate::decide::write;

/// Lets a decision change the queues of the titles of a batch. Returns how many it changed.
pub(super) async fn change_queues(
    context: &Context,
    session: &mut Session,
    mut titles: Vec<Uuid>,
    decision: fn(&RequestFacts) -> Plan,
) -> Outcome<usize> {
    // Locks of one kind are taken in one order.
    titles.sort_unstable();
    let known = Desk::from_snapshot(&*context.snapshot_over(session).await?);
    let of_titles = |sql: &'static String| Statement::new(sql.as_str()).uuids(titles.clone());
    let mut batch = Batch::default();
    batch.ask::<()>(of_titles(&LOCK_TITLES));
    batch.ask::<Uuid>(of_titles(known.choose_for_stock(&LOCK_ITEMS)));
    let items = batch.ask::<ItemRow>(of_titles(known.choose_for_stock(&ITEMS)));
    let queues = batch.ask::<(Uuid, Option<Value>)>(Statement::new(QUEUES).uuids(titles.clone()));
    let answers = batch.begin(session).await?;
    let desk = super::current_desk(context, session).await?;
    let mut by_title: BTreeMap<Uuid, RequestFacts> = BTreeMap::new();
    for (title, record) in answers.each(queues) {
        let facts = by_title.entry(title).or_insert_with(|| title_facts(context, &desk));
        let record = record.unwrap_or_default();
        facts.desk.queue.push(QueuedRequest { record: record.into(), ..QueuedRequest::default() });
    }
    for item in answers.each(items).filter_map(|row| row.item(&desk)) {
        if let Some(facts) = title_of(&item).and_then(|title| by_title.get_mut(&title)) {
            facts.items.push(item);
        }
    }
    let plans: Vec<Plan> = by_title
        .values()
        .map(|facts| {
            let mut plan = decision(facts);
            log_requests(DecisionFacts { facts: &facts.desk, items: &facts.items }, &mut plan);
            plan
        })
        .filter(|plan| !plan.writes.is_empty())
        .collect();
    match plans.is_empty() {
        true => session.rollback().await?,
        false => write(context, session, &plans).await?,
    }
    Ok(plans.len())
}

fn title_of(item: &Item) -> Option<Uuid> {
    item.instance_id.as_deref().and_then(|id| Uuid::parse_str(id).ok())
}

fn title_facts(context: &Context, desk: &Arc<Desk>) -> RequestFacts {
    RequestFacts {
        desk: Facts { queue: Vec::new(), ..library_facts(context, desk) },
        title_level: desk.title_level,
        options: Arc::clone(&desk.request_options),
        open_requests: 0,
        instance: None,
        items: Vec::new(),
        open_loans: Vec::new(),
        borrowers: Vec::new(),
        locations: Arc::clone(&desk.locations),
        fresh_id: String::new(),
    }
}

static LOCK_TITLES: LazyLock<String> =
    LazyLock::new(|| format!("select {}\nfrom unnest($1::uuid[]) t (id)", locks::lock_title_sql("t.id")));

/// The items with requests. While a title is locked, no request enters its queues or moves in them.
const ASKED_FOR: &str = "\
i.id = any(array(
  select r.\"itemId\"
  from request r
  where r.\"instanceId\" = any($1)
    and r.status like 'open%'
))";

static LOCK_ITEMS: LazyLock<[String; 2]> =
    LazyLock::new(|| STOCKS.map(|stock| lock_items_sql(stock, ASKED_FOR, "\norder by i.id")));

static ITEMS: LazyLock<[String; 2]> = LazyLock::new(|| {
    STOCKS.map(|stock| {
        let source = item_source(stock);
        format!("select {ITEM_COLUMNS}\n{source}\nwhere {ASKED_FOR}\norder by i.id")
    })
});

const QUEUES: &str = "\
select r.\"instanceId\", placed(r.doc, q.position)::text
from request r
left join queue_place q on q.id = r.id
where r.\"instanceId\" = any($1)
  and r.status like 'open%'
order by q.position";

octavo_pg::statements!(hot = [LOCK_TITLES, LOCK_ITEMS, ITEMS, QUEUES]);
