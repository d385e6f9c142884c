//! The events of a tenant, read in their order.

use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::pubsub::id_of;
use crate::receiver::Event;
use crate::records;

/// The most events that are read at once, and the most characters of their payloads; one event may have more.
const MOST: i64 = 100;
const MOST_CHARACTERS: i64 = 4 << 20;

/// The events after a position and up to another, as many as go at once.
pub(crate) async fn after(
    session: &mut Session,
    tenant: &str,
    position: i64,
    known: i64,
) -> Outcome<Vec<Event>> {
    let read = Statement::new(AFTER).long(position).long(known).long(MOST).long(MOST_CHARACTERS);
    let rows: Vec<(i64, String, String, Option<Uuid>, String)> = session.read(read).await?;
    rows.into_iter()
        .map(|(position, kind, at, by_user_id, payload)| {
            let (key, payload) = if records::is_change(&kind) {
                let (key, payload) = records::told(&kind, tenant, id_of(position), &at, &payload)?;
                (Some(key), payload)
            } else {
                (None, RawValue::from_string(payload).map_err(Fault::internal)?)
            };
            Ok(Event { position, kind, at, tenant: tenant.to_owned(), by_user_id, payload, key })
        })
        .collect()
}

const AFTER: &str = "\
select position, type, at, by_user, payload
from (
  select
    position,
    type,
    to_char(at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"') as at,
    by_user,
    payload::text as payload,
    sum(length(payload::text)) over (order by position) - length(payload::text) as before
  from (
    select position, type, at, by_user, payload
    from event
    where position > $1 and position <= $2
    order by position
    limit $3::int8
  ) few
) read
where before < $4::int8
order by position";

octavo_pg::statements!(hot = [AFTER]);
