//! `/circulation/requests/queue/{item|instance}/{id}`: the open requests in their order, and a new order.

use std::collections::HashMap;
use std::sync::LazyLock;

use jiff::{SignedDuration, Timestamp};
use octavo_circulation::request::{QueueScope, Reorder, queue_estimates, reorder_queue};
use octavo_circulation::status::RequestStatus;
use octavo_engine::{Request, Response};
use octavo_kernel::{Members, Outcome, folio_time, parse_time, raw_json};
use octavo_pg::Statement;
use serde_json::json;
use uuid::Uuid;

use super::decide;
use super::gather::RequestKeys;
use super::related::{Page, request_with_position, views};
use crate::circulation::Desk;

pub(in crate::circulation) async fn of_item(request: Request) -> Outcome<Response> {
    show(&request, QueueScope::Item, None).await
}

pub(in crate::circulation) async fn of_instance(request: Request) -> Outcome<Response> {
    show(&request, QueueScope::Instance, None).await
}

pub(in crate::circulation) async fn reorder_item(request: Request) -> Outcome<Response> {
    let wanted = RequestKeys {
        items: vec![id(&request, QueueScope::Item)?],
        whole_queue: true,
        ..RequestKeys::default()
    };
    let order = reorder(&request, QueueScope::Item, &wanted).await?;
    show(&request, QueueScope::Item, Some(&order)).await
}

pub(in crate::circulation) async fn reorder_instance(request: Request) -> Outcome<Response> {
    let wanted = RequestKeys {
        instance: Some(id(&request, QueueScope::Instance)?),
        whole_queue: true,
        ..RequestKeys::default()
    };
    let order = reorder(&request, QueueScope::Instance, &wanted).await?;
    show(&request, QueueScope::Instance, Some(&order)).await
}

async fn reorder(request: &Request, scope: QueueScope, wanted: &RequestKeys) -> Outcome<Reorder> {
    let order: Reorder = request.body()?;
    decide(&request.context, wanted, |facts, _| {
        reorder_queue(facts, scope, request.path_parameter(0), &order)
    })
    .await?;
    Ok(order)
}

/// Puts the queue into the order that a client tries without storing it.
fn put_in_order(queue: &mut [Members<'_>], order: &Reorder) {
    let places: HashMap<&str, i64> =
        order.reordered_queue.iter().map(|place| (place.id.as_str(), place.new_position)).collect();
    for request in queue.iter_mut() {
        let place = request.text("id").and_then(|id| places.get(&*id));
        if let Some(place) = place {
            request.set("position", raw_json(place));
        }
    }
    queue.sort_by_key(|request| request.number("position"));
}

/// Shows the queue, in the new `order` if there is one.
async fn show(request: &Request, scope: QueueScope, order: Option<&Reorder>) -> Outcome<Response> {
    let (sql, copies) = match scope {
        QueueScope::Item => (OF_ITEM, COPIES_OF_ITEM.as_str()),
        QueueScope::Instance => (OF_INSTANCE, COPIES_OF_INSTANCE.as_str()),
    };
    let id = id(request, scope)?;
    let desk = Desk::current(&request.context).await?;
    let mut session = request.context.session().await?;
    let rows = session.rows(Statement::new(sql).uuid(id)).await?;
    let mut queue: Vec<Members> = rows.iter().filter_map(request_with_position).collect();
    if let Some(order) = order.filter(|_| request.context.dry_run) {
        put_in_order(&mut queue, order);
    }
    if let Some(days_per_loan) = desk.request_options.days_per_loan {
        let now = request.context.now;
        let copies: Vec<(Option<String>, bool)> =
            session.read(Statement::new(copies).text(folio_time(now)).uuid(id)).await?;
        let turn = SignedDuration::from_hours(24 * i64::from(days_per_loan));
        let free = |(at, wanted): &(Option<String>, bool)| {
            let at = at.as_deref().and_then(parse_time)?.max(now);
            if *wanted { at.checked_add(turn).ok() } else { Some(at) }
        };
        let free: Vec<Timestamp> = copies.iter().filter_map(free).collect();
        let waiting = queue.iter_mut();
        let waiting = waiting
            .filter(|request| request.text("status").as_deref() == Some(RequestStatus::NotYetFilled.name()))
            .collect();
        add_estimates(waiting, now, &free, days_per_loan);
    }
    let total_records = Some(queue.len() as i64);
    Page { requests: views(&desk, &mut session, queue).await?, total_records }.response()
}

fn add_estimates(waiting: Vec<&mut Members<'_>>, now: Timestamp, free: &[Timestamp], days_per_loan: u32) {
    let days = queue_estimates(now, free, days_per_loan, waiting.len());
    for (request, days) in waiting.into_iter().zip(days) {
        request.set("queueEstimate", raw_json(&json!({"days": days})));
    }
}

fn id(request: &Request, scope: QueueScope) -> Outcome<Uuid> {
    Uuid::parse_str(request.path_parameter(0)).map_err(|_| scope.unknown(request.path_parameter(0)))
}

const OF_ITEM: &str = "\
select r.doc::text, q.position::int8
from queue_place q
join request r on r.id = q.id
where q.\"itemId\" = $1
  and q.\"requestLevel\" is distinct from 'Title'
order by q.position";

const OF_INSTANCE: &str = "\
select r.doc::text, q.position::int8
from queue_place q
join request r on r.id = q.id
where q.\"instanceId\" = $1
order by q.position";

/// Selects when each circulating copy is due back, and whether a request in progress already has it. `$1` is now, `$2` the item or the
/// instance.
fn copies_sql(which: &str) -> String {
    format!(
        "select\n  \
           coalesce(\n    \
             (select l.\"dueDate\" from loan l where l.\"itemId\" = i.id and l.\"status.name\" = 'open' limit 1),\n    \
             $1\n  \
           ),\n  \
           exists (\n    \
             select from request r\n    \
             where r.\"itemId\" = i.id and r.status like 'open%' and r.status <> 'open - not yet filled'\n  \
           )\n\
         from item i\n\
         where {which}\n  \
         and i.doc #>> '{{status,name}}' in (\n    \
           'Available', 'Awaiting pickup', 'Awaiting delivery', 'Checked out', 'In transit', 'Paged'\n  )"
    )
}

static COPIES_OF_ITEM: LazyLock<String> = LazyLock::new(|| copies_sql("i.id = $2"));
static COPIES_OF_INSTANCE: LazyLock<String> = LazyLock::new(|| {
    copies_sql(
        "i.\"holdingsRecordId\" = any(array(select h.id from holdings_record h where h.\"instanceId\" = $2))",
    )
});

octavo_pg::statements!(hot = [OF_ITEM, OF_INSTANCE, COPIES_OF_ITEM, COPIES_OF_INSTANCE]);
