//! `GET /octavo/events`: events from a position on. A client that accepts `text/event-stream` gets them as they happen, as server-sent events
//! (WHATWG HTML, "Server-sent events"); any other gets those that there are, a hundred at most.
//!
//! A stream ends after five minutes, and clients go on from the last position that they have: so what a client may do is asked again.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use octavo_engine::events::Horizon;
use octavo_engine::{Context, Pieces, Request, Response};
use octavo_kernel::{Fault, Kind, Outcome, json_text};
use octavo_pg::{Session, Statement};
use serde_json::json;
use tokio::time::{Instant, sleep_until};

use crate::reading::after;
use crate::receiver::Event;
use crate::records::wanted;
use crate::stream_name::STREAM;

/// How long a stream lasts.
const WHOLE: Duration = Duration::from_secs(300);
/// After how long without an event a line is sent that clients overlook, so that nobody between holds the connection to be dead.
const SILENCE: Duration = Duration::from_secs(15);
/// How often the database is looked into for what other processes have written, and for events whose transactions have not ended.
const LOOK: Duration = Duration::from_secs(1);
const SOON: Duration = Duration::from_millis(50);
/// How often the database is looked into for an answer that is no stream.
const LOOKS: usize = 20;
/// The most streams of a process.
const MOST: usize = 200;

/// The streams of a process.
#[derive(Default)]
struct Open(Arc<AtomicUsize>);

/// One of them, until it is dropped.
struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

struct Stream {
    context: Context,
    types: Vec<String>,
    position: i64,
    horizon: Horizon,
    ends: Instant,
    _place: Place,
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
        .rows(Statement::new(WATCH).text(context.tenant.id.as_str()).text(STREAM))
        .await?;
    if !request.header("accept").is_some_and(|accepted| accepted.contains("text/event-stream")) {
        return page(&context, from.unwrap_or(0), &types).await;
    }
    let place = place(&context)?;
    let mut horizon = Horizon::default();
    // What has a position before the stream's beginning has ended by now, unless a transaction stays open for a second: clients find it when
    // they load what they show.
    let (taken, _) = settled(&mut context.session().await?, &mut horizon).await?;
    let stream = Stream {
        types,
        position: from.unwrap_or(taken),
        horizon,
        ends: Instant::now() + WHOLE,
        _place: place,
        context,
    };
    let begin = format!("retry: 1000\nid: {}\n\n", stream.position);
    Ok(Response {
        content_type: "text/event-stream",
        rest: Some(stream.pieces()),
        ..Response::text(200, begin).with("cache-control", "no-store").with("x-accel-buffering", "no")
    })
}

/// The events that there are after a position, and the position to go on from.
async fn page(context: &Context, position: i64, types: &[String]) -> Outcome<Response> {
    let mut session = context.session().await?;
    let mut horizon = Horizon::default();
    let (_, settled) = settled(&mut session, &mut horizon).await?;
    let mut found = after(&mut session, context.tenant.id.as_str(), position, settled).await?;
    let last = found.last().map_or(position, |event| event.position);
    found.retain(|event| is_wanted(event, types));
    Ok(Response::json(200, &json!({"events": found, "position": last})))
}

/// The highest position that was taken, and up to which one every event can be read; events whose transactions have not ended are waited for
/// a little.
async fn settled(session: &mut Session, horizon: &mut Horizon) -> Outcome<(i64, i64)> {
    let (taken, mut settled) = horizon.look(session).await?;
    for _ in 0..LOOKS {
        if settled >= taken {
            break;
        }
        session.meanwhile(tokio::time::sleep(SOON)).await?;
        (_, settled) = horizon.look(session).await?;
    }
    Ok((taken, settled))
}

fn is_wanted(event: &Event, types: &[String]) -> bool {
    wanted(types, &event.kind, |wanted| wanted == event.kind)
}

fn place(context: &Context) -> Outcome<Place> {
    let open = context.platform.kept.get(Open::default);
    if open.0.fetch_add(1, Ordering::Relaxed) >= MOST {
        open.0.fetch_sub(1, Ordering::Relaxed);
        return Err(Fault::new(
            Kind::Unavailable,
            format!("This server has {MOST} streams of events already"),
        ));
    }
    Ok(Place(Arc::clone(&open.0)))
}

impl Stream {
    fn pieces(mut self) -> Pieces {
        Pieces::new(async move {
            let piece = self.next().await?;
            Ok(piece.map(|piece| (piece, self.pieces())))
        })
    }

    /// The next events as text; a line that clients overlook after a while without any; `None` at the end.
    async fn next(&mut self) -> Outcome<Option<String>> {
        let silence = Instant::now() + SILENCE;
        loop {
            let bell = &self.context.platform.event_bell;
            if bell.has_ended() || Instant::now() >= self.ends {
                return Ok(None);
            }
            let rung = bell.count(&self.context.tenant.id);
            let mut session = self.context.session().await?;
            let (taken, known) = self.horizon.look(&mut session).await?;
            let mut found = Vec::new();
            if known > self.position {
                found = after(&mut session, self.context.tenant.id.as_str(), self.position, known).await?;
                self.position = found.last().map_or(known, |event| event.position);
            }
            drop(session);
            found.retain(|event| is_wanted(event, &self.types));
            if !found.is_empty() {
                return Ok(Some(found.iter().map(shown).collect()));
            }
            if known > self.position {
                continue;
            }
            if Instant::now() >= silence {
                return Ok(Some(format!(": nothing new\nid: {}\n\n", self.position)));
            }
            let look = Instant::now() + if taken > known { SOON } else { LOOK };
            tokio::select! {
                () = bell.more_than(&self.context.tenant.id, rung) => {}
                () = sleep_until(look.min(silence)) => {}
            }
        }
    }
}

fn shown(event: &Event) -> String {
    format!("id: {}\nevent: {}\ndata: {}\n\n", event.position, in_one_line(&event.kind), json_text(event))
}

/// Modules outside of Octavo publish events of types with any name.
fn in_one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}

/// Events are written for an hour after somebody has asked for them here. The position is beyond all: this consumer misses nothing.
const WATCH: &str = "\
insert into octavo.event_consumers (tenant, name, position, due)
values ($1, $2, 9223372036854775807, now() + interval '1 hour')
on conflict (tenant, name) do update
set due = excluded.due
where event_consumers.due < now() + interval '30 minutes'";

octavo_pg::statements!(other = [WATCH]);
