//! `GET /circulation/pick-slips/{servicePointId}` and `search-slips`: what staff have to fetch, or to look for.

use octavo_circulation::facts::QueuedRequest;
use octavo_circulation::request::statuses_for;
use octavo_circulation::view::{StaffSlip, shelf_slip};
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_pg::Statement;
use serde_json::{Value, json};
use std::sync::LazyLock;

use super::uuid;
use crate::circulation::Desk;
use crate::circulation::gather::{ITEM_COLUMNS, ITEM_SOURCE, item_at, patron_of};

pub(in crate::circulation) async fn pick(request: Request) -> Outcome<Response> {
    slips(&request, "pickSlips", "page", vec!["Paged"]).await
}

pub(in crate::circulation) async fn search(request: Request) -> Outcome<Response> {
    slips(&request, "searchSlips", "hold", statuses_for("Hold")).await
}

async fn slips(request: &Request, key: &str, kind: &str, statuses: Vec<&str>) -> Outcome<Response> {
    let desk = Desk::now(&request.context).await?;
    let mut session = request.context.session().await?;
    let locations = desk.locations_of(request.parameter(0)).filter_map(|id| uuid(Some(id))).collect();
    let rows = session
        .rows(
            Statement::new(WAITING.as_str())
                .uuids(locations)
                .text(kind)
                .texts(statuses.into_iter().map(str::to_owned).collect()),
        )
        .await?;
    let slips: Vec<Value> = rows
        .iter()
        .filter_map(|row| {
            let waiting = QueuedRequest {
                record: row.json(0)?,
                requester: row.json(1).map(|user| patron_of(user, &desk)),
                delivery_address_type_name: row.maybe_text(2).map(str::to_owned),
                ..QueuedRequest::default()
            };
            Some(shelf_slip(&StaffSlip {
                now: request.context.now,
                item: &item_at(row, 3, &desk)?,
                request: Some(&waiting),
                from_service_point_id: None,
                service_points: &desk.service_points,
            }))
        })
        .collect();
    Ok(Response::json(200, &json!({key: slips, "totalRecords": slips.len()})))
}

/// `$1` locations, `$2` the type of request, `$3` statuses of the items. From the requests that wait to their items: they are
/// few, and items of a location are many.
static WAITING: LazyLock<String> = LazyLock::new(|| {
    format!(
        "select r.doc::text, u.doc::text, a.doc ->> 'addressType', {ITEM_COLUMNS}\n\
         {ITEM_SOURCE}\n\
         join request r on r.\"itemId\" = i.id\n\
         left join users u on u.id = r.\"requesterId\"\n\
         left join addresstype a on a.id::text = r.doc ->> 'deliveryAddressTypeId'\n\
         where r.status = 'open - not yet filled'\n  \
         and r.\"requestType\" = $2\n  \
         and i.\"effectiveLocationId\" = any($1)\n  \
         and i.doc #>> '{{status,name}}' = any($3)\n\
         order by r.\"requestDate\", r.doc #>> '{{metadata,createdDate}}' desc, r.id"
    )
});
