//! Delivers events to one consumer, until it has all of them or takes no more.

use std::time::Duration;

use jiff::Timestamp;
use octavo_engine::events::Horizon;
use octavo_engine::{Context, Platform};
use octavo_kernel::{Outcome, TenantId};
use octavo_pg::Session;
use uuid::Uuid;

use super::claim::{
    Failure, advance_statement, claim_statement, delete_consumer_statement, is_due_statement,
    release_statement, retry_delay,
};
use crate::consumers::find_consumer;
use crate::kafka;
use crate::reading::read_events_after;
use crate::receiver::{Event, Refusal, TakeResult};
use crate::records::enable_change_events;
use crate::refused;
use crate::stream_name::STREAM_CONSUMER;

/// How the work has ended.
pub(super) enum WorkResult {
    /// The consumer has all events.
    UpToDate,
    /// The consumer takes no more events now. It is tried again after this pause.
    RetryAfter(Duration),
    /// Another process has claimed the consumer.
    ClaimedElsewhere,
    /// There is no such consumer.
    NoSuchConsumer,
}

/// An event that the consumer has refused so many times is set aside, and the events after it are offered. Six refusals take more than half
/// a minute. Deliveries to a consumer that could not be reached do not count.
const MAX_REFUSALS: i64 = 6;
/// How long the delivery waits for events whose transactions are still open: the first time, and at most.
const SHORTEST_WAIT: Duration = Duration::from_millis(5);
const LONGEST_WAIT: Duration = Duration::from_millis(500);
/// How often the delivery waits for open transactions, before it leaves the consumer to the next round.
const MAX_WAITS: u32 = 20;

pub(super) async fn deliver_to_consumer(
    platform: &Platform,
    tenant: &str,
    name: &str,
    process: Uuid,
) -> Outcome<WorkResult> {
    if name == kafka::NAME && platform.settings.kafka.is_none() {
        // Another process knows the brokers of Kafka.
        return Ok(WorkResult::NoSuchConsumer);
    }
    let context = context(platform, tenant).await?;
    let mut session = context.session().await?;
    let claimed: Option<(i64, i64, i64)> = session.read(claim_statement(tenant, name, process)).await?;
    let Some((position, failures, refusals)) = claimed else {
        let due: Option<bool> = session.read(is_due_statement(tenant, name)).await?;
        return Ok(match due {
            None => WorkResult::NoSuchConsumer,
            Some(true) => WorkResult::ClaimedElsewhere,
            Some(false) => WorkResult::UpToDate,
        });
    };
    if name == STREAM_CONSUMER {
        // The consumer of all streams is due when no client has asked for events for an hour.
        session.rows(delete_consumer_statement(tenant, name)).await?;
        return Ok(WorkResult::NoSuchConsumer);
    }
    let mut work =
        Work { platform, tenant, name, process, position, failures, refusals, horizon: Horizon::default() };
    let ended = work.deliver_then_enable_changes(&mut session, &context.tenant.id).await;
    let failed = match &ended {
        Ok(StopReason::Failed(failed)) => Some(failed),
        _ => None,
    };
    session.rollback().await?;
    session.rows(release_statement(tenant, name, process, failed)).await?;
    Ok(match ended? {
        StopReason::Failed(failed) => WorkResult::RetryAfter(failed.pause),
        StopReason::ClaimLost => WorkResult::ClaimedElsewhere,
        StopReason::NoSuchConsumer => WorkResult::NoSuchConsumer,
        StopReason::Finished => WorkResult::UpToDate,
    })
}

async fn context(platform: &Platform, tenant: &str) -> Outcome<Context> {
    Context::for_server_task(platform, tenant, now()).await
}

/// Receivers compare the time of a request with their own clocks.
#[expect(clippy::disallowed_methods, reason = "what is sent now is dated now")]
fn now() -> Timestamp {
    Timestamp::now()
}

enum StopReason {
    Finished,
    Failed(Failure),
    /// Another process has claimed the consumer meanwhile.
    ClaimLost,
    NoSuchConsumer,
}

struct Work<'a> {
    platform: &'a Platform,
    tenant: &'a str,
    name: &'a str,
    process: Uuid,
    position: i64,
    failures: i64,
    refusals: i64,
    horizon: Horizon,
}

impl Work<'_> {
    /// Delivers all events that exist. If the consumer wants changes of records, these become events from then on.
    async fn deliver_then_enable_changes(
        &mut self,
        session: &mut Session,
        tenant: &TenantId,
    ) -> Outcome<StopReason> {
        let stopped = self.deliver_all(session).await?;
        let consumer = find_consumer(self.platform, session, self.name).await?;
        if matches!(stopped, StopReason::Finished)
            && consumer.is_some_and(|consumer| consumer.wants_record_changes())
            && let Err(fault) = enable_change_events(self.platform, tenant).await
        {
            let why = format!("Changes of records cannot be told yet: {fault}");
            self.failures += 1;
            return Ok(StopReason::Failed(self.failure(self.failures, why)));
        }
        Ok(stopped)
    }

    async fn deliver_all(&mut self, session: &mut Session) -> Outcome<StopReason> {
        let mut waits = 0;
        loop {
            let (taken, known) = self.horizon.read_positions(session).await?;
            if known <= self.position {
                if taken <= self.position || waits == MAX_WAITS {
                    return Ok(StopReason::Finished);
                }
                let wait = SHORTEST_WAIT * 2_u32.pow(waits.min(10));
                waits += 1;
                session.wait_without_connection(tokio::time::sleep(wait.min(LONGEST_WAIT))).await?;
                continue;
            }
            waits = 0;
            let events = read_events_after(session, self.tenant, self.position, known).await?;
            let last = events.last().map_or(known, |event| event.position);
            if let Some(stopped) = self.offer(session, events, last).await? {
                return Ok(stopped);
            }
        }
    }

    /// Offers events up to the position `last` to the consumer, and records which of them it has taken. Returns why the delivery has to
    /// stop, or `None`.
    async fn offer(
        &mut self,
        session: &mut Session,
        events: Vec<Event>,
        last: i64,
    ) -> Outcome<Option<StopReason>> {
        let Some(receiver) = find_consumer(self.platform, session, self.name).await? else {
            return Ok(Some(StopReason::NoSuchConsumer));
        };
        let wanted: Vec<Event> = events.into_iter().filter(|event| receiver.wants(&event.kind)).collect();
        let taken = match wanted.is_empty() {
            true => TakeResult { count: 0, refusal: None },
            false => {
                let context = context(self.platform, self.tenant).await?;
                session.wait_without_connection(receiver.take(&context, &wanted)).await?
            }
        };
        let Some(refusal) = taken.refusal else {
            (self.failures, self.refusals) = (0, 0);
            let before_next = wanted.get(taken.count).map_or(last, |next| next.position - 1);
            return self.advance(session, before_next, taken.count as i64, None).await;
        };
        let Some(next) = wanted.get(taken.count) else { return Ok(Some(StopReason::Finished)) };
        if taken.count > 0 {
            (self.failures, self.refusals) = (0, 0);
        }
        self.failures += 1;
        let failed = match refusal {
            Refusal::NotNow(why) => self.failure(self.failures, why),
            Refusal::Unwanted(why) => {
                self.refusals += 1;
                if self.refusals >= MAX_REFUSALS {
                    (self.failures, self.refusals) = (0, 0);
                    let refused = Some((next, why.as_str()));
                    return self.advance(session, next.position, taken.count as i64, refused).await;
                }
                self.failure(self.refusals, why)
            }
        };
        let stopped = self.advance(session, next.position - 1, taken.count as i64, None).await?;
        Ok(Some(stopped.unwrap_or(StopReason::Failed(failed))))
    }

    /// The failure of this attempt, with a pause that is longer after more attempts.
    fn failure(&self, attempts: i64, why: String) -> Failure {
        Failure { times: self.failures, refusals: self.refusals, pause: retry_delay(attempts), why }
    }

    /// Records the position of the consumer, and the event that it has refused.
    async fn advance(
        &mut self,
        session: &mut Session,
        position: i64,
        taken: i64,
        refused: Option<(&Event, &str)>,
    ) -> Outcome<Option<StopReason>> {
        let mut statements = vec![advance_statement(self.tenant, self.name, self.process, position, taken)];
        if let Some((event, why)) = refused {
            let context = context(self.platform, self.tenant).await?;
            let id = context.fresh_id();
            let record = refused::refused_event_json(id, self.name, event, why, &context.now_text());
            statements.push(refused::insert_statement(id, &record));
        }
        let answers = session.begin(statements).await?;
        if answers[0].is_empty() {
            session.rollback().await?;
            return Ok(Some(StopReason::ClaimLost));
        }
        session.commit(Vec::new()).await?;
        self.position = position;
        Ok(None)
    }
}
