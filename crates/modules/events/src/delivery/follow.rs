//! The work for one consumer, until it has everything there is, or takes no more.

use std::time::Duration;

use jiff::Timestamp;
use octavo_engine::events::Horizon;
use octavo_engine::{Context, Platform};
use octavo_kernel::{Outcome, TenantId};
use octavo_pg::Session;
use uuid::Uuid;

use super::claim::{Failed, advance, claim, forget, pause, release, standing};
use crate::consumers::named;
use crate::kafka;
use crate::reading::after;
use crate::receiver::{Event, Refusal, Taken};
use crate::records::tell;
use crate::refused;
use crate::stream_name::STREAM;

/// How the work has ended.
pub(super) enum Ended {
    /// The consumer has everything.
    Done,
    /// It takes no more, and is tried again after this pause.
    Later(Duration),
    /// Another process works for it.
    Elsewhere,
    /// There is no such consumer.
    Gone,
}

/// How often a consumer is offered an event that it does not want, before it gets those behind it: over half a minute.
const OFFERS: i64 = 6;
/// How long events are waited for whose transactions have not ended: at first, and at most.
const SHORTEST: Duration = Duration::from_millis(5);
const LONGEST: Duration = Duration::from_millis(500);
/// How often they are waited for before the consumer is left to the next round.
const WAITS: u32 = 20;

pub(super) async fn follow(platform: &Platform, tenant: &str, name: &str, process: Uuid) -> Outcome<Ended> {
    if name == kafka::NAME && platform.settings.kafka.is_none() {
        // Another process knows the brokers.
        return Ok(Ended::Gone);
    }
    let context = context(platform, tenant).await?;
    let mut session = context.session().await?;
    let claimed: Option<(i64, i64)> = session.read(claim(tenant, name, process)).await?;
    let Some((position, failures)) = claimed else {
        let due: Option<bool> = session.read(standing(tenant, name)).await?;
        return Ok(match due {
            None => Ended::Gone,
            Some(true) => Ended::Elsewhere,
            Some(false) => Ended::Done,
        });
    };
    if name == STREAM {
        // It is due when nobody has asked for events for an hour.
        session.rows(forget(tenant, name)).await?;
        return Ok(Ended::Gone);
    }
    let mut work = Work { platform, tenant, name, process, position, failures, horizon: Horizon::default() };
    let ended = work.all_and_changes(&mut session, &context.tenant.id).await;
    let failed = match &ended {
        Ok(Stopped::Failed(failed)) => Some(failed),
        _ => None,
    };
    session.rollback().await?;
    session.rows(release(tenant, name, process, failed)).await?;
    Ok(match ended? {
        Stopped::Failed(failed) => Ended::Later(pause(failed.times)),
        Stopped::Lost => Ended::Elsewhere,
        Stopped::Gone => Ended::Gone,
        Stopped::Finished => Ended::Done,
    })
}

async fn context(platform: &Platform, tenant: &str) -> Outcome<Context> {
    Context::of_the_server(platform, tenant, now()).await
}

/// Receivers compare the time of a request with their own clocks.
#[expect(clippy::disallowed_methods, reason = "what is sent now is dated now")]
fn now() -> Timestamp {
    Timestamp::now()
}

enum Stopped {
    Finished,
    Failed(Failed),
    /// The claim is another process's.
    Lost,
    Gone,
}

struct Work<'a> {
    platform: &'a Platform,
    tenant: &'a str,
    name: &'a str,
    process: Uuid,
    position: i64,
    failures: i64,
    horizon: Horizon,
}

impl Work<'_> {
    /// Everything there is, and from then on changes of records if the consumer wants them.
    async fn all_and_changes(&mut self, session: &mut Session, tenant: &TenantId) -> Outcome<Stopped> {
        let stopped = self.all(session).await?;
        let consumer = named(self.platform, session, self.name).await?;
        if matches!(stopped, Stopped::Finished)
            && consumer.is_some_and(|consumer| consumer.wants_changes())
            && let Err(fault) = tell(self.platform, tenant).await
        {
            let why = format!("Changes of records cannot be told yet: {fault}");
            return Ok(Stopped::Failed(Failed { times: self.failures + 1, why }));
        }
        Ok(stopped)
    }

    async fn all(&mut self, session: &mut Session) -> Outcome<Stopped> {
        let mut waits = 0;
        loop {
            let (taken, known) = self.horizon.look(session).await?;
            if known <= self.position {
                if taken <= self.position || waits == WAITS {
                    return Ok(Stopped::Finished);
                }
                let wait = SHORTEST * 2_u32.pow(waits.min(10));
                waits += 1;
                session.meanwhile(tokio::time::sleep(wait.min(LONGEST))).await?;
                continue;
            }
            waits = 0;
            let events = after(session, self.tenant, self.position, known).await?;
            let last = events.last().map_or(known, |event| event.position);
            if let Some(stopped) = self.offer(session, events, last).await? {
                return Ok(stopped);
            }
        }
    }

    /// Offers events up to the position `last`, and writes down what was taken. Returns why there is no more to be done.
    async fn offer(
        &mut self,
        session: &mut Session,
        events: Vec<Event>,
        last: i64,
    ) -> Outcome<Option<Stopped>> {
        let Some(receiver) = named(self.platform, session, self.name).await? else {
            return Ok(Some(Stopped::Gone));
        };
        let wanted: Vec<Event> = events.into_iter().filter(|event| receiver.wants(&event.kind)).collect();
        let taken = match wanted.is_empty() {
            true => Taken { count: 0, why_not_more: None },
            false => {
                let context = context(self.platform, self.tenant).await?;
                session.meanwhile(receiver.take(&context, &wanted)).await?
            }
        };
        let Some(refusal) = taken.why_not_more else {
            self.failures = 0;
            let before_next = wanted.get(taken.count).map_or(last, |next| next.position - 1);
            return self.advance(session, before_next, taken.count as i64, None).await;
        };
        let Some(next) = wanted.get(taken.count) else { return Ok(Some(Stopped::Finished)) };
        if taken.count > 0 {
            self.failures = 0;
        }
        self.failures += 1;
        match refusal {
            Refusal::Event(why) if self.failures >= OFFERS => {
                self.failures = 0;
                let refused = Some((next, why.as_str()));
                self.advance(session, next.position, taken.count as i64, refused).await
            }
            Refusal::Event(why) | Refusal::NotNow(why) => {
                let stopped = self.advance(session, next.position - 1, taken.count as i64, None).await?;
                let failed = Failed { times: self.failures, why };
                Ok(Some(stopped.unwrap_or(Stopped::Failed(failed))))
            }
        }
    }

    /// Writes down how far the consumer has come, with the event that it does not want.
    async fn advance(
        &mut self,
        session: &mut Session,
        position: i64,
        taken: i64,
        refused: Option<(&Event, &str)>,
    ) -> Outcome<Option<Stopped>> {
        let mut statements = vec![advance(self.tenant, self.name, self.process, position, taken)];
        if let Some((event, why)) = refused {
            let context = context(self.platform, self.tenant).await?;
            let id = context.fresh_id();
            let record = refused::record(id, self.name, event, why, &context.now_text());
            statements.push(refused::keep(id, &record));
        }
        let answers = session.begin(statements).await?;
        if answers[0].is_empty() {
            session.rollback().await?;
            return Ok(Some(Stopped::Lost));
        }
        session.commit(Vec::new()).await?;
        self.position = position;
        Ok(None)
    }
}
