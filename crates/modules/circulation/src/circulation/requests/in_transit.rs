//! `GET /inventory-reports/items-in-transit`: the items in transit with origin, destination and request, in one query.

use std::sync::LazyLock;

use octavo_circulation::facts::QueuedRequest;
use octavo_circulation::view::{InTransit, item_in_transit};
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_pg::Statement;
use serde_json::{Value, json};

use crate::circulation::Desk;
use crate::circulation::gather::{ITEM_COLUMNS, ITEM_SOURCE, ItemRow, patron_of};

pub(in crate::circulation) async fn report(request: Request) -> Outcome<Response> {
    let desk = Desk::current(&request.context).await?;
    let mut session = request.context.session().await?;
    let rows: Vec<(Option<Value>, Option<Value>, Option<Value>, ItemRow)> =
        session.read(Statement::new(ON_THEIR_WAY.as_str())).await?;
    let mut items: Vec<(Option<String>, Value)> = rows
        .into_iter()
        .filter_map(|(loan, request, requester, item)| {
            let waiting = request.map(|record| QueuedRequest {
                record: record.into(),
                requester: requester.map(|user| patron_of(user, &desk)),
                ..QueuedRequest::default()
            });
            let item = item.item(&desk)?;
            let view = InTransit {
                item: &item,
                loan: loan.as_ref(),
                request: waiting.as_ref(),
                service_points: &desk.service_points,
            };
            Some((view.returned_at().map(str::to_owned), item_in_transit(&view)))
        })
        .collect();
    // Items without a loan come last.
    items.sort_by(|(one, _), (other, _)| (one.is_none(), one).cmp(&(other.is_none(), other)));
    let items: Vec<Value> = items.into_iter().map(|(_, item)| item).collect();
    Ok(Response::json(200, &json!({"items": items, "totalRecords": items.len()})))
}

/// Reads the whole table of items: an index on the status would slow each check-out and check-in.
static ON_THEIR_WAY: LazyLock<String> = LazyLock::new(|| {
    format!(
        "select l.doc, r.doc, u.doc::text, {ITEM_COLUMNS}\n\
         {ITEM_SOURCE}\n\
         left join lateral (\n  \
           select o.doc::text as doc\n  from loan o\n  \
           where o.\"itemId\" = i.id and o.\"itemStatus\" = 'in transit'\n  \
           order by o.\"returnDate\" desc nulls last, o.id\n  limit 1\n\
         ) l on true\n\
         left join lateral (\n  \
           select q.doc::text as doc, q.\"requesterId\"\n  from request q\n  \
           left join queue_place p on p.id = q.id\n  \
           where q.\"itemId\" = i.id and q.status like 'open%'\n  \
           order by p.position\n  limit 1\n\
         ) r on true\n\
         left join users u on u.id = r.\"requesterId\"\n\
         where i.doc #>> '{{status,name}}' = 'In transit'\n\
         order by i.id"
    )
});

octavo_pg::statements!(hot = [ON_THEIR_WAY]);
