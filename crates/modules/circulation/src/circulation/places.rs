//! Statements that change places in queues: one for each kind of change, whatever the number of requests.

use octavo_circulation::plan::{PlaceChange, QueueOf};
use octavo_pg::Statement;
use uuid::Uuid;

pub(super) fn statement(change: &PlaceChange) -> Statement {
    let of = |[item, title]: [&'static str; 2], queue: &QueueOf| {
        let (sql, id) = match queue {
            QueueOf::Item(id) => (item, id),
            QueueOf::Title(id) => (title, id),
        };
        Statement::new(sql).uuid(Uuid::parse_str(id).unwrap_or_default())
    };
    match change {
        PlaceChange::CloseGap { queue, after } => of(CLOSE_GAP, queue).long(*after),
        PlaceChange::OpenGap { queue, at } => of(OPEN_GAP, queue).long(*at),
        PlaceChange::Move { queue, from, to } => of(MOVE, queue).long(*from).long(*to),
        PlaceChange::Order { places } => {
            let known = places.iter().filter_map(|(id, place)| Some((Uuid::parse_str(id).ok()?, place)));
            let (ids, places) = known.map(|(id, place)| (id, place.to_string())).unzip();
            Statement::new(ORDER).uuids(ids).texts(places)
        }
    }
}

pub(super) fn length_statement(queue: &QueueOf) -> Statement {
    let (sql, id) = match queue {
        QueueOf::Item(id) => ("select count(*) from queue_place where \"itemId\" = $1", id),
        QueueOf::Title(id) => ("select count(*) from queue_place where \"instanceId\" = $1", id),
    };
    Statement::new(sql).uuid(Uuid::parse_str(id).unwrap_or_default())
}

const CLOSE_GAP: [&str; 2] = [
    "update queue_place set position = position - 1 where \"itemId\" = $1 and position > $2::int8",
    "update queue_place set position = position - 1 where \"instanceId\" = $1 and position > $2::int8",
];

const OPEN_GAP: [&str; 2] = [
    "update queue_place set position = position + 1 where \"itemId\" = $1 and position >= $2::int8",
    "update queue_place set position = position + 1 where \"instanceId\" = $1 and position >= $2::int8",
];

const MOVE: [&str; 2] = [
    "update queue_place \
     set position = case when position = $2::int8 then $3::int8 else position + sign($2::int8 - $3::int8) end \
     where \"itemId\" = $1 and position between least($2::int8, $3::int8) and greatest($2::int8, $3::int8)",
    "update queue_place \
     set position = case when position = $2::int8 then $3::int8 else position + sign($2::int8 - $3::int8) end \
     where \"instanceId\" = $1 and position between least($2::int8, $3::int8) and greatest($2::int8, $3::int8)",
];

/// Gives an open request a place if it has none yet.
const ORDER: &str = "\
with moved as (
  update queue_place q set position = o.position::integer
  from unnest($1::uuid[], $2::text[]) o (id, position)
  where q.id = o.id
  returning q.id
)
insert into queue_place (id, \"itemId\", \"instanceId\", \"requesterId\", position, status, \"requestType\", \"requestLevel\")
select
  r.id, r.\"itemId\", r.\"instanceId\", r.\"requesterId\", o.position::integer,
  r.doc ->> 'status', r.doc ->> 'requestType', r.doc ->> 'requestLevel'
from request r
join unnest($1::uuid[], $2::text[]) o (id, position) on o.id = r.id
where r.id = any(array(select unnest($1::uuid[]) except select m.id from moved m))";

/// Frees the places of requests that then exchange them.
pub(crate) const FREE_PLACES: &str = "delete from queue_place where id = any($1)";

octavo_pg::statements!(hot = [ORDER, FREE_PLACES]);
