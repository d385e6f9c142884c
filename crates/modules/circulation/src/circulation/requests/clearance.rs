//! `GET /circulation/requests-reports/hold-shelf-clearance/{servicePointId}`: items on the hold shelf whose request was closed before they
//! were fetched, and for which no other request waits.

use octavo_engine::{Request, Response};
use octavo_kernel::{Members, Outcome};
use octavo_pg::Statement;

use super::related::{Page, views};
use crate::circulation::Desk;

pub(in crate::circulation) async fn report(request: Request) -> Outcome<Response> {
    let id = request.path_id(0)?;
    let desk = Desk::current(&request.context).await?;
    let mut session = request.context.session().await?;
    let texts: Vec<String> = session.read(Statement::new(LEFT_ON_SHELF).uuid(id)).await?;
    let requests: Vec<Members> = texts.iter().filter_map(|text| Members::read(text)).collect();
    let total_records = Some(requests.len() as i64);
    Page { requests: views(&desk, &mut session, requests).await?, total_records }.response()
}

/// For each item the request that was closed last, if it was to be picked up here; as in FOLIO, the latest first.
const LEFT_ON_SHELF: &str = "\
select l.doc::text
from (
  select distinct on (r.\"itemId\") r.\"itemId\", r.\"pickupServicePointId\", r.doc
  from request r
  where r.\"itemId\" in (
      select c.\"itemId\"
      from request c
      where c.\"pickupServicePointId\" = $1
        and c.status in ('closed - cancelled', 'closed - pickup expired')
        and c.doc ->> 'awaitingPickupRequestClosedDate' is not null
    )
    and r.status in ('closed - cancelled', 'closed - pickup expired')
    and r.doc ->> 'awaitingPickupRequestClosedDate' is not null
  order by r.\"itemId\", r.doc ->> 'awaitingPickupRequestClosedDate' desc
) l
join item i on i.id = l.\"itemId\"
where l.\"pickupServicePointId\" = $1
  and i.doc #>> '{status,name}' = 'Awaiting pickup'
  and not exists (
    select from request o
    where o.\"itemId\" = i.id
      and o.status = 'open - awaiting pickup'
  )
order by l.doc ->> 'awaitingPickupRequestClosedDate' desc, i.id";

octavo_pg::statements!(hot = [LEFT_ON_SHELF]);
