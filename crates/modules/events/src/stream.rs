//! `GET /octavo/events`: events from a position on. A client that accepts `text/event-stream` gets them as they happen, as server-sent
//! events (WHATWG HTML, "Server-sent events"); any other client gets those that exist, at most a hundred.
//!
//! A stream ends after five minutes. Clients then ask again from their last position, and their permissions are checked again.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use octavo_engine::events::Horizon;
use octavo_engine::{Context, Pieces, Request, Response};
use octavo_kernel::{Fault, Kind, Outcome, json_text};
use octavo_pg::{Session, Statement};
use serde_json::json;
use tokio::time::{Instant, sleep_until};

use crate::reading::read_events_after;
use crate::receiver::Event;
use crate::records::wants_event_type;
use crate::stream_name::STREAM_CONSUMER;

/// How long a stream lasts at most.
const MAX_STREAM_DURATION: Duration = Duration::from_secs(300);
/// After this time without an event the stream sends a comment line, so that no proxy closes the connection as dead. Clients ignore the
/// line.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);
/// How often the database is looked into for what other processes have written, and for events whose transactions have not ended.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
const SHORT_POLL_INTERVAL: Duration = Duration::from_millis(50);
/// How often the database is asked for events of open transactions, if the answer is no stream.
const MAX_POLLS: usize = 20;
/// The most streams that a process serves at once.
const MAX_STREAMS: usize = 200;

/// The number of streams that this process serves.
#[derive(Default)]
struct OpenStreams(Arc<AtomicUsize>);

/// The right to serve one stream; it ends when this value is dropped.
struct StreamPermit(Arc<AtomicUsize>);

impl Drop for StreamPermit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

struct Stream {
    context: Context,
    types: Vec<String>,
    position: i64,
    horizon: Horizon,
    ends_at: Instant,
    _permit: StreamPermit,
}

pub(crate) async fn watch(request: Request) -> Outcome<Response> {
    let context = request.context.clone();
    let from = request.header("last-event-id").or_else(|| request.query("after"));
    let from = match from.map(str::parse::<i64>) {
        Some(Ok(position)) if position >= 0 => Some(position),
        Some(_) => return Err(Fault::bad_request("after is the position of an event")),
        None => None,
    };
    let types = request.query.iter().filter(|(name, _)| name == "type").map(|(_, kind)| kind.clone());
    let types: Vec<String> = types.collect();
    context
        .session()
        .await?
        .rows(Statement::new(WATCH).text(context.tenant.id.as_str()).text(STREAM_CONSUMER))
        .await?;
    if !request.header("accept").is_some_and(|accepted| accepted.contains("text/event-stream")) {
        return events_page(&context, from.unwrap_or(0), &types).await;
    }
    let place = acquire_permit(&context)?;
    let mut horizon = Horizon::default();
    // Events with earlier positions are committed by now, unless a transaction stays open longer than a second. Clients see their effects
    // when they load the records that they show.
    let (taken, _) = wait_for_open_transactions(&mut context.session().await?, &mut horizon).await?;
    let stream = Stream {
        types,
        position: from.unwrap_or(taken),
        horizon,
        ends_at: Instant::now() + MAX_STREAM_DURATION,
        _permit: place,
        context,
    };
    let begin = format!("retry: 1000\nid: {}\n\n", stream.position);
    Ok(Response {
        content_type: "text/event-stream",
        streamed_rest: Some(stream.pieces()),
        ..Response::text(200, begin)
            .with_header("cache-control", "no-store")
            .with_header("x-accel-buffering", "no")
    })
}

/// The events that exist after a position, and the position from which the client goes on.
async fn events_page(context: &Context, position: i64, types: &[String]) -> Outcome<Response> {
    let mut session = context.session().await?;
    let mut horizon = Horizon::default();
    let (_, settled) = wait_for_open_transactions(&mut session, &mut horizon).await?;
    let mut found = read_events_after(&mut session, context.tenant.id.as_str(), position, settled).await?;
    let last = found.last().map_or(position, |event| event.position);
    found.retain(|event| is_wanted(event, types));
    Ok(Response::json(200, &json!({"events": found, "position": last})))
}

/// The highest position that was assigned, and the position up to which all events can be read. Waits a little for open transactions that
/// have been assigned positions.
async fn wait_for_open_transactions(session: &mut Session, horizon: &mut Horizon) -> Outcome<(i64, i64)> {
    let (taken, mut settled) = horizon.read_positions(session).await?;
    for _ in 0..MAX_POLLS {
        if settled >= taken {
            break;
        }
        session.wait_without_connection(tokio::time::sleep(SHORT_POLL_INTERVAL)).await?;
        (_, settled) = horizon.read_positions(session).await?;
    }
    Ok((taken, settled))
}

fn is_wanted(event: &Event, types: &[String]) -> bool {
    wants_event_type(types, &event.kind, |wanted| wanted == event.kind)
}

fn acquire_permit(context: &Context) -> Outcome<StreamPermit> {
    let open = context.platform.module_state.get_or_create(OpenStreams::default);
    if open.0.fetch_add(1, Ordering::Relaxed) >= MAX_STREAMS {
        open.0.fetch_sub(1, Ordering::Relaxed);
        return Err(Fault::new(
            Kind::Unavailable,
            format!("This server has {MAX_STREAMS} streams of events already"),
        ));
    }
    Ok(StreamPermit(Arc::clone(&open.0)))
}

impl Stream {
    fn pieces(mut self) -> Pieces {
        Pieces::new(async move {
            let piece = self.next().await?;
            Ok(piece.map(|piece| (piece, self.pieces())))
        })
    }

    /// The next events as text. After a while without events, a comment line that clients ignore. `None` at the end of the stream.
    async fn next(&mut self) -> Outcome<Option<String>> {
        let silence = Instant::now() + KEEP_ALIVE_INTERVAL;
        loop {
            let notifier = &self.context.platform.event_notifier;
            if notifier.has_ended() || Instant::now() >= self.ends_at {
                return Ok(None);
            }
            let seen = notifier.count_notifications(&self.context.tenant.id);
            let mut session = self.context.session().await?;
            let (taken, known) = self.horizon.read_positions(&mut session).await?;
            let mut found = Vec::new();
            if known > self.position {
                found =
                    read_events_after(&mut session, self.context.tenant.id.as_str(), self.position, known)
                        .await?;
                self.position = found.last().map_or(known, |event| event.position);
            }
            drop(session);
            found.retain(|event| is_wanted(event, &self.types));
            if !found.is_empty() {
                return Ok(Some(found.iter().map(server_sent_event).collect()));
            }
            if known > self.position {
                continue;
            }
            if Instant::now() >= silence {
                return Ok(Some(format!(": nothing new\nid: {}\n\n", self.position)));
            }
            let look = Instant::now() + if taken > known { SHORT_POLL_INTERVAL } else { POLL_INTERVAL };
            tokio::select! {
                () = notifier.wait_for_more(&self.context.tenant.id, seen) => {}
                () = sleep_until(look.min(silence)) => {}
            }
        }
    }
}

fn server_sent_event(event: &Event) -> String {
    format!("id: {}\nevent: {}\ndata: {}\n\n", event.position, in_one_line(&event.kind), json_text(event))
}

/// Modules outside of Octavo may use any text as the type of an event, including line breaks.
fn in_one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}

/// Counts as a consumer for an hour after a client has asked for events, so that events are written. Its position is beyond all events, so
/// that no removed event counts as lost to it.
const WATCH: &str = "\
insert into octavo.event_consumers (tenant, name, position, due)
values ($1, $2, 9223372036854775807, now() + interval '1 hour')
on conflict (tenant, name) do update
set due = excluded.due
where event_consumers.due < now() + interval '30 minutes'";

octavo_pg::statements!(other = [WATCH]);
