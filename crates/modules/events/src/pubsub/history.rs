//! FOLIO's audit messages: what has become of each event. They are computed from the stored events, the positions of consumers and the
//! refused events. When a module took an event is not stored, so these messages have no date.

use jiff::Timestamp;
use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome, parse_time};
use octavo_pg::{Json, Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use super::built_in;
use super::ids::{id_from_parts, id_from_position, position_from_id};
use super::publish::{Metadata, Published};
use crate::records;

/// The most events that one answer covers.
const MAX_EVENTS: usize = 5_000;
/// The last millisecond of the year 9999, since 1970.
const LATEST_MILLISECOND: i64 = 253_402_300_799_999;

/// The columns of an event: position, type, time of publishing, user id, id given by the publishing module, metadata.
type EventRow = (i64, String, String, Option<Uuid>, Option<Uuid>, Option<Json<Metadata>>);

/// How far a module has come with the events of one type.
struct SubscriptionProgress {
    consumer: String,
    position: i64,
    /// The position of the event that the module refuses now, and the reason.
    failing: Option<(i64, String)>,
    kind: String,
    since: i64,
}

/// The parameters of a request for audit messages.
struct HistoryQuery {
    start: i64,
    end: i64,
    event: Option<Uuid>,
    kind: Option<String>,
    correlation: Option<String>,
}

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let Some(wanted) = parse_query(&request)? else {
        return Ok(Response::json(200, &json!({"auditMessages": [], "totalRecords": 0})));
    };
    let mut session = context.session().await?;
    let events: Vec<EventRow> = session.read(wanted.statement()).await?;
    if events.len() > MAX_EVENTS {
        let message = format!(
            "More than {MAX_EVENTS} events are in this time. Ask for a shorter time or one event type"
        );
        return Err(Fault::bad_request(message));
    }
    let messages = audit_messages(&mut session, context, events).await?;
    Ok(Response::json(200, &json!({"auditMessages": messages, "totalRecords": messages.len()})))
}

/// Reads the parameters. `None` if `eventId` is no UUID, so that no event can have it.
fn parse_query(request: &Request) -> Outcome<Option<HistoryQuery>> {
    let (Some(start), Some(end)) = (request.query("startDate"), request.query("endDate")) else {
        return Err(Fault::bad_request("Start date and End date are required query parameters"));
    };
    let formats = "Supported date formats yyyy-MM-dd, yyyy-MM-dd'T'HH:mm:ss, yyyy-MM-dd'T'HH:mm:ssZZ";
    let read = |text| {
        let at = parse_time(text).map(Timestamp::as_millisecond);
        at.ok_or_else(|| Fault::bad_request(formats))
    };
    let whole_day = if end.len() == "2026-11-27".len() { 86_400_000 - 1 } else { 0 };
    let text = |name: &str| request.query(name).map(str::to_owned);
    let event = match request.query("eventId").map(Uuid::parse_str) {
        Some(Err(_)) => return Ok(None),
        Some(Ok(id)) => Some(id),
        None => None,
    };
    Ok(Some(HistoryQuery {
        start: read(start)?.clamp(0, LATEST_MILLISECOND),
        end: (read(end)? + whole_day).clamp(0, LATEST_MILLISECOND),
        event,
        kind: text("eventType"),
        correlation: text("correlationId"),
    }))
}

impl HistoryQuery {
    fn statement(&self) -> Statement {
        let statement = match self.event {
            Some(id) => Statement::new(OF_EVENT).uuid(id).long(position_from_id(id)),
            None => Statement::new(OF_TIME),
        };
        statement
            .long(self.start)
            .long(self.end)
            .maybe_text(self.kind.as_deref())
            .maybe_text(self.correlation.as_deref())
            .texts(records::record_change_types().map(str::to_owned).collect())
            .long(MAX_EVENTS as i64 + 1)
    }
}

async fn audit_messages(
    session: &mut Session,
    context: &Context,
    events: Vec<EventRow>,
) -> Outcome<Vec<Value>> {
    let [first, last] = [events.first(), events.last()].map(|event| event.map_or(0, |event| event.0));
    let tenant = context.tenant.id.as_str();
    let subscribed: Vec<SubscriptionProgress> = load_subscriptions(session, tenant).await?;
    let refused: Vec<(String, i64, String, String)> =
        session.read(Statement::new(REFUSED).long(first).long(last)).await?;
    let publishers = built_in::publishers(&context.tenant);
    let mut messages = Vec::new();
    for (position, kind, at, by_user, published, metadata) in events {
        let metadata = metadata.map(|Json(metadata)| metadata);
        let id = published.unwrap_or_else(|| id_from_position(position));
        let by_module = || publishers.get(kind.as_str()).cloned().unwrap_or_default();
        let (by, created_by, correlation) = match metadata {
            Some(own) => (own.published_by, own.created_by, own.correlation_id),
            None => (by_module(), by_user.map(|user| user.to_string()), None),
        };
        let mut say = |state: &str, whose: &str, date: Option<&str>, error: &str| {
            let mut message = json!({
                "id": id_from_parts(&[tenant, &position.to_string(), state, whose]),
                "eventId": id,
                "eventType": kind,
                "correlationId": correlation.as_deref().unwrap_or_default(),
                "tenantId": tenant,
                "createdBy": created_by.as_deref().unwrap_or_default(),
                "publishedBy": by,
                "state": state,
                "errorMessage": error,
            });
            if let Some(date) = date {
                message["auditDate"] = json!(date);
            }
            messages.push(message);
        };
        say("PUBLISHED", "", Some(&at), "");
        let mut received = false;
        for module in subscribed.iter().filter(|module| module.kind == kind && module.since < position) {
            let is_failing = module.failing.as_ref().filter(|failing| failing.0 == position);
            if position > module.position && is_failing.is_none() {
                continue;
            }
            if !std::mem::replace(&mut received, true) {
                say("RECEIVED", "", None, "");
            }
            let refused = refused.iter().find(|one| one.0 == module.consumer && one.1 == position);
            match (is_failing, refused) {
                (Some((_, why)), _) => say("REJECTED", &module.consumer, None, why),
                (None, Some((_, _, why, date))) => say("REJECTED", &module.consumer, Some(date), why),
                (None, None) => say("DELIVERED", &module.consumer, None, ""),
            }
        }
    }
    Ok(messages)
}

async fn load_subscriptions(session: &mut Session, tenant: &str) -> Outcome<Vec<SubscriptionProgress>> {
    let rows: Vec<(String, i64, Option<String>, String, i64, Option<i64>)> =
        session.read(Statement::new(SUBSCRIBED).text(tenant)).await?;
    let rows = rows.into_iter().map(|(consumer, position, error, kind, since, next)| SubscriptionProgress {
        consumer,
        position,
        failing: next.map(|next| (next, error.unwrap_or_default())),
        kind,
        since,
    });
    Ok(rows.collect())
}

/// The payload of an event as it was published.
pub(super) async fn payload(request: Request) -> Outcome<Response> {
    let id = request.path_parameter(0);
    let missing = || Fault::not_found_with(format!("Couldn't find audit message payload for event {id}"));
    let event = Uuid::parse_str(id).map_err(|_| missing())?;
    let mut session = request.context.session().await?;
    let payload = Statement::new(PAYLOAD).uuid(event).long(position_from_id(event));
    let (text, published): (String, Option<Uuid>) =
        session.read::<Option<_>>(payload).await?.ok_or_else(missing)?;
    let content = match published {
        None => text,
        Some(_) => serde_json::from_str::<Published>(&text)
            .ok()
            .and_then(|published| published.event_payload)
            .filter(|payload| !payload.is_empty())
            .ok_or_else(missing)?,
    };
    Ok(Response::json(200, &json!({"eventId": event, "content": content})))
}

const OF_TIME: &str = "\
select
  position,
  type,
  to_char(at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"'),
  by_user,
  published,
  case when published is not null then (payload -> 'eventMetadata')::text end
from event
where
  at >= to_timestamp($1::int8 / 1000.0)
  and at < to_timestamp(($2::int8 + 1) / 1000.0)
  and ($3::text is null or type = $3)
  and ($4::text is null or (published is not null and payload #>> '{eventMetadata,correlationId}' = $4))
  and type <> all ($5::text[])
order by position
limit $6::int8";

const OF_EVENT: &str = "\
select
  position,
  type,
  to_char(at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"'),
  by_user,
  published,
  case when published is not null then (payload -> 'eventMetadata')::text end
from event
where
  (published = $1 or (position = $2::int8 and published is null))
  and at >= to_timestamp($3::int8 / 1000.0)
  and at < to_timestamp(($4::int8 + 1) / 1000.0)
  and ($5::text is null or type = $5)
  and ($6::text is null or (published is not null and payload #>> '{eventMetadata,correlationId}' = $6))
  and type <> all ($7::text[])
order by position
limit $8::int8";

const SUBSCRIBED: &str = "\
select
  c.name,
  c.position,
  c.error,
  m.event_type,
  m.since,
  case when c.failures > 0 then (
    select min(e.position)
    from event e
    where
      e.position > c.position
      and e.type in (
        select o.event_type from pubsub_module o where o.module = m.module and o.role = 'SUBSCRIBER'
      )
  ) end
from pubsub_module m
join octavo.event_consumers c on c.tenant = $1 and c.name = 'module:' || m.module
where m.role = 'SUBSCRIBER'
order by c.name, m.event_type";

const REFUSED: &str = "\
select consumer, (doc ->> 'position')::int8, coalesce(doc ->> 'message', ''), \"refusedDate\"
from refused_event
where consumer like 'module:%' and (doc ->> 'position')::int8 between $1::int8 and $2::int8";

const PAYLOAD: &str = "\
select payload::text, published
from event
where published = $1 or (position = $2::int8 and published is null)
order by position desc
limit 1";

octavo_pg::statements!(other = [OF_TIME, OF_EVENT, SUBSCRIBED, REFUSED, PAYLOAD]);
