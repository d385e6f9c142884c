//! `GET /circulation/pick-slips/{servicePointId}` and `search-slips`: the items that staff have to fetch, and those that they search.

use std::cmp::Reverse;
use std::sync::LazyLock;

use jiff::Timestamp;
use octavo_circulation::facts::QueuedRequest;
use octavo_circulation::request::statuses_for;
use octavo_circulation::status::ItemStatus;
use octavo_circulation::status::RequestType;
use octavo_circulation::view::{StaffSlip, shelf_slip};
use octavo_engine::{Request, Response};
use octavo_kernel::{Outcome, RawJson, raw_json};
use octavo_pg::{Row, Statement};
use serde_json::Value;
use uuid::Uuid;

use super::uuid;
use crate::circulation::Desk;
use crate::circulation::gather::{ITEM_COLUMNS, ITEM_SOURCE, ItemRow, patron_of};

pub(in crate::circulation) async fn pick(request: Request) -> Outcome<Response> {
    slips(&request, "pickSlips", "page", vec![ItemStatus::Paged.name()]).await
}

pub(in crate::circulation) async fn search(request: Request) -> Outcome<Response> {
    slips(&request, "searchSlips", "hold", statuses_for(RequestType::Hold)).await
}

async fn slips(request: &Request, key: &str, kind: &str, statuses: Vec<&str>) -> Outcome<Response> {
    let desk = Desk::current(&request.context).await?;
    let mut session = request.context.session().await?;
    let locations = desk.locations_of(request.path_parameter(0)).filter_map(|id| uuid(Some(id))).collect();
    let waiting = Statement::new(WAITING.as_str()).uuids(locations).text(kind);
    let mut slips: Vec<(Order, RawJson)> = Vec::new();
    let each = |_, row: Row| slips.extend(slip(&row, &desk, request.context.now, &statuses));
    session.for_each_row(vec![waiting], each).await?;
    slips.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    let total = slips.len();
    let slips: Vec<RawJson> = slips.into_iter().map(|(_, slip)| slip).collect();
    let body = format!("{{\"{key}\":{},\"totalRecords\":{total}}}", raw_json(&slips));
    Ok(Response::json_text(200, body))
}

/// By date, ascending, then by the time of creation, descending. As in SQL, a missing time counts as the latest.
type Order = ((bool, Option<String>), Reverse<(bool, Option<String>)>, Uuid);

/// Id, date, document and requester of a request, and the item; the documents as text, because most are left out.
type WaitingRow<'a> = (Uuid, Option<&'a str>, Option<&'a str>, Option<&'a str>, ItemRow);

/// Makes the slip of a row while the database still reads the next one.
fn slip(row: &Row, desk: &Desk, now: Timestamp, statuses: &[&str]) -> Option<(Order, RawJson)> {
    let (id, asked, record, requester, item): WaitingRow = row.read();
    let item = item.item(desk).filter(|item| statuses.contains(&item.status()))?;
    let record: Value = serde_json::from_str(record?).ok()?;
    let made = record["metadata"]["createdDate"].as_str();
    let key = |text: Option<&str>| (text.is_none(), text.map(str::to_owned));
    let order = (key(asked), Reverse(key(made)), id);
    let waiting = QueuedRequest {
        record: record.into(),
        requester: requester
            .and_then(|text| serde_json::from_str(text).ok())
            .map(|user| patron_of(user, desk)),
        ..QueuedRequest::default()
    };
    let slip = shelf_slip(&StaffSlip {
        now,
        item: &item,
        request: Some(&waiting),
        from_service_point_id: None,
        service_points: &desk.service_points,
        person_names: &desk.person_names,
    });
    Some((order, raw_json(&slip)))
}

/// `$1` locations, `$2` the type of request. The statement goes from the waiting requests, which are few, to their items. It selects no
/// member of a document and sorts nothing: PostgreSQL would parse each document once more, and answer nothing before it had read all.
static WAITING: LazyLock<String> = LazyLock::new(|| {
    format!(
        "select r.id, r.\"requestDate\", r.doc::text, u.doc::text, {ITEM_COLUMNS}\n\
         {ITEM_SOURCE}\n\
         join request r on r.\"itemId\" = i.id\n\
         left join users u on u.id = r.\"requesterId\"\n\
         where r.status = 'open - not yet filled'\n  \
         and r.\"requestType\" = $2\n  \
         and i.\"effectiveLocationId\" = any($1)"
    )
});

octavo_pg::statements!(hot = [WAITING]);
