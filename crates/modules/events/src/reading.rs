//! The events of a tenant, read in their order.

use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::pubsub::id_from_position;
use crate::receiver::Event;
use crate::records;

/// The most events that one statement reads, and the most characters of their payloads together. A single event may have more characters.
const MAX_EVENTS: i64 = 100;
const MAX_CHARACTERS: i64 = 4 << 20;

/// Reads the events after a position and up to the position `known`, as many as one statement reads.
pub(crate) async fn read_events_after(
    session: &mut Session,
    tenant: &str,
    position: i64,
    known: i64,
) -> Outcome<Vec<Event>> {
    let read = Statement::new(AFTER).long(position).long(known).long(MAX_EVENTS).long(MAX_CHARACTERS);
    let rows: Vec<(i64, String, String, Option<Uuid>, String, bool)> = session.read(read).await?;
    rows.into_iter()
        .map(|(position, kind, at, by_user_id, payload, is_published)| {
            let (key, payload) = if records::is_record_change(&kind) && !is_published {
                let (key, payload) =
                    records::folio_key_and_payload(&kind, tenant, id_from_position(position), &at, &payload)?;
                (Some(key), payload)
            } else {
                (None, RawValue::from_string(payload).map_err(Fault::internal)?)
            };
            Ok(Event { position, kind, at, tenant: tenant.to_owned(), by_user_id, payload, key })
        })
        .collect()
}

const AFTER: &str = "\
select position, type, at, by_user, payload, is_published
from (
  select
    position,
    type,
    to_char(at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"') as at,
    by_user,
    payload::text as payload,
    published is not null as is_published,
    sum(length(payload::text)) over (order by position) - length(payload::text) as before
  from (
    select position, type, at, by_user, payload, published
    from event
    where position > $1 and position <= $2
    order by position
    limit $3::int8
  ) few
) read
where before < $4::int8
order by position";

octavo_pg::statements!(hot = [AFTER]);
